"""Deals between rules of thumb, from which weights are learned."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine import DECK, SEATS, STOCK_SIZE, loss
from engine.bits import mask_of
from engine.quick import QuickDeal
from node.bots.thumb import Thumb

__all__ = ["deal_cards", "duel", "play_out"]


def deal_cards(rng: Random) -> QuickDeal:
    """A deal before its first lead; the indicator is a card of the stock (R6)."""
    deck = rng.sample(DECK, len(DECK))
    hands = [mask_of(deck[4 * seat : 4 * seat + 4]) for seat in SEATS]
    stock = [mask_of((card,)) for card in deck[-STOCK_SIZE:]]
    return QuickDeal(hands, stock, rng.choice(deck[-STOCK_SIZE:]).suit, rng.choice(SEATS))


def play_out(deal: QuickDeal, players: Sequence[Thumb]) -> None:
    """Play a deal to its end, each seat by its own rules."""
    while not deal.over:
        seat = deal.turn
        deal.play(seat, players[seat].best_move(deal, seat))


def duel(one: Thumb, other: Thumb, pairs: int, rng: Random) -> float:
    """Defeat points that `one` wins of `other`, a deal; each deal is played from both sides."""
    won = 0
    for _ in range(pairs):
        start = deal_cards(rng)
        for players, team in (((one, other, one, other), 0), ((other, one, other, one), 1)):
            deal = start.copy()
            play_out(deal, players)
            own, others = (loss(deal.points[side], deal.tricks[side]) for side in (team, 1 - team))
            won += others - own
    return won / (2 * pairs)
