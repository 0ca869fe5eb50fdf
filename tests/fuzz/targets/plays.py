"""INVARIANT: whatever a program asks for through the local API, a seat never signs what convicts it.

Any play is refused as PlayRefused, with a sentence for people, and then nothing is signed, stored or sent;
or it is one of those that `legal` listed, and the seat's own judge and everybody else's let it stand, now
and when the discards are opened.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, cast

from engine import DECK as CARDS
from engine import Beat, Card, Discard, Lead, Molodka, Play
from engine.cards import SEATS, Seat
from node.live import LiveTable
from node.storage.store import Store
from node.words.refusals import SENTENCES, refusal_sentence
from node.words.wording import Wording
from protocol.errors import PlayRefused
from protocol.keyring import Keyring
from protocol.table import Table
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import any_number

_NAMES = ("Anna", "Boris", "Vera", "Gleb")


@dataclass(frozen=True)
class Given:
    """A play asked for at the table of a seat that has seen so many events."""

    seat: Seat
    after: int
    play: Play


class Outside:
    """Disk and network of a table, of which only the traffic is counted."""

    def __init__(self) -> None:
        self.traffic = 0

    def append(self, _match_id: bytes, _records: object) -> None:
        """What a store does."""
        self.traffic += 1

    def send(self, _peer: bytes, _frame: bytes) -> None:
        """What a link does."""
        self.traffic += 1


class Plays:
    """`LiveTable.play` with arbitrary plays."""

    name = "plays"
    refusals: ClassVar[Mapping[str, str]] = {
        "match-stopped": "a fault is proven",
        "seat-lost": "a seat is being handed over",
        "not-your-seat": "one plays one's own cards only",
        "not-listed": "it hides its cards, as only the plays of others do",
        **dict.fromkeys(SENTENCES, "the rules of the game refuse it"),
    }

    def __init__(self) -> None:
        self._stages = {seat: corpus.tables(seat, 1) for seat in SEATS}
        self._places = [
            (seat, place)
            for seat in SEATS
            for place, table in self._stages[seat].items()
            if table.legal() or place % 8 == 0
        ]
        self._working: dict[tuple[Seat, int], Table] = {}

    def draw(self, rng: Random) -> Given:
        """A play, most often for a seat that may play."""
        seat, after = rng.choice(self._places)
        table = self._stages[seat][after]
        legal = table.legal()
        if legal and rng.random() < 0.5:
            return Given(seat, after, _changed(rng, rng.choice(legal)))
        hand = [*table.state.hands[seat].known] or [*CARDS]
        return Given(seat, after, _any_play(rng, seat, sorted(hand)))

    def feed(self, given: Given) -> Iterator[str]:
        """Ask for the play."""
        yield asyncio.run(self._ask(given))

    async def _ask(self, given: Given) -> str:
        place = given.seat, given.after
        table = self._working.get(place)
        if table is None:
            table = self._working[place] = copy.deepcopy(self._stages[given.seat][given.after])
        outside = Outside()
        live = LiveTable(table, cast(Store, outside), outside.send, lambda _work: None)
        heads, legal = table.log.heads(), table.legal()
        try:
            live.play(given.play)
        except PlayRefused as refused:
            assert table.log.heads() == heads
            assert outside.traffic == 0
            assert refusal_sentence(refused, Wording(_NAMES, given.seat, True))
            assert given.play not in legal, "a legal play was refused"
            return refused.code
        del self._working[place]
        assert given.play in legal
        assert not table.match.verdicts
        _check_opening(table, given)
        return ACCEPTED


def _check_opening(table: Table, given: Given) -> None:
    """A discard can be opened: the seat's secret gives its cards again."""
    if not isinstance(given.play, Discard):
        return
    made = [step for step in table.match.steps if isinstance(step.action, Discard)]
    step = next(step for step in reversed(made) if step.action == replace(given.play, cards=None))
    assert step.commitment is not None
    ring = Keyring(table.genesis, given.seat, corpus.match().setup.secrets[given.seat])
    held = table.match.current.held(given.seat, step.trick)
    assert ring.recall_discard(step.deal, step.trick, given.play.on, step.commitment, given.play.count, held)


def _changed(rng: Random, play: Play) -> Play:
    """A legal play as it is or with one field changed."""
    fields: dict[str, Any] = {name: getattr(play, name) for name in play.__dataclass_fields__}
    if rng.random() < 0.8:
        name = rng.choice([*fields])
        fields[name] = _changed_field(rng, name, fields[name])
    kind = type(play)
    if kind is not Discard and rng.random() < 0.1:
        kind = rng.choice((Lead, Molodka))
        fields = {"seat": fields["seat"], "cards": fields["cards"]}
    return kind(**fields)


def _changed_field(rng: Random, name: str, value: Any) -> Any:
    if name != "cards":
        return rng.choice((bool(value), value + 1, value - 1, any_number(rng), rng.choice(SEATS)))
    cards = list(value)
    return rng.choice(
        (
            tuple(cards[:-1]),
            tuple(cards * 2),
            (*cards[1:], rng.choice(CARDS)),
            (*cards, rng.choice(CARDS)),
            tuple(rng.choices(CARDS, k=rng.randrange(6))),
        )
    )


def _any_play(rng: Random, seat: Seat, hand: list[Card]) -> Play:
    seat = seat if rng.random() < 0.9 else rng.choice((*SEATS, -1, 4, any_number(rng)))
    pool = hand if rng.random() < 0.8 else [*CARDS]
    cards = tuple(rng.sample(pool, min(len(pool), rng.randrange(6))))
    on = rng.choice((*SEATS, *SEATS, -1, 4, any_number(rng)))
    match rng.randrange(4):
        case 0:
            return Lead(seat, cards)
        case 1:
            return Molodka(seat, cards)
        case 2:
            return Beat(seat, cards, on)
    count = len(cards) if rng.random() < 0.8 else any_number(rng)
    return Discard(seat, count, None if rng.random() < 0.3 else cards, on)
