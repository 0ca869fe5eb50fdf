"""INVARIANT: a frame of the log from a peer is refused as FrameRejected and changes nothing, or is used.

Whatever is in it, only the authors of bad events can be convicted (and the seat that watches, when it is
shown what a copy of itself has signed). What leaves in answer is on disk before, in frames of the size that
the link carries, and not more than one answer's worth; feeds only ever grow. A seat that has come back from a
crash signs nothing before it has heard everybody, whatever one of them says.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from engine.cards import SEATS, Seat
from protocol.effects import Effect, Persist, Send
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.limits import MAX_FRAME_BYTES
from protocol.table import Table
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED, REFUSED_FRAMES
from tests.fuzz.mutators import mutate_bytes, mutate_value, pack_any, unpack_any
from tests.protocol.tables import events_in, name_of

_STEP = 3
"""The tables are looked at after every third event."""
_ANSWER_BYTES = 5 * 49_152


@dataclass(frozen=True)
class Given:
    """A frame, the table that gets it, and the seats that have signed something bad in it.

    `back` tells that the table has just come back from a crash.
    """

    seat: Seat
    after: int
    frame: bytes
    bad: frozenset[Seat]
    back: bool


class Frames:
    """`Table.receive`: `have` and `events`, at every point of a match."""

    name = "frames"
    refusals: ClassVar[Mapping[str, str]] = {
        **REFUSED_FRAMES,
        "other-match": "belongs to another match, or says of none that it does",
        "unknown-frame": "a kind that this version does not have",
    }

    def __init__(self) -> None:
        self._stages = {seat: corpus.tables(seat, _STEP) for seat in SEATS}
        self._working: dict[tuple[Seat, int, bool], Table] = {}

    def draw(self, rng: Random) -> Given:
        """A frame made from real ones."""
        seat, after = rng.choice(SEATS), rng.choice([*self._stages[0]])
        if rng.random() < 0.3:
            frame, bad = have_frame(rng), frozenset[Seat]()
        else:
            frame, bad = events_frame(rng, after)
        back = rng.random() < 0.2
        way = rng.random()
        if way < 0.35:
            return Given(seat, after, mutate_bytes(rng, frame), frozenset(SEATS), back)
        if way < 0.6:
            return Given(seat, after, pack_any(mutate_value(rng, unpack_any(frame))), frozenset(SEATS), back)
        return Given(seat, after, frame, bad, back)

    def feed(self, given: Given) -> Iterator[str]:
        """Hand the frame to the table of that seat, as from the next seat."""
        place = given.seat, given.after, given.back
        table = self._working.get(place)
        if table is None:
            table = self._working[place] = copy.deepcopy(self._stages[given.seat][given.after])
            if given.back:
                table.load((), {seat: name_of(seat) for seat in SEATS if seat != given.seat})
        heads = table.log.heads()
        try:
            effects = table.receive(name_of((given.seat + 1) % 4), given.frame)
        except FrameRejected as error:
            assert table.log.heads() == heads
            yield error.code
            return
        del self._working[place]
        _check_effects(table, given, effects)
        if given.back:
            _check_silence(given, effects)
        for seat in SEATS:
            was = heads[seat]
            assert was is None or table.log.entry(seat, was.seq).id == was.id
        convicted = {verdict.culprit for verdict in table.match.verdicts}
        assert convicted <= given.bad | {given.seat}, f"convicted {convicted}, bad {given.bad}"
        yield ACCEPTED


def _check_effects(table: Table, given: Given, effects: list[Effect]) -> None:
    disk = {event.signed for event in corpus.events()[: given.after]}
    answered = 0
    for effect in effects:
        if isinstance(effect, Persist):
            disk |= {event.signed for event in effect.events}
        elif isinstance(effect, Send):
            assert 0 < len(effect.frame) <= MAX_FRAME_BYTES
            assert disk.issuperset(events_in(effect.frame)), "an event is on disk before any byte leaves"
            answered += len(effect.frame)
    assert answered <= _ANSWER_BYTES
    assert len(table.log.forks) <= 8 * len(SEATS)


def _check_silence(given: Given, effects: list[Effect]) -> None:
    """What leaves was signed before the crash, or has just come."""
    old = {event.signed for event in corpus.events()[: given.after]} | {*events_in(given.frame)}
    assert all(old.issuperset(events_in(effect.frame)) for effect in effects if isinstance(effect, Send)), (
        "it signs before it knows what it has signed"
    )


def have_frame(rng: Random) -> bytes:
    """What a node says that has seen so many events, or says that it has."""
    seen = corpus.matches()[rng.randrange(len(corpus.matches()))].log
    heads = list(seen.heads())
    if rng.random() < 0.4:
        heads[rng.randrange(4)] = None
    if rng.random() < 0.2:
        rng.shuffle(heads)
    forks = tuple(rng.choice(corpus.events()).id for _ in range(rng.choice((0, 0, 0, 1, 64, 65))))
    return pack_any(("have", seen.match_id, tuple(ref and tuple(ref) for ref in heads), forks))


def events_frame(rng: Random, after: int) -> tuple[bytes, frozenset[Seat]]:
    """Events around a point of the match: in order or not, some twice, some missing, some bad."""
    start = max(0, after - rng.choice((0, 0, 1, 4, 80)))
    batch = [event.signed for event in corpus.events()[start : after + rng.choice((1, 1, 2, 4, 8))]]
    bad: set[Seat] = set()
    if rng.random() < 0.5:
        for _ in range(rng.choice((1, 1, 2, 6))):
            made = corpus.bad_event(rng)
            batch.insert(rng.randrange(len(batch) + 1), made.signed)
            bad |= _possible_authors(made.signed)
    if rng.random() < 0.4:
        rng.shuffle(batch)
    if rng.random() < 0.3 and batch:
        batch += rng.choices(batch, k=rng.choice((1, 3, 60)))
    if rng.random() < 0.2 and batch:
        del batch[rng.randrange(len(batch))]
    frame = pack_any(
        ("events", corpus.match().setup.genesis.match_id, tuple(tuple(one) for one in batch[:64]))
    )
    return frame, frozenset(bad)


def _possible_authors(signed: SignedEvent) -> frozenset[Seat]:
    try:
        author = unpack_any(signed.data)[2]
    except Exception:
        return frozenset()
    return frozenset({author}) if type(author) is int else frozenset()
