"""Commands that look at matches which have been played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from node.bots import THINK_SECONDS
from node.command_line.options import Jobs, Json
from node.i18n import tr
from node.storage.profile import default_path


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
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    from node.commands.audit import audit_files

    raise typer.Exit(audit_files(files, as_json=json, jobs=jobs))


def replay(
    file: Annotated[Path, typer.Argument(help=tr("A log file (.kozel)."))],
    deal: Annotated[
        int | None, typer.Option(min=1, help=tr("Only this deal, counted from 1 as on the score sheet."))
    ] = None,
    json: Json = False,
) -> None:
    from node.commands.replay import replay_file

    raise typer.Exit(replay_file(file, deal=deal, as_json=json))


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
