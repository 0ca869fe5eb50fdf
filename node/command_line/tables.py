"""Commands that play: at a table, on the page, on a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from engine.options import Eggs, MolodkaRule
from node.command_line.options import (
    MEDIUM,
    PERSON,
    As,
    Bots,
    EggsRule,
    Grace,
    Json,
    Kind,
    Molodka,
    Name,
    Port,
    Share,
    Target,
    WatchDelay,
    Watchers,
    rules,
)
from node.i18n import tr
from node.storage.profile import default_path
from protocol.limits import DEFAULT_GRACE, MAX_SPECTATORS

if TYPE_CHECKING:
    from node.lobby.table_link import TableLink


def play(
    context: typer.Context,
    name: Name = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help=tr("Play in this terminal, at once, against three bots."))
    ] = False,
    browser: Annotated[
        bool, typer.Option(help=tr("Open the browser, or only print the link of the page."))
    ] = True,
    share: Share = False,
    port: Port = None,
    bots: Bots = 3,
    bot_kind: Kind = MEDIUM,
    play_as: As = PERSON,
    target: Target = 12,
    eggs: EggsRule = Eggs.JOKE,
    molodka: Molodka = MolodkaRule.ANYTIME,
    grace: Grace = DEFAULT_GRACE,
) -> None:
    if not terminal:
        from node.commands.page import PageSettings, play_on_page

        _only_in_terminal(context, "bots", "bot_kind", "play_as", "target", "eggs", "molodka", "grace")
        raise typer.Exit(play_on_page(PageSettings(default_path(), name, browser, share, port)))
    from node.commands.tables import TableSettings, play_here

    options = rules(target, eggs, molodka)
    settings = TableSettings(default_path(), name, play_as, bots, bot_kind, options=options, grace=grace)
    raise typer.Exit(play_here(settings, _console()))


def party(
    players: Annotated[
        int, typer.Option(min=1, max=4, help=tr("How many people; bots can take the other seats."))
    ] = 4,
    share: Annotated[
        bool, typer.Option(help=tr("Show the pages to the phones on this network, or to this computer only."))
    ] = True,
) -> None:
    from node.commands.page import PageSettings
    from node.commands.page import party as throw_party

    raise typer.Exit(throw_party(PageSettings(default_path(), browser=False, share=share), players))


def host(
    name: Name = None,
    table: Annotated[str | None, typer.Option(help=tr("The table's name."))] = None,
    bots: Bots = 0,
    bot_kind: Kind = MEDIUM,
    play_as: As = PERSON,
    port: Port = None,
    target: Target = 12,
    eggs: EggsRule = Eggs.JOKE,
    molodka: Molodka = MolodkaRule.ANYTIME,
    grace: Grace = DEFAULT_GRACE,
    watchers: Watchers = MAX_SPECTATORS,
    watch_delay: WatchDelay = 0.0,
) -> None:
    from node.commands.tables import TableSettings, host_table

    settings = TableSettings(
        default_path(),
        name,
        play_as,
        bots,
        bot_kind,
        table=table,
        options=rules(target, eggs, molodka),
        grace=grace,
        port=port,
        watchers=watchers,
        watch_delay=watch_delay,
    )
    raise typer.Exit(host_table(settings, _console()))


def join(
    table: Annotated[str | None, typer.Argument(help=tr("The table's name, HOST:PORT, or link."))] = None,
    code: Annotated[str | None, typer.Option(help=tr("The code on the host's screen."))] = None,
    name: Name = None,
    bots: Annotated[int, typer.Option(min=0, max=2, help=tr("How many bots come along."))] = 0,
    bot_kind: Kind = MEDIUM,
    play_as: As = PERSON,
) -> None:
    from node.commands.tables import TableSettings, join_a_table

    named, address, link = _place(table)
    settings = TableSettings(
        default_path(), name, play_as, bots, bot_kind, table=named, link=link, address=address, code=code
    )
    raise typer.Exit(join_a_table(settings, _console()))


def watch(
    table: Annotated[str, typer.Argument(help=tr("The table's name, HOST:PORT, or link."))],
    code: Annotated[str | None, typer.Option(help=tr("The code on the host's screen."))] = None,
    name: Annotated[str | None, typer.Option(help=tr("Your name, for the host to see."))] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help=tr("Keep the logs of what you watch in this folder.")),
    ] = None,
) -> None:
    from node.commands.tables import watch_table
    from node.terminal.watching import WatchSettings

    named, address, link = _place(table)
    raise typer.Exit(watch_table(WatchSettings(named, address, link, code, name, output), _console()))


def resume(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest one without."))
    ] = None,
    bot_kind: Annotated[
        str | None, typer.Option(help=tr("Another kind of bots than those that were playing."))
    ] = None,
    play_as: As = PERSON,
) -> None:
    from node.commands.tables import TableSettings, resume_match

    settings = TableSettings(default_path(), None, play_as, bot_kind=bot_kind)
    raise typer.Exit(resume_match(settings, match, _console()))


def go_on(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest one without."))
    ] = None,
    bots: Annotated[int, typer.Option(min=0, max=1, help=tr("1: a bot takes the seat."))] = 0,
    bot_kind: Kind = MEDIUM,
    play_as: As = PERSON,
    port: Port = None,
) -> None:
    from node.commands.tables import TableSettings, go_on_with

    settings = TableSettings(default_path(), None, play_as, bots, bot_kind, port=port)
    raise typer.Exit(go_on_with(settings, match, _console()))


def tables() -> None:
    from node.commands.tables import list_tables

    raise typer.Exit(list_tables(_console()))


def doctor(
    peer: Annotated[
        str | None, typer.Argument(help=tr("A table that cannot be reached: HOST:PORT or its link."))
    ] = None,
    json: Json = False,
) -> None:
    from node.commands.doctor import Examination, run_doctor
    from node.lobby.table_link import is_link, parse_link
    from node.network.addresses import parse_host_port

    places: tuple[tuple[str, int], ...] = ()
    if peer is not None:
        places = parse_link(peer).places if is_link(peer) else (parse_host_port(peer),)
    raise typer.Exit(run_doctor(Examination(default_path(), places), as_json=json))


def _place(table: str | None) -> tuple[str | None, tuple[str, int] | None, TableLink | None]:
    """What somebody means who names a table: its name, its address, or a link. Raises NodeError."""
    from node.lobby.table_link import is_link, parse_link
    from node.network.addresses import parse_host_port

    if table is None:
        return None, None, None
    if is_link(table):
        return None, None, parse_link(table)
    # Only an address ends in a colon and a port; a table whose name does can be joined by its address.
    if re.search(r":\d+$", table):
        return None, parse_host_port(table), None
    return table, None, None


def _only_in_terminal(context: typer.Context, *names: str) -> None:
    """The page asks for these itself."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--" + name.replace("_", "-")
            reason = tr("it goes with --terminal; the page asks for it itself.")
            raise typer.BadParameter(reason, param_hint=option)


def _console() -> Console:
    return Console(highlight=False)
