"""The simplest bot."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Play, Seat, State
from node.bots.bot import Bot

__all__ = ["RandomBot"]


class RandomBot(Bot):
    """Plays anything: the measure of how much better others are."""

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        """Any legal play, each equally likely."""
        return self.rng.choice(legal)
