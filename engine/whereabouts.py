"""What an observer can tell about where a card may and may not be, when it does not see every hand.

A card belongs to one seat from the moment it is dealt or drawn to the end of the deal. So a card that a seat
has shown, or was seen to be dealt, can never turn up with another one, nor in the stock.
"""

from collections.abc import Iterator
from itertools import pairwise

from engine.actions import Play
from engine.cards import SEATS, Card, Cards, Seat
from engine.errors import IllegalAction
from engine.scoring import played_cards
from engine.state import STOCK_SIZE, State


def all_plays(state: State) -> Iterator[Play]:
    """Every play of this deal, those that went back included."""
    for trick in state.tricks:
        yield from trick.plays()
    if state.trick is not None:
        yield from state.trick.plays()


def owners(state: State) -> dict[Card, Seat]:
    """The seat that each card belongs to, of those cards of this deal for which the observer knows it."""
    found: dict[Card, Seat] = {}
    for seat in SEATS:
        dealt = None if state.dealt is None else state.dealt.hands[seat]
        found.update(dict.fromkeys((*(dealt or ()), *state.hands[seat].known), seat))
    found.update((draw.card, draw.seat) for draw in state.drawn if draw.card is not None)
    for play in all_plays(state):
        found.update(dict.fromkeys(play.cards or (), play.seat))
    return found


def check_distinct(cards: Cards) -> None:
    """Raise `IllegalAction` when a card is named twice (R2)."""
    for first, second in pairwise(cards):
        if first == second:
            raise IllegalAction("repeated-card", card=str(first))


def check_may_be_from(state: State, seat: Seat, cards: Cards) -> None:
    """Raise `IllegalAction` when one of these cards cannot be that seat's, or was played before."""
    belongs, played = owners(state), {card for trick in state.tricks for card in played_cards(trick)}
    for card in cards:
        if card in played:
            raise IllegalAction("already-played", card=str(card))
        if belongs.get(card, seat) != seat:
            raise IllegalAction("held-elsewhere", card=str(card), holder=belongs[card])


def check_held(state: State, seat: Seat, cards: Cards) -> None:
    """Raise `IllegalAction` unless, for all this observer knows, that seat holds these cards now."""
    check_distinct(cards)
    hand = state.hands[seat]
    hidden = tuple(card for card in cards if card not in hand.known)
    if not hidden:
        return
    check_may_be_from(state, seat, hidden)
    if len(hidden) > hand.unknown:
        raise IllegalAction("card-not-held", seat=seat, card=str(hidden[0]))
    # The indicator goes back into the stock, so nobody holds it before the first draw (R6).
    if state.stock == STOCK_SIZE and state.indicator in hidden:
        raise IllegalAction("in-stock", card=str(state.indicator))


def check_from_stock(state: State, card: Card) -> None:
    """Raise `IllegalAction` when this card cannot come from the stock now."""
    holder = owners(state).get(card)
    if holder is not None:
        raise IllegalAction("held-elsewhere", card=str(card), holder=holder)


def check_discarded(state: State, seat: Seat, trick: int, cards: Cards) -> None:
    """Raise `IllegalAction` when that seat cannot have discarded these cards in that trick of the deal."""
    check_distinct(cards)
    check_may_be_from(state, seat, cards)
    if trick == 0 and state.indicator in cards:
        raise IllegalAction("in-stock", card=str(state.indicator))
    shown_later = {
        card
        for later in state.tricks[trick + 1 :]
        for play in later.plays()
        if play.seat == seat
        for card in play.cards or ()
    }
    for card in cards:
        if card in shown_later:
            raise IllegalAction("shown-later", seat=seat, card=str(card))
