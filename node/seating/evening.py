"""Match after match at one table, with any kind of player in this node's seat."""

from __future__ import annotations

import asyncio
import json
from typing import Protocol

from node.errors import TableClosed
from node.live import LiveTable
from node.node import Node
from node.seating.players import Player

__all__ = ["Observer", "Seat", "play_matches"]


class Seat(Protocol):
    """Host or guest: what opens the next match at a table."""

    async def next_match(self) -> LiveTable:
        """Wait until all four are ready and sit down at a new match."""

    def close(self) -> None:
        """Leave the table."""


class Observer:
    """Told what happens at a table. Override what is of interest."""

    def match_begun(self, live: LiveTable) -> None:
        """A match has begun."""

    def match_over(self, live: LiveTable) -> None:
        """A match is over, and its log is on disk."""


async def play_matches(node: Node, seat: Seat, player: Player, first: LiveTable, observer: Observer) -> None:
    """Play `first`, and further matches as long as the player wants; raises TableClosed when others leave."""
    live = first
    while True:
        remember(node, live)
        observer.match_begun(live)
        await node.guard(_play(node, live, player))
        await node.guard(node.settle(live))
        remember(node, live)
        observer.match_over(live)
        if live.table.verdict is not None or not await player.wants_another():
            seat.close()
            return
        try:
            live = await node.guard(seat.next_match())
        except TableClosed:
            seat.close()
            raise


async def _play(node: Node, live: LiveTable, player: Player) -> None:
    """Let the player play, and note how each deal has ended: the match may be broken off at any time."""
    playing = asyncio.ensure_future(player.play(live))
    deals = len(live.state.results)
    try:
        while not playing.done():
            change = asyncio.ensure_future(live.next_change())
            await asyncio.wait([playing, change], return_when=asyncio.FIRST_COMPLETED)
            change.cancel()
            if len(live.state.results) != deals:
                deals = len(live.state.results)
                remember(node, live)
        await playing
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


def remember(node: Node, live: LiveTable) -> None:
    """Note on disk how the match stands, for lists of matches."""
    state, verdict = live.table.match.state, live.table.verdict
    summary = {
        "players": list(live.names),
        "score": list(state.score),
        "goat": state.goat,
        "deals": len(state.results),
        "fault": verdict and verdict.fault,
        "culprit": verdict and verdict.culprit,
    }
    node.store.set_summary(live.table.match_id, live.table.finished, json.dumps(summary))
