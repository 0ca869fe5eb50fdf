"""What a finished deal is worth (R18 to R20)."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import DECK_POINTS, Card, Cards, Team, team_of
from engine.trick import Trick

HALF = DECK_POINTS // 2


@dataclass(frozen=True, slots=True)
class DealResult:
    """The outcome of one deal; pairs are indexed by team.

    `points` add up to 120 (R18). `defeat_points` are those added to the score, after doubling (R19). `eggs`
    says that both teams had 60 (R20).
    """

    points: tuple[int, int]
    tricks_taken: tuple[int, int]
    defeat_points: tuple[int, int]
    eggs: bool


def played_cards(trick: Trick) -> Cards:
    """The cards of the branch that counts, as far as they are known."""
    cards: list[Card] = []
    if trick.effective is not None:
        for play in trick.effective.plays():
            cards.extend(play.cards or ())
    return tuple(cards)


def loss(points: int, tricks_taken: int) -> int:
    """Defeat points of a team with so many card points and tricks, the others having the rest (R19, R20)."""
    if points >= HALF:
        return 0
    if tricks_taken == 0:
        return 6
    return 4 if points <= 30 else 2


def score_deal(tricks: Iterable[Trick], *, doubled: bool = False) -> DealResult:
    """The result of a deal from its finished tricks, with all cards of the plays that stood known (R18).

    `doubled` says that this deal's defeat points count twice, after eggs under the option `eggs=double`.
    """
    points, taken = [0, 0], [0, 0]
    for trick in tricks:
        assert trick.taker is not None, "only finished tricks can be scored"
        team = team_of(trick.taker)
        taken[team] += 1
        points[team] += sum(card.points for card in played_cards(trick))
    assert sum(points) == DECK_POINTS, "the tricks of a deal hold the whole deck"
    factor = 2 if doubled else 1
    first, second = (factor * loss(points[team], taken[team]) for team in (0, 1))
    return DealResult((points[0], points[1]), (taken[0], taken[1]), (first, second), points[0] == HALF)


def losing_team(score: tuple[int, int], target: int) -> Team | None:
    """The team that has reached the target and is the goat, if one has (R21)."""
    return next((team for team in (0, 1) if score[team] >= target), None)
