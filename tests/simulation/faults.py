"""What can go wrong in a run: the plan that a simulation follows, drawn from a seed.

Times are simulated seconds from the start of the run. A plan is plain data whose ``repr`` makes it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple, TypeAlias

from engine import SEATS, Seat

SPECTATOR: Final = 4
"""The place of the spectator, after the four seats."""
PLACES: Final = (*SEATS, SPECTATOR)

_EFFECTS_OF_A_MATCH: Final = 450
_WRITES_OF_A_MATCH: Final = 80
"""About as many effects as a node performs in a short match, and as many writes to disk."""
_STEPS_OF_A_DEAL: Final = 68
"""About as many steps as the record of a deal has."""
_DEAL_SECONDS: Final = 10.0
"""About as long as a deal takes, shuffles included."""


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
    VANISH = "vanish"
    """A seat goes away in the middle of a deal, or seems to, and others declare it lost (§7.12)."""


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


class Absence(StrEnum):
    """What has become of a seat that vanishes."""

    CUT_OFF = "cut off"
    """Its program runs on and plays as long as it can, but nothing gets through."""
    DEAD = "dead"
    """Its program has died."""
    MISTAKEN = "mistaken"
    """Nothing: it is there and plays, and who declares it lost is mistaken."""


class Vote(NamedTuple):
    """`voter` declares `seat` lost, so many seconds `after` somebody has vanished, or as soon as it can."""

    voter: Seat
    seat: Seat
    after: float


@dataclass(frozen=True, slots=True)
class Vanish:
    """A seat vanishes when it has seen so many `steps` of deal number `deal`, and others notice.

    If it is `speaking` it vanishes only when it is about to put something new on its disk and then to say it.
    It comes back after `away` seconds, and at the latest when nothing goes wrong any more. With None it comes
    back only when the deal is played to its end without it, and never if the match is over then. Nothing
    reaches it meanwhile; what it says for a moment more reaches those who are `told`, and nobody else.
    """

    deal: int
    steps: int
    seat: Seat
    absence: Absence
    away: float | None
    told: tuple[int, ...]
    votes: tuple[Vote, ...]
    speaking: bool = False

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return Kind.VANISH


Fault: TypeAlias = Weather | Cut | Clock | Crash | Vanish


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
_MOST: Final = {kind: 6 if kind is Kind.CRASH else 3 for kind in Kind if kind is not Kind.VANISH}
"""How many faults of a kind are drawn at most."""


def draw_plan(seed: int, kinds: tuple[Kind, ...] = tuple(Kind), *, equivocator: bool | None = None) -> Plan:
    """The plan of a seed, with faults of these kinds only.

    One run in four has an equivocator, unless `equivocator` says that all or none have.
    """
    rng = Random(f"plan {seed}")
    quiet = round(rng.uniform(5, 40), 2)
    vanishing = _draw_vanishing(Random(f"vanishing {seed}")) if Kind.VANISH in kinds else []
    quiet += _DEAL_SECONDS if vanishing else 0
    chosen = [kind for kind in _MOST if rng.random() < 0.6]
    faults: list[Fault] = [*vanishing]
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


def _draw_vanishing(rng: Random) -> list[Vanish]:
    """In three runs of five somebody vanishes, in one of them somebody else as well."""
    return [_draw_vanish(rng) for _ in range(rng.choice((0, 0, 1, 1, 2)))]


def _draw_vanish(rng: Random) -> Vanish:
    seat = rng.choice(SEATS)
    others = [other for other in SEATS if other != seat]
    votes = [Vote(voter, seat, round(rng.uniform(0, 6), 2)) for voter in others]
    chance, heard = rng.random(), rng.choice((0.0, 0.4))
    if chance < 0.12:  # Two alone.
        votes = rng.sample(votes, 2)
    elif chance < 0.24:  # They do not agree on who it is.
        votes[0] = votes[0]._replace(seat=rng.choice(others[1:]))
    return Vanish(
        deal=rng.choice((0, 0, 1, 1, 2)),
        steps=rng.randint(2, _STEPS_OF_A_DEAL)
        if rng.random() < 0.7
        else _STEPS_OF_A_DEAL - rng.randint(0, 25),
        seat=seat,
        absence=rng.choice((Absence.CUT_OFF, Absence.CUT_OFF, Absence.DEAD, Absence.MISTAKEN)),
        away=None if rng.random() < 0.5 else round(rng.uniform(0.5, 25), 2),
        told=tuple(place for place in PLACES if place != seat and rng.random() < heard),
        votes=tuple(votes),
        speaking=rng.random() < 0.6,
    )


def _draw_split(rng: Random) -> Split:
    seat = rng.choice(SEATS)
    others = [place for place in PLACES if place != seat]
    while True:
        half = tuple(place for place in others if rng.random() < 0.5)
        if 0 < sum(place in SEATS for place in half) < 3:
            effect, events = rng.randint(1, _EFFECTS_OF_A_MATCH // 2), rng.choice((1, 2, None))
            return Split(seat, effect, half, events, hides=rng.random() < 0.2)
