"""Who does not come back: how long a table waits for a player before it may play on without (§7.12).

The rule of the log only says that it takes all three others. When to ask them is a matter of manners: after
the table's grace time, and nobody is ever forced.
"""

from __future__ import annotations

from engine import Seat, turn
from node.live import LiveTable

__all__ = ["Absences"]


class Absences:
    """Looks at one live table again and again, with the time in seconds, and remembers since when."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._silent: dict[Seat, float] = {}
        self._awaited: tuple[object, float] = (None, 0.0)

    def look(self, now: float) -> None:
        """Note who does not answer at the moment, and whose play is awaited."""
        gone = self._live.absent
        self._silent = {seat: self._silent.get(seat, now) for seat in gone}
        state = self._live.state
        waiting = (state.deal_number, len(state.tricks), turn(state))
        if waiting != self._awaited[0]:
            self._awaited = (waiting, now)

    def overdue(self, now: float) -> tuple[Seat, ...]:
        """The seats that this player could declare lost now and has waited for long enough."""
        able = self._live.table.may_declare_lost
        return tuple(seat for seat in able if self._gone(seat, now) or self._idle(seat, now))

    def agreed(self, now: float) -> tuple[Seat, ...]:
        """Those of them that a bot declares lost: no answer at all, or a person has lost patience before.

        After a restart a bot leaves it to people in any case: the disk may be an old copy, and what the seat
        knows of the bot's own plays can then be missing (§9.5).
        """
        table = self._live.table
        asked = {vote.seat for vote in table.match.current.votes if vote is not None}
        return tuple(
            seat
            for seat in self.overdue(now)
            if seat in asked or (self._gone(seat, now) and seat not in table.unheard)
        )

    def _gone(self, seat: Seat, now: float) -> bool:
        return seat in self._silent and now - self._silent[seat] >= self._grace

    def _idle(self, seat: Seat, now: float) -> bool:
        return turn(self._live.state) == seat and now - self._awaited[1] >= self._grace

    @property
    def _grace(self) -> int:
        return self._live.table.genesis.grace
