"""`kozel play`, `host`, `join`, `resume`, `go-on` and `tables`: from the command line to a table and back.

All return an exit code: 0 when the visit ended as it should, 1 when something went wrong or a cheat was
proven, 130 after Ctrl+C. Nothing ends with a traceback: problems are one sentence on standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text
from zeroconf import InterfaceChoice

from node.errors import NodeError
from node.i18n import plural, tr
from node.loops import run
from node.network.addresses import LOOPBACK, format_host_port
from node.network.discovery import Interfaces, TableAd, browse
from node.network.table_ad import PLAYING
from node.seating.bot_seats import BotSeats
from node.storage.profile import Profile
from node.terminal.go_on_visit import GoOnVisit
from node.terminal.leaving import PersonLeft
from node.terminal.return_visit import ReturnVisit
from node.terminal.screen import Screen
from node.terminal.visit import TableSettings, Visit
from node.terminal.watching import WatchSettings, watch

__all__ = [
    "TableSettings",
    "go_on_with",
    "host_table",
    "join_a_table",
    "list_tables",
    "play_here",
    "resume_match",
    "watch_table",
]

_BROWSE_SECONDS = 2.5

_V = TypeVar("_V", bound=Visit)


def play_here(settings: TableSettings, console: Console) -> int:
    """Play on this computer alone: nothing listens on the network, and bots come at once."""
    here = replace(settings, listen=LOOPBACK, port=0, watchers=0)
    return _visit(here, console, lambda visit: visit.host(announced=False))


def host_table(settings: TableSettings, console: Console) -> int:
    """Open a table on the network, show the code, and play when all four are there."""
    return _visit(settings, console, lambda visit: visit.host(announced=True))


def join_a_table(settings: TableSettings, console: Console) -> int:
    """Sit down at a table: the one at the address, the one of that name, or one that is found."""
    return _visit(settings, console, lambda visit: visit.join())


def resume_match(settings: TableSettings, prefix: str | None, console: Console) -> int:
    """Go back to the match whose id begins so, or to the newest that was broken off, and play on."""
    return _visit(settings, console, lambda visit: visit.resume(prefix), ReturnVisit)


def go_on_with(settings: TableSettings, prefix: str | None, console: Console) -> int:
    """Open the table of such a match again, so that somebody else can take the seat of who is gone."""
    return _visit(settings, console, lambda visit: visit.go_on(prefix), GoOnVisit)


def watch_table(settings: WatchSettings, console: Console) -> int:
    """Follow the matches of a table without a seat; exit code 1 if a cheat was proven."""
    screen = Screen(console)
    return _politely(lambda: run(watch(settings, screen)), screen, kept=False)


def list_tables(console: Console, interfaces: Interfaces = InterfaceChoice.All) -> int:
    """Show the tables that announce themselves on this network."""

    screen = Screen(console)

    def show() -> int:
        found = run(browse(interfaces, _BROWSE_SECONDS))
        if found:
            console.print(_table_of(found))
        else:
            screen.say(
                tr("No table was found on this network."),
                tr("Open one with: kozel host. Or ask the host for the address: kozel join HOST:PORT"),
            )
        return 0

    return _politely(show, screen)


def _table_of(found: list[TableAd]) -> Table:
    table = Table()
    for heading in (tr("Table"), tr("Host"), tr("State"), tr("Address")):
        table.add_column(heading)
    for ad in found:
        where = format_host_port(ad.addresses[0], ad.port)
        # As texts: a name from the network may hold what looks like markup.
        table.add_row(*map(Text, (ad.name, ad.host_name, _state(ad), where)))
    return table


def _state(ad: TableAd) -> str:
    if ad.state == PLAYING:
        return tr("plays: can be watched")
    return plural("{count} seat free", "{count} seats free", ad.free_seats)


def _visit(
    settings: TableSettings,
    console: Console,
    evening: Callable[[_V], Coroutine[Any, Any, int]],
    kind: type[_V] = Visit,  # type: ignore[assignment]
) -> int:
    screen = Screen(console)

    def go() -> int:
        with (
            Profile.open(settings.profile, name=settings.name) as profile,
            BotSeats(profile.path / "bots", settings.bot_kind, pause=settings.pause) as bots,
        ):
            return run(evening(kind(settings, profile, screen, bots)))

    return _politely(go, screen)


def _politely(work: Callable[[], int], screen: Screen, *, kept: bool = True) -> int:
    """Do the work; whatever ends it early is said in a sentence, and what is `kept`, too."""
    try:
        return work()
    except PersonLeft:
        _say_goodbye(screen, kept=kept)
        return 0
    except KeyboardInterrupt:
        _say_goodbye(screen, kept=kept)
        return 130
    except NodeError as error:
        screen.say()  # Standard error is the same screen: not behind an open question.
        Console(stderr=True).print(Text(str(error)))
        return 1


def _say_goodbye(screen: Screen, *, kept: bool) -> None:
    if kept:
        screen.say("", tr("Goodbye. Every match is kept on this computer; see them with: kozel matches"))
    else:
        screen.say("", tr("Goodbye."))
