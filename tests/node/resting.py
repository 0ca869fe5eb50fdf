"""A match of four nodes that rests between two deals because one of them has gone away."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

from engine import SEATS
from node.bots import make_bot
from node.live import LiveTable
from node.loops import run
from node.network.addresses import LOOPBACK
from node.node import Node
from node.seating.door import OpenLobby, open_lobby
from node.seating.going_on import GoingOn
from node.seating.hosting import Host
from node.seating.old_match import match_to_go_on, read_kept
from node.seating.players import BotPlayer
from protocol.bodies import Body, Dealt
from tests.node.gathered import CODE, TABLE_ID, four_seated

GONE = "Gleb"
"""Who goes away: the owner of seat 3."""


def play_one_deal(folder: Path) -> None:
    """Four profiles that keep the same match, one deal long; Gleb gives nothing to the second deal."""

    async def scene() -> None:
        async with four_seated(folder) as (_, _, _, lives):
            _hold_back(lives[3])
            players = [
                asyncio.create_task(BotPlayer(make_bot("medium", random.Random(seat))).play(lives[seat]))
                for seat in SEATS
            ]
            for live in lives:
                await live.until(lambda live=live: _rests(live))  # type: ignore[misc]
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            for live in lives:
                live.tick()  # What others have signed gets to the disk.

    run(scene())


def _hold_back(live: LiveTable) -> None:
    duties: Any = live.table._duties
    owed = duties.next

    def next_duty() -> Body | None:
        body: Body | None = owed()
        return None if isinstance(body, Dealt) and body.deal > 0 else body

    duties.next = next_duty


def _rests(live: LiveTable) -> bool:
    """Whether all that the four sign without Gleb's `deal` is here."""
    match = live.table.match
    keys = match.find_deal(1)
    return len(match.finished) == 1 and keys is not None and all(match.closed[seat] == 0 for seat in SEATS)


def copied(source: Path, target: Path, names: Iterable[str]) -> Path:
    """The profiles of these players, each moved to a place of this test's own."""
    for name in names:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source / name, target / name, ignore=shutil.ignore_patterns("lock"))
    return target


async def resting_at(node: Node) -> GoingOn:
    """How this node can go on with the match that it keeps."""
    going_on, deals = await read_kept(node.store, match_to_go_on(node.store, None))
    assert deals == 1
    return going_on


@contextlib.asynccontextmanager
async def reopened(
    node: Node, going_on: GoingOn, kind: type[Host] = Host
) -> AsyncIterator[tuple[Host, OpenLobby]]:
    """The table at which the match goes on."""
    before = going_on.genesis
    host = kind(node, TABLE_ID, "Dacha", before.options, grace=before.grace, going_on=going_on)
    async with open_lobby(node, host, listen=LOOPBACK, code=CODE) as lobby:
        yield host, lobby
