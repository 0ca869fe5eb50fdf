"""Two games with the same cards: what a tournament between bots is made of.

A's team sits in seats 0 and 2 in the first game of a pair and in seats 1 and 3 in the second. So luck with
the cards comes to either side alike, and who plays better shows in far fewer games.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from engine import SEATS, Options, Seat, Team, team_of
from node.bots.arena import NO_THOUGHT, Played, Shuffles, Thinking, play_deal, play_match
from node.bots.bot import Bot
from node.bots.checked import failure_of
from node.bots.finding import bot_class

__all__ = ["Contest", "Outcome", "Pair", "Role", "play_pair"]


class Role(StrEnum):
    """Whose part a seat plays. The partner sits opposite A, if A does not play with itself."""

    A = "a"
    B = "b"
    PARTNER = "partner"


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays against whom, and what.

    - `bots`: the names of the bots (:func:`node.bots.bot_class`) by role; there need not be a partner.
    - `whole_matches`: matches to the target rather than single deals.
    - `seed`: all cards, dealers and choices by chance follow from it.
    - `seconds`: how long a bot may think about each play.
    """

    bots: tuple[tuple[Role, str], ...]
    options: Options
    whole_matches: bool
    seed: str
    seconds: float

    def name(self, role: Role) -> str | None:
        """The name of the bot with this part."""
        return dict(self.bots).get(role)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: the defeat points that A's team has given and got, and how many deals it took."""

    given: int
    got: int
    deals: int

    @property
    def score(self) -> float:
        """1 if A's team has won the game, 0 if it has lost, 1/2 after eggs (R20).

        A match is lost by the team with the target's defeat points (R21), and the other has fewer.
        """
        return 0.5 + 0.5 * ((self.given > self.got) - (self.given < self.got))


@dataclass(frozen=True, slots=True)
class Pair:
    """The two games of a pair, and how long the bots thought in them, by role."""

    outcomes: tuple[Outcome, Outcome]
    thinking: dict[Role, Thinking]

    @property
    def score(self) -> float:
        """The mean score of the two games."""
        first, second = self.outcomes
        return (first.score + second.score) / 2


def play_pair(contest: Contest, number: int) -> Pair:
    """Play the pair of this number; raises BotFailed, BotNotFound or BotUnusable.

    It depends on nothing but its arguments, unless a bot's choices depend on time.
    """
    shuffles = Shuffles(contest.seed, number)
    play = play_match if contest.whole_matches else play_deal
    outcomes, thinking = [], dict.fromkeys((role for role, _ in contest.bots), NO_THOUGHT)
    for game, team in enumerate((0, 1)):
        roles = [_role(contest, seat, team) for seat in SEATS]
        bots = [_bot(contest, role, f"{number}/{game}/{seat}") for seat, role in enumerate(roles)]
        played = play(bots, shuffles, contest.options)
        outcomes.append(_outcome(played, team))
        for role, thought in zip(roles, played.thinking, strict=True):
            thinking[role] += thought
    first, second = outcomes
    return Pair((first, second), thinking)


def _role(contest: Contest, seat: Seat, team: Team) -> Role:
    """The part of a seat in the game in which A belongs to this team."""
    if team_of(seat) != team:
        return Role.B
    return Role.A if seat == team or contest.name(Role.PARTNER) is None else Role.PARTNER


def _bot(contest: Contest, role: Role, place: str) -> Bot:
    name = contest.name(role) or ""
    kind = _kind(name)
    try:
        return kind(random.Random(f"{contest.seed}/{place}"), contest.seconds)
    except Exception as error:
        raise failure_of(name, error) from error


@cache
def _kind(name: str) -> type[Bot]:
    """The class of that name, looked for once: asking what packages offer takes longer than a game."""
    return bot_class(name)


def _outcome(played: Played, team: Team) -> Outcome:
    return Outcome(played.defeat_points[1 - team], played.defeat_points[team], played.deals)
