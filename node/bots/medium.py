"""The bot of middling strength: rules of thumb, without a look ahead."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from engine import Lead, Molodka, Play, Seat, State, team_of
from engine.quick import BEAT, DISCARD, OPEN, Move
from node.bots.bot import Bot
from node.bots.knowledge import Knowledge, know
from node.bots.moves import move_of
from node.bots.thumb import Thumb, pot_of
from node.bots.thumb_weights import BY_HAND

__all__ = ["MediumBot"]

_THUMB: Final = Thumb(BY_HAND)
_ALIKE: Final = 2.0
"""Plays within so many card points of the best seem as good to it."""


class MediumBot(Bot):
    """Weighs the points in the trick, the chance to take it, and what its cards would be worth later.

    It claims whenever it can (R13), does not overtake its partner for nothing, and gives points to a trick
    that its partner is likely to take. It does not count cards, and takes any of the plays that seem about as
    good as the best, so that nobody can tell in advance what it will do.
    """

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        """A play that seems to be worth most."""
        opened = view.trick is not None and view.trick.effective is not None
        fours = (play for play in legal if isinstance(play, Molodka) or (opened and isinstance(play, Lead)))
        claim = next(fours, None)  # A lead that outdoes somebody's claim is one of four, too (R15).
        if claim is not None:
            return claim
        knowledge = know(view, seat)
        lead = any(isinstance(play, Lead) for play in legal)
        worth = _leads(knowledge) if lead else _answers(knowledge)
        values = [worth.get(move_of(play), -inf) for play in legal]
        best = max(values) - _ALIKE
        return self.rng.choice([play for play, value in zip(legal, values, strict=True) if value >= best])


def _leads(knowledge: Knowledge) -> dict[Move, float]:
    valued = _THUMB.leads(knowledge.hand, knowledge.trump, knowledge.stock > 0)
    return {lead | OPEN: value for lead, value in valued}


def _answers(knowledge: Knowledge) -> dict[Move, float]:
    current = knowledge.current
    taker, best = current.best
    friend = team_of(taker) == team_of(knowledge.seat)
    after = len(current.cards) - 1 - len(current.order)
    pot = pot_of(best | current.cards[current.order[0]])
    given = _THUMB.answers(knowledge.hand, best, knowledge.trump, friend, after, pot, knowledge.stock > 0)
    worth = {thrown | DISCARD: value for thrown, value in given.discards(current.count)}
    if friend and not after:
        return worth  # Whoever beats here only takes from the partner what the team has already.
    return worth | {new | BEAT: value for new, value in given.beats}
