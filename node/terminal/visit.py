"""One visit to a table, from the door to the goodbye: gather, play match after match, leave."""

from __future__ import annotations

import asyncio
import random
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path

from zeroconf import InterfaceChoice

from engine import Options
from node.bots import BOTS
from node.errors import TableClosed, TableNotFound, WrongCode
from node.i18n import tr
from node.live import LiveTable
from node.network.addresses import LOOPBACK, own_addresses
from node.network.discovery import Interfaces, TableAd, browse, find_table
from node.network.link import PeerStatus
from node.node import Node
from node.seating.door import OpenLobby, join_table, open_lobby
from node.seating.evening import Observer, Seat, play_matches
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.players import BotPlayer, Player
from node.storage.profile import Profile
from node.terminal.bot_seats import BotSeats, bot_names, bot_pause
from node.terminal.gathering import AttendedSeat, Company, ask, attended, grouped_code, invitation, table_list
from node.terminal.inbox import Inbox
from node.terminal.narrator import Commentator
from node.terminal.person import Person
from node.terminal.screen import Screen

__all__ = ["PERSON", "TableSettings", "Visit"]

PERSON = "person"
_BROWSE_SECONDS = 2.5
_FIND_SECONDS = 5.0
_GOODBYE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the command line asks for.

    `play_as` is "person" or the name of a bot, `bots` the number of seats that bots fill and `bot_kind`
    their name. `table` names the table; a guest may give an `address` instead. `code` is the table's.
    `matches` None: as many as a person wants, one for a bot in the own seat. `listen` and `interfaces` say
    on which addresses to be found.
    """

    profile: Path
    name: str | None = None
    play_as: str = PERSON
    bots: int = 0
    bot_kind: str = "greedy"
    table: str | None = None
    options: Options = field(default_factory=Options)
    port: int = 0
    address: tuple[str, int] | None = None
    code: str | None = None
    matches: int | None = None
    listen: str = "*"
    interfaces: Interfaces = InterfaceChoice.All

    @property
    def pause(self) -> float:
        """How long bots wait before they play: not at all where nobody watches."""
        return bot_pause(beside_people=self.play_as == PERSON or self.bots < 3)


class _Outcome(Observer):
    """Remembers what the exit code depends on."""

    def __init__(self, inner: Observer) -> None:
        self.played = 0
        self.cheated = False
        self._inner = inner

    def match_begun(self, live: LiveTable) -> None:
        """Pass it on."""
        self._inner.match_begun(live)

    def match_over(self, live: LiveTable) -> None:
        """Count it, and pass it on."""
        self.played += 1
        self.cheated = self.cheated or live.table.verdict is not None
        self._inner.match_over(live)


class Visit:
    """What host and guest have in common. The coroutines return an exit code; all raise PersonLeft."""

    def __init__(self, settings: TableSettings, profile: Profile, screen: Screen, bots: BotSeats) -> None:
        self._settings = settings
        self._profile = profile
        self._screen = screen
        self._bots = bots
        self._inbox = Inbox()
        self._listening = False

    async def host(self, *, announced: bool) -> int:
        """Open a table, wait for three others, and play. Raises NodeError."""
        settings = self._settings
        if settings.play_as == PERSON:
            self._listen()
        async with Node(self._profile, host=settings.listen) as node:
            company = Company(self._screen, node.profile.name)
            name = settings.table or tr("{name}'s table", name=node.profile.name)[:24]
            host = Host(
                node,
                secrets.token_bytes(16),
                name,
                settings.options,
                changed=company.look,
            )
            company.follow(host)
            lobby = open_lobby(
                node,
                host,
                listen=settings.listen,
                port=settings.port,
                code=settings.code,
                interfaces=settings.interfaces if announced else None,
                on_new_code=self._say_new_code,
            )
            async with lobby as opened:
                self._invite(name, opened, announced=announced)
                self._fill_seats(name, opened.code, (LOOPBACK, opened.port), host.seats)
                first = await self._gathered(node, host)
            return await self._play(node, host, first)

    async def join(self) -> int:
        """Find a table, sit down, and play. Raises NodeError."""
        settings = self._settings
        if settings.play_as == PERSON:
            self._listen()
        async with Node(self._profile, host=settings.listen) as node:
            company = Company(self._screen, node.profile.name)
            ad = None if settings.address is not None else await self._find()
            if ad is not None:
                self._screen.say(tr("Table “{table}”, host {host}.", table=ad.name, host=ad.host_name))
            guest, code = await self._enter(node, ad, company)
            self._screen.say(tr("You sit at the table “{table}”.", table=guest.table_name))
            address = (ad.addresses[0], ad.port) if ad is not None else settings.address
            if address is not None:
                await node.guard(attended(company.seen.wait(), self._screen, self._inbox))
                self._fill_seats(guest.table_name, code, address, guest.seats)
            first = await self._gathered(node, guest)
            return await self._play(node, guest, first)

    # Before the match

    def _listen(self) -> None:
        """Begin to read what is typed; where a bot plays, only when there is something to ask."""
        if not self._listening:
            self._listening = True
            self._inbox.listen(sys.stdin.fileno())

    def _invite(self, table: str, opened: OpenLobby, *, announced: bool) -> None:
        if self._settings.bots >= 3:
            self._screen.say(tr("Three bots come to your table…"))
            return
        listen = self._settings.listen
        addresses = own_addresses() if listen == "*" else (listen,)
        self._screen.say(*invitation(table, addresses, opened.port, opened.code, announced=opened.announced))
        if announced and not opened.announced:
            self._screen.say(tr("It cannot be announced on this network, so guests need the address."))

    def _say_new_code(self, code: str) -> None:
        self._screen.say(
            tr("There were five wrong codes, so the code is a new one:  {code}", code=grouped_code(code))
        )

    def _fill_seats(
        self, table: str, code: str, address: tuple[str, int], seated: tuple[str | None, ...]
    ) -> None:
        names = bot_names(self._settings.bots, {self._profile.name, *filter(None, seated)})
        if names:
            self._bots.start(names, table, code, address, self._settings.listen)

    async def _gathered(self, node: Node, seat: Host | Guest) -> LiveTable:
        waiting = attended(seat.next_match(), self._screen, self._inbox)
        try:
            return await node.guard(self._bots.beside(waiting))
        except BaseException:
            self._say_goodbye(node, seat)
            raise

    async def _find(self) -> TableAd:
        """The table that was named, the only one, or the one that is chosen from a list."""
        wanted, interfaces = self._settings.table, self._settings.interfaces
        self._screen.say(tr("Looking for tables on this network…"))
        if wanted is not None:
            ad = await find_table(wanted, interfaces, _FIND_SECONDS)
            if ad is None:
                raise TableNotFound(
                    tr(
                        "No table “{name}” was found on this network. Ask the host for the address and type"
                        " it instead: kozel join HOST:PORT",
                        name=wanted,
                    )
                )
            return ad
        tables = [ad for ad in await browse(interfaces, _BROWSE_SECONDS) if ad.free_seats > 0]
        if not tables:
            raise TableNotFound(
                tr(
                    "No table with a free seat was found on this network. Ask the host for the address and"
                    " type it: kozel join HOST:PORT. Or open a table yourself: kozel host"
                )
            )
        if len(tables) == 1:
            return tables[0]
        return await self._chosen(tables)

    async def _chosen(self, tables: list[TableAd]) -> TableAd:
        self._listen()
        self._screen.say(*table_list(tables))
        while True:
            text = await ask(self._screen, self._inbox, tr("Which table (a number)? "))
            if text.isascii() and text.isdigit() and 1 <= int(text) <= len(tables):
                return tables[int(text) - 1]
            self._screen.say(tr("Type a number from 1 to {count}.", count=len(tables)))

    async def _enter(self, node: Node, ad: TableAd | None, company: Company) -> tuple[Guest, str]:
        """Show the code at the door; a wrong one that was typed can be typed again."""
        settings = self._settings
        while True:
            code = settings.code or await self._ask_code()
            try:
                guest = await join_table(
                    node,
                    code,
                    table=ad.table_id if ad else None,
                    address=settings.address,
                    interfaces=settings.interfaces,
                    changed=company.look,
                )
            except WrongCode as error:
                if settings.code is not None:
                    raise
                self._screen.say(str(error))
            else:
                company.follow(guest)
                return guest, code

    async def _ask_code(self) -> str:
        self._listen()
        return await ask(self._screen, self._inbox, tr("Code on the host's screen: "))

    # The matches

    async def _play(self, node: Node, seat: Host | Guest, first: LiveTable) -> int:
        person = self._settings.play_as == PERSON
        outcome = _Outcome(Observer() if person else Commentator(self._screen))
        attended_seat: Seat = AttendedSeat(seat, self._screen, self._inbox)
        evening = play_matches(node, attended_seat, self._player(node), first, outcome)
        try:
            await self._bots.beside(evening)
        except TableClosed as closed:
            if outcome.played == 0:
                raise
            self._screen.say(str(closed))
        finally:
            self._say_goodbye(node, seat)
        return 1 if outcome.cheated else 0

    def _player(self, node: Node) -> Player:
        settings = self._settings
        if settings.play_as != PERSON:
            choose = BOTS[settings.play_as]
            return BotPlayer(
                choose, random.SystemRandom(), think=settings.pause, matches=settings.matches or 1
            )
        return Person(
            self._screen,
            self._inbox,
            reachable=lambda peer: node.link.status(peer) is PeerStatus.UP,
            matches=settings.matches,
        )

    def _say_goodbye(self, node: Node, seat: Host | Guest) -> None:
        seat.close()
        # Closing a link throws away what it has not sent yet.
        node.run_errand(asyncio.sleep(_GOODBYE_SECONDS))
