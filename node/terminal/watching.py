"""Watching a table in the terminal: told as it goes, checked as it comes (§9.10)."""

from __future__ import annotations

import asyncio
import getpass
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zeroconf import InterfaceChoice

from engine import turn
from node.errors import WrongCode
from node.i18n import tr
from node.lobby.table_link import TableLink
from node.network.discovery import Interfaces
from node.seating.door import Way, way_by_name
from node.storage.exporting import default_file_name, export_events
from node.terminal.gathering import ask
from node.terminal.inbox import Inbox
from node.terminal.screen import Screen
from node.watching.watcher import Watcher, enter
from node.words.findings import checked_so_far
from node.words.patience import Patience
from node.words.progress import current_stage
from node.words.retelling import goat_lines
from node.words.sheets import verdict_lines
from node.words.telling import Telling
from node.words.wording import Wording, distinct
from protocol.genesis import fingerprint
from protocol.spectator import Spectator

__all__ = ["WatchSettings", "watch"]

_GLANCE_SECONDS: Final = 1.0
_GREETING_SECONDS: Final = 3.0
"""By then the host has said which match is on, if one is."""


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What the command line asks for: a table by name, address or link, and where logs are to be kept."""

    table: str | None = None
    address: tuple[str, int] | None = None
    link: TableLink | None = None
    code: str | None = None
    name: str | None = None
    output: Path | None = None
    interfaces: Interfaces = InterfaceChoice.All


async def watch(settings: WatchSettings, screen: Screen) -> int:
    """Watch until the table closes; exit code 1 if a cheat was proven. Raises NodeError and PersonLeft."""
    inbox = Inbox()
    watcher = await _let_in(settings, screen, inbox)
    cheated = False
    async with watcher:
        screen.say(
            tr(
                "You watch the table “{table}”, host {host}.",
                table=watcher.table_name,
                host=watcher.host_name,
            ),
            tr("You see what all can see, and this computer checks it. Ctrl+C ends it."),
        )
        await watcher.change_within(_GREETING_SECONDS)
        if watcher.match is None:
            screen.say(tr("The match has not begun yet."))
        seen: Spectator | None = None
        while (match := await _next_match(watcher, seen)) is not None:
            try:
                await _follow(watcher, match, screen)
            finally:
                _keep(settings.output, match, screen)
            cheated = cheated or match.match.verdict is not None
            seen = match
        screen.say("", tr("The host has closed the table.") if watcher.closed else tr("The host has gone."))
    return 1 if cheated else 0


async def _let_in(settings: WatchSettings, screen: Screen, inbox: Inbox) -> Watcher:
    """Find the table, and show the code at its door; a wrong one that was typed can be typed again."""
    way = await _way(settings)
    given = settings.code or (settings.link and settings.link.code)
    name = settings.name or _user_name()
    if given is None:
        inbox.listen(sys.stdin.fileno())
    while True:
        code = given or await ask(screen, inbox, tr("Code on the host's screen: "))
        try:
            return await enter(way, code, name)
        except WrongCode as error:
            if given is not None:
                raise
            screen.say(str(error))


async def _way(settings: WatchSettings) -> Way:
    if settings.link is not None:
        return Way(settings.link.places, settings.link.table_id)
    if settings.address is not None:
        return Way((settings.address,))
    return await way_by_name(settings.table, settings.interfaces)


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # A system that has no name for its user.
        return tr("Spectator")


async def _next_match(watcher: Watcher, seen: Spectator | None) -> Spectator | None:
    """The match after the one that was seen to its end; None when there will be none."""
    while watcher.match is seen:
        if watcher.host_is_gone:
            return None
        await watcher.change_within(_GLANCE_SECONDS)
    return watcher.match


async def _follow(watcher: Watcher, match: Spectator, screen: Screen) -> None:
    """Tell a match until it is over, another one is on, or the host has gone."""
    wording = Wording(distinct([member.name for member in match.match.genesis.roster]), None, screen.symbols)
    screen.say("", tr("=== The match begins ==="), *_opening_lines(match, wording))
    telling, patience = Telling(match.match, lambda: match.state, wording), Patience(wording)
    clock, deals = asyncio.get_running_loop(), 0
    while True:
        screen.say(*telling.catch_up())
        if len(match.match.finished) > deals:
            deals = len(match.match.finished)
            screen.say(*checked_so_far(match.match))
        stage = current_stage(match.match)
        screen.say(*patience.notice(clock.time(), stage, turn(match.state), frozenset()))
        if match.finished or watcher.match is not match or watcher.host_is_gone:
            break
        await watcher.change_within(_GLANCE_SECONDS)
    screen.say("", *_closing_lines(match, wording))


def _opening_lines(match: Spectator, wording: Wording) -> list[str]:
    return [
        tr("{first} play against {second}.", first=wording.pair(0), second=wording.pair(1)),
        tr("Check words of the match: {words}", words=fingerprint(match.log.match_id)),
    ]


def _closing_lines(match: Spectator, wording: Wording) -> list[str]:
    verdict = match.match.verdict
    if verdict is not None:
        return verdict_lines(verdict, wording)
    if not match.match.over:
        return [tr("The match was not watched to its end.")]
    return [tr("=== The match is over ==="), *goat_lines(match.state, wording), *checked_so_far(match.match)]


def _keep(folder: Path | None, match: Spectator, screen: Screen) -> None:
    """Write what was seen as a log file, if that is wanted."""
    if folder is not None:
        genesis = match.log.genesis
        file = folder / default_file_name(genesis.match_id)
        export_events(genesis.match_id, genesis.encode(), match.events(), file)
        screen.say(tr("Written: {file}", file=file))
