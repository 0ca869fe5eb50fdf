"""Figures of many deals, in which a slip in a rule shows that no single deal would show.

They depend on the play. These bands are for players who lead at random and, when they can beat, do so at
least every second time. Players who choose evenly among all legal sets of cards discard far more often, and
then the leading team often keeps the lead to the end: about 17 % of deals without a trick for the others.
"""

from collections import Counter
from functools import cache
from random import Random

import pytest

from engine import SEATS, Options, Phase
from tests.engine.strategies import Player, Policy, coin_play, eager_play

MATCHES = 150


@cache
def figures(policy: Policy) -> dict[str, float]:
    """Averages over whole matches, four of a suit always claimed."""
    counted: Counter[str] = Counter()
    for seed in range(MATCHES):
        player = Player(Random(seed), Options(), policy, eagerness=1)
        while player.state.phase is not Phase.MATCH_OVER:
            player.deal()
            hands = [player.state.hands[seat].known for seat in SEATS]
            counted["fours"] += sum(len({card.suit for card in hand}) == 1 for hand in hands)
            player.finish_deal()
            counted["deals"] += 1
            counted["tricks"] += len(player.state.tricks)
            result = player.state.results[-1]
            counted[f"lost {max(result.defeat_points)}"] += 1
            counted["eggs"] += result.eggs
    deals = counted["deals"]
    return {name: number / deals for name, number in counted.items()} | {"deals a match": deals / MATCHES}


@pytest.mark.parametrize("policy", [coin_play, eager_play])
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("tricks", 6.3, 7.5),
        ("deals a match", 5.4, 7.2),
        ("fours", 4 * 0.005, 4 * 0.0125),
        ("eggs", 0.003, 0.02),
        ("lost 2", 0.53, 0.69),
        ("lost 4", 0.26, 0.42),
        ("lost 6", 0.02, 0.08),
    ],
)
def test_figures_r19(policy: Policy, name: str, low: float, high: float) -> None:
    """R5, R12, R19, R20, R21: how often things happen, in generous bands."""
    assert low < figures(policy)[name] < high
