"""What an event of each kind carries (§5): one dataclass a kind, fields in their order on the wire."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import ClassVar, Final, TypeAlias, cast

from engine.cards import Seat
from protocol.encoding import Value
from protocol.errors import Fault
from protocol.fields import (
    CIPHERTEXT_BYTES,
    DEAL,
    DEALT_SHARES,
    DECK,
    DECK_SIZE,
    HASH,
    PARTS_BYTES,
    SEAT,
    SHARE_BYTES,
    SHOWN,
    STOCK,
    STOCK_SIZE,
    TRICK,
    Check,
    ascending_slots,
    blob,
    one_of,
    openings,
    uint,
)


@dataclass(frozen=True, slots=True)
class Accept:
    """§5.1 The author accepts the genesis whose hash is the match id, and says how to seal for it (§6.12)."""

    encryption: bytes
    KIND: ClassVar = "accept"
    FIELDS: ClassVar[tuple[Check, ...]] = (HASH,)


@dataclass(frozen=True, slots=True)
class CoinCommit:
    """§5.2 Commitment to the author's half of the coin that draws the first dealer (R4)."""

    commitment: bytes
    KIND: ClassVar = "coin-commit"
    FIELDS: ClassVar[tuple[Check, ...]] = (HASH,)


@dataclass(frozen=True, slots=True)
class CoinReveal:
    """§5.3 The nonce that was committed to."""

    nonce: bytes
    KIND: ClassVar = "coin-reveal"
    FIELDS: ClassVar[tuple[Check, ...]] = (HASH,)


@dataclass(frozen=True, slots=True)
class Key:
    """§5.4 The author's public key for one deal, a proof that it knows the secret one, and that in parts."""

    deal: int
    public: bytes
    proof: bytes
    parts: bytes
    KIND: ClassVar = "key"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, HASH, blob(64), blob(PARTS_BYTES))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """§5.5 One step of the shuffle of the whole deck or of the stock, with its proof."""

    deal: int
    stage: str
    deck: bytes
    proof: bytes
    KIND: ClassVar = "shuffle"
    FIELDS: ClassVar[tuple[Check, ...]] = (
        DEAL,
        one_of(DECK, STOCK),
        blob(CIPHERTEXT_BYTES * DECK_SIZE, CIPHERTEXT_BYTES * STOCK_SIZE),
        lambda value: isinstance(value, bytes),
    )


@dataclass(frozen=True, slots=True)
class Dealt:
    """§5.6 The author's shares of the twelve cards of the others, in slot order, then the indicator's."""

    deal: int
    shares: bytes
    KIND: ClassVar = "deal"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, blob(SHARE_BYTES * DEALT_SHARES))


@dataclass(frozen=True, slots=True)
class Led:
    """§5.7 The seat entitled to lead shows cards of one suit (R7): their slots and its shares."""

    deal: int
    trick: int
    slots: tuple[int, ...]
    shares: bytes
    KIND: ClassVar = "lead"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, TRICK, ascending_slots, SHOWN)


@dataclass(frozen=True, slots=True)
class Claimed:
    """§5.8 Another seat leads four cards of one suit out of turn (R13)."""

    deal: int
    trick: int
    slots: tuple[int, ...]
    shares: bytes
    KIND: ClassVar = "molodka"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, TRICK, ascending_slots, SHOWN)


@dataclass(frozen=True, slots=True)
class Beaten:
    """§5.9 Higher cards, face up, on the lead of seat `on` (R9)."""

    deal: int
    trick: int
    on: Seat
    slots: tuple[int, ...]
    shares: bytes
    KIND: ClassVar = "beat"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, TRICK, SEAT, ascending_slots, SHOWN)


@dataclass(frozen=True, slots=True)
class Discarded:
    """§5.10 Cards face down on the lead of seat `on` (R10): how many, and a commitment to which."""

    deal: int
    trick: int
    on: Seat
    count: int
    commitment: bytes
    KIND: ClassVar = "discard"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, TRICK, SEAT, uint(5), HASH)


