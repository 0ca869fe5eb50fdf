"""Canonical msgpack (§2): arrays, integers, byte strings, text, nil, booleans, and one spelling for each.

Maps, floats and extension types do not exist in the protocol, so two nodes can never disagree on
key order or rounding; ``pack(unpack(data)) == data`` is required of everything that is received.
"""

from __future__ import annotations

from typing import TypeAlias

import msgpack

from protocol.errors import EncodingError
from protocol.limits import MAX_ARRAY, MAX_DEPTH, MAX_FRAME_BYTES

Value: TypeAlias = "bool | int | bytes | str | tuple[Value, ...] | None"

_SCALARS = (int, bytes, str, bool, type(None))


def pack(value: Value) -> bytes:
    """Return the one canonical encoding of `value`."""
    encoded: bytes = msgpack.packb(value, use_bin_type=True)
    return encoded


def unpack(data: bytes, *, limit: int, max_array: int = MAX_ARRAY) -> Value:
    """Decode canonical bytes of at most `limit` bytes; arrays come back as tuples.

    Raises :class:`EncodingError` with code ``oversized``, ``undecodable``, ``forbidden-type``,
    ``too-deep`` or ``not-canonical``.
    """
    if len(data) > limit:
        raise EncodingError("oversized", f"{len(data)} bytes where at most {limit} are allowed")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_array_len=max_array,
            max_bin_len=MAX_FRAME_BYTES,
            max_str_len=limit,
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise EncodingError("undecodable", "not msgpack within the limits of the protocol") from error
    _check(value, MAX_DEPTH)
    if pack(value) != data:
        raise EncodingError("not-canonical", "the same value has a shorter or different encoding")
    checked: Value = value
    return checked


def _check(value: object, depth: int) -> None:
    """Refuse types that have no canonical form here, and arrays nested deeper than `depth`."""
    if type(value) is tuple:  # an extension comes as a subclass of it
        if depth == 0:
            raise EncodingError("too-deep", f"arrays nested more than {MAX_DEPTH} deep")
        for item in value:
            _check(item, depth - 1)
    elif type(value) not in _SCALARS:
        raise EncodingError("forbidden-type", f"a value of type {type(value).__name__}")
