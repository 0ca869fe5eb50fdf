"""`kozel stats`: what a player's verified matches add up to, as tables, JSON and a picture."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from node.commands.counting import counting
from node.errors import PictureFailed
from node.history.figures import Figures, LeftOut, Together
from node.history.picture import picture_of
from node.history.player import short_key
from node.history.report import Report, report_of
from node.i18n import plural, tr
from node.processes import available_cores
from node.storage.keyfiles import write_private

__all__ = ["StatsSettings", "show_stats"]

_SHOWN: Final = 12
"""So many partners and opponents are listed for people; JSON has all."""


@dataclass(frozen=True, slots=True)
class StatsSettings:
    """What the command line asks for; without a `player` the owner of the profile is meant.

    `jobs` processes audit, one for each core without.
    """

    profile: Path
    player: str | None = None
    picture: Path | None = None
    jobs: int | None = None


def show_stats(settings: StatsSettings, *, as_json: bool) -> int:
    """Print the figures and write the picture; exit code 0. Raises NodeError."""
    with counting() as heard:
        jobs = settings.jobs or available_cores()
        report = report_of(settings.profile, settings.player, jobs=jobs, heard=heard)
    if settings.picture is not None:
        _draw(settings.picture, report)
    if as_json:
        print(json.dumps(_as_json(report)))
        return 0
    console = Console(highlight=False)
    _show(console, report)
    if settings.picture is not None:
        print(tr("Written: {file}", file=settings.picture))
    return 0


def _draw(file: Path, report: Report) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_private(file, picture_of(report.name, report.figures).encode())
    except OSError as error:
        raise PictureFailed(
            tr(
                "The picture could not be written to {path} ({reason}).",
                path=file,
                reason=error.strerror or error,
            )
        ) from error


# For people


def _show(console: Console, report: Report) -> None:
    figures = report.figures
    title = plural("{name}: {count} match", "{name}: {count} matches", figures.matches, name=report.name)
    console.print(escape(title), style="bold")
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for label, value in _rows(figures):
        table.add_row(label, value)
    console.print(table)
    for heading, people in ((tr("Partner"), figures.partners), (tr("Opponent"), figures.opponents)):
        if people:
            console.print(_people_table(heading, people))
    for line in (*_cheats(figures), *_left_out(report)):
        console.print(line)


def _rows(figures: Figures) -> list[tuple[str, str]]:
    return [
        (tr("Matches won"), str(figures.won)),
        (tr("Matches lost"), str(figures.lost)),
        (tr("Not finished"), str(figures.unfinished)),
        (tr("Goats given (of them with eggs)"), f"{figures.goats_given} ({figures.goats_given_with_eggs})"),
        (
            tr("Goats suffered (of them with eggs)"),
            f"{figures.goats_suffered} ({figures.goats_suffered_with_eggs})",
        ),
        (tr("Longest row of wins"), str(figures.longest_wins)),
        (tr("Longest row of losses"), str(figures.longest_losses)),
        (tr("Deals finished"), str(figures.deals)),
        (tr("Deals won"), str(figures.deals_won)),
        (tr("Deals lost"), str(figures.deals_lost)),
        (tr("Deals with eggs"), str(figures.deals_eggs)),
        (tr("Defeat points given"), str(figures.defeat_points_given)),
        (tr("Defeat points taken"), str(figures.defeat_points_taken)),
        (tr("Card points"), str(figures.points)),
        (tr("Card points of the others"), str(figures.points_of_others)),
        (tr("Tricks of the team"), str(figures.tricks_of_team)),
        (tr("Own tricks"), str(figures.tricks)),
        (tr("Molodkas led (of them won)"), f"{figures.molodkas} ({figures.molodkas_won})"),
    ]


def _people_table(heading: str, people: tuple[Together, ...]) -> Table:
    """Names are other people's text; who has the name of another is told apart by the key."""
    names = [person.name.casefold() for person in people]
    table = Table()
    table.add_column(heading)
    for title in (tr("Matches"), tr("Won"), tr("Lost")):
        table.add_column(title, justify="right")
    for person in people[:_SHOWN]:
        several = names.count(person.name.casefold()) > 1
        name = f"{person.name} ({short_key(person.key)})" if several else person.name
        table.add_row(escape(name), str(person.matches), str(person.won), str(person.lost))
    if len(people) > _SHOWN:
        table.caption = plural("and {count} more", "and {count} more", len(people) - _SHOWN)
    return table


