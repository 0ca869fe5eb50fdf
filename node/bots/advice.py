"""What a bot that thinks ahead makes of a play: figures, from which people can be told why it is good."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Play

__all__ = ["Considered"]


@dataclass(frozen=True, slots=True)
class Considered:
    """One legal play and what comes of it, on average over the deals of the hidden cards that were looked at.

    - `value`: the change of the chance to win the match, from -1 to 1, against what it was before this deal.
    - `defeat_points`: those that the other team gets in this deal less those of the own team.
    - `points`: card points of the own team at the end of this deal, 0 to 120.
    - `takes`: how often the own team takes the trick that is being played, from 0 to 1.
    - `worlds`: how many deals of the hidden cards were looked at.
    """

    play: Play
    value: float
    defeat_points: float
    points: float
    takes: float
    worlds: int
