"""Options that several commands have in common."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from engine.errors import OptionsError
from engine.options import Eggs, MolodkaRule, Options
from node.bots import BOTS
from node.i18n import tr
from protocol.limits import GRACE_SECONDS, MAX_SPECTATORS

MEDIUM: Final = "medium"
PERSON: Final = "person"

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
Watchers = Annotated[
    int,
    typer.Option(min=0, max=MAX_SPECTATORS, help=tr("How many people may watch; they need the code too.")),
]
WatchDelay = Annotated[
    float,
    typer.Option(min=0.0, max=3600.0, help=tr("Seconds after which those who watch see what happens.")),
]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help=tr("Port for guests; 47001 without, if it is free; 0 is any.")),
]
Share = Annotated[
    bool, typer.Option("--share", help=tr("Show the page to phones on this network too, with a QR code."))
]
Jobs = Annotated[int | None, typer.Option(min=1, help=tr("How many processes; without, one for each core."))]
Json = Annotated[bool, typer.Option("--json", help=tr("Print JSON for other programs."))]


def rules(target: int, eggs: Eggs, molodka: MolodkaRule) -> Options:
    """The rules of a match; whatever is not possible is said as typer says it."""
    try:
        return Options(target, eggs, molodka)
    except OptionsError as error:
        raise typer.BadParameter(str(error)) from error
