"""A player's figures, and the words in which their parts are told apart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Figures", "LeftOut", "Result", "Together", "Turn"]


class LeftOut(StrEnum):
    """Why a log does not count."""

    STRANGER = "not-a-player"
    """The player does not sit in it."""
    FOR_SHOW = "for-show"
    NOT_BEGUN = "not-begun"
    """Not all four have accepted the match."""
    DAMAGED = "damaged"
    """It cannot be read to its end, or holds what does not belong there."""


class Result(StrEnum):
    """What a match came to for one player."""

    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Together:
    """Somebody with or against whom the player has sat; `won` and `lost` are the player's own.

    `key` is the identity (32 bytes), `name` the one of the latest match.
    """

    key: bytes
    name: str
    matches: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One match in the course of all that are dated; defeat points given to the others and taken oneself."""

    match_id: bytes
    created: float
    result: Result
    given: int
    taken: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What the matches of a player add up to.

    Matches: `won` and `lost` include those `…_by_cheat`, which the team of a proven cheat forfeits (§8.3).
    Goats: `…_with_eggs` are among them (R21), and a forfeited match makes no goat. Deals: finished ones,
    whatever became of the match; points, defeat points and tricks of the team are summed over them. `tricks`
    and `molodkas` are the player's own. `longest_…` are rows among the dated matches, which `course` lists,
    the oldest first.
    """

    won: int = 0
    lost: int = 0
    unfinished: int = 0
    won_by_cheat: int = 0
    lost_by_cheat: int = 0
    goats_given: int = 0
    goats_given_with_eggs: int = 0
    goats_suffered: int = 0
    goats_suffered_with_eggs: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    deals_eggs: int = 0
    points: int = 0
    points_of_others: int = 0
    defeat_points_given: int = 0
    defeat_points_taken: int = 0
    tricks: int = 0
    tricks_of_team: int = 0
    molodkas: int = 0
    molodkas_won: int = 0
    longest_wins: int = 0
    longest_losses: int = 0
    partners: tuple[Together, ...] = ()
    opponents: tuple[Together, ...] = ()
    course: tuple[Turn, ...] = ()

    @property
    def matches(self) -> int:
        """All that were begun."""
        return self.won + self.lost + self.unfinished

    @property
    def deals(self) -> int:
        """All that were finished."""
        return self.deals_won + self.deals_lost + self.deals_eggs
