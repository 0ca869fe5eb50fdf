"""How far a log goes that is not whole (§10.4): which events are missing, and what they leave unjudged."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import SEATS, Seat
from protocol.events import Event, Ref
from protocol.log import EventLog

__all__ = ["Reach", "Unplaced"]


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one feed could be followed; an event number counts from 0.

    `judged` events are in the log, from number 0 on without a gap. `unjudged` more are there and truly
    signed, but build on something that is missing. At least `length` exist: a signed event names the last.
    """

    seat: Seat
    judged: int
    unjudged: int
    length: int
    first_missing: int | None
    """The number of the first event that is known to exist and is not there."""
    other_versions: tuple[int, ...]
    """Events that others say they have seen with another content than the one that is here."""

    @property
    def missing(self) -> int:
        """How many events are known to exist and are not there, at least."""
        return self.length - self.judged - self.unjudged


@dataclass(slots=True)
class Unplaced:
    """The events of a log whose signatures hold, but which could not be placed when they came.

    Of each only its number and its links are kept.
    """

    _links: dict[bytes, tuple[Seat, int, bytes, tuple[Ref | None, ...]]] = field(default_factory=dict)

    def note(self, event: Event) -> None:
        """Remember an event that came before something which it builds on."""
        self._links[event.id] = (event.author, event.seq, event.prev, event.refs)

    def reaches(self, log: EventLog) -> tuple[Reach, ...]:
        """How far each feed reaches, now that everything has been read."""
        forks = {fork.second for fork in log.forks}
        waiting = {
            name: links
            for name, links in self._links.items()
            if name not in forks and not _placed(log, name, *links[:2])
        }
        numbers: list[set[int]] = [set() for _ in SEATS]
        named: list[dict[int, set[bytes]]] = [{} for _ in SEATS]
        for name, (author, seq, prev, refs) in waiting.items():
            numbers[author].add(seq)
            named[author].setdefault(seq, set()).add(name)
            if seq:
                named[author].setdefault(seq - 1, set()).add(prev)
            for seat, ref in enumerate(refs):
                if ref is not None:
                    named[seat].setdefault(ref.seq, set()).add(ref.id)
        return tuple(_reach(seat, log, numbers[seat], named[seat]) for seat in SEATS)


def _placed(log: EventLog, name: bytes, author: Seat, seq: int) -> bool:
    return seq < log.length(author) and log.entry(author, seq).id == name


def _reach(seat: Seat, log: EventLog, waiting: set[int], named: dict[int, set[bytes]]) -> Reach:
    """`waiting` are the numbers of the feed's events that could not be placed, `named` those that exist."""
    judged = log.length(seat)
    length = max((judged, *(number + 1 for number in named)))
    gap = next((number for number in range(judged, length) if number not in waiting), None)
    others = tuple(
        sorted(
            number for number, ids in named.items() if number < judged and ids - {log.entry(seat, number).id}
        )
    )
    unjudged = len({number for number in waiting if number >= judged})
    return Reach(seat, judged, unjudged, length, gap, others)
