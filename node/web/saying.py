"""What was said across the table lately, for a page: the newest of each seat, and not too often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine import Seat
from node.errors import WishRefused
from node.i18n import tr
from node.seating.phrases import PHRASES, phrase_text
from node.web.picture import Json

__all__ = ["Sayings"]

_PAUSE_SECONDS: Final = 1.5
"""Whoever says more than so is heard no more often."""


class Sayings:
    """The phrases at one table. `now` tells the time in seconds, `send` lets the others hear a phrase."""

    def __init__(self, now: Callable[[], float], send: Callable[[int], None]) -> None:
        self._now = now
        self._send = send
        self._said: dict[Seat, tuple[int, int]] = {}
        self._at: dict[Seat, float] = {}

    def hear(self, seat: Seat, number: int) -> bool:
        """Somebody has said something; tells whether it is shown."""
        if self._now() - self._at.get(seat, -_PAUSE_SECONDS) < _PAUSE_SECONDS:
            return False
        self._at[seat] = self._now()
        count, _ = self._said.get(seat, (0, 0))
        self._said[seat] = count + 1, number
        return True

    def say(self, seat: Seat, number: int) -> None:
        """Say something from the own seat; raises WishRefused when it is too soon."""
        if not self.hear(seat, number):
            raise WishRefused(tr("One at a time, please."))
        self._send(number)

    def picture(self) -> Json:
        """The phrases that there are, and the newest of each seat with how many it has said."""
        return {
            "phrases": [phrase_text(number) for number in PHRASES],
            "said": [
                {"seat": seat, "count": count, "text": phrase_text(number)}
                for seat, (count, number) in sorted(self._said.items())
            ],
        }
