"""What can go wrong in a run: the plan that a simulation follows, drawn from a seed.

Times are simulated seconds from the start of the run. A plan is plain data whose ``repr`` makes it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final, TypeAlias

from engine import SEATS, Seat

SPECTATOR: Final = 4
"""The place of the spectator, after the four seats."""
PLACES: Final = (*SEATS, SPECTATOR)

_EFFECTS_OF_A_MATCH: Final = 450
_WRITES_OF_A_MATCH: Final = 80
"""About as many effects as a node performs in a short match, and as many writes to disk."""


class Kind(StrEnum):
    """The kinds of faults."""

    LOSS = "loss"
    """A frame vanishes without a word."""
    REPEAT = "repeat"
    """A frame arrives twice."""
    DELAY = "delay"
    """All frames take longer."""
    REORDER = "reorder"
    """A frame is overtaken by later ones."""
    CORRUPT = "corrupt"
    """A few bits of a frame flip."""
    CUT = "cut"
    """Nothing gets from some places to some others: a partition, one-way unless there are two."""
    CLOCK = "clock"
    """A node's clock stands still and then jumps: no tick for long, then many at once."""
    CRASH = "crash"
    """A node dies between two effects, and comes back with what its disk had synced."""


@dataclass(frozen=True, slots=True)
class Weather:
    """Bad conditions for all frames: `rate` is a probability, for delays it is seconds."""

    kind: Kind
    start: float
    end: float
    rate: float


@dataclass(frozen=True, slots=True)
class Cut:
    """No frame gets from `senders` to `receivers`."""

    start: float
    end: float
    senders: tuple[int, ...]
    receivers: tuple[int, ...]

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return Kind.CUT


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a place stands still, and at the `end` ticks so many times at once."""

    start: float
    end: float
    place: int
    ticks: int

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return Kind.CLOCK


class Moment(StrEnum):
    """What a crash waits for."""

    EFFECT = "effect"
    """The place is about to perform its effect number `count`."""
    UNSYNCED = "unsynced"
    """It is about to put events on disk for the `count`-th time."""
    SYNCED = "synced"
    """It has just done so, and is about to perform whatever comes next."""


@dataclass(frozen=True, slots=True)
class Crash:
    """A place dies between two effects, counted over all its lives; after `down` seconds it is back."""

    moment: Moment
    count: int
    place: int
    down: float

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return Kind.CRASH


Fault: TypeAlias = Weather | Cut | Clock | Crash


@dataclass(frozen=True, slots=True)
class Split:
    """A seat that equivocates: from its effect number `effect` on it shows `half` another face.

    Each face signs about so many `events` more and then falls silent, or plays on when it is None. With
    `hides` the other face never shows the first event that it signs, only those that follow it.
    """

    seat: Seat
    effect: int
    half: tuple[int, ...]
    events: int | None = None
    hides: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: its seed decides cards, plays and chances; from `quiet` on nothing goes wrong any more."""

    seed: int
    quiet: float
    faults: tuple[Fault, ...] = ()
    split: Split | None = None


_WORST: Final = {Kind.LOSS: 0.6, Kind.REPEAT: 0.6, Kind.DELAY: 2.0, Kind.REORDER: 0.6, Kind.CORRUPT: 0.3}
_MOST: Final = dict.fromkeys(Kind, 3) | {Kind.CRASH: 6}
"""How many faults of a kind are drawn at most."""


def draw_plan(seed: int, kinds: tuple[Kind, ...] = tuple(Kind), *, equivocator: bool | None = None) -> Plan:
    """The plan of a seed, with faults of these kinds only.

    One run in four has an equivocator, unless `equivocator` says that all or none have.
    """
    rng = Random(f"plan {seed}")
    quiet = round(rng.uniform(5, 40), 2)
    chosen = [kind for kind in Kind if rng.random() < 0.6]
    faults: list[Fault] = []
    for kind in chosen:
        drawn = [fault for _ in range(rng.randint(1, _MOST[kind])) for fault in _draw(rng, kind, quiet)]
        faults += drawn if kind in kinds else []
    lying = rng.random() < 0.25
    split = _draw_split(rng)
    return Plan(
        seed, quiet, tuple(faults), split if (lying if equivocator is None else equivocator) else None
    )


def _draw(rng: Random, kind: Kind, quiet: float) -> list[Fault]:
    start, end = sorted(round(rng.uniform(0, quiet), 2) for _ in range(2))
    place = rng.choice(PLACES)
    if kind is Kind.CUT:
        side = tuple(sorted(rng.sample(PLACES, rng.randint(1, 3))))
        other = tuple(place for place in PLACES if place not in side)
        there = Cut(start, end, side, other)
        return [there, Cut(start, end, other, side)] if rng.random() < 0.5 else [there]
    if kind is Kind.CLOCK:
        return [Clock(start, end, place, rng.choice((0, 1, 3, 20)))]
    if kind is Kind.CRASH:
        moment = rng.choice(tuple(Moment))
        first = rng.randint(1, _EFFECTS_OF_A_MATCH if moment is Moment.EFFECT else _WRITES_OF_A_MATCH)
        down = round(rng.choice((0.0, rng.uniform(0, 5))), 2)
        times, stride = rng.choice((1, 1, 1, 3, 15)), rng.randint(1, 4)
        return [Crash(moment, first + stride * again, place, down) for again in range(times)]
    return [Weather(kind, start, end, round(rng.uniform(0.02, _WORST[kind]), 2))]


def _draw_split(rng: Random) -> Split:
    seat = rng.choice(SEATS)
    others = [place for place in PLACES if place != seat]
    while True:
        half = tuple(place for place in others if rng.random() < 0.5)
        if 0 < sum(place in SEATS for place in half) < 3:
            effect, events = rng.randint(1, _EFFECTS_OF_A_MATCH // 2), rng.choice((1, 2, None))
            return Split(seat, effect, half, events, hides=rng.random() < 0.2)
