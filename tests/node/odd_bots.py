"""Bots for tests, named as `tests.node.odd_bots:Class`."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence

from engine import Play, Seat, State
from node.bots import Bot
from node.bots.medium import MediumBot


class First(Bot):
    """Plays the first of the legal plays, so that a game follows from its cards alone."""

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        return legal[0]


class Last(First):
    """Plays the last of the legal plays."""

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        return legal[-1]


class Spy(MediumBot):
    """Plays like the medium bot, and writes down all that it is shown."""

    def __init__(self, rng: random.Random, seconds: float = 1.0) -> None:
        super().__init__(rng, seconds)
        self.seen: list[tuple[State, Seat, Sequence[Play]]] = []

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        self.seen.append((view, seat, legal))
        return super().choose(view, seat, legal)


class CarelessSpy(Spy):
    """Writes down what it is shown, and plays anything."""

    def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        super().choose(view, seat, legal)
        return self.rng.choice(legal)


class Talking(First):
    """Says when it sits down."""

    def __init__(self, rng: random.Random, seconds: float = 1.0) -> None:
        super().__init__(rng, seconds)
        sys.stdout.write("Here I am.\n")  # At once, for two of them may speak at the same time.


class Raising(First):
    """Does not get to the end of its thoughts."""

    def choose(self, _view: State, _seat: Seat, _legal: Sequence[Play]) -> Play:
        raise LookupError("no idea")


class Inventing(First):
    """Plays what is not among the legal plays, though it is like one of them."""

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        return type(legal[0])(3 - legal[0].seat, *(getattr(legal[0], name) for name in _rest(legal[0])))


def _rest(play: Play) -> Sequence[str]:
    return type(play).__match_args__[1:]


class Quitting(First):
    """Takes the program that it plays in down with it."""

    def choose(self, _view: State, _seat: Seat, _legal: Sequence[Play]) -> Play:
        os._exit(3)


class Unborn(First):
    """Can be made once, to see whether it can, and not again."""

    born = 0

    def __init__(self, rng: random.Random, seconds: float = 1.0) -> None:
        Unborn.born += 1
        if Unborn.born > 1:
            raise LookupError("no brain found")
        super().__init__(rng, seconds)
