"""How cards, suits, seats and teams are named on a screen, for one reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine import Card, Cards, Seat, State, Suit, Team, partner_of, team_of
from node.i18n import tr

__all__ = ["SYMBOLS", "Wording", "distinct", "rank_text", "sort_hand", "suit_name"]

SYMBOLS = "♣♦♥♠"
"""The suits in the order of :class:`engine.Suit`."""


def suit_name(suit: Suit) -> str:
    """The suit in words."""
    return (tr("clubs"), tr("diamonds"), tr("hearts"), tr("spades"))[suit]


def rank_text(card: Card) -> str:
    """The rank as it stands on a card: 6 7 8 9 J Q K 10 A."""
    return "10" if card.rank.letter == "T" else card.rank.letter


def sort_hand(cards: Iterable[Card], trump: Suit | None) -> Cards:
    """Suit by suit, trump last, in each suit from weak to strong (R2)."""
    return tuple(sorted(cards, key=lambda card: (card.suit is trump, card.suit, card.rank)))


def distinct(names: Sequence[str]) -> list[str]:
    """The names by seat, with a number after those that several players have."""
    counts = Counter(name.casefold() for name in names)
    return [name if counts[name.casefold()] == 1 else f"{name} {seat + 1}" for seat, name in enumerate(names)]


@dataclass(frozen=True, slots=True)
class Wording:
    """Who reads, and what the screen can show.

    `names` are the players' by seat, all different, `me` is the reader's seat, None for one who only
    watches. Without `symbols` suits are letters: c d h s.
    """

    names: Sequence[str]
    me: Seat | None
    symbols: bool = True
    trump_suit: Suit | None = None

    @property
    def seat(self) -> Seat:
        """The reader's seat; LookupError for one who has none."""
        if self.me is None:
            raise LookupError("who only watches has no seat")
        return self.me

    def under(self, state: State) -> Wording:
        """The same, with cards sorted as the trump of this deal asks."""
        return replace(self, trump_suit=state.trump)

    def suit(self, suit: Suit) -> str:
        """The mark of a suit on a card."""
        return SYMBOLS[suit] if self.symbols else suit.letter

    def card(self, card: Card) -> str:
        """A card, as in 10♣."""
        return rank_text(card) + self.suit(card.suit)

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards with spaces between, sorted as a hand is."""
        return " ".join(self.card(card) for card in sort_hand(cards, self.trump_suit))

    def trump(self, suit: Suit) -> str:
        """A suit in words, with its mark where the screen can show it."""
        return f"{suit_name(suit)} {SYMBOLS[suit]}" if self.symbols else suit_name(suit)

    def name(self, seat: Seat) -> str:
        """The name of whoever sits there."""
        return self.names[seat]

    def label(self, seat: Seat) -> str:
        """The name, or "You"."""
        return tr("You") if seat == self.me else self.names[seat]

    def team(self, team: Team) -> str:
        """Both players of a team; the reader's own team as "You and Vera"."""
        if self.me is not None and team == team_of(self.me):
            return tr("You and {partner}", partner=self.names[partner_of(self.me)])
        return self.pair(team)

    def pair(self, team: Team) -> str:
        """Both players of a team by name."""
        return tr("{first} and {second}", first=self.names[team], second=self.names[team + 2])
