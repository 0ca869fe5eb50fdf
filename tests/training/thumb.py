"""Weights for the rules of thumb: ``python -m tests.training.thumb [--generations N] [--seed S]``.

The cross-entropy method (Rubinstein 1999): from a normal distribution of weights many are drawn and play
against its mean; the next distribution is that of the best of them. Prints the mean as it comes along.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import fmean, pstdev

from node.bots.thumb import Thumb
from node.bots.thumb_weights import BY_HAND, Weights
from tests.training.selfplay import duel

_DRAWN, _ELITE, _PAIRS = 24, 7, 400
_SMOOTH = 0.5
"""How much of the old distribution is kept."""
_LEAST = 0.15
"""By how much the spread may shrink in a generation, at most."""


def flat(weights: Weights) -> list[float]:
    """All the numbers that are learned."""
    return [*weights.plain, *weights.trumps, *weights[2:7], *weights.will[1:]]


def weights_of(numbers: list[float]) -> Weights:
    """The weights with these numbers; chances stay chances."""
    rounded = [round(number, 2) for number in numbers]
    will = (1.0, *(min(max(chance, 0.0), 1.0) for chance in rounded[23:]))
    without_stock, tempo, friend, foe, wide = rounded[18:23]
    return Weights(tuple(rounded[:9]), tuple(rounded[9:18]), without_stock, tempo, friend, foe, wide, will)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, mean = Random(options.seed), flat(BY_HAND)
    spread = [max(0.6, abs(number) * 0.35) for number in mean[:-4]] + [0.1] * 4
    for generation in range(options.generations):
        before, tried = Thumb(weights_of(mean)), []
        for _ in range(_DRAWN):
            numbers = [rng.gauss(number, width) for number, width in zip(mean, spread, strict=True)]
            won = duel(Thumb(weights_of(numbers)), before, _PAIRS, Random(generation))
            tried.append((won, numbers))
        elite = [numbers for _, numbers in sorted(tried, reverse=True)[:_ELITE]]
        columns = list(zip(*elite, strict=True))
        mean = [_SMOOTH * old + (1 - _SMOOTH) * fmean(new) for old, new in zip(mean, columns, strict=True)]
        spread = [
            _SMOOTH * old + (1 - _SMOOTH) * max(_LEAST * old, pstdev(new))
            for old, new in zip(spread, columns, strict=True)
        ]
        won = duel(Thumb(weights_of(mean)), Thumb(BY_HAND), 1000, Random(-1))
        print(f"{generation + 1}: {won:+.3f} defeat points a deal against those set by hand", flush=True)
    print(weights_of(mean))


if __name__ == "__main__":
    main()
