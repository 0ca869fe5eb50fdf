"""Links between nodes, over real sockets on the loopback address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
import zmq
import zmq.asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from zmq.utils.monitor import recv_monitor_message

from node.errors import LinkError, PortUnavailable
from node.network.dialer import PathState
from node.network.link import Drop, Link, PeerStatus
from node.network.link_sockets import apply_limits, can_send
from node.network.zap import Gatekeeper
from node.storage.keyfiles import TransportKeys
from protocol.limits import MAX_FRAME_BYTES

HOST = "127.0.0.1"
PATIENCE = 20.0


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a test, with a limit that only a hung one reaches."""

    async def limited() -> None:
        async with asyncio.timeout(PATIENCE):
            await coroutine
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(limited())


class Node:
    """A link with its keys, its port, and a way to wait for what it says of its peers."""

    def __init__(self) -> None:
        self.keys = TransportKeys.generate()
        self.public = self.keys.public
        self.port = 0
        self.seen: asyncio.Queue[tuple[bytes, PeerStatus]] = asyncio.Queue()
        self.link = Link(
            self.keys, host=HOST, retry=0.05, on_status=lambda *event: self.seen.put_nowait(event)
        )

    def knows(self, *others: Node) -> None:
        for other in others:
            self.link.allow(other.public)

    def dials(self, other: Node) -> None:
        assert self.link.connect(other.public, [(HOST, other.port)]) == 1

    async def until(self, peer: Node, status: PeerStatus) -> None:
        while self.link.status(peer.public) is not status:
            await self.seen.get()


@asynccontextmanager
async def nodes(count: int) -> AsyncIterator[list[Node]]:
    made = [Node() for _ in range(count)]
    try:
        for node in made:
            node.port = await node.link.start()
        yield made
    finally:
        for node in made:
            await node.link.close()


async def dropped_something(node: Node) -> None:
    while not node.link.dropped:  # noqa: ASYNC110 - a counter, deliberately without an event
        await asyncio.sleep(0)


@asynccontextmanager
async def raw_dealer(
    keys: TransportKeys, server: Node, routing_id: bytes | None = None
) -> AsyncIterator[Any]:
    """A peer that holds admitted keys and otherwise does what it likes."""
    context = zmq.asyncio.Context()
    socket = context.socket(zmq.DEALER)
    apply_limits(socket)
    socket.setsockopt(zmq.MAXMSGSIZE, -1)
    if routing_id is not None:
        socket.setsockopt(zmq.ROUTING_ID, routing_id)
    socket.curve_serverkey = server.public
    socket.curve_publickey, socket.curve_secretkey = keys.public, keys.secret
    socket.connect(f"tcp://{HOST}:{server.port}")
    try:
        yield socket
    finally:
        socket.close()
        context.term()


def test_what_is_sent_everywhere_reaches_every_program_with_the_key() -> None:
    async def scenario() -> None:
        async with nodes(2) as (server, peer):
            server.knows(peer)
            peer.knows(server)
            server.dials(peer)
            await server.until(peer, PeerStatus.UP)
            async with raw_dealer(peer.keys, server) as one, raw_dealer(peer.keys, server) as other:
                for socket in (one, other):
                    await socket.send(b"here")
                    assert await server.link.receive() == (peer.public, b"here")
                server.link.send_everywhere(peer.public, b"to all")
                assert await one.recv() == await other.recv() == b"to all"
                assert await peer.link.receive() == (server.public, b"to all")

    run(scenario())


def test_frames_go_both_ways_between_three_nodes() -> None:
    async def scenario() -> None:
        async with nodes(3) as table:
            for node in table:
                others = [other for other in table if other is not node]
                node.knows(*others)
                for other in others:
                    node.dials(other)
            for node in table:
                for other in table:
                    if other is not node:
                        await node.until(other, PeerStatus.UP)
                        assert node.link.send(other.public, b"from " + node.public)
            for node in table:
                received = {await node.link.receive() for _ in range(2)}
                assert received == {(o.public, b"from " + o.public) for o in table if o is not node}

    run(scenario())


