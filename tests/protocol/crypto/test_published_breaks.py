"""What broke other programs of this kind, each tried on ours and on a model of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocol import domains
from protocol.crypto import group, shuffle
from protocol.crypto.errors import NotACard, ProofRefused
from protocol.crypto.group import ORDER, Point
from protocol.crypto.hashing import u32
from protocol.crypto.masking import CARD_POINTS, Ciphertext, Deck, card_of, initial_deck
from protocol.crypto.share import Share, make_share, open_card, verify_share
from protocol.crypto.shuffle import ShuffleWitness, prove_shuffle, verify_shuffle
from protocol.crypto.shuffle_proof import generators
from protocol.crypto.transcript import Stream, challenge
from tests.protocol.crypto.cases import CTX, PUBLIC, SECRET, Shuffled, X, deck_of, shuffled, unmask


def read_order(points: Sequence[Point]) -> list[int] | None:
    """The attack on cards at i·G: find the point whose multiples 1…n are all the others."""
    places = {point: i for i, point in enumerate(points)}
    for candidate in points:
        multiple, order = candidate, [0] * len(points)
        for number in range(1, len(points) + 1):
            if multiple not in places:
                break
            order[places[multiple]] = number
            multiple = group.add(multiple, candidate)
        else:
            return order
    return None


def test_numbered_cards_are_read_off_the_public_deck_and_hashed_cards_are_not() -> None:
    """A deck masked by a secret factor keeps every ratio between its cards."""
    permutation = Stream(SECRET, b"order").permutation(36)
    factor = Stream(SECRET, b"factor").scalar()
    numbered = [group.mul(factor, group.base(card + 1)) for card in permutation]
    assert read_order(numbered) == [card + 1 for card in permutation]
    hashed = [group.mul(factor, CARD_POINTS[card]) for card in permutation]
    assert read_order(hashed) is None
    assert read_order([card.b for card in shuffled(36).after]) is None


def doubled() -> tuple[Shuffled, Deck, ShuffleWitness]:
    """An honest shuffle of six; the same with the card of output 1 in output 0 too; the witness for that."""
    case = shuffled(6)
    psi, masks = case.witness.permutation, case.witness.masks
    copy = shuffle._remask(case.before[psi[1]], PUBLIC, masks[psi[0]])
    merged = list(masks)
    merged[psi[0]], merged[psi[1]] = 0, masks[psi[0]] + masks[psi[1]]
    return case, (copy, *case.after[1:]), ShuffleWitness((psi[1], *psi[1:]), tuple(merged))


def test_a_doubled_card_under_a_second_mask_looks_like_a_deck() -> None:
    """All ciphertexts and all their parts stay distinct, so a check for duplicates sees nothing."""
    _, stacked, _ = doubled()
    assert len({point for card in stacked for point in card}) == 2 * len(stacked)
    assert card_of(unmask(stacked[0])) == card_of(unmask(stacked[1]))


def test_a_doubled_card_is_refused_with_an_honest_looking_proof() -> None:
    case, stacked, _ = doubled()
    remade = prove_shuffle(CTX, PUBLIC, case.before, stacked, case.witness, SECRET)
    for proof in (case.proof, remade):
        with pytest.raises(ProofRefused):
            verify_shuffle(CTX, PUBLIC, case.before, stacked, proof)


def test_a_doubled_card_is_refused_whatever_the_prover_commits_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best attempt: a commitment to "column psi(1) twice, column psi(0) never" keeps the sums right."""
    case, stacked, lying = doubled()

    def commit(psi: Sequence[int], blinds: Sequence[int], h: Sequence[Point]) -> tuple[Point, ...]:
        columns = ([h[i] for i, source in enumerate(psi) if source == k] for k in range(len(psi)))
        return tuple(
            group.sum_points([group.base(b), *column]) for b, column in zip(blinds, columns, strict=True)
        )

    monkeypatch.setattr(shuffle, "_commit_permutation", commit)
    honest = prove_shuffle(CTX, PUBLIC, case.before, case.after, case.witness, SECRET)
    verify_shuffle(CTX, PUBLIC, case.before, case.after, honest)
    proof = prove_shuffle(CTX, PUBLIC, case.before, stacked, lying, SECRET)
    with pytest.raises(ProofRefused):
        verify_shuffle(CTX, PUBLIC, case.before, stacked, proof)


