from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.errors import CryptoError, ProofRefused
from protocol.crypto.group import ORDER, Point
from protocol.crypto.masking import Ciphertext, Deck, card_of, decode_deck, encode_deck
from protocol.crypto.shuffle import ShuffleProof, ShuffleWitness, prove_shuffle, shuffle, verify_shuffle
from protocol.crypto.transcript import Stream, digest
from tests.protocol.crypto.cases import (
    BITS,
    CTX,
    FOREIGN_POINTS,
    OTHER_CONTEXTS,
    PUBLIC,
    SECRET,
    Shuffled,
    flip,
    other_point,
    shuffled,
    unmask,
)

CASE = shuffled(4)


def altered(proof: ShuffleProof, part: str, value: Any) -> ShuffleProof:
    changes: dict[str, Any] = {part: value}
    return replace(proof, **changes)


def refused(case: Shuffled) -> None:
    with pytest.raises(ProofRefused):
        verify_shuffle(CTX, PUBLIC, case.before, case.after, case.proof)


@pytest.mark.parametrize("n", [1, 2, 4, 6, 20, 36])
def test_an_honest_shuffle_is_accepted_after_travelling(n: int) -> None:
    case = shuffled(n)
    after = decode_deck(encode_deck(case.after), n)
    verify_shuffle(CTX, PUBLIC, case.before, after, ShuffleProof.from_bytes(case.proof.to_bytes(), n))


def test_a_shuffle_permutes_and_remasks() -> None:
    case = shuffled(36)
    cards = [card_of(unmask(card)) for card in case.after]
    assert cards == list(case.witness.permutation)
    assert sorted(cards) == list(range(36))
    assert len({*encode_pieces(case.before), *encode_pieces(case.after)}) == 1 + 36 + 72
    for card, k in zip(case.after, case.witness.permutation, strict=True):
        assert card.a == group.add(case.before[k].a, group.base(case.witness.masks[k]))


def encode_pieces(deck: Deck) -> list[bytes]:
    return group.split(encode_deck(deck), 2 * len(deck))


def test_shuffles_of_several_seats_follow_each_other() -> None:
    deck = CASE.before
    for seat in range(4):
        ctx = replace(CTX, seat=seat)
        after, witness = shuffle(deck, PUBLIC, Stream(SECRET, b"seat", bytes([seat])))
        verify_shuffle(ctx, PUBLIC, deck, after, prove_shuffle(ctx, PUBLIC, deck, after, witness, SECRET))
        deck = after
    assert sorted(card_of(unmask(card)) for card in deck) == [0, 1, 2, 3]


@pytest.mark.parametrize("field", OTHER_CONTEXTS)
def test_pitfall_7_a_proof_holds_in_its_context_only(field: str) -> None:
    with pytest.raises(ProofRefused):
        verify_shuffle(OTHER_CONTEXTS[field], PUBLIC, CASE.before, CASE.after, CASE.proof)


def test_pitfall_7_no_nonce_serves_two_statements() -> None:
    """Two proofs for one shuffle: the difference of responses must not give the secrets away."""
    first = CASE.proof
    masks = sum(CASE.witness.masks) % ORDER
    for ctx in OTHER_CONTEXTS.values():
        second = prove_shuffle(ctx, PUBLIC, CASE.before, CASE.after, CASE.witness, SECRET)
        slope = pow(first.challenge - second.challenge, -1, ORDER)
        for s, t in zip(all_responses(first), all_responses(second), strict=True):
            assert (s - t) * slope % ORDER not in (*CASE.witness.masks, masks)
        assert not set(first.commitments) & set(second.commitments)
        assert not set(all_responses(first)) & set(all_responses(second))


