"""Two simple bots: one plays anything, the other takes what it can get cheaply."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from engine.actions import Beat, Discard, Lead, Molodka, Play
from engine.cards import Card, Seat, Suit, partner_of
from engine.state import State
from node.bots.bot import Bot


class RandomBot(Bot):
    """Plays anything: the measure of how much better others are."""

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        """Any legal play, each equally likely."""
        return self.rng.choice(legal)


class MediumBot(Bot):
    """Plays by rules of thumb."""

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        """Claim when possible, lead many and strong cards, beat as cheaply as can be, throw away as little.

        It does not overtake its partner, and gives points to a partner who is taking the trick.
        """
        trump, rng = view.trump, self.rng
        if trump is None or view.trick is None:
            raise ValueError("there is no trick to play to")
        claims = [play for play in legal if isinstance(play, Molodka)]
        leads = [play for play in legal if isinstance(play, Lead)]
        if claims or leads:
            return _best(claims or leads, lambda play: (len(play.cards or ()), _strength(play, trump)), rng)
        best = view.trick.best
        partner_takes = best is not None and best[0] == partner_of(seat)
        beats = [play for play in legal if isinstance(play, Beat)]
        if beats and not partner_takes:
            return _best(beats, lambda play: -_strength(play, trump), rng)
        discards = [play for play in legal if isinstance(play, Discard)]
        if partner_takes:
            return _best(discards, lambda play: (_points(play), -_strength(play, trump)), rng)
        return _best(discards, lambda play: (-_points(play), -_strength(play, trump)), rng)


def _best(plays: Sequence[Play], value: Callable[[Play], Any], rng: random.Random) -> Play:
    """The play of highest value, ties broken by chance."""
    scored = [(value(play), play) for play in plays]
    highest = max(score for score, _ in scored)
    return rng.choice([play for score, play in scored if score == highest])


def _cards(play: Play) -> tuple[Card, ...]:
    return play.cards or ()


def _points(play: Play) -> int:
    return sum(card.points for card in _cards(play))


def _strength(play: Play, trump: Suit) -> int:
    """What the cards are worth in a fight: ranks, and a whole suit's worth more for each trump."""
    return sum(int(card.rank) + (9 if card.suit is trump else 0) for card in _cards(play))
