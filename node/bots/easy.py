"""The bot for beginners, which makes a beginner's mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine import Beat, Discard, Lead, Molodka, Play, Seat, State, Suit, partner_of
from node.bots.bot import Bot

__all__ = ["EasyBot"]

_LAPSE: Final = 0.3
"""How often it makes the mistake that the situation offers."""


class EasyBot(Bot):
    """Leads many and strong cards, beats as cheaply as it can, and throws away what counts least.

    Now and then it overlooks something, as beginners do: its four of a suit, that it could lead or beat with
    several cards, that the trick is its partner's already. It never gives points away that it need not give.
    """

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        """A plausible play, seldom the best."""
        trump = view.trump
        if trump is None or view.trick is None:
            raise ValueError("there is no trick to play to")
        claims = [play for play in legal if isinstance(play, Molodka)]
        if claims and (len(claims) == len(legal) or not self._overlooks()):
            return claims[0]
        leads = [play for play in legal if isinstance(play, Lead)]
        if leads:
            return self._lead(leads, trump)
        best = view.trick.best
        partner_takes = best is not None and best[0] == partner_of(seat)
        beats = [play for play in legal if isinstance(play, Beat)]
        if beats and self._beats(beats, partner_takes=partner_takes):
            return self._best(beats, lambda play: -_strength(play, trump))
        discards = [play for play in legal if isinstance(play, Discard)]
        sign = 1 if partner_takes else -1
        return self._best(discards, lambda play: (sign * _points(play), -_strength(play, trump)))

    def _lead(self, leads: Sequence[Play], trump: Suit) -> Play:
        single = [play for play in leads if len(play.cards or ()) == 1]
        seen = single if single and self._overlooks() else leads
        return self._best(seen, lambda play: (len(play.cards or ()), _strength(play, trump)))

    def _beats(self, beats: Sequence[Play], *, partner_takes: bool) -> bool:
        """Whether it beats, which it should unless the trick is its partner's."""
        if partner_takes:
            return self._overlooks()
        return len(beats[0].cards or ()) == 1 or not self._overlooks()

    def _overlooks(self) -> bool:
        return self.rng.random() < _LAPSE

    def _best(self, plays: Sequence[Play], value: Callable[[Play], Any]) -> Play:
        """The play of highest value, ties broken by chance."""
        highest = max(map(value, plays))
        return self.rng.choice([play for play in plays if value(play) == highest])


def _points(play: Play) -> int:
    return sum(card.points for card in play.cards or ())


def _strength(play: Play, trump: Suit) -> int:
    """What the cards are worth in a fight: ranks, and a whole suit's worth more for each trump."""
    return sum(int(card.rank) + (9 if card.suit is trump else 0) for card in play.cards or ())
