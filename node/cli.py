"""The command line. Each command is a few lines here; what it does lives in a module of its own."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from node.errors import NodeError
from node.i18n import tr

__all__ = ["app", "main"]

app = typer.Typer(
    name="kozel",
    help=tr(
        "Kozel (Goat): the Russian card game for four on a local network, dealt by nobody, checked by all."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class BotKind(StrEnum):
    """The bots that there are."""

    RANDOM = "random"
    GREEDY = "greedy"


class PlayAs(StrEnum):
    """Who fills this computer's seat."""

    PERSON = "person"
    RANDOM = "random"
    GREEDY = "greedy"


Name = Annotated[str | None, typer.Option(help=tr("Your name at the table; remembered for next time."))]
Bots = Annotated[int, typer.Option(min=0, max=3, help=tr("How many seats bots fill."))]
Kind = Annotated[BotKind, typer.Option("--bots", help=tr("Which bots play."))]
As = Annotated[PlayAs, typer.Option(help=tr("Who plays in this seat: you, or a bot."))]
Json = Annotated[bool, typer.Option("--json", help=tr("Print JSON for other programs."))]


@app.command(help=tr("Show four nodes on this machine playing whole matches over real sockets."))
def demo(
    matches: Annotated[int, typer.Option(min=1, max=1000, help=tr("How many matches."))] = 1,
    seed: Annotated[
        str | None, typer.Option(help=tr("Repeat the same cards and choices; such a match is for show."))
    ] = None,
    bots: Kind = BotKind.GREEDY,
    out: Annotated[Path, typer.Option(help=tr("Folder for the exported logs."))] = Path("kozel-demo"),
    json: Json = False,
) -> None:
    from node.demo import DemoSettings
    from node.demo_command import run_demo

    raise typer.Exit(run_demo(DemoSettings(matches, seed, bots.value, out), as_json=json))


@app.command(help=tr("List the matches that are kept on this computer."))
def matches(json: Json = False) -> None:
    from node.log_commands import list_matches

    raise typer.Exit(list_matches(as_json=json))


@app.command(help=tr("Write a match to a log file that anybody can audit."))
def export(
    match: Annotated[
        str | None, typer.Argument(help=tr("The first digits of the match's id; the newest match without."))
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help=tr("File or folder to write to."))] = Path(),
) -> None:
    from node.log_commands import export_to_file

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
    from node.audit_command import audit_files

    raise typer.Exit(audit_files(files, as_json=json))


@app.command(help=tr("Show a logged match with all cards open."))
def replay(
    file: Annotated[Path, typer.Argument(help=tr("A log file (.kozel)."))],
    deal: Annotated[
        int | None, typer.Option(min=1, help=tr("Only this deal, counted from 1 as on the score sheet."))
    ] = None,
    json: Json = False,
) -> None:
    from node.replay_command import replay_file

    raise typer.Exit(replay_file(file, deal=deal, as_json=json))


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
