"""Logs in which somebody has signed what should not be signed: a match taken apart, bent, and signed anew.

Unlike a damage (tests.independent.damages) every lie carries a valid signature, so that it has to be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from engine import SEATS
from protocol.crypto.parts import encryption_key
from protocol.events import Event, Ref, sign_event
from tests.fuzz.mutators import mutate_value
from tests.independent.logs import in_some_order
from tests.independent.verify_log import BODIES, Refused, decode, encode
from tests.protocol.matches import log_file
from tests.protocol.tables import Setup


@dataclass
class Statement:
    """An event before it is signed: its references are other statements."""

    author: int
    kind: str
    body: tuple[Any, ...]
    refs: list[Statement | None]
    prev: Statement | None = None
    """Another one than the author's statement before: a fork."""
    twin: bool = False
    """Whether it takes the number of its author's statement before, and nobody builds on it."""
    signed: Event | None = field(default=None, repr=False)


def statements(events: Sequence[Event]) -> list[Statement]:
    """A log taken apart, in the order of its events."""
    made: dict[bytes, Statement] = {}
    for event in events:
        refs = [made[ref.id] if ref else None for ref in event.refs]
        made[event.id] = Statement(event.author, event.kind, event.body, refs)
    return list(made.values())


def sign_all(setup: Setup, told: Sequence[Statement]) -> list[Event]:
    """The log that the statements are, each signed by its author."""
    heads: list[list[Event]] = [[] for _ in SEATS]
    for statement in told:
        feed = heads[statement.author]
        before = feed[:-1] if statement.twin else feed
        prev = statement.prev.signed.id if statement.prev and statement.prev.signed else None
        event = sign_event(
            setup.identities[statement.author],
            setup.genesis.match_id,
            statement.author,
            len(before),
            prev or (before[-1].id if before else setup.genesis.match_id),
            [
                None if ref is None or ref.signed is None else Ref(ref.signed.seq, ref.signed.id)
                for ref in statement.refs
            ],
            statement.kind,
            statement.body,
        )
        statement.signed = event
        if not statement.twin:
            feed.append(event)
    return [statement.signed for statement in told if statement.signed]


def change_body(rng: Random, told: list[Statement], setup: Setup) -> None:
    """Some value of a body becomes another one."""
    chosen = rng.choice(told)
    if rng.random() < 0.7:
        chosen.body = bent(rng, chosen.body)
        return
    value = mutate_value(rng, chosen.body)
    if isinstance(value, tuple) and has_encoding(value):
        chosen.body = value


def has_encoding(value: Any) -> bool:
    """Whether a value can stand in an event at all."""
    try:
        decode(encode(value), 16_000)
    except (Refused, ValueError, TypeError, OverflowError):
        return False
    return True


def bent(rng: Random, body: tuple[Any, ...]) -> tuple[Any, ...]:
    """The body with one of its fields bent in a way that keeps its type."""
    if not body:
        return body
    place = rng.randrange(len(body))
    value = body[place]
    if type(value) is int:
        value = rng.choice([rng.randrange(4), value + 1, max(0, value - 1)])
    elif type(value) is bytes and value:
        at = rng.randrange(len(value))
        value = value[:at] + bytes([value[at] ^ 1 << rng.randrange(8)]) + value[at + 1 :]
    elif type(value) is tuple and value and type(value[0]) is int:
        value = tuple(sorted({*value[1:], rng.randrange(36)}))
    elif type(value) is tuple and value:
        at = rng.randrange(len(value))
        value = rng.choice(
            [value[:at] + value[at + 1 :], (*value[:at], bent(rng, value[at]), *value[at + 1 :])]
        )
    return (*body[:place], value, *body[place + 1 :])


