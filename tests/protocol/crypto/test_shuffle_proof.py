from __future__ import annotations

from hashlib import sha256, sha512

import pytest
from nacl import bindings

from protocol.crypto import group
from protocol.crypto.errors import CryptoError, InvalidPoint, InvalidScalar, MalformedProof
from protocol.crypto.group import ORDER
from protocol.crypto.masking import CARD_POINTS, encode_deck
from protocol.crypto.shuffle_proof import (
    ShuffleProof,
    exponents,
    generators,
    proof_challenge,
    statement_digest,
)
from tests.protocol.crypto.cases import (
    CTX,
    FOREIGN_POINTS,
    OTHER_CONTEXTS,
    PUBLIC,
    flip,
    other_point,
    shuffled,
)


def framed(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(4, "little") + field for field in fields)


def test_pitfall_1_generators_come_from_hashing() -> None:
    h0, h = generators(36)
    for index, point in enumerate((h0, *h)):
        uniform = sha256(framed(b"kozel/1 commitment generator", index.to_bytes(4, "little"))).digest()
        assert point == bindings.crypto_core_ed25519_from_uniform(uniform)
    assert generators(20) == (h0, h[:20])


def test_pitfall_1_no_generator_or_card_is_a_small_multiple_of_another() -> None:
    h0, h = generators(36)
    points = (group.G, h0, *h, *CARD_POINTS)
    multiples = {group.mul(k, point) for point in points for k in range(-8, 9) if k}
    assert len(multiples) == 16 * len(points)


def test_the_encoding_has_the_documented_layout() -> None:
    proof = shuffled(4).proof
    data = proof.to_bytes()
    pieces = group.split(data, 21)
    assert tuple(pieces[:4]) == proof.commitments
    assert tuple(pieces[4:8]) == proof.chain
    scalars = tuple(int.from_bytes(piece, "little") for piece in pieces[8:])
    assert scalars[0] == proof.challenge
    assert scalars[1:5] == proof.responses
    assert scalars[5:9] == proof.chain_responses
    assert scalars[9:] == proof.exponent_responses


@pytest.mark.parametrize(("n", "length"), [(1, 288), (4, 672), (20, 2720), (36, 4768)])
def test_proofs_travel(n: int, length: int) -> None:
    proof = shuffled(n).proof
    data = proof.to_bytes()
    assert len(data) == length
    assert ShuffleProof.from_bytes(data, n) == proof


def test_pitfall_10_what_was_decoded_encodes_to_the_bytes_received() -> None:
    """Each proof has one encoding only, so bytes as received and bytes as understood never differ."""
    case = shuffled(4)
    for bit in range(8 * 672):
        data = flip(case.proof.to_bytes(), bit)
        try:
            decoded = ShuffleProof.from_bytes(data, 4)
        except CryptoError:
            continue
        assert decoded.to_bytes() == data
        assert decoded != case.proof


def test_malformed_bytes() -> None:
    data = shuffled(4).proof.to_bytes()
    for wrong, n in ((b"", 4), (data[:-1], 4), (data + b"\0", 4), (data, 3), (data, 5), (data[32:], 4)):
        with pytest.raises(MalformedProof):
            ShuffleProof.from_bytes(wrong, n)
    with pytest.raises(MalformedProof):
        ShuffleProof.from_bytes(bytearray(data), 4)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FOREIGN_POINTS)
def test_pitfall_2_the_membership_check_skips_no_point(name: str) -> None:
    data = shuffled(4).proof.to_bytes()
    for start in range(0, 8 * 32, 32):
        with pytest.raises(InvalidPoint):
            ShuffleProof.from_bytes(data[:start] + FOREIGN_POINTS[name] + data[start + 32 :], 4)


def test_pitfall_4_the_range_check_skips_no_scalar() -> None:
    """Each scalar plus the order: the same to libsodium, another encoding."""
    data = shuffled(4).proof.to_bytes()
    for start in range(8 * 32, len(data), 32):
        k = int.from_bytes(data[start : start + 32], "little")
        for wrong in (k + ORDER, k | 1 << 255):
            with pytest.raises(InvalidScalar):
                ShuffleProof.from_bytes(data[:start] + wrong.to_bytes(32, "little") + data[start + 32 :], 4)


def test_the_statement_covers_everything() -> None:
    case = shuffled(4)
    statement = statement_digest(CTX, PUBLIC, case.before, case.after)
    h0, h = generators(4)
    fields = (b"".join((h0, *h)), bytes(PUBLIC), encode_deck(case.before), encode_deck(case.after))
    assert statement == sha512(framed(b"kozel/1 shuffle statement", CTX.digest(), *fields)).digest()
    swapped = (case.after[1], case.after[0], *case.after[2:])
    others = [statement_digest(ctx, PUBLIC, case.before, case.after) for ctx in OTHER_CONTEXTS.values()]
    others += [
        statement_digest(CTX, other_point(PUBLIC), case.before, case.after),
        statement_digest(CTX, PUBLIC, case.after, case.before),
        statement_digest(CTX, PUBLIC, case.before, swapped),
        statement_digest(CTX, PUBLIC, case.before[:3], case.after[:3]),
    ]
    assert len({statement, *others}) == len(others) + 1


def test_exponents_have_128_bits_and_depend_on_the_commitments() -> None:
    case = shuffled(4)
    statement = statement_digest(CTX, PUBLIC, case.before, case.after)
    joined = b"".join(case.proof.commitments)
    expected = [
        int.from_bytes(
            sha512(framed(b"kozel/1 shuffle exponent", statement, joined, bytes([k, 0, 0, 0]))).digest()[:16],
            "little",
        )
        for k in range(4)
    ]
    assert exponents(statement, case.proof.commitments) == expected
    assert not set(exponents(statement, case.proof.commitments[::-1])) & set(expected)
    assert not set(exponents(bytes(64), case.proof.commitments)) & set(expected)


def test_the_challenge_covers_everything_said_before_it() -> None:
    proof = shuffled(4).proof
    announcement = [group.base(k) for k in range(1, 10)]
    parts = (bytes(64), proof.commitments, proof.chain, announcement)
    joined = (b"".join(part) for part in parts[1:])
    wide = sha512(framed(b"kozel/1 shuffle proof challenge", bytes(64), *joined)).digest()
    c = proof_challenge(*parts)
    assert c == int.from_bytes(wide, "little") % ORDER
    assert proof_challenge(b"\1" + bytes(63), *parts[1:]) != c
    for i in range(1, 4):
        changed = [list(part) for part in parts[1:]]
        changed[i - 1][-1] = other_point(changed[i - 1][-1])
        assert proof_challenge(bytes(64), changed[0], changed[1], changed[2]) != c