def test_one_open_port_between_two_nodes_carries_frames_both_ways() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            b.knows(a)
            a.dials(b)
            await b.until(a, PeerStatus.UP)  # By A's greeting alone: A has sent nothing of its own.
            assert b.link.send(a.public, b"back through your connection")
            assert await a.link.receive() == (b.public, b"back through your connection")
            assert a.link.send(b.public, b"forth")
            assert await b.link.receive() == (a.public, b"forth")

    run(scenario())


def test_without_any_connection_nothing_is_sent() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            assert not a.link.send(b.public, b"lost")
            assert a.link.connect(b.public, [(HOST, 1)]) == 1
            assert not a.link.send(b.public, b"lost")
            assert a.link.status(b.public) is PeerStatus.SEARCHING

    run(scenario())


def test_an_unknown_key_is_refused_and_gets_in_once_allowed() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            a.dials(b)
            await a.until(b, PeerStatus.REFUSED)
            assert not a.link.send(b.public, b"no")
            b.knows(a)
            await a.until(b, PeerStatus.UP)
            assert a.link.send(b.public, b"yes")
            assert await b.link.receive() == (a.public, b"yes")

    run(scenario())


def test_a_server_with_another_key_is_reported_and_gets_nothing() -> None:
    async def scenario() -> None:
        async with nodes(3) as (a, b, impostor):
            for node in (b, impostor):
                node.knows(a)
            a.knows(b)
            a.link.connect(b.public, [(HOST, impostor.port)])
            await a.until(b, PeerStatus.STRANGER)
            assert not a.link.send(b.public, b"secret")
            assert impostor.link.status(a.public) is PeerStatus.SEARCHING

    run(scenario())


def test_addresses_are_raced_and_the_impostor_among_them_loses() -> None:
    async def scenario() -> None:
        async with nodes(3) as (a, b, impostor):
            a.knows(b)
            b.knows(a)
            impostor.knows(a)
            usable = a.link.connect(
                b.public,
                [
                    (HOST, 1),
                    (HOST, impostor.port),
                    (HOST, b.port),
                    ("no.such.name", 5),
                    (HOST, 0),
                    (HOST, 70000),
                ],
            )
            assert usable == 3
            await a.until(b, PeerStatus.UP)
            assert list(a.link._dialers[b.public]._paths) == [(HOST, b.port)]  # The others are given up.
            assert a.link.send(b.public, b"found")
            assert await b.link.receive() == (a.public, b"found")

    run(scenario())


def test_a_peer_that_moved_is_found_at_its_new_address() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            b.knows(a)
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            await b.link.close()
            await a.until(b, PeerStatus.SEARCHING)
            b.link = Link(b.keys, host=HOST)
            b.knows(a)
            b.port = await b.link.start()
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            assert a.link.send(b.public, b"still you")
            assert await b.link.receive() == (a.public, b"still you")

    run(scenario())


def test_a_connection_that_works_outlives_addresses_that_do_not() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            b.knows(a)
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            for addresses in ([(HOST, 1)], []):
                assert a.link.connect(b.public, addresses) == len(addresses)
                assert a.link.status(b.public) is PeerStatus.UP
                assert a.link.send(b.public, b"still here")
                assert await b.link.receive() == (a.public, b"still here")

    run(scenario())


def test_a_peer_that_restarts_on_its_port_is_found_again() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            b.knows(a)
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            await b.link.close()
            await a.until(b, PeerStatus.SEARCHING)
            b.link = Link(b.keys, host=HOST, port=b.port, on_status=lambda *event: b.seen.put_nowait(event))
            b.knows(a)
            await b.link.start()
            await a.until(b, PeerStatus.UP)
            # The way back is learnt anew as well: B dials nobody.
            await b.until(a, PeerStatus.UP)
            assert b.link.send(a.public, b"again")
            assert await a.link.receive() == (b.public, b"again")

    run(scenario())


def test_a_vanished_peer_cannot_be_answered() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            b.knows(a)
            a.dials(b)
            await b.until(a, PeerStatus.UP)
            await a.link.close()
            while b.link.send(a.public, b"x"):  # noqa: ASYNC110 - libzmq tells of it by refusing only
                await asyncio.sleep(0)
            assert b.link.status(a.public) is PeerStatus.SEARCHING

    run(scenario())


