"""Everybody who looks at one page: woken by changes, shown only what is new, told each thing once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from node.live import LiveTable
from node.web.picture import Json
from node.words.telling import Telling
from node.words.wording import Wording, distinct

if TYPE_CHECKING:
    from node.web.parlour import Parlour
    from protocol.spectator import Spectator

__all__ = ["Audience", "Listener"]

_BREATH_SECONDS: Final = 0.01
"""Changes that come so close together are shown at once."""


class Audience:
    """Wakes all listeners of a page."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()

    def changed(self) -> None:
        """There is something new to draw."""
        for listener in self._listeners:
            listener.wake.set()

    def listener(self, parlour: Parlour) -> Listener:
        """One tab more."""
        return Listener(self, parlour)

    def add(self, listener: Listener) -> None:
        """Wake this one too."""
        self._listeners.add(listener)

    def discard(self, listener: Listener) -> None:
        """It has gone."""
        self._listeners.discard(listener)


class Listener:
    """One tab, with what it has been shown and told."""

    def __init__(self, audience: Audience, parlour: Parlour) -> None:
        self.wake = asyncio.Event()
        self._audience = audience
        self._parlour = parlour
        self._shown: Json | None = None
        self._told: tuple[LiveTable | Spectator, Telling] | None = None

    async def pictures(self) -> AsyncIterator[Json]:
        """What to draw, first as it is and then whenever it has changed; new lines of the story with it."""
        self._audience.add(self)
        try:
            while True:
                self.wake.clear()
                picture, news = self._parlour.picture(), self._news()
                if news or picture != self._shown:
                    self._shown = picture
                    yield {**picture, "news": news}
                await self.wake.wait()
                await asyncio.sleep(_BREATH_SECONDS)
        finally:
            self._audience.discard(self)

    def _news(self) -> list[str]:
        seen = self._parlour.live or self._parlour.watched
        if seen is None:
            self._told = None
            return []
        if self._told is None or self._told[0] is not seen:
            self._told = seen, _telling(seen)
        return self._told[1].catch_up()


def _telling(seen: LiveTable | Spectator) -> Telling:
    """The story of a match for its player, or for one who only watches."""
    if isinstance(seen, LiveTable):
        names, me, match = seen.names, seen.seat, seen.table.match
    else:
        names, me, match = tuple(member.name for member in seen.log.genesis.roster), None, seen.match
    return Telling(match, lambda: seen.state, Wording(distinct(names), me))
