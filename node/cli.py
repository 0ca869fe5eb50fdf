"""The command line. Each command is a few lines here; what it does lives in a module of its own."""

from __future__ import annotations

import os
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from engine.errors import OptionsError
from engine.options import Eggs, MolodkaRule, Options
from node.bots import BOTS, THINK_SECONDS
from node.errors import NodeError
from node.i18n import asked_language, set_language, tr
from node.storage.profile import default_path
from protocol.limits import DEFAULT_GRACE, GRACE_SECONDS

__all__ = ["app", "main"]

# The help texts below are made when this module is imported.
set_language(asked_language(sys.argv[1:], os.environ))

app = typer.Typer(
    name="kozel",
    help=tr(
        "Kozel (Goat): the Russian card game for four on a local network, dealt by nobody, checked by all."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Language(StrEnum):
    """What the program speaks."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    ARABIC = "ar"


_MEDIUM: Final = "medium"
_PERSON: Final = "person"
_DEALS_OF_A_TOURNAMENT: Final = 1000

Name = Annotated[str | None, typer.Option(help=tr("Your name at the table; remembered for next time."))]
Bots = Annotated[int, typer.Option(min=0, max=3, help=tr("How many seats bots fill."))]
Kind = Annotated[
    str, typer.Option(help=tr("Which bots fill the seats: {names}, or module:Class.", names=", ".join(BOTS)))
]
As = Annotated[str, typer.Option(help=tr("Who plays in this seat: person, or a bot's name."))]
Target = Annotated[int, typer.Option(help=tr("Defeat points that end the match: 6, 12 or 24."))]
EggsRule = Annotated[Eggs, typer.Option(help=tr("After 60 to 60: a joke, or the next deal counts double."))]
Molodka = Annotated[MolodkaRule, typer.Option(help=tr("Whether four of a suit may be led out of turn."))]
Grace = Annotated[
    int,
    typer.Option(
        min=GRACE_SECONDS[0],
        max=GRACE_SECONDS[-1],
        help=tr("Seconds to wait for a silent player before the others are asked."),
    ),
]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help=tr("Port for guests; 47001 without, if it is free; 0 is any.")),
]
Share = Annotated[
    bool, typer.Option("--share", help=tr("Show the page to phones on this network too, with a QR code."))
]
Json = Annotated[bool, typer.Option("--json", help=tr("Print JSON for other programs."))]


@app.callback()
def program(
    lang: Annotated[
        Language | None,
        typer.Option(help=tr("Language; without, that of KOZEL_LANG or of the system. Before the command.")),
    ] = None,
) -> None:
    if lang is not None:
        set_language(lang)


@app.command(help=tr("Show four nodes on this machine playing whole matches over real sockets."))
def demo(
    matches: Annotated[int, typer.Option(min=1, max=1000, help=tr("How many matches."))] = 1,
    seed: Annotated[
        str | None, typer.Option(help=tr("Repeat the same cards and choices; such a match is for show."))
    ] = None,
    bots: Kind = _MEDIUM,
    out: Annotated[Path, typer.Option(help=tr("Folder for the exported logs."))] = Path("kozel-demo"),
    json: Json = False,
) -> None:
    from node.commands.demo import run_demo
    from node.commands.demo_match import DemoSettings

    raise typer.Exit(run_demo(DemoSettings(matches, seed, bots, out), as_json=json))


@app.command(help=tr("Let two bots play the same cards from both sides, and say how sure the result is."))
def tournament(
    a: Annotated[str, typer.Argument(help=tr("A bot: {names}, or module:Class.", names=", ".join(BOTS)))],
    b: Annotated[str, typer.Argument(help=tr("The bot that plays against it."))],
    partner: Annotated[
        str | None, typer.Option(help=tr("The bot that sits opposite the first one; without, its like."))
    ] = None,
    deals: Annotated[
        int | None, typer.Option(min=2, help=tr("How many single deals, each at 0 to 0; 1000 without."))
    ] = None,
    matches: Annotated[
        int | None, typer.Option(min=2, help=tr("How many whole matches, in place of single deals."))
    ] = None,
    seed: Annotated[str | None, typer.Option(help=tr("Repeat the same cards and choices."))] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, help=tr("How long a bot may think about each play."))
    ] = THINK_SECONDS,
    jobs: Annotated[
        int | None, typer.Option(min=1, help=tr("How many processes; without, one for each core."))
    ] = None,
    until_clear: Annotated[
        bool, typer.Option("--until-clear", help=tr("Stop as soon as it is clear which is stronger."))
    ] = False,
    target: Target = 12,
    eggs: EggsRule = Eggs.JOKE,
    molodka: Molodka = MolodkaRule.ANYTIME,
    json: Json = False,
) -> None:
    from node.commands.tournament import TournamentSettings, run_tournament
    from node.commands.tournament_run import available_cores

    settings = TournamentSettings(
        a,
        b,
        partner,
        games=_even_games(deals, matches),
        whole_matches=matches is not None,
        options=_options(target, eggs, molodka),
        seed=seed,
        seconds=seconds,
        jobs=available_cores() if jobs is None else jobs,
        until_clear=until_clear,
    )
    raise typer.Exit(run_tournament(settings, as_json=json))


@app.command(help=tr("Play in the browser, on a page of your own; or in this terminal, against bots."))
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
    bot_kind: Kind = _MEDIUM,
    play_as: As = _PERSON,
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

    options = _options(target, eggs, molodka)
    settings = TableSettings(default_path(), name, play_as, bots, bot_kind, options=options, grace=grace)
    raise typer.Exit(play_here(settings, _console()))


@app.command(help=tr("Let several people play on this computer, each on a phone of their own."))
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


@app.command(help=tr("Open a table on this network, show its code, and wait for the others."))
def host(
    name: Name = None,
    table: Annotated[str | None, typer.Option(help=tr("The table's name."))] = None,
    bots: Bots = 0,
    bot_kind: Kind = _MEDIUM,
    play_as: As = _PERSON,
    port: Port = None,
    target: Target = 12,
    eggs: EggsRule = Eggs.JOKE,
    molodka: Molodka = MolodkaRule.ANYTIME,
    grace: Grace = DEFAULT_GRACE,
) -> None:
    from node.commands.tables import TableSettings, host_table

    settings = TableSettings(
        default_path(),
        name,
        play_as,
        bots,
        bot_kind,
        table=table,
        options=_options(target, eggs, molodka),
        grace=grace,
        port=port,
    )
    raise typer.Exit(host_table(settings, _console()))


@app.command(help=tr("Join a table by its name, HOST:PORT or link; without, choose one found or recent."))
def join(
    table: Annotated[str | None, typer.Argument(help=tr("The table's name, HOST:PORT, or link."))] = None,
    code: Annotated[str | None, typer.Option(help=tr("The code on the host's screen."))] = None,
    name: Name = None,
    bots: Annotated[int, typer.Option(min=0, max=2, help=tr("How many bots come along."))] = 0,
    bot_kind: Kind = _MEDIUM,
    play_as: As = _PERSON,
) -> None:
    from node.commands.tables import TableSettings, join_a_table
    from node.lobby.table_link import is_link, parse_link
    from node.network.addresses import parse_host_port

    link = parse_link(table) if table is not None and is_link(table) else None
    # Only an address ends in a colon and a port; a table whose name does can be joined by its address.
    is_address = link is None and table is not None and re.search(r":\d+$", table) is not None
    settings = TableSettings(
        default_path(),
        name,
        play_as,
        bots,
        bot_kind,
        table=None if is_address or link is not None else table,
        link=link,
        address=parse_host_port(table) if is_address and table is not None else None,
        code=code,
    )
    raise typer.Exit(join_a_table(settings, _console()))


@app.command(help=tr("Go back to your seat in a match that was broken off."))
def resume(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest one without."))
    ] = None,
    bot_kind: Annotated[
        str | None, typer.Option(help=tr("Another kind of bots than those that were playing."))
    ] = None,
    play_as: As = _PERSON,
) -> None:
    from node.commands.tables import TableSettings, resume_match

    settings = TableSettings(default_path(), None, play_as, bot_kind=bot_kind)
    raise typer.Exit(resume_match(settings, match, _console()))


@app.command(
    name="go-on",
    help=tr("Open the table of a match again: somebody else takes the seat of a player who is gone."),
)
def go_on(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest one without."))
    ] = None,
    bots: Annotated[int, typer.Option(min=0, max=1, help=tr("1: a bot takes the seat."))] = 0,
    bot_kind: Kind = _MEDIUM,
    play_as: As = _PERSON,
    port: Port = None,
) -> None:
    from node.commands.tables import TableSettings, go_on_with

    settings = TableSettings(default_path(), None, play_as, bots, bot_kind, port=port)
    raise typer.Exit(go_on_with(settings, match, _console()))


@app.command(help=tr("List the tables that can be heard on this network."))
def tables() -> None:
    from node.commands.tables import list_tables

    raise typer.Exit(list_tables(_console()))


@app.command(help=tr("Say whether this computer can be found and can find others. Exit code 1: it cannot."))
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


@app.command(help=tr("List the matches that are kept on this computer."))
def matches(json: Json = False) -> None:
    from node.commands.logs import list_matches

    raise typer.Exit(list_matches(as_json=json))


@app.command(help=tr("Write a match to a log file that anybody can audit."))
def export(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest match without."))
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help=tr("File or folder to write to."))] = Path(),
) -> None:
    from node.commands.logs import export_to_file

    raise typer.Exit(export_to_file(match, output))


@app.command(
    help=tr(
        "Check log files. Exit code 0: fair and whole; 1: a cheat is proven; 2: not readable, sound or whole."
    )
)
def audit(
    files: Annotated[list[Path], typer.Argument(help=tr("Log files (.kozel)."))],
    json: Json = False,
) -> None:
    from node.commands.audit import audit_files

    raise typer.Exit(audit_files(files, as_json=json))


@app.command(help=tr("Show a logged match with all cards open."))
def replay(
    file: Annotated[Path, typer.Argument(help=tr("A log file (.kozel)."))],
    deal: Annotated[
        int | None, typer.Option(min=1, help=tr("Only this deal, counted from 1 as on the score sheet."))
    ] = None,
    json: Json = False,
) -> None:
    from node.commands.replay import replay_file

    raise typer.Exit(replay_file(file, deal=deal, as_json=json))


@app.command(help=tr("Say what a strong bot would play, in a logged match or in the one under way, and why."))
def hint(
    file: Annotated[
        str, typer.Argument(help=tr("A log file (.kozel), or live: the match under way on this computer."))
    ],
    seat: Annotated[
        int | None, typer.Option(min=1, max=4, help=tr("Whose choice, 1 to 4; without, your own."))
    ] = None,
    deal: Annotated[
        int | None, typer.Option(min=1, help=tr("In which deal, counted from 1; without, the last."))
    ] = None,
    trick: Annotated[
        int | None,
        typer.Option(min=1, help=tr("In which trick, counted from 1; without, the one under way.")),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.05, max=3600.0, help=tr("How many seconds to think about it."))
    ] = THINK_SECONDS,
    json: Json = False,
) -> None:
    from node.commands.hint import HintSettings, give_hint

    settings = HintSettings(file, default_path(), seat, deal, trick, seconds)
    raise typer.Exit(give_hint(settings, as_json=json))


def _only_in_terminal(context: typer.Context, *names: str) -> None:
    """The page asks for these itself."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--" + name.replace("_", "-")
            reason = tr("it goes with --terminal; the page asks for it itself.")
            raise typer.BadParameter(reason, param_hint=option)


def _even_games(deals: int | None, matches: int | None) -> int:
    """Two games for each pair (:mod:`node.bots.pairs`)."""
    if deals is not None and matches is not None:
        raise typer.BadParameter(tr("choose single deals or whole matches."), param_hint="--matches")
    games = deals or matches or _DEALS_OF_A_TOURNAMENT
    if games % 2:
        hint = "--deals" if matches is None else "--matches"
        reason = tr("the number must be even, since the same cards are played twice.")
        raise typer.BadParameter(reason, param_hint=hint)
    return games


def _options(target: int, eggs: Eggs, molodka: MolodkaRule) -> Options:
    try:
        return Options(target, eggs, molodka)
    except OptionsError as error:
        raise typer.BadParameter(str(error)) from error


def _console() -> Console:
    return Console(highlight=False)


def main() -> None:
    """Run the command line. What goes wrong is said in one sentence, never with a traceback."""
    try:
        app()
    except NodeError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone, as `kozel replay FILE | head` does.
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
