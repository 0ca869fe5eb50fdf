"""What to say while nothing happens: who thinks, which common work takes long, whose computer is missing."""

from __future__ import annotations

from typing import Final

from engine import SEATS, Seat
from node.i18n import tr
from node.words.progress import Stage
from node.words.wording import Wording

__all__ = ["Patience"]

_SHORT: Final = 1.0
_LONG: Final = 5.0
_ABSENT: Final = 3.0


class Patience:
    """Looks at the clock, in seconds, and says each thing once."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._waiting: tuple[Stage | None, Seat | None] = (None, None)
        self._since = 0.0
        self._told = 0
        self._gone: dict[Seat, float] = {}
        self._missed: set[Seat] = set()

    def notice(
        self, now: float, stage: Stage | None, player: Seat | None, absent: frozenset[Seat]
    ) -> list[str]:
        """Lines that are due. `player` is whose play is awaited, `absent` whose computers are silent."""
        return [*self._wait(now, stage, player), *self._absence(now, absent)]

    def _wait(self, now: float, stage: Stage | None, player: Seat | None) -> list[str]:
        if (stage, player) != self._waiting:
            self._waiting, self._since, self._told = (stage, player), now, 0
        lasted = now - self._since
        if stage is not None:
            return self._work(stage, lasted)
        if player is None or player == self._wording.me or self._told or lasted < _SHORT:
            return []
        self._told = 1
        return [tr("Waiting for {name}…", name=self._wording.name(player))]

    def _work(self, stage: Stage, lasted: float) -> list[str]:
        if self._told == 0 and lasted >= _SHORT:
            self._told = 1
            return [stage.line]
        others = [seat for seat in stage.waiting_for if seat != self._wording.me]
        if self._told == 1 and lasted >= _LONG and others:
            self._told = 2
            return [tr("Waiting for {name}'s computer…", name=self._wording.name(others[0]))]
        return []

    def _absence(self, now: float, absent: frozenset[Seat]) -> list[str]:
        lines = []
        for seat in SEATS:
            name = self._wording.name(seat)
            if seat not in absent:
                self._gone.pop(seat, None)
                if seat in self._missed:
                    self._missed.discard(seat)
                    lines.append(tr("{name}'s computer is back.", name=name))
            elif now - self._gone.setdefault(seat, now) >= _ABSENT and seat not in self._missed:
                self._missed.add(seat)
                lines.append(
                    tr(
                        "{name}'s computer does not answer. Nothing is lost, the match waits for it.",
                        name=name,
                    )
                )
        return lines
