"""Host and guests over real loopback sockets: seats, the genesis, and what is refused."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from engine import Eggs, Options, Standing
from node.errors import JoinRefused, LobbyFull, TableClosed, WrongCode
from node.loops import run
from node.node import Node
from node.seating.door import join_table
from node.seating.frames import HERE, Seating, genesis_frame
from node.seating.guesting import Guest
from node.storage.keyfiles import link_name
from protocol.encoding import Value
from protocol.genesis import Genesis, decode_genesis, fingerprint
from protocol.replica import parse_frame
from tests.node.gathered import CODE, NAMES, TABLE_ID, four_seated, node_of, open_table, sit_down


def test_four_sit_down_and_are_dealt_cards(tmp_path: Path) -> None:
    async def scene() -> None:
        options = Options(target=6, eggs=Eggs.DOUBLE)
        async with four_seated(tmp_path, options) as (nodes, _, _, lives):
            assert [live.seat for live in lives] == [0, 1, 2, 3]
            assert all(tuple(live.names) == NAMES for live in lives)
            assert len({fingerprint(live.table.match_id) for live in lives}) == 1
            assert all(live.table.genesis.options == options for live in lives)
            for live in lives:
                await live.until(lambda live=live: len(live.state.hands[live.seat].known) == 4)  # type: ignore[misc]
            hands = [live.state.hands[live.seat].known for live in lives]
            assert len(frozenset().union(*hands)) == 16
            for node, live in zip(nodes, lives, strict=True):
                stored = node.store.match(live.table.match_id)
                assert stored is not None
                assert stored.seat == live.seat
                assert not stored.finished

    run(scene())


def test_a_wish_for_a_seat_is_granted_while_it_is_free(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (host, lobby):
            async with node_of(tmp_path, "Boris") as one, node_of(tmp_path, "Vera") as two:
                await sit_down(one, lobby.port, wish="3")
                await sit_down(two, lobby.port, wish="3")
                assert host.seats == ("Anna", "Vera", None, "Boris")
                assert host.free_seats() == 1

    run(scene())


def guests_heard(host_node: Node) -> asyncio.Queue[bytes]:
    """Get whoever says at a host's table that it is here, as the host hears it."""
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    control = host_node.control

    def overheard(peer: bytes, kind: str, fields: tuple[Value, ...]) -> None:
        control(peer, kind, fields)
        if kind == HERE:
            heard.put_nowait(peer)

    host_node.control = overheard
    return heard


