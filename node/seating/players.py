"""Who fills a seat. A player of any kind looks at a live table and plays when it may."""

from __future__ import annotations

import asyncio
import random
from typing import Protocol

from engine import turn
from node.bots import Choose
from node.live import LiveTable
from node.seating.absence import Absences
from protocol.errors import PlayRefused

__all__ = ["BotPlayer", "Player"]


_GLANCE_SECONDS = 1.0
"""How often a bot looks who is missing."""


class Player(Protocol):
    """Something that can play a match to its end."""

    async def play(self, live: LiveTable) -> None:
        """Play until the table is finished."""

    async def wants_another(self) -> bool:
        """Whether to play another match at the same table."""


class BotPlayer:
    """A bot in a seat. It only acts when its turn has come, so its choices do not depend on the network."""

    def __init__(
        self, choose: Choose, rng: random.Random, *, think: float = 0.0, matches: int | None = None
    ) -> None:
        """`think` is a pause before each play, in seconds, for people; `matches` None: any number."""
        self._choose = choose
        self._rng = rng
        self._think = think
        self._left = matches

    async def play(self, live: LiveTable) -> None:
        """Play until the table is finished."""
        absences = Absences(live)
        while not live.table.finished:
            if not self._may_play(live):
                await live.change_within(_GLANCE_SECONDS)
                _declare(live, absences)
                continue
            if self._think:
                await asyncio.sleep(self._think)
            if self._may_play(live):
                self._move(live)

    async def wants_another(self) -> bool:
        """Whether it has been asked to play more matches."""
        if self._left is None:
            return True
        self._left -= 1
        return self._left > 0

    def _may_play(self, live: LiveTable) -> bool:
        return turn(live.state) == live.seat and bool(live.legal())

    def _move(self, live: LiveTable) -> None:
        play = self._choose(live.state, live.seat, live.legal(), self._rng)
        try:
            live.play(play)
        except PlayRefused as error:
            raise RuntimeError(f"the bot chose what it may not play ({error.code}): {play}") from error


def _now() -> float:
    return asyncio.get_running_loop().time()


def _declare(live: LiveTable, absences: Absences) -> None:
    """Do not hold up the people at the table when a player is gone for good (§7.12)."""
    now = _now()
    absences.look(now)
    for seat in absences.agreed(now)[:1]:
        live.declare_lost(seat)
