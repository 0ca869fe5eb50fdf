"""Rules of thumb on card sets: what a play seems to be worth from one hand, without looking ahead.

Each possible play gets a value in card points: the chance that the own team takes the trick, times what lies
in it and what leading next is worth, less what the cards would be worth later. It is a function of the hand
and the trick alone, so it serves as a player of its own, as the player of a look-ahead's other seats, and as
a guess of how likely somebody was to play as they did. What was worked out is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from engine import DECK, Seat, Suit
from engine.bits import ALL_CARDS, FOURS, CardSet, beaters, beating_sets, leads, points_of, singles
from engine.quick import BEAT, CARDS, DISCARD, OPEN, Move, QuickDeal
from node.bots.thumb_weights import BY_SELF_PLAY, Weights

__all__ = ["THUMB", "Answers", "Thumb", "pot_of"]

_REMEMBERED: Final = 1 << 16
_POT_STEPS: Final = (0, 4, 8, 13, 20, 32)
"""Points in a trick are rounded to these, so that fewer situations are told apart."""
_POT: Final = tuple(min(_POT_STEPS, key=lambda step: abs(step - points)) for points in range(121))
_POINTS: Final = (0, *(card.points for card in DECK))

Leads = tuple[tuple[CardSet, float], ...]
"""Each set that can be led, with its value."""


class Answers(NamedTuple):
    """What the answers from one hand seem to be worth.

    `beats`: sets that beat, each with its value. A discard is worth `base` and, for each of its cards, what
    `cards` says: whoever gives some cards gives the best of these.
    """

    beats: tuple[tuple[CardSet, float], ...]
    base: float
    cards: tuple[tuple[CardSet, float], ...]

    def discards(self, count: int) -> Iterator[tuple[CardSet, float]]:
        """Every discard of so many cards, with its value."""
        for thrown in combinations(self.cards, count):
            yield sum(card for card, _ in thrown), self.base + sum(value for _, value in thrown)


def pot_of(seen: CardSet) -> int:
    """The points of the lead and the best set of a trick, roughly."""
    return _POT[points_of(seen)]


class Thumb:
    """Rules of thumb with one set of weights.

    The arguments of its questions: `hand`, and of an answer the `best` set and whether it is a `friend`'s,
    how many seats answer `after` this one, the `pot` of points that lie in the trick; `stocked` is whether
    cards will be drawn after it (R12).
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._kept = {
            (trump, stocked): _kept(weights, trump, stocked) for trump in Suit for stocked in (False, True)
        }
        remember = lru_cache(_REMEMBERED)
        self.leads: Callable[[CardSet, Suit, bool], Leads] = remember(self._leads)
        self.answers: Callable[[CardSet, CardSet, Suit, bool, int, int, bool], Answers] = remember(
            self._answers
        )
        self.best_lead: Callable[[CardSet, Suit, bool], Move] = remember(self._best_lead)
        self.best_answer: Callable[[CardSet, CardSet, Suit, bool, int, int, bool], Move] = remember(
            self._best_answer
        )

    def best_move(self, deal: QuickDeal, seat: Seat) -> Move:
        """The play of highest value for the seat whose turn it is; four of a suit are claimed (R13)."""
        hand = deal.hands[seat]
        if hand in FOURS and deal.may_claim(seat):
            return hand | OPEN
        if deal.leader < 0:
            return self.best_lead(hand, deal.trump, bool(deal.stock))
        friend = not (deal.taker ^ seat) & 1
        pot = pot_of(deal.best | deal.played[deal.leader])
        return self.best_answer(hand, deal.best, deal.trump, friend, 2 - deal.answers, pot, bool(deal.stock))

    def value(self, deal: QuickDeal, move: Move) -> float | None:
        """What a move of the seat whose turn it is seems to be worth; None for a claim."""
        seat, cards = deal.turn, move & CARDS
        hand, trump, stocked = deal.hands[seat], deal.trump, bool(deal.stock)
        if deal.leader < 0 and seat == deal.entitled:
            return dict(self.leads(hand, trump, stocked)).get(cards)
        if deal.leader < 0 or move & OPEN:
            return None
        friend = not (deal.taker ^ seat) & 1
        pot = pot_of(deal.best | deal.played[deal.leader])
        given = self.answers(hand, deal.best, trump, friend, 2 - deal.answers, pot, stocked)
        if move & BEAT:
            return dict(given.beats)[cards]
        return given.base + sum(value for card, value in given.cards if card & cards)

    def _best_lead(self, hand: CardSet, trump: Suit, stocked: bool) -> Move:
        """The lead of highest value."""
        return max(self.leads(hand, trump, stocked), key=_value)[0] | OPEN

    def _best_answer(
        self, hand: CardSet, best: CardSet, trump: Suit, friend: bool, after: int, pot: int, stocked: bool
    ) -> Move:
        """The answer of highest value."""
        beats, base, cards = self.answers(hand, best, trump, friend, after, pot, stocked)
        thrown, worth = 0, base
        for card, value in sorted(cards, key=_value, reverse=True)[: best.bit_count()]:
            thrown |= card
            worth += value
        new, value = max(beats, key=_value, default=(0, worth))
        # Cards worth the same either way are better hidden; sums in another order differ in their last bits.
        return new | BEAT if value > worth + 1e-9 else thrown | DISCARD

    def _leads(self, hand: CardSet, trump: Suit, stocked: bool) -> Leads:
        """What each lead from this hand seems to be worth."""
        weights, kept = self.weights, self._kept[trump, stocked]
        hidden, held = ALL_CARDS & ~hand, hand.bit_count()
        valued = []
        for lead in leads(hand):
            count = lead.bit_count()
            stands = (1 - self._falls(lead, hidden, trump, held)) ** 2
            lost = points_of(lead) + (weights.friend + weights.foe) * count + weights.tempo
            won = lost + weights.foe * count
            worth = stands * won - (1 - stands) * lost + weights.wide * (count - 1)
            valued.append((lead, worth - sum(kept[card.bit_length()] for card in singles(lead))))
        return tuple(valued)

    def _answers(
        self, hand: CardSet, best: CardSet, trump: Suit, friend: bool, after: int, pot: int, stocked: bool
    ) -> Answers:
        """What each answer from this hand seems to be worth."""
        weights, kept = self.weights, self._kept[trump, stocked]
        hidden, held, count, foe = ALL_CARDS & ~hand & ~best, hand.bit_count(), best.bit_count(), after >= 1
        coming = count * (weights.friend / 2 * (after >= 2) + weights.foe * foe) + weights.tempo
        beats = []
        for new in beating_sets(hand, best, trump):
            stands = 1 - self._falls(new, hidden, trump, held) if foe else 1.0
            worth = (2 * stands - 1) * (pot + points_of(new) + coming)
            beats.append((new, worth - sum(kept[card.bit_length()] for card in singles(new))))
        falls = self._falls(best, hidden, trump, held) if foe else 0.0
        gain = 2 * (1 - falls if friend else falls * (after >= 2)) - 1
        cards = tuple(
            (card, gain * _POINTS[card.bit_length()] - kept[card.bit_length()]) for card in singles(hand)
        )
        return Answers(tuple(beats), gain * (pot + coming), cards)

    def _falls(self, best: CardSet, hidden: CardSet, trump: Suit, held: int) -> float:
        """Roughly how likely one other hand of `held` hidden cards can and will beat a set."""
        count, good = best.bit_count(), (hidden & beaters(best, trump)).bit_count()
        return _at_least(hidden.bit_count(), good, held, count) * self.weights.will[count]


def _value(pair: tuple[CardSet, float]) -> float:
    return pair[1]


@lru_cache(_REMEMBERED)
def _at_least(cards: int, good: int, held: int, wanted: int) -> float:
    """The chance that of so many cards, some of them good, a hand holds as many good ones as are wanted."""
    held = min(held, cards)
    ways = sum(comb(good, some) * comb(cards - good, held - some) for some in range(wanted, held + 1))
    return ways / comb(cards, held)


def _kept(weights: Weights, trump: Suit, stocked: bool) -> tuple[float, ...]:
    """What each card would be worth if it were kept, by the length of its bit."""
    scale = 1.0 if stocked else weights.without_stock
    worth = ((weights.trumps if card.suit is trump else weights.plain)[card.rank] * scale for card in DECK)
    return (0.0, *worth)


THUMB: Final = Thumb(BY_SELF_PLAY)
"""The best that we know."""
