"""Positions of seeded deals for tests of bots: what one seat sees, and beside it what is really there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from engine import (
    SEATS,
    Action,
    Card,
    Discard,
    Lead,
    Options,
    Phase,
    Play,
    Seat,
    State,
    Trick,
    legal_actions,
    partner_of,
    player_view,
    turn,
)
from engine.bits import mask_of
from node.bots.hard import HardBot
from node.bots.medium import MediumBot
from node.bots.worlds import World
from tests.engine.strategies import (
    Player,
    Policy,
    coin_play,
    deck_with_fours,
    eager_play,
    greedy_play,
    random_play,
)


def medium_play(rng: Random, state: State, seat: Seat) -> Play:
    """What the medium bot plays."""
    view = player_view(state, seat)
    return MediumBot(rng).choose(view, seat, legal_actions(view, seat))


def blind_play(rng: Random, state: State, seat: Seat) -> Play:
    """Lead a card or throw some away, whatever they are: plays that tell nothing of the cards."""
    plays = legal_actions(state, seat)
    return rng.choice([play for play in plays if _is_blind(play)])


def _is_blind(play: Play) -> bool:
    return isinstance(play, Discard) or (isinstance(play, Lead) and len(play.cards) == 1)


POLICIES: tuple[Policy, ...] = (random_play, coin_play, eager_play, greedy_play, medium_play)


@dataclass(frozen=True)
class Position:
    """A seat is to play. `state` knows all cards; `stock` are those to come, the next one first."""

    state: State
    stock: tuple[int, ...]
    actions: tuple[Action, ...]
    seat: Seat

    @cached_property
    def view(self) -> State:
        """What the seat sees."""
        return player_view(self.state, self.seat)

    @cached_property
    def legal(self) -> Sequence[Play]:
        """What the seat may play."""
        return legal_actions(self.view, self.seat)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks of the deal with all cards, the current one last."""
        assert self.state.trick is not None
        return (*self.state.tricks, self.state.trick)

    def shown(self) -> frozenset[Card]:
        """All cards of this deal that the seat has seen, on the table or in its own hand."""
        seen = set(self.state.hands[self.seat].known)
        for trick in self.tricks:
            for play in trick.plays():
                if play.seat == self.seat or not isinstance(play, Discard):
                    seen |= set(play.cards or ())
        return frozenset(seen)

    @property
    def partner_takes(self) -> bool:
        """Whether the best set so far is the partner's."""
        best = self.tricks[-1].best
        return best is not None and best[0] == partner_of(self.seat)

    @property
    def is_last(self) -> bool:
        """Whether nobody plays after this seat."""
        branch = self.tricks[-1].effective
        return branch is not None and len(branch.answers) == 2

    def truth(self) -> World:
        """The world as it is."""
        first, second, third, fourth = (mask_of(hand.known) for hand in self.state.hands)
        discards = {
            (number, play.seat): mask_of(play.cards or ())
            for number, trick in enumerate(self.tricks)
            for play in (trick.effective.plays() if trick.effective is not None else ())
            if isinstance(play, Discard) and play.seat != self.seat
        }
        return World((first, second, third, fourth), discards, self.stock[::-1])


def visited(
    seed: int,
    policy: Policy | None = None,
    *,
    fours: float = 0.4,
    eagerness: float | None = None,
    options: Options | None = None,
    deals: int = 1,
) -> Iterator[Position]:
    """Each position of a seeded match in which somebody is to play.

    Each seat has four of a suit with the chance `fours`, and claims it with the chance `eagerness` each time
    another seat is to play. What is left open follows from the seed.
    """
    rng = Random(seed)
    player = Player(
        rng,
        options or Options(),
        policy or rng.choice(POLICIES),
        eagerness=rng.choice((0.2, 0.6, 1)) if eagerness is None else eagerness,
    )
    for _ in range(deals):
        if player.state.phase is Phase.MATCH_OVER:
            return
        player.deal(deck_with_fours(rng, [seat for seat in SEATS if rng.random() < fours]))
        while player.state.phase in (Phase.PLAYING, Phase.DRAWING):
            seat = turn(player.state)
            if seat is not None:
                stock = tuple(mask_of((card,)) for card in player.stock)
                yield Position(player.state, stock, tuple(player.actions), seat)
            player.step()


def sampled(seeds: range, share: float, **how: object) -> Iterator[Position]:
    """Some of the positions of many deals, chosen by chance."""
    for seed in seeds:
        rng = random.Random(f"sample {seed}")
        for position in visited(seed, **how):  # type: ignore[arg-type]
            if rng.random() < share:
                yield position


def all_positions(seeds: range = range(60)) -> Iterator[Position]:
    """All positions of many deals."""
    for seed in seeds:
        yield from visited(seed)


def sizes(world: World) -> tuple[list[int], dict[tuple[int, Seat], int], int]:
    """How many cards lie where."""
    return (
        [hand.bit_count() for hand in world.hands],
        {place: cards.bit_count() for place, cards in world.discards.items()},
        len(world.stock),
    )


def counting(step: float = 1.0) -> Callable[[], float]:
    """A clock on which so many seconds pass each time that it is asked."""
    told = 0.0

    def clock() -> float:
        nonlocal told
        told += step
        return told - step

    return clock


class SteadyHard(HardBot):
    """The hard bot with a clock that only counts, so that what it plays does not depend on the machine."""

    def __init__(self, rng: Random, _seconds: float = 1.0) -> None:
        super().__init__(rng, 4.0, counting())
