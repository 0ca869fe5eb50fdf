"""Encrypted, authenticated links to the other players' nodes, behind which pyzmq is out of sight.

Every node binds one ROUTER (a CURVE server that lets in known keys only) and dials every peer with a DEALER.
So between two nodes there are up to two connections, either of which carries frames both ways: one
open port between two players is enough. Frames may be lost, repeated and reordered; whoever uses a
link must cope, and the log's own synchronisation does.

A sender is known by the key that its connection has proven (the ROUTER side's User-Id, the key pinned for a
DEALER), never by the routing id, which a peer can choose. For the same reason the ROUTER answers only
on routing ids that it drew itself: another peer cannot put itself in the place of one that left.

libzmq limits the size of each frame but not their number in one message, so an admitted peer can make a node
buffer a large one; it is dropped unread as soon as it is complete.

On Windows run it in a selector event loop: `asyncio.Runner(loop_factory=asyncio.SelectorEventLoop)`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from types import TracebackType
from typing import Self, cast

import zmq
import zmq.asyncio

from node.errors import PortUnavailable
from node.i18n import tr
from node.loops import to_the_end
from node.network.addresses import format_host_port
from node.network.dialer import GREETING, Dialer, PathState
from node.network.link_sockets import apply_limits, try_send
from node.network.routes import Routes
from node.network.zap import Gatekeeper
from node.storage.keyfiles import TransportKeys, is_transport_key
from protocol.limits import MAX_FRAME_BYTES

__all__ = ["Drop", "Link", "PeerStatus"]

_ZAP_DOMAIN = b"kozel"
_QUEUE = 1000


class PeerStatus(Enum):
    """What is known of the way to a peer, most of it from its own answers."""

    SEARCHING = "searching"
    """Nothing answers yet."""
    UP = "up"
    """Frames can be sent."""
    REFUSED = "refused"
    """The peer answers but does not let this node in (yet); tried again."""
    STRANGER = "stranger"
    """Something else answers at the peer's address; tried on."""


class Drop(Enum):
    """Why a received message was thrown away."""

    SHAPE = "shape"
    """It did not have exactly one frame."""
    REVOKED = "revoked"
    """Its sender's key is not allowed (any more): revoking does not cut a connection."""


