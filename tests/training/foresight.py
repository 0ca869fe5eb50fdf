"""Weights for foresight: ``python -m tests.training.foresight [--deals N] [--seed S]`` prints their module.

Deals are played by rules of thumb, now and then with a play at random so that odd positions come up too. For
each position between two tricks with cards in the stock, what the hands hold is fitted to the points that
come: least squares, by the normal equations, which are summed up sparsely, for a hand holds four cards.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

from engine import SEATS, Suit
from engine.bits import SUIT_MASKS, CardSet
from engine.quick import QuickDeal
from node.bots import foresight_weights
from node.bots.thumb import THUMB
from tests.training.selfplay import deal_cards

_ODD = 0.06
"""How often a play is made at random."""
_HAND = 24
"""Features of a hand: plain ranks, trumps, and two, three or four cards of a plain and of the trump suit."""
_SIZE = 4 * _HAND + 1
_RIDGE = 2.0
"""Keeps the equations solvable where a feature hardly ever comes up."""


def features(deal: QuickDeal) -> list[int]:
    """The numbers of the features that a position has; one may stand there more than once."""
    found = [_SIZE - 1]
    for place in SEATS:
        hand, first = deal.hands[(deal.entitled + place) % 4], place * _HAND
        found += [first + feature for feature in _hand_features(hand, deal.trump)]
    return found


def _hand_features(hand: CardSet, trump: Suit) -> list[int]:
    found = []
    for suit in Suit:
        held = hand >> 9 * suit & 511
        found += [rank + (9 if suit is trump else 0) for rank in range(9) if held >> rank & 1]
        length = (hand & SUIT_MASKS[suit]).bit_count()
        if length >= 2:
            found.append((21 if suit is trump else 18) + length - 2)
    return found


class Fit:
    """The normal equations of one stage."""

    def __init__(self) -> None:
        self.count, self.squares = 0, 0.0
        self.matrix = [[0.0] * _SIZE for _ in range(_SIZE)]
        self.right = [0.0] * _SIZE

    def add(self, found: list[int], came: int) -> None:
        """Take in a position and what came of it."""
        self.count += 1
        self.squares += came * came
        for feature in found:
            row = self.matrix[feature]
            self.right[feature] += came
            for other in found:
                row[other] += 1

    def solve(self) -> tuple[list[float], float]:
        """The weights, and the standard deviation of what they leave open (Gauss elimination)."""
        rows = [[*row, right] for row, right in zip(self.matrix, self.right, strict=True)]
        for column in range(_SIZE):
            rows[column][column] += _RIDGE
        for column in range(_SIZE):
            pivot = rows[column][column]
            for lower in range(column + 1, _SIZE):
                factor = rows[lower][column] / pivot
                if factor:
                    rows[lower] = [a - factor * b for a, b in zip(rows[lower], rows[column], strict=True)]
        weights = [0.0] * _SIZE
        for column in reversed(range(_SIZE)):
            known = sum(rows[column][other] * weights[other] for other in range(column + 1, _SIZE))
            weights[column] = (rows[column][-1] - known) / rows[column][column]
        explained = sum(weight * right for weight, right in zip(weights, self.right, strict=True))
        return weights, ((self.squares - explained) / self.count) ** 0.5


def learn(deals: int, rng: Random) -> dict[int, Fit]:
    """Play so many deals; by the number of cards in the stock, what came of the positions."""
    fits = {stock: Fit() for stock in (4, 8, 12, 16)}
    for number in range(deals):
        for stock, found, team, ahead, deal in _positions(rng):
            fits[stock].add(found, deal.points[team] - deal.points[1 - team] - ahead)
        if number % 1000 == 999:
            print(f"{number + 1} deals", file=sys.stderr)
    return fits


def _positions(rng: Random) -> list[tuple[int, list[int], int, int, QuickDeal]]:
    """Stock, features, team of the leader and its lead in points, and the deal as it has ended."""
    deal, found = deal_cards(rng), []
    while not deal.over:
        if deal.leader < 0 and len(deal.stock) in (4, 8, 12, 16):
            team = deal.entitled % 2
            ahead = deal.points[team] - deal.points[1 - team]
            found.append((len(deal.stock), features(deal), team, ahead, deal))
        seat = deal.turn
        odd = rng.random() < _ODD
        deal.play(seat, rng.choice(list(deal.moves(seat))) if odd else THUMB.best_move(deal, seat))
    return found


def written(fits: dict[int, Fit]) -> str:
    """The module that holds the weights: its head as it is, and new figures."""
    text = Path(foresight_weights.__file__).read_text(encoding="utf-8")
    head = text[: text.index("STAGES:")]
    lines = [f"{head}STAGES: Final[dict[int, StageWeights]] = {{"]
    for stock, fit in fits.items():
        weights, deviation = fit.solve()
        rounded = [round(weight, 1) for weight in weights]
        lines.append(f"    {stock}: StageWeights(\n        (")
        for place in SEATS:
            hand = rounded[place * _HAND : (place + 1) * _HAND]
            parts = (hand[:9], hand[9:18], hand[18:21], hand[21:])
            lines.append(f"            HandWeights({', '.join(str(tuple(part)) for part in parts)}),")
        lines.append(f"        ),\n        {rounded[-1]},\n        {deviation:.1f},\n    ),")
    return "\n".join([*lines, "}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(written(learn(options.deals, Random(options.seed))))


if __name__ == "__main__":
    main()
