"""What a table announces of itself, and how anybody's announcement is read: bounded and safe to show."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncServiceInfo

from node.names import clean_line, clean_name
from node.network.addresses import MAX_ADDRESSES, is_dialable

SERVICE = "_kozel._tcp.local."
"""DNS-SD service type."""

OPEN = "open"
PLAYING = "playing"
"""The states of a table that announces itself: seats are free, or a match is on that may be watched."""

_AD_VERSION = b"1"
_MAX_SEATS = 4
_TABLE_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class TableAd:
    """What a table says of itself.

    `table_id` is 32 hexadecimal digits, `fingerprint` a short form of the host's identity key, `state` a
    word such as "open", `addresses` numeric and the best first, `port` that of the lobby (TCP).
    """

    table_id: str
    name: str
    host_name: str
    fingerprint: str
    free_seats: int
    state: str
    addresses: tuple[str, ...]
    port: int


def to_service(ad: TableAd, instance: str) -> AsyncServiceInfo:
    """Return the DNS-SD service `instance` that announces the table."""
    return AsyncServiceInfo(
        SERVICE,
        f"{instance}.{SERVICE}",
        port=ad.port,
        addresses=[_packed(address) for address in ad.addresses],
        server=f"{instance}.local.",
        properties={
            b"v": _AD_VERSION,
            b"id": ad.table_id.encode(),
            b"name": clean_name(ad.name).encode(),
            b"host": clean_name(ad.host_name).encode(),
            b"key": clean_line(ad.fingerprint, 64).encode(),
            b"free": str(ad.free_seats).encode(),
            b"state": clean_line(ad.state, 16).encode(),
        },
    )


def _packed(address: str) -> bytes:
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)


def read_service(info: ServiceInfo) -> TableAd | None:
    """Read an announcement; None if it is not one of a table that can be reached."""
    texts = {
        key: (value or b"").decode("utf-8", "replace")
        for key, value in info.properties.items()
        if isinstance(key, bytes)
    }
    port = info.port or 0
    addresses = tuple(address for address in info.parsed_scoped_addresses() if is_dialable(address, port))
    table_id = texts.get(b"id", "")
    if texts.get(b"v") != _AD_VERSION.decode() or not _TABLE_ID.fullmatch(table_id) or not addresses:
        return None
    free = texts.get(b"free", "")
    return TableAd(
        table_id=table_id,
        name=clean_name(texts.get(b"name", "")),
        host_name=clean_name(texts.get(b"host", "")),
        fingerprint=clean_line(texts.get(b"key", ""), 64),
        free_seats=min(int(free), _MAX_SEATS) if re.fullmatch("[0-9]{1,3}", free) else 0,
        state=clean_line(texts.get(b"state", ""), 16),
        addresses=addresses[:MAX_ADDRESSES],
        port=port,
    )
