"""Which table to join: the one of a link or an address, the one of a name, or one chosen from a list.

The list holds the tables that announce themselves on this network and those where the player sat lately;
of the latter it is asked whether they answer, because nobody tells when they close.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from node.errors import DiscoveryUnavailable, LobbyFull, TableNotFound
from node.i18n import plural, tr
from node.lobby.table_link import TableLink
from node.network.addresses import format_host_port
from node.network.discovery import Interfaces, TableAd, browse, find_table
from node.seating.door import Way
from node.seating.ways import Choice, asked, found, host_at
from node.storage.recent import RecentTable, RecentTables
from node.terminal.gathering import ask
from node.terminal.inbox import Inbox
from node.terminal.screen import Screen

__all__ = ["Finder", "choice_list"]

_BROWSE_SECONDS = 2.5
_FIND_SECONDS = 5.0


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
        return Way((address,), host=host_at(address, self._tables(), self._known))

    async def by_name(self, name: str) -> Choice:
        """The table of this name, found on the network or among the recent ones.

        Raises TableNotFound, or LobbyFull where a match is on already.
        """
        self._screen.say(tr("Looking for tables on this network…"))
        ad = None
        try:
            ad = await find_table(name, self._interfaces, _FIND_SECONDS)
        except DiscoveryUnavailable as error:
            self._screen.say(str(error))
        if ad is not None:
            choice = found(ad, self._known)
            if choice.playing:
                raise LobbyFull(_to_watch(choice))
            return choice
        for table in self._tables():
            if table.name.casefold() == name.casefold():
                choice = await asked(table, self._known)
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
        announced = {ad.fingerprint for ad in ads}
        recent = [one for one in answers if one.fingerprint not in announced]
        heard = [found(ad, self._known) for ad in ads]
        open_ones = [choice for choice in (*heard, *recent) if choice.free]
        silent = [choice for choice in recent if choice.free is None]
        self._screen.say(*(_to_watch(choice) for choice in heard if choice.playing))
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

    async def _all_asked(self) -> list[Choice]:
        return await asyncio.gather(*(asked(table, self._known) for table in self._tables()))

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
                choice = await asked(choice.recent, self._known)
            if choice.free is not None:
                return choice
            self._screen.say(tr("“{table}” does not answer. Choose another one.", table=choice.name))


def _to_watch(choice: Choice) -> str:
    """What is said of a table at which nobody can sit down any more."""
    return tr(
        "“{table}”, host {host}, is playing already. You can watch it: kozel watch {address}",
        table=choice.name,
        host=choice.host_name,
        address=format_host_port(*choice.way.addresses[0]),
    )


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
