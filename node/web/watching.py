"""One visit from a page to a table without a seat there (§9.10): all that is public is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from node.errors import WishRefused
from node.i18n import tr
from node.watching.watcher import Watcher, enter
from node.web.hall import LookingOn
from node.web.leaving import Door
from node.web.picture import Json, public_picture
from node.web.wishes import Wish
from protocol.spectator import Spectator

__all__ = ["Watch"]

_GLANCE_SECONDS: Final = 1.0


class Watch:
    """Follows the matches of one table for a page. Needs the running event loop."""

    def __init__(self, name: str, changed: Callable[[], None]) -> None:
        """The host sees `name`. `changed` is called when the page has something new to draw."""
        self._name = name
        self._changed = changed
        self._door = Door()
        self._watcher: Watcher | None = None
        self.notice: str | None = None
        """Why nothing more will come, while what came last stays on the screen."""

    @property
    def match(self) -> Spectator | None:
        """The match that is watched, once one has begun."""
        return None if self._watcher is None else self._watcher.match

    def act(self, wish: Wish) -> None:
        """Leave; all else is refused."""
        if wish.kind != "leave":
            raise WishRefused(tr("That is not possible at this moment."))
        self._door.leave()

    async def pay(self, choice: LookingOn) -> None:
        """Go in, and watch until the person leaves; raises PersonLeft and NodeError."""
        watcher = await self._door.unless_left(enter(choice.way, choice.code, self._name))
        async with watcher:
            self._watcher, watcher.changed = watcher, self._changed
            self._changed()
            await self._door.unless_left(_until_gone(watcher))
        self.notice = _ending(watcher)
        self._changed()
        await self._door.unless_left(asyncio.Event().wait())

    def shown(self) -> Json:
        """What the page draws: its stage, and what is on it."""
        watcher = self._watcher
        if watcher is None:
            return {"stage": "waiting"}
        match = None if watcher.match is None else public_picture(watcher.match)
        picture = {"table": watcher.table_name, "host": watcher.host_name, "match": match}
        return {"stage": "watching", "watching": picture}


async def _until_gone(watcher: Watcher) -> None:
    while not watcher.host_is_gone:
        await watcher.change_within(_GLANCE_SECONDS)


def _ending(watcher: Watcher) -> str:
    sentence = tr("The host has closed the table.") if watcher.closed else tr("The host has gone.")
    if watcher.match is None or watcher.match.match.over or watcher.match.match.verdict is not None:
        return sentence
    return f"{sentence} {tr('The match was not watched to its end.')}"
