"""Who may open a connection to this node: the ZeroMQ authentication protocol (ZAP, RFC 27), CURVE only.

libzmq asks on an in-process socket of its own context, once per incoming connection, with the public key
that the connecting side has proven to own. pyzmq ships an authenticator too, but its task ends for good
on any exception, after which the node would be deaf.
"""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet

import zmq
import zmq.asyncio
from zmq.utils import z85

_ENDPOINT = "inproc://zeromq.zap.01"
_VERSION = b"1.0"


class Gatekeeper:
    """Answers ZAP requests of one context from a set of Z85 public keys that the owner may change any time.

    Start it before any CURVE server socket is bound. The reply's User-Id is the Z85 public key, which
    libzmq then attaches to every message of that connection.
    """

    def __init__(self, context: zmq.asyncio.Context, allowed: AbstractSet[bytes]) -> None:
        self._allowed = allowed
        self._socket = context.socket(zmq.REP)
        self._socket.linger = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Bind and answer from now on; needs a running loop."""
        self._socket.bind(_ENDPOINT)
        self._task = asyncio.create_task(self._answer(), name="link gatekeeper")

    async def close(self) -> None:
        """Stop answering."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._socket.close()

    async def _answer(self) -> None:
        while True:
            request = await self._socket.recv_multipart()
            await self._socket.send_multipart(self._reply(request))

    def _reply(self, request: list[bytes]) -> list[bytes]:
        # version, request id, domain, address, routing id, mechanism, credentials
        request_id = request[1] if len(request) > 1 else b""
        if len(request) != 7 or request[0] != _VERSION or request[5] != b"CURVE" or len(request[6]) != 32:
            return [_VERSION, request_id, b"400", b"CURVE only", b"", b""]
        public = z85.encode(request[6])
        if public not in self._allowed:
            return [_VERSION, request_id, b"400", b"unknown key", b"", b""]
        return [_VERSION, request_id, b"200", b"OK", public, b""]