def test_pitfall_7_another_witness_or_secret_means_other_nonces() -> None:
    psi, masks = CASE.witness.permutation, CASE.witness.masks
    proofs = [
        CASE.proof,
        prove_shuffle(CTX, PUBLIC, CASE.before, CASE.after, ShuffleWitness(psi[::-1], masks), SECRET),
        prove_shuffle(CTX, PUBLIC, CASE.before, CASE.after, ShuffleWitness(psi, masks[::-1]), SECRET),
        prove_shuffle(CTX, PUBLIC, CASE.before, CASE.after, CASE.witness, digest(b"other")),
    ]
    assert len({point for proof in proofs for point in proof.commitments}) == 16
    assert prove_shuffle(CTX, PUBLIC, CASE.before, CASE.after, CASE.witness, SECRET) == CASE.proof


def all_responses(proof: ShuffleProof) -> tuple[int, ...]:
    return (*proof.responses, *proof.chain_responses, *proof.exponent_responses)


@pytest.mark.parametrize("n", [1, 4])
def test_pitfall_11_flipped_bits_in_every_element_of_a_proof(n: int) -> None:
    case = shuffled(n)
    data = case.proof.to_bytes()
    for element in range(len(data) // 32):
        for bit in BITS:
            with pytest.raises(CryptoError):
                proof = ShuffleProof.from_bytes(flip(data, 256 * element + bit), n)
                verify_shuffle(CTX, PUBLIC, case.before, case.after, proof)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(bit=st.integers(0, 8 * 672 - 1))
def test_pitfall_11_one_bit_flipped_anywhere_in_a_proof(bit: int) -> None:
    with pytest.raises(CryptoError):
        proof = ShuffleProof.from_bytes(flip(CASE.proof.to_bytes(), bit), 4)
        verify_shuffle(CTX, PUBLIC, CASE.before, CASE.after, proof)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(bit=st.integers(0, 8 * 256 - 1))
def test_pitfall_11_one_bit_flipped_anywhere_in_a_deck(bit: int) -> None:
    with pytest.raises(CryptoError):
        after = decode_deck(flip(encode_deck(CASE.after), bit), 4)
        verify_shuffle(CTX, PUBLIC, CASE.before, after, CASE.proof)


def test_pitfall_11_a_proof_for_36_cards_has_no_loose_element() -> None:
    case = shuffled(36)
    data = case.proof.to_bytes()
    for element in range(149):
        with pytest.raises(CryptoError):
            proof = ShuffleProof.from_bytes(flip(data, 256 * element + element), 36)
            verify_shuffle(CTX, PUBLIC, case.before, case.after, proof)


def tampered_proofs(proof: ShuffleProof) -> Iterator[tuple[str, ShuffleProof]]:
    """The proof with each element in turn replaced by another valid one."""
    for name in ("commitments", "chain"):
        points: tuple[Point, ...] = getattr(proof, name)
        for i, point in enumerate(points):
            changed = (*points[:i], other_point(point), *points[i + 1 :])
            yield f"{name}[{i}]", altered(proof, name, changed)
    for name in ("responses", "chain_responses", "exponent_responses"):
        scalars: tuple[int, ...] = getattr(proof, name)
        for i, k in enumerate(scalars):
            for value in ((k + 1) % ORDER, ORDER - k, 0):
                yield (
                    f"{name}[{i}]",
                    altered(proof, name, (*scalars[:i], value, *scalars[i + 1 :])),
                )
    for value in ((proof.challenge + 1) % ORDER, 0):
        yield "challenge", replace(proof, challenge=value)


def test_pitfall_11_every_element_replaced_by_another_valid_one() -> None:
    seen = set()
    for name, proof in tampered_proofs(CASE.proof):
        seen.add(name)
        refused(replace(CASE, proof=proof))
    assert len(seen) == 21


def test_elements_swapped_within_a_proof() -> None:
    for name in ("commitments", "chain", "responses", "chain_responses", "exponent_responses"):
        values = getattr(CASE.proof, name)
        refused(replace(CASE, proof=altered(CASE.proof, name, (values[1], values[0], *values[2:]))))


def test_a_proof_of_other_lengths_is_refused() -> None:
    for name in ("commitments", "chain", "responses", "chain_responses", "exponent_responses"):
        values = getattr(CASE.proof, name)
        for wrong in ((), values[:-1], (*values, values[0])):
            refused(replace(CASE, proof=altered(CASE.proof, name, wrong)))


def tampered_decks(deck: Deck) -> Iterator[Deck]:
    """Each point replaced, each pair swapped, each card doubled over its neighbour."""
    n = len(deck)
    for i, (a, b) in enumerate(deck):
        for card in (Ciphertext(other_point(a), b), Ciphertext(a, other_point(b)), Ciphertext(b, a)):
            yield (*deck[:i], card, *deck[i + 1 :])
        yield (*deck[:i], deck[(i + 1) % n], *deck[i + 1 :])
        for j in range(i):
            swapped = list(deck)
            swapped[i], swapped[j] = deck[j], deck[i]
            yield tuple(swapped)


def test_pitfall_11_outputs_swapped_doubled_or_replaced() -> None:
    for after in tampered_decks(CASE.after):
        refused(replace(CASE, after=after))


def test_pitfall_11_inputs_swapped_doubled_or_replaced() -> None:
    for before in tampered_decks(CASE.before):
        if before != CASE.before:
            refused(replace(CASE, before=before))


def test_pitfall_11_a_proof_for_another_deck() -> None:
    other = shuffled(4, b"another shuffle")
    assert other.after != CASE.after
    refused(replace(CASE, proof=other.proof))
    refused(replace(CASE, after=other.after))
    refused(Shuffled(CASE.after, CASE.before, CASE.witness, CASE.proof))
    refused(replace(CASE, after=CASE.before))


def test_another_number_of_cards() -> None:
    refused(replace(CASE, after=CASE.after[:3]))
    refused(replace(CASE, before=CASE.before[:3]))
    refused(replace(CASE, before=CASE.before[:3], after=CASE.after[:3]))
    refused(replace(CASE, before=(), after=()))
    refused(replace(CASE, before=(), after=(), proof=ShuffleProof((), (), 1, (1, 1, 1, 1), (), ())))


def test_another_joint_key() -> None:
    for joint in (other_point(PUBLIC), group.G, CASE.after[0].a):
        with pytest.raises(ProofRefused):
            verify_shuffle(CTX, joint, CASE.before, CASE.after, CASE.proof)


def test_a_false_witness_proves_nothing() -> None:
    psi, masks = CASE.witness.permutation, CASE.witness.masks
    for witness in (
        ShuffleWitness((psi[1], psi[0], *psi[2:]), masks),
        ShuffleWitness(psi, (masks[1], masks[0], *masks[2:])),
        ShuffleWitness(psi, (masks[0] + 1, *masks[1:])),
    ):
        proof = prove_shuffle(CTX, PUBLIC, CASE.before, CASE.after, witness, SECRET)
        refused(replace(CASE, proof=proof))


@pytest.mark.parametrize("name", FOREIGN_POINTS)
def test_pitfall_5_foreign_points_in_memory_are_refused_not_a_crash(name: str) -> None:
    """Nothing decodes to these; should one slip in, the check still refuses."""
    foreign = Point(FOREIGN_POINTS[name])
    card = CASE.after[0]
    refused(replace(CASE, after=(Ciphertext(foreign, card.b), *CASE.after[1:])))
    refused(replace(CASE, after=(Ciphertext(card.a, foreign), *CASE.after[1:])))
    for part in ("commitments", "chain"):
        points = getattr(CASE.proof, part)
        refused(replace(CASE, proof=altered(CASE.proof, part, (*points[:3], foreign))))
    with pytest.raises(ProofRefused):
        verify_shuffle(CTX, foreign, CASE.before, CASE.after, CASE.proof)


def test_the_witness_stays_out_of_logs() -> None:
    assert repr(CASE.witness) == "ShuffleWitness()"


def test_masks_are_all_different() -> None:
    masks = shuffled(36).witness.masks
    assert len(set(masks)) == 36
    assert all(0 < mask < ORDER for mask in masks)