@dataclass(frozen=True, slots=True)
class Drawn:
    """§5.11 The author's shares of the cards that the others draw after a trick (R12), in slot order."""

    deal: int
    trick: int
    shares: bytes
    KIND: ClassVar = "draw"
    FIELDS: ClassVar[tuple[Check, ...]] = (
        DEAL,
        TRICK,
        blob(*(SHARE_BYTES * count for count in range(1, DEALT_SHARES))),
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """§5.12 The author's secret deal key, and (trick, salt, slots) of each discard of its that stood."""

    deal: int
    key: bytes
    discards: tuple[tuple[int, bytes, tuple[int, ...]], ...]
    KIND: ClassVar = "open"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, HASH, openings)


@dataclass(frozen=True, slots=True)
class Result:
    """§5.13 The hash of the deal's result as the author computed it."""

    deal: int
    hash: bytes
    KIND: ClassVar = "result"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, HASH)


@dataclass(frozen=True, slots=True)
class Concluded:
    """§5.14 The hash of the match's final state; a log with four of these is whole."""

    hash: bytes
    KIND: ClassVar = "final"
    FIELDS: ClassVar[tuple[Check, ...]] = (HASH,)


@dataclass(frozen=True, slots=True)
class Complaint:
    """§5.15 The part of a seat's key that the author got is not what was published; its secret shows that."""

    deal: int
    seat: Seat
    secret: bytes
    KIND: ClassVar = "complaint"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, SEAT, HASH)


@dataclass(frozen=True, slots=True)
class Lost:
    """§5.16 The author declares that a seat is lost for the rest of the deal."""

    deal: int
    seat: Seat
    KIND: ClassVar = "lost"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, SEAT)


@dataclass(frozen=True, slots=True)
class Rescue:
    """§5.17 The author's part of the lost seat's key and of the seed of its salts."""

    deal: int
    seat: Seat
    part: bytes
    KIND: ClassVar = "rescue"
    FIELDS: ClassVar[tuple[Check, ...]] = (DEAL, SEAT, blob(64))


Shown: TypeAlias = Led | Claimed | Beaten
Body: TypeAlias = (
    Accept
    | CoinCommit
    | CoinReveal
    | Key
    | Shuffle
    | Dealt
    | Led
    | Claimed
    | Beaten
    | Discarded
    | Drawn
    | Opened
    | Result
    | Concluded
    | Complaint
    | Lost
    | Rescue
)

_KINDS: Final[dict[str, type[Body]]] = {
    body.KIND: body
    for body in (
        Accept,
        CoinCommit,
        CoinReveal,
        Key,
        Shuffle,
        Dealt,
        Led,
        Claimed,
        Beaten,
        Discarded,
        Drawn,
        Opened,
        Result,
        Concluded,
        Complaint,
        Lost,
        Rescue,
    )
}
KINDS: Final = tuple(_KINDS)


def pack_body(body: Body) -> tuple[Value, ...]:
    """Return the fields of a body as they stand in its event."""
    return cast("tuple[Value, ...]", astuple(body))


def parse_body(kind: str, fields: tuple[Value, ...]) -> Body:
    """Read the body of an event; a body that its signer cannot have meant is a :class:`Fault`."""
    body = _KINDS.get(kind)
    if body is None:
        raise Fault("unknown-kind", "an event of a kind that the protocol does not have")
    if len(fields) != len(body.FIELDS):
        raise Fault(
            "malformed-body", f"a {kind} event with {len(fields)} fields instead of {len(body.FIELDS)}"
        )
    for number, (check, value) in enumerate(zip(body.FIELDS, fields, strict=True)):
        if not check(value):
            raise Fault("malformed-body", f"field {number} of a {kind} event is not what it must be")
    return body(*fields)  # type: ignore[arg-type]