def test_a_card_cannot_be_announced_as_another() -> None:
    """Drew one card, announces another: the share that would open it so has no proof."""
    slot, card = 1, shuffled(6).after[1]
    drawn = card_of(unmask(card))
    wanted = (drawn + 1) % 36
    lie = group.sub(card.b, CARD_POINTS[wanted])
    assert open_card(card, [lie]) == wanted

    w = Stream(SECRET, b"liar").scalar()
    statement = (CTX.digest(), u32(slot), PUBLIC, card.a, lie)
    c = challenge(domains.SHARE_PROOF, *statement, group.base(w), group.mul(w, card.a))
    honest = make_share(CTX, slot, X, PUBLIC, card, SECRET)
    for share in (Share(lie, c, (w + c * X) % ORDER), replace(honest, point=lie)):
        with pytest.raises(ProofRefused):
            verify_share(CTX, slot, PUBLIC, card, share)
    verify_share(CTX, slot, PUBLIC, card, honest)
    assert open_card(card, [honest.point]) == drawn


def read_permutation(
    before: Deck, after: Deck, commitments: Sequence[Point], h: Sequence[Point]
) -> dict[int, int]:
    """The attack on a proof that carries differences: match C_k − h_i with a′_i − a_k."""
    return {
        i: k
        for i, card in enumerate(after)
        for k, commitment in enumerate(commitments)
        if group.sub(commitment, h[i]) == group.sub(card.a, before[k].a)
    }


def test_no_difference_in_the_proof_gives_the_permutation_away() -> None:
    case = shuffled(6)
    psi, masks = case.witness.permutation, case.witness.masks
    _, h = generators(6)
    leaking = shuffle._commit_permutation(psi, masks, h)
    assert read_permutation(case.before, case.after, leaking, h) == dict(enumerate(psi))
    assert read_permutation(case.before, case.after, case.proof.commitments, h) == {}


def test_no_scalar_in_the_proof_is_a_secret_in_the_clear() -> None:
    case = shuffled(6)
    secrets = {*case.witness.masks, *case.witness.permutation}
    proof, c = case.proof, case.proof.challenge
    published = {*proof.responses, *proof.chain_responses, *proof.exponent_responses}
    assert not secrets & published
    differences = {group.base(mask) for mask in case.witness.masks}
    assert not differences & {*proof.commitments, *proof.chain}
    # A response whose nonce were zero.
    assert not secrets & {s * pow(c, -1, ORDER) % ORDER for s in published}


def test_one_random_number_never_serves_two_cards() -> None:
    """Where it does, equal differences betray which output came from which input."""
    case = shuffled(36)
    reused = [shuffle._remask(card, PUBLIC, 7) for card in deck_of(CARD_POINTS)]
    assert len({card.a for card in reused}) == 1
    assert len({card.a for card in case.after}) == 36
    again = shuffle.shuffle(case.before, PUBLIC, Stream(SECRET, b"another shuffle"))
    assert not {card.a for card in case.after} & {card.a for card in again[0]}
    assert case.witness.permutation != again[1].permutation


def test_three_keys_do_not_open_what_four_have_masked() -> None:
    """Not even with the initial deck's public randomness: the fourth share is missing."""
    keys = [X, X + 1, X + 2, X + 3]
    joint = group.sum_points(group.base(key) for key in keys)
    for card in initial_deck(joint)[:4]:
        masked = shuffle._remask(card, joint, 99)
        points = [group.mul(key, masked.a) for key in keys]
        with pytest.raises(NotACard):
            open_card(masked, points[:3])
        assert open_card(masked, points) in range(4)


def test_a_stolen_share_does_not_open_another_slot() -> None:
    """One seat's share, sent again by another seat or for another slot, counts for nothing."""
    deck = shuffled(6).after
    share = make_share(CTX, 0, X, PUBLIC, deck[0], SECRET)
    thief = replace(CTX, seat=0)
    for ctx, slot, public, card in (
        (thief, 0, group.base(X + 1), deck[0]),
        (CTX, 1, PUBLIC, deck[1]),
        (CTX, 1, PUBLIC, Ciphertext(deck[0].a, deck[1].b)),
    ):
        with pytest.raises(ProofRefused):
            verify_share(ctx, slot, public, card, share)
