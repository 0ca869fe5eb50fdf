"""Stepping through a replay in a terminal: a picture, a line that is typed, the next picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from rich.console import Console
from rich.text import Text

from node.i18n import tr
from node.replaying.course import Course, Position
from node.replaying.orders import Jump, Order, Typed, Unclear, help_lines, parse_order
from node.replaying.picture import picture_lines
from node.replaying.sheet import deal_lines
from node.replaying.story import Story
from node.terminal.screen import Screen

__all__ = ["Player", "ReadLine"]

ReadLine: TypeAlias = Callable[[], str | None]
"""Gives the next line that is typed, None when there will be no more."""

_PROMPT_LINES: Final = 1
_MOVES: Final[Mapping[Order, Callable[[Course, Position], Position | None]]] = {
    Order.NEXT: Course.next_step,
    Order.BACK: Course.previous_step,
    Order.NEXT_TRICK: Course.next_trick,
    Order.BACK_TRICK: Course.previous_trick,
    Order.NEXT_DEAL: Course.next_deal,
    Order.BACK_DEAL: Course.previous_deal,
    Order.FIRST: lambda course, _at: course.first,
    Order.LAST: lambda course, _at: course.last,
}
_FORWARD: Final = {Order.NEXT, Order.NEXT_TRICK, Order.NEXT_DEAL}


class Player:
    """Shows one position after another until it is told to quit, or nothing more is typed."""

    def __init__(self, story: Story, console: Console, read: ReadLine, *, echoed: bool = True) -> None:
        """`echoed`: whether what is typed appears on the screen with its line break, as on a terminal."""
        self._story = story
        self._console = console
        self._screen = Screen(console, echoed=echoed)
        self._read = read
        self._at = story.course.first
        self._pages: list[list[str]] = []
        """What is still to be read of a longer text that lies over the picture."""
        self._covered = False

    def run(self, start: Position) -> None:
        """Begin at a position of the course."""
        self._at = start
        self._show_table()
        while (line := self._answer()) is not None:
            typed = parse_order(line)
            if typed is Order.QUIT:
                return
            self._obey(typed)

    def _answer(self) -> str | None:
        """Ask for a line; whatever ends the input leaves the line of the prompt."""
        line = None
        self._screen.ask(self._prompt())
        try:
            line = self._read()
        finally:
            if line is None:
                self._screen.say()
            else:
                self._screen.answered()
        return line

    def _obey(self, typed: Typed) -> None:
        if typed is Order.NEXT and self._covered:
            self._turn_page()
        elif typed is Order.HELP:
            self._cover(help_lines())
        elif typed is Order.MATCH:
            self._cover(self._story.about)
        elif typed is Order.TEXT:
            self._cover(deal_lines(self._story.chapters[self._at.deal].record, self._story.wording))
        elif isinstance(typed, Unclear):
            self._show_table(tr("“{text}” is not understood; h is help.", text=typed.text))
        else:
            self._move(typed)

    def _move(self, typed: Order | Jump) -> None:
        course = self._story.course
        if isinstance(typed, Jump):
            deal = self._at.deal if typed.deal is None else typed.deal - 1
            found = course.jump(deal, 0 if typed.trick is None else typed.trick - 1)
            refusal = self._unknown(deal)
        else:
            found = _MOVES[typed](course, self._at)
            refusal = (
                tr("There is nothing after this.") if typed in _FORWARD else tr("This is the beginning.")
            )
        self._at = found or self._at
        self._show_table("" if found else refusal)

    def _unknown(self, deal: int) -> str:
        """Why a jump to that deal, counted from 0, leads nowhere."""
        tricks = self._story.course.steps
        if 0 <= deal < len(tricks):
            return tr("Deal {deal} has the tricks 1 to {count}.", deal=deal + 1, count=len(tricks[deal]))
        return tr("This match has the deals 1 to {count}.", count=len(tricks))

    def _prompt(self) -> str:
        if self._covered:
            return (
                tr("Enter: read on, q: quit > ")
                if self._pages
                else tr("Enter: back to the table, q: quit > ")
            )
        return tr("Enter: next, b: back, h: help, q: quit > ")

    def _show_table(self, note: str = "") -> None:
        story, self._covered, self._pages = self._story, False, []
        moment = story.moment(self._at)
        lines = picture_lines(moment, self._at, story.course, story.wording, self._screen.width)
        self._draw(self._fitting([*lines, *(["", note] if note else [])]))

    def _cover(self, lines: Iterable[str]) -> None:
        """Lay a text over the picture, page by page."""
        folded = self._folded(lines)
        size = self._height
        self._pages = [folded[start : start + size] for start in range(0, len(folded), size)]
        self._covered = True
        self._turn_page()

    def _turn_page(self) -> None:
        if self._pages:
            self._draw(self._pages.pop(0))
        else:
            self._show_table()

    def _draw(self, lines: Iterable[str]) -> None:
        # Does nothing on a terminal that cannot; then pictures follow one below the other.
        self._console.clear()
        self._screen.say(*lines)

    def _fitting(self, lines: Iterable[str]) -> list[str]:
        """Fold the lines, and leave out empty ones where the terminal is too low for all."""
        folded = self._folded(lines)
        return folded if len(folded) <= self._height else [line for line in folded if line]

    def _folded(self, lines: Iterable[str]) -> list[str]:
        width = self._screen.width
        return [part.plain.rstrip() for line in lines for part in Text(line).wrap(self._console, width)]

    @property
    def _height(self) -> int:
        return max(self._console.height - _PROMPT_LINES, 1)
