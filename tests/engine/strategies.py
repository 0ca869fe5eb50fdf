"""Matches for tests: simple players, seeded matches with full knowledge, and Hypothesis strategies.

A seed always gives the same match. A seat that may lead out of turn does so with the probability `eagerness`
each time somebody else is about to play.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from engine import (
    DECK,
    SEATS,
    STOCK_SIZE,
    Action,
    Beat,
    Card,
    Cards,
    Deal,
    Discard,
    Draw,
    Eggs,
    Indicate,
    Lead,
    Molodka,
    MolodkaRule,
    Open,
    Options,
    Phase,
    Play,
    Seat,
    State,
    Suit,
    apply,
    legal_actions,
    may_claim,
    new_match,
    next_drawer,
    next_seat,
    partner_of,
    turn,
)

Policy: TypeAlias = Callable[[Random, State, Seat], Play]


def random_play(rng: Random, state: State, seat: Seat) -> Play:
    """Any legal play."""
    return rng.choice(legal_actions(state, seat))


def coin_play(rng: Random, state: State, seat: Seat) -> Play:
    """Any lead; a seat that can beat tosses a coin whether to beat or to discard, with any cards."""
    return _any_of_a_kind(rng, legal_actions(state, seat), beating=rng.random() < 0.5)


def eager_play(rng: Random, state: State, seat: Seat) -> Play:
    """Any lead; a seat that can beat does so with any cards that do."""
    return _any_of_a_kind(rng, legal_actions(state, seat), beating=True)


def _any_of_a_kind(rng: Random, plays: Sequence[Play], *, beating: bool) -> Play:
    beats = [play for play in plays if isinstance(play, Beat)]
    others = [play for play in plays if not isinstance(play, Beat)]
    return rng.choice(beats if beats and beating else others)


def greedy_play(rng: Random, state: State, seat: Seat) -> Play:
    """Lead as many cards as possible, beat opponents whenever possible, give points to the partner."""
    plays = legal_actions(state, seat)
    assert state.trick is not None
    best = state.trick.best
    if best is None:
        return max(plays, key=lambda play: (len(play.cards or ()), _strength(state, play)))
    partner_has_it = best[0] == partner_of(seat)
    beats = [play for play in plays if isinstance(play, Beat)]
    if beats and not partner_has_it:
        return min(beats, key=lambda play: _strength(state, play))
    discards = [play for play in plays if isinstance(play, Discard)]
    return (max if partner_has_it else min)(
        discards, key=lambda play: (_points(play), _strength(state, play))
    )


def _points(play: Play) -> int:
    return sum(card.points for card in play.cards or ())


def _strength(state: State, play: Play) -> int:
    return sum(card.rank + 9 * (card.suit == state.trump) for card in play.cards or ())


def shuffled(rng: Random) -> Cards:
    """The deck in a random order."""
    deck = list(DECK)
    rng.shuffle(deck)
    return tuple(deck)


def deck_with_fours(rng: Random, seats: Sequence[Seat]) -> Cards:
    """A deck whose first sixteen cards, four for each seat, give these seats four of one suit."""
    left = list(shuffled(rng))
    hands: dict[Seat, Cards] = {}
    for seat in seats:
        suits = [suit for suit in Suit if sum(card.suit == suit for card in left) >= 4]
        suit = rng.choice(suits)
        hands[seat] = tuple(card for card in left if card.suit == suit)[:4]
        left = [card for card in left if card not in hands[seat]]
    for seat in SEATS:
        if seat not in hands:
            hands[seat] = tuple(left[:4])
            left = left[4:]
    return tuple(card for seat in SEATS for card in hands[seat]) + tuple(left)


class Player:
    """Plays a match with full knowledge and writes down its actions."""

    def __init__(
        self,
        rng: Random,
        options: Options,
        policy: Policy,
        first_leader: Seat | None = None,
        eagerness: float = 0.5,
    ) -> None:
        self.rng = rng
        self.policy = policy
        self.eagerness = eagerness
        self.state = new_match(options, first_leader)
        self.actions: list[Action] = []
        self.stock: list[Card] = []

    def do(self, action: Action) -> None:
        """Apply one action."""
        self.state = apply(self.state, action)
        self.actions.append(action)

    def deal(self, deck: Cards | None = None, dealer: Seat | None = None) -> None:
        """Deal a deck, four cards for each seat and then the stock, and show a random indicator."""
        deck = shuffled(self.rng) if deck is None else deck
        if self.state.dealer is not None:
            dealer = next_seat(self.state.dealer)
        first, second, third, fourth = (deck[4 * seat : 4 * seat + 4] for seat in SEATS)
        self.do(Deal(self.rng.choice(SEATS) if dealer is None else dealer, (first, second, third, fourth)))
        self.stock = list(deck[-STOCK_SIZE:])
        self.do(Indicate(self.rng.choice(self.stock)))

    def step(self) -> None:
        """One draw, one claim, or one ordinary play."""
        drawer = next_drawer(self.state)
        if drawer is not None:
            self.do(Draw(drawer, self.stock.pop(0)))
            return
        awaited = turn(self.state)
        assert awaited is not None
        claims = [seat for seat in SEATS if seat != awaited and may_claim(self.state, seat)]
        if claims and self.rng.random() < self.eagerness:
            seat = self.rng.choice(claims)
            self.do(
                next(play for play in legal_actions(self.state, seat) if isinstance(play, (Lead, Molodka)))
            )
        else:
            self.do(self.policy(self.rng, self.state, awaited))

    def finish_deal(self) -> None:
        """Play on to the end of the deal."""
        while self.state.phase in (Phase.PLAYING, Phase.DRAWING):
            self.step()

    def play_match(self, deals: int | None = None) -> None:
        """Play whole deals until the match is over, or that many of them."""
        while self.state.phase is not Phase.MATCH_OVER and deals != 0:
            self.deal()
            self.finish_deal()
            deals = None if deals is None else deals - 1


def random_match(
    seed: int,
    options: Options | None = None,
    policy: Policy = random_play,
    deals: int | None = None,
    first_leader: Seat | None = None,
) -> list[Action]:
    """The actions of a seeded match with full knowledge: whole, or its first `deals` deals."""
    player = Player(Random(seed), options or Options(), policy, first_leader)
    player.play_match(deals)
    return player.actions


def states_of(
    options: Options, actions: Sequence[Action], first_leader: Seat | None = None
) -> Iterator[State]:
    """The states before each action and after the last."""
    state = new_match(options, first_leader)
    yield state
    for action in actions:
        state = apply(state, action)
        yield state


seats = st.sampled_from(SEATS)
cards = st.sampled_from(DECK)
options = st.builds(
    Options,
    target=st.sampled_from((6, 12, 24)),
    eggs=st.sampled_from(Eggs),
    molodka=st.sampled_from(MolodkaRule),
)
policies = st.sampled_from((random_play, coin_play, eager_play, greedy_play))


def sets_of_cards(smallest: int = 1, largest: int = 4) -> st.SearchStrategy[Cards]:
    """Tuples of different cards."""
    return st.lists(cards, min_size=smallest, max_size=largest, unique=True).map(tuple)


def _discard(seat: Seat, known: Cards, hidden: bool, on: Seat) -> Discard:
    return Discard(seat, len(known), None if hidden else known, on)


_hands = st.one_of(st.none(), sets_of_cards(4, 4))
plays: st.SearchStrategy[Play] = st.one_of(
    st.builds(Lead, seats, sets_of_cards()),
    st.builds(Molodka, seats, sets_of_cards()),
    st.builds(Beat, seats, sets_of_cards(), seats),
    st.builds(_discard, seats, sets_of_cards(), st.booleans(), seats),
)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Deal, seats, st.tuples(_hands, _hands, _hands, _hands)),
    st.builds(Indicate, cards),
    plays,
    st.builds(Draw, seats, st.one_of(st.none(), cards)),
    st.builds(Open, seats, st.integers(0, 20), sets_of_cards()),
)


@st.composite
def positions(draw: st.DrawFn, most_steps: int = 60, phase: Phase | None = None) -> State:
    """A state with full knowledge from somewhere in a deal, often where four of a suit are held.

    With a phase, the deal goes on until that phase comes; `most_steps` must leave room for it.
    """
    player = Player(Random(draw(st.integers(0, 2**32))), draw(options), draw(policies))
    fours = draw(st.lists(seats, max_size=4, unique=True))
    player.deal(deck_with_fours(player.rng, fours))
    for _ in range(draw(st.integers(0, most_steps))):
        if player.state.phase not in (Phase.PLAYING, Phase.DRAWING):
            break
        player.step()
    while phase not in (None, player.state.phase):
        player.step()
    return player.state
