"""A guest's side of a table: says that it is here, checks the proposed genesis, and sits down (§9.6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from engine.cards import SEATS, Seat
from node.errors import TableClosed
from node.i18n import tr
from node.live import LiveTable
from node.lobby.host import JoinedTable
from node.network.addresses import is_loopback
from node.node import Node
from node.seating.frames import (
    GENESIS,
    LEAVE,
    SEATS_FRAME,
    Address,
    Occupant,
    Seating,
    decode_blob,
    decode_seating,
    here_frame,
    leave_frame,
    wish_frame,
)
from node.seating.going_on import GoingOn, check_next_genesis
from node.seating.old_match import check_shown
from node.storage.keyfiles import link_name, raw_key
from protocol.encoding import Value
from protocol.errors import GenesisError
from protocol.genesis import Genesis, Member, decode_genesis

__all__ = ["Guest"]

_SILENT_SECONDS = 10.0
"""A host that says nothing for so long between matches has gone; it speaks every second."""

_T = TypeVar("_T")


class Guest:
    """Sits at a table that another node hosts, after the lobby has exchanged keys with the host."""

    def __init__(
        self,
        node: Node,
        joined: JoinedTable,
        secret: tuple[bytes, bytes],
        *,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`secret` is the first match's, with its nonce. `changed` is called when somebody comes or goes."""
        self.table_id = joined.table_id
        self.table_name = joined.table_name
        self._node = node
        self._host = joined.host.transport
        self._host_keys = (joined.host.identity, raw_key(joined.host.transport))
        self._host_address = joined.address[0]
        self._changed = changed
        self._seating: Seating | None = None
        self._shown = asyncio.Event()
        self._going_on: GoingOn | None = None
        self._agreed = False
        self._round = 0
        self._waiting = False
        self._wish: Seat | None = None
        self._wishes = False
        self._secret, self._nonce = secret
        self._host_nonce = joined.host.nonce
        self._reached: dict[bytes, list[Address]] = {}
        self._proposals: asyncio.Queue[bytes] = asyncio.Queue(4)
        self._closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._heard = time.monotonic()
        node.control = self._control
        node.ticked = self._tick
        node.link.allow(self._host)
        self._host_link = [(self._host_address, joined.host.link_port)]
        node.link.connect(self._host, self._host_link)

    @property
    def seats(self) -> tuple[str | None, ...]:
        """Who sits where, by name, as the host says; None for a free seat."""
        if self._seating is None:
            return (None,) * len(SEATS)
        return tuple(one.name if one else None for one in self._seating.seats)

    @property
    def seat(self) -> Seat | None:
        """Where this player sits, as the host says."""
        return self._seat_of(self._node.profile.identity_public)

    @property
    def host_seat(self) -> Seat | None:
        """Where the host sits."""
        return self._seat_of(self._host_keys[0])

    @property
    def wish(self) -> Seat | None:
        """The seat that this player has asked for and not got."""
        return self._wish

    def ask_for(self, seat: Seat | None) -> None:
        """Ask the host for another seat before the first match; None: be content with the own one."""
        self._wish, self._wishes = seat, True
        self._node.link.send(self._host, wish_frame(self.table_id, seat))
        self._changed()

    def _seat_of(self, identity: bytes) -> Seat | None:
        seats = () if self._seating is None else self._seating.seats
        return next((seat for seat, one in enumerate(seats) if one and one.identity == identity), None)

    @property
    def going_on(self) -> GoingOn | None:
        """The match that the first one here goes on with, as the host says, if it does."""
        if self._agreed or self._seating is None:
            return self._going_on
        return self._seating.going_on

    async def shown(self) -> None:
        """Wait until the host has told who sits where; raises TableClosed."""
        await self._unless_closed(self._shown.wait())

    async def next_match(self) -> LiveTable:
        """Be ready for the next match and wait until it begins; raises TableClosed and CannotGoOn."""
        if self._round > 0:
            self._secret, self._nonce = self._node.new_secret(self._round)
        self._waiting, self._heard = True, time.monotonic()
        self._tick()
        await self._unless_closed(self._agree())
        while True:
            proposal = await self._unless_closed(self._proposals.get())
            try:
                genesis = decode_genesis(proposal)
                seat = self._check(genesis)
            except GenesisError:
                continue  # Of another round, or not what was agreed; the host will repeat the right one.
            self._round += 1
            self._waiting = False
            return self._node.begin(genesis, seat, self._secret, self._addresses(genesis))

    def close(self) -> None:
        """Tell the host that this seat is free."""
        self._node.link.send(self._host, leave_frame(self.table_id))

    async def _unless_closed(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do the work, but raise TableClosed when the host goes before it is done."""
        task = asyncio.ensure_future(work)
        either: set[asyncio.Future[Any]] = {task, self._closed}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise TableClosed(self._closed.result())
            return task.result()
        finally:
            task.cancel()

    async def _agree(self) -> None:
        """See what the host offers, and whether it is true, before being ready for the first match here."""
        await self._shown.wait()
        if self._agreed or self._seating is None:
            return
        self._going_on = self._seating.going_on
        if self._going_on is not None:
            await check_shown(self._node.store, self._going_on, self._node.profile.identity_public)
        self._agreed = True
        self._tick()

    def _addresses(self, genesis: Genesis) -> dict[Seat, list[Address]]:
        """Where the others of a match can be reached, as far as that is known."""
        known = self._reached | {self._host: self._host_link}
        names = enumerate(link_name(member.transport) for member in genesis.roster)
        return {seat: known[name] for seat, name in names if name in known}

    def _check(self, genesis: Genesis) -> Seat:
        """Accept only what the host has shown, with this player's own key, name and nonce in its seat.

        The seat in which this player is then. Raises GenesisError, and CannotGoOn where people should know.
        """
        profile = self._node.profile
        seating = self._seating
        me = Member(profile.identity_public, raw_key(profile.transport.public), profile.name)
        if seating is None or me not in genesis.roster:
            raise GenesisError("roster", "this player is not in the roster")
        seat = genesis.roster.index(me)
        if genesis.nonces[seat] != self._nonce:
            raise GenesisError("nonce", "the nonce is not the one that this player has sent")
        keys = [(member.identity, member.transport) for member in genesis.roster]
        if self._host_keys not in keys:
            raise GenesisError("roster", "the host is not in the roster")
        if self._round == 0 and genesis.nonces[keys.index(self._host_keys)] != self._host_nonce:
            raise GenesisError("nonce", "the host's nonce is not the one that it has sent")
        shown = tuple(one and Member(one.identity, one.transport, one.name) for one in seating.seats)
        if (
            genesis.roster != shown
            or (genesis.options, genesis.grace) != (seating.options, seating.grace)
            or genesis.for_show != seating.for_show
        ):
            raise GenesisError("roster", "the proposal is not what the host has shown before")
        if genesis.table != self.table_name:
            raise GenesisError("table", "the proposal is for a table of another name")
        self._check_before(genesis)
        return seat

    def _check_before(self, genesis: Genesis) -> None:
        """Only the match before it at this table, or the one that it goes on with, has a say in a match."""
        if self._round == 0 and self._going_on is not None:
            check_next_genesis(self._going_on, genesis, self._node.profile.identity_public)
            return
        before = self._node.live.table if self._node.live else None
        if genesis.standing is not None:
            raise GenesisError("standing", "the proposal goes on with a match that the host has not shown")
        if genesis.previous != (before.match_id if before else None):
            raise GenesisError("previous", "the proposal follows another match")
        if before is not None and genesis.first_leader != before.state.leader:
            raise GenesisError("leader", "the first lead belongs to the winner of the last trick")

    def _control(self, peer: bytes, kind: str, fields: tuple[Value, ...]) -> None:
        if peer != self._host:
            return
        self._heard = time.monotonic()
        if kind == SEATS_FRAME:
            self._take_seating(decode_seating(fields))
        elif kind == GENESIS:
            table_id, genesis = decode_blob(fields)
            if table_id == self.table_id and not self._proposals.full():
                self._proposals.put_nowait(genesis)
        elif kind == LEAVE and fields == (self.table_id,):
            self._close(tr("The host has closed the table."))

    def _close(self, reason: str) -> None:
        if not self._closed.done():
            self._closed.set_result(reason)

    def _take_seating(self, seating: Seating) -> None:
        if seating.table_id != self.table_id or seating == self._seating:
            return
        self._seating = seating
        for occupant in seating.seats:
            if occupant is not None and occupant.identity != self._node.profile.identity_public:
                self._reach(occupant)
        self._let_go(seating)
        if self.seat == self._wish:
            self._wish = None
        self._shown.set()
        self._changed()

    def _reach(self, occupant: Occupant) -> None:
        """Let another guest in, and dial it. What the host calls loopback is the host's own machine."""
        name = link_name(occupant.transport)
        # Once a match has begun, its players are those who can come back; the host cannot bring others.
        if name == self._host or (self._live_peers and name not in self._live_peers):
            return
        addresses = [
            (self._host_address if is_loopback(host) else host, port) for host, port in occupant.addresses
        ]
        self._reached[name] = addresses
        self._node.link.allow(name)
        self._node.link.connect(name, addresses)

    def _let_go(self, seating: Seating) -> None:
        """Hang up on guests who have left: else keys and connections would grow with every guest."""
        seated = {link_name(one.transport) for one in seating.seats if one is not None}
        for name in self._reached.keys() - seated - self._live_peers:
            del self._reached[name]
            self._node.link.revoke(name)

    @property
    def _live_peers(self) -> frozenset[bytes]:
        live = self._node.live
        return frozenset(live.peers.values() if live is not None else ())

    def _tick(self) -> None:
        if time.monotonic() - self._heard > _SILENT_SECONDS:
            self._close(tr("The host's computer does not answer any more."))
        if self._waiting:
            ready = self._round if self._agreed else None
            self._node.link.send(self._host, here_frame(self.table_id, ready, self._nonce))
            if self._wishes and self._round == 0:
                self._node.link.send(self._host, wish_frame(self.table_id, self._wish))
