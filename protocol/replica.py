"""Replication (§9): what two nodes say to each other so that both end with the same log.

Sockets lose messages without a word, so nothing here relies on a message arriving: each node
repeats what it has, and pushes what a peer turns out to lack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, cast

from engine.cards import SEATS
from protocol.encoding import Value, pack, unpack
from protocol.errors import EncodingError, EventRejected, FrameRejected
from protocol.events import Event, Ref, SignedEvent, decode_event
from protocol.limits import MAX_ARRAY, MAX_FORKS, MAX_FRAME_BYTES, MAX_PENDING_EVENTS, MAX_SEQ
from protocol.log import Admission, Entry, EventLog, Fork

HAVE: Final = "have"
EVENTS: Final = "events"

_BATCH_BYTES: Final = 49_152
"""Room for events in one frame; the frame's own limit leaves space for their framing."""
_SLICE_BYTES: Final = 8_192
"""What is taken in at once: one shuffle of the deck, or two of the stock."""
_MAX_EVIDENCE: Final = 2 * MAX_FORKS * len(SEATS)
_ANSWER_BYTES: Final = 4 * _BATCH_BYTES
"""How much one `have` is answered with; the next one continues."""


@dataclass(slots=True)
class Received:
    """What a frame led to: events now in the log, in causal order, new forks, and frames to answer with."""

    added: list[Event] = field(default_factory=list)
    forked: list[Event] = field(default_factory=list)
    proofs: list[Fork] = field(default_factory=list)
    """What each of the forked events proves, together with one of the log."""
    replies: list[bytes] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    early: list[Event] = field(default_factory=list)
    """Those that build on something which is not here; they are held, as far as there is room."""
    heads: tuple[Ref | None, ...] | None = None
    """What the peer says that it has, when the frame was a `have`."""


class Replica:
    """One node's copy of a log, and its half of the conversation that keeps copies equal."""

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self._pending: dict[bytes, Event] = {}
        self.dropped = 0
        """Number of events for which there was no room to wait."""
        self.ready = False
        """Whether some that waited may be usable now: see :meth:`release`."""
        self._asked: tuple[int, frozenset[bytes]] | None = None

    @property
    def waiting(self) -> int:
        """Number of events that wait for something which they refer to."""
        return len(self._pending)

    def have_frame(self) -> bytes:
        """The frame that says which events this node has (§9.2)."""
        heads = tuple(ref and tuple(ref) for ref in self.log.heads())
        forks = tuple(self.log.evidence())
        return pack(cast(Value, (HAVE, self.log.match_id, heads, forks)))

    def events_frame(self, events: list[SignedEvent]) -> bytes:
        """A frame that carries events (§9.3)."""
        return pack((EVENTS, self.log.match_id, tuple((event.data, event.signature) for event in events)))

    def receive(self, frame: bytes) -> Received:
        """Take in one frame from a peer; raise :class:`FrameRejected` when it breaks the grammar."""
        kind, fields = parse_frame(frame)
        if len(fields) < 2 or fields[0] != self.log.match_id:
            raise FrameRejected("other-match", "the frame belongs to another match")
        if kind == HAVE:
            return self._receive_have(fields[1:])
        if kind == EVENTS:
            return self._receive_events(fields[1:])
        raise FrameRejected("unknown-frame", "a frame of a kind that the protocol does not have")

    def add(self, signed: SignedEvent, received: Received) -> None:
        """Offer one event to the log, and then everything that waited for it."""
        self._add(signed, received)
        while self.ready:
            self._release(received, None)

    def release(self) -> Received:
        """Take in a part of what had waited and is usable now; more of it may be `ready` afterwards.

        An author who keeps back one event can have many wait for it, and to judge them all takes a while.
        """
        received = Received()
        self._release(received, _SLICE_BYTES)
        return received

    def _add(self, signed: SignedEvent, received: Received) -> None:
        try:
            event = decode_event(signed)
        except EventRejected as error:
            received.rejected.append(error.code)
            return
        before = len(received.added)
        self._offer(event, self.log.offer, received)
        self.ready = bool(self._pending) and (self.ready or len(received.added) > before)

    def _release(self, received: Received, limit: int | None) -> None:
        """Offer again what waits, until nothing more can be used, or `limit` bytes have been taken in."""
        size = sum(_length(event.signed) for event in received.added)
        while self.ready:
            before = len(received.added)
            for waiting in sorted(self._pending.values(), key=lambda item: (item.seq, item.author)):
                length = _length(waiting.signed)
                if limit is not None and received.added and size + length > limit:
                    return
                del self._pending[waiting.id]
                already = len(received.added)
                self._offer(waiting, self.log.offer_again, received)
                size += length if len(received.added) > already else 0
            self.ready = bool(self._pending) and len(received.added) > before

    def _offer(self, event: Event, offer: Callable[[Event], Admission], received: Received) -> None:
        try:
            admission = offer(event)
        except EventRejected as error:
            received.rejected.append(error.code)
            return
        if admission is Admission.ADDED:
            received.added.append(event)
        elif admission is Admission.FORK:
            received.forked.append(event)
            received.proofs.append(self.log.forks[-1])
        elif admission is Admission.EARLY:
            received.early.append(event)
            self._pending[event.id] = event
            if len(self._pending) > MAX_PENDING_EVENTS:
                # The farthest from being usable goes first; sync will bring it again.
                farthest = max(self._pending.values(), key=lambda item: item.seq)
                del self._pending[farthest.id]
                self.dropped += 1

    def _receive_events(self, fields: tuple[Value, ...]) -> Received:
        received = Received()
        (batch,) = _exactly(fields, 1)
        # The whole frame is read before any of it is used: a log never holds what nobody has judged.
        for signed in _signed_events(batch):
            self._add(signed, received)
        self._release(received, _SLICE_BYTES)
        if self._pending and not self.ready:
            self._ask(received)
        return received

    def _receive_have(self, fields: tuple[Value, ...]) -> Received:
        heads, forks = _exactly(fields, 2)
        theirs = _heads(heads)
        if not (
            isinstance(forks, tuple)
            and len(forks) <= _MAX_EVIDENCE
            and all(isinstance(f, bytes) for f in forks)
        ):
            raise FrameRejected("malformed", "the forks are not a short array of hashes")
        received = Received(heads=theirs)
        proofs = {proof: signed for proof, signed in self.log.evidence().items() if proof not in forks}
        lacking = [signed for other, signed in self._lacking(theirs) if other not in (*forks, *proofs)]
        received.replies.extend(self.frames_of([*proofs.values(), *lacking], _ANSWER_BYTES))
        if any(self._behind(seat, ref) for seat, ref in enumerate(theirs)):
            self._ask(received)
        return received

    def _ask(self, received: Received) -> None:
        """Answer with our own `have`, but only once for each state: else a peer could keep us talking.

        Where a feed has split, nodes lack for ever what they cannot take in. The next tick is soon enough.
        """
        state = (len(self.log), frozenset(self._pending))
        if not self.log.forks and state != self._asked:
            self._asked = state
            received.replies.append(self.have_frame())

    def _behind(self, seat: int, ref: Ref | None) -> bool:
        return ref is not None and ref.seq >= self.log.length(seat)

    def _lacking(self, theirs: tuple[Ref | None, ...]) -> list[tuple[bytes, SignedEvent]]:
        """What the peer has not got, in causal order, so that it can use whatever part reaches it."""
        lacking: list[Entry] = []
        for seat, ref in enumerate(theirs):
            start = 0 if ref is None else ref.seq + 1
            if ref is not None and ref.seq < self.log.length(seat):
                entry = self.log.entry(seat, ref.seq)
                if entry.id != ref.id:
                    lacking.append(entry)  # their feed differs from ours: together the two are the proof
            lacking.extend(self.log.entries_from(seat, start))
        lacking.sort(key=lambda entry: sum(entry.vector))
        return [(entry.id, entry.signed) for entry in lacking if entry.signed is not None]

    def frames_of(self, events: list[SignedEvent], limit: int | None = None) -> Iterator[bytes]:
        """Frames that carry these events in their order, up to `limit` bytes of them (§9.3)."""
        batch: list[SignedEvent] = []
        size = total = 0
        for event in events:
            length = len(event.data) + len(event.signature) + 16
            if batch and (size + length > _BATCH_BYTES or len(batch) == MAX_ARRAY):
                yield self.events_frame(batch)
                batch, size = [], 0
            if limit is not None and total + length > limit:
                break
            batch.append(event)
            size += length
            total += length
        if batch:
            yield self.events_frame(batch)


