"""Who fills a seat. A player of any kind looks at a live table and plays when it may."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

from engine import Play, turn
from node.bots import Bot
from node.bots.checked import checked_choice
from node.live import LiveTable
from node.seating.absence import Absences

__all__ = ["BotPlayer", "Player", "chosen_by"]


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

    def __init__(self, bot: Bot, *, pause: float = 0.0, matches: int | None = None) -> None:
        """`pause`: seconds before each play at least, for people; `matches` None: any number."""
        self._bot = bot
        self._pause = pause
        self._left = matches

    async def play(self, live: LiveTable) -> None:
        """Play until the table is finished."""
        absences = Absences(live)
        while not live.table.finished:
            if not self._may_play(live):
                await live.change_within(_GLANCE_SECONDS)
                _declare(live, absences)
                continue
            # What people need to follow is time enough to think in.
            play, _ = await asyncio.gather(chosen_by(self._bot, live), asyncio.sleep(self._pause))
            if play in live.legal():
                self._move(live, play)

    async def wants_another(self) -> bool:
        """Whether it has been asked to play more matches."""
        if self._left is None:
            return True
        self._left -= 1
        return self._left > 0

    def _may_play(self, live: LiveTable) -> bool:
        return turn(live.state) == live.seat and bool(live.legal())

    def _move(self, live: LiveTable, play: Play) -> None:
        live.play(play)


def chosen_by(bot: Bot, live: LiveTable) -> Coroutine[Any, Any, Play]:
    """What a bot wants to play now, thought out beside the node's own work; raises BotFailed when awaited.

    What it may play is looked up at this call. Meanwhile the table goes on, even before the first thought: a
    claim of another seat may make the choice worthless (R14).
    """
    return asyncio.to_thread(checked_choice, bot, live.state, live.seat, live.legal())


def _now() -> float:
    return asyncio.get_running_loop().time()


def _declare(live: LiveTable, absences: Absences) -> None:
    """Do not hold up the people at the table when a player is gone for good (§7.12)."""
    now = _now()
    absences.look(now)
    for seat in absences.agreed(now)[:1]:
        live.declare_lost(seat)
