"""The host's side of a table: hands out seats, proposes the genesis, and opens match after match (§9.6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Self

from engine.cards import SEATS, Seat
from engine.options import Options
from node.errors import TableClosed
from node.i18n import tr
from node.live import LiveTable
from node.lobby.host import Introduction
from node.node import Node
from node.seating.frames import (
    HERE,
    LEAVE,
    WISH,
    Address,
    Occupant,
    Seating,
    decode_here,
    decode_wish,
    genesis_frame,
    leave_frame,
)
from node.seating.going_on import GoingOn
from node.seating.places import Places, SeatedGuest
from node.storage.keyfiles import link_name, raw_key
from protocol.encoding import Value
from protocol.genesis import Genesis, Member
from protocol.limits import DEFAULT_GRACE

__all__ = ["Host"]

_SILENT_SECONDS = 6.0


class Host:
    """Holds seat 0 and seats the others in the order of their wishes and arrival.

    Where a match is gone on with, all have the seats that they had in it, the host too, and one seat may go
    to somebody else.
    """

    def __init__(
        self,
        node: Node,
        table_id: bytes,
        table_name: str,
        options: Options,
        *,
        grace: int = DEFAULT_GRACE,
        for_show: bool = False,
        going_on: GoingOn | None = None,
        changed: Callable[[], None] = lambda: None,
        held: bool = False,
    ) -> None:
        """`grace` is in seconds (§7.12). `changed` is called when somebody sits down or leaves.

        Where the first match is `held` it does not begin by itself: somebody may still want another seat.

        `going_on` is a match of this player's that the first one here goes on with, by the same options.
        """
        self.table_id = table_id
        self.table_name = table_name
        self._node = node
        self.going_on = going_on
        self._options = options
        self._grace = grace
        self._for_show = for_show
        self._changed = changed
        self.held = held
        self._round = 0
        self._secret, self.nonce = node.new_secret(0)
        self._guests = Places()
        self._wake = asyncio.Event()
        self._left: str | None = None
        self._proposal: bytes | None = None
        profile = node.profile
        self._owned = going_on.owned if going_on is not None else {profile.identity_public: 0}
        self.seat: Seat = self._owned[profile.identity_public]
        self._me = Occupant(profile.name, profile.identity_public, raw_key(profile.transport.public), ())
        node.control = self._control
        node.ticked = self._tick

    @classmethod
    def of_going_on(
        cls, node: Node, table_id: bytes, going_on: GoingOn, changed: Callable[[], None] = lambda: None
    ) -> Self:
        """The host of a table at which a match of this player's goes on, by the options that it had."""
        old = going_on.genesis
        rules = partial(cls, grace=old.grace, for_show=old.for_show, going_on=going_on)
        return rules(node, table_id, old.table, old.options, changed=changed)

    @property
    def seats(self) -> tuple[str | None, ...]:
        """Who sits where, by name; None for a free seat."""
        return tuple(one.name if one else None for one in self._occupants())

    @property
    def wishes(self) -> tuple[Seat | None, ...]:
        """By seat, which seat its guest would like better: one that somebody else has."""
        return self._guests.wishes

    def free_seats(self) -> int:
        """How many guests are still missing."""
        return len(SEATS) - 1 - len(self._guests) if self._round == 0 else 0

    def seats_to_ask_for(self) -> int:
        """In how many seats nobody has said to be sitting yet.

        Who was let in but never heard of it (the answer at the door was lost) may ask again.
        """
        return self.free_seats() + sum(guest.ready is None for guest in self._guests.values())

    def seats_for_new(self) -> int:
        """How many more could come who were not in the match that goes on here; else how many at all."""
        if self.going_on is None:
            return self.free_seats()
        return min(1, self.free_seats()) if self._guests.newcomer(self._owned) is None else 0

    def begin(self) -> None:
        """Hold the first match no longer."""
        self.held = False
        self._wake.set()

    def swap(self, one: Seat, other: Seat) -> None:
        """Let two guests change seats, or move one to a free seat, before the first match."""
        movable = self._round == 0 and self.going_on is None and self.seat not in (one, other)
        if movable and one != other:
            self._guests.swap(one, other)
            self._guests.fill(self.seat)
            self._tell()
            self._changed()

    def _hear_wish(self, seat: Seat, wish: Seat | None) -> None:
        """Give a guest the seat that it would like if nobody is against that; else note the wish."""
        if self._round > 0 or self.going_on is not None or wish == self.seat:
            return
        before = self._guests.wishes
        granted = self._guests.wish(seat, wish)
        if granted is not None:
            self.swap(seat, granted)
        elif self._guests.wishes != before:
            self._changed()

    async def admit(self, guest: Introduction, address: tuple[str, int]) -> str | None:
        """Give a guest that has proven the code a seat; return a refusal in words, or None."""
        occupant = Occupant(guest.name, guest.identity, raw_key(guest.transport), ())
        if guest.link_port:
            occupant = replace(occupant, addresses=(address,))
        before = next((s for s, g in self._guests.items() if g.occupant.identity == guest.identity), None)
        if before is not None:
            if self._guests[before].ready is not None:
                return tr("You are sitting at this table already.")
            self._lose(before)  # It never heard that it had a seat, and asks again.
        seat = self._seat_for(guest)
        if isinstance(seat, str):
            return seat
        self._guests[seat] = SeatedGuest(occupant, time.monotonic())
        self._node.link.allow(guest.transport)
        self._node.link.connect(guest.transport, occupant.addresses)
        self._tell()
        self._changed()
        return None

    async def next_match(self) -> LiveTable:
        """Wait until all three guests are ready, then begin; raises TableClosed if one leaves."""
        previous = self._node.live.table if self._node.live else None
        if self._round > 0:
            self._secret, self.nonce = self._node.new_secret(self._round)
        self._tell()
        while not self._all_ready():
            if self._left is not None:
                raise TableClosed(tr("{name} has left the table.", name=self._left))
            self._wake.clear()
            await self._wake.wait()
        genesis = self._genesis()
        if previous is not None:
            genesis = replace(genesis, first_leader=previous.state.leader, previous=previous.match_id)
        elif self.going_on is not None:
            genesis = replace(genesis, standing=self.going_on.standing, previous=self.going_on.previous)
        self._round += 1
        self._proposal = genesis.encode()
        live = self._node.begin(genesis, self.seat, self._secret, self._addresses())
        self._tell()
        return live

    def _genesis(self) -> Genesis:
        """The agreement among those who are here, as a first match at a table."""
        seated = [one for one in self._occupants() if one is not None]
        ready = {seat: guest.ready for seat, guest in self._guests.items()}
        nonces = {self.seat: self.nonce} | {seat: said[1] for seat, said in ready.items() if said}
        return Genesis(
            table=self.table_name,
            options=self._options,
            roster=tuple(Member(one.identity, one.transport, one.name) for one in seated),
            nonces=tuple(nonces[seat] for seat in SEATS),
            for_show=self._for_show,
            grace=self._grace,
        )

    def _addresses(self) -> dict[Seat, tuple[Address, ...]]:
        return {seat: guest.occupant.addresses for seat, guest in self._guests.items()}

    def close(self) -> None:
        """Tell the guests that the table is closed."""
        for guest in self._guests.values():
            self._node.link.send(link_name(guest.occupant.transport), leave_frame(self.table_id))

    def _occupants(self) -> list[Occupant | None]:
        seated = {seat: guest.occupant for seat, guest in self._guests.items()} | {self.seat: self._me}
        return [seated.get(seat) for seat in SEATS]

    def _seat_for(self, guest: Introduction) -> Seat | str:
        """The guest's own seat in a match that goes on, else a free one, or a refusal in words."""
        free = self._guests.free(self.seat)
        if self._round > 0 or not free:
            return tr("All seats are taken.")
        own = self._owned.get(guest.identity)
        if own is not None:
            if own in self._guests:  # By somebody new, who can have another seat as well.
                self._guests[free[0]] = self._guests.pop(own)
            return own
        if self.going_on is not None and self._guests.newcomer(self._owned) is not None:
            names = (self.going_on.genesis.roster[seat].name for seat in free)
            return tr(
                "One seat of this match can go to somebody new, and it is taken. Kept for others: {names}.",
                names=", ".join(names),
            )
        wished = [seat for seat in free if str(seat) == guest.wish]
        return (wished or free)[0]

    def _all_ready(self) -> bool:
        return (
            not self.held
            and len(self._guests) == len(SEATS) - 1
            and all(
                guest.ready is not None and guest.ready[0] == self._round for guest in self._guests.values()
            )
        )

    def _control(self, peer: bytes, kind: str, fields: tuple[Value, ...]) -> None:
        seat = next((s for s, g in self._guests.items() if link_name(g.occupant.transport) == peer), None)
        if seat is None:
            return
        if kind == HERE:
            table_id, number, nonce = decode_here(fields)
            if table_id == self.table_id:
                guest = self._guests[seat]
                guest.heard, guest.ready = time.monotonic(), (number, nonce)
                self._wake.set()
        elif kind == WISH:
            table_id, wish = decode_wish(fields)
            if table_id == self.table_id:
                self._hear_wish(seat, wish)
        elif kind == LEAVE and fields == (self.table_id,):
            self._lose(seat)

    def _tick(self) -> None:
        if self._round == 0:
            silent = [s for s, g in self._guests.items() if time.monotonic() - g.heard > _SILENT_SECONDS]
            for seat in silent:
                self._lose(seat)
        self._tell()

    def _lose(self, seat: Seat) -> None:
        """A guest has left: its seat is free again before the first match; later the table is closed."""
        if self._round == 0:
            gone = self._guests.pop(seat)
            self._guests.fill(self.seat)
            self._node.link.revoke(link_name(gone.occupant.transport))
            self._tell()
            self._changed()
        else:
            self._left = self._guests[seat].occupant.name
            self._wake.set()

    def _tell(self) -> None:
        """Repeat who sits where, and the proposal until everybody has accepted it."""
        live = self._node.live
        seating = Seating(
            self.table_id,
            self.table_name,
            self._round,
            self._options,
            self._for_show,
            tuple(self._occupants()),
            self._grace,
            self.going_on if self._round == 0 else None,
        )
        frames = [seating.encode()]
        if self._proposal is not None and live is not None and not all(live.table.match.accepted):
            frames.append(genesis_frame(self.table_id, self._proposal))
        for guest in self._guests.values():
            for frame in frames:
                self._node.link.send(link_name(guest.occupant.transport), frame)
