"""A table in motion: performs a match's effects on disk and network, and wakes whoever waits for a change.

This is the local API that every face of the node uses, be it a bot, the terminal or a page: it shows
the seat's own view, lists what is legal, and takes plays.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence

from engine.actions import Play
from engine.cards import SEATS, Seat
from engine.state import State
from node.errors import ProfileCloned
from node.i18n import tr
from node.storage.keyfiles import link_name
from node.storage.store import Record, Store
from protocol.effects import Changed, Effect, Later, Persist, Send
from protocol.errors import FrameRejected
from protocol.events import Event
from protocol.table import Table

__all__ = ["LiveTable"]


class LiveTable:
    """One match that this node takes part in."""

    def __init__(
        self,
        table: Table,
        store: Store,
        send: Callable[[bytes, bytes], object],
        later: Callable[[Callable[[], None]], object],
        reachable: Callable[[bytes], bool] = lambda _peer: True,
    ) -> None:
        """`send(transport key, frame)` hands a frame to the network, which may lose it.

        `later` takes long work, to be done when nothing is more urgent. `reachable` tells whether another
        player's computer answers.
        """
        self.table = table
        self.rejected = 0
        self._store = store
        self._send = send
        self._later = later
        self._reachable = reachable
        self._working = False
        self._waiting: set[asyncio.Future[None]] = set()
        self.peers: dict[Seat, bytes] = {
            seat: link_name(table.genesis.roster[seat].transport) for seat in SEATS if seat != table.seat
        }

    @property
    def seat(self) -> Seat:
        """This node's seat."""
        return self.table.seat

    @property
    def state(self) -> State:
        """The game as this seat may see it."""
        return self.table.state

    @property
    def names(self) -> Sequence[str]:
        """The players' names by seat."""
        return [member.name for member in self.table.genesis.roster]

    def legal(self) -> list[Play]:
        """What this seat may play now."""
        return self.table.legal()

    @property
    def absent(self) -> frozenset[Seat]:
        """The seats whose computers do not answer at the moment."""
        return frozenset(seat for seat, peer in self.peers.items() if not self._reachable(peer))

    def declare_lost(self, seat: Seat) -> None:
        """Sign that a seat is lost for this deal; raises :class:`protocol.errors.PlayRefused`."""
        self._perform(self.table.declare_lost(seat))

    def start(self) -> None:
        """Do what the seat owes, and tell the others what is here."""
        self._perform(self.table.start())
        self.tick()

    def play(self, action: Play) -> None:
        """Play; raises :class:`protocol.errors.PlayRefused` when that is not possible now."""
        self._perform(self.table.play(action))

    def receive(self, peer: bytes, frame: bytes) -> None:
        """Take in a frame from one of the other seats."""
        try:
            self._perform(self.table.receive(peer, frame))
        except FrameRejected:
            self.rejected += 1
        if self.table.cloned:
            raise ProfileCloned(
                tr(
                    "Another program plays in your seat with a copy of your profile. Nothing more is signed"
                    " here. Close one of the two, and never use copies of a profile."
                )
            )
        self._wake()

    def tick(self) -> None:
        """Repeat to everyone what is here: whatever was lost comes again."""
        self._perform(self.table.tick())

    def peer_changed(self, peer: bytes) -> None:
        """A connection was made or lost: compare logs anew."""
        self._perform(self.table.peer_changed(peer))

    @property
    def level(self) -> bool:
        """Whether all three others have said that they have all that is here."""
        return all(self.table.level_with(peer) for peer in self.peers.values())

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` holds; it is asked again after every change."""
        while not condition():
            await self.next_change()

    async def change_within(self, seconds: float) -> None:
        """Wait for the next change, but no longer than so."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.next_change()

    async def next_change(self) -> None:
        """Wait until something that a player may see has changed, or a peer has reported its log."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiter)
        try:
            await waiter
        finally:
            self._waiting.discard(waiter)

    def _perform(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Persist):
                self._store.append(self.table.genesis.match_id, map(_record, effect.events))
            elif isinstance(effect, Send):
                for peer in self.peers.values() if effect.peer is None else [effect.peer]:
                    self._send(peer, effect.frame)
            elif isinstance(effect, Changed):
                self._wake()
            elif isinstance(effect, Later) and not self._working:
                self._working = True
                self._later(self._do_work)

    def _do_work(self) -> None:
        self._working = False
        self._perform(self.table.work())

    def _wake(self) -> None:
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)


def _record(event: Event) -> Record:
    return Record(event.author, event.seq, event.id, event.signed.data, event.signed.signature)
