"""Joining under attack: what a stranger, a crowd or a lying host tries at the door of a table."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from node import errors
from node.errors import TableClosed
from node.lobby.conversations import MAX_CONVERSATIONS, Conversations
from node.lobby.host import MAX_WRONG_CODES, join
from node.lobby.messages import decode, read_frame
from node.lobby.pake import KeyExchange, Role
from node.lobby.talk import Talk
from node.loops import run as run_node
from node.network.link import Link, PeerStatus
from node.seating.frames import Occupant, Seating, genesis_frame
from node.seating.hosting import Host
from node.storage.keyfiles import TransportKeys, link_name
from protocol.genesis import Genesis, fingerprint
from tests.node.gathered import NAMES, TABLE_ID, node_of, open_table, sit_down
from tests.node.lobby_tables import BORIS, BORIS_SEED, CODE, HOST, TABLE, Table, caller, run

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def crowd(table: Table, count: int, address: str = HOST) -> AsyncIterator[list[Connection]]:
    """So many connections from one address, each of which has read the lobby's first frame."""
    connections: list[Connection] = []
    try:
        for _ in range(count):
            connections.append(await asyncio.open_connection(HOST, table.lobby.port, local_addr=(address, 0)))
            await read_frame(connections[-1][0])
        yield connections
    finally:
        for _, writer in connections:
            writer.close()


# Guessing


def test_guesses_made_at_the_same_time_are_no_more_than_five() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            guesses = [table.join("87654321") for _ in range(MAX_CONVERSATIONS)]
            results = await asyncio.gather(*guesses, return_exceptions=True)
            assert {type(result) for result in results} == {errors.WrongCode}
            assert table.new_codes == [table.lobby.code] != [CODE]
            assert table.lobby._wrong_codes <= MAX_CONVERSATIONS - MAX_WRONG_CODES

    run(scenario())


def test_a_caller_that_echoes_the_host_is_told_nothing_and_not_seated() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            async with caller(table) as (reader, writer):
                talk = Talk(reader, writer)
                await talk.hear_any()
                await talk.say("key", KeyExchange(Role.JOINER, "00000000", TABLE).message)
                await talk.say("confirm", (await talk.hear("key"))[:32])
                assert decode(await read_frame(reader)) == ["refused", "wrong-code"]
            async with caller(table) as (reader, writer):
                talk = Talk(reader, writer)
                await talk.hear_any()
                # A message of the host's own side.
                await talk.say("key", KeyExchange(Role.HOST, CODE, TABLE).message)
                assert await reader.read() == b""
        assert table.guests == []

    run(scenario())


# Crowds


def test_half_open_conversations_are_hung_up_on_and_the_next_guest_is_served() -> None:
    async def scenario() -> None:
        table = Table(deadline=0.5)
        async with table.lobby, crowd(table, MAX_CONVERSATIONS) as connections:
            with pytest.raises(errors.LobbyBusy):
                await table.join()
            for _, writer in connections:
                writer.write(b"\x00")  # Half of a length, then silence.
            for reader, _ in connections:
                with contextlib.suppress(ConnectionError):
                    assert await reader.read() == b""
            await table.join()
        assert len(table.guests) == 1

    run(scenario())


@pytest.mark.skipif(sys.platform != "linux", reason="only there every 127.x.y.z is an address of one's own")
def test_one_address_that_holds_every_conversation_does_not_keep_others_out() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby, crowd(table, MAX_CONVERSATIONS, "127.0.0.2") as connections:
            await join(HOST, table.lobby.port, CODE, BORIS, BORIS_SEED)
            assert len(table.guests) == 1
            # The oldest had to give way, and only it.
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await read_frame(connections[0][0])
            exchange = KeyExchange(Role.JOINER, CODE, TABLE)
            last = Talk(*connections[-1])
            await last.say("key", exchange.message)
            assert len(await last.hear("key")) == 33

    run(scenario())


def test_who_gives_way_is_fair() -> None:
    async def scenario() -> None:
        conversations = Conversations()
        tasks = []
        for address in (*["10.0.0.1"] * 3, *["10.0.0.2"] * 2, *["fd00::1", "fd00::2", "fd00::ffff:0:0:1"]):
            assert conversations.make_room(address)
            tasks.append(asyncio.create_task(asyncio.sleep(60)))
            conversations.add(tasks[-1], address)
        # One IPv6 network counts as one caller, however many addresses it shows.
        for address in ("10.0.0.1", "10.0.0.2", "fd00::9"):
            assert not conversations.make_room(address)
        assert conversations.make_room("10.0.0.3")
        await asyncio.sleep(0)
        assert [task.cancelled() for task in tasks] == [True] + [False] * 7
        await conversations.end_all()
        assert all(task.done() for task in tasks)

    run(scenario())