def commit_to(rng: Random, told: list[Statement], setup: Setup) -> None:
    """A discard is of cards that its author has played, will play or never had, and is opened like that."""
    discards = [s for s in told if s.kind == "discard"]
    if not discards:
        return
    chosen = rng.choice(discards)
    deal, trick, on, count, _ = chosen.body
    own = [s for s in told if s.author == chosen.author and s.body[:1] == (deal,)]
    slots = {slot for s in own if s.kind in ("lead", "beat", "molodka") for slot in s.body[-2]}
    opened = {n: entry for s in own if s.kind == "open" for n, entry in enumerate(s.body[2])}
    slots |= {slot for _, _, thrown in opened.values() for slot in thrown}
    if len(slots) < count or rng.random() < 0.3:
        slots |= set(range(36))
    said = tuple(sorted(rng.sample(sorted(slots), count)))
    keyring = setup.keyring(chosen.author)
    chosen.body = (deal, trick, on, count, keyring.commit(deal, trick, on, said))
    for opening in (s for s in own if s.kind == "open"):
        salt = keyring.salt(deal, trick, on)
        entries = [(t, salt, said) if old == salt else (t, old, thrown) for t, old, thrown in opening.body[2]]
        opening.body = (*opening.body[:2], tuple(entries))


def borrow_body(rng: Random, told: list[Statement], setup: Setup) -> None:
    """Somebody says what was said by somebody else, or at another time."""
    chosen = rng.choice(told)
    other = rng.choice([s for s in told if s.kind == chosen.kind])
    places = range(len(chosen.body))
    if len(other.body) == len(chosen.body):
        kept = {place for place in places if rng.random() < 0.5}
        chosen.body = tuple((chosen if place in kept else other).body[place] for place in places)


def change_kind(rng: Random, told: list[Statement], setup: Setup) -> None:
    """A statement becomes one of another kind."""
    chosen = rng.choice(told)
    alike = {"lead": "molodka", "molodka": "lead", "result": "key", "lost": "result", "final": "accept"}
    chosen.kind = alike.get(chosen.kind, rng.choice([*BODIES, "nonsense"]))


def say_again(rng: Random, told: list[Statement], setup: Setup) -> None:
    """A statement is made a second time, or by somebody else."""
    place = rng.randrange(1, len(told))
    source, author = rng.choice(told), rng.choice(SEATS)
    insert(
        told, place, Statement(source.author if rng.random() < 0.7 else author, source.kind, source.body, [])
    )


def say_early(rng: Random, told: list[Statement], setup: Setup) -> None:
    """A statement is made before its time."""
    place = rng.randrange(1, len(told))
    source = rng.choice(told[place:][:40])
    insert(told, place, Statement(source.author, source.kind, source.body, []))


def declare(rng: Random, told: list[Statement], setup: Setup) -> None:
    """Somebody is declared lost, complained about, or rescued."""
    place, seat, author = rng.randrange(1, len(told)), rng.choice(SEATS), rng.choice(SEATS)
    number = rng.choice([s.body[0] for s in told if s.kind in ("key", "lead")] or [0])
    secret = setup.keyring(author).encryption_secret if rng.random() < 0.8 else rng.randbytes(32)
    kind, body = rng.choice(
        (
            ("lost", (number, seat)),
            ("lost", (number, seat)),
            ("complaint", (number, seat, secret)),
            ("rescue", (number, seat, rng.randbytes(64))),
        )
    )
    insert(told, place, Statement(author, kind, body, []))


def insert(told: list[Statement], place: int, new: Statement) -> None:
    """Put in a statement whose author has seen all before that place."""
    for seat in SEATS:
        past = [s for s in told[:place] if s.author == seat and not s.twin]
        new.refs.append(past[-1] if past and seat != new.author else None)
    told.insert(place, new)


def look_away(rng: Random, told: list[Statement], setup: Setup) -> None:
    """Somebody says that it has seen less of a feed than it had."""
    chosen = rng.choice(told)
    seats = [s for s in SEATS if chosen.refs[s] is not None]
    if seats:
        seat = rng.choice(seats)
        feed = [s for s in told if s.author == seat and not s.twin]
        ref = chosen.refs[seat]
        assert ref is not None
        back = feed.index(ref) - rng.choice((1, 1, 2, 5, 99)) if ref in feed else 0
        chosen.refs[seat] = feed[back] if back >= 0 else None


