"""People who watch: let in by the code, over real sockets, shown what is public and when the host wants."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import Options
from node.bots import make_bot
from node.errors import JoinRefused, LobbyClosed, LobbyFull, LobbyUnreachable, WrongCode
from node.live import LiveTable
from node.loops import run
from node.network.addresses import LOOPBACK
from node.network.discovery import Browser
from node.node import Node
from node.seating.door import OpenLobby, Watching, Way, join_by, open_lobby
from node.seating.hosting import Host
from node.seating.players import BotPlayer
from node.watching.watcher import Watcher, enter
from protocol.audit import Finding, audit_log
from protocol.logfile import write_log
from protocol.spectator import Spectator
from tests.node.gathered import CODE, NAMES, TABLE_ID, node_of, sit_down
from tests.parameters import first_few


@dataclass
class Scene:
    """A match that four nodes play, and a door that stays open."""

    nodes: list[Node]
    lobby: OpenLobby
    lives: list[LiveTable]

    @property
    def way(self) -> Way:
        return Way(((LOOPBACK, self.lobby.port),), TABLE_ID)

    async def play(self) -> None:
        """Play to the end of the match."""
        bots = [BotPlayer(make_bot("medium", random.Random(seat))) for seat in range(4)]
        work = (bot.play(live) for bot, live in zip(bots, self.lives, strict=True))
        await asyncio.gather(*(node.guard(one) for node, one in zip(self.nodes, work, strict=True)))


@contextlib.asynccontextmanager
async def scene(folder: Path, watching: Watching | None) -> AsyncIterator[Scene]:
    async with contextlib.AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(node_of(folder, name)) for name in NAMES]
        host = Host(nodes[0], TABLE_ID, "Dacha", Options(target=6))
        door = open_lobby(nodes[0], host, listen=LOOPBACK, code=CODE, watching=watching)
        lobby = await stack.enter_async_context(door)
        guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
        begun = [nodes[0].guard(host.next_match())]
        begun += [node.guard(guest.next_match()) for node, guest in zip(nodes[1:], guests, strict=True)]
        yield Scene(nodes, lobby, list(await asyncio.gather(*begun)))


async def until_finished(watcher: Watcher) -> Spectator:
    while watcher.match is None or not watcher.match.finished:
        await watcher.change_within(1.0)
    return watcher.match


def test_a_spectator_has_the_whole_match_checked_by_itself(tmp_path: Path) -> None:
    came: list[tuple[str, bool]] = []

    async def play() -> None:
        gone = asyncio.Event()

        def changed(name: str, here: bool) -> None:
            came.append((name, here))
            if not here:
                gone.set()

        watching = Watching(changed=changed)
        async with scene(tmp_path, watching) as table:
            async with await enter(table.way, CODE, "Olga") as watcher:
                assert (watcher.table_name, watcher.host_name) == ("Dacha", "Anna")
                assert table.nodes[0].gallery is not None
                assert table.nodes[0].gallery.names == ("Olga",)
                playing = asyncio.create_task(table.play())
                match = await until_finished(watcher)
                await playing
                assert match.state == table.lives[1].table.match.state
                file = tmp_path / "seen.kozel"
                with file.open("wb") as stream:
                    write_log(stream, match.log.genesis.encode(), match.events())
                with file.open("rb") as written:
                    assert audit_log(written).finding is Finding.FAIR
            await asyncio.wait_for(gone.wait(), 10)

    run(play())
    assert came == [("Olga", True), ("Olga", False)]


@pytest.mark.long
def test_who_comes_late_gets_what_was_before(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path, Watching()) as table:
            await table.play()
            async with await enter(table.way, CODE, "Olga") as watcher:
                match = await until_finished(watcher)
                assert len(match.log) == len(table.lives[0].table.log)

    run(play())


def test_a_delay_keeps_everything_back_and_the_end_comes_with_the_closing(tmp_path: Path) -> None:
    async def play() -> None:
        async with contextlib.AsyncExitStack() as stack:
            table = await stack.enter_async_context(scene(tmp_path, Watching(delay=3600.0)))
            watcher = await stack.enter_async_context(await enter(table.way, CODE, "Olga"))
            await table.play()
            while watcher.match is None:
                await watcher.change_within(1.0)
            assert len(watcher.match.log) == 0
            assert table.nodes[0].gallery is not None
            await table.nodes[0].gallery.close()
            match = await until_finished(watcher)
            assert match.match.over
            while not watcher.closed:
                await watcher.change_within(1.0)

    run(play())


def test_the_code_is_needed_and_a_playing_table_seats_nobody(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path, Watching()) as table:
            with pytest.raises(WrongCode):
                await enter(table.way, "00000000", "Olga")
            async with node_of(tmp_path, "Fifth") as fifth:
                with pytest.raises(LobbyFull):
                    await join_by(fifth, table.way, CODE)

    run(play())


@pytest.mark.parametrize("limit", [0, 1])
def test_no_more_watch_than_the_host_allows(tmp_path: Path, limit: int) -> None:
    async def play() -> None:
        async with scene(tmp_path, Watching(limit)) as table:
            async with contextlib.AsyncExitStack() as stack:
                for number in range(limit):
                    await stack.enter_async_context(await enter(table.way, CODE, f"Olga {number}"))
                # Where nobody may watch, the door of a table that plays does not even listen.
                with pytest.raises(JoinRefused if limit else LobbyClosed):
                    await enter(table.way, CODE, "One too many")

    run(play())


def test_a_spectators_frames_do_not_reach_the_match(tmp_path: Path) -> None:
    """It sends everything that players send: nothing is taken in, nothing is answered but `have`."""

    async def play() -> None:
        async with scene(tmp_path, Watching()) as table:
            async with await enter(table.way, CODE, "Olga") as watcher:
                while watcher.match is None:
                    await watcher.change_within(1.0)
                host = table.lives[0]
                before = len(host.table.log)
                frames = [
                    host.table._replica.events_frame(
                        [
                            entry.signed
                            for entry in table.lives[1].table.log.entries_from(1, 0)
                            if entry.signed
                        ]
                    ),
                    watcher.match.have_frame(),
                    b"",
                    b"\xff" * 100,
                    b"\x00",
                ]
                peer = next(iter(table.nodes[0].gallery._watchers)) if table.nodes[0].gallery else b""
                for frame in filter(None, frames):
                    assert table.nodes[0].gallery is not None
                    assert table.nodes[0].gallery.hear(peer, frame)
                assert host.rejected == 0
                assert len(host.table.log) == before
                assert peer not in host.peers.values()

    run(play())


def test_the_host_that_goes_away_is_noticed(tmp_path: Path) -> None:
    async def play() -> None:
        async with contextlib.AsyncExitStack() as outer:
            async with scene(tmp_path, Watching()) as table:
                watcher = await outer.enter_async_context(await enter(table.way, CODE, "Olga"))
                while watcher.match is None:
                    await watcher.change_within(1.0)
            async with asyncio.timeout(10):
                while not watcher.closed:
                    await watcher.change_within(1.0)

    run(play())


def test_a_host_with_nothing_to_tell_has_not_gone(tmp_path: Path) -> None:
    """While somebody thinks, or a delay runs, nothing is said; that the host can be reached is enough."""

    async def play() -> None:
        async with scene(tmp_path, Watching(delay=3600.0)) as table:
            async with await enter(table.way, CODE, "Olga") as watcher:
                watcher._reached -= 3600.0
                assert watcher.host_is_gone
                async with asyncio.timeout(10):
                    while watcher.host_is_gone:
                        await watcher.change_within(0.1)

    run(play())


def test_who_waits_for_long_until_the_match_begins_is_still_there(tmp_path: Path) -> None:
    async def play() -> None:
        async with contextlib.AsyncExitStack() as stack:
            nodes = [await stack.enter_async_context(node_of(tmp_path, name)) for name in NAMES]
            host = Host(nodes[0], TABLE_ID, "Dacha", Options(target=6))
            door = open_lobby(nodes[0], host, listen=LOOPBACK, code=CODE, watching=Watching())
            lobby = await stack.enter_async_context(door)
            way = Way(((LOOPBACK, lobby.port),), TABLE_ID)
            watcher = await stack.enter_async_context(await enter(way, CODE, "Olga"))
            assert lobby.gallery is not None
            for one in lobby.gallery._watchers.values():
                one.heard -= 3600.0
            guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
            begun = [nodes[0].guard(host.next_match())]
            begun += [node.guard(guest.next_match()) for node, guest in zip(nodes[1:], guests, strict=True)]
            await asyncio.gather(*begun)
            async with asyncio.timeout(10):
                while watcher.match is None:
                    await watcher.change_within(1.0)
            assert lobby.gallery.names == ("Olga",)

    run(play())


@pytest.mark.parametrize("watching", first_few((Watching(), Watching(0), None), 2))
def test_a_table_that_plays_announces_itself_only_to_be_watched(
    tmp_path: Path, watching: Watching | None
) -> None:
    async def play() -> None:
        async with node_of(tmp_path, "Anna") as node:
            host = Host(node, TABLE_ID, "Dacha", Options())
            async with open_lobby(
                node, host, listen=LOOPBACK, code=CODE, watching=watching, interfaces=[LOOPBACK]
            ) as lobby:
                assert lobby.announced
                async with Browser([LOOPBACK], (changed := asyncio.Event()).set) as browser:

                    async def until(state: str | None) -> None:
                        def seen() -> str | None:
                            found = [ad for ad in browser.tables if ad.table_id == TABLE_ID.hex()]
                            return found[0].state if found else None

                        async with asyncio.timeout(20):
                            while seen() != state:
                                changed.clear()
                                await changed.wait()

                    await until("open")
                    await lobby.tell_playing()
                    await until("playing" if watching is not None and watching.limit else None)

    run(play())


def test_nobody_answers_where_there_is_no_table() -> None:
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
    with pytest.raises(LobbyUnreachable):
        run(_enter(port))


async def _enter(port: int) -> None:
    await enter(Way(((LOOPBACK, port),)), CODE, "Olga")
