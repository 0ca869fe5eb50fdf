from __future__ import annotations

from hashlib import sha256, sha512
from itertools import product

import pytest

from protocol.crypto.hashing import digest, digest64, frame, u8, u16, u32, u64


def test_the_frame_is_laid_out_as_documented() -> None:
    assert frame(b"ab", b"", b"cde") == b"\x02\0\0\0ab\0\0\0\0\x03\0\0\0cde"
    assert digest(b"ab", b"c") == sha256(b"\x02\0\0\0ab\x01\0\0\0c").digest()
    assert digest64(b"ab", b"c") == sha512(b"\x02\0\0\0ab\x01\0\0\0c").digest()


def test_different_fields_have_different_frames() -> None:
    pieces = [b"", b"a", b"ab", b"\x01\0\0\0a"]
    lists = [fields for count in range(1, 4) for fields in product(pieces, repeat=count)]
    assert len({frame(*fields) for fields in lists}) == len(lists)


def test_integers_are_little_endian_and_never_wrap() -> None:
    assert (u8(1), u16(258), u32(258), u64(258)) == (b"\1", b"\2\1", b"\2\1\0\0", b"\2\1" + bytes(6))
    for encode, bits in ((u8, 8), (u16, 16), (u32, 32), (u64, 64)):
        for value in (-1, 1 << bits):
            with pytest.raises(OverflowError):
                encode(value)
