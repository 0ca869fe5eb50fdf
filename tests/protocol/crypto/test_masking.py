from __future__ import annotations

from hashlib import sha256

import pytest
from nacl import bindings

from protocol.crypto import group
from protocol.crypto.errors import InvalidPoint, MalformedProof, NotACard
from protocol.crypto.masking import (
    CARD_POINTS,
    Ciphertext,
    card_of,
    decode_deck,
    encode_deck,
    initial_deck,
)
from tests.protocol.crypto.cases import FOREIGN_POINTS, PUBLIC, shuffled, unmask


def test_pitfall_1_card_points_come_from_hashing() -> None:
    label = b"kozel/1 card point"
    for card, point in enumerate(CARD_POINTS):
        framed = len(label).to_bytes(4, "little") + label + b"\4\0\0\0" + card.to_bytes(4, "little")
        assert point == bindings.crypto_core_ed25519_from_uniform(sha256(framed).digest())
    assert len(set(CARD_POINTS)) == 36


def test_the_initial_deck_holds_every_card_in_order() -> None:
    deck = initial_deck(PUBLIC)
    assert [card_of(unmask(card)) for card in deck] == list(range(36))
    assert {card.a for card in deck} == {group.G}


def test_decks_travel() -> None:
    deck = shuffled(4).after
    data = encode_deck(deck)
    assert len(data) == 256
    assert data[64:96] == deck[1].a
    assert data[96:128] == deck[1].b
    assert decode_deck(data, 4) == deck
    assert all(isinstance(card, Ciphertext) for card in decode_deck(data, 4))


@pytest.mark.parametrize("name", FOREIGN_POINTS)
def test_pitfall_2_every_point_of_a_deck_is_validated(name: str) -> None:
    data = encode_deck(shuffled(4).after)
    for start in range(0, len(data), 32):
        with pytest.raises(InvalidPoint):
            decode_deck(data[:start] + FOREIGN_POINTS[name] + data[start + 32 :], 4)


def test_malformed_decks() -> None:
    data = encode_deck(shuffled(4).after)
    for wrong in (b"", data[:-1], data[:-64], data + data[:64], data + b"\0"):
        with pytest.raises(MalformedProof):
            decode_deck(wrong, 4)
    with pytest.raises(MalformedProof):
        decode_deck(bytearray(data), 4)  # type: ignore[arg-type]


def test_what_is_no_card_is_said_to_be_none() -> None:
    for point in (group.G, group.IDENTITY, group.add(CARD_POINTS[0], CARD_POINTS[1]), PUBLIC):
        with pytest.raises(NotACard):
            card_of(point)
    assert [card_of(point) for point in CARD_POINTS] == list(range(36))
