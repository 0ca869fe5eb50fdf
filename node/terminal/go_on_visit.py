"""A visit that opens the table of a match again in which a player is gone for good."""

from __future__ import annotations

import secrets

from node.node import Node
from node.seating.hosting import Host
from node.seating.old_match import match_to_go_on, read_kept
from node.terminal.gathering import Company
from node.terminal.visit import Visit
from node.words.continuing import kept_lines

__all__ = ["GoOnVisit"]


class GoOnVisit(Visit):
    """Hosts the table at which a match goes on: all keep their seats, and one may go to somebody else."""

    _prefix: str | None = None

    async def go_on(self, prefix: str | None) -> int:
        """Go on with the match whose id begins so, or the newest unfinished one; raises NodeError."""
        self._prefix = prefix
        return await self.host(announced=True)

    async def _new_host(self, node: Node, company: Company) -> Host:
        stored = match_to_go_on(node.store, self._prefix)
        going_on, deals = await read_kept(node.store, stored)
        self._screen.say(*kept_lines(going_on, deals, stored.seat))
        return Host.of_going_on(node, secrets.token_bytes(16), going_on, company.look)
