"""What a person types and what changes at the table, for one reader at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

__all__ = ["Heard", "Inbox", "Line", "Signal"]

_CHUNK: Final = 1024
_MAX_LINE: Final = 1024
"""Longer lines are cut: nothing that is understood here is so long."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was typed."""

    text: str


class Signal(Enum):
    """Everything else that can be heard."""

    CHANGED = auto()
    """Something at the table may have changed."""
    ENDED = auto()
    """The input has ended, and nothing will be typed any more."""
    QUIET = auto()
    """Nothing was heard in the time given."""


Heard: TypeAlias = Line | Signal


class Inbox:
    """Collects lines and changes. Changes are told first and only once, however many there were."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._changed = False
        self._ended = False
        self._wake = asyncio.Event()

    def listen(self, descriptor: int) -> None:
        """Begin to read lines from a file descriptor; needs the running event loop."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            # Not through sys.stdin, whose lock a blocked thread would hold while the program ends.
            rest = b""
            with contextlib.suppress(RuntimeError):  # The event loop has ended.
                while chunk := _read(descriptor):
                    *lines, rest = (rest + chunk).split(b"\n")
                    rest = rest[:_MAX_LINE]
                    for line in lines:
                        loop.call_soon_threadsafe(self.put_line, line[:_MAX_LINE].decode("utf-8", "replace"))
                loop.call_soon_threadsafe(self.end)

        threading.Thread(target=read, daemon=True, name="keyboard").start()

    def put_line(self, text: str) -> None:
        """A line has been typed."""
        self._lines.append(text)
        self._wake.set()

    def note_change(self) -> None:
        """Something has changed."""
        self._changed = True
        self._wake.set()

    def end(self) -> None:
        """Nothing more will be typed; what was typed before is still heard."""
        self._ended = True
        self._wake.set()

    async def next(self, seconds: float | None = None) -> Heard:
        """The next thing that is heard, QUIET after so many seconds of nothing."""
        try:
            async with asyncio.timeout(seconds):
                while (heard := self._take()) is None:
                    self._wake.clear()
                    await self._wake.wait()
                return heard
        except TimeoutError:
            return Signal.QUIET

    def _take(self) -> Heard | None:
        if self._changed:
            self._changed = False
            return Signal.CHANGED
        if self._lines:
            return Line(self._lines.popleft())
        return Signal.ENDED if self._ended else None


def _read(descriptor: int) -> bytes:
    """What can be read now; nothing at the end, or where there is nothing to read from."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
