"""Pitfall 1: whoever knows the logarithms of the generators forges decks. The forger stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from protocol.crypto import group, shuffle, shuffle_proof
from protocol.crypto.errors import NotACard, ProofRefused
from protocol.crypto.masking import CARD_POINTS, card_of
from protocol.crypto.shuffle import ShuffleProof, verify_shuffle
from protocol.crypto.transcript import Stream
from tests.protocol.crypto.cases import CTX, PUBLIC, SECRET, deck_of, unmask
from tests.protocol.crypto.forger import Forgery, Trapdoor, blend_two_cards, forge, stack_one_card

TRAPDOOR = Trapdoor(Stream(SECRET, b"known generators").scalars(37))
CARD_LOGS = tuple(range(1, 37))
ACE = 8


@contextmanager
def known_generators() -> Iterator[None]:
    """A world whose commitment generators one party has chosen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle_proof, "generators", TRAPDOOR.generators)
        patch.setattr(shuffle, "generators", TRAPDOOR.generators)
        yield


def check(forgery: Forgery, proof: ShuffleProof) -> None:
    decoded = ShuffleProof.from_bytes(proof.to_bytes(), len(forgery.before))
    verify_shuffle(CTX, PUBLIC, forgery.before, forgery.after, decoded)


def test_pitfall_1_36_aces_are_proven_where_the_logarithms_are_known() -> None:
    with known_generators():
        forgery = stack_one_card(CARD_LOGS, ACE, Stream(SECRET, b"aces"))
        check(forgery, forge(TRAPDOOR, forgery))
    assert {unmask(card) for card in forgery.after} == {group.base(CARD_LOGS[ACE])}
    assert len(set(forgery.after)) == 36


def test_pitfall_1_the_same_36_aces_are_refused_with_the_real_generators() -> None:
    forgery = stack_one_card(CARD_LOGS, ACE, Stream(SECRET, b"aces"))
    with known_generators():
        made_for_known = forge(TRAPDOOR, forgery)
    for proof in (made_for_known, forge(TRAPDOOR, forgery)):
        with pytest.raises(ProofRefused):
            check(forgery, proof)


def test_pitfall_1_known_generators_alone_let_a_deck_be_spoiled() -> None:
    """With hashed cards no second ace can be made, but a deck with something that is no card can."""
    with known_generators():
        forgery = blend_two_cards(deck_of(CARD_POINTS[:6]), Stream(SECRET, b"blend"))
        check(forgery, forge(TRAPDOOR, forgery))
    with pytest.raises(NotACard):
        card_of(unmask(forgery.after[0]))


def test_pitfall_1_a_spoiled_deck_is_refused_with_the_real_generators() -> None:
    forgery = blend_two_cards(deck_of(CARD_POINTS[:6]), Stream(SECRET, b"blend"))
    with pytest.raises(ProofRefused):
        check(forgery, forge(TRAPDOOR, forgery))


def test_pitfall_1_hashed_cards_stop_the_stacked_deck_even_with_known_generators() -> None:
    """Σu′·M_ace = Σu_k·M_k has a solution only for somebody who knows how the card points relate."""
    stacked = stack_one_card(CARD_LOGS, ACE, Stream(SECRET, b"aces"))
    masks = [log - 1 for log in stacked.after_logs]
    before = deck_of(CARD_POINTS)
    ace = deck_of((CARD_POINTS[ACE],) * 36)
    after = tuple(shuffle._remask(card, PUBLIC, r) for card, r in zip(ace, masks, strict=True))
    forgery = Forgery(before, after, stacked.before_logs, stacked.after_logs, stacked.solve)
    with known_generators(), pytest.raises(ProofRefused):
        check(forgery, forge(TRAPDOOR, forgery))
