"""`kozel doctor`: why the others do not find this computer, or it them. Exit code 0: all well, 1: not."""

from __future__ import annotations

import asyncio
import json
import textwrap
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

import node
from node.doctor.findings import Finding, Level, firewall_hint
from node.doctor.machine import check_addresses, check_clock, check_port
from node.doctor.others import Heard, check_announcements, check_multicast, check_peer, check_tables
from node.i18n import plural, tr
from node.loops import run
from node.network.addresses import MAX_ADDRESSES, AdapterAddress, system_addresses
from node.network.listening import USUAL_PORT
from node.storage.recent import RECENT_NAME
from node.storage.store import STORE_NAME
from node.terminal.screen import Screen

__all__ = ["Examination", "run_doctor"]


@dataclass(frozen=True, slots=True)
class Examination:
    """What to examine: `peers` are addresses of a table elsewhere, `listen` is where one here would listen.

    `adapters` None: those that the operating system reports. `interfaces` None: their addresses are tried.
    """

    profile: Path
    peers: Sequence[tuple[str, int]] = ()
    adapters: Sequence[AdapterAddress] | None = None
    interfaces: Sequence[str] | None = None
    listen: str = "*"

    def tried(self, adapters: Sequence[AdapterAddress]) -> list[AdapterAddress]:
        """The addresses at which something is tried, the most promising first."""
        if self.interfaces is not None:
            return [AdapterAddress(tr("as asked"), address) for address in self.interfaces]
        useful = [one for one in adapters if one.is_useful]
        return sorted(useful, key=lambda one: one.is_virtual)[:MAX_ADDRESSES]


def run_doctor(examination: Examination, *, as_json: bool) -> int:
    """Examine this computer and print what was found."""
    findings = run(examine(examination))
    well = not any(finding.level is Level.PROBLEM for finding in findings)
    if as_json:
        print(json.dumps({"well": well, "findings": [asdict(finding) for finding in findings]}))
    else:
        screen = Screen(Console(highlight=False))
        screen.say(*_lines(findings, screen.width))
    return 0 if well else 1


async def examine(examination: Examination) -> list[Finding]:
    """Do all checks. Never raises NodeError."""
    adapters = system_addresses() if examination.adapters is None else examination.adapters
    tried = examination.tried(adapters)
    speaking = [one for one in tried if ":" not in one.address]
    files = [Path(node.__file__), *(examination.profile / name for name in (STORE_NAME, RECENT_NAME))]
    port = await check_port(examination.listen, [one.address for one in tried])
    multicast = await asyncio.gather(*map(check_multicast, speaking))
    heard = await check_tables([one.address for one in speaking]) if speaking else Heard([], None)
    called = await asyncio.gather(*(check_peer(*peer, adapters) for peer in examination.peers))
    return [
        *check_addresses(adapters),
        *port,
        *multicast,
        *heard.findings,
        *(call.finding for call in called),
        *check_announcements(heard, called),
        check_clock(time.time(), files),
        Finding(
            "firewall",
            Level.NOTE,
            tr(
                "What only a second computer can tell: whether the network passes announcements on, and"
                " whether this computer lets others in."
            ),
            firewall_hint(USUAL_PORT),
        ),
    ]


def _lines(findings: Sequence[Finding], width: int) -> list[str]:
    marks = {Level.OK: tr("ok   "), Level.NOTE: tr("note "), Level.PROBLEM: tr("WRONG")}
    indent = " " * len(marks[Level.OK])
    lines = []
    for finding in findings:
        lines += textwrap.wrap(
            f"{marks[finding.level]} {finding.text}", width, subsequent_indent=f"{indent} "
        )
        lines += textwrap.wrap(
            finding.advice, width, initial_indent=f"{indent} > ", subsequent_indent=f"{indent}   "
        )
    wrong = sum(finding.level is Level.PROBLEM for finding in findings)
    if wrong:
        lines.append(plural("One thing is wrong.", "{count} things are wrong.", wrong))
    else:
        lines.append(tr("All is well, as far as this computer can tell alone."))
    return lines
