"""Small situations written by hand."""

from collections.abc import Sequence

import pytest

from engine import (
    DECK,
    Action,
    Branch,
    Card,
    Cards,
    Discard,
    Hand,
    IllegalAction,
    Options,
    Phase,
    Seat,
    State,
    Suit,
    Trick,
    apply,
    insert,
    parse_action,
    parse_card,
)


def cards(text: str) -> Cards:
    """Cards from text as "6cTd", spaces allowed."""
    text = text.replace(" ", "")
    return tuple(parse_card(text[place : place + 2]) for place in range(0, len(text), 2))


def taken_by(seat: Seat, known: Cards) -> Trick:
    """A finished trick of any number of cards, a multiple of four, that a seat took."""
    share = len(known) // 4
    assert len(known) == 4 * share
    answers = tuple(
        Discard((seat + steps) % 4, share, known[steps * share : (steps + 1) * share], seat)
        for steps in (1, 2, 3)
    )
    return Trick(seat, (Branch(seat, known[:share], False, answers),))


def table(
    hands: Sequence[str],
    *,
    trump: Suit = Suit.HEARTS,
    stock: int = 0,
    entitled: Seat = 0,
    options: Options | None = None,
) -> State:
    """A trick about to begin, all hands known. With an empty stock all other cards are in one trick."""
    first, second, third, fourth = (Hand(known=frozenset(cards(hand))) for hand in hands)
    known = first.known | second.known | third.known | fourth.known
    rest = tuple(card for card in DECK if card not in known)
    return State(
        options or Options(),
        phase=Phase.PLAYING,
        dealer=(entitled - 1) % 4,
        leader=entitled,
        indicator=next(card for card in rest if card.suit == trump),
        hands=(first, second, third, fourth),
        stock=stock,
        trick=Trick(entitled),
        tricks=(taken_by(0, rest),) if stock == 0 else (),
    )


def run(state: State, *lines: str) -> State:
    """The state after the actions written in these lines."""
    for line in lines:
        state = apply(state, parse_action(line))
    return state


def merge(state: State, *lines: str) -> State:
    """The state with the plays written in these lines, which come from elsewhere."""
    for line in lines:
        state = insert(state, parse_action(line))
    return state


def refusal(state: State, action: Action | str) -> IllegalAction:
    """The refusal of an action that must not be allowed."""
    with pytest.raises(IllegalAction) as caught:
        apply(state, parse_action(action) if isinstance(action, str) else action)
    return caught.value


def held(state: State, seat: Seat) -> frozenset[Card]:
    """The cards that a seat had at the start of the trick."""
    return state.hands[seat].known
