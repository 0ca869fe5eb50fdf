"""The host's side: who may watch, and what is shown to them and when (§9.10)."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from engine.cards import SEATS
from node.i18n import tr
from node.live import LiveTable
from node.lobby.messages import Introduction
from node.network.link import Link
from node.seating.frames import LEAVE, genesis_frame, leave_frame
from protocol.encoding import Value
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.limits import MAX_SPECTATORS
from protocol.replica import HAVE, parse_frame
from protocol.spectator import Showcase

__all__ = ["Gallery"]

_GLANCE_SECONDS: Final = 1.0
_SILENT_SECONDS: Final = 60.0
"""A spectator's program speaks every second. One that is silent for so long has gone, and may come again."""
_GOODBYE_SECONDS: Final = 0.2
"""Closing a link throws away what it has not sent yet."""
_ANSWER_SECONDS: Final = 0.2
"""Who asks more often is answered no more often: it is the players' time."""


@dataclass(slots=True)
class _Watcher:
    name: str
    heard: float
    answered: float = 0.0
    match_id: bytes | None = None
    """The match that it has said to follow."""


@dataclass(slots=True)
class _Shown:
    """One match on show. Of each feed `noted` events have been seen; they wait in `queue` until due.

    Those that are `due` go into the showcase, which checks them once more, only when somebody looks.
    """

    live: LiveTable
    showcase: Showcase
    noted: list[int] = field(default_factory=lambda: [0] * len(SEATS))
    forks: set[bytes] = field(default_factory=set)
    queue: deque[tuple[float, SignedEvent]] = field(default_factory=deque)
    due: list[SignedEvent] = field(default_factory=list)

    def note(self, now: float) -> None:
        """Queue what is new at the table, each event after all that it builds on."""
        log = self.live.table.log
        new = (entry.signed for entry in log.since(self.noted))
        self.queue.extend((now, signed) for signed in new if signed is not None)
        self.noted = [log.length(seat) for seat in SEATS]
        for fork in log.forks:
            if fork.second not in self.forks:
                self.forks.add(fork.second)
                self.queue.append((now, fork.signed))

    def release(self, until: float) -> None:
        """What was there at that time may be shown."""
        while self.queue and self.queue[0][0] <= until:
            self.due.append(self.queue.popleft()[1])

    def frames(self) -> list[bytes]:
        """Put what is due into the showcase; the frames that bring it to whoever has all before."""
        due, self.due = self.due, []
        return self.showcase.show(due)


class Gallery:
    """Those who watch a table. They see what the log tells everybody, `delay` seconds later, and say nothing.

    A delay is for the host to choose: a spectator could not be trusted with one.
    """

    def __init__(
        self,
        link: Link,
        table_id: bytes,
        *,
        limit: int = MAX_SPECTATORS,
        delay: float = 0.0,
        changed: Callable[[str, bool], None] = lambda _name, _came: None,
    ) -> None:
        """`changed` is called with a name whenever somebody comes (True) or goes (False)."""
        self.limit = limit
        self._link = link
        self._table_id = table_id
        self._delay = delay
        self._changed = changed
        self._watchers: dict[bytes, _Watcher] = {}
        self._shown: deque[_Shown] = deque()
        self._work: asyncio.Task[None] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Who is watching."""
        return tuple(watcher.name for watcher in self._watchers.values())

    async def admit(self, guest: Introduction) -> str | None:
        """Let somebody watch; return a refusal in words, or None."""
        if len(self._watchers) >= self.limit:
            return tr("Nobody more can watch at this table.") if self.limit else tr("Nobody may watch here.")
        self._watchers[guest.transport] = _Watcher(guest.name, _now())
        self._link.allow(guest.transport)
        self._changed(guest.name, True)
        return None

    def follow(self, live: LiveTable) -> None:
        """Show this match, once the one before has been shown to its end."""
        self._shown.append(_Shown(live, Showcase(live.table.genesis)))
        if self._work is None:
            for watcher in self._watchers.values():
                watcher.heard = _now()  # Until now there was nothing that it could have said.
            self._work = asyncio.create_task(self._keep_showing(), name="gallery")

    def hear(self, peer: bytes, frame: bytes) -> bool:
        """Take a frame that has come in, if it is a spectator's; it can only say what it has, or goodbye."""
        watcher = self._watchers.get(peer)
        if watcher is None:
            return False
        watcher.heard = _now()
        with contextlib.suppress(FrameRejected):
            kind, fields = parse_frame(frame)
            if kind == LEAVE and fields == (self._table_id,):
                self._lose(peer)
            elif kind == HAVE and self._shown:
                self._answer(peer, watcher, frame, fields)
        return True

    async def close(self) -> None:
        """Show a match that is over to its end, delay or not, and say that the table is closed."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        if self._shown and self._shown[-1].live.table.finished:
            self._delay = 0.0
            self._show(_now())
        for peer in self._watchers:
            self._link.send(peer, leave_frame(self._table_id))
        if self._watchers:
            await asyncio.sleep(_GOODBYE_SECONDS)

    def _answer(self, peer: bytes, watcher: _Watcher, frame: bytes, fields: tuple[Value, ...]) -> None:
        shown = self._shown[0]
        shown.frames()  # Of what was due before anybody watched; nobody else waits for these.
        showcase = shown.showcase
        watcher.match_id = showcase.match_id if fields[:1] == (showcase.match_id,) else None
        if watcher.match_id is None or _now() - watcher.answered < _ANSWER_SECONDS:
            return
        watcher.answered = _now()
        for reply in showcase.answer(frame):
            self._link.send(peer, reply)

    async def _keep_showing(self) -> None:
        while True:
            newest = self._shown[-1]
            self._show(_now())
            await newest.live.change_within(_GLANCE_SECONDS)

    def _show(self, now: float) -> None:
        for shown in self._shown:
            shown.note(now)
        if len(self._shown) > 1 and self._is_over(self._shown[0], now):
            self._shown.popleft()
        shown = self._shown[0]
        shown.release(now - self._delay)
        if not self._watchers:
            return
        frames = shown.frames()
        for peer, watcher in list(self._watchers.items()):
            if now - watcher.heard > _SILENT_SECONDS:
                self._lose(peer)
            elif watcher.match_id == shown.showcase.match_id:
                self._send(peer, frames)
            else:
                self._send(peer, [genesis_frame(self._table_id, shown.live.table.genesis.encode())])

    def _is_over(self, shown: _Shown, now: float) -> bool:
        """Whether all of a match is shown, and there is something to show of the one after it."""
        after = self._shown[1].queue
        return not shown.queue and bool(after) and after[0][0] <= now - self._delay

    def _send(self, peer: bytes, frames: list[bytes]) -> None:
        for frame in frames:
            self._link.send(peer, frame)

    def _lose(self, peer: bytes) -> None:
        gone = self._watchers.pop(peer)
        self._link.revoke(peer)
        self._changed(gone.name, False)


def _now() -> float:
    return asyncio.get_running_loop().time()
