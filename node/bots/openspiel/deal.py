"""One deal as a row of single steps, each of them a number: a card that chance turns up, or a play.

A play's number is 15 times its kind (0 lead or molodka, 1 beat, 2 discard), plus the set of cards less one.
The set is a sum over the cards that the seat holds, from low to high in the order of the deck: 1 for the
first, 2 for the second, 4 for the third, 8 for the fourth. So there are 45 numbers in all, and what one means
follows from the own hand, which the player knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine import (
    DECK,
    HAND_SIZE,
    SEATS,
    Action,
    Beat,
    Card,
    Cards,
    Deal,
    Discard,
    Draw,
    Indicate,
    Lead,
    Molodka,
    Options,
    Phase,
    Play,
    Seat,
    State,
    apply,
    holding,
    legal_actions,
    new_match,
    next_drawer,
    next_seat,
    player_view,
    turn,
)

__all__ = ["DEALER", "NUM_ACTIONS", "Position", "number_of_play", "play_of_number", "seen_actions"]

DEALER: Final[Seat] = 3
"""Who deals; seat 0 leads then (R4)."""

_SETS: Final = (1 << HAND_SIZE) - 1
"""The sets of one to four cards of a hand of four."""

_LEAD, _BEAT, _DISCARD = range(3)

NUM_ACTIONS: Final = 3 * _SETS
"""How many numbers of plays there are."""


@dataclass(frozen=True, slots=True)
class Position:
    """A deal with all cards known, at any moment from before the first card is dealt.

    `match` is the engine's state; `dealt` are the cards that have been dealt, in order (R5).
    """

    match: State
    dealt: Cards = ()

    @classmethod
    def first(cls, options: Options | None = None) -> Position:
        """Before the first card is dealt."""
        return cls(new_match(options or Options()))

    def __deepcopy__(self, _memo: object) -> Position:
        """Nothing in here can change, so a copy is the same object."""
        return self

    @property
    def over(self) -> bool:
        """Whether the deal is played out and scored (R18)."""
        return bool(self.match.results)

    @property
    def turn(self) -> Seat | None:
        """The seat that plays now; None when a card is to be turned up by chance, and at the end."""
        return turn(self.match)

    @property
    def receiver(self) -> Seat | None:
        """The seat that gets the next card (R5, R12); None for the indicator, in play and at the end."""
        if self.match.phase is Phase.DEALING:
            return next_seat(DEALER, 1 + len(self.dealt))
        return next_drawer(self.match)

    @property
    def stock(self) -> Cards:
        """The cards that nobody has got yet: the next one is any of them, each equally likely."""
        gone = {*self.dealt, *(draw.card for draw in self.match.drawn)}
        return tuple(card for card in DECK if card not in gone)

    def hand(self, seat: Seat) -> Cards:
        """What a seat holds now, in the order of the deck."""
        if self.match.phase is Phase.DEALING:
            return tuple(sorted(self.dealt[(seat - DEALER - 1) % 4 :: 4]))
        return tuple(sorted(holding(self.match, seat).known))

    def view(self, seat: Seat | None) -> State:
        """The deal as that seat sees it; None is a spectator. Cards still being dealt are not in it."""
        return player_view(self.match, seat)

    def legal(self) -> list[Play]:
        """The plays of the seat whose turn it is; none at all other moments."""
        return [] if self.turn is None else legal_actions(self.match, self.turn)

    def turned_up(self, card: Card) -> Position:
        """The position after chance has chosen that card; raises `ValueError` if it cannot come now."""
        if card not in self.stock:
            raise ValueError(f"{card} is not in the stock")
        if self.match.phase is Phase.INDICATING:
            return replace(self, match=apply(self.match, Indicate(card)))
        receiver = self.receiver
        if receiver is None:
            raise ValueError("no card is turned up now")
        if self.match.phase is Phase.DRAWING:
            return replace(self, match=apply(self.match, Draw(receiver, card)))
        dealt = replace(self, dealt=(*self.dealt, card))
        if len(dealt.dealt) < HAND_SIZE * len(SEATS):
            return dealt
        first, second, third, fourth = (dealt.hand(seat) for seat in SEATS)
        return replace(dealt, match=apply(self.match, Deal(DEALER, (first, second, third, fourth))))

    def played(self, play: Play) -> Position:
        """The position after a play; raises `engine.IllegalAction` if it is not allowed."""
        return replace(self, match=apply(self.match, play))


def number_of_play(play: Play, hand: Sequence[Card]) -> int:
    """The number of a play, 0 to 44, of a seat that holds this hand in the order of the deck."""
    kind = _BEAT if isinstance(play, Beat) else _DISCARD if isinstance(play, Discard) else _LEAD
    return kind * _SETS + sum(1 << hand.index(card) for card in play.cards or ()) - 1


def play_of_number(position: Position, seat: Seat, number: int) -> Play:
    """The play of that number; raises `ValueError` if it names cards, or answers a lead, that are not there.

    Whether the play is allowed is not looked at.
    """
    hand, trick = position.hand(seat), position.match.trick
    kind, chosen = divmod(number, _SETS)
    chosen += 1
    if trick is None or kind not in range(3) or chosen >> len(hand):
        raise ValueError(f"{number} is no play of seat {seat} here")
    cards = tuple(card for place, card in enumerate(hand) if chosen >> place & 1)
    if kind == _LEAD:
        return Lead(seat, cards) if seat == trick.entitled else Molodka(seat, cards)
    if trick.effective is None:
        raise ValueError(f"{number} answers a lead, and there is none")
    answered = trick.effective.leader
    return Beat(seat, cards, answered) if kind == _BEAT else Discard(seat, len(cards), cards, answered)


def seen_actions(view: State) -> Iterator[Action]:
    """All that an observer of this one deal has seen, in order; of a play that went back also (R14)."""
    if view.dealt is None:
        return
    yield view.dealt
    if view.indicator is not None:
        yield Indicate(view.indicator)
    draws = iter(view.drawn)
    for trick in view.tricks:
        yield from trick.plays()
        assert trick.effective is not None, "finished tricks have a lead"
        yield from islice(draws, len(SEATS) * len(trick.effective.cards))
    if view.trick is not None:
        yield from view.trick.plays()
