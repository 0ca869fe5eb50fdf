"""`kozel tournament`: two bots play the same cards from both sides, and how sure the result is."""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from engine import Options
from node.bots import make_bot
from node.bots.pairs import Contest, Role
from node.bots.statistics import CONFIDENCE, EVEN, Interval
from node.commands.tournament_run import Tally, run_pairs
from node.i18n import plural, tr

__all__ = ["TournamentSettings", "run_tournament"]

_SECONDS_BETWEEN_LINES: Final = 10.0
_INTERRUPTED: Final = 130


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What the command line asks for: `games` are deals or whole matches, two for each pair.

    `seconds` is how long a bot may think about each play, `jobs` the number of processes. Without a seed one
    is drawn, and told.
    """

    a: str
    b: str
    partner: str | None
    games: int
    whole_matches: bool
    options: Options
    seed: str | None
    seconds: float
    jobs: int
    until_clear: bool

    def contest(self) -> Contest:
        """Who plays what; raises BotNotFound or BotUnusable."""
        named = ((Role.A, self.a), (Role.B, self.b), (Role.PARTNER, self.partner))
        bots = tuple((role, name) for role, name in named if name is not None)
        with contextlib.redirect_stdout(sys.stderr):
            for _, name in bots:
                make_bot(name, Random(0), self.seconds)
        seed = secrets.token_hex(4) if self.seed is None else self.seed
        return Contest(bots, self.options, self.whole_matches, seed, self.seconds)


def run_tournament(settings: TournamentSettings, *, as_json: bool) -> int:
    """Play and report; exit code 0, or 130 after Ctrl+C. Raises BotFailed, BotNotFound or BotUnusable."""
    contest, began = settings.contest(), time.perf_counter()
    with _progress(settings) as heard:
        tally = run_pairs(
            contest,
            settings.games // 2,
            jobs=settings.jobs,
            until_clear=settings.until_clear,
            heard=heard,
        )
    if tally.pairs:
        interval = tally.interval(until_clear=settings.until_clear)
        if as_json:
            seconds = time.perf_counter() - began
            print(json.dumps(_as_json(settings, contest, tally, interval, seconds)))
        else:
            _Sheet(settings, contest, tally, interval).show(Console(highlight=False))
    return _INTERRUPTED if tally.interrupted else 0


@contextlib.contextmanager
def _progress(settings: TournamentSettings) -> Iterator[Callable[[Tally], None]]:
    """What is told after each pair: a bar on a terminal, elsewhere a line now and then."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _Lines(settings, console)
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=settings.games // 2)
        yield lambda tally: bar.update(task, advance=1, description=_so_far(settings, tally))


class _Lines:
    """Writes how far a tournament has come, every ten seconds."""

    def __init__(self, settings: TournamentSettings, console: Console) -> None:
        self._settings = settings
        self._console = console
        self._last = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        if time.monotonic() - self._last < _SECONDS_BETWEEN_LINES:
            return
        self._last = time.monotonic()
        self._console.print(
            plural("{done} of {count} pair.", "{done} of {count} pairs.", tally.asked, done=tally.pairs),
            _so_far(self._settings, tally),
        )


def _so_far(settings: TournamentSettings, tally: Tally) -> str:
    return tr("{name} has won {share} %.", name=_names(settings)[0], share=_percent(tally.share))


def _as_json(
    settings: TournamentSettings, contest: Contest, tally: Tally, interval: Interval, seconds: float
) -> dict[str, Any]:
    """The result for other programs; but for the times it follows from the seed and the bots."""
    given, got = tally.defeat_points
    return {
        **{role.value: contest.name(role) for role in Role},
        "mode": "matches" if settings.whole_matches else "deals",
        "options": {
            "target": settings.options.target,
            "eggs": settings.options.eggs.value,
            "molodka": settings.options.molodka.value,
        },
        "seed": contest.seed,
        "seconds_allowed": settings.seconds,
        "pairs": tally.pairs,
        "pairs_asked": tally.asked,
        "deals": tally.deals,
        "wins": {"a": tally.games[1.0], "b": tally.games[0.0]},
        "drawn": tally.games[EVEN],
        "defeat_points": {"given": given, "got": got},
        "share": tally.share,
        "interval": [interval.low, interval.high],
        "confidence": CONFIDENCE,
        "method": interval.method.value,
        "stronger": _stronger(interval),
        "until_clear": settings.until_clear,
        "interrupted": tally.interrupted,
        "thinking": {
            role.value: {
                "plays": thought.plays,
                "mean_seconds": thought.seconds / thought.plays,
                "longest_seconds": thought.longest,
            }
            for role, thought in tally.thinking.items()
        },
        "seconds": seconds,
    }


