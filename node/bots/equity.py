"""What a deal is worth in chances to win the match, rather than in points.

Two defeat points when the others have one to go are worth nothing, six at the right time the match. As in
backgammon, a table tells from any score how likely a team is to win against an equal one (R19 to R21).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import erf, sqrt
from typing import Final

from engine import DECK_POINTS, State, Team, loss

__all__ = ["Outlook", "Stakes", "outlook", "winning"]

_LOSSES: Final = {2: 0.30, 4: 0.18, 6: 0.02}
"""How often a team loses so many defeat points in a deal between equals; eggs change nothing."""


@lru_cache(4096)
def winning(own: int, other: int, target: int) -> float:
    """The chance of a team with `own` defeat points to win against an equal one with `other`."""
    if own >= target or other >= target:
        return float(own < target)
    return sum(
        chance * (winning(own + lost, other, target) + winning(own, other + lost, target))
        for lost, chance in _LOSSES.items()
    )


@dataclass(frozen=True, slots=True)
class Outlook:
    """What it is worth to end the deal with so many card points, from 0 to 120.

    `chances`: to win the match. `defeat_points`: those of the others less the own.
    """

    chances: tuple[float, ...]
    defeat_points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a deal is played for: defeat points so far, the own team's first, the target, and the factor."""

    own: int
    other: int
    target: int
    factor: int

    @classmethod
    def of(cls, view: State, team: Team) -> Stakes:
        """The stakes of a team in the deal that is being played."""
        own, other = view.score[team], view.score[1 - team]
        return cls(own, other, view.options.target, 2 if view.doubled else 1)

    @property
    def now(self) -> float:
        """The chance to win the match before this deal."""
        return winning(self.own, self.other, self.target)


@lru_cache(256)
def outlook(stakes: Stakes, own_trick: bool, other_trick: bool, deviation: float = 0.0) -> Outlook:
    """What the end of a deal is worth, by the points of the own team.

    `own_trick`, `other_trick`: whether a team has a trick already, so that it cannot lose without one (R19).
    `deviation`: the standard deviation with which the points are foreseen, as a normal distribution that is
    cut off at both ends; 0 for points that are sure.
    """
    chances, differences = [], []
    for points in range(DECK_POINTS + 1):
        lost = stakes.factor * loss(points, int(own_trick or points > 0))
        given = stakes.factor * loss(DECK_POINTS - points, int(other_trick or points < DECK_POINTS))
        chances.append(winning(stakes.own + lost, stakes.other + given, stakes.target))
        differences.append(float(given - lost))
    return Outlook(_blurred(chances, deviation), _blurred(differences, deviation))


def _blurred(values: list[float], deviation: float) -> tuple[float, ...]:
    """The mean of the values around each place, by a normal distribution."""
    if not deviation:
        return tuple(values)
    last = len(values) - 1
    # The chance to come out at most so far from the middle, for distances from -last to last and a half.
    below = [0.5 * (1 + erf((shift + 0.5) / deviation / sqrt(2))) for shift in range(-last - 1, last + 1)]
    blurred = []
    for middle in range(last + 1):
        edges = [0.0, *(below[place - middle + last + 1] for place in range(last)), 1.0]
        blurred.append(sum(value * (edges[place + 1] - edges[place]) for place, value in enumerate(values)))
    return tuple(blurred)