def test_a_message_with_a_wrong_number_of_frames_is_dropped() -> None:
    async def scenario() -> None:
        async with nodes(1) as (server,):
            keys = TransportKeys.generate()
            server.link.allow(keys.public)
            async with raw_dealer(keys, server) as peer:
                await peer.send_multipart([b"two", b"frames"])
                await peer.send_multipart([b"x"] * 100)
                await peer.send(b"one frame")
                assert await server.link.receive() == (keys.public, b"one frame")
                assert server.link.dropped == {Drop.SHAPE: 2}

    run(scenario())


def test_ten_thousand_empty_frames_do_no_harm() -> None:
    async def scenario() -> None:
        async with nodes(1) as (server,):
            keys = TransportKeys.generate()
            server.link.allow(keys.public)
            async with raw_dealer(keys, server) as peer:
                for _ in range(10_000):
                    await peer.send(b"")
                await peer.send(b"the first that counts")
                assert await server.link.receive() == (keys.public, b"the first that counts")

    run(scenario())


def test_the_largest_frame_passes_and_a_larger_one_ends_the_connection() -> None:
    async def scenario() -> None:
        async with nodes(1) as (server,):
            keys = TransportKeys.generate()
            server.link.allow(keys.public)
            async with raw_dealer(keys, server) as peer:
                await peer.send(b"x" * MAX_FRAME_BYTES)
                assert await server.link.receive() == (keys.public, b"x" * MAX_FRAME_BYTES)
                monitor = peer.get_monitor_socket(zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_SUCCEEDED)
                await peer.send(b"x" * (MAX_FRAME_BYTES + 1))
                events = [zmq.Event((await recv_monitor_message(monitor))["event"]) for _ in range(2)]
                assert events == [zmq.EVENT_DISCONNECTED, zmq.EVENT_HANDSHAKE_SUCCEEDED]
                peer.disable_monitor()
                monitor.close()
                assert can_send(peer)
                await peer.send(b"after a reconnection")
                assert await server.link.receive() == (keys.public, b"after a reconnection")

    run(scenario())


@pytest.mark.parametrize("size", [0, MAX_FRAME_BYTES + 1])
def test_frames_that_no_peer_would_take_are_a_callers_mistake(size: int) -> None:
    link = Link(TransportKeys.generate())
    with pytest.raises(ValueError, match="frame"):
        link.send(TransportKeys.generate().public, b"x" * size)


def test_a_sender_is_known_by_its_key_whatever_routing_id_it_chose() -> None:
    async def scenario() -> None:
        async with nodes(2) as (server, victim):
            mallory = TransportKeys.generate()
            server.knows(victim)
            victim.knows(server)
            server.link.allow(mallory.public)
            async with raw_dealer(mallory, server, routing_id=victim.public) as peer:
                await peer.send(b"I am the other one")
                assert await server.link.receive() == (mallory.public, b"I am the other one")
                # A chosen id is never answered: after its owner left, anybody could take it over.
                assert not server.link.send(mallory.public, b"answer")
                assert not server.link.send(victim.public, b"for the victim only")
                victim.dials(server)
                await server.until(victim, PeerStatus.UP)
                assert server.link.send(victim.public, b"for the victim only")
                assert await victim.link.receive() == (server.public, b"for the victim only")

    run(scenario())


def test_two_connections_with_one_routing_id_cannot_take_over_from_each_other() -> None:
    async def scenario() -> None:
        async with nodes(1) as (server,):
            first, second = TransportKeys.generate(), TransportKeys.generate()
            server.link.allow(first.public)
            server.link.allow(second.public)
            async with raw_dealer(first, server, b"same") as one:
                await one.send(b"1")
                assert await server.link.receive() == (first.public, b"1")
                async with raw_dealer(second, server, b"same") as two:
                    await two.send(b"usurped")
                    await one.send(b"2")
                    assert await server.link.receive() == (first.public, b"2")

    run(scenario())