def _stronger(interval: Interval) -> str | None:
    """The role that the interval says plays better, if it says so of either."""
    if interval.low > EVEN:
        return Role.A.value
    return Role.B.value if interval.high < EVEN else None


def _names(settings: TournamentSettings) -> tuple[str, str]:
    """How the two teams are called, differently."""
    a = settings.a
    if settings.partner is not None:
        a = tr("{name} with {partner}", name=a, partner=settings.partner)
    return (
        (tr("{name} (first)", name=a), tr("{name} (second)", name=a)) if a == settings.b else (a, settings.b)
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


class _Sheet:
    """The result for people."""

    def __init__(
        self, settings: TournamentSettings, contest: Contest, tally: Tally, interval: Interval
    ) -> None:
        self._settings = settings
        self._contest = contest
        self._tally = tally
        self._interval = interval
        self._names = _names(settings)

    def show(self, console: Console) -> None:
        """Print it."""
        console.print(self._what_was_played())
        console.print(self._wins())
        console.print(self._times())
        for line in (self._share(), self._verdict(), self._why_no_more(), self._seed()):
            if line is not None:
                console.print(line)

    def _what_was_played(self) -> str:
        (a, b), count = self._names, 2 * self._tally.pairs
        if self._settings.whole_matches:
            return plural(
                "{a} against {b}: {count} match, two with the same cards and swapped seats each time.",
                "{a} against {b}: {count} matches, two with the same cards and swapped seats each time.",
                count,
                a=a,
                b=b,
            )
        return plural(
            "{a} against {b}: {count} deal, two with the same cards and swapped seats each time.",
            "{a} against {b}: {count} deals, two with the same cards and swapped seats each time.",
            count,
            a=a,
            b=b,
        )

    def _wins(self) -> Table:
        games, (given, got) = self._tally.games, self._tally.defeat_points
        columns = [
            (tr("Won"), games[1.0], games[0.0]),
            (tr("Lost"), games[0.0], games[1.0]),
            (tr("Defeat points given"), given, got),
            (tr("Defeat points got"), got, given),
        ]
        if not self._settings.whole_matches:
            columns.insert(1, (tr("60 to 60"), games[EVEN], games[EVEN]))
        table = Table()
        table.add_column(tr("Team"))
        for heading, _, _ in columns:
            table.add_column(heading, justify="right")
        for number, name in enumerate(self._names, start=1):
            table.add_row(name, *(str(column[number]) for column in columns))
        return table

    def _times(self) -> Table:
        table = Table()
        table.add_column(tr("Bot"))
        for heading in (tr("Plays"), tr("Seconds per play"), tr("Longest")):
            table.add_column(heading, justify="right")
        for role, thought in self._tally.thinking.items():
            mean = thought.seconds / thought.plays
            cells = (str(thought.plays), f"{mean:.6f}", f"{thought.longest:.6f}")
            table.add_row(self._contest.name(role), *cells)
        return table

    def _share(self) -> str:
        return tr(
            "{name} wins {share} %; with {confidence} % confidence the true share is {low} to {high} %.",
            name=self._names[0],
            share=_percent(self._tally.share),
            low=_percent(self._interval.low),
            high=_percent(self._interval.high),
            confidence=round(100 * CONFIDENCE),
        )

    def _verdict(self) -> str:
        a, b = self._names
        match _stronger(self._interval):
            case Role.A.value:
                return tr("{name} is stronger than {other}.", name=a, other=b)
            case Role.B.value:
                return tr("{name} is stronger than {other}.", name=b, other=a)
            case _:
                return tr("This does not show which of them is stronger.")

    def _why_no_more(self) -> str | None:
        done, asked = self._tally.pairs, self._tally.asked
        if self._tally.interrupted:
            return plural(
                "Interrupted after {done} of {count} pair.",
                "Interrupted after {done} of {count} pairs.",
                asked,
                done=done,
            )
        if self._tally.clear and done < asked:
            return plural(
                "The answer is clear after {done} of {count} pair.",
                "The answer is clear after {done} of {count} pairs.",
                asked,
                done=done,
            )
        return None

    def _seed(self) -> str:
        return tr("The same cards again: --seed {seed}", seed=self._contest.seed)
