"""Playing the pairs of a tournament, on one core or on all, and adding them up in order."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial

from node.bots.arena import NO_THOUGHT, Thinking
from node.bots.pairs import Contest, Pair, Role, play_pair
from node.bots.statistics import (
    Interval,
    always_valid_interval,
    fixed_interval,
    is_clear,
    mean_score,
)
from node.errors import BotFailed
from node.i18n import tr
from node.processes import in_order

__all__ = ["Tally", "run_pairs"]


@dataclass(slots=True)
class Tally:
    """What the pairs with the lowest numbers add up to, of `asked` that were to be played.

    `scores` counts the pairs by their score, and `games` the games by what they brought to A: 1, 0, or 1/2
    after eggs. `defeat_points` are those that A's team has given to the other and those that it got.
    `thinking` is by role. `clear` says that it was to end, and has ended, because the answer is clear.
    """

    asked: int
    scores: Counter[float] = field(default_factory=Counter)
    games: Counter[float] = field(default_factory=Counter)
    defeat_points: tuple[int, int] = (0, 0)
    deals: int = 0
    thinking: dict[Role, Thinking] = field(default_factory=dict)
    clear: bool = False
    interrupted: bool = False

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return self.scores.total()

    @property
    def share(self) -> float:
        """The share of games that A's team has won, eggs counting half; needs at least one pair."""
        return mean_score(self.scores)

    def add(self, pair: Pair) -> None:
        """Count one more pair."""
        given, got = self.defeat_points
        for outcome in pair.outcomes:
            self.games[outcome.score] += 1
            self.deals += outcome.deals
            given, got = given + outcome.given, got + outcome.got
        self.defeat_points = given, got
        self.scores[pair.score] += 1
        for role, thought in pair.thinking.items():
            self.thinking[role] = self.thinking.get(role, NO_THOUGHT) + thought

    def interval(self, *, until_clear: bool) -> Interval:
        """The interval for the share that fits why no more pairs were played; needs at least one pair.

        Who interrupts a tournament has seen how it went.
        """
        chosen = always_valid_interval if until_clear or self.interrupted else fixed_interval
        return chosen(self.scores)


def run_pairs(
    contest: Contest, pairs: int, *, jobs: int, until_clear: bool, heard: Callable[[Tally], None]
) -> Tally:
    """Play so many pairs, or stop after the first one with which the answer is clear (:func:`is_clear`).

    Pairs are counted in the order of their numbers, so that what comes out does not depend on `jobs`, the
    number of processes, nor on which of them is faster. `heard` is told after each pair. Ctrl+C ends it with
    what has been counted. Raises BotFailed, BotNotFound or BotUnusable.
    """
    tally = Tally(pairs)
    jobs = min(jobs, pairs)
    played = _in_processes(contest, pairs, jobs) if jobs > 1 else _here(contest, pairs)
    try:
        with contextlib.closing(played):
            for pair in played:
                tally.add(pair)
                tally.clear = until_clear and is_clear(tally.scores)
                heard(tally)
                if tally.clear:
                    break
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally


def _here(contest: Contest, pairs: int) -> Generator[Pair, None, None]:
    for number in range(pairs):
        yield _play(contest, number)


def _play(contest: Contest, number: int) -> Pair:
    """Play a pair; what bots print does not get between the lines of the result."""
    with contextlib.redirect_stdout(sys.stderr):
        return play_pair(contest, number)


def _in_processes(contest: Contest, pairs: int, jobs: int) -> Generator[Pair, None, None]:
    """The pairs in order, from processes that end at once when no more of them are wanted."""
    try:
        with contextlib.closing(in_order(partial(_play, contest), range(pairs), jobs=jobs)) as played:
            yield from played
    except BrokenProcessPool:
        raise BotFailed(tr("A bot has ended the program that it played in.")) from None
