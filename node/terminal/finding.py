"""Which table to join: the one of a link or an address, the one of a name, or one chosen from a list.

The list holds the tables that announce themselves on this network and those where the player sat lately;
of the latter it is asked whether they answer, because nobody tells when they close.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from node.errors import DiscoveryUnavailable, LobbyError, TableNotFound
from node.i18n import plural, tr
from node.lobby.join import look_at
from node.lobby.table_link import TableLink
from node.network.addresses import format_host_port
from node.network.discovery import Interfaces, TableAd, browse, find_table
from node.seating.door import Way
from node.storage.recent import RecentTable, RecentTables
from node.terminal.gathering import ask
from node.terminal.inbox import Inbox
from node.terminal.screen import Screen

__all__ = ["Choice", "Finder", "choice_list"]

_BROWSE_SECONDS = 2.5
_FIND_SECONDS = 5.0
_PROBE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A table that could be joined. `free` is None where it does not answer; `recent` is what the list
    of recent tables says of it, None for a table that was found or named.
    """

    name: str
    host_name: str
    free: int | None
    way: Way
    recent: RecentTable | None = None


class Finder:
    """Finds a table. `known` are the players known from earlier matches: identity key and name."""

    def __init__(
        self,
        screen: Screen,
        inbox: Inbox,
        listen: Callable[[], None],
        *,
        recent: RecentTables,
        known: Mapping[bytes, str],
        interfaces: Interfaces,
    ) -> None:
        """`listen` is called before anything is asked."""
        self._screen = screen
        self._inbox = inbox
        self._listen = listen
        self._recent = recent
        self._known = known
        self._interfaces = interfaces

    def by_link(self, link: TableLink) -> Way:
        """The way that a link tells."""
        return Way(link.places, link.table_id)

    def by_address(self, address: tuple[str, int]) -> Way:
        """The way to an address; who hosts there is known if a recent table was there."""
        hosts = [table.host_identity for table in self._tables() if address in table.addresses]
        return Way((address,), host=next((host for host in hosts if host in self._known), None))

    async def by_name(self, name: str) -> Choice:
        """The table of this name, found on the network or among the recent ones. Raises TableNotFound."""
        self._screen.say(tr("Looking for tables on this network…"))
        ad = None
        try:
            ad = await find_table(name, self._interfaces, _FIND_SECONDS)
        except DiscoveryUnavailable as error:
            self._screen.say(str(error))
        if ad is not None:
            return self._found(ad)
        for table in self._tables():
            if table.name.casefold() == name.casefold():
                choice = await self._asked(table)
                if choice.free is not None:
                    return choice
        raise TableNotFound(
            tr(
                "No table “{name}” was found on this network. Ask the host for the address or the link and"
                " type it instead: kozel join HOST:PORT",
                name=name,
            )
        )

    async def any(self) -> Choice:
        """The only table with a free seat, or the one that is chosen. Raises TableNotFound."""
        self._screen.say(tr("Looking for tables on this network…"))
        ads, answers = await asyncio.gather(self._heard(), self._all_asked())
        found = [self._found(ad) for ad in ads]
        announced = {ad.fingerprint for ad in ads}
        recent = [one for one in answers if _fingerprint(one.recent) not in announced]
        open_ones = [choice for choice in (*found, *recent) if choice.free]
        silent = [choice for choice in recent if choice.free is None]
        if not open_ones:
            self._screen.say(*choice_list(silent))
            raise TableNotFound(
                tr(
                    "No table with a free seat was found on this network. Ask the host for the address or"
                    " the link and type it: kozel join HOST:PORT. Or open a table yourself: kozel host"
                )
            )
        if len(open_ones) == 1:
            return open_ones[0]
        return await self._chosen([*open_ones, *silent])

    async def _heard(self) -> list[TableAd]:
        try:
            return await browse(self._interfaces, _BROWSE_SECONDS)
        except DiscoveryUnavailable as error:
            self._screen.say(str(error))
            return []

    def _found(self, ad: TableAd) -> Choice:
        # Only a hint, and a short one: the lobby lets the host prove that it has the whole key.
        host = next((one for one in self._known if one[:8].hex() == ad.fingerprint), None)
        way = Way(tuple((address, ad.port) for address in ad.addresses), bytes.fromhex(ad.table_id), host)
        return Choice(ad.name, ad.host_name, ad.free_seats, way)

    async def _all_asked(self) -> list[Choice]:
        return await asyncio.gather(*map(self._asked, self._tables()))

    async def _asked(self, table: RecentTable) -> Choice:
        host = table.host_identity if table.host_identity in self._known else None
        try:
            hello, address = await look_at(table.addresses, deadline=_PROBE_SECONDS)
        except LobbyError:
            return Choice(table.name, table.host_name, None, Way(table.addresses, host=host), table)
        way = Way((address,), hello.table_id, host)
        return Choice(hello.table_name, table.host_name, hello.free_seats, way, table)

    def _tables(self) -> tuple[RecentTable, ...]:
        tables = self._recent.read()
        if self._recent.trouble is not None:
            self._screen.say(self._recent.trouble)
        return tables

    async def _chosen(self, choices: Sequence[Choice]) -> Choice:
        self._listen()
        self._screen.say(*choice_list(choices))
        while True:
            text = await ask(self._screen, self._inbox, tr("Which table (a number)? "))
            if not (text.isascii() and text.isdigit() and 1 <= int(text) <= len(choices)):
                self._screen.say(tr("Type a number from 1 to {count}.", count=len(choices)))
                continue
            choice = choices[int(text) - 1]
            if choice.recent is not None and choice.free is None:
                choice = await self._asked(choice.recent)
            if choice.free is not None:
                return choice
            self._screen.say(tr("“{table}” does not answer. Choose another one.", table=choice.name))


def choice_list(choices: Sequence[Choice]) -> list[str]:
    """The tables, numbered from 1."""
    return [
        tr(
            "  [{number}] {table}, host {host}, {state}",
            number=number,
            table=choice.name,
            host=choice.host_name,
            state=_state(choice),
        )
        for number, choice in enumerate(choices, start=1)
    ]


def _fingerprint(table: RecentTable | None) -> str | None:
    return None if table is None else table.host_identity[:8].hex()


def _state(choice: Choice) -> str:
    if choice.free is None:
        state = tr("does not answer")
    else:
        state = plural("{count} seat free", "{count} seats free", choice.free)
    if choice.recent is None:
        return state
    return tr(
        "last played {day}, {address}: {state}",
        day=datetime.fromtimestamp(choice.recent.played).strftime("%Y-%m-%d"),
        address=format_host_port(*choice.way.addresses[0]),
        state=state,
    )
