"""What the exit code of a visit depends on."""

from __future__ import annotations

from node.live import LiveTable
from node.seating.evening import Observer

__all__ = ["Outcome"]


class Outcome(Observer):
    """Remembers what the exit code depends on."""

    def __init__(self, inner: Observer) -> None:
        self.played = 0
        self.cheated = False
        self._inner = inner

    def match_begun(self, live: LiveTable) -> None:
        """Pass it on."""
        self._inner.match_begun(live)

    def match_over(self, live: LiveTable) -> None:
        """Count it, and pass it on."""
        self.played += 1
        self.cheated = self.cheated or live.table.verdict is not None
        self._inner.match_over(live)
