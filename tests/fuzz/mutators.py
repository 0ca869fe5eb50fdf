"""Makes bad input from good: in the bytes, in the values of msgpack, and in its headers.

Everything takes its randomness as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, cast

import msgpack

_NUMBERS: Final = (
    *(0, 1, 2, 3, 4, 5, 15, 16, 31, 32, 35, 36, 63, 64, 65, 127, 128, 255, 256, 9_999, 10_000),
    *(65_535, 65_536, 1_000_000, 1_000_001, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1),
    *(-1, -32, -33, -128, -129, -(2**31), -(2**63)),
)
_TEXTS: Final = (
    *("", "x", "have", "events", "accept", "shuffle", "lead", "key", "kozel", "refused", "sealed", "deck"),
    *("\0", "\x1b[2J", "\u202eabc", "\u2028", "\ud7ff", "\U000e0001", "a" * 25, "ы" * 300, "🂡" * 40, "{0}"),
)
_LENGTHS: Final = (0, 1, 16, 31, 32, 33, 40, 63, 64, 65, 96, 192, 256, 1_248, 2_304, 4_768, 16_385)
_HEADERS: Final = (
    b"\xdd\xff\xff\xff\xff",  # an array, a map, bytes, a text and an extension of 4 GiB
    b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xdc\xff\xff",
    b"\xdd\x00\x00\x00\x41",  # one element more than an array may have
    b"\xc7\x00\xff",  # a timestamp of no bytes, an extension of no bytes
    b"\xc7\x00\x01",
    b"\xd7\xff" + b"\xff" * 8,
    b"\xd4\x00\x00",
    b"\xc1",  # never used
    b"\x80",
    b"\x81\xc0\xc0",
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",  # not a number
    b"\xcc\x01",  # longer than need be: an integer, bytes, a text, an array
    b"\xd3\x00\x00\x00\x00\x00\x00\x00\x01",
    b"\xc5\x00\x01a",
    b"\xd9\x01a",
    b"\xdc\x00\x01\xc0",
    b"\xa2\xff\xfe",  # not UTF-8
    b"\xa3\xed\xa0\x80",  # half of a surrogate pair
)
_NESTINGS: Final = (b"\x91", b"\xdc\x00\x01", b"\x81\xc0", b"\x92\xc0", b"\xdc\x00\x40")


def pack_any(value: Any) -> bytes:
    """Msgpack without the limits of the protocol: floats, maps and all."""
    return cast(bytes, msgpack.packb(value, use_bin_type=True))


def unpack_any(data: bytes) -> Any:
    """What `pack_any` has packed; arrays come back as tuples."""
    return msgpack.unpackb(data, use_list=False, strict_map_key=False)


def any_value(rng: Random, depth: int = 3) -> Any:
    """Any value that msgpack can hold, most of them close to a limit."""
    kind = rng.randrange(16)
    if kind < 4:
        return any_number(rng)
    if kind < 7:
        return rng.randbytes(rng.choice(_LENGTHS))
    if kind < 9:
        return rng.choice(_TEXTS)
    if kind < 11:
        return rng.choice((None, True, False))
    if kind < 14:
        return tuple(any_value(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 3, 4, 8)) if depth else 0))
    return rng.choice((0.0, -1.5, float("nan"), {}, {1: 2}, msgpack.ExtType(5, b""), msgpack.Timestamp(0)))


def any_number(rng: Random) -> int:
    """A number, most often one that is close to a limit."""
    return rng.choice(_NUMBERS) if rng.random() < 0.8 else rng.randrange(-(2**63), 2**64)


def mutate_value(rng: Random, value: Any) -> Any:
    """The value with one to three changes somewhere inside."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        value = _mutate_inside(rng, value)
    return value


def _mutate_inside(rng: Random, value: Any) -> Any:
    if isinstance(value, tuple) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        return (*value[:place], _mutate_inside(rng, value[place]), *value[place + 1 :])
    if rng.random() < 0.35:
        return any_value(rng)
    if isinstance(value, tuple):
        return _mutate_array(rng, value)
    if isinstance(value, bytes):
        return mutate_bytes(rng, value)
    if isinstance(value, str):
        return rng.choice((value + rng.choice(_TEXTS), value[:-1], value.upper(), value.encode(), value * 9))
    if type(value) is int:
        close = max(-(2**63), min(2**64 - 1, value + rng.choice((1, -1, -2 * value))))
        return rng.choice((close, close, close, bool(value), float(value), str(value), (value,)))
    return any_value(rng)


def _mutate_array(rng: Random, value: tuple[Any, ...]) -> Any:
    place, other = (rng.randrange(len(value) + 1) for _ in range(2))
    low, high = sorted((place, other))
    return rng.choice(
        (
            value[:low] + value[high:],
            value[:high] + value[low:],
            value[::-1],
            (*value[:place], any_value(rng), *value[place:]),
            value * rng.choice((2, 17)),
            (value,),
            value[:low] + value[low:high][::-1] + value[high:],
        )
    )


def mutate_bytes(rng: Random, data: bytes, others: Sequence[bytes] = ()) -> bytes:
    """The bytes with one to three changes; `others` are what pieces are taken from."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(_BYTE_CHANGES)(rng, data, others)
    return data


def nested(rng: Random) -> bytes:
    """Arrays or maps in one another, up to sixty thousand deep."""
    return rng.choice(_NESTINGS) * rng.choice((1, 5, 6, 7, 8, 100, 511, 512, 1_024, 20_000)) + b"\xc0"


def _flip(rng: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(rng: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return rng.choice((data[:place], data[place:]))


def _drop(rng: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    low, high = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:low] + data[high:]


def _repeat(rng: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    low, high = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:high] + data[low:]


def _splice(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others) if others else data
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _insert(rng: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    piece = rng.choice(
        (rng.choice(_HEADERS), rng.choice(_HEADERS), rng.randbytes(rng.randrange(9)), nested(rng))
    )
    return data[:place] + piece + data[place + rng.choice((0, 0, 1, len(piece))) :]


_BYTE_CHANGES: Final[tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...]] = (
    *(_flip, _flip, _flip),
    *(_cut, _drop, _repeat, _splice, _insert, _insert),
)
