"""One visit to a table, from the door to the goodbye: gather, play match after match, leave."""

from __future__ import annotations

import asyncio
import random
import secrets
import sys
import time

from node.bots import make_bot
from node.errors import CodeNeeded, HostUnproven, TableClosed, WrongCode
from node.i18n import plural, tr
from node.live import LiveTable
from node.lobby.join import JoinedTable
from node.lobby.table_link import TableLink
from node.network.addresses import LOOPBACK, own_addresses
from node.node import Node
from node.seating.bot_seats import BotSeats, bot_names
from node.seating.door import OpenLobby, Watching, Way, join_by, open_lobby
from node.seating.evening import Observer, Seat, play_matches
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.phrases import phrase_text
from node.seating.players import BotPlayer, Player
from node.storage.known import known_players
from node.storage.profile import Profile
from node.storage.recent import RecentTable, RecentTables
from node.terminal.finding import Finder
from node.terminal.gathering import AttendedSeat, Company, ask, attended, grouped_code, invitation
from node.terminal.inbox import Inbox
from node.terminal.narrator import Commentator
from node.terminal.outcome import Outcome
from node.terminal.person import Person
from node.terminal.screen import Screen
from node.terminal.settings import PERSON, TableSettings
from node.words.continuing import changed_line, standing_lines

__all__ = ["PERSON", "TableSettings", "Visit"]

_GOODBYE_SECONDS = 0.2


