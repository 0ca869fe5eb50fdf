"""Opening a table to the network and finding one: lobby, announcement and code, around host and guest."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from node.errors import DiscoveryUnavailable, TableNotFound
from node.i18n import tr
from node.lobby.host import Introduction, LobbyHost
from node.lobby.join import JoinedTable, join_at, join_known
from node.network.addresses import LOOPBACK, own_addresses
from node.network.discovery import Advertiser, Interfaces, TableAd, find_table
from node.network.table_ad import OPEN, PLAYING
from node.node import Node
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.storage.known import known_players
from node.watching.gallery import Gallery
from protocol.limits import MAX_SPECTATORS

__all__ = ["OpenLobby", "Watching", "Way", "join_by", "join_table", "open_lobby", "way_by_name"]

_FIND_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Watching:
    """Who may watch: at most `limit` people, who see everything `delay` seconds later.

    `changed` is called with a name whenever somebody comes (True) or goes (False).
    """

    limit: int = MAX_SPECTATORS
    delay: float = 0.0
    changed: Callable[[str, bool], None] = lambda _name, _came: None


@dataclass(frozen=True, slots=True)
class OpenLobby:
    """A table that can be joined, and later watched."""

    table_id: bytes
    lobby: LobbyHost
    ad: TableAd
    advertiser: Advertiser | None
    gallery: Gallery | None
    """Those who watch; None where nobody may."""

    @property
    def announced(self) -> bool:
        """Whether the table can be found by name, too."""
        return self.advertiser is not None

    @property
    def code(self) -> str:
        """The code that guests type."""
        return self.lobby.code

    @property
    def port(self) -> int:
        """Where guests connect."""
        return self.lobby.port

    async def tell_playing(self) -> None:
        """The match has begun: tell those who look for a table that it can be watched, or no more of it."""
        if self.advertiser is None:
            return
        if self.gallery is None:
            await self.advertiser.close()
        else:
            await self.advertiser.update(replace(self.ad, free_seats=0, state=PLAYING))


@contextlib.asynccontextmanager
async def open_lobby(
    node: Node,
    host: Host,
    *,
    listen: str = "*",
    port: int | None = 0,
    code: str | None = None,
    interfaces: Interfaces | None = None,
    on_new_code: Callable[[str], None] | None = None,
    watching: Watching | None = None,
) -> AsyncIterator[OpenLobby]:
    """Let guests in while the context lasts. Without `interfaces` the table is not announced.

    With `watching` people may watch the matches as long as the node lasts, and be let in here.

    Port 0 is any free one, None the usual one if it is free. Who has finished a match with this player, or
    sat at the one that goes on here, needs no code.
    """
    profile = node.profile
    known = known_players(node.store.matches()).keys() | (host.going_on.owned.keys() if host.going_on else ())
    me = Introduction(
        profile.identity_public, profile.transport.public, profile.name, node.link_port, host.nonce
    )
    if watching is not None and watching.limit > 0:
        node.gallery = Gallery(
            node.link, host.table_id, limit=watching.limit, delay=watching.delay, changed=watching.changed
        )
    lobby = LobbyHost(
        me,
        profile.identity_seed,
        table_id=host.table_id,
        table_name=host.table_name,
        seats_free=host.seats_to_ask_for,
        on_guest=host.admit,
        on_spectator=node.gallery.admit if node.gallery is not None else None,
        known=known.__contains__,
        host=listen,
        port=port,
        code=code,
        on_new_code=on_new_code,
    )
    async with lobby:
        ad = _ad(node, host, lobby, listen)
        advertiser = await _announce(ad, interfaces)
        try:
            yield OpenLobby(host.table_id, lobby, ad, advertiser, node.gallery)
        finally:
            if advertiser is not None:
                node.run_errand(advertiser.close())  # The goodbye takes a second; the cards need not wait.


def _ad(node: Node, host: Host, lobby: LobbyHost, listen: str) -> TableAd:
    return TableAd(
        table_id=host.table_id.hex(),
        name=host.table_name,
        host_name=node.profile.name,
        fingerprint=node.profile.identity_public[:8].hex(),
        free_seats=host.free_seats(),
        state=OPEN,
        addresses=own_addresses() if listen == "*" else (listen,),
        port=lobby.port,
    )


async def _announce(ad: TableAd, interfaces: Interfaces | None) -> Advertiser | None:
    """Announce the table, or return None where the network does not allow it: the address still works."""
    if interfaces is None:
        return None
    advertiser = Advertiser(ad, interfaces)
    try:
        await advertiser.start()
    except DiscoveryUnavailable:
        await advertiser.close()
        return None
    return advertiser


@dataclass(frozen=True, slots=True)
class Way:
    """Where a table is: addresses of its lobby, the best first.

    `table_id` (16 bytes) is there where it is known which table it must be, `host` (an identity key of 32
    bytes) where the host seems to be somebody known from an earlier match.
    """

    addresses: tuple[tuple[str, int], ...]
    table_id: bytes | None = None
    host: bytes | None = None


async def join_by(
    node: Node, way: Way, code: str | None, *, wish: str = "", changed: Callable[[], None] = lambda: None
) -> tuple[Guest, JoinedTable]:
    """Join with the host's code; without one (None) as a player whom the host of `way` knows.

    Raises LobbyError; CodeNeeded or HostUnproven where it does not work without the code.
    """
    secret, nonce = node.new_secret(0)
    profile = node.profile
    me = Introduction(
        profile.identity_public, profile.transport.public, profile.name, node.link_port, nonce, wish
    )
    if code is not None:
        joined = await join_at(way.addresses, code, me, profile.identity_seed, expected_table=way.table_id)
    elif way.host is not None:
        joined = await join_known(
            way.addresses, way.host, me, profile.identity_seed, expected_table=way.table_id
        )
    else:
        raise ValueError("without a code the host's identity must be known")
    return Guest(node, joined, (secret, nonce), changed=changed), joined


async def join_table(
    node: Node,
    code: str,
    *,
    table: str | None = None,
    address: tuple[str, int] | None = None,
    interfaces: Interfaces | None = None,
    wish: str = "",
    changed: Callable[[], None] = lambda: None,
) -> Guest:
    """Join the table of that name, or whatever answers at `address`, with the host's code.

    Raises LobbyError, or DiscoveryUnavailable where a name is looked for without multicast.
    """
    if address is not None:
        way = Way((address,))
    else:
        way = await way_by_name(table, interfaces if interfaces is not None else [LOOPBACK])
    guest, _ = await join_by(node, way, code, wish=wish, changed=changed)
    return guest


async def way_by_name(table: str | None, interfaces: Interfaces) -> Way:
    """The way to the table of that name, or to the first that announces itself.

    Raises TableNotFound, or DiscoveryUnavailable.
    """
    ad = await find_table(table, interfaces, _FIND_SECONDS)
    if ad is None:
        raise _not_found(table)
    return Way(tuple((host, ad.port) for host in ad.addresses), bytes.fromhex(ad.table_id))


def _not_found(table: str | None) -> TableNotFound:
    if table is None:
        return TableNotFound(tr("No open table was found on this network. Ask the host for the address."))
    return TableNotFound(
        tr("No table “{name}” was found on this network. Ask the host for the address.", name=table)
    )
