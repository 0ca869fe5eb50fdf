"""Seats, suits, ranks and cards, and which card beats which (R1, R2, R3, R9)."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from engine.errors import NotationError

Seat: TypeAlias = int
"""0 to 3, clockwise (R1)."""

Team: TypeAlias = int
"""0 for seats 0 and 2, 1 for seats 1 and 3 (R1)."""

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
HAND_SIZE = 4


def team_of(seat: Seat) -> Team:
    """The team that a seat plays for (R1)."""
    return seat % 2


def next_seat(seat: Seat, steps: int = 1) -> Seat:
    """The seat `steps` places further clockwise (R1)."""
    return (seat + steps) % 4


def partner_of(seat: Seat) -> Seat:
    """The other seat of the same team (R1)."""
    return (seat + 2) % 4


def distance(start: Seat, seat: Seat) -> int:
    """How many places clockwise `seat` is from `start`: 0 to 3 (R15)."""
    return (seat - start) % 4


class Suit(IntEnum):
    """The four suits; the numbers only order the deck, no suit is higher by itself (R2)."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """One of c d h s."""
        return "cdhs"[self]


class Rank(IntEnum):
    """The nine ranks from low to high, in the order of the game: the ten is above the king (R2)."""

    SIX = 0
    SEVEN = 1
    EIGHT = 2
    NINE = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    TEN = 7
    ACE = 8

    @property
    def letter(self) -> str:
        """One of 6 7 8 9 J Q K T A."""
        return "6789JQKTA"[self]


_POINTS = (0, 0, 0, 0, 2, 3, 4, 10, 11)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One of the 36 cards (R2). Ordered as in the deck, suit by suit, which says nothing of beating."""

    suit: Suit
    rank: Rank

    @property
    def index(self) -> int:
        """Place in `DECK`, 0 to 35."""
        return self.suit * 9 + self.rank

    @property
    def points(self) -> int:
        """What the card counts at the end of the deal, 0 to 11 (R3)."""
        return _POINTS[self.rank]

    def __hash__(self) -> int:
        return self.suit * 9 + self.rank

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter


Cards: TypeAlias = tuple[Card, ...]

DECK: Cards = tuple(Card(suit, rank) for suit in Suit for rank in Rank)
DECK_POINTS = sum(card.points for card in DECK)
_BY_NAME = {str(card): card for card in DECK}


def parse_card(text: str) -> Card:
    """The card written as rank and suit, as in "Td"; raises `NotationError`."""
    try:
        return _BY_NAME[text]
    except KeyError:
        raise NotationError(
            f"{text!r} is not a card: a rank of 6789TJQKA and a suit of cdhs are needed"
        ) from None


def cards_text(cards: Collection[Card]) -> str:
    """Cards written one after another, as in "TdAs"."""
    return "".join(map(str, cards))


def beats(new: Card, old: Card, trump: Suit) -> bool:
    """Whether one card is higher than another (R2)."""
    if new.suit == old.suit:
        return new.rank > old.rank
    return new.suit == trump


def set_beats(new: Collection[Card], old: Collection[Card], trump: Suit) -> bool:
    """Whether the new cards can be matched one to one with the old ones, each higher than its match (R9).

    No search is needed. A new card of a plain suit can only take an old one of its own suit, and any trump
    takes any plain card: so in a plain suit it is best to take the lowest cards of that suit, lowest with
    lowest, and leave the high ones to trumps; and old trumps are best taken by the highest new trumps.
    """
    if len(new) != len(old):
        return False
    for suit in Suit:
        fresh = sorted(card.rank for card in new if card.suit == suit)
        stale = sorted(card.rank for card in old if card.suit == suit)
        if suit == trump:
            if len(fresh) < len(stale):
                return False
            fresh = fresh[len(fresh) - len(stale) :]
        elif len(fresh) > len(stale):
            return False
        if any(high <= low for high, low in zip(fresh, stale, strict=False)):
            return False
    return True
