"""Telling a match as it goes: each thing once, whoever listens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine import State
from node.words.news import news
from node.words.wording import Wording
from protocol.facts import DealFacts
from protocol.match import Match

__all__ = ["Telling"]


class Telling:
    """What one listener has been told about one match; begins with the deal that is being played."""

    def __init__(self, match: Match, view: Callable[[], State], wording: Wording) -> None:
        """`view` gives the match as the listener may see it now."""
        self._match = match
        self._view = view
        self._wording = wording
        self._told: State | None = None
        self._lost_deal: DealFacts | None = None

    def catch_up(self) -> list[str]:
        """Lines about what is new."""
        state = self._view()
        lines = news(self._before(), state, self._wording)
        self._told = state
        return lines

    def _before(self) -> State | None:
        """What was told last. When a seat is lost, the trick that goes on without it is told anew.

        What that seat played last may have come too late, and counts no more.
        """
        deal = self._match.current
        if self._told is None or deal.loss is None or deal is self._lost_deal:
            return self._told
        self._lost_deal = deal
        kept = [trick for trick in deal.tricks if all(play.at is not None for play in trick.plays)]
        return replace(self._told, tricks=self._told.tricks[: len(kept)], trick=None)
