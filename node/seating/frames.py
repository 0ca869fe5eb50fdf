"""What the nodes at a table say to each other before a match and between matches (§9.6).

The host repeats who sits where (`seats`), a guest repeats that it is here and ready (`here`), the host
proposes the genesis (`genesis`), and either side says goodbye (`leave`). A guest that would like another
seat repeats which (`wish`). During a match everybody repeats where the seats can be reached (`addresses`).
Who comes back to a seat asks whether it is free (`return`), which only another program with the same key
can deny (`taken`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from engine.cards import SEATS, Seat
from engine.options import Options
from node.names import clean_name
from node.seating.going_on import GoingOn, decode_going_on
from protocol.encoding import Value, pack
from protocol.errors import FrameRejected, GenesisError
from protocol.genesis import options_value, read_options
from protocol.limits import DEFAULT_GRACE

SEATS_FRAME: Final = "seats"
HERE: Final = "here"
GENESIS: Final = "genesis"
LEAVE: Final = "leave"
WISH: Final = "wish"
ADDRESSES: Final = "addresses"
RETURN: Final = "return"
TAKEN: Final = "taken"

MAX_ADDRESSES: Final = 8
RUN_BYTES: Final = 16
_MAX_HOST_BYTES: Final = 64

Address: TypeAlias = "tuple[str, int]"


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who has taken a seat: keys as 32 raw bytes each, and where its link listens."""

    name: str
    identity: bytes
    transport: bytes
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Seating:
    """The host's picture of the table. `round` counts the matches begun here before.

    `going_on` is the match that the first one here goes on with, if it does.
    """

    table_id: bytes
    table_name: str
    round: int
    options: Options
    for_show: bool
    seats: tuple[Occupant | None, ...]
    grace: int = DEFAULT_GRACE
    going_on: GoingOn | None = None

    def encode(self) -> bytes:
        """The frame that carries it."""
        options = options_value(self.options, self.grace)
        seats = tuple(
            occupant and (occupant.name, occupant.identity, occupant.transport, occupant.addresses)
            for occupant in self.seats
        )
        head = (SEATS_FRAME, self.table_id, self.table_name, self.round, options, self.for_show)
        return pack(cast(Value, (*head, seats, self.going_on and self.going_on.value())))


def decode_seating(fields: tuple[Value, ...]) -> Seating:
    """Read the fields of a `seats` frame; raises FrameRejected."""
    _expect(len(fields) == 7)
    table_id, name, number, options, for_show, seats, going_on = fields
    _expect(
        _is_blob(table_id, 16) and isinstance(name, str) and type(number) is int and type(for_show) is bool
    )
    _expect(isinstance(seats, tuple) and len(seats) == len(SEATS))
    rules, grace = _options(options)
    return Seating(
        table_id=cast(bytes, table_id),
        table_name=clean_name(cast(str, name)),
        round=cast(int, number),
        options=rules,
        for_show=cast(bool, for_show),
        seats=tuple(_occupant(entry) for entry in cast("tuple[Value, ...]", seats)),
        grace=grace,
        going_on=decode_going_on(going_on),
    )


def here_frame(table_id: bytes, number: int | None, nonce: bytes) -> bytes:
    """A guest is here and agrees to play round `number`, with its nonce for the genesis.

    None: it is here, but has not agreed to anything yet.
    """
    return pack((HERE, table_id, number, nonce))


def decode_here(fields: tuple[Value, ...]) -> tuple[bytes, int | None, bytes]:
    """Read a `here` frame: table id, round, nonce; raises FrameRejected."""
    _expect(len(fields) == 3)
    table_id, number, nonce = fields
    _expect(_is_blob(table_id, 16) and (number is None or type(number) is int) and _is_blob(nonce, 32))
    return cast(bytes, table_id), cast("int | None", number), cast(bytes, nonce)


def genesis_frame(table_id: bytes, genesis: bytes) -> bytes:
    """The host's proposal for a match."""
    return pack((GENESIS, table_id, genesis))


def leave_frame(table_id: bytes) -> bytes:
    """The sender leaves the table; from the host: the table is closed."""
    return pack((LEAVE, table_id))


