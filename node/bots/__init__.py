"""Players that are programs. A bot sees its seat's view and the legal plays, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.actions import Play
from engine.cards import Seat
from engine.state import State
from node.bots.simple import choose_greedy, choose_random

Choose: TypeAlias = "Callable[[State, Seat, Sequence[Play], random.Random], Play]"
"""From the seat's view and its legal plays, never empty, to one of these plays."""

BOTS: dict[str, Choose] = {"random": choose_random, "greedy": choose_greedy}
