"""Situations at the table for tests of the terminal, and things that stand in for a screen and a match."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import io
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rich.console import Console

from engine import (
    SEATS,
    Deal,
    Indicate,
    Options,
    Play,
    Seat,
    State,
    apply,
    new_match,
    parse_card,
    player_view,
)
from engine.errors import IllegalAction
from engine.legality import check, legal_actions
from engine.notation import parse_action
from engine.state import Phase
from node.terminal.screen import Screen
from node.words.wording import Wording
from protocol.errors import PlayRefused
from protocol.facts import DealFacts
from protocol.verdict import Verdict

NAMES = ("Olga", "Boris", "Vera", "Gleb")
HANDS = ("9cJc7dAs", "TcKc6h8d", "6c7c8cQc", "6s7s8sTs")
"""Seats 2 and 3 hold four of one suit."""


def words(me: Seat = 0, *, symbols: bool = True) -> Wording:
    """What seat `me` reads."""
    return Wording(NAMES, me, symbols)


def dealt(
    hands: Iterable[str] = HANDS, indicator: str = "Qh", dealer: Seat = 3, options: Options | None = None
) -> State:
    """The first deal with these hands; the seat left of the dealer leads."""
    first, second, third, fourth = (
        tuple(parse_card(hand[at : at + 2]) for at in range(0, len(hand), 2)) for hand in hands
    )
    state = apply(new_match(options or Options()), Deal(dealer, (first, second, third, fourth)))
    return apply(state, Indicate(parse_card(indicator)))


def after(state: State, *lines: str) -> State:
    """The state after these plays."""
    for line in lines:
        state = apply(state, parse_action(line))
    return state


def seen(state: State, me: Seat = 0) -> State:
    """What a seat sees of it."""
    return player_view(state, me)


def first_arguments(package: Path, function: str) -> set[str]:
    """Every text that `function` is called with first, anywhere in a package's source."""
    calls = (
        node
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    )
    firsts = (call.args[0] for call in calls if call.args)
    return {
        first.value for first in firsts if isinstance(first, ast.Constant) and isinstance(first.value, str)
    }


class Paper:
    """A screen whose text can be read."""

    def __init__(self, width: int = 80, encoding: str = "utf-8", *, echoed: bool = True) -> None:
        self._bytes = io.BytesIO()
        file = io.TextIOWrapper(self._bytes, encoding=encoding, newline="\n", write_through=True)
        self.screen = Screen(Console(file=file, width=width), echoed=echoed)
        self._encoding = encoding

    @property
    def text(self) -> str:
        """Everything written so far."""
        return self._bytes.getvalue().decode(self._encoding)


class Felt:
    """Stands in for a live table: full knowledge inside, one seat's view outside, no cryptography."""

    def __init__(self, state: State, seat: Seat = 0) -> None:
        self.full = state
        self.seat = seat
        self.names = NAMES
        self.peers = {other: bytes([other]) for other in SEATS if other != seat}
        self.ready = True
        self.absent: frozenset[Seat] = frozenset()
        self.losable: tuple[Seat, ...] = ()
        self.unheard: frozenset[Seat] = frozenset()
        self.declared: list[Seat] = []
        self.verdict: Verdict | None = None
        self.ended = False
        self.played: list[Play] = []
        self.match = quiet_match()
        self._changed = asyncio.Event()

    @property
    def table(self) -> Any:
        """What is asked of the table itself."""
        return SimpleNamespace(
            finished=self.ended or self.verdict is not None,
            verdict=self.verdict,
            match=self.match,
            match_id=bytes(range(32)),
            state=self.state,
            may_declare_lost=self.losable,
            unheard=self.unheard,
            genesis=SimpleNamespace(grace=90, table="Dacha", for_show=False),
        )

    @property
    def state(self) -> State:
        """The seat's view."""
        return player_view(self.full, self.seat)

    def legal(self) -> list[Play]:
        """What the seat may play."""
        return legal_actions(self.state, self.seat) if self.ready else []

    def play(self, action: Play) -> None:
        """Refuse exactly as a table does, or play."""
        try:
            check(self.state, action)
        except IllegalAction as error:
            raise PlayRefused(error.code, str(error)) from error
        if not self.ready:
            raise PlayRefused("seat-lost", "a seat is lost")
        self.played.append(action)
        self.full = apply(self.full, action)
        self._changed.set()

    def declare_lost(self, seat: Seat) -> None:
        """This seat says that another is gone."""
        self.declared.append(seat)

    def happen(self, *lines: str) -> None:
        """Others play."""
        self.full = after(self.full, *lines)
        self._changed.set()

    def end(self, verdict: Verdict | None = None) -> None:
        """Nothing more will happen."""
        self.ended, self.verdict = True, verdict
        self._changed.set()

    async def change_within(self, seconds: float) -> None:
        """Wait for a change, but no longer than so."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.next_change()

    async def next_change(self) -> None:
        """Wait for a change."""
        self._changed.clear()
        await self._changed.wait()


def _quiet_deal() -> DealFacts:
    running: Any = SimpleNamespace(finished_by=None, draws=(), plays=())
    state: Any = SimpleNamespace(phase=Phase.PLAYING)
    return DealFacts(0, 0, state=state, tricks=[running])


def quiet_match() -> Any:
    """What the protocol knows of a match in which a play is awaited."""
    done = [object()] * 4
    return SimpleNamespace(
        accepted=list(done),
        coin_commits=list(done),
        coin_reveals=list(done),
        finals=[None] * 4,
        over=False,
        finished=[],
        genesis=SimpleNamespace(standing=None),
        current_number=0,
        current=_quiet_deal(),
        find_deal=lambda _number: None,
    )
