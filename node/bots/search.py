"""Looking ahead: each play is tried in many worlds, and what comes of it is averaged.

A world is drawn for the hidden cards, kept with the likelihood that the others would have played as they did
in it, and the trick is played on by rules of thumb; what the position is worth then is foreseen, or, when the
stock is empty, played out. All plays are tried in the same worlds, so that luck with the cards falls on all
alike (common random numbers).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from engine import Team, team_of
from engine.quick import Move, QuickDeal
from node.bots.equity import Stakes, outlook
from node.bots.foresight import foresee
from node.bots.knowledge import Knowledge
from node.bots.likelihood import likelihood
from node.bots.thumb import THUMB
from node.bots.worlds import World, Worlds

__all__ = ["Figures", "Search"]

_DRAWN: Final = 96
"""Worlds that are drawn at a time."""
_KEPT: Final = 16
"""Worlds of these that are looked into: a likely one more than once, an unlikely one hardly ever."""
_REMEMBERED: Final = 1
"""How many finished tricks the others' plays are judged by; farther back it says little for its cost."""
_TRUST: Final = 0.001
"""What a card point of a rule of thumb counts in chances to win: a tie-break where the worlds tell little."""
_WIDE: Final = 0.2
"""How far behind the best, in chances to win and after a single world, a move is not worth looking at again;
after more worlds it is less, by the root of their number."""


@dataclass(slots=True)
class Figures:
    """Sums over worlds for one move: see :class:`node.bots.advice.Considered`.

    `weight` is that of the worlds in which the move was tried.
    """

    weight: float = 0.0
    chance: float = 0.0
    defeat_points: float = 0.0
    points: float = 0.0
    takes: float = 0.0


class Search:
    """Compares the moves of one seat. `look` again and again makes the figures surer."""

    def __init__(
        self, knowledge: Knowledge, moves: Sequence[Move], stakes: Stakes, rng: random.Random
    ) -> None:
        """`moves` are those that are legal for the seat of `knowledge`, `stakes` those of its team."""
        self.moves = moves
        self.figures = {move: Figures() for move in moves}
        self.worlds = 0
        self._knowledge = knowledge
        self._seat = knowledge.seat
        self._team: Team = team_of(knowledge.seat)
        self._stakes = stakes
        self._rng = rng
        self._source = Worlds(knowledge, rng)
        self._prior: dict[Move, float] = {}

    def look(self) -> None:
        """Draw some worlds, keep the likely ones, and try every move in them."""
        for world, weight in self._likely_worlds():
            root = self._source.position(world)
            self._prior = self._prior or _prior(root, self.moves)
            for move in self.moves:
                self._try(root, move, weight)
            self.worlds += 1

    def narrow(self) -> None:
        """Look no more at moves that are far behind the best, so that there is more time for the others."""
        far = max(map(self.score, self.moves)) - _WIDE / sqrt(self.worlds)
        self.moves = [move for move in self.moves if self.score(move) >= far]

    def best(self) -> Move:
        """The move with the highest score."""
        return max(self.moves, key=self.score)

    def score(self, move: Move) -> float:
        """How good a move is: the mean chance to win, and a little of what the rule of thumb says."""
        figures = self.figures[move]
        return figures.chance / figures.weight + self._prior.get(move, 0.0)

    def _likely_worlds(self) -> list[tuple[World, float]]:
        """Worlds with their weights, by systematic resampling (Kitagawa 1996)."""
        drawn = [self._source.draw() for _ in range(_DRAWN)]
        chances = [likelihood(self._knowledge, world, self._rng, _REMEMBERED) for world in drawn]
        total, kept = sum(chances), []
        step, passed = total / _KEPT, 0.0
        mark = self._rng.random() * step
        for world, chance in zip(drawn, chances, strict=True):
            passed += chance
            copies = 0
            while passed > mark:
                mark += step
                copies += 1
            if copies:
                kept.append((world, copies * total))
        return kept

    def _try(self, root: QuickDeal, move: Move, weight: float) -> None:
        """Play the move in a world, and the trick on to its end; add up what comes of it."""
        deal, team, figures = root.copy(), self._team, self.figures[move]
        before = deal.tricks[team]
        deal.play(self._seat, move)
        while deal.leader >= 0:
            seat = deal.turn
            deal.play(seat, THUMB.best_move(deal, seat))
        figures.weight += weight
        figures.takes += weight * (deal.tricks[team] - before)
        points, deviation = self._end(deal)
        worth = outlook(self._stakes, deal.tricks[team] > 0, deal.tricks[1 - team] > 0, deviation)
        figures.points += weight * points
        figures.chance += weight * worth.chances[points]
        figures.defeat_points += weight * worth.defeat_points[points]

    def _end(self, deal: QuickDeal) -> tuple[int, float]:
        """The own team's points when the deal is over, and the standard deviation of the guess."""
        if deal.stock:
            ahead, deviation = foresee(deal)
            if team_of(deal.entitled) != self._team:
                ahead = -ahead
            return min(max(round(60 + ahead / 2), 0), 120), deviation / 2
        while not deal.over:
            seat = deal.turn
            deal.play(seat, THUMB.best_move(deal, seat))
        return deal.points[self._team], 0.0


def _prior(root: QuickDeal, moves: Sequence[Move]) -> dict[Move, float]:
    """How far behind the best a rule of thumb sees each move, which is the same in every world."""
    valued = {move: worth for move in moves if (worth := THUMB.value(root, move)) is not None}
    best = max(valued.values(), default=0.0)
    return {move: _TRUST * (value - best) for move, value in valued.items()}
