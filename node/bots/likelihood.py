"""How likely the others were to play as they did, if the hidden cards lay as in some world.

Whoever discarded a six and a seven probably had no better answer; whoever beat with the ace had no lower card
that would do. Each play is compared with what rules of thumb make of all the plays that the hand allowed.
"""

from __future__ import annotations

import random
from math import comb, exp
from typing import Final

from engine import DECK, HAND_SIZE, SEATS
from engine.bits import CardSet, singles
from node.bots.knowledge import Knowledge, Round
from node.bots.thumb import THUMB, Answers, pot_of
from node.bots.worlds import World

__all__ = ["likelihood"]

_WARMTH: Final = 4.0
"""How many card points of worth make a play e times as likely."""
_SLIP: Final = 0.05
"""The share of plays that follow no reasons at all."""
_SURE: Final = 50.0
"""An advantage, in units of warmth, beyond which a play is as good as sure."""
_EACH: Final = len(DECK) // len(SEATS)
"""How many cards each seat gets in a deal."""


def likelihood(knowledge: Knowledge, world: World, rng: random.Random, tricks: int) -> float:
    """How likely the others' plays in this trick and in so many before it were, up to a constant factor.

    Which of its cards a seat has drawn since an earlier trick is not known and drawn by lot.
    """
    here, hands = len(knowledge.rounds), world.hands
    left = _EACH - sum(played.count for played in knowledge.rounds)
    chance = _of_round(knowledge, world, here, hands, stocked=left > HAND_SIZE)
    for number in range(here - 1, max(here - 1 - tricks, -1), -1):
        played = knowledge.rounds[number]
        held, left = min(left, HAND_SIZE), left + played.count
        drawn = held + played.count - min(left, HAND_SIZE)
        hands = _before(world, number, played, hands, drawn, rng)
        chance *= _of_round(knowledge, world, number, hands, stocked=left > HAND_SIZE)
    return chance


_Hands = tuple[CardSet, CardSet, CardSet, CardSet]


def _before(
    world: World, number: int, played: Round, hands: _Hands, drawn: int, rng: random.Random
) -> _Hands:
    """The hands before a finished trick: without what was drawn after it, with what was played in it."""
    one, two, three, four = (
        hands[seat] - sum(rng.sample(singles(hands[seat]), drawn))
        | (played.cards[seat] or world.discards[number, seat])
        for seat in SEATS
    )
    return one, two, three, four


def _of_round(knowledge: Knowledge, world: World, number: int, hands: _Hands, *, stocked: bool) -> float:
    """How likely the others' plays in one trick were, from the hands before it."""
    rounds = knowledge.rounds
    played = rounds[number] if number < len(rounds) else knowledge.current
    trump, chance = knowledge.trump, 1.0
    best, taker, led = 0, -1, 0
    for place, seat in enumerate(played.order):
        cards, hand = played.cards[seat] or world.discards[number, seat], hands[seat]
        beat = bool(played.beat >> seat & 1)
        if seat != knowledge.seat:
            if place:
                friend = not (taker ^ seat) & 1
                given = THUMB.answers(hand, best, trump, friend, 3 - place, pot_of(best | led), stocked)
                chance *= _of_answer(given, cards, beat=beat)
            elif seat == played.entitled:  # A claim out of turn needs no reasons.
                chance *= _of_lead(THUMB.leads(hand, trump, stocked), cards)
        if beat or not place:
            best, taker = cards, seat
            led = led or cards
    return chance


def _of_lead(valued: tuple[tuple[CardSet, float], ...], lead: CardSet) -> float:
    """How likely this lead was among those that were possible."""
    highest = max(value for _, value in valued)
    total = chosen = 0.0
    for cards, value in valued:
        weight = exp((value - highest) / _WARMTH)
        total += weight
        if cards == lead:
            chosen = weight
    return (1 - _SLIP) * chosen / total + _SLIP / len(valued)


def _of_answer(given: Answers, answer: CardSet, *, beat: bool) -> float:
    """How likely this answer was among those that were possible.

    A discard of several cards is as likely as the product of its cards' weights; the sum over all discards is
    then an elementary symmetric polynomial of the weights, and need not be summed set by set.
    """
    count, top = answer.bit_count(), max(value for _, value in given.cards)
    sums = [1.0, *[0.0] * count]
    chosen = 1.0
    for card, value in given.cards:
        weight = exp((value - top) / _WARMTH)
        if card & answer:
            chosen *= weight
        for size in range(count, 0, -1):
            sums[size] += weight * sums[size - 1]
    total = sums[count]
    for new, value in given.beats:
        weight = exp(min((value - given.base - count * top) / _WARMTH, _SURE))
        total += weight
        if beat and new == answer:
            chosen = weight
    ways = len(given.beats) + comb(len(given.cards), count)
    return (1 - _SLIP) * chosen / total + _SLIP / ways
