"""What needs others: multicast, tables that announce themselves, and a computer that was named."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from zeroconf import ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from node.doctor.findings import Finding, Level, firewall_hint
from node.errors import (
    DiscoveryUnavailable,
    LobbyBusy,
    LobbyClosed,
    LobbyError,
    LobbyTimeout,
    LobbyUnreachable,
)
from node.i18n import tr
from node.lobby.join import look_at
from node.network.addresses import AdapterAddress, format_host_port
from node.network.discovery import TableAd, browse
from node.network.listening import USUAL_PORT

__all__ = ["Called", "Heard", "check_announcements", "check_multicast", "check_peer", "check_tables"]

_PROBE_SERVICE = "_kozel-check._tcp.local."
_PROBE_SECONDS = 4.0
_BROWSE_SECONDS = 2.5
_LOOK_SECONDS = 3.0
_MAX_LOOKS = 8


@dataclass(frozen=True, slots=True)
class Heard:
    """What listening for tables led to. `table_ids` (hexadecimal) is None where nothing can be heard."""

    findings: Sequence[Finding]
    table_ids: AbstractSet[str] | None


@dataclass(frozen=True, slots=True)
class Called:
    """What calling an address led to. `tables` holds the name of the table that answered, by its id."""

    finding: Finding
    tables: Mapping[str, str] = field(default_factory=dict)


async def check_multicast(one: AdapterAddress) -> Finding:
    """Announce something on one adapter (IPv4) and listen for it there, as two programs would."""
    names = {"address": one.address, "adapter": one.adapter}
    bad = Level.NOTE if one.is_virtual else Level.PROBLEM
    try:
        heard = await _hears_itself(one.address)
    except (OSError, RuntimeError) as error:
        text = tr(
            "Tables cannot be announced or heard at {address} ({adapter}): {reason}.",
            reason=getattr(error, "strerror", None) or error or type(error).__name__,
            **names,
        )
        return Finding("multicast", bad, text, firewall_hint(USUAL_PORT))
    if not heard:
        text = tr("An announcement made at {address} ({adapter}) was not heard there.", **names)
        return Finding("multicast", bad, text, firewall_hint(USUAL_PORT))
    text = tr("Announcements can be sent and heard at {address} ({adapter}).", **names)
    return Finding("multicast", Level.OK, text)


async def _hears_itself(address: str) -> bool:
    """Raises OSError or RuntimeError where there is no multicast at all."""
    name = f"kozel-{secrets.token_hex(6)}"
    instance = f"{name}.{_PROBE_SERVICE}"
    heard = asyncio.Event()

    def changed(*, name: str, state_change: ServiceStateChange, **_more: object) -> None:
        if name == instance and state_change is not ServiceStateChange.Removed:
            heard.set()

    listening = AsyncZeroconf(interfaces=[address])
    try:
        speaking = AsyncZeroconf(interfaces=[address])
        try:
            browser = AsyncServiceBrowser(listening.zeroconf, _PROBE_SERVICE, handlers=[changed])
            info = AsyncServiceInfo(
                _PROBE_SERVICE,
                instance,
                port=1,
                addresses=[socket.inet_aton(address)],
                server=f"{name}.local.",
            )
            async with asyncio.timeout(_PROBE_SECONDS):
                await (await speaking.async_register_service(info))
                await heard.wait()
            await browser.async_cancel()
        finally:
            await speaking.async_close()
    except TimeoutError:
        return False
    finally:
        await listening.async_close()
    return True


async def check_tables(interfaces: Sequence[str]) -> Heard:
    """Listen for tables, and ask each of them whether it can be reached."""
    try:
        ads = await browse(list(interfaces), _BROWSE_SECONDS)
    except DiscoveryUnavailable as error:
        return Heard([Finding("tables", Level.PROBLEM, str(error), firewall_hint(USUAL_PORT))], None)
    if not ads:
        text = tr("No announcement of a table is heard. Perhaps none is open, perhaps none gets through.")
        advice = tr(
            "Let somebody open one (kozel host) and run this with the address on that screen, which tells the"
            " two apart: kozel doctor HOST:PORT"
        )
        return Heard([Finding("tables", Level.NOTE, text, advice)], frozenset())
    findings = await asyncio.gather(*map(_table, ads[:_MAX_LOOKS]))
    return Heard(findings, {ad.table_id for ad in ads})


async def _table(ad: TableAd) -> Finding:
    names = {"table": ad.name, "host": ad.host_name}
    try:
        await look_at([(address, ad.port) for address in ad.addresses], deadline=_LOOK_SECONDS)
    except (LobbyUnreachable, LobbyTimeout, LobbyClosed):
        return Finding(
            "tables",
            Level.PROBLEM,
            tr("The table “{table}” of {host} is announced but does not answer.", **names),
            tr(
                "Either it has closed without saying so, or something lies between you: an access point that"
                " keeps its guests apart (client isolation: use another network or a phone's hotspot), a"
                " firewall on the host's computer, or a VPN on one of the two."
            ),
        )
    except LobbyError as error:
        return Finding("tables", Level.NOTE, str(error))
    return Finding("tables", Level.OK, tr("The table “{table}” of {host} is heard, and answers.", **names))


async def check_peer(host: str, port: int, own: Sequence[AdapterAddress]) -> Called:
    """Call a table at an address, and say what the way it fails tells."""
    where = format_host_port(host, port)
    try:
        hello, _ = await look_at([(host, port)], deadline=_LOOK_SECONDS)
    except LobbyBusy as error:
        return Called(Finding("peer", Level.OK, str(error)))
    except LobbyTimeout:
        return Called(_silent(host, where, own))
    except LobbyUnreachable as error:
        return Called(_unreachable(error.__cause__, host, where, own))
    except LobbyError as error:
        return Called(Finding("peer", Level.PROBLEM, str(error)))
    text = tr("The table “{table}” answers at {where}.", table=hello.table_name, where=where)
    return Called(Finding("peer", Level.OK, text), {hello.table_id.hex(): hello.table_name})


def check_announcements(heard: Heard, called: Sequence[Called]) -> list[Finding]:
    """Say which tables answer when they are called but are not heard to announce themselves."""
    if heard.table_ids is None:
        return []
    answered = {table_id: name for call in called for table_id, name in call.tables.items()}
    return [
        Finding(
            "announcements",
            Level.PROBLEM,
            tr("The table “{table}” answers, but its announcement is not heard.", table=name),
            tr(
                "Most likely the network does not pass announcements on (multicast is filtered), or a"
                " firewall on one of the two computers drops UDP port 5353. Joining by address or link works"
                " all the same: kozel join HOST:PORT"
            ),
        )
        for table_id, name in answered.items()
        if table_id not in heard.table_ids
    ]


def _unreachable(
    cause: BaseException | None, host: str, where: str, own: Sequence[AdapterAddress]
) -> Finding:
    if isinstance(cause, ConnectionRefusedError):
        return Finding(
            "peer",
            Level.PROBLEM,
            tr("The computer at {where} can be reached, but no table is open at this port.", where=where),
            tr("Ask the host for the address that is on the screen now."),
        )
    if isinstance(cause, socket.gaierror):
        return Finding(
            "peer",
            Level.PROBLEM,
            tr("The name in {where} is not known on this network.", where=where),
            tr("Ask the host for the address in numbers, such as 192.168.1.20:47001."),
        )
    return _silent(host, where, own)


def _silent(host: str, where: str, own: Sequence[AdapterAddress]) -> Finding:
    shared = _shared_network(host, own)
    if shared is None:
        return Finding(
            "peer",
            Level.PROBLEM,
            tr(
                "Nothing answers at {where}, and the address is not of a network of this computer.",
                where=where,
            ),
            tr("Bring both computers into the same Wi-Fi or cable network, with VPNs switched off."),
        )
    return Finding(
        "peer",
        Level.PROBLEM,
        tr("Nothing answers at {where}, though {own} is on the same network.", where=where, own=shared),
        tr(
            "Probably the access point keeps its guests apart (client isolation: use another network or a"
            " phone's hotspot), or a firewall on the other computer drops calls. Run “kozel doctor” there."
        ),
    )


def _shared_network(host: str, own: Sequence[AdapterAddress]) -> str | None:
    """The address of this computer that is in one network with the host, if the host is a number."""
    try:
        theirs = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    for one in own:
        if one.prefix is not None and theirs in ipaddress.ip_network((one.address, one.prefix), strict=False):
            return one.address
    return None
