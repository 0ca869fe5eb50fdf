"""Intervals cover what they promise, and looking often does not make equals differ."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.bots.statistics import (
    EVEN,
    Interval,
    Method,
    Scores,
    always_valid_interval,
    fixed_interval,
    is_clear,
    mean_score,
    student_quantile,
)

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
EQUALS = ((20, 0, 60, 0, 20), (50, 0, 0, 0, 50), (8, 3, 78, 3, 8), (30, 0, 20, 40, 10), (0, 40, 20, 40, 0))
"""Of 100 pairs between equals, how many may have each score."""
STRONGER = (15, 0, 50, 0, 35)
"""The same where A wins 60 %."""

tallies = st.dictionaries(st.sampled_from(SCORES), st.integers(1, 200), min_size=1)


def pairs_of(parts: tuple[int, ...], seed: int, count: int) -> Iterator[Counter[float]]:
    """One tournament: the scores after each pair."""
    scores = Counter[float]()
    for score in random.Random(seed).choices(SCORES, parts, k=count):
        scores[score] += 1
        yield scores


def truth(parts: tuple[int, ...]) -> float:
    """The mean score that such pairs have in the long run."""
    return sum(score * part for score, part in zip(SCORES, parts, strict=True)) / sum(parts)


def covers(interval: Interval, mean: float) -> bool:
    """Whether the mean lies in the interval."""
    return interval.low <= mean <= interval.high


def test_the_mean_counts_every_pair() -> None:
    assert mean_score({1.0: 3, 0.5: 2, 0.25: 4}) == (3 + 1 + 1) / 9


# For a fixed number of pairs


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042), (10**6, 1.960)],
)
def test_students_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, rel=2e-3)
    assert student_quantile(0.025, freedom) == pytest.approx(-quantile, rel=2e-3)


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [
        ({1.0: 10}, 0.7225, 1.0),
        ({0.0: 10}, 0.0, 0.2775),
        ({0.5: 10}, 0.2366, 0.7634),
        ({1.0: 1}, 0.2065, 1.0),
    ],
)
def test_equal_scores_give_wilsons_interval_for_as_many_trials(
    scores: Scores, low: float, high: float
) -> None:
    interval = fixed_interval(scores)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-4)


def test_the_variance_that_is_seen_decides_on_the_width() -> None:
    """Pairs that go one each tell more than as many that are won or lost."""
    wide, narrow = fixed_interval({0.0: 50, 1.0: 50}), fixed_interval({0.0: 10, 0.5: 80, 1.0: 10})
    # 100 trials of yes or no, but for the variance that is estimated: Wilson's 0.4038 to 0.5962.
    assert wide.low == pytest.approx(0.4038, abs=0.003)
    # A fifth of the variance is as good as five times the trials: 0.4563 to 0.5437.
    assert narrow.low == pytest.approx(0.4563, abs=0.003)
    assert narrow.high == pytest.approx(1 - narrow.low)


@pytest.mark.parametrize("parts", [EQUALS[0], EQUALS[3], STRONGER, (2, 0, 30, 0, 68), (0, 0, 10, 0, 90)])
def test_a_fixed_interval_covers_the_truth_in_95_of_100_tournaments(parts: tuple[int, ...]) -> None:
    covered = 0
    for seed in range(1000):
        *_, scores = pairs_of(parts, seed, 50)
        covered += covers(fixed_interval(scores), truth(parts))
    assert 930 <= covered <= 985


# For a number of pairs that depends on what is seen


def looked_at_often(clear: Callable[[Scores], bool], parts: tuple[int, ...], count: int) -> int:
    """Of 150 tournaments, in how many a look after some pair says that the sides differ."""
    return sum(any(map(clear, pairs_of(parts, seed, count))) for seed in range(150))


@pytest.mark.parametrize("parts", EQUALS)
def test_equals_seldom_seem_to_differ_however_often_one_looks(parts: tuple[int, ...]) -> None:
    assert truth(parts) == EVEN
    assert looked_at_often(is_clear, parts, 200) < 0.05 * 150


def test_looking_often_at_a_fixed_interval_would_make_equals_differ() -> None:
    """What the test above would find of a rule that is not honest."""
    found = looked_at_often(lambda scores: not covers(fixed_interval(scores), EVEN), EQUALS[1], 200)
    assert found > 0.25 * 150


def test_who_is_stronger_is_found_out() -> None:
    needed = []
    for seed in range(40):
        for number, scores in enumerate(pairs_of(STRONGER, seed, 600), start=1):
            if is_clear(scores):
                needed.append(number)
                assert mean_score(scores) > EVEN
                break
    assert len(needed) >= 39
    assert sum(needed) / len(needed) < 200


def test_an_always_valid_interval_covers_the_truth_all_the_time() -> None:
    missed = 0
    for seed in range(60):
        looks = list(range(1, 20, 3)) + list(range(20, 200, 20))
        tournament = enumerate(pairs_of(STRONGER, seed, 200), start=1)
        missed += any(
            not covers(always_valid_interval(scores), truth(STRONGER))
            for number, scores in tournament
            if number in looks
        )
    assert missed < 0.05 * 60


@given(tallies)
def test_intervals_lie_around_the_mean_and_one_of_them_is_wider(scores: dict[float, int]) -> None:
    fixed, always = fixed_interval(scores), always_valid_interval(scores)
    assert (fixed.method, always.method) == (Method.WILSON, Method.CONFIDENCE_SEQUENCE)
    for interval in (fixed, always):
        assert 0 <= interval.low <= mean_score(scores) + 1e-9
        assert mean_score(scores) - 1e-9 <= interval.high <= 1
    # Where all scores are equal the fixed interval supposes the worst of the variance, and is wide.
    if len(scores) > 1 and sum(scores.values()) > 10:
        assert always.high - always.low > fixed.high - fixed.low


@given(tallies)
def test_the_other_side_sees_the_same(scores: dict[float, int]) -> None:
    mirrored = {1 - score: count for score, count in scores.items()}
    for interval in (fixed_interval, always_valid_interval):
        here, there = interval(scores), interval(mirrored)
        assert (1 - there.high, 1 - there.low) == pytest.approx((here.low, here.high), abs=1e-9)
    assert is_clear(scores) == is_clear(mirrored)


@given(tallies)
def test_an_answer_is_clear_when_the_interval_says_so(scores: dict[float, int]) -> None:
    assert is_clear(scores) == (not covers(always_valid_interval(scores), EVEN))
