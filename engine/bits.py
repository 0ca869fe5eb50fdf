"""Sets of cards as whole numbers, for programs that play millions of deals: bit i is `DECK[i]`.

So bits 0 to 8 are the clubs from the six to the ace, and so on. What `engine.cards` says of single cards is
worked out here for whole sets at a time, and remembered.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from engine.cards import DECK, HAND_SIZE, Card, Cards, Rank, Suit, beats

__all__ = [
    "ALL_CARDS",
    "FOURS",
    "SUIT_MASKS",
    "CardSet",
    "beaters",
    "beating_sets",
    "cards_of",
    "higher",
    "leads",
    "mask_of",
    "points_of",
    "set_beats_set",
    "singles",
    "subsets",
]

CardSet: TypeAlias = int
"""A set of cards, bit i standing for `DECK[i]`."""

ALL_CARDS: Final[CardSet] = (1 << len(DECK)) - 1
SUIT_MASKS: Final[tuple[CardSet, ...]] = tuple(0x1FF << 9 * suit for suit in Suit)

_REMEMBERED: Final = 1 << 17
"""Results kept for each question; a search asks for the same few thousand sets again and again."""

_SUIT_POINTS: Final = tuple(
    sum(card.points for card in DECK[: len(Rank)] if held >> card.rank & 1) for held in range(1 << len(Rank))
)
"""The points of each set of cards of one suit."""

FOURS: Final[frozenset[CardSet]] = frozenset(
    sum(1 << card.index for card in cards)
    for suit in Suit
    for cards in combinations([card for card in DECK if card.suit is suit], HAND_SIZE)
)
"""All sets of four cards of one suit, as a molodka needs them (R13)."""


def mask_of(cards: Iterable[Card]) -> CardSet:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return mask


def cards_of(mask: CardSet) -> Cards:
    """The cards of a set, in the order of the deck."""
    return tuple(card for index, card in enumerate(DECK) if mask >> index & 1)


def points_of(mask: CardSet) -> int:
    """What the cards count together (R3)."""
    points = _SUIT_POINTS
    return points[mask & 511] + points[mask >> 9 & 511] + points[mask >> 18 & 511] + points[mask >> 27]


@lru_cache(_REMEMBERED)
def singles(mask: CardSet) -> tuple[CardSet, ...]:
    """The sets of one card each that a set is made of."""
    return tuple(1 << index for index in range(len(DECK)) if mask >> index & 1)


@lru_cache(_REMEMBERED)
def subsets(mask: CardSet, count: int) -> tuple[CardSet, ...]:
    """The sets of `count` of these cards."""
    return tuple(sum(chosen) for chosen in combinations(singles(mask), count))


@lru_cache(_REMEMBERED)
def leads(hand: CardSet) -> tuple[CardSet, ...]:
    """What may be led from this hand: one or more cards of one suit (R7)."""
    return tuple(
        lead
        for suit in SUIT_MASKS
        for count in range(1, (hand & suit).bit_count() + 1)
        for lead in subsets(hand & suit, count)
    )


_HIGHER: Final = tuple(
    tuple(mask_of(new for new in DECK if beats(new, old, trump)) for old in DECK) for trump in Suit
)


def higher(card: CardSet, trump: Suit) -> CardSet:
    """All cards that beat this one (R2); `card` is a set of one."""
    return _HIGHER[trump][card.bit_length() - 1]


@lru_cache(_REMEMBERED)
def beaters(cards: CardSet, trump: Suit) -> CardSet:
    """All cards that beat at least one of these (R2)."""
    union = 0
    for card in singles(cards):
        union |= higher(card, trump)
    return union


@lru_cache(_REMEMBERED)
def set_beats_set(new: CardSet, old: CardSet, trump: Suit) -> bool:
    """Whether the new cards can be matched one to one with the old ones, each higher than its match (R9).

    Where sets can be matched at all, they can be by giving the hardest old card the weakest new one that
    beats it; the hardest are trumps from the highest down, then each other suit from the highest down.
    """
    if new.bit_count() != old.bit_count():
        return False
    trumps = SUIT_MASKS[trump]
    left = new
    for card in (*reversed(singles(old & trumps)), *reversed(singles(old & ~trumps))):
        able = left & higher(card, trump)
        if not able:
            return False
        weakest = able & ~trumps or able
        left ^= weakest & -weakest
    return True


@lru_cache(_REMEMBERED)
def beating_sets(hand: CardSet, best: CardSet, trump: Suit) -> tuple[CardSet, ...]:
    """What can be played from this hand that beats the best set (R9)."""
    able, count = hand & beaters(best, trump), best.bit_count()
    if count == 1 or able.bit_count() < count:
        return singles(able) if count == 1 else ()
    return tuple(new for new in subsets(able, count) if set_beats_set(new, best, trump))
