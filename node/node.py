"""One player's program without a face: profile, disk, links and the match in progress, wired together."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from engine.cards import Seat
from node.errors import PortUnavailable
from node.live import LiveTable
from node.loops import to_the_end
from node.network.link import Link, PeerStatus
from node.seating.claim import SeatClaim
from node.seating.frames import ADDRESSES, RETURN, TAKEN, Address
from node.seating.phrases import PHRASE, decode_phrase, phrase_frame
from node.seating.whereabouts import Whereabouts
from node.storage.keyfiles import link_name
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Store, StoredMatch
from node.watching.gallery import Gallery
from protocol import domains
from protocol.crypto.hashing import u32
from protocol.crypto.transcript import derive
from protocol.encoding import Value
from protocol.errors import FrameRejected
from protocol.genesis import Genesis, decode_genesis
from protocol.identity import Identity
from protocol.keyring import genesis_nonce
from protocol.replica import EVENTS, HAVE, in_slices, parse_frame
from protocol.table import Table

__all__ = ["Node"]

TICK_SECONDS = 1.0
_LEVEL_SECONDS = 5.0
_PATIENCE_SECONDS = 0.002
"""Long work waits for so long, so that a play which has just arrived is shown first."""

_T = TypeVar("_T")
Control: TypeAlias = "Callable[[bytes, str, tuple[Value, ...]], None]"


class Node:
    """A profile at work. Use it as an asynchronous context manager.

    `control` gets the frames of the gathering; frames of the log go to the live match. `ticked` is
    called every second.
    """

    def __init__(
        self, profile: Profile, *, host: str = "*", port: int = 0, seed: bytes | None = None
    ) -> None:
        """`host` is where the link listens, if possible at `port`. A `seed` makes all secrets repeatable."""
        self.profile = profile
        self.link = self._new_link(host, port)
        self.link_port = 0
        self.live: LiveTable | None = None
        self.gallery: Gallery | None = None
        """Those who watch, if anybody may."""
        self.control: Control = lambda _peer, _kind, _fields: None
        self.ticked: Callable[[], None] = lambda: None
        self.said: Callable[[Seat, int], None] = lambda _seat, _number: None
        """Called with what another player has said across the table."""
        self._seed = seed
        self._listen = host
        self._whereabouts: Whereabouts | None = None
        self._claim: SeatClaim | None = None
        self._long_work: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._store = Store(profile.path / STORE_NAME)
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: set[asyncio.Task[None]] = set()

    @property
    def store(self) -> Store:
        """The disk."""
        return self._store

    async def __aenter__(self) -> Self:
        try:
            self.link_port = await self.link.start()
        except PortUnavailable:
            # The port of last time is a convenience for the others; they learn the new one.
            self.link = self._new_link(self._listen, 0)
            self.link_port = await self.link.start()
        self._tasks = [
            asyncio.create_task(work) for work in (self._pump(), self._clock(), self._do_long_work())
        ]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await to_the_end(self._close())

    async def _close(self) -> None:
        await asyncio.gather(*self._errands, return_exceptions=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            if self.gallery is not None:
                await self.gallery.close()
        finally:
            await self.link.close()
            self._store.close()

    def _new_link(self, host: str, port: int) -> Link:
        return Link(self.profile.transport, host=host, port=port, on_status=self._peer_status)

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

    def begin(
        self, genesis: Genesis, seat: Seat, secret: bytes, addresses: Mapping[Seat, Sequence[Address]]
    ) -> LiveTable:
        """Put a new match on disk and sit down at it. `addresses` say where the others can be reached."""
        self._store.add_match(genesis.match_id, genesis.encode(), seat, secret, time.time())
        table = Table(genesis, seat, Identity(self.profile.identity_seed), secret)
        return self._sit_down(table, addresses)

    def resume(self, match: StoredMatch) -> LiveTable:
        """Go back to one's seat in a match that was broken off; all must answer before anything is signed."""
        genesis = decode_genesis(match.genesis)
        table = Table(genesis, match.seat, Identity(self.profile.identity_seed), match.secret)
        roster = enumerate(genesis.roster)
        others = {seat: link_name(one.transport) for seat, one in roster if seat != match.seat}
        table.load(self._store.events(match.match_id), others)
        return self._sit_down(table, {})

    def _sit_down(self, table: Table, addresses: Mapping[Seat, Sequence[Address]]) -> LiveTable:
        live = LiveTable(table, self._store, self.link.send, self._long_work.put_nowait, self._reachable)
        self.live = live
        self._whereabouts = Whereabouts(table.match_id, live.peers, self.link, self._store)
        self._claim = SeatClaim(
            table.match_id,
            table.seat,
            live.peers,
            self.profile.transport,
            self.link,
            lambda: bool(table.unheard),
        )
        for seat, known in addresses.items():
            self._whereabouts.learn(seat, known)
        self._store.set_addresses(table.match_id, table.seat, [(self._listen, self.link_port)])
        if self.gallery is not None:
            self.gallery.follow(live)
        live.start()
        return live

    def _reachable(self, peer: bytes) -> bool:
        return self.link.status(peer) is PeerStatus.UP

    async def settle(self, live: LiveTable) -> None:
        """Stay until the others have the whole log too, but not for ever: some may have gone home."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LEVEL_SECONDS):
                await live.until(lambda: live.level)

    async def _pump(self) -> None:
        while True:
            peer, frame = await self.link.receive()
            # Frames that have come in already must not keep the person and the clock waiting.
            await asyncio.sleep(0)
            if self.gallery is not None and self.gallery.hear(peer, frame):
                continue
            try:
                kind, fields = parse_frame(frame)
                if kind in (HAVE, EVENTS):
                    await self._take_in(peer, frame)
                elif kind == ADDRESSES and self._whereabouts is not None:
                    self._whereabouts.hear(peer, fields)
                elif kind == PHRASE and self.live is not None:
                    self._hear_phrase(self.live, peer, *decode_phrase(fields))
                elif kind in (RETURN, TAKEN) and self._claim is not None:
                    self._claim.hear(peer, kind, fields)
                else:
                    self.control(peer, kind, fields)
            except FrameRejected:
                continue

    def say_phrase(self, number: int) -> None:
        """Say one of the phrases across the table."""
        if self.live is not None:
            for peer in self.live.peers.values():
                self.link.send(peer, phrase_frame(self.live.table.match_id, number))

    def _hear_phrase(self, live: LiveTable, peer: bytes, match_id: bytes, number: int) -> None:
        seat = next((seat for seat, other in live.peers.items() if other == peer), None)
        if seat is not None and match_id == live.table.match_id:
            self.said(seat, number)

    async def _take_in(self, peer: bytes, frame: bytes) -> None:
        """Hand what others have signed to the match; a person and the clock get their turn in between."""
        for part in in_slices(frame):
            if self.live is not None and peer in self.live.peers.values():
                self.live.receive(peer, part)
            await asyncio.sleep(0)

    async def _do_long_work(self) -> None:
        while True:
            work = await self._long_work.get()
            await asyncio.sleep(_PATIENCE_SECONDS)
            work()

    async def _clock(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            if self.live is not None:
                self.live.tick()
                self._tell(self.live, list(self.live.peers.values()))
            self.ticked()

    def _tell(self, live: LiveTable, peers: list[bytes]) -> None:
        """Repeat where everybody is, and ask whether this seat is free."""
        if self._whereabouts is not None:
            frame = self._whereabouts.frame(live.seat, self._listen, self.link_port)
            for peer in peers:
                self.link.send(peer, frame)
        if self._claim is not None:
            self._claim.ask(peers)

    def _peer_status(self, peer: bytes, status: PeerStatus) -> None:
        if self.live is not None and peer in self.live.peers.values():
            self.live.peer_changed(peer)
            if status is PeerStatus.UP:
                self._tell(self.live, [peer])
        if status is PeerStatus.UP:
            self.ticked()  # What was said before there was anybody to hear it.