def test_a_revoked_peer_is_not_heard_on_its_open_connection() -> None:
    async def scenario() -> None:
        async with nodes(1) as (server,):
            friend, former = TransportKeys.generate(), TransportKeys.generate()
            server.link.allow(friend.public)
            server.link.allow(former.public)
            async with raw_dealer(former, server) as ex, raw_dealer(friend, server) as peer:
                await ex.send(b"before")
                assert await server.link.receive() == (former.public, b"before")
                server.link.revoke(former.public)
                assert not server.link.send(former.public, b"no more")
                await ex.send(b"after")
                await peer.send(b"hello")
                assert await server.link.receive() == (friend.public, b"hello")
                await dropped_something(server)
                assert server.link.dropped == {Drop.REVOKED: 1}

    run(scenario())


def test_a_peer_dialled_but_not_allowed_is_not_heard() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            b.knows(a)
            a.dials(b)
            await b.until(a, PeerStatus.UP)
            assert b.link.send(a.public, b"unwanted")
            await dropped_something(a)
            assert a.link.dropped == {Drop.REVOKED: 1}

    run(scenario())


def test_an_unencrypted_client_gets_nowhere() -> None:
    async def scenario() -> None:
        async with nodes(1) as (server,):
            context = zmq.asyncio.Context()
            socket = context.socket(zmq.DEALER)
            apply_limits(socket)
            monitor = socket.get_monitor_socket(zmq.EVENT_ALL)
            socket.connect(f"tcp://{HOST}:{server.port}")
            failures = {
                zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL,
                zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL,
                zmq.EVENT_DISCONNECTED,
            }
            while True:
                kind = int.from_bytes((await monitor.recv_multipart())[0][:2], "little")
                assert kind != zmq.EVENT_HANDSHAKE_SUCCEEDED
                if kind in failures:
                    break
            socket.disable_monitor()
            monitor.close()
            socket.close()
            context.term()

    run(scenario())


def test_a_taken_port_is_said_plainly_and_leaves_nothing_behind() -> None:
    async def scenario() -> None:
        async with nodes(1) as (a,):
            second = Link(TransportKeys.generate(), host=HOST, port=a.port)
            with pytest.raises(PortUnavailable, match=f"{HOST}:{a.port}") as caught:
                await second.start()
            assert isinstance(caught.value, LinkError)
            assert caught.value.code == "port-unavailable"

    run(scenario())


def test_listening_on_all_addresses_includes_the_loopback() -> None:
    async def scenario() -> None:
        async with nodes(1) as (a,):
            b = Node()
            b.link = Link(b.keys)
            b.port = await b.link.start()
            b.knows(a)
            a.knows(b)
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            await b.link.close()

    run(scenario())


def test_disconnecting_and_closing_are_repeatable() -> None:
    async def scenario() -> None:
        async with nodes(2) as (a, b):
            a.knows(b)
            b.knows(a)
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            a.link.disconnect(b.public)
            a.link.disconnect(b.public)
            assert a.link.status(b.public) is PeerStatus.SEARCHING
            assert not a.link.send(b.public, b"x")
            a.dials(b)
            await a.until(b, PeerStatus.UP)
            await a.link.close()
            await a.link.close()
            with pytest.raises(RuntimeError):
                await a.link.start()

    run(scenario())


def test_use_before_start_and_nonsense_keys_are_callers_mistakes() -> None:
    link = Link(TransportKeys.generate())
    with pytest.raises(RuntimeError):
        link.connect(TransportKeys.generate().public, [(HOST, 1)])
    for key in (b"short", b"\xff" * 40, b" " * 40, b"#" * 40):
        with pytest.raises(ValueError, match="Z85"):
            link.allow(key)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=9))
def test_every_malformed_authentication_request_is_answered_with_a_refusal(
    request_frames: list[bytes],
) -> None:
    # An unanswered request would leave the socket deaf: REP must reply before it can receive again.
    context = zmq.asyncio.Context()

    async def scenario() -> None:
        gatekeeper = Gatekeeper(context, frozenset())
        reply = gatekeeper._reply(request_frames)
        assert len(reply) == 6
        assert reply[2] == b"400"
        await gatekeeper.close()

    asyncio.run(scenario())
    context.term()


def test_every_path_state_has_a_status() -> None:
    assert {state.value for state in PathState} - {"trying"} == {s.value for s in PeerStatus} - {"searching"}
