"""What can be seen without anybody else: addresses, clock, and whether a table here can be connected to."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from node.doctor.findings import Finding, Level, firewall_hint
from node.i18n import tr
from node.network.addresses import AdapterAddress, format_host_port
from node.network.listening import USUAL_PORT, listening_socket

__all__ = ["check_addresses", "check_clock", "check_port"]

_DAY = 86_400.0
_CONNECT_SECONDS = 2.0
_TOKEN_BYTES = 16
_BUILT = datetime(2025, 1, 1).timestamp()
_ABSURD = datetime(2100, 1, 1).timestamp()


def check_addresses(found: Sequence[AdapterAddress]) -> list[Finding]:
    """Say at which addresses others may reach this computer."""
    useful = [one for one in found if one.is_useful]
    if not useful:
        return [
            Finding(
                "addresses",
                Level.PROBLEM,
                tr("This computer is on no network: it has no address that others could reach."),
                tr("Connect it to the same Wi-Fi or cable as the others. “kozel play” needs no network."),
            )
        ]
    return [_address(one) for one in sorted(useful, key=lambda one: one.is_virtual)]


def _address(one: AdapterAddress) -> Finding:
    if one.is_virtual:
        return Finding(
            "addresses",
            Level.NOTE,
            tr(
                "{address} ({adapter}) belongs to a VPN, a container or a virtual machine.",
                address=one.address,
                adapter=one.adapter,
            ),
            tr("Players on your network rarely reach it. Switch a VPN off if others do not find you."),
        )
    text = tr(
        "This computer has the address {address} ({adapter}).", address=one.address, adapter=one.adapter
    )
    return Finding("addresses", Level.OK, text)


def check_clock(now: float, files: Iterable[Path]) -> Finding:
    """Compare the clock (`now`, seconds since 1970) with the files, none of which can be from tomorrow."""
    shown = datetime.fromtimestamp(now).strftime("%Y-%m-%d %H:%M")
    newest = max((_modified(file) for file in files), default=0.0)
    if not max(_BUILT, newest - _DAY) <= now < _ABSURD:
        return Finding(
            "clock",
            Level.PROBLEM,
            tr("The clock says {time}, which cannot be right.", time=shown),
            tr("Let the system set date and time by itself. Lists of matches depend on it, no deal does."),
        )
    return Finding("clock", Level.OK, tr("The clock says {time}.", time=shown))


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


async def check_port(listen: str, addresses: Sequence[str]) -> list[Finding]:
    """Open a port as a table does, on `listen`, and connect to it at each of this computer's addresses."""
    try:
        listener = listening_socket(listen, None)
    except OSError as error:
        return [
            Finding(
                "port",
                Level.PROBLEM,
                tr("No table can be opened here ({reason}).", reason=error.strerror or error),
                tr("Another program or a security policy forbids it. Ask whoever looks after this computer."),
            )
        ]
    port = listener.getsockname()[1]
    token = secrets.token_bytes(_TOKEN_BYTES)

    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(token)
        writer.close()

    server = await asyncio.start_server(greet, sock=listener)
    try:
        answers = await asyncio.gather(*(_answers(address, port, token) for address in addresses))
    finally:
        server.close()
        await server.wait_closed()
    findings = [_reached(address, port, ok) for address, ok in zip(addresses, answers, strict=True)]
    return [*_usual_port(port), *findings]


def _usual_port(port: int) -> list[Finding]:
    if port == USUAL_PORT:
        return []
    text = tr(
        "Port {usual} is taken, by another table perhaps; a table here would get another one.",
        usual=USUAL_PORT,
    )
    return [Finding("port", Level.NOTE, text)]


def _reached(address: str, port: int, ok: bool) -> Finding:
    where = format_host_port(address, port)
    if ok:
        return Finding("port", Level.OK, tr("A table on this computer answers at {where}.", where=where))
    text = tr("A table on this computer does not answer at its own address {where}.", where=where)
    return Finding("port", Level.PROBLEM, text, firewall_hint(port))


async def _answers(address: str, port: int, token: bytes) -> bool:
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(address, port)
            try:
                return await reader.readexactly(_TOKEN_BYTES) == token
            finally:
                writer.close()
    except (OSError, asyncio.IncompleteReadError):
        return False
