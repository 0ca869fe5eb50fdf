"""Events (§4): the signed facts that a match is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, cast

from engine.cards import SEATS, Seat
from protocol import domains
from protocol.crypto.transcript import digest
from protocol.encoding import Value, pack, unpack
from protocol.errors import EncodingError, EventRejected
from protocol.identity import SIGNATURE_BYTES, Identity
from protocol.limits import MAX_EVENT_BYTES, MAX_KIND_BYTES, MAX_SEQ, VERSION

_FIELDS: Final = 8
UNSEEN: Final = -1
"""Sequence number in a version vector for a feed of which nothing was seen."""


class Ref(NamedTuple):
    """Names one event: its sequence number in its feed, and its id."""

    seq: int
    id: bytes


class Position(NamedTuple):
    """Where an event stands: its author's seat and its number in that author's feed."""

    author: Seat
    seq: int


class SignedEvent(NamedTuple):
    """An event as it travels and as it is stored: the signed bytes, untouched, and the signature."""

    data: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """A decoded event. `refs` has an entry for each seat, None for the author's own and unseen feeds.

    `vector[s]` is the last sequence number of seat s in this event's causal past, itself included.
    """

    match_id: bytes
    author: Seat
    seq: int
    prev: bytes
    refs: tuple[Ref | None, ...]
    kind: str
    body: tuple[Value, ...]
    id: bytes
    signed: SignedEvent
    vector: tuple[int, ...] = field(default=())

    @property
    def position(self) -> Position:
        """The event's place in the log."""
        return Position(self.author, self.seq)

    def saw(self, position: Position) -> bool:
        """Tell whether the event at `position` is in the causal past of this one."""
        author, seq = position
        if author == self.author:
            return seq < self.seq
        return seq <= self.vector[author]


def event_id(data: bytes) -> bytes:
    """Return the 32-byte id of an event: the hash of its signed bytes, without the signature (§4.2)."""
    return digest(domains.EVENT_ID, data)


def sign_event(
    identity: Identity,
    match_id: bytes,
    author: Seat,
    seq: int,
    prev: bytes,
    refs: Sequence[Ref | None],
    kind: str,
    body: tuple[Value, ...],
) -> Event:
    """Make, encode and sign an event (§4.1–4.3)."""
    value = (VERSION, match_id, author, seq, prev, tuple(ref and tuple(ref) for ref in refs), kind, body)
    data = pack(cast(Value, value))
    signature = identity.sign(domains.EVENT_SIGNATURE, data)
    return decode_event(SignedEvent(data, signature))


def decode_event(signed: SignedEvent) -> Event:
    """Check limits, types and canonical bytes (§4.4, steps 1–3); the signature is not looked at here."""
    if len(signed.signature) != SIGNATURE_BYTES:
        raise EventRejected("bad-signature", f"a signature has {SIGNATURE_BYTES} bytes")
    try:
        value = unpack(signed.data, limit=MAX_EVENT_BYTES)
    except EncodingError as error:
        raise EventRejected(error.code, f"the event is unreadable: {error.detail}") from error
    if not isinstance(value, tuple) or len(value) != _FIELDS:
        raise EventRejected("malformed", f"an event is an array of {_FIELDS} fields")
    version, match_id, author, seq, prev, refs, kind, body = value
    if version != VERSION or type(version) is not int:
        raise EventRejected(
            "version", f"an event of protocol version {version!r}; this program speaks {VERSION}"
        )
    _expect(_is_hash(match_id) and _is_hash(prev), "a hash has not 32 bytes")
    _expect(type(author) is int and author in SEATS, "the author is not a seat")
    _expect(type(seq) is int and 0 <= seq <= MAX_SEQ, "the sequence number is out of range")
    _expect(
        isinstance(kind, str) and 0 < len(kind.encode()) <= MAX_KIND_BYTES, "the kind is not a short text"
    )
    _expect(isinstance(body, tuple), "the body is not an array")
    decoded = _refs(refs, cast(Seat, author))
    return Event(
        match_id=cast(bytes, match_id),
        author=cast(Seat, author),
        seq=cast(int, seq),
        prev=cast(bytes, prev),
        refs=decoded,
        kind=cast(str, kind),
        body=cast("tuple[Value, ...]", body),
        id=event_id(signed.data),
        signed=signed,
        vector=_vector(decoded, cast(Seat, author), cast(int, seq)),
    )


def _vector(refs: tuple[Ref | None, ...], author: Seat, seq: int) -> tuple[int, ...]:
    return tuple(seq if seat == author else (ref.seq if ref else UNSEEN) for seat, ref in enumerate(refs))


def _refs(value: Value, author: Seat) -> tuple[Ref | None, ...]:
    _expect(isinstance(value, tuple) and len(value) == len(SEATS), "there are not four references")
    refs: list[Ref | None] = []
    for seat, entry in enumerate(cast("tuple[Value, ...]", value)):
        if entry is None:
            refs.append(None)
            continue
        _expect(seat != author, "an author refers to itself by `prev` alone")
        _expect(isinstance(entry, tuple) and len(entry) == 2, "a reference is not a number and a hash")
        seq, ref_id = cast("tuple[Value, ...]", entry)
        _expect(type(seq) is int and 0 <= seq <= MAX_SEQ and _is_hash(ref_id), "a reference of a wrong type")
        refs.append(Ref(cast(int, seq), cast(bytes, ref_id)))
    return tuple(refs)


def _is_hash(value: Value) -> bool:
    return isinstance(value, bytes) and len(value) == 32


def _expect(condition: bool, detail: str) -> None:
    if not condition:
        raise EventRejected("malformed", f"the event is malformed: {detail}")
