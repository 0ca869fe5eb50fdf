"""The strong bot: it thinks about where the hidden cards may be, and looks ahead."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from engine import Play, Seat, State, team_of
from engine.quick import Move
from node.bots.advice import Considered
from node.bots.bot import THINK_SECONDS, Bot
from node.bots.equity import Stakes
from node.bots.knowledge import know
from node.bots.moves import move_of
from node.bots.search import Search

__all__ = ["HardBot"]


class HardBot(Bot):
    """Samples the hidden cards, weighs the samples by how the others have played, and tries every play."""

    def __init__(
        self,
        rng: random.Random,
        seconds: float = THINK_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` tells the time in seconds; one that counts makes the choices repeatable."""
        super().__init__(rng, seconds)
        self._clock = clock

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        """The play with the best chance to win the match."""
        if len(legal) == 1:
            return legal[0]
        search, plays = self._search(view, seat, legal, narrowing=True)
        return plays[search.best()]

    def consider(self, view: State, seat: Seat, legal: Sequence[Play]) -> list[Considered]:
        """What comes of each legal play, the best first."""
        search, plays = self._search(view, seat, legal, narrowing=False)
        now = Stakes.of(view, team_of(seat)).now
        return [
            Considered(
                plays[move],
                value=figures.chance / figures.weight - now,
                defeat_points=figures.defeat_points / figures.weight,
                points=figures.points / figures.weight,
                takes=figures.takes / figures.weight,
                worlds=search.worlds,
            )
            for move in sorted(search.moves, key=search.score, reverse=True)
            for figures in [search.figures[move]]
        ]

    def _search(
        self, view: State, seat: Seat, legal: Sequence[Play], *, narrowing: bool
    ) -> tuple[Search, dict[Move, Play]]:
        """Look ahead until the time is up, but once at least; `narrowing` leaves poor plays aside soon."""
        end = self._clock() + self.seconds
        plays = {move_of(play): play for play in legal}
        search = Search(know(view, seat), list(plays), Stakes.of(view, team_of(seat)), self.rng)
        while not search.worlds or self._clock() < end:
            search.look()
            if narrowing:
                search.narrow()
                if len(search.moves) == 1:
                    break
        return search, plays
