"""A bot sees its seat's view and nothing else: where the views are equal, so is what it plays.

Two cards that a seat has not seen change places, from the deal on. The seat cannot tell, so its bot may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from engine import (
    DECK,
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
    Open,
    Play,
    Rank,
    Seat,
    State,
    apply,
    new_match,
)
from node.bots import BOTS, Bot, bot_class
from node.bots.hard import HardBot
from node.bots.medium import MediumBot
from tests.node.positions import Position, counting, sampled

Maker = Callable[[State], Bot]
"""Makes a bot. It is handed all cards, which only a cheat looks at."""


def twin(position: Position, one: Card, two: Card) -> Position:
    """The position that comes about when two cards change places in the shuffled deck."""
    exchanged = {one: two, two: one}

    def swap(cards: Cards) -> Cards:
        return tuple(exchanged.get(card, card) for card in cards)

    state, actions = new_match(position.state.options), []
    for action in position.actions:
        actions.append(_with_cards(action, swap))
        state = apply(state, actions[-1])
    return Position(state, (), tuple(actions), position.seat)


def _with_cards(action: Action, swap: Callable[[Cards], Cards]) -> Action:
    match action:
        case Deal(dealer, hands):
            first, second, third, fourth = (swap(hand or ()) for hand in hands)
            return Deal(dealer, (first, second, third, fourth))
        case Indicate():
            return action  # It is shown to all; where it lies is another matter.
        case Draw(seat, card):
            assert card is not None
            return Draw(seat, *swap((card,)))
        case Lead() | Molodka() | Beat() | Discard() | Open():
            return replace(action, cards=swap(action.cards or ()))


def hidden_pairs(position: Position, rng: Random, count: int) -> Iterator[tuple[Card, Card]]:
    """Pairs of cards that the seat has not seen and that may change places unnoticed."""
    state, shown = position.state, position.shown()
    assert state.dealt is not None
    dealt = {card for hand in state.dealt.hands for card in hand or ()}
    hidden = [card for card in DECK if card not in shown]
    for _ in range(count if len(hidden) > 1 else 0):
        one, two = rng.sample(hidden, 2)
        # The indicator was not dealt, and all know it (R6).
        if state.indicator not in (one, two) or not dealt & {one, two}:
            yield one, two


def twins(seeds: range, share: float, pairs: int = 3) -> Iterator[tuple[Position, Position]]:
    """Positions that differ only in what the seat to play does not see."""
    rng = Random(seeds.start)
    for position in sampled(seeds, share):
        for one, two in hidden_pairs(position, rng, pairs):
            other = twin(position, one, two)
            if position.state != other.state:  # Equal if both cards are in one hand, or both still to come.
                yield position, other


def check_blind(make: Maker, position: Position, other: Position) -> Play:
    """Assert that a bot plays the same in both positions, and return its play."""
    assert position.state != other.state
    assert position.view == other.view
    assert position.legal == other.legal
    first, second = (make(each.state).choose(each.view, each.seat, each.legal) for each in (position, other))
    assert first == second
    assert first in position.legal
    return first


def maker(name: str) -> Maker:
    """Makes the bot of that name, with the same chance each time, and a clock that only counts."""
    kind = bot_class(name)

    def make(_: State) -> Bot:
        return HardBot(Random(7), 1.0, counting()) if kind is HardBot else kind(Random(7))

    return make


@pytest.mark.parametrize("name", [name for name in BOTS if name != "hard"])
def test_bots_play_the_same_where_they_see_the_same(name: str) -> None:
    plays = [check_blind(maker(name), *pair) for pair in twins(range(100, 140), 0.3)]
    assert len(plays) > 400
    assert {type(play) for play in plays} >= {Lead, Beat, Discard}


def test_the_hard_bot_plays_the_same_where_it_sees_the_same() -> None:
    plays = [check_blind(maker("hard"), *pair) for pair in twins(range(200, 230), 0.12, 1)]
    assert len(plays) > 40


@pytest.mark.long
def test_the_hard_bot_plays_the_same_in_many_positions() -> None:
    plays = [check_blind(maker("hard"), *pair) for pair in twins(range(300, 400), 0.3)]
    assert len(plays) > 1000


def test_the_hard_bot_considers_the_same_where_it_sees_the_same() -> None:
    """To the last bit of every figure."""
    for position, other in twins(range(230, 240), 0.05, 1):
        figures = [
            HardBot(Random(7), 1.0, counting()).consider(each.view, each.seat, each.legal)
            for each in (position, other)
        ]
        assert figures[0] == figures[1]


def test_cards_change_places_everywhere() -> None:
    """In hands, in the stock and among the discards; the indicator too."""
    places = set()
    for position, other in twins(range(100, 140), 0.3):
        before, after = position.state, other.state
        places |= {"indicator"} if _holds_indicator(before) != _holds_indicator(after) else set()
        places |= {"hand"} if before.hands != after.hands else set()
        places |= {"discard"} if before.tricks != after.tricks else set()
        places |= {"this trick"} if before.trick != after.trick else set()
        places |= {"stock"} if _held(before) != _held(after) else set()
    assert places == {"indicator", "hand", "discard", "this trick", "stock"}


def _held(state: State) -> frozenset[Card]:
    return frozenset(card for hand in state.hands for card in hand.known)


def _holds_indicator(state: State) -> bool:
    return state.indicator in _held(state)


# That the check can fail


def test_views_differ_where_a_card_that_is_seen_differs() -> None:
    changed = 0
    for position in sampled(range(100, 130), 0.2):
        rng = Random(changed)
        own = [card for card in position.state.hands[position.seat].known if card != position.state.indicator]
        hidden = [card for card in DECK if card not in {*position.shown(), position.state.indicator}]
        held = {card for trick in position.tricks for play in trick.plays() for card in play.cards or ()}
        own = [card for card in own if card not in held]
        if not own or not hidden:
            continue
        other = twin(position, rng.choice(own), rng.choice(hidden))
        assert position.view != other.view
        with pytest.raises(AssertionError):
            check_blind(maker("random"), position, other)
        changed += 1
    assert changed > 100


class Cheat(MediumBot):
    """Has been told all cards, and plays by them."""

    def __init__(self, everything: State) -> None:
        super().__init__(Random(7))
        self._everything = everything

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        others = (card.index for hand in self._everything.hands for card in hand.known)
        return legal[sum(place * index for place, index in enumerate(others)) % len(legal)]


class RareCheat(Cheat):
    """Is content to know whether the next opponent holds the ace of trumps."""

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        known = self._everything.hands[(seat + 1) % 4].known
        if any(card.suit is view.trump and card.rank is Rank.ACE for card in known):
            return legal[-1]
        return MediumBot.choose(self, view, seat, legal)


@pytest.mark.parametrize("cheat", [Cheat, RareCheat])
def test_a_bot_that_knows_all_cards_is_caught(cheat: type[Cheat]) -> None:
    with pytest.raises(AssertionError):
        for pair in twins(range(100, 140), 0.3):
            check_blind(cheat, *pair)
