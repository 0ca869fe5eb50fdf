"""What seats have let out of their hands: no node sees it, the simulator checks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from engine import SEATS, Seat
from protocol.bodies import KINDS, Accept, CoinCommit, CoinReveal, Concluded, Lost, Rescue, Result
from protocol.encoding import Value
from protocol.errors import EventRejected
from protocol.events import Event, Position, SignedEvent, decode_event
from protocol.log import EventLog
from protocol.replica import EVENTS, parse_frame

_OF_A_DEAL: Final = frozenset(KINDS) - {
    body.KIND for body in (Accept, CoinCommit, CoinReveal, Concluded, Lost, Result)
}


def events_carried(frame: bytes) -> list[SignedEvent]:
    """The events in a frame that a node has made; what a bad network has made of it may hold none."""
    kind, fields = parse_frame(frame)
    batch = fields[1] if kind == EVENTS and len(fields) == 2 else ()
    pairs = batch if isinstance(batch, tuple) else ()
    return [SignedEvent(*pair) for pair in pairs if _is_pair(pair)]


def _is_pair(value: Value) -> TypeGuard[tuple[bytes, bytes]]:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, bytes) for part in value)


@dataclass(frozen=True, slots=True)
class LostSeat:
    """A seat that all three others have declared lost in a deal.

    `parts` of its key were published; `late` is what it had signed about the deal when the others went on.
    """

    deal: int
    seat: Seat
    parts: int
    late: int


def events_in_log(log: EventLog) -> list[Event]:
    """All events of a log that keeps their bytes."""
    entries = [entry for seat in SEATS for entry in log.entries_from(seat, 0)]
    return [decode_event(entry.signed) for entry in entries if entry.signed is not None]


def losses_in(log: EventLog) -> list[LostSeat]:
    """Read from the events alone which seats were lost."""
    events = events_in_log(log)
    votes = Counter(event.body for event in events if event.kind == Lost.KIND)
    lost = []
    for (deal, seat), count in votes.items():
        if count == len(SEATS) - 1 and isinstance(deal, int) and isinstance(seat, int):
            rescues = [e for e in events if e.kind == Rescue.KIND and e.body[:2] == (deal, seat)]
            late = _late(events, deal, seat, rescues) if len(rescues) == count else 0
            lost.append(LostSeat(deal, seat, len(rescues), late))
    return lost


def _late(events: Iterable[Event], deal: int, seat: Seat, rescues: Sequence[Event]) -> int:
    cut = max(event.vector[seat] for event in rescues)
    return sum(
        event.seq > cut
        and event.author == seat
        and event.kind in _OF_A_DEAL
        and event.body[0] == deal
        and not all(event.saw(rescue.position) for rescue in rescues)
        for event in events
    )


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