def decode_blob(fields: tuple[Value, ...]) -> tuple[bytes, bytes]:
    """Read a `genesis` frame: table id and genesis bytes; raises FrameRejected."""
    _expect(len(fields) == 2 and _is_blob(fields[0], 16) and isinstance(fields[1], bytes))
    return cast("tuple[bytes, bytes]", fields)


def wish_frame(table_id: bytes, seat: Seat | None) -> bytes:
    """A guest would like this seat, or is content (None)."""
    return pack((WISH, table_id, seat))


def decode_wish(fields: tuple[Value, ...]) -> tuple[bytes, Seat | None]:
    """Read a `wish` frame: table id and seat; raises FrameRejected."""
    _expect(len(fields) == 2)
    table_id, seat = fields
    _expect(_is_blob(table_id, 16) and (seat is None or (type(seat) is int and seat in SEATS)))
    return cast(bytes, table_id), cast("Seat | None", seat)


def encode_addresses(match_id: bytes, seats: Sequence[tuple[Address, ...]]) -> bytes:
    """Where each of the four seats of a match can be reached."""
    return pack((ADDRESSES, match_id, tuple(seats)))


def decode_addresses(fields: tuple[Value, ...]) -> tuple[bytes, list[tuple[Address, ...]]]:
    """Read an `addresses` frame: match id, and addresses by seat; raises FrameRejected."""
    _expect(len(fields) == 2)
    match_id, seats = fields
    _expect(_is_blob(match_id, 32) and isinstance(seats, tuple) and len(seats) == len(SEATS))
    return cast(bytes, match_id), [_addresses(entry) for entry in cast("tuple[Value, ...]", seats)]


def return_frame(match_id: bytes, seat: int, run: bytes) -> bytes:
    """A program comes back to a seat; `run` is a random name for it."""
    return pack((RETURN, match_id, seat, run))


def decode_return(fields: tuple[Value, ...]) -> tuple[bytes, int, bytes]:
    """Read a `return` frame: match id, seat, run; raises FrameRejected."""
    _expect(len(fields) == 3)
    match_id, seat, run = fields
    _expect(_is_blob(match_id, 32) and type(seat) is int and seat in SEATS and _is_blob(run, RUN_BYTES))
    return cast(bytes, match_id), cast(int, seat), cast(bytes, run)


def taken_frame(match_id: bytes, seat: int, run: bytes, proof: bytes) -> bytes:
    """Another program is in the seat to which `run` comes back, with the same transport key."""
    return pack((TAKEN, match_id, seat, run, proof))


def decode_taken(fields: tuple[Value, ...]) -> tuple[bytes, int, bytes, bytes]:
    """Read a `taken` frame: match id, seat, run, proof; raises FrameRejected."""
    _expect(len(fields) == 4 and _is_blob(fields[3], 32))
    return *decode_return(fields[:3]), cast(bytes, fields[3])


def _options(value: Value) -> tuple[Options, int]:
    try:
        return read_options(value)
    except GenesisError as error:
        raise FrameRejected("malformed", "table options that cannot be played") from error


def _occupant(value: Value) -> Occupant | None:
    if value is None:
        return None
    _expect(isinstance(value, tuple) and len(value) == 4)
    name, identity, transport, addresses = cast("tuple[Value, ...]", value)
    _expect(isinstance(name, str) and _is_blob(identity, 32) and _is_blob(transport, 32))
    return Occupant(
        clean_name(cast(str, name)), cast(bytes, identity), cast(bytes, transport), _addresses(addresses)
    )


def _addresses(value: Value) -> tuple[Address, ...]:
    _expect(isinstance(value, tuple) and len(value) <= MAX_ADDRESSES)
    return tuple(_address(entry) for entry in cast("tuple[Value, ...]", value))


def _address(value: Value) -> Address:
    _expect(isinstance(value, tuple) and len(value) == 2)
    host, port = cast("tuple[Value, ...]", value)
    _expect(isinstance(host, str) and len(host.encode()) <= _MAX_HOST_BYTES)
    _expect(type(port) is int and 0 < port < 65_536)
    return cast(str, host), cast(int, port)


def _is_blob(value: Value, length: int) -> bool:
    return isinstance(value, bytes) and len(value) == length


def _expect(condition: bool) -> None:
    if not condition:
        raise FrameRejected("malformed", "a frame of the gathering with fields of a wrong type")
