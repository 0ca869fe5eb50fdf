"""Deals of the hidden cards that agree with all that a seat knows, drawn at random.

A world says what every hand held at the start of the current trick, what was discarded face down, and how
the stock lies. Worlds come as often as the deal makes them likely (R5, R6, R12); what the others' choices
tell beyond that is for :mod:`node.bots.likelihood` to weigh.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine import HAND_SIZE, SEATS, STOCK_SIZE, Seat
from engine.bits import CardSet, points_of, singles
from engine.quick import QuickDeal
from node.bots.knowledge import Knowledge, open_points

__all__ = ["World", "Worlds"]


@dataclass(frozen=True, slots=True)
class World:
    """One way in which the hidden cards may lie.

    `hands`: by seat, at the start of the current trick. `discards`: by trick of the deal and seat, what was
    hidden; the current trick is the last. `stock`: the next card to be drawn last.
    """

    hands: tuple[CardSet, CardSet, CardSet, CardSet]
    discards: dict[tuple[int, Seat], CardSet]
    stock: tuple[CardSet, ...]


class Worlds:
    """Draws worlds for one seat's knowledge."""

    def __init__(self, knowledge: Knowledge, rng: random.Random) -> None:
        self._knowledge = knowledge
        self._rng = rng
        self._slots = _slots(knowledge)
        self._indicator = knowledge.indicator & knowledge.pool
        special = {*knowledge.owners, self._indicator}
        self._cards = [card for card in singles(knowledge.pool) if card not in special]
        self._indicator_places = _indicator_places(knowledge, self._slots)
        self._points, self._tricks = _taken(knowledge)

    def draw(self) -> World:
        """One world, as likely as the deal makes it."""
        knowledge, rng = self._knowledge, self._rng
        filled = self._fill()
        hands = list(knowledge.known)
        discards: dict[tuple[int, Seat], CardSet] = {}
        stock = []
        for slot, card in zip(self._slots, filled, strict=True):
            if slot is None:
                stock.append(card)
            elif slot[0] < 0:
                hands[slot[1]] |= card
            else:
                discards[slot] = discards.get(slot, 0) | card
        current = knowledge.current
        for seat in current.hidden:
            chosen = rng.sample(singles(hands[seat]), current.count)
            discards[len(knowledge.rounds), seat] = sum(chosen)
        return World((hands[0], hands[1], hands[2], hands[3]), discards, tuple(stock))

    def position(self, world: World) -> QuickDeal:
        """The deal as it stands in that world, the current trick included."""
        knowledge, current = self._knowledge, self._knowledge.current
        points = self._points[:]
        for (trick, _), cards in world.discards.items():
            if trick < len(knowledge.rounds):
                points[knowledge.rounds[trick].best[0] & 1] += points_of(cards)
        deal = QuickDeal(
            list(world.hands),
            list(world.stock),
            knowledge.trump,
            current.entitled,
            points=points,
            tricks=self._tricks[:],
            molodka=knowledge.molodka,
        )
        if current.count:
            deal.leader, deal.count, deal.answers = current.order[0], current.count, len(current.order) - 1
            deal.taker, deal.best = current.best
            here = len(knowledge.rounds)
            deal.played = [current.cards[seat] or world.discards.get((here, seat), 0) for seat in SEATS]
            deal.acted = knowledge.acted
        return deal

    def _fill(self) -> list[CardSet]:
        """A card for each slot."""
        rng, knowledge = self._rng, self._knowledge
        cards = self._cards[:]
        rng.shuffle(cards)
        filled = [0] * len(self._slots)
        for card, owner in knowledge.owners.items():
            filled[rng.choice(self._free(filled, owner))] = card
        if self._indicator and self._indicator not in knowledge.owners:
            weights = [
                0.0 if card else weight for card, weight in zip(filled, self._indicator_places, strict=True)
            ]
            (place,) = rng.choices(range(len(filled)), weights)
            filled[place] = self._indicator
        for place, card in enumerate(filled):
            if not card:
                filled[place] = cards.pop()
        return filled

    def _free(self, filled: list[CardSet], owner: tuple[Seat, int]) -> list[int]:
        """The slots for cards that went back: the discard of that same trick, of the whole hand (R14, R8)."""
        seat, trick = owner
        return [
            place for place, slot in enumerate(self._slots) if slot == (trick, seat) and not filled[place]
        ]


_Slot = tuple[int, Seat] | None
"""Where a hidden card may be: (trick, seat) discarded, (-1, seat) in a hand, None in the stock."""


def _slots(knowledge: Knowledge) -> list[_Slot]:
    slots: list[_Slot] = [
        (trick, seat)
        for trick, played in enumerate(knowledge.rounds)
        for seat in played.hidden
        for _ in range(played.count)
    ]
    slots += [(-1, seat) for seat in SEATS for _ in range(knowledge.unknown[seat])]
    return slots + [None] * knowledge.stock


def _indicator_places(knowledge: Knowledge, slots: list[_Slot]) -> list[float]:
    """How likely the indicator is to lie in each slot: only cards that were drawn can be it (R6).

    Of the cards in a hand, those that were dealt become fewer with each trick, at random as far as is known.
    """
    drawn, dealt, held, stock = [], 1.0, HAND_SIZE, STOCK_SIZE
    for played in knowledge.rounds:
        drawn.append(1 - dealt)
        fresh = min(played.count, stock // len(SEATS))
        kept, stock = held - played.count, stock - fresh * len(SEATS)
        held = kept + fresh
        dealt *= kept / held
    drawn.append(1 - dealt)
    return [1.0 if slot is None else drawn[slot[0]] for slot in slots]


def _taken(knowledge: Knowledge) -> tuple[list[int], list[int]]:
    """Points seen and tricks taken, by team."""
    points, tricks = [0, 0], [0, 0]
    for played in knowledge.rounds:
        team = played.best[0] & 1
        points[team] += open_points(played)
        tricks[team] += 1
    return points, tricks
