"""What a bot is: a class with one method, which sees its seat's view and the legal plays and nothing else."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from engine import Play, Seat, State

__all__ = ["THINK_SECONDS", "Bot"]

THINK_SECONDS: Final = 1.0
"""How long a bot may think before each play unless told otherwise."""


class Bot(ABC):
    """A player that is a program; whoever writes one derives a class from this and gives it `choose`.

    A bot plays one seat. It may keep what it likes between its plays, but whatever it needs to know of the
    match stands in the view, so one that keeps nothing can take any seat over in the middle of a match.
    """

    def __init__(self, rng: random.Random, seconds: float = THINK_SECONDS) -> None:
        """`rng` is the bot's only source of chance. `seconds` is how long each choice may take at most."""
        self.rng = rng
        self.seconds = seconds

    @abstractmethod
    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        """Choose one of the legal plays of this seat, of which there is at least one.

        `view` is the match as :func:`engine.player_view` shows it to `seat`. Asked whenever it is this seat's
        turn to lead or to answer; a claim out of turn (R13) is then among the plays. Called outside the main
        thread.
        """
