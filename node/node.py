"""One player's program without a face: profile, disk, links and the match in progress, wired together."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from engine.cards import Seat
from node.live import LiveTable
from node.network.link import Link, PeerStatus
from node.storage.profile import Profile
from node.storage.store import Store
from protocol import domains
from protocol.crypto.hashing import u32
from protocol.crypto.transcript import derive
from protocol.encoding import Value
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.genesis import Genesis
from protocol.identity import Identity
from protocol.keyring import genesis_nonce
from protocol.replica import EVENTS, HAVE, parse_frame
from protocol.table import Table

__all__ = ["Node"]

STORE_NAME = "matches.sqlite"
TICK_SECONDS = 1.0
_LEVEL_SECONDS = 5.0

_T = TypeVar("_T")
Control: TypeAlias = "Callable[[bytes, str, tuple[Value, ...]], None]"


class Node:
    """A profile at work. Use it as an asynchronous context manager.

    `control` gets the frames of the gathering; frames of the log go to the live match. `ticked` is
    called every second.
    """

    def __init__(self, profile: Profile, *, host: str = "*", seed: bytes | None = None) -> None:
        """`host` is where the link listens. A `seed` (32 bytes) makes all secrets repeatable."""
        self.profile = profile
        self.link = Link(profile.transport, host=host, on_status=self._peer_status)
        self.link_port = 0
        self.live: LiveTable | None = None
        self.control: Control = lambda _peer, _kind, _fields: None
        self.ticked: Callable[[], None] = lambda: None
        self._seed = seed
        self._store = Store(profile.path / STORE_NAME)
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: set[asyncio.Task[None]] = set()

    @property
    def store(self) -> Store:
        """The disk."""
        return self._store

    async def __aenter__(self) -> Self:
        self.link_port = await self.link.start()
        self._tasks = [asyncio.create_task(self._pump()), asyncio.create_task(self._clock())]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.live is not None:
            self.live.close()
        await asyncio.gather(*self._errands, return_exceptions=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.link.close()
        self._store.close()

    async def guard(self, work: Awaitable[_T]) -> _T:
        """Await `work`, but fail at once when the node itself has failed (a full disk, say)."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait([task, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
            for background in self._tasks:
                if background.done():
                    background.result()
            return await task
        finally:
            if not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    def run_errand(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something that nobody waits for, such as a goodbye, finish before the node closes."""
        errand = asyncio.create_task(work)
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)

    def new_secret(self, number: int) -> tuple[bytes, bytes]:
        """A secret for match number `number` at a table, and its nonce; stored before the nonce is shown."""
        if self._seed is not None:
            secret = derive(self._seed, domains.SHOW_SECRET, u32(number))
        else:
            secret = secrets.token_bytes(32)
        nonce = genesis_nonce(secret)
        self._store.add_secret(nonce, secret)
        return secret, nonce

    def begin(self, genesis: Genesis, seat: Seat, secret: bytes) -> LiveTable:
        """Put a match on disk and sit down at it."""
        self._store.add_match(genesis.match_id, genesis.encode(), seat, secret, time.time())
        table = Table(genesis, seat, Identity(self.profile.identity_seed), secret)
        table.load(SignedEvent(r.data, r.signature) for r in self._store.records(genesis.match_id))
        self.live = LiveTable(table, self._store, self.link.send)
        self.live.start()
        return self.live

    async def settle(self, live: LiveTable) -> None:
        """Stay until the others have the whole log too, but not for ever: some may have gone home."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LEVEL_SECONDS):
                await live.until(lambda: live.level)

    async def _pump(self) -> None:
        while True:
            peer, frame = await self.link.receive()
            try:
                kind, fields = parse_frame(frame)
                if kind in (HAVE, EVENTS):
                    if self.live is not None and peer in self.live.peers.values():
                        self.live.receive(peer, frame)
                else:
                    self.control(peer, kind, fields)
            except FrameRejected:
                continue

    async def _clock(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            if self.live is not None:
                self.live.tick()
            self.ticked()

    def _peer_status(self, peer: bytes, status: PeerStatus) -> None:
        if self.live is not None and peer in self.live.peers.values():
            self.live.peer_changed(peer)
        if status is PeerStatus.UP:
            self.ticked()  # What was said before there was anybody to hear it.