def _cheats(figures: Figures) -> list[str]:
    lines = []
    if figures.won_by_cheat:
        lines.append(
            plural(
                "{count} match is won because a cheat of the other team is proven.",
                "{count} matches are won because a cheat of the other team is proven.",
                figures.won_by_cheat,
            )
        )
    if figures.lost_by_cheat:
        lines.append(
            plural(
                "{count} match is lost because a cheat of the own team is proven.",
                "{count} matches are lost because a cheat of the own team is proven.",
                figures.lost_by_cheat,
            )
        )
    return lines


def _left_out(report: Report) -> list[str]:
    """How many logs do not count, and why."""

    def told(reason: LeftOut, count: int) -> str:
        match reason:
            case LeftOut.STRANGER:
                return plural(
                    "Left out: {count} log of a match without {name}.",
                    "Left out: {count} logs of matches without {name}.",
                    count,
                    name=report.name,
                )
            case LeftOut.FOR_SHOW:
                return plural(
                    "Left out: {count} match for show.", "Left out: {count} matches for show.", count
                )
            case LeftOut.NOT_BEGUN:
                return plural(
                    "Left out: {count} match that not all four have accepted.",
                    "Left out: {count} matches that not all four have accepted.",
                    count,
                )
            case LeftOut.DAMAGED:
                return plural(
                    "Left out: {count} log that is damaged or cannot be read.",
                    "Left out: {count} logs that are damaged or cannot be read.",
                    count,
                )

    return [escape(told(reason, report.left_out[reason])) for reason in LeftOut if report.left_out[reason]]


# For programs


def _as_json(report: Report) -> dict[str, Any]:
    """Keys and match ids are hexadecimal, times in seconds since 1970."""
    figures = report.figures
    return {
        "player": {"key": report.key.hex(), "name": report.name},
        "matches": {
            "played": figures.matches,
            "won": figures.won,
            "lost": figures.lost,
            "unfinished": figures.unfinished,
            "won_by_cheat": figures.won_by_cheat,
            "lost_by_cheat": figures.lost_by_cheat,
            "longest_wins": figures.longest_wins,
            "longest_losses": figures.longest_losses,
        },
        "goats": {
            "given": figures.goats_given,
            "given_with_eggs": figures.goats_given_with_eggs,
            "suffered": figures.goats_suffered,
            "suffered_with_eggs": figures.goats_suffered_with_eggs,
        },
        "deals": {
            "finished": figures.deals,
            "won": figures.deals_won,
            "lost": figures.deals_lost,
            "eggs": figures.deals_eggs,
        },
        "points": {"own": figures.points, "others": figures.points_of_others},
        "defeat_points": {"given": figures.defeat_points_given, "taken": figures.defeat_points_taken},
        "tricks": {"own": figures.tricks, "team": figures.tricks_of_team},
        "molodkas": {"led": figures.molodkas, "won": figures.molodkas_won},
        "partners": [_person(one) for one in figures.partners],
        "opponents": [_person(one) for one in figures.opponents],
        "course": [
            {
                "match_id": turn.match_id.hex(),
                "created": turn.created,
                "result": turn.result.value,
                "given": turn.given,
                "taken": turn.taken,
            }
            for turn in figures.course
        ],
        "left_out": {reason.value: report.left_out[reason] for reason in LeftOut},
    }


def _person(one: Together) -> dict[str, Any]:
    return {
        "key": one.key.hex(),
        "name": one.name,
        "matches": one.matches,
        "won": one.won,
        "lost": one.lost,
    }
