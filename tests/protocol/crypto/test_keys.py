from __future__ import annotations

from dataclasses import replace
from hashlib import sha512

import pytest

from protocol.crypto import group
from protocol.crypto.errors import InvalidPoint, InvalidScalar, MalformedProof, ProofRefused
from protocol.crypto.group import IDENTITY, ORDER, Point
from protocol.crypto.keys import KeyProof, derive_deal_key, joint_key, prove_key, verify_key
from protocol.crypto.transcript import digest
from tests.protocol.crypto.cases import CTX, FOREIGN_POINTS, OTHER_CONTEXTS, PUBLIC, SECRET, X, flip

PROOF = prove_key(CTX, X, PUBLIC)


def test_an_honest_proof_is_accepted_after_travelling() -> None:
    data = PROOF.to_bytes()
    assert len(data) == 64
    assert KeyProof.from_bytes(data) == PROOF
    verify_key(CTX, PUBLIC, KeyProof.from_bytes(data))


@pytest.mark.parametrize("field", OTHER_CONTEXTS)
def test_pitfall_7_the_proof_holds_in_its_context_only(field: str) -> None:
    with pytest.raises(ProofRefused):
        verify_key(OTHER_CONTEXTS[field], PUBLIC, PROOF)


@pytest.mark.parametrize("field", OTHER_CONTEXTS)
def test_pitfall_7_no_nonce_serves_two_statements(field: str) -> None:
    other = prove_key(OTHER_CONTEXTS[field], X, PUBLIC)
    slope = pow(PROOF.challenge - other.challenge, -1, ORDER)
    assert (PROOF.response - other.response) * slope % ORDER != X


def test_a_proof_is_for_one_key() -> None:
    for other in (group.base(X + 1), group.base(-X), group.G):
        with pytest.raises(ProofRefused):
            verify_key(CTX, other, PROOF)
        with pytest.raises(ProofRefused):
            verify_key(CTX, other, prove_key(CTX, X, other))


def test_pitfall_11_every_bit_of_every_element() -> None:
    data = PROOF.to_bytes()
    for bit in range(512):
        with pytest.raises((ProofRefused, InvalidScalar)):
            verify_key(CTX, PUBLIC, KeyProof.from_bytes(flip(data, bit)))


def test_elements_are_not_exchangeable() -> None:
    for tampered in (
        replace(PROOF, challenge=PROOF.response, response=PROOF.challenge),
        replace(PROOF, response=(PROOF.response + 1) % ORDER),
        replace(PROOF, challenge=(PROOF.challenge + 1) % ORDER),
        KeyProof(0, 0),
        KeyProof(0, X),
        KeyProof(X, 0),
    ):
        with pytest.raises(ProofRefused):
            verify_key(CTX, PUBLIC, tampered)


@pytest.mark.parametrize("name", FOREIGN_POINTS)
def test_pitfall_5_a_foreign_key_is_refused_not_a_crash(name: str) -> None:
    with pytest.raises(ProofRefused):
        verify_key(CTX, Point(FOREIGN_POINTS[name]), PROOF)


def test_malformed_bytes() -> None:
    data = PROOF.to_bytes()
    for wrong in (b"", data[:-1], data + b"\0"):
        with pytest.raises(MalformedProof):
            KeyProof.from_bytes(wrong)
    with pytest.raises(MalformedProof):
        KeyProof.from_bytes(bytearray(data))  # type: ignore[arg-type]
    too_large = (PROOF.response + ORDER).to_bytes(32, "little")
    with pytest.raises(InvalidScalar):
        KeyProof.from_bytes(data[:32] + too_large)


def test_pitfall_6_a_rogue_key_has_no_proof() -> None:
    """The last to publish picks the sum: it would then open every card alone. It cannot prove its key."""
    honest = [group.base(X + i) for i in range(3)]
    wanted = 12345
    rogue = group.sub(group.base(wanted), group.sum_points(honest))
    assert joint_key([*honest, rogue]) == group.base(wanted)
    ctx = OTHER_CONTEXTS["seat"]
    for attempt in (prove_key(ctx, wanted, rogue), prove_key(ctx, X, rogue), PROOF):
        with pytest.raises(ProofRefused):
            verify_key(ctx, rogue, attempt)


def test_the_joint_key_is_the_sum_and_never_the_identity() -> None:
    assert joint_key([group.base(k) for k in (1, 2, 3, 4)]) == group.base(10)
    with pytest.raises(InvalidPoint):
        joint_key([PUBLIC, group.base(-X)])
    with pytest.raises(InvalidPoint):
        joint_key([])
    assert joint_key([PUBLIC]) != IDENTITY


def test_deal_keys_are_fresh_for_each_place_and_can_be_made_again() -> None:
    keys = [derive_deal_key(SECRET, ctx) for ctx in (CTX, *OTHER_CONTEXTS.values())]
    keys.append(derive_deal_key(digest(b"other secret"), CTX))
    assert len(set(keys)) == len(keys)
    assert all(0 < key < ORDER for key in keys)
    assert derive_deal_key(SECRET, CTX) == keys[0]


def test_pitfall_9_a_deal_key_is_not_the_identity_key_of_the_same_secret() -> None:
    seed = bytearray(sha512(SECRET).digest()[:32])
    seed[0] &= 248
    seed[31] = (seed[31] & 127) | 64
    identity = int.from_bytes(seed, "little") % ORDER
    assert derive_deal_key(SECRET, CTX) not in (identity, int.from_bytes(SECRET, "little") % ORDER)
