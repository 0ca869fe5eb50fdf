"""Commands in which bots play among themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from engine.options import Eggs, MolodkaRule
from node.bots import BOTS, THINK_SECONDS
from node.command_line.options import MEDIUM, EggsRule, Jobs, Json, Kind, Molodka, Target, rules
from node.i18n import tr

_DEALS_OF_A_TOURNAMENT: Final = 1000


def demo(
    matches: Annotated[int, typer.Option(min=1, max=1000, help=tr("How many matches."))] = 1,
    seed: Annotated[
        str | None, typer.Option(help=tr("Repeat the same cards and choices; such a match is for show."))
    ] = None,
    bots: Kind = MEDIUM,
    out: Annotated[Path, typer.Option(help=tr("Folder for the exported logs."))] = Path("kozel-demo"),
    json: Json = False,
) -> None:
    from node.commands.demo import run_demo
    from node.commands.demo_match import DemoSettings

    raise typer.Exit(run_demo(DemoSettings(matches, seed, bots, out), as_json=json))


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
    jobs: Jobs = None,
    until_clear: Annotated[
        bool, typer.Option("--until-clear", help=tr("Stop as soon as it is clear which is stronger."))
    ] = False,
    target: Target = 12,
    eggs: EggsRule = Eggs.JOKE,
    molodka: Molodka = MolodkaRule.ANYTIME,
    json: Json = False,
) -> None:
    from node.commands.tournament import TournamentSettings, run_tournament
    from node.processes import available_cores

    settings = TournamentSettings(
        a,
        b,
        partner,
        games=_even_games(deals, matches),
        whole_matches=matches is not None,
        options=rules(target, eggs, molodka),
        seed=seed,
        seconds=seconds,
        jobs=available_cores() if jobs is None else jobs,
        until_clear=until_clear,
    )
    raise typer.Exit(run_tournament(settings, as_json=json))


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
