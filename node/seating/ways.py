"""The tables that could be joined: those that announce themselves, and the recent ones that still answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from node.errors import LobbyError
from node.lobby.join import look_at
from node.network.table_ad import PLAYING, TableAd
from node.seating.door import Way
from node.storage.recent import RecentTable

__all__ = ["Choice", "asked", "found", "host_at"]

_PROBE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A table that could be joined, or watched where it is `playing`. `free` is None where it does not
    answer; `recent` is what the list of recent tables says of it, None for a table that was found or named.
    """

    name: str
    host_name: str
    free: int | None
    way: Way
    recent: RecentTable | None = None
    playing: bool = False

    @property
    def fingerprint(self) -> str | None:
        """The first eight bytes of a recent host's key, as one announces them (hexadecimal)."""
        return None if self.recent is None else self.recent.host_identity[:8].hex()


def found(ad: TableAd, known: Mapping[bytes, str]) -> Choice:
    """A table that announces itself. `known` are players from earlier matches: identity key and name."""
    # Only a hint, and a short one: the lobby lets the host prove that it has the whole key.
    host = next((one for one in known if one[:8].hex() == ad.fingerprint), None)
    way = Way(tuple((address, ad.port) for address in ad.addresses), bytes.fromhex(ad.table_id), host)
    return Choice(ad.name, ad.host_name, ad.free_seats, way, playing=ad.state == PLAYING)


async def asked(table: RecentTable, known: Mapping[bytes, str]) -> Choice:
    """A recent table, and whether it answers: nobody tells when a table closes."""
    host = table.host_identity if table.host_identity in known else None
    try:
        hello, address = await look_at(table.addresses, deadline=_PROBE_SECONDS)
    except LobbyError:
        return Choice(table.name, table.host_name, None, Way(table.addresses, host=host), table)
    way = Way((address,), hello.table_id, host)
    return Choice(hello.table_name, table.host_name, hello.free_seats, way, table)


def host_at(
    address: tuple[str, int], recent: tuple[RecentTable, ...], known: Mapping[bytes, str]
) -> bytes | None:
    """The identity key of the known player who hosted at this address lately."""
    hosts = (table.host_identity for table in recent if address in table.addresses)
    return next((host for host in hosts if host in known), None)
