"""The spectator's side: goes in by the code, follows match after match, and checks everything (§9.10)."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from node.errors import LobbyClosed
from node.i18n import tr
from node.lobby.join import JoinedTable, join_at
from node.lobby.messages import WATCH, Introduction
from node.loops import to_the_end
from node.names import clean_name
from node.network.addresses import LOOPBACK
from node.network.link import Link, PeerStatus
from node.seating.door import Way
from node.seating.frames import GENESIS, LEAVE, decode_blob, leave_frame
from node.storage.keyfiles import TransportKeys
from protocol.encoding import Value
from protocol.errors import FrameRejected, GenesisError
from protocol.genesis import decode_genesis
from protocol.identity import Identity
from protocol.replica import EVENTS, in_slices, parse_frame
from protocol.spectator import Spectator

__all__ = ["Watcher", "enter"]

_TICK_SECONDS: Final = 0.5
_PATIENT_SECONDS: Final = 60.0
"""A host that cannot be reached any more may come back with its network; after so long it has gone."""


async def enter(way: Way, code: str, name: str) -> Watcher:
    """Be let in to watch, with keys made for this visit alone. Raises LobbyError."""
    seed, keys = secrets.token_bytes(32), TransportKeys.generate()
    public = Identity(seed).public
    me = Introduction(public, keys.public, clean_name(name), 0, secrets.token_bytes(32), WATCH)
    try:
        joined = await join_at(way.addresses, code, me, seed, expected_table=way.table_id)
    except LobbyClosed as error:
        raise LobbyClosed(
            tr("The table has closed its door: nobody may watch there, or it is over.")
        ) from error
    return Watcher(joined, keys)


class Watcher:
    """Follows the matches of one table; use it as an asynchronous context manager.

    `changed` is called in the event loop whenever there is something new.
    """

    def __init__(self, joined: JoinedTable, keys: TransportKeys) -> None:
        self.table_name = joined.table_name
        self.host_name = joined.host.name
        self.match: Spectator | None = None
        """The match that is being watched, once it has begun."""
        self.closed = False
        """Whether the host has closed the table."""
        self.changed: Callable[[], None] = lambda: None
        self._table_id = joined.table_id
        self._host, self._host_identity = joined.host.transport, joined.host.identity
        self._address = joined.address
        self._link = Link(keys, host=LOOPBACK)
        self._reached = 0.0
        self._tasks: list[asyncio.Task[None]] = []
        self._change = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self._link.start()
        self._link.allow(self._host)
        self._link.connect(self._host, [self._address])
        self._reached = _now()
        self._tasks = [asyncio.create_task(work) for work in (self._pump(), self._clock())]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await to_the_end(self._close())

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._link.send(self._host, leave_frame(self._table_id))
        await asyncio.sleep(_TICK_SECONDS / 2)  # Closing a link throws away what it has not sent yet.
        await self._link.close()

    @property
    def host_is_gone(self) -> bool:
        """Whether the host has closed the table, or cannot be reached for long."""
        return self.closed or _now() - self._reached > _PATIENT_SECONDS

    async def change_within(self, seconds: float) -> None:
        """Wait until there is something new, but no longer than so; raises what has ended the watching."""
        self._change.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._change.wait()
        for task in self._tasks:
            if task.done():
                task.result()

    async def _pump(self) -> None:
        while True:
            _, frame = await self._link.receive()
            with contextlib.suppress(FrameRejected):
                kind, fields = parse_frame(frame)
                if kind == GENESIS:
                    self._begin(fields)
                elif kind == EVENTS and self.match is not None:
                    await self._take_in(self.match, frame)
                elif kind == LEAVE and fields == (self._table_id,):
                    self.closed = True
                    self._tell()

    async def _take_in(self, match: Spectator, frame: bytes) -> None:
        """Check what has come, a few events at a time, so that whoever looks at it is not kept waiting."""
        for part in in_slices(frame):
            new = match.receive(part)
            while match.has_work:
                await asyncio.sleep(0)
                new = match.work() or new
            if new:
                self._tell()
            await asyncio.sleep(0)

    def _begin(self, fields: tuple[Value, ...]) -> None:
        """The host says which match is on. It must be one that the host plays in."""
        table_id, proposal = decode_blob(fields)
        if table_id != self._table_id:
            return
        with contextlib.suppress(GenesisError):
            genesis = decode_genesis(proposal)
            plays = any(member.identity == self._host_identity for member in genesis.roster)
            if plays and (self.match is None or self.match.log.match_id != genesis.match_id):
                self.match = Spectator(genesis)
                self._ask()
                self._tell()

    async def _clock(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            # Not by what it says: while players think, or a delay runs, there is nothing to say.
            if self._link.status(self._host) is PeerStatus.UP:
                self._reached = _now()
            self._ask()

    def _ask(self) -> None:
        if self.match is not None:
            self._link.send(self._host, self.match.have_frame())

    def _tell(self) -> None:
        self._change.set()
        self.changed()


def _now() -> float:
    return asyncio.get_running_loop().time()
