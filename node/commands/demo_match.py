"""`kozel demo`: four nodes in four processes find each other on this machine and play whole matches."""

from __future__ import annotations

import contextlib
import hashlib
import queue
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from node.errors import DemoFailed
from node.i18n import tr
from node.lobby.host import new_code
from node.network.addresses import LOOPBACK
from node.seating.bot_process import BotProcess, Reports
from node.seating.worker import SeatConfig
from protocol.audit import Audit, Finding, audit_log

__all__ = ["DemoMatch", "DemoSettings", "play_demo"]

NAMES = ("Anna", "Boris", "Vera", "Gleb")
_SILENT_SECONDS = 60.0
"""No report for so long means that something hangs: even a slow machine finishes a deal in less."""


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """What the command line asks for."""

    matches: int
    seed: str | None
    bots: str
    out: Path


@dataclass(slots=True)
class DemoMatch:
    """One match of the demonstration. `times` are seconds since the start of the match, by stage."""

    match_id: str
    players: list[str]
    started: float
    deals: list[dict[str, Any]] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    score: tuple[int, int] = (0, 0)
    goat: int | None = None
    file: Path | None = None
    seconds: float = 0.0
    audit: Audit = field(default_factory=Audit)
    audit_seconds: float = 0.0

    @property
    def finding(self) -> Finding:
        """What the audit of the exported log came to."""
        return self.audit.finding


def play_demo(settings: DemoSettings, tell: Callable[[str, dict[str, Any]], None]) -> Iterator[DemoMatch]:
    """Play the matches, and yield each with its audited log; raises DemoFailed.

    `tell` is called with what happens: ``open``, ``joined``, ``not-found``, ``begun``, ``dealt``, ``deal``.
    """
    settings.out.mkdir(parents=True, exist_ok=True)
    reports = Reports()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        configs = _configs(settings, folder)
        bots = [_start(stack, configs[0], reports, 0)]
        port = _await_open(reports, bots, tell)
        for number in (1, 2, 3):
            config = replace(configs[number], address=(LOOPBACK, port))
            bots.append(_start(stack, config, reports, number))
        for _ in range(settings.matches):
            match = _follow_match(reports, bots, tell)
            _audit(match)
            yield match


def _start(stack: contextlib.ExitStack, config: SeatConfig, reports: Reports, number: int) -> BotProcess:
    bot = BotProcess(config, reports.of(number))
    stack.callback(bot.stop)
    return bot


def _configs(settings: DemoSettings, folder: Path) -> list[SeatConfig]:
    code, table_id = new_code(), secrets.token_hex(16)
    return [
        SeatConfig(
            profile=str(folder / name),
            name=name,
            play_as=settings.bots,
            table="demo",
            table_id=table_id,
            code=code,
            host=seat == 0,
            listen=LOOPBACK,
            interfaces=(LOOPBACK,),
            wish=str(seat),
            seed=settings.seed and hashlib.sha256(f"{settings.seed}/{seat}".encode()).hexdigest(),
            matches=settings.matches,
            out=str(settings.out) if seat == 0 else None,
        )
        for seat, name in enumerate(NAMES)
    ]


def _await_open(reports: Reports, bots: list[BotProcess], tell: Callable[[str, dict[str, Any]], None]) -> int:
    _, report = _next(reports, bots)
    while report["event"] != "open":
        _, report = _next(reports, bots)
    tell("open", report)
    port: int = report["port"]
    return port


def _follow_match(
    reports: Reports, bots: list[BotProcess], tell: Callable[[str, dict[str, Any]], None]
) -> DemoMatch:
    """Take in what the four report until the host's match is over."""
    match = None
    while True:
        number, report = _next(reports, bots)
        event = report["event"]
        if event in ("joined", "not-found"):
            tell(event, {"name": NAMES[number], **report})
        if number != 0:
            continue
        if event == "begun":
            match = DemoMatch(report["match_id"], report["players"], report["at"])
        elif match is not None and event in ("dealt", "deal"):
            match.times.setdefault(event, report["at"] - match.started)
            if event == "deal":
                match.deals.append(report)
        elif match is not None and event == "over":
            match.seconds = report["at"] - match.started
            match.score, match.goat = tuple(report["score"]), report["goat"]
            match.file = Path(report["file"])
            return match
        tell(event, report)


def _next(reports: Reports, bots: list[BotProcess]) -> tuple[int, dict[str, Any]]:
    try:
        number, report = reports.next(_SILENT_SECONDS)
    except queue.Empty:
        raise DemoFailed(tr("The demonstration hangs: nothing has happened for a minute.")) from None
    if report["event"] == "failed":
        raise DemoFailed(
            tr("{name} could not play: {reason}", name=bots[number].name, reason=report["reason"])
        )
    if report["event"] == "ended" and bots[number].wait(1.0) != 0:
        details = bots[number].errors.read_text(errors="replace").strip().rsplit("\n", 1)[-1]
        raise DemoFailed(tr("{name}'s program has ended: {reason}", name=bots[number].name, reason=details))
    return number, report


def _audit(match: DemoMatch) -> None:
    assert match.file is not None
    began = time.perf_counter()
    with match.file.open("rb") as stream:
        match.audit = audit_log(stream)
    match.audit_seconds = time.perf_counter() - began
