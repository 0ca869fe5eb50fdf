"""Telling a match as it goes: for a person, or for whoever watches a bot in this seat."""

from __future__ import annotations

import asyncio

from engine import turn
from node.i18n import tr
from node.live import LiveTable
from node.seating.evening import Observer
from node.terminal.missing import Missing
from node.terminal.render import check_lines, seat_lines
from node.terminal.screen import Screen
from node.words.patience import Patience
from node.words.progress import current_stage
from node.words.sheets import log_lines, match_end, verdict_lines
from node.words.telling import Telling
from node.words.wording import Wording, distinct

__all__ = ["Commentator", "Narrator"]

_GLANCE_SECONDS = 1.0
"""How often it looks who is silent, while nothing happens."""


class Narrator:
    """Says each thing about one match once."""

    def __init__(self, live: LiveTable, screen: Screen) -> None:
        self.wording = Wording(distinct(live.names), live.seat, screen.symbols)
        self._live = live
        self._screen = screen
        self._telling = Telling(live.table.match, lambda: live.state, self.wording)

    def begin(self) -> None:
        """Who sits where, and what the four can compare."""
        self._screen.say("", tr("=== The match begins ==="), *seat_lines(self.wording))
        self._screen.say(*check_lines(self._live.table.match_id))
        self._screen.say(tr("The four computers now shuffle the cards together."))

    def catch_up(self) -> None:
        """Say what is new."""
        lines = self._telling.catch_up()
        if lines:
            self._screen.say(*lines)

    def end(self) -> None:
        """How the match came out."""
        table = self._live.table
        lines = (
            match_end(table.state, self.wording)
            if table.verdict is None
            else verdict_lines(table.verdict, self.wording)
        )
        self._screen.say("", *lines, *log_lines(table.match_id))


class Commentator(Observer):
    """Tells every match of a seat in which a bot plays."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._followed: tuple[Narrator, asyncio.Task[None]] | None = None

    def match_begun(self, live: LiveTable) -> None:
        """Follow the match from now on."""
        narrator = Narrator(live, self._screen)
        narrator.begin()
        self._followed = narrator, asyncio.create_task(_follow(live, narrator, self._screen))

    def match_over(self, live: LiveTable) -> None:
        """Say how it came out."""
        narrator, task = self._followed or (Narrator(live, self._screen), None)
        if task is not None:
            task.cancel()
        narrator.catch_up()
        narrator.end()


async def _follow(live: LiveTable, narrator: Narrator, screen: Screen) -> None:
    patience, missing = Patience(narrator.wording), Missing(live, narrator.wording)
    clock = asyncio.get_running_loop()
    while True:
        narrator.catch_up()
        stage, player = current_stage(live.table.match), turn(live.state)
        lines = patience.notice(clock.time(), stage, player, live.absent)
        lines += missing.handed_over()
        if lines:
            screen.say(*lines)
        await live.change_within(_GLANCE_SECONDS)
