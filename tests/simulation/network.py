"""The simulated network and its clock: one heap of what is still to happen, one random generator."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Final

from tests.simulation.faults import PLACES, Clock, Cut, Kind, Plan, Weather
from tests.simulation.findings import Code, Finding, Tally

_LATENCY: Final = 0.01
_OVERTAKEN_SECONDS: Final = 3.0
_LAST_WORDS_SECONDS: Final = 0.5
"""How long a place that is cut off can still be heard by some."""
_MAX_FRAMES: Final = 40_000


class Network:
    """Carries frames as badly as the plan says, and keeps the time."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rng = Random(f"run {plan.seed}")
        self.now = 0.0
        self.tally = Tally()
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._serial = count()
        self._weather = [fault for fault in plan.faults if isinstance(fault, Weather)]
        self._cuts = [fault for fault in plan.faults if isinstance(fault, Cut)]
        self._clocks = [fault for fault in plan.faults if isinstance(fault, Clock)]
        self._away: dict[int, tuple[float, tuple[int, ...]]] = {}

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Let something happen later."""
        heapq.heappush(self._heap, (self.now + seconds, next(self._serial), action))

    def advance(self) -> None:
        """Let the next thing happen."""
        self.now, _, action = heapq.heappop(self._heap)
        action()

    def carry(self, sender: int, receiver: int, frame: bytes, deliver: Callable[[bytes], None]) -> None:
        """Send a frame on its way: it may arrive once, twice, late, altered, or not at all."""
        self.tally.frames += 1
        if self.tally.frames > _MAX_FRAMES:
            raise Finding(Code.STORM, f"{self.tally.frames} frames in {self.now:.0f} seconds")
        # As many draws for every frame, so that leaving out one fault leaves the others' chances as they are.
        lost, repeated, overtaken, altered, first, second, bits = (self.rng.random() for _ in range(7))
        if self._is_cut(sender, receiver):
            self.tally.faults[Kind.CUT] += 1
            return
        if self._strikes(Kind.LOSS, lost):
            return
        if self._strikes(Kind.CORRUPT, altered):
            frame = flip_bits(frame, Random(bits))
        seconds = _LATENCY + self._rate(Kind.DELAY)
        if self._strikes(Kind.REORDER, overtaken):
            seconds += first * _OVERTAKEN_SECONDS
        self.after(seconds, lambda: deliver(frame))
        if self._strikes(Kind.REPEAT, repeated):
            self.after(seconds + second * _OVERTAKEN_SECONDS, lambda: deliver(frame))

    def stopped_clock(self, place: int) -> Clock | None:
        """The fault that keeps a place's clock from ticking now."""
        for clock in self._clocks:
            if clock.place == place and clock.start <= self.now < clock.end:
                self.tally.faults[Kind.CLOCK] += 1
                return clock
        return None

    def cut_off(self, place: int, told: tuple[int, ...]) -> None:
        """Nothing reaches a place any more, and its last words reach only those who are `told`."""
        self._away[place] = self.now + _LAST_WORDS_SECONDS, told

    def reach(self, place: int) -> None:
        """A place that was cut off is reached again."""
        self._away.pop(place, None)

    def _is_away(self, sender: int, receiver: int) -> bool:
        silent, told = self._away.get(sender, (0.0, PLACES))
        return receiver in self._away or receiver not in told or (sender in self._away and self.now >= silent)

    def _is_cut(self, sender: int, receiver: int) -> bool:
        return self._is_away(sender, receiver) or any(
            cut.start <= self.now < cut.end and sender in cut.senders and receiver in cut.receivers
            for cut in self._cuts
        )

    def _rate(self, kind: Kind) -> float:
        rates = (w.rate for w in self._weather if w.kind is kind and w.start <= self.now < w.end)
        return max(rates, default=0.0)

    def _strikes(self, kind: Kind, chance: float) -> bool:
        struck = chance < self._rate(kind)
        if struck:
            self.tally.faults[kind] += 1
        return struck


def flip_bits(frame: bytes, rng: Random) -> bytes:
    """The frame with one to three of its bits flipped."""
    altered = bytearray(frame)
    for _ in range(rng.randint(1, 3)):
        altered[rng.randrange(len(altered))] ^= 1 << rng.randrange(8)
    return bytes(altered)
