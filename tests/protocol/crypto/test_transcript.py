from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256, shake_256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import domains
from protocol.crypto.group import ORDER
from protocol.crypto.hashing import digest64, frame
from protocol.crypto.transcript import Stream, challenge, derive
from tests.protocol.crypto.cases import SECRET


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 with SHA-256, written from the RFC."""
    key = hmac.digest(salt, secret, sha256)
    output = block = b""
    while len(output) < length:
        block = hmac.digest(key, block + info + bytes([len(output) // 32 + 1]), sha256)
        output += block
    return output[:length]


def test_the_checker_agrees_with_the_rfc() -> None:
    """RFC 5869, test case 1."""
    okm = hkdf(b"\x0b" * 22, bytes(range(13)), bytes(range(0xF0, 0xFA)), 42)
    assert okm.hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )


@pytest.mark.parametrize("length", [16, 32, 64, 100])
def test_derive_is_hkdf_over_the_frame(length: int) -> None:
    expected = hkdf(SECRET, domains.KDF, frame(b"label", b"one", b"two"), length)
    assert derive(SECRET, b"label", b"one", b"two", length=length) == expected


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_secret_has_256_bits(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        derive(bytes(length), b"label")


def test_a_challenge_is_the_wide_digest_modulo_the_order() -> None:
    c = challenge(b"label", b"field")
    assert c == int.from_bytes(digest64(b"label", b"field"), "little") % ORDER
    assert c != challenge(b"label", b"field", b"")


def test_the_stream_is_laid_out_as_documented() -> None:
    key = derive(SECRET, b"label", b"field")
    expected = b"".join(shake_256(key + i.to_bytes(8, "little")).digest(1088) for i in range(3))
    assert Stream(SECRET, b"label", b"field").read(3 * 1088) == expected


@given(st.lists(st.integers(0, 2500), max_size=12))
def test_how_reads_are_cut_makes_no_difference(cuts: list[int]) -> None:
    whole = Stream(SECRET, b"label").read(sum(cuts))
    stream = Stream(SECRET, b"label")
    assert b"".join(stream.read(cut) for cut in cuts) == whole


def test_other_arguments_give_another_stream() -> None:
    arguments = [(SECRET, b"a"), (SECRET, b"b"), (SECRET, b"a", b""), (SECRET, b"a", b"x"), (bytes(32), b"a")]
    assert len({Stream(*parts).read(32) for parts in arguments}) == len(arguments)
    assert Stream(SECRET, b"a").read(32) == Stream(SECRET, b"a").read(32)


class Scripted(Stream):
    """A stream whose bytes the test dictates."""

    def __init__(self, data: bytes) -> None:
        super().__init__(SECRET, b"scripted")
        self._data = data

    def read(self, count: int) -> bytes:
        assert len(self._data) >= count, "more bytes drawn than the script holds"
        head, self._data = self._data[:count], self._data[count:]
        return head


def test_a_zero_scalar_is_drawn_again() -> None:
    script = bytes(64) + ORDER.to_bytes(64, "little") + (ORDER + 5).to_bytes(64, "little")
    assert Scripted(script).scalar() == 5


def test_scalars_are_reduced_from_64_bytes() -> None:
    data = Stream(SECRET, b"label").read(192)
    expected = tuple(int.from_bytes(data[i : i + 64], "little") % ORDER for i in (0, 64, 128))
    assert Stream(SECRET, b"label").scalars(3) == expected


def test_below_rejects_and_never_reduces() -> None:
    assert Scripted(bytes([7, 6, 5, 4])).below(5) == 4
    assert Scripted(bytes([0xFF, 0x0A])).below(11) == 10
    assert Scripted(b"\x00\x01").below(257) == 256
    assert Scripted(b"").below(1) == 0
    with pytest.raises(ValueError, match="no number"):
        Scripted(b"").below(0)


@given(st.integers(1, 100_000), st.binary(min_size=4, max_size=4))
def test_below_stays_below(bound: int, field: bytes) -> None:
    assert 0 <= Stream(SECRET, b"below", field).below(bound) < bound


def test_fisher_yates_follows_its_draws() -> None:
    # below(4), below(3), below(2) draw 0, 1, 0: exchanges (3,0), (2,1), (1,0).
    assert Scripted(bytes([0, 1, 0])).permutation(4) == (2, 3, 1, 0)
    assert Stream(SECRET, b"x").permutation(1) == (0,)
    assert sorted(Stream(SECRET, b"x").permutation(36)) == list(range(36))


def chi_square(counts: Counter[tuple[int, ...]]) -> float:
    kinds = list(permutations(range(4)))
    expected = sum(counts.values()) / len(kinds)
    assert set(counts) <= set(kinds)
    return sum((counts[kind] - expected) ** 2 / expected for kind in kinds)


LIMIT = 49.7  # 23 degrees of freedom, one chance in a thousand


def test_all_permutations_of_4_are_equally_frequent_within_a_stream() -> None:
    stream = Stream(SECRET, b"permutations")
    assert chi_square(Counter(stream.permutation(4) for _ in range(7200))) < LIMIT


def test_all_permutations_of_4_are_equally_frequent_over_streams() -> None:
    counts = Counter(Stream(SECRET, b"streams", i.to_bytes(4, "little")).permutation(4) for i in range(7200))
    assert chi_square(counts) < LIMIT


def test_the_limit_would_notice_the_usual_mistakes() -> None:
    stream = Stream(SECRET, b"biased")

    def naive() -> tuple[int, ...]:
        order = list(range(4))
        for i in range(4):
            j = stream.below(4)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def modulo() -> tuple[int, ...]:
        order = list(range(4))
        for i in (3, 2, 1):
            j = stream.below(8) % (i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    assert chi_square(Counter(naive() for _ in range(7200))) > 2 * LIMIT
    assert chi_square(Counter(modulo() for _ in range(7200))) > 2 * LIMIT
