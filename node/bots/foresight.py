"""What a position between two tricks is worth, foreseen from the four hands without playing on.

Playing on to the end of the deal costs ten times as much and is no better: what the stock will bring is
chance either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine import SEATS, Suit
from engine.bits import SUIT_MASKS, CardSet
from engine.quick import QuickDeal
from node.bots.foresight_weights import STAGES, HandWeights, StageWeights

__all__ = ["foresee", "tables_of"]

_Tables = tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]
"""Of a hand: the worth of each card of the deck, and of so many cards of each suit."""


def foresee(deal: QuickDeal) -> tuple[float, float]:
    """The points of the leader's team at the end of the deal less the others', and the standard deviation.

    Between two tricks, while cards are left in the stock.
    """
    stock, hands, entitled = len(deal.stock), deal.hands, deal.entitled
    stage = STAGES[stock]
    ahead = deal.points[entitled & 1] - deal.points[~entitled & 1] + stage.lead
    for place, (cards, lengths) in enumerate(_TABLES[stock, deal.trump]):
        hand = hands[(entitled + place) & 3]
        ahead += _worth(hand, cards)
        for suit in SEATS:
            ahead += lengths[suit][(hand & SUIT_MASKS[suit]).bit_count()]
    return ahead, stage.deviation


def _worth(hand: CardSet, cards: tuple[float, ...]) -> float:
    worth = 0.0
    while hand:
        card = hand & -hand
        hand ^= card
        worth += cards[card.bit_length() - 1]
    return worth


def _tables(weights: HandWeights, trump: Suit) -> _Tables:
    cards = tuple(weight for suit in Suit for weight in (weights.trumps if suit is trump else weights.plain))
    lengths = tuple(
        (0.0, 0.0, *(weights.trump_length if suit is trump else weights.plain_length)) for suit in Suit
    )
    return cards, lengths


def tables_of(stages: Mapping[int, StageWeights]) -> dict[tuple[int, Suit], tuple[_Tables, ...]]:
    """The weights by size of the stock and trump, ready to be added up."""
    return {
        (stock, trump): tuple(_tables(weights, trump) for weights in stage.hands)
        for stock, stage in stages.items()
        for trump in Suit
    }


_TABLES: Final = tables_of(STAGES)
