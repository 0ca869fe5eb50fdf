"""Everything that can happen in a match, as data.

Dealing, drawing, showing the indicator and opening discards are actions like any other: nothing random
happens inside the engine. An observer who does not see some cards has the same actions with `None` in their
place. Tuples of cards are kept sorted, so that equal plays are equal actions.
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import Card, Cards, Seat


def _sort(action: object, name: str, cards: Cards) -> None:
    object.__setattr__(action, name, tuple(sorted(cards)))


@dataclass(frozen=True, slots=True)
class Deal:
    """Four cards for each seat (R5). `hands[seat]` is None where this observer does not see them."""

    dealer: Seat
    hands: tuple[Cards | None, Cards | None, Cards | None, Cards | None] = (None, None, None, None)

    def __post_init__(self) -> None:
        first, second, third, fourth = (hand if hand is None else tuple(sorted(hand)) for hand in self.hands)
        object.__setattr__(self, "hands", (first, second, third, fourth))


@dataclass(frozen=True, slots=True)
class Indicate:
    """A card from the middle of the stock is shown, and fixes trump (R6)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Lead:
    """The seat entitled to lead opens the trick (R7), also with four cards after somebody's molodka (R15)."""

    seat: Seat
    cards: Cards

    def __post_init__(self) -> None:
        _sort(self, "cards", self.cards)


@dataclass(frozen=True, slots=True)
class Molodka:
    """Another seat leads four of one suit out of turn (R13)."""

    seat: Seat
    cards: Cards

    def __post_init__(self) -> None:
        _sort(self, "cards", self.cards)


@dataclass(frozen=True, slots=True)
class Beat:
    """An answer with higher cards, face up (R9). `on` is the seat whose lead is answered."""

    seat: Seat
    cards: Cards
    on: Seat

    def __post_init__(self) -> None:
        _sort(self, "cards", self.cards)


@dataclass(frozen=True, slots=True)
class Discard:
    """An answer with cards face down (R10). `cards` is None where this observer does not see them."""

    seat: Seat
    count: int
    cards: Cards | None
    on: Seat

    def __post_init__(self) -> None:
        if self.cards is not None:
            _sort(self, "cards", self.cards)


@dataclass(frozen=True, slots=True)
class Draw:
    """One card from the top of the stock (R12). `card` is None where this observer does not see it."""

    seat: Seat
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """When the deal is over, the cards that this observer did not see of a discard that stood (R10, R18).

    `trick` counts the tricks of the deal from 0.
    """

    seat: Seat
    trick: int
    cards: Cards

    def __post_init__(self) -> None:
        _sort(self, "cards", self.cards)


Opening: TypeAlias = Lead | Molodka
Answer: TypeAlias = Beat | Discard
Play: TypeAlias = Lead | Molodka | Beat | Discard
Action: TypeAlias = Deal | Indicate | Play | Draw | Open
