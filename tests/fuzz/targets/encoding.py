"""INVARIANT: bytes are decoded to the one value whose encoding they are, or refused as EncodingError.

What comes out holds no type but integers, bytes, text, booleans, nil and tuples of these, no deeper and no
longer than the limits, and encoding it gives exactly the bytes that came in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from protocol.encoding import Value, pack, unpack
from protocol.errors import EncodingError
from protocol.limits import MAX_ARRAY, MAX_DEPTH, MAX_FRAME_BYTES
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, nested, pack_any, unpack_any


class Encoding:
    """`protocol.encoding.unpack`."""

    name = "encoding"
    refusals: ClassVar[Mapping[str, str]] = {
        "oversized": "longer than the caller allows; refused before anything is read",
        "undecodable": "no msgpack, cut short, something behind it, or a length above a limit",
        "forbidden-type": "floats and the like have more than one form, so they do not exist here",
        "too-deep": "recursion on what others send has to end somewhere",
        "not-canonical": "one value must not have two encodings, or it would have two ids",
    }

    def __init__(self) -> None:
        corpus.datas()

    def draw(self, rng: Random) -> tuple[bytes, int]:
        """Bytes and the limit to read them with."""
        data = rng.choice(corpus.datas())
        limit = rng.choice((MAX_FRAME_BYTES, MAX_FRAME_BYTES, MAX_FRAME_BYTES, 1_024, len(data)))
        way = rng.randrange(10)
        if way < 4:
            return mutate_bytes(rng, data, corpus.datas()), limit
        if way < 7:
            return pack_any(mutate_value(rng, unpack_any(data))), limit
        if way < 9:
            return pack_any(any_value(rng)), limit
        return nested(rng), limit

    def feed(self, given: tuple[bytes, int]) -> Iterator[str]:
        """Decode, and look at what came out."""
        data, limit = given
        try:
            value = unpack(data, limit=limit)
        except EncodingError as error:
            yield error.code
            return
        assert len(data) <= limit
        assert pack(value) == data
        _check(value, MAX_DEPTH)
        yield ACCEPTED


def _check(value: Value, depth: int) -> None:
    if isinstance(value, tuple):
        assert type(value) is tuple
        assert depth > 0
        assert len(value) <= MAX_ARRAY
        for item in value:
            _check(item, depth - 1)
    else:
        assert type(value) in (int, bytes, str, bool, type(None))
