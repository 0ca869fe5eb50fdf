"""One visit from a page to a table: from the door to the goodbye, with whatever bots come along."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Final, Protocol

from node.errors import TableClosed, WishRefused
from node.i18n import tr
from node.live import LiveTable
from node.lobby.join import JoinedTable
from node.lobby.table_link import TableLink
from node.network.addresses import LOOPBACK, own_addresses
from node.node import Node
from node.seating.bot_seats import BotSeats, bot_names, bot_pause
from node.seating.door import OpenLobby, Watching, join_by, open_lobby
from node.seating.evening import Observer, Seat, play_matches
from node.seating.going_on import GoingOn
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.old_match import match_to_go_on, read_kept
from node.seating.returning import ReturnedSeat, last_place, match_to_resume
from node.storage.profile import Profile
from node.storage.recent import RecentTable, RecentTables
from node.web.gathering import Gathering
from node.web.hall import Hosting, Joining, Reopening, Resuming
from node.web.leaving import AttendedSeat, Door
from node.web.onlookers import Onlookers
from node.web.picture import Json
from node.web.settings import ParlourSettings
from node.web.sitting import Sitting
from node.web.wishes import Viewing, Wish
from node.words.continuing import kept_lines, owners, standing_lines

__all__ = ["Visit"]

_GOODBYE_SECONDS: Final = 0.2


class _OpenNode(Protocol):
    def __call__(self, listen: str, port: int = 0) -> contextlib.AbstractAsyncContextManager[Node]: ...


class Visit:
    """Who comes (`gathering`), and how it is played (`sitting`). Needs the running event loop."""

    def __init__(
        self, profile: Profile, settings: ParlourSettings, changed: Callable[[], None], open_node: _OpenNode
    ) -> None:
        """`changed` is called when the page has something new to draw."""
        self._profile = profile
        self._settings = settings
        self._changed = changed
        self._open_node = open_node
        self.door = Door()
        self.gathering: Gathering | None = None
        self.sitting: Sitting | None = None
        self.notice: str | None = None
        """Why the table is closed, while the sheet of the match stays on the screen."""
        self._onlookers: Onlookers | None = None

    def act(self, wish: Wish) -> None:
        """Do what the page wants; raises NodeError with the reason where it cannot be."""
        if wish.kind == "leave":
            self.door.leave()
        elif self.sitting is not None:
            self.sitting.act(wish)
        elif self.gathering is not None:
            self.gathering.act(wish)
        else:
            raise WishRefused(tr("That is not possible at this moment."))

    def shown(self) -> Json:
        """What the page draws: its stage, and what is on it."""
        onlookers = None if self._onlookers is None else self._onlookers.picture()
        if self.sitting is not None:
            return {"stage": "table", "table": {**self.sitting.picture(), "onlookers": onlookers}}
        if self.gathering is not None:
            return {"stage": "gathering", "gathering": {**self.gathering.picture(), "onlookers": onlookers}}
        return {"stage": "waiting"}

    async def pay(self, choice: Hosting | Joining | Resuming | Reopening) -> None:
        """Go to the table, play, and leave; raises PersonLeft and NodeError."""
        bots = BotSeats(self._profile.path / "bots", pause=bot_pause(beside_people=True))
        try:
            match choice:
                case Hosting():
                    await self._host(choice, bots)
                case Reopening():
                    await self._reopen(choice, bots)
                case Joining():
                    await self._join(choice, bots)
                case Resuming():
                    await self._resume(choice, bots)
        finally:
            await asyncio.to_thread(bots.stop)

    async def _host(self, choice: Hosting, bots: BotSeats) -> None:
        listen = LOOPBACK if choice.alone else self._settings.listen
        async with self._open_node(listen) as node:
            host = Host(
                node,
                secrets.token_bytes(16),
                choice.table or tr("{name}'s table", name=node.profile.name)[:24],
                choice.options,
                grace=choice.grace,
                changed=self._changed,
                held=not choice.alone,
            )
            async with self._lobby(node, host, choice.viewing, alone=choice.alone) as opened:
                self._gather(host, bots, opened, choice.bots, choice.level)
                await self._gather_and_play(node, host, bots, opened)

    async def _reopen(self, choice: Reopening, bots: BotSeats) -> None:
        """Open the table of a match again in which a player is gone for good (§7.13)."""
        listen = self._settings.listen
        async with self._open_node(listen) as node:
            stored = match_to_go_on(node.store, choice.match)
            going_on, deals = await self.door.unless_left(read_kept(node.store, stored))
            before, own = going_on.genesis, node.profile.identity_public
            host = Host.of_going_on(node, secrets.token_bytes(16), going_on, self._changed)
            async with self._lobby(node, host, choice.viewing) as opened:
                bots.bring_back(before.match_id, (LOOPBACK, opened.port), own, listen)
                story = partial(kept_lines, going_on, deals, stored.seat)
                self._gather(host, bots, opened, choice.bots, choice.level, story)
                await self._gather_and_play(node, host, bots, opened)

    @contextlib.asynccontextmanager
    async def _lobby(
        self, node: Node, host: Host, viewing: Viewing, *, alone: bool = False
    ) -> AsyncIterator[OpenLobby]:
        """Let guests in, and those who watch: from the network, or `alone` only bots of this computer."""
        watching = Watching(delay=viewing.delay, changed=lambda _name, _came: self._changed())
        async with open_lobby(
            node,
            host,
            listen=LOOPBACK if alone else self._settings.listen,
            port=0 if alone else self._settings.port,
            interfaces=None if alone else self._settings.interfaces,
            on_new_code=lambda _code: self._changed(),
            watching=watching if viewing.allowed and not alone else None,
        ) as opened:
            if opened.gallery is not None:
                self._onlookers = Onlookers(opened.gallery, viewing.delay, self._link(opened))
            yield opened

    def _gather(
        self,
        host: Host,
        bots: BotSeats,
        opened: OpenLobby,
        count: int,
        level: str,
        story: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Show who comes, and bring so many bots of this level."""
        self.gathering = Gathering(
            host,
            bring=lambda level: self._bring(bots, 1, level, host, opened),
            levels=bots.kinds,
            link=self._link(opened),
            story=story,
        )
        self._bring(bots, count, level, host, opened)
        self._changed()

    def _bring(self, bots: BotSeats, count: int, level: str, host: Host, opened: OpenLobby) -> None:
        names = bot_names(count, {self._profile.name, *filter(None, host.seats), *_awaited(host)})
        address = (LOOPBACK, opened.port)
        bots.start(names, host.table_name, opened.code, address, self._settings.listen, level)

    def _link(self, opened: OpenLobby) -> Callable[[], TableLink]:
        listen = self._settings.listen
        addresses = own_addresses() if listen == "*" else (listen,)
        return lambda: TableLink(addresses or (LOOPBACK,), opened.port, opened.table_id, opened.code)

    async def _join(self, choice: Joining, bots: BotSeats) -> None:
        listen = self._settings.listen
        async with self._open_node(listen) as node:
            entering = join_by(node, choice.way, choice.code, changed=self._changed)
            guest, joined = await self.door.unless_left(node.guard(entering))
            own = node.profile.identity_public
            self.gathering = Gathering(guest, story=lambda: _standing(guest, own))
            self._changed()
            self._remember(joined)
            await self.door.unless_left(node.guard(guest.shown()))
            if guest.going_on is not None:
                bots.bring_back(guest.going_on.previous, joined.lobby, joined.host.identity, listen)
            await self._gather_and_play(node, guest, bots)

    async def _gather_and_play(
        self, node: Node, seat: Host | Guest, bots: BotSeats, opened: OpenLobby | None = None
    ) -> None:
        try:
            first = await self.door.unless_left(node.guard(bots.beside(seat.next_match())))
            if opened is not None:
                node.run_errand(opened.tell_playing())
            await self._play(node, AttendedSeat(seat, self.door), bots, first, seat.going_on)
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

    async def _play(
        self,
        node: Node,
        seat: Seat,
        bots: BotSeats,
        first: LiveTable,
        going_on: GoingOn | None = None,
    ) -> None:
        self.sitting = Sitting(
            self._changed, node.say_phrase, pause=bot_pause(beside_people=True), going_on=going_on
        )
        node.said = self.sitting.hear
        self.sitting.live = first
        evening = play_matches(node, seat, self.sitting, first, Observer())
        try:
            await self.door.unless_left(bots.beside(evening))
        except TableClosed as closed:
            # The sheet of the match stays on the screen until it has been seen.
            self.notice = str(closed)
            self._changed()
            if self.sitting.live.table.finished:
                await self.door.unless_left(asyncio.Event().wait())

    def _remember(self, joined: JoinedTable) -> None:
        host = joined.host
        table = RecentTable(joined.table_name, host.name, host.identity, (joined.lobby,), time.time())
        RecentTables(self._profile.path).remember(table)


def _standing(guest: Guest, identity: bytes) -> list[str]:
    """What a guest with this identity key reads of the match that goes on, if one does."""
    return [] if guest.going_on is None else standing_lines(guest.going_on, identity)


def _awaited(host: Host) -> list[str]:
    """The names of those for whom seats are kept, whether they have come or not."""
    return [] if host.going_on is None else owners(host.going_on)
