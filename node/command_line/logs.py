"""Commands that look at matches which have been played."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from node.bots import THINK_SECONDS
from node.command_line.options import Jobs, Json
from node.errors import NodeError
from node.i18n import tr
from node.storage.profile import default_path

_NOT_AUDITED: Final = 2
"""What goes wrong with an audit must not look like a proven cheat, which is 1."""


def matches(json: Json = False) -> None:
    from node.commands.logs import list_matches

    raise typer.Exit(list_matches(as_json=json))


def export(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest match without."))
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help=tr("File or folder to write to."))] = Path(),
) -> None:
    from node.commands.logs import export_to_file

    raise typer.Exit(export_to_file(match, output))


def audit(
    files: Annotated[list[Path], typer.Argument(help=tr("Log files (.kozel)."))],
    html: Annotated[
        Path | None,
        typer.Option(help=tr("Also write a report to read or print: one HTML file, or a folder for it.")),
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    from node.commands.audit import audit_files

    try:
        code = audit_files(files, as_json=json, jobs=jobs, html=html)
    except NodeError as error:
        print(error, file=sys.stderr)
        code = _NOT_AUDITED
    raise typer.Exit(code)


def import_logs(
    files: Annotated[list[Path], typer.Argument(help=tr("Log files (.kozel)."))],
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    from node.commands import importing

    raise typer.Exit(importing.import_logs(default_path(), files, as_json=json, jobs=jobs))


def stats(
    player: Annotated[
        str | None,
        typer.Option(help=tr("Somebody else in the logs here, by name or by the first digits of the key.")),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help=tr("Draw the figures too, as a picture (SVG), into this file."))
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    from node.commands.stats import StatsSettings, show_stats

    raise typer.Exit(show_stats(StatsSettings(default_path(), player, picture, jobs), as_json=json))


def replay(
    file: Annotated[Path, typer.Argument(help=tr("A log file (.kozel)."))],
    deal: Annotated[
        int | None,
        typer.Option(min=1, help=tr("Begin at this deal, counted from 1; as text or JSON, only this one.")),
    ] = None,
    trick: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=tr("Begin at this trick of the deal; as text, only this one. Without --deal, of the first."),
        ),
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help=tr("Print everything in words, also on a terminal."))
    ] = False,
    json: Json = False,
) -> None:
    from node.commands.replay import replay_file

    raise typer.Exit(replay_file(file, deal=deal, trick=trick, as_json=json, as_text=text))


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
