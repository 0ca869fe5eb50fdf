"""The time before a match: who has come, what to tell those who have not, and leaving while waiting."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any, NoReturn, TypeVar

from engine import SEATS
from node.i18n import plural, tr
from node.live import LiveTable
from node.network.addresses import format_host_port
from node.seating.evening import Seat
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.terminal.inbox import Inbox, Line, Signal
from node.terminal.leaving import PersonLeft
from node.terminal.screen import Screen
from node.terminal.typed import Command, parse_typed

__all__ = ["AttendedSeat", "Company", "ask", "attended", "grouped_code", "invitation"]

_T = TypeVar("_T")


def grouped_code(code: str) -> str:
    """The code as it is read aloud: 1234 5678."""
    return f"{code[:4]} {code[4:]}"


def invitation(table: str, addresses: Sequence[str], port: int, code: str, *, announced: bool) -> list[str]:
    """What the host tells the others."""
    lines = [tr("The table “{table}” is open.", table=table), tr("The others type one of these:")]
    if announced:
        lines.append(tr("  kozel join                      (on the same network)"))
    lines += [tr("  kozel join {address}", address=format_host_port(host, port)) for host in addresses]
    return [
        *lines,
        tr("Code of the table:  {code}", code=grouped_code(code)),
        tr("The match begins by itself when all four are here. Type quit to close the table."),
    ]


class Company:
    """Says who sits down and who leaves. `seen` is set once it is known who is there."""

    def __init__(self, screen: Screen, me: str) -> None:
        self._screen = screen
        self._me = me
        self.seen = asyncio.Event()
        self._table: Host | Guest | None = None
        self._seats: tuple[str | None, ...] = (None,) * len(SEATS)

    def follow(self, table: Host | Guest) -> None:
        """Look at this table from now on."""
        self._table = table

    def look(self) -> None:
        """Say what has changed since the last look."""
        if self._table is None:
            return
        self.seen.set()
        before, self._seats = self._seats, self._table.seats
        # By names, not by seats: at a table that goes on with a match somebody may change the seat.
        old, new = (Counter(name for name in seats if name is not None) for seats in (before, self._seats))
        lines = [tr("{name} has left.", name=name) for name in (old - new).elements()]
        lines += [tr("{name} sits down.", name=name) for name in self._come(old, new)]
        free = self._seats.count(None)
        if lines and free:
            lines.append(plural("Waiting for one more player…", "Waiting for {count} more players…", free))
        self._screen.say(*lines)

    def _come(self, old: Counter[str], new: Counter[str]) -> list[str]:
        """Who is here now and was not, but for the reader."""
        come = list((new - old).elements())
        if self._me in come and self._me not in old:
            come.remove(self._me)
        return come


async def ask(screen: Screen, inbox: Inbox, question: str) -> str:
    """Ask, and wait for a line that is not blank. Raises PersonLeft."""
    screen.ask(question)
    while True:
        match await inbox.next():
            case Line(text):
                screen.answered()
                if parse_typed(text) is Command.QUIT:
                    raise PersonLeft
                if text.strip():
                    return text.strip()
                screen.ask(question)
            case Signal.ENDED:
                raise PersonLeft


async def attended(work: Coroutine[Any, Any, _T], screen: Screen, inbox: Inbox) -> _T:
    """Wait for the work, and let the person leave meanwhile: raises PersonLeft then."""
    task = asyncio.ensure_future(work)
    listener = asyncio.ensure_future(_listen(screen, inbox))
    try:
        await asyncio.wait([task, listener], return_when=asyncio.FIRST_COMPLETED)
        return await (task if task.done() else listener)
    finally:
        task.cancel()
        listener.cancel()
        await asyncio.gather(task, listener, return_exceptions=True)


async def _listen(screen: Screen, inbox: Inbox) -> NoReturn:
    while True:
        match await inbox.next():
            case Line(text):
                screen.answered()
                if parse_typed(text) is Command.QUIT:
                    raise PersonLeft
                screen.say(tr("Waiting for the other players. Type quit to leave."))
            case Signal.ENDED:
                raise PersonLeft


class AttendedSeat:
    """A seat at whose table the person can leave while waiting for the next match."""

    def __init__(self, seat: Seat, screen: Screen, inbox: Inbox) -> None:
        self._seat = seat
        self._screen = screen
        self._inbox = inbox

    async def next_match(self) -> LiveTable:
        """Wait until all four are ready; raises TableClosed and PersonLeft."""
        return await attended(self._seat.next_match(), self._screen, self._inbox)

    def close(self) -> None:
        """Leave the table."""
        self._seat.close()
