"""INVARIANT: a frame of a spectator gets at most one answer's worth of events that are shown, or a refusal.

It changes nothing of what is shown. And whatever a host sends to a spectator, that one refuses it as
FrameRejected or judges it as everybody would: only authors of bad events are convicted, feeds only grow.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar

from engine.cards import SEATS, Seat
from protocol.errors import FrameRejected
from protocol.limits import MAX_FRAME_BYTES
from protocol.spectator import Showcase, Spectator
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED, REFUSED_FRAMES
from tests.fuzz.mutators import mutate_bytes, mutate_value, pack_any, unpack_any
from tests.fuzz.targets.frames import events_frame, have_frame
from tests.protocol.matches import remembered_proofs
from tests.protocol.tables import events_in

_STEP = 20
_ANSWER_BYTES = 5 * 49_152


@dataclass(frozen=True)
class Given:
    """A frame from a spectator to the host, or the other way round, after so many events of the match."""

    to_host: bool
    after: int
    frame: bytes
    bad: frozenset[Seat]


@cache
def _stages() -> Mapping[int, tuple[Showcase, Spectator]]:
    """Both sides after every so many events; not to be changed, copied only."""
    genesis = corpus.match().setup.genesis
    showcase, spectator = Showcase(genesis), Spectator(genesis)
    stages = {0: (copy.deepcopy(showcase), copy.deepcopy(spectator))}
    with remembered_proofs():
        for place in range(_STEP, len(corpus.events()) + 1, _STEP):
            for frame in showcase.show([event.signed for event in corpus.events()[place - _STEP : place]]):
                spectator.receive(frame)
            stages[place] = (copy.deepcopy(showcase), copy.deepcopy(spectator))
    return stages


class Watching:
    """`Showcase.answer` and `Spectator.receive`, at several points of a match."""

    name = "spectator"
    refusals: ClassVar[Mapping[str, str]] = {
        **REFUSED_FRAMES,
        "other-match": "belongs to another match, or says of none that it does",
        "unknown-frame": "a kind that the other side does not take",
    }

    def draw(self, rng: Random) -> Given:
        """A frame made from real ones."""
        after = rng.choice([*_stages()])
        to_host = rng.random() < 0.5
        frame, bad = (have_frame(rng), frozenset[Seat]()) if rng.random() < 0.6 else events_frame(rng, after)
        way = rng.random()
        if way < 0.3:
            return Given(to_host, after, mutate_bytes(rng, frame), frozenset(SEATS))
        if way < 0.5:
            return Given(to_host, after, pack_any(mutate_value(rng, unpack_any(frame))), frozenset(SEATS))
        return Given(to_host, after, frame, bad)

    def feed(self, given: Given) -> Iterator[str]:
        """Hand it over, and look at what it has led to."""
        showcase, spectator = copy.deepcopy(_stages()[given.after])
        try:
            if given.to_host:
                _ask(showcase, given)
            else:
                _show(spectator, given)
        except FrameRejected as refusal:
            yield refusal.code
        else:
            yield ACCEPTED


def _ask(showcase: Showcase, given: Given) -> None:
    shown = {event.signed for event in corpus.events()[: given.after]}
    before = showcase.answer(_nothing())
    replies = showcase.answer(given.frame)
    assert sum(map(len, replies)) <= _ANSWER_BYTES, "too long an answer"
    assert all(len(reply) <= MAX_FRAME_BYTES for reply in replies), "a frame that no link carries"
    assert shown.issuperset(signed for reply in replies for signed in events_in(reply)), "not shown before"
    assert showcase.answer(_nothing()) == before, "what is shown has changed"


def _show(spectator: Spectator, given: Given) -> None:
    lengths = [spectator.log.length(seat) for seat in SEATS]
    with remembered_proofs():
        spectator.receive(given.frame)
        while spectator.has_work:
            spectator.work()
    assert {verdict.culprit for verdict in spectator.match.verdicts} <= given.bad, "an honest seat is accused"
    assert all(spectator.log.length(seat) >= length for seat, length in zip(SEATS, lengths, strict=True))


def _nothing() -> bytes:
    return Spectator(corpus.match().setup.genesis).have_frame()
