"""How sure one can be of the result of a tournament.

What is counted are pairs: two games with the same cards and the seats swapped. The score of a pair is the
mean of what its two games bring to A: 1 for a win, 0 for a loss, 1/2 for neither. The games of a pair share
their cards and are anything but independent; two pairs share nothing, so the pair is the unit of all that
follows.

There are two intervals for the mean score, and which one is right depends on when one looks:

- :func:`fixed_interval` is for a number of pairs that was fixed beforehand. It is the narrower one.
- :func:`always_valid_interval` is for a number that depends on the results, as when somebody stops because
  the answer seems clear. Who looks at the first kind again and again until it leaves 1/2 out finds, sooner or
  later, a difference between equals; with the second kind that happens in 5 % of all tournaments at most,
  however often one looks and whenever one stops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from statistics import NormalDist
from typing import Final, TypeAlias

__all__ = [
    "CONFIDENCE",
    "EVEN",
    "Interval",
    "Method",
    "Scores",
    "always_valid_interval",
    "fixed_interval",
    "is_clear",
    "mean_score",
    "student_quantile",
]

CONFIDENCE: Final = 0.95
EVEN: Final = 0.5
"""The mean score of a team against another of the same strength."""

Scores: TypeAlias = Mapping[float, int]
"""How many pairs have had each score; scores lie from 0 to 1."""

_BETS: Final = tuple((number + 0.5) / 32 for number in range(32))
"""The shares of the fortune that are staked, evenly spread: each is best against another difference."""
_HALVINGS: Final = 40


class Method(StrEnum):
    """How an interval was found, and so what it may be used for."""

    WILSON = "wilson"
    CONFIDENCE_SEQUENCE = "confidence-sequence"


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the mean score lies with 95 % confidence, from 0 to 1."""

    low: float
    high: float
    method: Method


def mean_score(scores: Scores) -> float:
    """The mean over all pairs; needs at least one."""
    return math.fsum(score * count for score, count in scores.items()) / sum(scores.values())


def fixed_interval(scores: Scores) -> Interval:
    """The interval for a number of pairs that did not depend on their scores; needs at least one pair.

    Wilson's score interval (1927) for as many trials of yes or no as would give the mean the variance that it
    is seen to have (Kish's design effect, 1965; on clusters see Dean and Pagano, J. Surv. Stat. Methodol. 3,
    2015), with Student's quantile since that variance is itself estimated. Unlike the mean plus and minus a
    multiple of its standard error it stays between 0 and 1, and covers what it should also when nearly all
    pairs are won. When all scores are equal nothing is seen of the variance: then each pair counts as one
    trial, the most that the variance of a score between 0 and 1 can be.
    """
    pairs, mean = sum(scores.values()), mean_score(scores)
    squares = math.fsum(count * (score - mean) ** 2 for score, count in scores.items())
    probability = (1 + CONFIDENCE) / 2
    if squares > 0:
        trials = mean * (1 - mean) * pairs * (pairs - 1) / squares
        quantile = student_quantile(probability, pairs - 1)
    else:
        trials, quantile = pairs, NormalDist().inv_cdf(probability)
    return Interval(*_wilson(mean, trials, quantile), Method.WILSON)


def _wilson(mean: float, trials: float, quantile: float) -> tuple[float, float]:
    weight = quantile * quantile / trials
    middle = (mean + weight / 2) / (1 + weight)
    reach = math.sqrt(weight * (mean * (1 - mean) + weight / 4)) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's distribution: exact for one and two degrees of freedom, else within 0.2 % of
    it between 2.5 and 97.5 % (Fisher's expansion; Abramowitz and Stegun 26.7.5).
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        return (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))


def always_valid_interval(scores: Scores) -> Interval:
    """The interval for a number of pairs that may depend on their scores in any way; needs at least one pair.

    A confidence sequence by betting (Waudby-Smith and Ramdas, J. R. Stat. Soc. B 86, 2024; on such sequences
    Howard, Ramdas, McAuliffe and Sekhon, Ann. Stat. 49, 2021, and Robbins, Ann. Math. Stat. 41, 1970). Think
    of a gambler who holds that the mean is above m and stakes a share c of the fortune on every pair: score x
    multiplies it by 1 - c + c x/m, which is a fair bet or a bad one when the mean is m or less. Then, says
    Ville's inequality (1939), the fortune ever grows 40-fold with a probability of 1/40 at most. Here many
    gamblers start with equal parts and each keeps to one share c, so their fortune together obeys the same
    law. The lower end is the largest m against which they have won that much, the upper end the same for the
    mirrored scores; the probability that either is ever wrong is 2/40 at most. Nothing is assumed of the
    scores but that they lie between 0 and 1 and have one mean, whatever came before.
    """
    return Interval(_lower_end(scores), 1 - _lower_end(_mirrored(scores)), Method.CONFIDENCE_SEQUENCE)


def is_clear(scores: Scores) -> bool:
    """Whether :func:`always_valid_interval` leaves 1/2 out: one of the two is stronger.

    May be asked after every pair. Of equals it says so in 5 % of tournaments at most, however long they are.
    """
    return any(_is_refuted(EVEN, seen) for seen in (scores, _mirrored(scores)))


def _mirrored(scores: Scores) -> Scores:
    """The scores as the other side sees them."""
    return {1 - score: count for score, count in scores.items()}


def _lower_end(scores: Scores) -> float:
    # The fortune falls as m grows, and at the mean seen it is at most what it was at the beginning.
    refuted, possible = 0.0, mean_score(scores)
    for _ in range(_HALVINGS):
        middle = (refuted + possible) / 2
        if middle > 0 and _is_refuted(middle, scores):
            refuted = middle
        else:
            possible = middle
    return refuted


def _is_refuted(mean: float, scores: Scores) -> bool:
    """Whether bets that the true mean is higher than this one have won enough."""
    fortunes = [0.0] * len(_BETS)
    for score, count in scores.items():
        gains = _log_gains(score / mean)
        fortunes = [fortune + count * gain for fortune, gain in zip(fortunes, gains, strict=True)]
    best = max(fortunes)
    together = best + math.log(sum(math.exp(fortune - best) for fortune in fortunes) / len(_BETS))
    return together >= math.log(2 / (1 - CONFIDENCE))


@lru_cache(maxsize=64)
def _log_gains(ratio: float) -> tuple[float, ...]:
    """The logarithm of what each bet is multiplied by when the score is so many times the mean."""
    return tuple(math.log1p(bet * (ratio - 1)) for bet in _BETS)
