"""What the nodes at a table say to each other before a match and between matches (§9.6).

The host repeats who sits where (`seats`), a guest repeats that it is here and ready (`here`), the host
proposes the genesis (`genesis`), and either side says goodbye (`leave`). During a match everybody
repeats where the seats can be reached (`addresses`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from engine.cards import SEATS
from engine.options import Eggs, MolodkaRule, Options
from node.names import clean_name
from protocol.encoding import Value, pack
from protocol.errors import FrameRejected

SEATS_FRAME: Final = "seats"
HERE: Final = "here"
GENESIS: Final = "genesis"
LEAVE: Final = "leave"
ADDRESSES: Final = "addresses"

MAX_ADDRESSES: Final = 8
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
    """The host's picture of the table. `round` counts the matches begun here before."""

    table_id: bytes
    table_name: str
    round: int
    options: Options
    for_show: bool
    seats: tuple[Occupant | None, ...]

    def encode(self) -> bytes:
        """The frame that carries it."""
        options = (self.options.target, self.options.eggs.value, self.options.molodka.value)
        seats = tuple(
            occupant and (occupant.name, occupant.identity, occupant.transport, occupant.addresses)
            for occupant in self.seats
        )
        head = (SEATS_FRAME, self.table_id, self.table_name, self.round, options, self.for_show)
        return pack(cast(Value, (*head, seats)))


def decode_seating(fields: tuple[Value, ...]) -> Seating:
    """Read the fields of a `seats` frame; raises FrameRejected."""
    _expect(len(fields) == 6)
    table_id, name, number, options, for_show, seats = fields
    _expect(
        _is_blob(table_id, 16) and isinstance(name, str) and type(number) is int and type(for_show) is bool
    )
    _expect(isinstance(seats, tuple) and len(seats) == len(SEATS))
    return Seating(
        table_id=cast(bytes, table_id),
        table_name=clean_name(cast(str, name)),
        round=cast(int, number),
        options=_options(options),
        for_show=cast(bool, for_show),
        seats=tuple(_occupant(entry) for entry in cast("tuple[Value, ...]", seats)),
    )


def here_frame(table_id: bytes, number: int, nonce: bytes) -> bytes:
    """A guest is here and agrees to play round `number`, with its nonce for the genesis."""
    return pack((HERE, table_id, number, nonce))


def decode_here(fields: tuple[Value, ...]) -> tuple[bytes, int, bytes]:
    """Read a `here` frame: table id, round, nonce; raises FrameRejected."""
    _expect(len(fields) == 3)
    table_id, number, nonce = fields
    _expect(_is_blob(table_id, 16) and type(number) is int and _is_blob(nonce, 32))
    return cast(bytes, table_id), cast(int, number), cast(bytes, nonce)


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


def encode_addresses(match_id: bytes, seats: Sequence[tuple[Address, ...]]) -> bytes:
    """Where each of the four seats of a match can be reached."""
    return pack((ADDRESSES, match_id, tuple(seats)))


def decode_addresses(fields: tuple[Value, ...]) -> tuple[bytes, list[tuple[Address, ...]]]:
    """Read an `addresses` frame: match id, and addresses by seat; raises FrameRejected."""
    _expect(len(fields) == 2)
    match_id, seats = fields
    _expect(_is_blob(match_id, 32) and isinstance(seats, tuple) and len(seats) == len(SEATS))
    return cast(bytes, match_id), [_addresses(entry) for entry in cast("tuple[Value, ...]", seats)]


def _options(value: Value) -> Options:
    _expect(isinstance(value, tuple) and len(value) == 3)
    target, eggs, molodka = cast("tuple[Value, ...]", value)
    _expect(type(target) is int and isinstance(eggs, str) and isinstance(molodka, str))
    try:
        return Options(cast(int, target), Eggs(cast(str, eggs)), MolodkaRule(cast(str, molodka)))
    except ValueError as error:
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
