"""What every link socket has in common: limits, timings, and sending without ever waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

import zmq
import zmq.asyncio

from protocol.limits import MAX_FRAME_BYTES

# libzmq measures a frame as it is on the wire, where CURVE adds a command name (8), a nonce (8),
# flags (1) and an authenticator (16).
CURVE_OVERHEAD = 33

# Milliseconds, bytes and messages, as libzmq counts them.
_LIMITS = {
    zmq.LINGER: 0,
    zmq.IMMEDIATE: 1,
    zmq.SNDHWM: 1000,
    zmq.RCVHWM: 1000,
    zmq.MAXMSGSIZE: MAX_FRAME_BYTES + CURVE_OVERHEAD,
    zmq.HANDSHAKE_IVL: 3000,
    zmq.CONNECT_TIMEOUT: 1500,
    zmq.RECONNECT_IVL: 200,
    zmq.RECONNECT_IVL_MAX: 1000,
    zmq.HEARTBEAT_IVL: 1000,
    zmq.HEARTBEAT_TIMEOUT: 3000,
    zmq.HEARTBEAT_TTL: 3000,
}


def apply_limits(socket: zmq.asyncio.Socket) -> None:
    """Set what ROUTER and DEALER have in common, before the socket is bound or connected."""
    for option, value in _LIMITS.items():
        socket.setsockopt(option, value)


def can_send(socket: zmq.asyncio.Socket) -> bool:
    """Tell whether some connection of the socket takes a message now.

    Asking also makes libzmq take in what its network thread has reported; without it a connection that has
    just come up can be missed.
    """
    return bool(cast(int, socket.get(zmq.EVENTS)) & zmq.POLLOUT)


def try_send(socket: zmq.asyncio.Socket, frames: Sequence[bytes]) -> BaseException | None:
    """Send one message now or not at all; return what stood in the way."""
    # With NOBLOCK the future that pyzmq returns is done already, whatever its annotation promises.
    outcome = cast("asyncio.Future[object]", socket.send_multipart(frames, flags=zmq.NOBLOCK))
    return outcome.exception()
