"""One person's evening at a page: choose a table, gather, play match after match, and choose again."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from node.errors import NodeError, TableClosed, WishRefused
from node.i18n import speaking, tr
from node.lobby.join import JoinedTable
from node.lobby.table_link import TableLink
from node.network.addresses import LOOPBACK, own_addresses
from node.network.discovery import Interfaces
from node.node import Node
from node.seating.advising import Adviser, Consider, by_hard_bot
from node.seating.bot_seats import BotSeats, bot_names, bot_pause
from node.seating.door import OpenLobby, join_by, open_lobby
from node.seating.evening import Observer, Seat, play_matches
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.returning import ReturnedSeat, last_place, match_to_resume
from node.storage.profile import Profile
from node.storage.recent import RecentTable, RecentTables
from node.storage.store import Store
from node.web.checking import check_match
from node.web.gathering import Gathering
from node.web.hall import Hall, Hosting, Joining, Resuming
from node.web.hinting import hint_picture
from node.web.picture import Json
from node.web.qr import qr_rows
from node.web.sitting import Sitting
from node.web.wishes import Wish

__all__ = ["Parlour", "ParlourSettings"]

_GOODBYE_SECONDS: Final = 0.2

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ParlourSettings:
    """Where a node listens (`listen`, an address or "*") and where tables are announced and looked for.

    `interfaces` None: no multicast at all. `port` is where guests find the lobby, None the usual one.
    `consider` thinks about hints.
    """

    listen: str
    interfaces: Interfaces | None
    port: int | None = None
    language: str = "en"
    consider: Consider = by_hard_bot


class _Left(Exception):
    """The person has left the table."""


class Parlour:
    """Everything behind one page. `changed` is called when the page has something new to draw."""

    def __init__(self, profile: Profile, settings: ParlourSettings, changed: Callable[[], None]) -> None:
        self._profile = profile
        self._settings = settings
        self._changed = changed
        self.language = settings.language
        self._notice: str | None = None
        self._node: Node | None = None
        self._hall: Hall | None = None
        self._gathering: Gathering | None = None
        self.sitting: Sitting | None = None
        self.neighbours: list[Parlour] = []
        """The other pages of this program, for people who share the computer."""
        self.phone_link: str | None = None
        """The link for other devices on this network, where the page is shared with them."""
        self._leave: asyncio.Future[None] | None = None
        self._adviser = Adviser(settings.consider)

    async def run(self) -> None:
        """Go from table to table, for ever. Raises NodeError where this computer's part cannot go on."""
        while True:
            choice = await self._choose()
            with speaking(self.language):
                try:
                    await self._visit(choice)
                except _Left:
                    self._notice = None
                except NodeError as error:
                    self._notice = str(error)
            self._gathering = self.sitting = self._leave = None
            self._changed()

    @property
    def store(self) -> Store | None:
        """The matches on disk; None for the moment between two tables."""
        return None if self._node is None else self._node.store

    # What the page sees and wants

    def picture(self) -> Json:
        """What the page draws."""
        shown: Json = {"me": self._profile.name, "notice": self._notice, "phone": self._phone()}
        if self.sitting is not None and self.sitting.live is not None:
            return {**shown, "stage": "table", "table": self.sitting.picture()}
        if self._gathering is not None:
            return {**shown, "stage": "gathering", "gathering": self._gathering.picture()}
        if self._hall is not None:
            return {**shown, "stage": "hall", "hall": self._hall.picture()}
        return {**shown, "stage": "waiting"}

    def _invitations(self) -> list[Json]:
        """Tables of others on this computer."""
        found = (one.invitation for one in self.neighbours if one is not self)
        return [invitation for invitation in found if invitation is not None]

    @property
    def invitation(self) -> Json | None:
        """The table that is open here, for others on this computer."""
        invitation = None if self._gathering is None else self._gathering.invitation
        return None if invitation is None else {**invitation, "host": self._profile.name}

    def _phone(self) -> Json | None:
        """How a phone on this network opens this page."""
        return None if self.phone_link is None else {"link": self.phone_link, "qr": qr_rows(self.phone_link)}

    async def check(self) -> Json:
        """Audit the match at this table as far as it has come; raises WishRefused."""
        live = None if self.sitting is None else self.sitting.live
        if live is None:
            raise WishRefused(tr("There is no match to check at this moment."))
        return await check_match(self.store, live.table.match_id)

    async def hint(self) -> Json | None:
        """What to play now and why; None where the table has changed meanwhile. Raises NodeError."""
        live = None if self.sitting is None else self.sitting.live
        if live is None:
            raise WishRefused(tr("No match has begun yet."))
        return await hint_picture(self._adviser, live)

    def act(self, wish: Wish) -> None:
        """Do what the page wants; raises NodeError with the reason where it cannot be."""
        if wish.kind == "leave" and self._leave is not None:
            if not self._leave.done():
                self._leave.set_result(None)
        elif self.sitting is not None and self.sitting.live is not None:
            self.sitting.act(wish)
        elif self._gathering is not None:
            self._gathering.act(wish)
        elif self._hall is not None:
            self._notice = None
            if wish.kind == "name":
                self._profile.rename(wish.text("name"))
            else:
                self._hall.act(wish)
        else:
            raise WishRefused(tr("That is not possible at this moment."))
        self._changed()

    # From the door to the goodbye

    async def _choose(self) -> Hosting | Joining | Resuming:
        """Stand in the hall until the page has chosen."""
        async with self._open_node(LOOPBACK) as node:
            self._hall = Hall(node, self._settings.interfaces, self._changed, self._invitations)
            self._changed()
            try:
                return await node.guard(self._hall.choice())
            finally:
                self._hall = None

    @contextlib.asynccontextmanager
    async def _open_node(self, listen: str, port: int = 0) -> AsyncIterator[Node]:
        async with Node(self._profile, host=listen, port=port) as node:
            self._node = node
            try:
                yield node
            finally:
                self._node = None

    async def _visit(self, choice: Hosting | Joining | Resuming) -> None:
        self._leave = asyncio.get_running_loop().create_future()
        bots = BotSeats(self._profile.path / "bots", pause=bot_pause(beside_people=True))
        try:
            match choice:
                case Hosting():
                    await self._host(choice, bots)
                case Joining():
                    await self._join(choice, bots)
                case Resuming():
                    await self._resume(choice, bots)
        finally:
            await asyncio.to_thread(bots.stop)

    async def _host(self, choice: Hosting, bots: BotSeats) -> None:
        listen = LOOPBACK if choice.alone else self._settings.listen
        async with self._open_node(listen) as node:
            name = choice.table or tr("{name}'s table", name=node.profile.name)[:24]
            host = Host(
                node,
                secrets.token_bytes(16),
                name,
                choice.options,
                grace=choice.grace,
                changed=self._changed,
                held=not choice.alone,
            )
            async with open_lobby(
                node,
                host,
                listen=listen,
                port=0 if choice.alone else self._settings.port,
                interfaces=None if choice.alone else self._settings.interfaces,
                on_new_code=lambda _code: self._changed(),
            ) as opened:
                self._gathering = Gathering(
                    host,
                    bring=lambda level: self._bring(bots, 1, level, host, opened),
                    levels=bots.kinds,
                    link=self._link(opened),
                )
                self._bring(bots, choice.bots, choice.level, host, opened)
                self._changed()
                await self._gather_and_play(node, host, bots)

    def _bring(self, bots: BotSeats, count: int, level: str, host: Host, opened: OpenLobby) -> None:
        names = bot_names(count, {self._profile.name, *filter(None, host.seats)})
        address = (LOOPBACK, opened.port)
        bots.start(names, host.table_name, opened.code, address, self._settings.listen, level)

    def _link(self, opened: OpenLobby) -> Callable[[], TableLink]:
        listen = self._settings.listen
        addresses = own_addresses() if listen == "*" else (listen,)
        return lambda: TableLink(addresses or (LOOPBACK,), opened.port, opened.table_id, opened.code)

    async def _join(self, choice: Joining, bots: BotSeats) -> None:
        async with self._open_node(self._settings.listen) as node:
            entering = join_by(node, choice.way, choice.code, changed=self._changed)
            guest, joined = await self._unless_left(node.guard(entering))
            self._gathering = Gathering(guest)
            self._changed()
            self._remember(joined)
            await self._gather_and_play(node, guest, bots)

    async def _gather_and_play(self, node: Node, seat: Host | Guest, bots: BotSeats) -> None:
        try:
            first = await self._unless_left(node.guard(bots.beside(seat.next_match())))
            await self._play(node, _Attended(seat, self._unless_left), bots, first)
        finally:
            seat.close()
            node.run_errand(asyncio.sleep(_GOODBYE_SECONDS))

    async def _resume(self, choice: Resuming, bots: BotSeats) -> None:
        listen, port = last_place(self._profile, choice.match)
        async with self._open_node(listen, port) as node:
            match = match_to_resume(node.store, choice.match)
            live = node.resume(match)
            bots.resume(match.match_id, listen)
            await self._play(node, ReturnedSeat(), bots, live)

    async def _play(self, node: Node, seat: Seat, bots: BotSeats, first: Any) -> None:
        self.sitting = Sitting(self._changed, node.say_phrase, pause=bot_pause(beside_people=True))
        node.said = self.sitting.hear
        self.sitting.live = first
        evening = play_matches(node, seat, self.sitting, first, Observer())
        try:
            await self._unless_left(bots.beside(evening))
        except TableClosed as closed:
            # The sheet of the match stays on the screen until it has been seen.
            self._notice = str(closed)
            self._changed()
            if self.sitting.live.table.finished:
                await self._unless_left(asyncio.Event().wait())

    async def _unless_left(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do the work, but stop when the person leaves: raises _Left then."""
        task = asyncio.ensure_future(work)
        leave = self._leave
        if leave is None:
            raise LookupError("there is no table to leave")
        try:
            either: list[asyncio.Future[Any]] = [task, leave]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise _Left
            return await task
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, NodeError):
                await task

    def _remember(self, joined: JoinedTable) -> None:
        host = joined.host
        table = RecentTable(joined.table_name, host.name, host.identity, (joined.lobby,), time.time())
        RecentTables(self._profile.path).remember(table)


@dataclass(frozen=True, slots=True)
class _Attended:
    """A seat whose owner can leave while the next match is waited for."""

    seat: Seat
    unless_left: Callable[[Coroutine[Any, Any, Any]], Coroutine[Any, Any, Any]]

    async def next_match(self) -> Any:
        """Wait until all four are ready."""
        return await self.unless_left(self.seat.next_match())

    def close(self) -> None:
        """Leave the table."""
        self.seat.close()
