"""A visit that goes back to a match which was broken off."""

from __future__ import annotations

from node.i18n import tr
from node.node import Node
from node.seating.returning import ReturnedSeat, last_place, match_to_resume
from node.terminal.visit import PERSON, Visit

__all__ = ["ReturnVisit"]


class ReturnVisit(Visit):
    """Takes this computer's seat again, and starts the bots again that this computer had brought."""

    async def resume(self, prefix: str | None) -> int:
        """Go back to the match whose id begins so, or the newest unfinished one; raises NodeError."""
        if self._settings.play_as == PERSON:
            self._listen()
        listen, port = last_place(self._profile, prefix)
        async with Node(self._profile, host=listen, port=port) as node:
            match = match_to_resume(node.store, prefix)
            live = node.resume(match)
            self._screen.say(
                tr(
                    "Back at the table “{table}”. Nothing is played before all four computers have answered.",
                    table=live.table.genesis.table,
                )
            )
            self._bots.resume(match.match_id, listen, self._settings.bot_kind)
            return await self._play(node, ReturnedSeat(), live)
