"""Whole matches at one table of four nodes in one process, over real sockets and real disks."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine import Options
from node.bots import make_bot
from node.errors import TableClosed
from node.live import LiveTable
from node.loops import run
from node.seating.evening import Observer, Seat, play_matches
from node.seating.players import BotPlayer
from node.storage.exporting import export_match
from protocol.audit import Finding, audit_log
from protocol.errors import PlayRefused
from tests.node.gathered import four_seated


class Kept(Observer):
    """Remembers the matches that were played."""

    def __init__(self) -> None:
        self.over: list[LiveTable] = []

    def match_over(self, live: LiveTable) -> None:
        self.over.append(live)


@pytest.mark.long
def test_two_matches_and_the_lead_goes_over_to_the_second(tmp_path: Path) -> None:
    """R22: the winner of the last trick leads first in the next match. All logs are equal, fair and whole."""

    async def scene() -> None:
        async with four_seated(tmp_path, Options(target=6)) as (nodes, host, guests, lives):
            kept = [Kept() for _ in nodes]
            bots = [BotPlayer(make_bot("random", random.Random(seat)), matches=2) for seat in range(4)]
            seats: list[Seat] = [host, *guests]
            await asyncio.gather(
                *(
                    play_matches(node, seat, bot, live, watch)
                    for node, seat, bot, live, watch in zip(nodes, seats, bots, lives, kept, strict=True)
                )
            )
            assert [len(one.over) for one in kept] == [2] * 4
            first, second = kept[0].over
            assert second.table.genesis.previous == first.table.match_id
            assert second.table.genesis.first_leader == first.state.leader
            assert second.table.match.finished[0]["leader"] == first.state.leader
            for match in (first, second):
                logs = set()
                for node in nodes:
                    stored = node.store.match(match.table.match_id)
                    assert stored is not None
                    assert stored.finished
                    assert json.loads(stored.summary)["score"] == list(match.state.score)
                    file = export_match(node.store, stored, tmp_path / node.profile.name)
                    with file.open("rb") as stream:
                        audit = audit_log(stream)
                    assert audit.finding is Finding.FAIR
                    assert audit.match is not None
                    logs.add((audit.events, audit.match.log.heads()))
                assert len(logs) == 1

    run(scene())


def test_who_leaves_between_matches_closes_the_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with four_seated(tmp_path, Options(target=6)) as (nodes, host, guests, lives):
            bots = [
                BotPlayer(make_bot("medium", random.Random(seat)), matches=1 if seat == 2 else 2)
                for seat in range(4)
            ]
            seats: list[Seat] = [host, *guests]
            ends = await asyncio.gather(
                *(
                    play_matches(node, seat, bot, live, Observer())
                    for node, seat, bot, live in zip(nodes, seats, bots, lives, strict=True)
                ),
                return_exceptions=True,
            )
            assert [type(end) for end in ends] == [TableClosed, TableClosed, type(None), TableClosed]
            assert "Vera" in str(ends[0])

    run(scene())


def test_a_match_that_is_broken_off_is_listed_with_the_score_it_had(tmp_path: Path) -> None:
    """A killed program notes nothing any more, so each deal is noted when it ends."""

    async def scene() -> None:
        async with four_seated(tmp_path, Options(target=24)) as (nodes, host, guests, lives):
            seats: list[Seat] = [host, *guests]
            bots = [BotPlayer(make_bot("medium", random.Random(seat))) for seat in range(4)]
            tables = [
                asyncio.create_task(play_matches(node, seat, bot, live, Observer()))
                for node, seat, bot, live in zip(nodes, seats, bots, lives, strict=True)
            ]
            noted: dict[str, Any] = {"deals": 0}
            while noted["deals"] == 0:
                await lives[0].next_change()
                stored = nodes[0].store.match(lives[0].table.match_id)
                assert stored is not None
                assert not stored.finished
                noted = json.loads(stored.summary)
            assert noted["score"] == list(lives[0].state.score)
            for task in tables:
                task.cancel()
            await asyncio.gather(*tables, return_exceptions=True)

    run(scene())


def test_a_play_that_is_not_possible_is_refused_and_nothing_is_signed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with four_seated(tmp_path) as (_, _, _, lives):
            leader = lives[0]
            for live in lives:
                await live.until(lambda live=live: live.state.trick is not None)  # type: ignore[misc]
                if live.state.leader == live.seat:
                    leader = live
            await leader.until(lambda: bool(leader.legal()))
            play = leader.legal()[0]
            others = [live for live in lives if live is not leader]
            before = [live.table.log.length(live.seat) for live in lives]
            for live in others:
                with pytest.raises(PlayRefused):
                    live.play(play)
            assert [live.table.log.length(live.seat) for live in lives] == before

    run(scene())


def test_whatever_connections_do_the_disk_misses_nothing(tmp_path: Path) -> None:
    """A peer that comes and goes makes the table talk; what was taken in meanwhile still gets to disk."""

    async def scene() -> None:
        async with four_seated(tmp_path, Options(target=6)) as (nodes, _, _, lives):
            for live in lives:
                for peer in live.peers.values():
                    live.peer_changed(peer)
                await live.until(lambda live=live: bool(live.state.hands[live.seat].known))  # type: ignore[misc]
                live.tick()
            for node, live in zip(nodes, lives, strict=True):
                for peer in live.peers.values():
                    live.peer_changed(peer)
                live.tick()
                stored = {record.event_id for record in node.store.records(live.table.match_id)}
                log = live.table.log
                assert stored >= {log.entry(seat, 0).id for seat in range(4)}
                assert len(stored) == len(log)

    run(scene())
