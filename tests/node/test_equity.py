"""What the end of a deal is worth: the losses of the rules, and the chances to win the match that follow."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from engine import DECK_POINTS, Options, State, new_match
from node.bots.equity import Outlook, Stakes, outlook, winning

TARGETS = (6, 12, 24)
POINTS = range(DECK_POINTS + 1)
EVEN = Stakes(0, 0, 12, 1)


def state(score: tuple[int, int], *, target: int = 12, doubled: bool = False) -> State:
    """A match with this score."""
    begun = new_match(Options(target=target))
    return State(begun.options, score=score, doubled=doubled)


# The chance to win the match


@pytest.mark.parametrize("target", TARGETS)
def test_one_of_two_equal_teams_wins(target: int) -> None:
    for own, other in product(range(target), repeat=2):
        chance = winning(own, other, target)
        assert 0 < chance < 1
        assert chance + winning(other, own, target) == pytest.approx(1)
    assert winning(0, 0, target) == pytest.approx(0.5)


@pytest.mark.parametrize("target", TARGETS)
def test_fewer_defeat_points_are_better(target: int) -> None:
    """Never worse, and six of them always better."""
    for other in range(target):
        chances = [winning(own, other, target) for own in range(target + 6)]
        assert all(less >= more - 1e-12 for less, more in pairwise(chances))
        assert all(chances[own] > chances[own + 6] for own in range(target))
    for own in range(target):
        chances = [winning(own, other, target) for other in range(target + 6)]
        assert all(less <= more + 1e-12 for less, more in pairwise(chances))


@pytest.mark.parametrize("target", TARGETS)
def test_a_match_is_over_at_the_target(target: int) -> None:
    """R21, also for scores beyond it."""
    for over, under in product(range(target, target + 12), range(target)):
        assert winning(over, under, target) == 0
        assert winning(under, over, target) == 1


# The stakes


def test_the_stakes_are_those_of_ones_own_team() -> None:
    view = state((4, 8))
    first, second = Stakes.of(view, 0), Stakes.of(view, 1)
    assert first == Stakes(4, 8, 12, 1)
    assert second == Stakes(8, 4, 12, 1)
    assert first.now == winning(4, 8, 12) > 0.5 > second.now
    assert first.now + second.now == pytest.approx(1)


def test_after_eggs_the_deal_may_count_twice() -> None:
    """R20 with the option `eggs=double`."""
    assert Stakes.of(state((0, 2), target=24, doubled=True), 1) == Stakes(2, 0, 24, 2)


# What the points of a finished deal are worth


def defeat_points(points: int, own_trick: bool, other_trick: bool, factor: int = 1) -> float:
    """Those of the others less the own, when the points are sure."""
    stakes = Stakes(0, 0, 24, factor)
    return outlook(stakes, own_trick, other_trick).defeat_points[points]


@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize(
    ("points", "own_trick", "other_trick", "lost"),
    [
        pytest.param(0, False, True, 6, id="without a trick"),
        pytest.param(0, True, True, 4, id="a trick without points"),
        pytest.param(1, True, True, 4, id="1"),
        pytest.param(30, True, True, 4, id="30"),
        pytest.param(31, True, True, 2, id="31"),
        pytest.param(59, True, True, 2, id="59"),
        pytest.param(60, True, True, 0, id="eggs"),
        pytest.param(61, True, True, -2, id="61"),
        pytest.param(89, True, True, -2, id="89"),
        pytest.param(90, True, True, -4, id="90"),
        pytest.param(120, True, True, -4, id="the others have a trick without points"),
        pytest.param(120, True, False, -6, id="all tricks"),
        # Whoever has points has a trick, also if the first is still to come.
        pytest.param(20, False, True, 4, id="a trick to come"),
        pytest.param(100, True, False, -4, id="a trick to come for the others"),
    ],
)
def test_defeat_points_are_those_of_the_rules(
    points: int, own_trick: bool, other_trick: bool, lost: int, factor: int
) -> None:
    """R19, R20, and hard example 8."""
    assert defeat_points(points, own_trick, other_trick, factor) == -lost * factor


@pytest.mark.parametrize("factor", [1, 2])
def test_chances_follow_from_the_score_after_the_deal(factor: int) -> None:
    for own, other in product(range(0, 12, 2), repeat=2):
        worth = outlook(Stakes(own, other, 12, factor), True, True)
        assert worth.chances[30] == winning(own + 4 * factor, other, 12)
        assert worth.chances[31] == worth.chances[59] == winning(own + 2 * factor, other, 12)
        assert worth.chances[60] == winning(own, other, 12)
        assert worth.chances[61] == worth.chances[89] == winning(own, other + 2 * factor, 12)
        assert worth.chances[90] == winning(own, other + 4 * factor, 12)


def test_when_one_has_all_but_lost_any_win_is_as_good() -> None:
    worth = outlook(Stakes(10, 10, 12, 1), True, True)
    assert set(worth.chances[:60]) == {0.0}
    assert set(worth.chances[61:]) == {1.0}


def test_what_is_good_for_one_team_is_bad_for_the_other() -> None:
    own, other = Stakes(4, 8, 12, 1), Stakes(8, 4, 12, 1)
    for deviation in (0.0, 13.0):
        mine, theirs = outlook(own, True, False, deviation), outlook(other, False, True, deviation)
        for points in POINTS:
            assert mine.chances[points] + theirs.chances[120 - points] == pytest.approx(1)
            assert mine.defeat_points[points] == pytest.approx(-theirs.defeat_points[120 - points])


# Points that are only foreseen

DEVIATIONS = (0.5, 4.0, 12.0, 30.0)


def blurred(deviation: float, stakes: Stakes = EVEN, *, tricks: bool = True) -> Outlook:
    return outlook(stakes, tricks, tricks, deviation)


@pytest.mark.parametrize("deviation", DEVIATIONS)
@pytest.mark.parametrize("stakes", [EVEN, Stakes(10, 0, 12, 1), Stakes(6, 8, 12, 2)], ids=str)
def test_a_guess_is_worth_something_between_the_worst_and_the_best(deviation: float, stakes: Stakes) -> None:
    sure, guess = outlook(stakes, True, True), blurred(deviation, stakes)
    for exact, mean in ((sure.chances, guess.chances), (sure.defeat_points, guess.defeat_points)):
        assert len(mean) == 121
        assert min(exact) - 1e-9 <= min(mean)
        assert max(mean) <= max(exact) + 1e-9


@pytest.mark.parametrize("deviation", DEVIATIONS)
def test_more_points_are_never_worse(deviation: float) -> None:
    guess = blurred(deviation, tricks=False)
    for mean in (guess.chances, guess.defeat_points):
        assert all(less <= more + 1e-9 for less, more in pairwise(mean))
    assert guess.chances[75] - guess.chances[45] > 0.01


@pytest.mark.parametrize("deviation", DEVIATIONS)
def test_what_is_the_same_whatever_comes_stays_so(deviation: float) -> None:
    for over, chance in ((Stakes(12, 0, 12, 1), 0.0), (Stakes(0, 12, 12, 1), 1.0)):
        assert blurred(deviation, over).chances == pytest.approx([chance] * 121)


@pytest.mark.parametrize("deviation", DEVIATIONS)
def test_a_guess_of_half_the_points_is_worth_an_even_match(deviation: float) -> None:
    guess = blurred(deviation)
    assert guess.chances[60] == pytest.approx(0.5)
    assert guess.defeat_points[60] == pytest.approx(0, abs=1e-9)


def test_the_surer_a_guess_the_nearer_it_is_to_the_sure_points() -> None:
    sure = outlook(EVEN, True, True)
    assert blurred(0.01).chances == pytest.approx(sure.chances)
    for points in (57, 63):
        chances = [blurred(deviation).chances[points] for deviation in (1.0, 3.0, 8.0, 25.0)]
        off = [abs(chance - sure.chances[points]) for chance in chances]
        assert off == sorted(off)


def test_near_the_edge_of_a_result_a_guess_is_worth_both() -> None:
    """By hand: 60.5 lies half a point from the middle, so of a normal distribution 69 % lie below it."""
    worth = outlook(Stakes(10, 10, 12, 1), True, True, 1.0).chances
    # 60 points would be eggs, 61 and more the match: 31 % and half of the 38 % between.
    assert worth[60] == pytest.approx(0.5, abs=1e-9)
    assert worth[61] == pytest.approx(0.6915 + 0.5 * (0.3085 - 0.0668), abs=1e-3)
    assert worth[59] == pytest.approx(0.0668 + 0.5 * (0.3085 - 0.0668), abs=1e-3)
