"""Leaving a table from the page, whatever is waited for at that moment."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from node.errors import NodeError
from node.live import LiveTable
from node.seating.evening import Seat

__all__ = ["AttendedSeat", "Door", "PersonLeft"]

_T = TypeVar("_T")


class PersonLeft(Exception):
    """The person at the page has left the table."""


class Door:
    """The way out of one visit to a table. Needs the running event loop."""

    def __init__(self) -> None:
        self._left: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def leave(self) -> None:
        """The person goes."""
        if not self._left.done():
            self._left.set_result(None)

    async def unless_left(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do the work, but stop when the person leaves: raises PersonLeft then."""
        task = asyncio.ensure_future(work)
        try:
            either: list[asyncio.Future[Any]] = [task, self._left]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise PersonLeft
            return await task
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, NodeError):
                await task


class AttendedSeat:
    """A seat whose owner can leave while the next match is waited for."""

    def __init__(self, seat: Seat, door: Door) -> None:
        self._seat = seat
        self._door = door

    async def next_match(self) -> LiveTable:
        """Wait until all four are ready; raises TableClosed and PersonLeft."""
        return await self._door.unless_left(self._seat.next_match())

    def close(self) -> None:
        """Leave the table."""
        self._seat.close()