def test_a_flood_of_connections_is_turned_away_and_leaves_nothing_behind() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            async with crowd(table, MAX_CONVERSATIONS):
                for _ in range(200):
                    async with caller(table) as (reader, _):
                        assert decode(await read_frame(reader)) == ["refused", "busy"]
                        assert await reader.read() == b""
                assert len(table.lobby._conversations._of) == MAX_CONVERSATIONS
            if remaining := list(table.lobby._conversations._of):
                await asyncio.wait(remaining)
            assert not table.lobby._conversations._of
            await table.join()
        assert len(table.guests) == 1

    run(scenario())


# Hosts


def test_a_host_that_vanishes_before_the_genesis_does_not_keep_its_guests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("node.seating.guesting._SILENT_SECONDS", 0.5)

    async def scene() -> None:
        async with node_of(tmp_path, "Boris") as guest_node:
            async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (_, lobby):
                guest = await sit_down(guest_node, lobby.port)
            with pytest.raises(TableClosed, match="does not answer"):
                await guest_node.guard(guest.next_match())

    run_node(scene())


class TwoFacedHost(Host):
    """Shows the guest in seat 1 another key in seat 2 than everybody else sees."""

    def _tell(self) -> None:
        deceived = self._guests.get(1)
        if deceived is None or 2 not in self._guests:
            super()._tell()
            return
        name, send = link_name(deceived.occupant.transport), self._node.link.send
        # The one who is deceived never sees the truth, not for a moment.
        with mock.patch.object(
            self._node.link, "send", lambda peer, frame: peer == name or send(peer, frame)
        ):
            super()._tell()
        occupants = [one and self._swapped(seat, one) for seat, one in enumerate(self._occupants())]
        seating = Seating(
            self.table_id, self.table_name, self._round, self._options, self._for_show, tuple(occupants)
        )
        frames = [seating.encode()]
        if self._proposal is not None and self._node.live is not None:
            frames.append(genesis_frame(self.table_id, self._forged(self._node.live.table.genesis)))
        for frame in frames:
            send(name, frame)

    def _swapped(self, seat: int, one: Occupant) -> Occupant:
        return replace(one, identity=b"\x07" * 32) if seat == 2 else one

    def _forged(self, genesis: Genesis) -> bytes:
        roster = list(genesis.roster)
        roster[2] = replace(roster[2], identity=b"\x07" * 32)
        return replace(genesis, roster=tuple(roster)).encode()


def test_a_host_that_swaps_keys_between_guests_is_seen_by_the_check_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.node.gathered.Host", TwoFacedHost)

    async def scene() -> None:
        async with contextlib.AsyncExitStack() as stack:
            nodes = [await stack.enter_async_context(node_of(tmp_path, name)) for name in NAMES]
            host, lobby = await stack.enter_async_context(open_table(nodes[0]))
            guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
            begun = [host.next_match(), *(guest.next_match() for guest in guests)]
            lives = await asyncio.gather(*begun)
            deceived, others = lives[1], [lives[0], lives[2], lives[3]]
            assert len({fingerprint(live.table.match_id) for live in others}) == 1
            assert fingerprint(deceived.table.match_id) != fingerprint(others[0].table.match_id)
            # What the others say belongs to another match for the one, and the other way round.
            for live in lives:
                await live.until(lambda live=live: live.rejected > 0)  # type: ignore[misc]
                assert not all(live.table.match.accepted)
                assert live.table.verdict is None

    run_node(scene())


# Strangers after the start


def test_a_stranger_on_the_ports_after_the_start_gets_nowhere(tmp_path: Path) -> None:
    async def scene() -> None:
        async with contextlib.AsyncExitStack() as stack:
            nodes = [await stack.enter_async_context(node_of(tmp_path, name)) for name in NAMES]
            async with open_table(nodes[0]) as (host, lobby):
                guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
                begun = [host.next_match(), *(guest.next_match() for guest in guests)]
                await asyncio.gather(*begun)
                # Still open, but full.
                with pytest.raises(errors.LobbyFull):
                    await join(HOST, lobby.port, CODE, BORIS, BORIS_SEED)
            with pytest.raises(errors.LobbyUnreachable):
                await join(HOST, lobby.port, CODE, BORIS, BORIS_SEED)
            assert host.table_id == TABLE_ID
            await _is_refused_by_link(nodes[0].profile.transport.public, nodes[0].link_port)

    run_node(scene())


async def _is_refused_by_link(host_key: bytes, port: int) -> None:
    refused = asyncio.Event()

    def told(_peer: bytes, status: PeerStatus) -> None:
        if status is PeerStatus.REFUSED:
            refused.set()

    async with Link(TransportKeys.generate(), host=HOST, on_status=told) as link:
        link.allow(host_key)
        link.connect(host_key, [(HOST, port)])
        await refused.wait()