def never_see(rng: Random, told: list[Statement], setup: Setup) -> None:
    """From some moment on nobody sees anything of one seat, which plays on for itself."""
    place, seat = rng.randrange(4, len(told)), rng.choice(SEATS)
    past = [s for s in told[:place] if s.author == seat and not s.twin]
    last = past[-1] if past else None
    for statement in told[place:]:
        if statement.author != seat and statement.refs[seat] not in past:
            statement.refs[seat] = last


def twin(rng: Random, told: list[Statement], setup: Setup) -> None:
    """Somebody signs two events with one number."""
    place = rng.randrange(4, len(told))
    source = told[place]
    if source.twin:
        return
    new = Statement(source.author, source.kind, bent(rng, source.body), list(source.refs), twin=True)
    told.insert(place + 1, new)
    if rng.random() < 0.5:
        new.prev = rng.choice([s for s in told[:place] if s.author == source.author] or [None])


def break_chain(rng: Random, told: list[Statement], setup: Setup) -> None:
    """An event does not follow the one before it."""
    place = rng.randrange(8, len(told))
    past = [s for s in told[:place] if s.author == told[place].author]
    told[place].prev = rng.choice(past)


LIES: Final[Sequence[Callable[[Random, list[Statement], Setup], None]]] = (
    *(change_body, change_body, borrow_body, borrow_body, change_kind, say_again, say_early, say_early),
    *(commit_to, commit_to, declare, declare, look_away, never_see, twin, break_chain),
)


def lying_log(rng: Random, setup: Setup, events: Sequence[Event]) -> tuple[bytes, list[str]]:
    """A log with one to three lies in it, in some causal order, and what was done to it."""
    told, chosen = statements(events), rng.choices(LIES, k=rng.choice((1, 1, 2, 3)))
    chosen.sort(key=lambda lie: lie is not commit_to)  # which reads the bodies that others bend
    for lie in chosen:
        lie(rng, told, setup)
    done = [lie.__name__ for lie in chosen]
    made = sign_all(setup, told)
    order = made if rng.random() < 0.3 else in_some_order(rng, made)
    return log_file(setup.genesis, [event.signed for event in order]), done


def storm(rng: Random, setup: Setup, count: int) -> bytes:
    """Feeds that split, skip, and refer to whatever there is, in an order that is none: §4 and §8 alone."""
    made: list[list[Event]] = [[] for _ in SEATS]
    weights = rng.choice(((1, 1, 1, 1), (9, 1, 1, 1), (40, 1, 1, 1)))
    straight = rng.choice((0.7, 0.95, 0.999))
    for _ in range(count):
        (author,) = rng.choices(SEATS, weights)
        own = made[author]
        last = None if not own else own[-1] if rng.random() < straight else rng.choice(own)
        refs = [_some_ref(rng, made[seat], straight) if seat != author else None for seat in SEATS]
        seq = last.seq + 1 if last else 0
        prev = last.id if last and rng.random() < straight else setup.genesis.match_id
        if rng.random() > straight:
            seq = max(0, seq + rng.choice((-1, 1, 2, 400)))
        kind, body = _said(rng, setup, author, seq)
        match_id, identity = setup.genesis.match_id, setup.identities[author]
        own.append(sign_event(identity, match_id, author, seq, prev, refs, kind, body))
    events = [event for feed in made for event in feed]
    order = rng.choice((sorted(events, key=lambda e: e.seq), events, events[::-1], rng.sample(events, count)))
    return log_file(setup.genesis, [event.signed for event in order])


def _some_ref(rng: Random, feed: list[Event], straight: float) -> Ref | None:
    if not feed or rng.random() < 0.2:
        return None
    event = feed[-1] if rng.random() < straight else rng.choice(feed)
    return Ref(event.seq, event.id)


def _said(rng: Random, setup: Setup, author: int, seq: int) -> tuple[str, tuple[Any, ...]]:
    if seq == 0 and rng.random() < 0.9:
        return "accept", (encryption_key(setup.keyring(author).encryption_secret),)
    return rng.choice((("coin-commit", (rng.randbytes(32),)), ("nonsense", ()), ("final", (bytes(32),))))