def parse_frame(frame: bytes) -> tuple[str, tuple[Value, ...]]:
    """Split a frame into its kind and its fields (§9.1)."""
    try:
        value = unpack(frame, limit=MAX_FRAME_BYTES)
    except EncodingError as error:
        raise FrameRejected(error.code, f"a frame is unreadable: {error.detail}") from error
    if not isinstance(value, tuple) or not value or not isinstance(value[0], str):
        raise FrameRejected("malformed", "a frame is an array that opens with its kind")
    return value[0], value[1:]


def in_slices(frame: bytes) -> Iterator[bytes]:
    """The frame; one that carries many events as several frames of few, so that a node can do other things.

    To check a shuffle takes a while, and a frame can hold six. The whole is checked before the first slice
    comes out; raises :class:`FrameRejected` like :meth:`Replica.receive`.
    """
    if len(frame) <= _SLICE_BYTES:
        yield frame
        return
    kind, fields = parse_frame(frame)
    if kind != EVENTS:
        yield frame
        return
    match_id, batch = _exactly(fields, 2)
    events = _signed_events(batch)
    start = 0
    while start < len(events):
        end, size = start + 1, _length(events[start])
        while end < len(events) and size + _length(events[end]) <= _SLICE_BYTES:
            size += _length(events[end])
            end += 1
        yield pack((kind, match_id, tuple(tuple(event) for event in events[start:end])))
        start = end


def _length(event: SignedEvent) -> int:
    return len(event.data) + len(event.signature)


def _signed_events(batch: Value) -> list[SignedEvent]:
    if not isinstance(batch, tuple):
        raise FrameRejected("malformed", "the events are not an array")
    for item in batch:
        if not (isinstance(item, tuple) and len(item) == 2 and all(isinstance(part, bytes) for part in item)):
            raise FrameRejected("malformed", "an event travels as its bytes and its signature")
    return [SignedEvent(*cast("tuple[bytes, bytes]", item)) for item in batch]


def _exactly(fields: tuple[Value, ...], count: int) -> tuple[Value, ...]:
    if len(fields) != count:
        raise FrameRejected("malformed", "a frame with a wrong number of fields")
    return fields


def _heads(value: Value) -> tuple[Ref | None, ...]:
    if not isinstance(value, tuple) or len(value) != len(SEATS):
        raise FrameRejected("malformed", "there are not four heads")
    heads: list[Ref | None] = []
    for entry in value:
        if entry is None:
            heads.append(None)
            continue
        if not (isinstance(entry, tuple) and len(entry) == 2):
            raise FrameRejected("malformed", "a head is a number and a hash")
        seq, head = entry
        if not (type(seq) is int and 0 <= seq <= MAX_SEQ and isinstance(head, bytes) and len(head) == 32):
            raise FrameRejected("malformed", "a head is a number and a hash")
        heads.append(Ref(seq, head))
    return tuple(heads)
