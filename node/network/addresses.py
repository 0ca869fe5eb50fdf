"""Addresses: which of this computer's own to tell others, and those that people type."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

import ifaddr

from node.errors import AddressError
from node.i18n import tr

MAX_ADDRESSES = 8
"""More addresses than this are neither told to others nor tried."""

LOOPBACK = "127.0.0.1"

# Adapters that rarely lead to the other players: containers, virtual machines, tunnels.
_VIRTUAL = re.compile(
    r"docker|veth|virbr|vbox|virtualbox|vmnet|vmware|vethernet|hyper-v|wsl|podman|lxc|cni"
    r"|\bbr-|\btun|\btap|utun|\bwg|wireguard|tailscale|zerotier|\bzt|\bppp",
    re.IGNORECASE,
)


class _Rank(IntEnum):
    """How likely another player reaches an address; lower is tried first."""

    PRIVATE_V4 = 0
    OTHER_V4 = 1
    V6 = 2
    LINK_LOCAL_V4 = 3


@dataclass(frozen=True, slots=True)
class AdapterAddress:
    """One address of one network adapter: the adapter's name as people see it, the address as text.

    `prefix` is how many bits of the address are its network's, where that is known.
    """

    adapter: str
    address: str
    prefix: int | None = None

    @property
    def is_virtual(self) -> bool:
        """Whether the adapter seems to belong to a container, a virtual machine or a tunnel."""
        return _VIRTUAL.search(self.adapter) is not None

    @property
    def is_useful(self) -> bool:
        """Whether others can be told the address: neither loopback nor link-local IPv6."""
        return _rank(self.address) is not None


def own_addresses(found: Iterable[AdapterAddress] | None = None) -> tuple[str, ...]:
    """Return this computer's addresses worth advertising, the most promising first, at most eight.

    `found` replaces what the operating system reports. Left out are loopback and link-local IPv6
    (which means nothing without the *reader's* interface). A computer without any network gets
    the loopback address, so that several nodes on it can still play.
    """
    candidates = system_addresses() if found is None else found
    ranked: dict[str, tuple[bool, int]] = {}
    for candidate in candidates:
        rank = _rank(candidate.address)
        if rank is not None:
            key = (candidate.is_virtual, int(rank))
            ranked[candidate.address] = min(key, ranked.get(candidate.address, key))
    ordered = sorted(ranked, key=lambda address: ranked[address])
    return tuple(ordered[:MAX_ADDRESSES]) or (LOOPBACK,)


def system_addresses() -> list[AdapterAddress]:
    """Return all addresses that the operating system reports."""
    return [
        AdapterAddress(adapter.nice_name or adapter.name, _address_text(ip.ip), ip.network_prefix)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]


def _address_text(ip: str | tuple[str, int, int]) -> str:
    """ifaddr gives IPv4 as text and IPv6 as (text, flow information, scope)."""
    return ip if isinstance(ip, str) else ip[0]


def _rank(address: str) -> _Rank | None:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return None
    if ip.is_loopback or ip.is_multicast or ip.is_unspecified:
        return None
    if ip.version == 6:
        return None if ip.is_link_local else _Rank.V6
    if ip.is_link_local:
        return _Rank.LINK_LOCAL_V4
    return _Rank.PRIVATE_V4 if ip.is_private else _Rank.OTHER_V4


def parse_host_port(text: str, default_port: int | None = None) -> tuple[str, int]:
    """Read `HOST:PORT`, with an IPv6 host in brackets: `192.168.1.20:47001`, `[fd00::1]:47001`.

    The host may be a name. Without a port `default_port` is taken, if there is one.
    Raises AddressError.
    """
    text = text.strip()
    host, port_text = _split_host_port(text)
    if not host or any(char.isspace() for char in host):
        raise AddressError(
            tr("“{text}” names no computer. Write it as HOST:PORT, for example {example}.", **_shown(text))
        )
    if port_text is None and default_port is not None:
        return host, default_port
    if port_text is None:
        raise AddressError(
            tr("“{text}” has no port. Write it as HOST:PORT, for example {example}.", **_shown(text))
        )
    # isascii: int() would also take digits of other scripts, underscores and signs.
    if not (port_text.isascii() and port_text.isdigit() and len(port_text) <= 5):
        raise AddressError(tr("The port in “{text}” is not a number from 1 to 65535.", text=text))
    port = int(port_text)
    if not 1 <= port <= 65535:
        raise AddressError(tr("The port in “{text}” is not a number from 1 to 65535.", text=text))
    return host, port


def _shown(text: str) -> dict[str, str]:
    return {"text": text, "example": "192.168.1.20:47001"}


def _split_host_port(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")) or _ip_version(host) != 6:
            raise AddressError(
                tr("“{text}” is not an IPv6 address with a port, such as [fd00::1]:47001.", text=text)
            )
        return host, rest[1:] if rest else None
    if text.count(":") > 1:
        raise AddressError(
            tr("“{text}” has several colons. Write an IPv6 address in brackets: [fd00::1]:47001.", text=text)
        )
    host, colon, port = text.partition(":")
    return host, port if colon else None


def _ip_version(host: str) -> int | None:
    try:
        return ipaddress.ip_address(host).version
    except ValueError:
        return None


def format_host_port(host: str, port: int) -> str:
    """Return the text that parse_host_port reads back."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Tell whether a numeric address is a computer's own; False for what is no numeric address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_dialable(host: str, port: int) -> bool:
    """Tell whether `host` is a numeric address that a connection can be made to, and `port` a port."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    return 1 <= port <= 65535 and not (ip.is_multicast or ip.is_unspecified)
