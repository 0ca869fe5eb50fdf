"""INVARIANT: whatever a person types, the program answers in words, plays what is legal, or leaves politely.

Nothing but PersonLeft comes out of a sitting, nothing that is not printable gets to the screen, and what is
played is legal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, cast

from engine import Seat, State
from node.live import LiveTable
from node.terminal.inbox import Inbox
from node.terminal.leaving import PersonLeft
from node.terminal.person import Person
from node.terminal.typed import parse_typed
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import mutate_bytes
from tests.node.terminal_tables import Felt, Paper, after, dealt

_WORDS: Final = (
    *(
        "hand",
        "score",
        "last",
        "table",
        "help",
        "?",
        "m",
        "molodka",
        "lead",
        "l",
        "beat",
        "b",
        "discard",
        "d",
    ),
    *("1", "2", "3", "10", "15", "99", "999", "1000", "0", "-1", "٣", "²", "1e3", "quit", "exit", ""),
    *(
        "9c",
        "jc",
        "7d",
        "as",
        "10♣",
        "T♥",
        "6s7s8sTs",
        "9♣ J♣",
        "9c,jc",
        "ac",
        "10c",
        "1 0 c",
        "{x}",
        "[red]x",
    ),
)


@dataclass(frozen=True)
class Given:
    """Lines typed by a seat in some situation."""

    situation: int
    seat: Seat
    lines: tuple[str, ...]


@cache
def situations() -> tuple[State, ...]:
    """Before a lead, with a lead to beat, and after a molodka."""
    start = dealt()
    return start, after(start, "lead 0 9c"), after(start, "molodka 2 6c7c8cQc"), after(start, "lead 0 9cJc")


class Typed:
    """`parse_typed` and everything that the terminal does with it."""

    name = "typed"
    refusals: ClassVar[Mapping[str, str]] = {"left": "the person has typed quit, or the input has ended"}

    def draw(self, rng: Random) -> Given:
        """A few lines."""
        lines = tuple(_line(rng) for _ in range(rng.choice((1, 1, 2, 5))))
        return Given(rng.randrange(len(situations())), rng.randrange(4), lines)

    def feed(self, given: Given) -> Iterator[str]:
        """Type them, one after another, and then end the input."""
        for line in given.lines:
            parse_typed(line)
        paper, felt = Paper(), Felt(situations()[given.situation], given.seat)
        yield asyncio.run(_sit(given, paper, felt))
        written = paper.text.replace("\n", " ").replace("\r", " ")
        assert written.isprintable(), f"not printable: {written!r}"
        yield from [ACCEPTED] * len(felt.played)


async def _sit(given: Given, paper: Paper, felt: Felt) -> str:
    inbox = Inbox()
    for line in given.lines:
        inbox.put_line(line)
    inbox.end()
    try:
        await Person(paper.screen, inbox).play(cast(LiveTable, cast(Any, felt)))
    except PersonLeft:
        return "left"
    return ACCEPTED


def _line(rng: Random) -> str:
    way = rng.random()
    words = [rng.choice(_WORDS) for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 6)))]
    line = rng.choice((" ", " ", "", "\t", ", ")).join(words)
    if way < 0.6:
        return line
    if way < 0.9:
        return mutate_bytes(rng, line.encode()).decode("utf-8", "replace")
    ranges = (range(128), range(0xD800), range(0xE000, 0x110000))
    return "".join(chr(rng.choice(rng.choice(ranges))) for _ in range(rng.randrange(40)))
