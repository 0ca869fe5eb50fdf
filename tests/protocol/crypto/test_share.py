from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.crypto import group
from protocol.crypto.errors import CryptoError, InvalidPoint, MalformedProof, NotACard, ProofRefused
from protocol.crypto.group import ORDER, Point
from protocol.crypto.masking import Ciphertext, card_of
from protocol.crypto.share import Share, make_share, open_card, verify_share
from protocol.crypto.transcript import digest
from tests.protocol.crypto.cases import (
    CTX,
    FOREIGN_POINTS,
    OTHER_CONTEXTS,
    PUBLIC,
    SECRET,
    X,
    deck_of,
    flip,
    other_point,
    shuffled,
    unmask,
)

SLOT = 2
CARD = shuffled(4).after[SLOT]
SHARE = make_share(CTX, SLOT, X, PUBLIC, CARD, SECRET)


def test_an_honest_share_is_accepted_after_travelling() -> None:
    data = SHARE.to_bytes()
    assert len(data) == 96
    assert Share.from_bytes(data) == SHARE
    verify_share(CTX, SLOT, PUBLIC, CARD, Share.from_bytes(data))


def test_four_seats_open_a_card_together_and_three_do_not() -> None:
    keys = [X + i for i in range(4)]
    publics = [group.base(key) for key in keys]
    card = deck_of((group.sub(CARD.b, group.mul(X, CARD.a)),), group.sum_points(publics))[0]
    shares = [
        make_share(CTX, 0, key, public, card, SECRET) for key, public in zip(keys, publics, strict=True)
    ]
    for share, public in zip(shares, publics, strict=True):
        verify_share(CTX, 0, public, card, share)
    points = [share.point for share in shares]
    assert open_card(card, points) == card_of(unmask(CARD))
    for missing in range(4):
        with pytest.raises(NotACard):
            open_card(card, points[:missing] + points[missing + 1 :])


@pytest.mark.parametrize("field", OTHER_CONTEXTS)
def test_pitfall_7_a_share_holds_in_its_context_only(field: str) -> None:
    with pytest.raises(ProofRefused):
        verify_share(OTHER_CONTEXTS[field], SLOT, PUBLIC, CARD, SHARE)


def test_pitfalls_7_and_8_a_share_is_for_one_slot_one_card_and_one_seat() -> None:
    other_card = shuffled(4).after[SLOT + 1]
    for slot, public, card in (
        (SLOT + 1, PUBLIC, CARD),
        (SLOT, other_point(PUBLIC), CARD),
        (SLOT, PUBLIC, other_card),
        (SLOT + 1, PUBLIC, other_card),
        (-1, PUBLIC, CARD),
    ):
        with pytest.raises(ProofRefused):
            verify_share(CTX, slot, public, card, SHARE)


def test_pitfall_7_no_nonce_serves_two_statements() -> None:
    others = [make_share(ctx, SLOT, X, PUBLIC, CARD, SECRET) for ctx in OTHER_CONTEXTS.values()]
    others.append(make_share(CTX, SLOT + 1, X, PUBLIC, CARD, SECRET))
    others.append(make_share(CTX, SLOT, X, PUBLIC, shuffled(4).after[SLOT + 1], SECRET))
    others.append(make_share(CTX, SLOT, X, PUBLIC, CARD, digest(b"other secret")))
    for other in others:
        slope = pow(SHARE.challenge - other.challenge, -1, ORDER)
        assert (SHARE.response - other.response) * slope % ORDER != X
    assert make_share(CTX, SLOT, X, PUBLIC, CARD, SECRET) == SHARE


def test_pitfall_11_every_bit_of_every_element() -> None:
    data = SHARE.to_bytes()
    for bit in range(768):
        with pytest.raises(CryptoError):
            verify_share(CTX, SLOT, PUBLIC, CARD, Share.from_bytes(flip(data, bit)))


def test_every_element_replaced_by_another_valid_one() -> None:
    for tampered in (
        replace(SHARE, point=other_point(SHARE.point)),
        replace(SHARE, point=CARD.a),
        replace(SHARE, challenge=(SHARE.challenge + 1) % ORDER),
        replace(SHARE, response=(SHARE.response + 1) % ORDER),
        replace(SHARE, challenge=0),
        replace(SHARE, response=0),
        replace(SHARE, challenge=SHARE.response, response=SHARE.challenge),
    ):
        with pytest.raises(ProofRefused):
            verify_share(CTX, SLOT, PUBLIC, CARD, tampered)


def test_a_share_with_another_key_is_refused() -> None:
    """The prover knows a key, but not the one it published."""
    wrong = make_share(CTX, SLOT, X + 1, PUBLIC, CARD, SECRET)
    with pytest.raises(ProofRefused):
        verify_share(CTX, SLOT, PUBLIC, CARD, wrong)


@pytest.mark.parametrize("name", FOREIGN_POINTS)
def test_pitfalls_2_and_5_foreign_points(name: str) -> None:
    foreign = Point(FOREIGN_POINTS[name])
    with pytest.raises(InvalidPoint):
        Share.from_bytes(foreign + SHARE.to_bytes()[32:])
    for public, card, share in (
        (PUBLIC, CARD, replace(SHARE, point=foreign)),
        (foreign, CARD, SHARE),
        (PUBLIC, Ciphertext(foreign, CARD.b), SHARE),
    ):
        with pytest.raises(ProofRefused):
            verify_share(CTX, SLOT, public, card, share)


def test_malformed_bytes() -> None:
    data = SHARE.to_bytes()
    for wrong in (b"", data[:-1], data[:64], data + b"\0"):
        with pytest.raises(MalformedProof):
            Share.from_bytes(wrong)
    with pytest.raises(MalformedProof):
        Share.from_bytes(bytearray(data))  # type: ignore[arg-type]


def test_opening_to_no_card_is_an_error() -> None:
    with pytest.raises(NotACard):
        open_card(CARD, [other_point(SHARE.point)])
    with pytest.raises(NotACard):
        open_card(CARD, [CARD.b])
    assert open_card(CARD, [SHARE.point]) == card_of(unmask(CARD))
