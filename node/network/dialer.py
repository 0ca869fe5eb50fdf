"""Outgoing connections to one peer: every address tried at once, the first that works kept.

Each address is tried by a :class:`Path`, one DEALER socket of its own. As soon as one path's CURVE handshake
with the peer's pinned key succeeds the others are closed; when it drops, all addresses are tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum

import zmq
import zmq.asyncio
from zmq.utils.monitor import recv_monitor_message

from node.network.addresses import MAX_ADDRESSES, format_host_port, is_dialable
from node.network.link_sockets import apply_limits, can_send, try_send
from node.storage.keyfiles import TransportKeys

GREETING = b""
"""What a DEALER says first: its only meaning is that the peer's ROUTER learns the way back."""

_EVENTS = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_DISCONNECTED
)


class PathState(Enum):
    """How far the connection to one address has come."""

    TRYING = "trying"
    """No answer yet."""
    UP = "up"
    """The peer has proven its key and let us in."""
    REFUSED = "refused"
    """The peer has proven its key but does not know ours; tried again after a while."""
    STRANGER = "stranger"
    """Something answers there that does not have the peer's key; tried on."""


class Path:
    """One DEALER to one address of one peer, made anew whenever libzmq has given it up."""

    def __init__(self, dialer: Dialer, address: tuple[str, int]) -> None:
        self.address = address
        self.state = PathState.TRYING
        self._dialer = dialer
        self._socket: zmq.asyncio.Socket | None = None
        self._task = asyncio.create_task(self._keep_trying(), name=f"link path {address}")

    def send(self, frame: bytes) -> bool:
        """Hand `frame` to libzmq if the connection is up and not clogged; never blocks."""
        if self._socket is None or self.state is not PathState.UP:
            return False
        return can_send(self._socket) and try_send(self._socket, [frame]) is None

    def stop(self) -> asyncio.Task[None]:
        """Give the address up. The task returned ends when its sockets are closed."""
        self._task.cancel()
        return self._task

    async def _keep_trying(self) -> None:
        while True:
            await self._try_until_refused()
            await asyncio.sleep(self._dialer.retry)

    async def _try_until_refused(self) -> None:
        """Live through connections and reconnections until the peer refuses our key.

        After a refusal libzmq never tries again, even if the key is let in later: only a new socket does.
        """
        socket = self._socket = self._dialer.open_socket(self.address)
        monitor = socket.get_monitor_socket(_EVENTS)
        reader = asyncio.create_task(self._read(socket), name=f"link reader {self.address}")
        try:
            # An address in a network that this computer has left is refused here; it may come back.
            with contextlib.suppress(zmq.ZMQError):
                socket.connect(f"tcp://{format_host_port(*self.address)}")
                await self._follow(monitor)
        finally:
            self._socket = None
            reader.cancel()
            socket.disable_monitor()
            monitor.close()
            socket.close()
            await asyncio.gather(reader, return_exceptions=True)

    async def _follow(self, monitor: zmq.asyncio.Socket) -> None:
        """Take in what libzmq tells of the connection, until a refusal."""
        refused = False
        while not refused:
            state = _STATES[zmq.Event((await recv_monitor_message(monitor))["event"])]
            refused = state is PathState.REFUSED
            self._enter(state)

    def _enter(self, state: PathState) -> None:
        if state is PathState.TRYING and self.state is not PathState.UP:
            # A failed handshake is followed by a disconnection, which says less than the failure did.
            return
        self.state = state
        if state is PathState.UP:
            self.send(GREETING)
        self._dialer.path_changed(self)

    async def _read(self, socket: zmq.asyncio.Socket) -> None:
        while True:
            await self._dialer.deliver(await socket.recv_multipart(copy=False))


_STATES = {
    zmq.EVENT_HANDSHAKE_SUCCEEDED: PathState.UP,
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: PathState.REFUSED,
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: PathState.STRANGER,
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: PathState.STRANGER,
    zmq.EVENT_DISCONNECTED: PathState.TRYING,
}


class Dialer:
    """All paths to one peer, identified by its Z85 public key."""

    def __init__(
        self,
        context: zmq.asyncio.Context,
        keys: TransportKeys,
        peer: bytes,
        *,
        retry: float,
        deliver: Callable[[list[zmq.Frame]], Awaitable[None]],
        changed: Callable[[], None],
    ) -> None:
        """`retry` is the pause in seconds after a refusal. `deliver` gets every message, `changed` is called
        whenever `state` may have changed."""
        self.retry = retry
        self.deliver = deliver
        self._context = context
        self._keys = keys
        self._peer = peer
        self._changed = changed
        self._addresses: tuple[tuple[str, int], ...] = ()
        self._paths: dict[tuple[str, int], Path] = {}
        self._kept: Path | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def state(self) -> PathState:
        """The most telling state among the paths."""
        states = {path.state for path in self._paths.values()}
        for state in (PathState.UP, PathState.REFUSED, PathState.STRANGER):
            if state in states:
                return state
        return PathState.TRYING

    def aim(self, addresses: Sequence[tuple[str, int]]) -> int:
        """Try these addresses from now on; return how many of them can be tried.

        Unusable ones (names, ports out of range) are passed over: they may come from other players. A
        connection that works is kept until one to a new address works, unless its own is still listed.
        """
        usable = dict.fromkeys(address for address in addresses if is_dialable(*address))
        self._addresses = tuple(usable)[:MAX_ADDRESSES]
        for address in set(self._paths) - set(self._addresses):
            if self._paths[address] is not self._kept:
                self._drop(address)
        if self._kept is None or self._kept.address not in self._addresses:
            self._try_all()
        return len(self._addresses)

    def send(self, frame: bytes) -> bool:
        """Send on the connection that works, if there is one."""
        return self._kept is not None and self._kept.send(frame)

    async def close(self) -> None:
        """Close all connections."""
        self._kept = None
        for address in tuple(self._paths):
            self._drop(address)
        await asyncio.gather(*self._ending, return_exceptions=True)

    def path_changed(self, path: Path) -> None:
        """Called by a path of ours that came up or went down."""
        if self._paths.get(path.address) is not path:
            return  # Given up already; its last words.
        if path.state is PathState.UP:
            self._kept = path
            for address in set(self._paths) - {path.address}:
                self._drop(address)
        elif path is self._kept:
            self._kept = None
            self._try_all()
        self._changed()

    def open_socket(self, address: tuple[str, int]) -> zmq.asyncio.Socket:
        """Make a DEALER that speaks only with the holder of the peer's secret key."""
        socket = self._context.socket(zmq.DEALER)
        apply_limits(socket)
        # A dual-stack DEALER renames its endpoint on reconnection; one family is enough for one address.
        socket.setsockopt(zmq.IPV6, int(ipaddress.ip_address(address[0]).version == 6))
        socket.curve_serverkey = self._peer
        socket.curve_publickey = self._keys.public
        socket.curve_secretkey = self._keys.secret
        return socket

    def _try_all(self) -> None:
        for address in self._addresses:
            if address not in self._paths:
                self._paths[address] = Path(self, address)

    def _drop(self, address: tuple[str, int]) -> None:
        task = self._paths.pop(address).stop()
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