def test_nobody_sits_at_a_table_twice(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (_, lobby):
            async with node_of(tmp_path, "Boris") as node:
                heard = guests_heard(host_node)
                guest = await sit_down(node, lobby.port)
                waiting = asyncio.create_task(guest.next_match())
                await heard.get()
                with pytest.raises(JoinRefused):
                    await sit_down(node, lobby.port)
                waiting.cancel()

    run(scene())


def test_a_guest_who_never_heard_that_it_has_a_seat_gets_it_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (host, lobby):
            async with node_of(tmp_path, "Boris") as node:
                await sit_down(node, lobby.port)  # As if the host's answer at the door had been lost.
                await sit_down(node, lobby.port)
                assert host.seats == ("Anna", "Boris", None, None)

    run(scene())


def test_no_match_begins_before_every_guest_has_spoken(tmp_path: Path) -> None:
    async def scene() -> None:
        async with contextlib.AsyncExitStack() as stack:
            nodes = [await stack.enter_async_context(node_of(tmp_path, name)) for name in NAMES]
            host, lobby = await stack.enter_async_context(open_table(nodes[0]))
            heard = guests_heard(nodes[0])
            begun = [asyncio.create_task(host.next_match())]
            guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
            begun += [asyncio.create_task(guest.next_match()) for guest in guests[:2]]
            assert host.free_seats() == 0
            while len({await heard.get() for _ in range(2)}) < 2:
                pass
            assert not any(task.done() for task in begun)
            begun.append(asyncio.create_task(guests[2].next_match()))
            lives = await asyncio.gather(*begun)
            assert [live.seat for live in lives] == [0, 1, 2, 3]

    run(scene())


def test_a_wrong_code_is_refused_and_takes_no_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (host, lobby):
            async with node_of(tmp_path, "Boris") as guest:
                with pytest.raises(WrongCode):
                    await join_table(guest, "87654321", address=("127.0.0.1", lobby.port))
                assert host.free_seats() == 3

    run(scene())


def test_a_fifth_player_finds_the_table_full(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (_, lobby):
            heard = guests_heard(host_node)
            async with contextlib.AsyncExitStack() as stack:
                waiting = []
                spoken: set[bytes] = set()
                for name in NAMES[1:]:
                    node = await stack.enter_async_context(node_of(tmp_path, name))
                    guest = await sit_down(node, lobby.port)
                    waiting.append(asyncio.create_task(guest.next_match()))
                while len(spoken) < len(NAMES[1:]):
                    spoken.add(await heard.get())
                late = await stack.enter_async_context(node_of(tmp_path, "Dima"))
                with pytest.raises(LobbyFull):
                    await sit_down(late, lobby.port)
                for task in waiting:
                    task.cancel()

    run(scene())


def test_the_last_guest_who_never_heard_that_it_has_a_seat_finds_no_full_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (host, lobby):
            async with contextlib.AsyncExitStack() as stack:
                nodes = [await stack.enter_async_context(node_of(tmp_path, name)) for name in NAMES[1:]]
                for node in nodes:
                    await sit_down(node, lobby.port)
                late = await stack.enter_async_context(node_of(tmp_path, "Dima"))
                with pytest.raises(JoinRefused):
                    await sit_down(late, lobby.port)  # The seats are kept for those who were let in.
                await sit_down(nodes[-1], lobby.port)
                assert host.seats == NAMES

    run(scene())


def test_a_guest_that_leaves_before_the_match_frees_its_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node:
            left = asyncio.Event()
            async with open_table(host_node) as (host, lobby), node_of(tmp_path, "Boris") as guest_node:
                guest = await sit_down(guest_node, lobby.port)
                assert host.seats[1] == "Boris"
                host._changed = left.set
                while not left.is_set():  # The goodbye needs the connection that is just being made.
                    guest.close()
                    await asyncio.sleep(0.01)
                assert host.seats[1] is None

    run(scene())


def test_a_host_that_closes_the_table_sends_everybody_home(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (host, lobby):
            async with node_of(tmp_path, "Boris") as guest_node:
                guest = await sit_down(guest_node, lobby.port)
                waiting = asyncio.ensure_future(guest_node.guard(guest.next_match()))
                while not waiting.done():
                    host.close()
                    await asyncio.sleep(0.01)
                with pytest.raises(TableClosed):
                    await waiting

    run(scene())


async def _guest_at_table(stack: contextlib.AsyncExitStack, folder: Path) -> tuple[Node, Guest, Genesis]:
    """A guest at a table of four, and the genesis that an honest host would propose to it."""
    nodes, _, guests, lives = await stack.enter_async_context(four_seated(folder))
    node, guest = nodes[1], guests[0]
    # Wind the guest back to before it has sat down.
    node.live = None
    guest._round = 0
    return node, guest, lives[0].table.genesis


WRONG = {
    "another key in one's own seat": lambda g: replace(
        g, roster=(g.roster[0], replace(g.roster[1], identity=bytes(32)), *g.roster[2:])
    ),
    "another name in one's own seat": lambda g: replace(
        g, roster=(g.roster[0], replace(g.roster[1], name="Zoya"), *g.roster[2:])
    ),
    "a key of another guest's that the host has not shown": lambda g: replace(
        g, roster=(*g.roster[:3], replace(g.roster[3], identity=bytes(32)))
    ),
    "other options": lambda g: replace(g, options=Options(target=24)),
    "a nonce that is not this player's": lambda g: replace(g, nonces=(g.nonces[0], bytes(32), *g.nonces[2:])),
    "a nonce that is not the host's": lambda g: replace(g, nonces=(bytes(32), *g.nonces[1:])),
    "a lead carried over from a match that was not": lambda g: replace(g, previous=bytes(32), first_leader=2),
    "a match for show that was not announced as one": lambda g: replace(g, for_show=True),
    "another time to wait for silent players": lambda g: replace(g, grace=g.grace + 1),
    "a match to go on with that was not shown": lambda g: replace(
        g, previous=bytes(32), standing=Standing((4, 2), 0, False, 3, 1)
    ),
    "a host who is not the one at the door": lambda g: replace(
        g, roster=(replace(g.roster[0], identity=bytes(32)), *g.roster[1:])
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_guest_does_not_sign_what_was_not_agreed(what: str, tmp_path: Path) -> None:
    """And an honest proposal that comes after it is accepted."""

    async def scene() -> None:
        async with contextlib.AsyncExitStack() as stack:
            node, guest, genesis = await _guest_at_table(stack, tmp_path)
            host_key = link_name(genesis.roster[0].transport)
            begun = asyncio.ensure_future(guest.next_match())
            for proposal in (WRONG[what](genesis), genesis):
                frame = genesis_frame(TABLE_ID, proposal.encode())
                guest._control(host_key, "genesis", _fields(frame))
            assert (await begun).table.genesis == genesis
            assert decode_genesis(genesis.encode()) == genesis
            assert node.live is not None

    run(scene())


def test_frames_of_strangers_and_of_other_tables_change_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (host, lobby):
            async with node_of(tmp_path, "Boris") as guest_node:
                guest = await sit_down(guest_node, lobby.port)
                before = guest.seats
                other = Seating(bytes(16), "Other", 0, Options(), False, (None,) * 4)
                guest._control(guest._host, "seats", _fields(other.encode()))
                guest._control(b"x" * 40, "leave", (TABLE_ID,))
                host._control(b"x" * 40, "leave", (TABLE_ID,))
                host._control(guest_node.profile.transport.public, "leave", (bytes(16),))
                assert guest.seats == before
                assert host.seats[1] == "Boris"
                assert not guest._closed.done()

    run(scene())


def _fields(frame: bytes) -> tuple[Value, ...]:
    return parse_frame(frame)[1]


def test_the_code_is_what_the_host_shows(tmp_path: Path) -> None:
    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (_, lobby):
            assert lobby.code == CODE
            assert not lobby.announced

    run(scene())


def test_a_host_that_falls_silent_has_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("node.seating.guesting._SILENT_SECONDS", -1.0)

    async def scene() -> None:
        async with node_of(tmp_path, "Anna") as host_node, open_table(host_node) as (_, lobby):
            async with node_of(tmp_path, "Boris") as guest_node:
                guest = await sit_down(guest_node, lobby.port)
                with pytest.raises(TableClosed, match="does not answer"):
                    await guest_node.guard(guest.next_match())

    run(scene())
