"""Games between four bots, from a seed, without network or cryptography.

Two games with equal :class:`Shuffles` have the same dealers, hands, indicators and order of the stock, deal
by deal, whoever sits where: so two teams can play the same cards from either side. But for the clock that
says how long the bots think, a game follows from its shuffles and from what its bots choose.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import (
    DECK,
    SEATS,
    STOCK_SIZE,
    Card,
    Cards,
    Deal,
    Draw,
    Indicate,
    Options,
    Phase,
    Play,
    Seat,
    State,
    apply,
    distance,
    legal_actions,
    new_match,
    next_drawer,
    next_seat,
    player_view,
    turn,
)
from node.bots.bot import Bot
from node.bots.checked import checked_choice

__all__ = ["NO_THOUGHT", "Played", "Shuffle", "Shuffles", "Thinking", "play_deal", "play_match"]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The cards of one deal: 16 in the order in which they are dealt (R5), the indicator, which is one of
    the stock, and the 20 of the stock from the top, as they lie after it was shuffled again (R6).
    """

    dealt: Cards
    indicator: Card
    stock: Cards

    def hand(self, dealer: Seat, seat: Seat) -> Cards:
        """What a seat is dealt: every fourth card, the seat left of the dealer beginning (R5)."""
        return self.dealt[distance(next_seat(dealer), seat) :: len(SEATS)]


@dataclass(frozen=True, slots=True)
class Shuffles:
    """All that is left to chance in a game but for the bots' own: the same for the same seed and number."""

    seed: str
    number: int

    @property
    def dealer(self) -> Seat:
        """Who deals first (R4)."""
        return self._rng("dealer").choice(SEATS)

    def of_deal(self, deal: int) -> Shuffle:
        """The cards of a deal, counted from 0: the same whatever happened in those before."""
        rng = self._rng(f"deal {deal}")
        deck = rng.sample(DECK, len(DECK))
        dealt, stock = deck[:-STOCK_SIZE], deck[-STOCK_SIZE:]
        indicator = rng.choice(stock)
        rng.shuffle(stock)
        return Shuffle(tuple(dealt), indicator, tuple(stock))

    def _rng(self, purpose: str) -> random.Random:
        return random.Random(f"{self.seed}/{self.number}/{purpose}")


@dataclass(frozen=True, slots=True)
class Thinking:
    """How many plays a bot has made, how many seconds it took for all and for the longest of them."""

    plays: int
    seconds: float
    longest: float

    def __add__(self, other: Thinking) -> Thinking:
        return Thinking(
            self.plays + other.plays, self.seconds + other.seconds, max(self.longest, other.longest)
        )


NO_THOUGHT: Final = Thinking(0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: defeat points by team, number of deals, and the bots' thinking by seat."""

    defeat_points: tuple[int, int]
    deals: int
    thinking: tuple[Thinking, ...]


def play_deal(bots: Sequence[Bot], shuffles: Shuffles, options: Options) -> Played:
    """The first deal of a match, which stands for itself; raises BotFailed. `bots` are four, by seat."""
    table = _Table(bots, shuffles, options)
    table.play_deal()
    return table.played()


def play_match(bots: Sequence[Bot], shuffles: Shuffles, options: Options) -> Played:
    """A match from its first deal to its goat (R21); raises BotFailed. `bots` are four, by seat."""
    table = _Table(bots, shuffles, options)
    while table.state.phase is not Phase.MATCH_OVER:
        table.play_deal()
    return table.played()


class _Table:
    """A game that is being played: the state knows all cards, and each bot is shown its own view."""

    def __init__(self, bots: Sequence[Bot], shuffles: Shuffles, options: Options) -> None:
        self.state: State = new_match(options)
        self._bots = bots
        self._shuffles = shuffles
        self._thinking = [NO_THOUGHT for _ in SEATS]

    def played(self) -> Played:
        return Played(self.state.score, len(self.state.results), tuple(self._thinking))

    def play_deal(self) -> None:
        stock = iter(self._deal())
        while self.state.phase in (Phase.PLAYING, Phase.DRAWING):
            drawer, awaited = next_drawer(self.state), turn(self.state)
            if drawer is not None:
                self.state = apply(self.state, Draw(drawer, next(stock)))
            elif awaited is not None:
                self.state = apply(self.state, self._choice(awaited))

    def _deal(self) -> Cards:
        """Deal, show the indicator, and return the stock."""
        before = self.state.dealer
        dealer = self._shuffles.dealer if before is None else next_seat(before)
        shuffle = self._shuffles.of_deal(len(self.state.results))
        first, second, third, fourth = (shuffle.hand(dealer, seat) for seat in SEATS)
        self.state = apply(self.state, Deal(dealer, (first, second, third, fourth)))
        self.state = apply(self.state, Indicate(shuffle.indicator))
        return shuffle.stock

    def _choice(self, seat: Seat) -> Play:
        view = player_view(self.state, seat)
        legal = legal_actions(view, seat)
        began = time.perf_counter()
        play = checked_choice(self._bots[seat], view, seat, legal)
        seconds = time.perf_counter() - began
        self._thinking[seat] += Thinking(1, seconds, seconds)
        return play
