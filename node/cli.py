"""The command line: which commands there are."""

from __future__ import annotations

import io
import os
import sys
from enum import StrEnum
from typing import Annotated

import typer

from node.errors import NodeError
from node.i18n import asked_language, set_language, tr

__all__ = ["app", "main"]

# The help texts are made when the modules of the commands are imported.
set_language(asked_language(sys.argv[1:], os.environ))

from node.command_line import bots, logs, tables  # noqa: E402

app = typer.Typer(
    name="kozel",
    help=tr(
        "Kozel (Goat): the Russian card game for four on a local network, dealt by nobody, checked by all."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


_NAMES: dict[object, str] = {logs.import_logs: "import"}
"""What commands are called whose functions cannot have that name."""


class Language(StrEnum):
    """What the program speaks."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    ARABIC = "ar"


@app.callback()
def program(
    lang: Annotated[
        Language | None,
        typer.Option(help=tr("Language; without, that of KOZEL_LANG or of the system. Before the command.")),
    ] = None,
) -> None:
    if lang is not None:
        set_language(lang)


for command, purpose in (
    (bots.demo, tr("Show four nodes on this machine playing whole matches over real sockets.")),
    (
        bots.tournament,
        tr("Let two bots play the same cards from both sides, and say how sure the result is."),
    ),
    (tables.play, tr("Play in the browser, on a page of your own; or in this terminal, against bots.")),
    (tables.party, tr("Let several people play on this computer, each on a phone of their own.")),
    (tables.host, tr("Open a table on this network, show its code, and wait for the others.")),
    (tables.join, tr("Join a table by its name, HOST:PORT or link; without, choose one found or recent.")),
    (tables.resume, tr("Go back to your seat in a match that was broken off.")),
    (
        tables.go_on,
        tr("Open the table of a match again: somebody else takes the seat of a player who is gone."),
    ),
    (
        tables.watch,
        tr("Watch a table without a seat: you see what all can see, and it is checked as it comes."),
    ),
    (tables.tables, tr("List the tables that can be heard on this network.")),
    (
        tables.doctor,
        tr("Say whether this computer can be found and can find others. Exit code 1: it cannot."),
    ),
    (logs.matches, tr("List the matches that are kept on this computer.")),
    (logs.export, tr("Write a match to a log file that anybody can audit.")),
    (
        logs.import_logs,
        tr("Check log files and keep them beside your own matches. Exit code 2: one was not kept."),
    ),
    (
        logs.stats,
        tr("Say what your matches add up to: goats, partners, molodkas and more. Only checked logs count."),
    ),
    (
        logs.audit,
        tr(
            "Check log files. Exit code 0: fair and whole; 1: a cheat is proven; "
            "2: not readable, sound or whole."
        ),
    ),
    (logs.replay, tr("Step through a logged match with all cards open; without a terminal, print it.")),
    (
        logs.hint,
        tr("Say what a strong bot would play, in a logged match or in the one under way, and why."),
    ),
):
    app.command(_NAMES.get(command), help=purpose)(command)


def main() -> None:
    """Run the command line. What goes wrong is said in one sentence, never with a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # A screen that cannot show a letter shows a question mark.
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
