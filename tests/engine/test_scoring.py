import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    DECK,
    DECK_POINTS,
    Beat,
    Branch,
    Cards,
    DealResult,
    Lead,
    Molodka,
    Trick,
    loss,
    played_cards,
    score_deal,
)
from engine.scoring import losing_team
from tests.engine.tables import cards, taken_by

ZEROS = tuple(card for card in DECK if card.points == 0)


def deal_with(first_team: Cards) -> list[Trick]:
    """Tricks that give team 0 these cards, filled up to fours without points, and team 1 the rest."""
    spare = [card for card in ZEROS if card not in first_team]
    first_team = (*first_team, *spare[: -len(first_team) % 4])
    rest = tuple(card for card in DECK if card not in first_team)
    return [
        taken_by(seat, pile[place : place + 4])
        for seat, pile in ((0, first_team), (3, rest))
        for place in range(0, len(pile), 4)
    ]


@pytest.mark.parametrize(
    ("points", "tricks", "expected"),
    [(120, 9, 0), (61, 1, 0), (60, 4, 0), (59, 4, 2), (31, 1, 2), (30, 4, 4), (0, 1, 4), (0, 0, 6)],
)
def test_defeat_points_r19(points: int, tricks: int, expected: int) -> None:
    """R19: 2 for 31-59, 4 for 30 or less with a trick, 6 without a trick."""
    assert loss(points, tricks) == expected


@given(st.integers(0, 120), st.integers(1, 9))
def test_at_most_one_team_gains_r19(points: int, tricks: int) -> None:
    """R19: 61 or more is won."""
    both = loss(points, tricks), loss(DECK_POINTS - points, tricks)
    assert min(both) == 0
    assert (both == (0, 0)) == (points == 60)


def test_tricks_are_counted_by_team_r18() -> None:
    """R18: each team counts the points in its tricks."""
    assert score_deal(deal_with(cards("Ac Tc Kc Qc"))) == DealResult((28, 92), (1, 8), (4, 0), False)
    assert score_deal(deal_with(cards("Ac Tc Kc Qc Ad"))) == DealResult((39, 81), (2, 7), (2, 0), False)
    assert score_deal(deal_with(())) == DealResult((0, 120), (0, 9), (6, 0), False)
    assert score_deal(deal_with(tuple(card for card in DECK if card not in ZEROS[:4]))).defeat_points == (
        0,
        4,
    )


def test_sixty_sixty_is_eggs_r20() -> None:
    """R20: no defeat points for anyone, also when they would count twice."""
    tricks = deal_with(tuple(card for card in DECK[:18] if card.points))
    for doubled in (False, True):
        result = score_deal(tricks, doubled=doubled)
        assert (result.points, result.defeat_points, result.eggs) == ((60, 60), (0, 0), True)


@pytest.mark.parametrize(("first_team", "expected"), [("", 12), ("Ac", 8), ("Ac Tc Kc Qc Ad", 4)])
def test_doubled_defeat_points(first_team: str, expected: int) -> None:
    """The option `eggs=double` (R20)."""
    assert score_deal(deal_with(cards(first_team)), doubled=True).defeat_points == (expected, 0)


def test_only_the_branch_that_counts_is_counted_r14() -> None:
    """R14: what went back is not in the trick."""
    trick = (
        Trick(0)
        .add(Lead(0, cards("Ad")))
        .add(Molodka(3, cards("6c7c8c9c")))
        .add(Beat(0, cards("TcJcQcKc"), 3))
    )
    assert played_cards(trick) == cards("6c7c8c9cJcQcKcTc")
    assert played_cards(Trick(0)) == ()


def test_discards_go_to_the_taker_r11() -> None:
    """R11: the team of the taker has all cards of the trick, discards included."""
    tricks = deal_with(cards("Ac Tc Kc Qc"))
    branch = tricks[0].branches[0]
    assert branch.best[0] == 0
    taken_over = Branch(
        0, branch.cards, False, (Beat(1, branch.answers[0].cards or (), 0), *branch.answers[1:])
    )
    assert score_deal([Trick(0, (taken_over,)), *tricks[1:]]).tricks_taken == (0, 9)


def test_unfinished_tricks_cannot_be_scored() -> None:
    with pytest.raises(AssertionError):
        score_deal([Trick(0).add(Lead(0, cards("6d")))])
    with pytest.raises(AssertionError):
        score_deal(deal_with(cards("Ac"))[1:])


@pytest.mark.parametrize(
    ("score", "target", "expected"),
    [((10, 6), 12, None), ((12, 6), 12, 0), ((0, 16), 12, 1), ((0, 16), 24, None)],
)
def test_the_goat_r21(score: tuple[int, int], target: int, expected: int | None) -> None:
    """R21: the team that has the target or more."""
    assert losing_team(score, target) == expected