class Visit:
    """What host and guest have in common. The coroutines return an exit code; all raise PersonLeft."""

    def __init__(self, settings: TableSettings, profile: Profile, screen: Screen, bots: BotSeats) -> None:
        self._settings = settings
        self._profile = profile
        self._screen = screen
        self._bots = bots
        self._inbox = Inbox()
        self._listening = False
        self._recent = RecentTables(profile.path)
        self._opened: OpenLobby | None = None
        self._seated = False

    async def host(self, *, announced: bool) -> int:
        """Open a table, wait for three others, and play. Raises NodeError."""
        settings = self._settings
        if settings.play_as == PERSON:
            self._listen()
        async with Node(self._profile, host=settings.listen) as node:
            company = Company(self._screen, node.profile.name)
            host = await self._new_host(node, company)
            company.follow(host)
            lobby = open_lobby(
                node,
                host,
                listen=settings.listen,
                port=settings.port,
                code=settings.code,
                interfaces=settings.interfaces if announced else None,
                on_new_code=self._say_new_code,
                watching=Watching(settings.watchers, settings.watch_delay, self._say_watcher),
            )
            async with lobby as opened:
                self._opened = opened
                self._invite(host.table_name, opened, announced=announced)
                own = node.profile.identity_public
                self._fill_seats(host, opened.code, (LOOPBACK, opened.port), own)
                first = await self._gathered(node, host)
                node.run_errand(opened.tell_playing())
                self._seated = True
                if settings.watchers:
                    self._say_link(opened, opened.code)
                return await self._play(node, host, first)

    async def join(self) -> int:
        """Find a table, sit down, and play. Raises NodeError."""
        settings = self._settings
        if settings.play_as == PERSON:
            self._listen()
        async with Node(self._profile, host=settings.listen) as node:
            company = Company(self._screen, node.profile.name)
            way = await self._way(node)
            guest, joined, code = await self._enter(node, way, company)
            self._screen.say(tr("You sit at the table “{table}”.", table=guest.table_name))
            self._remember(joined)
            await node.guard(attended(company.seen.wait(), self._screen, self._inbox))
            if guest.going_on is not None:
                self._screen.say(*standing_lines(guest.going_on, node.profile.identity_public))
            self._fill_seats(guest, code, joined.lobby, joined.host.identity)
            first = await self._gathered(node, guest)
            self._remember(joined)
            return await self._play(node, guest, first)

    # Before the match

    async def _new_host(self, node: Node, company: Company) -> Host:
        """The table to be opened."""
        settings = self._settings
        name = settings.table or tr("{name}'s table", name=node.profile.name)[:24]
        return Host(
            node,
            secrets.token_bytes(16),
            name,
            settings.options,
            grace=settings.grace,
            changed=company.look,
        )

    def _listen(self) -> None:
        """Begin to read what is typed; where a bot plays, only when there is something to ask."""
        if not self._listening:
            self._listening = True
            self._inbox.listen(sys.stdin.fileno())

    def _invite(self, table: str, opened: OpenLobby, *, announced: bool) -> None:
        if self._settings.bots >= 3:
            self._screen.say(tr("Three bots come to your table…"))
            return
        lines = invitation(table, self._addresses(), opened.port, opened.code, announced=opened.announced)
        self._screen.say(*lines)
        self._say_link(opened, opened.code)
        if announced and not opened.announced:
            self._screen.say(tr("It cannot be announced on this network, so guests need the address."))

    def _addresses(self) -> tuple[str, ...]:
        listen = self._settings.listen
        return own_addresses() if listen == "*" else (listen,)

    def _say_link(self, opened: OpenLobby, code: str) -> None:
        """Address and code in one line: to join, or to watch once all seats are taken."""
        link = TableLink(self._addresses(), opened.port, opened.table_id, code)
        if self._seated:
            self._screen.say(tr("Whoever wants to watch types:"))
            self._screen.say_unbroken(tr("  kozel watch {link}", link=link))
        else:
            self._screen.say(tr("Or address and code in one link:"))
            self._screen.say_unbroken(tr("  kozel join {link}", link=link))

    def _say_new_code(self, code: str) -> None:
        self._screen.say(
            tr("There were five wrong codes, so the code is a new one:  {code}", code=grouped_code(code))
        )
        if self._opened is not None:
            self._say_link(self._opened, code)

    def _say_watcher(self, name: str, came: bool) -> None:
        self._screen.say(
            tr("{name} is watching.", name=name) if came else tr("{name} does not watch any more.", name=name)
        )

    def _fill_seats(
        self, table: Host | Guest, code: str, address: tuple[str, int], host_identity: bytes
    ) -> None:
        """Start the bots that come along, those first that had a seat in the match that goes on here."""
        taken = {self._profile.name, *filter(None, table.seats)}
        if table.going_on is not None:
            before = table.going_on.genesis
            taken |= {member.name for member in before.roster}
            back = self._bots.bring_back(before.match_id, address, host_identity, self._settings.listen)
            if back:
                self._screen.say(
                    plural(
                        "{count} bot of yours comes back too.", "{count} bots of yours come back too.", back
                    )
                )
        names = bot_names(self._settings.bots, taken)
        if names:
            self._bots.start(names, table.table_name, code, address, self._settings.listen)

    async def _gathered(self, node: Node, seat: Host | Guest) -> LiveTable:
        waiting = attended(seat.next_match(), self._screen, self._inbox)
        try:
            live = await node.guard(self._bots.beside(waiting))
        except BaseException:
            self._say_goodbye(node, seat)
            raise
        if seat.going_on is not None:
            self._screen.say(*changed_line(seat.going_on, live.table.genesis, live.seat))
        return live

    async def _way(self, node: Node) -> Way:
        """The way to the table that was named, or to one that is found and chosen."""
        settings = self._settings
        finder = Finder(
            self._screen,
            self._inbox,
            self._listen,
            recent=self._recent,
            known=known_players(node.store.matches()),
            interfaces=settings.interfaces,
        )
        if settings.link is not None:
            return finder.by_link(settings.link)
        if settings.address is not None:
            return finder.by_address(settings.address)
        choice = await (finder.any() if settings.table is None else finder.by_name(settings.table))
        self._screen.say(tr("Table “{table}”, host {host}.", table=choice.name, host=choice.host_name))
        return choice.way

    async def _enter(self, node: Node, way: Way, company: Company) -> tuple[Guest, JoinedTable, str]:
        """Be recognised, or show the code at the door; a wrong one that was typed can be typed again."""
        given = self._settings.code or (self._settings.link and self._settings.link.code)
        # Bots that come along are not known to the host: they need the code.
        if way.host is not None and given is None and self._settings.bots == 0:
            try:
                guest, joined = await join_by(node, way, None, changed=company.look)
            except (CodeNeeded, HostUnproven) as error:
                self._screen.say(str(error))
            else:
                company.follow(guest)
                self._screen.say(tr("{host} knows you from an earlier match.", host=joined.host.name))
                return guest, joined, ""
        while True:
            code = given or await self._ask_code()
            try:
                guest, joined = await join_by(node, way, code, changed=company.look)
            except WrongCode as error:
                if given is not None:
                    raise
                self._screen.say(str(error))
            else:
                company.follow(guest)
                return guest, joined, code

    def _remember(self, joined: JoinedTable) -> None:
        """Put the table on the list of recent ones, with the time of now."""
        host = joined.host
        table = RecentTable(joined.table_name, host.name, host.identity, (joined.lobby,), time.time())
        self._recent.remember(table)
        if self._recent.trouble is not None:
            self._screen.say(self._recent.trouble)

    async def _ask_code(self) -> str:
        self._listen()
        return await ask(self._screen, self._inbox, tr("Code on the host's screen: "))

    # The matches

    async def _play(self, node: Node, seat: Seat, first: LiveTable) -> int:
        person = self._settings.play_as == PERSON
        outcome = Outcome(Observer() if person else Commentator(self._screen))
        attended_seat: Seat = AttendedSeat(seat, self._screen, self._inbox)
        node.said = lambda seat, number: self._hear(node, seat, number)
        evening = play_matches(node, attended_seat, self._player(), first, outcome)
        try:
            await self._bots.beside(evening)
        except TableClosed as closed:
            if outcome.played == 0:
                raise
            self._screen.say(str(closed))
        finally:
            self._say_goodbye(node, seat)
        return 1 if outcome.cheated else 0

    def _hear(self, node: Node, seat: int, number: int) -> None:
        """Somebody with a page has said something across the table."""
        if node.live is not None:
            self._screen.say(tr("{name}: {text}", name=node.live.names[seat], text=phrase_text(number)))

    def _player(self) -> Player:
        settings = self._settings
        if settings.play_as != PERSON:
            bot = make_bot(settings.play_as, random.SystemRandom())
            return BotPlayer(bot, pause=settings.pause, matches=settings.matches or 1)
        return Person(
            self._screen,
            self._inbox,
            matches=settings.matches,
        )

    def _say_goodbye(self, node: Node, seat: Seat) -> None:
        seat.close()
        # Closing a link throws away what it has not sent yet.
        node.run_errand(asyncio.sleep(_GOODBYE_SECONDS))
