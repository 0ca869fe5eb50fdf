"""What seats have let out of their hands: no node sees it, the simulator checks it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from engine import Seat
from protocol.encoding import Value
from protocol.errors import EventRejected
from protocol.events import Event, Position, SignedEvent, decode_event
from protocol.replica import EVENTS, parse_frame


def events_carried(frame: bytes) -> list[SignedEvent]:
    """The events in a frame that a node has made; what a bad network has made of it may hold none."""
    kind, fields = parse_frame(frame)
    batch = fields[1] if kind == EVENTS and len(fields) == 2 else ()
    pairs = batch if isinstance(batch, tuple) else ()
    return [SignedEvent(*pair) for pair in pairs if _is_pair(pair)]


def _is_pair(value: Value) -> TypeGuard[tuple[bytes, bytes]]:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, bytes) for part in value)


class Ledger:
    """Every event that its own author has sent, or has synced to its disk."""

    def __init__(self) -> None:
        self.given_out: dict[Position, set[bytes]] = {}
        """The ids of the events that their author has given out under each number."""
        self._read: dict[SignedEvent, Event | None] = {}

    def read(self, signed: SignedEvent) -> Event | None:
        """The event that the bytes carry, None when they are damaged."""
        if signed not in self._read:
            try:
                self._read[signed] = decode_event(signed)
            except EventRejected:
                self._read[signed] = None
        return self._read[signed]

    def note(self, author: Seat, events: Iterable[SignedEvent]) -> None:
        """A seat has put events on its disk or on the network; only its own count."""
        for signed in events:
            event = self.read(signed)
            if event is not None and event.author == author:
                self.given_out.setdefault(event.position, set()).add(event.id)