class Link:
    """One node's links. `start` before anything else and `close` in the end, or use it as a context manager.

    Peers are named by their CURVE public key, 40 bytes of Z85. A frame is 1 to 65,536 bytes.
    """

    def __init__(
        self,
        keys: TransportKeys,
        *,
        host: str = "*",
        port: int = 0,
        retry: float = 1.0,
        on_status: Callable[[bytes, PeerStatus], None] | None = None,
    ) -> None:
        """Listen on `host` (a numeric address, or `*` for all of both families) and `port` (0: any free one).

        `retry` is the pause in seconds after a refusal. `on_status` is called in the event loop with a
        peer and its new status.
        """
        self._keys = keys
        self._host, self._port = host, port
        self._retry = retry
        self._on_status = on_status
        self._allowed: set[bytes] = set()
        self._dialers: dict[bytes, Dialer] = {}
        self._routes = Routes()
        self._told: dict[bytes, PeerStatus] = {}
        self._drops: Counter[Drop] = Counter()
        self._inbox: asyncio.Queue[tuple[bytes, bytes]] = asyncio.Queue(_QUEUE)
        self._closing: set[asyncio.Task[None]] = set()
        self._context: zmq.asyncio.Context | None = None
        self._gatekeeper: Gatekeeper | None = None
        self._router: zmq.asyncio.Socket | None = None
        self._reader: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Listen, and return the port. Raises PortUnavailable."""
        if self._context is not None:
            raise RuntimeError("the link was started before")
        self._context = zmq.asyncio.Context()
        self._gatekeeper = Gatekeeper(self._context, self._allowed)
        self._gatekeeper.start()
        self._router = self._open_router(self._context)
        try:
            self._router.bind(f"tcp://{format_host_port(self._host, self._port)}")
        except zmq.ZMQError as error:
            await self.close()
            raise PortUnavailable(
                tr(
                    "This computer cannot listen on {address} ({reason}). Choose another port.",
                    address=format_host_port(self._host, self._port),
                    reason=error.strerror,
                )
            ) from error
        self._reader = asyncio.create_task(self._read_router(self._router), name="link router")
        endpoint = cast(bytes, self._router.get(zmq.LAST_ENDPOINT)).rstrip(b"\0")
        return int(endpoint.rpartition(b":")[2])

    def allow(self, public: bytes) -> None:
        """Let this peer in from now on; if it was refused before it succeeds when it tries again."""
        self._allowed.add(_checked_key(public))

    def revoke(self, public: bytes) -> None:
        """Stop talking with this peer: its frames are dropped, even on connections that are still open."""
        self._allowed.discard(public)
        self._routes.forget(public)
        self.disconnect(public)

    def connect(self, public: bytes, addresses: Sequence[tuple[str, int]]) -> int:
        """Reach this peer at these numeric addresses, all raced, again and again until `disconnect`.

        Called again with other addresses it moves over to them. Returns how many were usable: names
        and impossible ports are passed over, since addresses come from other players.
        """
        if self._context is None:
            raise RuntimeError("the link was not started")
        dialer = self._dialers.get(_checked_key(public))
        if dialer is None:
            dialer = self._dialers[public] = Dialer(
                self._context,
                self._keys,
                public,
                retry=self._retry,
                deliver=partial(self._from_dealer, public),
                changed=partial(self._report, public),
            )
        return dialer.aim(addresses)

    def disconnect(self, public: bytes) -> None:
        """Stop dialling this peer. It may still be connected to us."""
        dialer = self._dialers.pop(public, None)
        if dialer is not None:
            task = asyncio.create_task(dialer.close(), name="link disconnect")
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        self._report(public)

    def send(self, public: bytes, frame: bytes) -> bool:
        """Hand a frame to the network; False if there is no way to the peer now. Never blocks.

        True does not mean that it arrived. Raises ValueError for an empty or oversized frame.
        """
        if not 1 <= len(frame) <= MAX_FRAME_BYTES:
            raise ValueError(f"a frame has 1 to {MAX_FRAME_BYTES} bytes, not {len(frame)}")
        dialer = self._dialers.get(public)
        return (dialer is not None and dialer.send(frame)) or self._send_back(public, frame)

    def send_everywhere(self, public: bytes, frame: bytes) -> None:
        """Hand a frame to every connection with a peer, since two programs may hold its key (§9.6)."""
        dialer = self._dialers.get(public)
        if dialer is not None:
            dialer.send(frame)
        for route in self._routes.of(public):
            self._try_route(route, frame)

    async def receive(self) -> tuple[bytes, bytes]:
        """Wait for a frame from any peer: its public key (Z85) and the frame. Cancel it before `close`."""
        return await self._inbox.get()

    def status(self, public: bytes) -> PeerStatus:
        """Return what is known of the way to a peer."""
        if self._routes.of(public):
            return PeerStatus.UP
        dialer = self._dialers.get(public)
        return PeerStatus.SEARCHING if dialer is None else _STATUS[dialer.state]

    @property
    def dropped(self) -> Mapping[Drop, int]:
        """How many received messages were thrown away, by reason."""
        return dict(self._drops)

    async def close(self) -> None:
        """Close every connection. Closing twice does no harm; a closed link cannot be started again."""
        for public in tuple(self._dialers):
            self.disconnect(public)
        await asyncio.gather(*self._closing)
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._router is not None:
            self._router.close()
        if self._gatekeeper is not None:
            await self._gatekeeper.close()
        if self._context is not None:
            self._context.term()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await to_the_end(self.close())

    def _open_router(self, context: zmq.asyncio.Context) -> zmq.asyncio.Socket:
        router = context.socket(zmq.ROUTER)
        apply_limits(router)
        router.setsockopt(zmq.IPV6, 1)
        router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        router.setsockopt(zmq.ROUTER_HANDOVER, 0)
        router.setsockopt(zmq.ZAP_DOMAIN, _ZAP_DOMAIN)
        router.curve_server = True
        router.curve_publickey = self._keys.public
        router.curve_secretkey = self._keys.secret
        return router

    async def _read_router(self, router: zmq.asyncio.Socket) -> None:
        while True:
            frames = await router.recv_multipart(copy=False)
            sender = str(frames[-1].get("User-Id")).encode()
            if sender in self._allowed and self._routes.learn(sender, frames[0].bytes):
                self._report(sender)
            await self._deliver(sender, frames[1:])

    async def _from_dealer(self, peer: bytes, frames: list[zmq.Frame]) -> None:
        await self._deliver(peer, frames)

    async def _deliver(self, sender: bytes, frames: list[zmq.Frame]) -> None:
        if sender not in self._allowed:
            self._drops[Drop.REVOKED] += 1
        elif len(frames) != 1:
            self._drops[Drop.SHAPE] += 1
        elif frames[0].bytes != GREETING:
            # A full inbox holds this connection back until the owner of the link has caught up.
            await self._inbox.put((sender, frames[0].bytes))

    def _send_back(self, peer: bytes, frame: bytes) -> bool:
        """Send on the connection that the peer has made to us and used last."""
        for route in reversed(self._routes.of(peer)):
            error = self._try_route(route, frame)
            if error is None:
                return True
            if isinstance(error, zmq.Again):
                return False  # The connection lives but is clogged.
            self._routes.drop(peer, route)
            self._report(peer)
        return False

    def _try_route(self, route: bytes, frame: bytes) -> BaseException | None:
        if self._router is None:
            raise RuntimeError("the link was not started")
        return try_send(self._router, [route, frame])

    def _report(self, peer: bytes) -> None:
        status = self.status(peer)
        if self._told.get(peer, PeerStatus.SEARCHING) is not status:
            self._told[peer] = status
            if self._on_status is not None:
                self._on_status(peer, status)


_STATUS = {
    PathState.TRYING: PeerStatus.SEARCHING,
    PathState.UP: PeerStatus.UP,
    PathState.REFUSED: PeerStatus.REFUSED,
    PathState.STRANGER: PeerStatus.STRANGER,
}


def _checked_key(public: bytes) -> bytes:
    if not is_transport_key(public):
        raise ValueError("a CURVE public key is 40 characters of Z85")
    return public
