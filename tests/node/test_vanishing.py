"""A player's computer goes away in the middle of a deal: real nodes, sockets and disks (§7.12)."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from engine import SEATS, Options
from node.bots import make_bot
from node.live import LiveTable
from node.loops import run
from node.node import Node
from node.seating import players
from node.seating.evening import Observer, play_matches
from node.seating.players import BotPlayer
from node.seating.returning import ReturnedSeat, match_to_resume
from node.storage.exporting import export_match
from protocol.audit import Finding, audit_log
from tests.node.gathered import NAMES, node_of, open_table, sit_down

GONE = 2
HURRY = 200.0
"""The bots' clock runs so much faster than ours: they need not wait for as long as people would."""


@pytest.fixture(autouse=True)
def _fast_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_now", lambda: time.monotonic() * HURRY)


def bot(seat: int) -> BotPlayer:
    return BotPlayer(make_bot("random", random.Random(seat)), matches=1)


@contextlib.asynccontextmanager
async def table(folder: Path) -> AsyncIterator[tuple[list[Node], list[LiveTable], contextlib.AsyncExitStack]]:
    """Four nodes at a table; the stack that is returned closes the node of the seat that goes away."""
    async with contextlib.AsyncExitStack() as stack:
        leaving = await stack.enter_async_context(contextlib.AsyncExitStack())
        where = [leaving if seat == GONE else stack for seat in SEATS]
        nodes = [await where[seat].enter_async_context(node_of(folder, NAMES[seat])) for seat in SEATS]
        host, lobby = await stack.enter_async_context(open_table(nodes[0], Options(target=6)))
        guests = [await sit_down(nodes[seat], lobby.port, str(seat)) for seat in SEATS[1:]]
        begun = [nodes[0].guard(host.next_match())]
        begun += [
            nodes[seat].guard(guest.next_match()) for seat, guest in zip(SEATS[1:], guests, strict=True)
        ]
        yield nodes, list(await asyncio.gather(*begun)), leaving


async def until(live: LiveTable, condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        await live.until(condition)


def check_logs(folder: Path, match_id: bytes, findings: set[Finding]) -> None:
    """Every player's own file says the same, and blames nobody."""

    async def scene() -> None:
        found = set()
        for name in NAMES:
            async with node_of(folder, name) as node:
                stored = node.store.match(match_id)
                assert stored is not None
                with export_match(node.store, stored, folder).open("rb") as file:
                    audit = audit_log(file)
                assert audit.verdict is None
                found.add(audit.finding)
        assert found == findings

    run(scene())


def test_the_deal_is_played_without_and_the_player_comes_back(tmp_path: Path) -> None:
    match_ids = []

    async def scene() -> None:
        async with table(tmp_path) as (_nodes, lives, leaving):
            match_ids.append(lives[0].table.match_id)
            playing = {seat: asyncio.create_task(bot(seat).play(lives[seat])) for seat in SEATS}
            await until(lives[GONE], lambda: bool(lives[GONE].state.tricks))
            playing[GONE].cancel()
            await leaving.aclose()
            first = lives[0].table.match
            await until(lives[0], lambda: len(first.finished) == 1)
            (deal,) = first.finished
            assert sum(deal["points"] or ()) == 120
            async with node_of(tmp_path, NAMES[GONE]) as node:
                back = node.resume(match_to_resume(node.store, None))
                coming = asyncio.create_task(play_matches(node, ReturnedSeat(), bot(GONE), back, Observer()))
                async with asyncio.timeout(120):
                    await asyncio.gather(*(playing[seat] for seat in SEATS if seat != GONE), coming)
            assert all(live.table.match.whole for live in lives if live.seat != GONE)
            assert not first.verdicts

    run(scene())
    check_logs(tmp_path, match_ids[0], {Finding.FAIR})
