"""The replicated log (§4.5–4.7): four hash-linked feeds of signed events, joined by references.

The log knows who wrote what, and after seeing what. Whether that was allowed by the game and the
deal is judged by :mod:`protocol.match`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.cards import SEATS, Seat
from protocol import domains
from protocol.errors import EventRejected, Fault
from protocol.events import UNSEEN, Event, Ref, SignedEvent
from protocol.genesis import Genesis
from protocol.identity import verify_signature
from protocol.limits import MAX_AFTER_FAULT, MAX_FORKS, MAX_FORKS_TAKEN, MAX_SEQ


class Admission(Enum):
    """What became of an event that was offered to the log."""

    ADDED = "added"
    KNOWN = "known"
    EARLY = "early"
    """Something that it builds on is not here yet; offer it again later."""
    FORK = "fork"
    """It contradicts another event of its author: kept as evidence, not in the feed."""
    SURPLUS = "surplus"
    """Its author had gone on long after a fault: proves nothing more, and is not kept."""


class Entry(NamedTuple):
    """What the log remembers of an event; the bytes are None in a log that is only being checked."""

    id: bytes
    vector: tuple[int, ...]
    signed: SignedEvent | None


@dataclass(frozen=True, slots=True)
class Fork:
    """Proof of an equivocation: two events that one author cannot both have signed honestly (§8.2).

    `first` stands in the feed as number `slot`. `second`, number `seq`, has the same number, or is the
    next one and follows something else.
    """

    author: Seat
    slot: int
    seq: int
    first: bytes
    second: bytes
    signed: SignedEvent

    @property
    def place(self) -> int:
        """Where the feed has split (§8.2): the earlier, the more it counts."""
        return 2 * self.slot + (self.seq != self.slot)


class EventLog:
    """The four feeds of one match."""

    def __init__(self, genesis: Genesis, *, keep_bytes: bool = True) -> None:
        self.genesis = genesis
        self.match_id = genesis.match_id
        self.forks: list[Fork] = []
        self._feeds: tuple[list[Entry], ...] = tuple([] for _ in SEATS)
        self._ends = [MAX_SEQ] * len(SEATS)
        self._forks_seen = [0] * len(SEATS)
        self._keep_bytes = keep_bytes

    def __len__(self) -> int:
        return sum(map(len, self._feeds))

    def length(self, author: Seat) -> int:
        """Number of events in the author's feed."""
        return len(self._feeds[author])

    def head(self, author: Seat) -> Ref | None:
        """The newest event of a feed, or None while it is empty."""
        feed = self._feeds[author]
        return Ref(len(feed) - 1, feed[-1].id) if feed else None

    def heads(self) -> tuple[Ref | None, ...]:
        """The newest event of every feed, by seat."""
        return tuple(self.head(seat) for seat in SEATS)

    def entry(self, author: Seat, seq: int) -> Entry:
        """The event number `seq` of a feed; IndexError when it is not here."""
        return self._feeds[author][seq]

    def entries_from(self, author: Seat, start: int) -> list[Entry]:
        """The events of a feed from number `start` on."""
        return self._feeds[author][start:]

    def since(self, lengths: Sequence[int] = (0, 0, 0, 0)) -> list[Entry]:
        """All events beyond so many of each feed, each after all that it builds on (§10.3)."""
        entries = [entry for seat in SEATS for entry in self.entries_from(seat, lengths[seat])]
        return sorted(entries, key=lambda entry: sum(entry.vector))

    def evidence(self) -> dict[bytes, SignedEvent]:
        """Both events of every known equivocation, by id."""
        found: dict[bytes, SignedEvent] = {}
        for fork in self.forks:
            first = self._feeds[fork.author][fork.slot].signed
            found.update({fork.first: first} if first else {})
            found[fork.second] = fork.signed
        return found

    def close_feed(self, author: Seat, seq: int) -> None:
        """Keep little of what `author` signs after number `seq`, where it broke the rules or knew of a fault.

        Whoever cheats may sign without end, and a node must not fill up with it. All nodes stop at one place.
        """
        self._ends[author] = min(self._ends[author], seq + MAX_AFTER_FAULT)

    def offer(self, event: Event) -> Admission:
        """Check match, signature, link and references (§4.4, steps 4–6), and append the event.

        Raises :class:`EventRejected` for an event that can never belong here.
        """
        if event.match_id != self.match_id:
            raise EventRejected("other-match", "the event belongs to another match")
        if self._knows(event):
            return Admission.KNOWN
        public = self.genesis.roster[event.author].identity
        verify_signature(public, domains.EVENT_SIGNATURE, event.signed.data, event.signed.signature)
        return self._place(event)

    def offer_again(self, event: Event) -> Admission:
        """Offer an event that was early: its match and its signature have been checked, and are not again.

        Many may wait and are tried whenever something is added, so this must be cheap.
        """
        return Admission.KNOWN if self._knows(event) else self._place(event)

    def _knows(self, event: Event) -> bool:
        feed = self._feeds[event.author]
        if event.seq < len(feed) and feed[event.seq].id == event.id:
            return True
        return any(event.id == fork.second for fork in self.forks)

    def _place(self, event: Event) -> Admission:
        feed = self._feeds[event.author]
        if event.seq < len(feed):
            return self._fork(event)
        if event.seq > self._ends[event.author]:
            return Admission.SURPLUS
        if event.seq > len(feed):
            return Admission.EARLY
        if event.seq == 0:
            if event.prev != self.match_id:
                raise EventRejected("malformed", "the first event of a feed follows the genesis itself")
        elif event.prev != feed[-1].id:
            return self._fork(event)
        if not self._refs_present(event):
            return Admission.EARLY
        feed.append(Entry(event.id, event.vector, event.signed if self._keep_bytes else None))
        return Admission.ADDED

    def _refs_present(self, event: Event) -> bool:
        """Whether all that the event refers to is here.

        An id that differs from ours is waited for: its author may have forked, the referrer has not lied.
        """
        for seat, ref in enumerate(event.refs):
            if ref is None:
                continue
            feed = self._feeds[seat]
            if ref.seq >= len(feed) or feed[ref.seq].id != ref.id:
                return False
        return True

    def _fork(self, event: Event) -> Admission:
        """Keep the proof, unless there are enough that count more.

        Which event it contradicts must not depend on how much of the feed is here already: the one before
        if it does not follow that, else the one of the same number.
        """
        self._forks_seen[event.author] += 1
        if self._forks_seen[event.author] > MAX_FORKS_TAKEN:
            return Admission.KNOWN  # Whoever signs twins without end has been convicted long ago.
        feed = self._feeds[event.author]
        follows = event.seq == 0 or event.prev == feed[event.seq - 1].id
        slot = event.seq if follows else event.seq - 1
        fork = Fork(event.author, slot, event.seq, feed[slot].id, event.id, event.signed)
        kept = [other for other in self.forks if other.author == event.author]
        if len(kept) >= MAX_FORKS:
            least = max(kept, key=_weight)
            if _weight(fork) >= _weight(least):
                return Admission.KNOWN
            self.forks.remove(least)
        self.forks.append(fork)
        return Admission.FORK


def _weight(fork: Fork) -> tuple[int, bytes]:
    return fork.place, fork.second


def check_vector(log: EventLog, event: Event) -> None:
    """Raise a :class:`Fault` when the references forget what the author had provably seen (§4.6)."""
    known = list(log.entry(event.author, event.seq - 1).vector) if event.seq else [UNSEEN] * len(SEATS)
    for seat, ref in enumerate(event.refs):
        if ref is not None:
            known = [max(pair) for pair in zip(known, log.entry(seat, ref.seq).vector, strict=True)]
    for seat in SEATS:
        if seat != event.author and event.vector[seat] < known[seat]:
            raise Fault("backdated-refs", f"it hides that its author had seen more of seat {seat}")
