"""Somebody who watches a match without a seat (§9.10): judges everything that comes, and signs nothing.

A spectator has no keys. Whatever it could ever learn stands in the log, as it does for everybody.
"""

from __future__ import annotations

from engine.state import State
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.genesis import Genesis
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import HAVE, Received, Replica, parse_frame

__all__ = ["Spectator"]


class Spectator:
    """One match as it is followed from outside, without input or output."""

    def __init__(self, genesis: Genesis) -> None:
        self.log = EventLog(genesis)
        self.match = Match(self.log)
        self._replica = Replica(self.log)

    @property
    def state(self) -> State:
        """The game as the public sees it."""
        return self.match.state

    @property
    def finished(self) -> bool:
        """Whether nothing more will happen: all have signed the end, or a fault is proven."""
        return self.match.whole or self.match.verdict is not None

    def receive(self, frame: bytes) -> bool:
        """Take in a frame of the host; tell whether it brought anything. Raises :class:`FrameRejected`."""
        return self._judge(self._replica.receive(frame))

    @property
    def has_work(self) -> bool:
        """Whether some that had come early is usable now: call :meth:`work`."""
        return self._replica.ready

    def work(self) -> bool:
        """Take in a part of what has waited; tell whether it brought anything."""
        return self._judge(self._replica.release())

    def events(self) -> list[SignedEvent]:
        """All that is here, each event after those that it builds on: what a log file holds (§10.3)."""
        events = [entry.signed for entry in self.log.since() if entry.signed is not None]
        return [*events, *(fork.signed for fork in self.log.forks)]

    def have_frame(self) -> bytes:
        """What is here, so that the host sends what is not."""
        return self._replica.have_frame()

    def _judge(self, received: Received) -> bool:
        self.match.take(received)
        return bool(received.added or received.proofs)


class Showcase:
    """The host's side of the same: shows events of a match to spectators and takes nothing from them.

    It has a log of its own, so what spectators send never comes near the table's, and what is to be shown
    later is not in it yet.
    """

    def __init__(self, genesis: Genesis) -> None:
        self._replica = Replica(EventLog(genesis))

    @property
    def match_id(self) -> bytes:
        """The match that is shown."""
        return self._replica.log.match_id

    def show(self, events: list[SignedEvent]) -> list[bytes]:
        """Add events; return the frames that bring them to whoever has all before."""
        received = Received()
        for signed in events:
            self._replica.add(signed, received)
        new = [event.signed for event in (*received.added, *received.forked)]
        return list(self._replica.frames_of(new))

    def answer(self, frame: bytes) -> list[bytes]:
        """The frames that bring a spectator what it lacks; raises FrameRejected for all but a `have`."""
        if parse_frame(frame)[0] != HAVE:
            raise FrameRejected("unknown-frame", "a spectator says what it has, and nothing else")
        return self._replica.receive(frame).replies
