"""What `kozel demo` prints: progress and score sheet for people, or one JSON object."""

from __future__ import annotations

import json
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from node.commands.demo_match import DemoMatch, DemoSettings, play_demo
from node.i18n import plural, tr
from protocol.audit import Finding

__all__ = ["run_demo"]


def run_demo(settings: DemoSettings, *, as_json: bool) -> int:
    """Run the demonstration; exit code 0 when every log is fair and whole."""
    # Progress goes to standard error in JSON mode, so that standard output holds the object alone.
    screen = _Screen(Console(stderr=as_json, highlight=False))
    if settings.seed is not None:
        screen.line(
            tr("For show: with --seed the cards follow from the seed, so whoever knows it knows them.")
        )
    matches = []
    for match in play_demo(settings, screen.tell):
        matches.append(match)
        screen.sheet(match)
    if as_json:
        print(json.dumps({"matches": [_as_json(match) for match in matches]}))
    return 0 if all(match.finding is Finding.FAIR for match in matches) else 1


def _as_json(match: DemoMatch) -> dict[str, Any]:
    return {
        "match_id": match.match_id,
        "file": str(match.file),
        "score": list(match.score),
        "goat": match.goat,
        "deals": len(match.deals),
        "seconds": round(match.seconds, 3),
        "audit": match.finding.value,
    }


class _Screen:
    """Shows a demonstration while it runs."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = time.perf_counter()
        self._stages: dict[str, float] = {}
        self._joined = 0

    def line(self, text: str) -> None:
        self._console.print(text)

    def tell(self, event: str, report: dict[str, Any]) -> None:
        """Say what has happened."""
        seconds = time.perf_counter() - self._began
        if event == "open":
            self._stages[tr("starting the first node")] = seconds
            self.line(tr("Anna's node has opened a table on this machine."))
            if not report["announced"]:
                self.line(tr("Multicast on loopback is not possible here: the others connect by address."))
        elif event == "not-found":
            self.line(
                tr("{name} hears no announcement on loopback, and connects by address.", name=report["name"])
            )
        elif event == "joined":
            how = tr("found the table") if report["how"] == "discovery" else tr("connected by address")
            self.line(tr("{name} {how} and gave the code.", name=report["name"], how=how))
        elif event == "begun":
            self._stages.setdefault(
                tr("finding each other and joining"), seconds - sum(self._stages.values())
            )
            self.line(tr("All four have signed the match. They shuffle together…"))
        elif event == "dealt":
            self.line(tr("The cards are dealt, by nobody."))
        elif event == "deal":
            self.line(_deal_line(report))

    def sheet(self, match: DemoMatch) -> None:
        """Show how a match ended, what the audit of its log says, and where the time went."""
        table = Table(title=tr("Score sheet"))
        for heading in (tr("Deal"), tr("Card points"), tr("Tricks"), tr("Defeat points")):
            table.add_column(heading, justify="right")
        for deal in match.deals:
            cells = ("points", "tricks_taken", "defeat_points")
            table.add_row(str(deal["number"] + 1), *(" : ".join(map(str, deal[cell])) for cell in cells))
        table.add_section()
        table.add_row("", "", tr("Together"), " : ".join(map(str, match.score)))
        self._console.print(table)
        self.line(_goat_line(match))
        self._say_audit(match)
        self._say_time(match)

    def _say_audit(self, match: DemoMatch) -> None:
        if match.finding is Finding.FAIR:
            self.line(tr("Audit: fair and whole. {count} signed events checked.", count=match.audit.events))
        else:
            self.line(
                tr("Audit: {finding}. {reason}", finding=match.finding.value, reason=match.audit.problems)
            )
        self.line(tr("The log is {file}", file=match.file))

    def _say_time(self, match: DemoMatch) -> None:
        first_cards = match.times.get("dealt", 0.0)
        stages = {
            **self._stages,
            tr("shuffling and dealing for the first time"): first_cards,
            tr("playing"): match.seconds - first_cards,
            tr("auditing the log"): match.audit_seconds,
        }
        self._stages = {}
        slowest = max(stages, key=lambda stage: stages[stage])
        for stage, seconds in stages.items():
            self.line(tr("  {seconds:5.1f} s  {stage}", seconds=seconds, stage=stage))
        self.line(tr("Slowest: {stage}.", stage=slowest))


def _deal_line(deal: dict[str, Any]) -> str:
    first, second = deal["points"]
    if first == second:
        return tr("Deal {number}: 60 to 60, eggs.", number=deal["number"] + 1)
    return tr(
        "Deal {number}: {first} to {second} card points.",
        number=deal["number"] + 1,
        first=first,
        second=second,
    )


def _goat_line(match: DemoMatch) -> str:
    names = tr(" and ").join(name for seat, name in enumerate(match.players) if seat % 2 == match.goat)
    return plural(
        "{names} are the goat after {count} deal.",
        "{names} are the goat after {count} deals.",
        len(match.deals),
        names=names,
    )
