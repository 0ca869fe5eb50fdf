"""The stand-ins behave like the group that they stand for, and leave no trace."""

from __future__ import annotations

import pytest

from protocol.crypto import group, masking
from protocol.crypto.context import Context
from protocol.crypto.errors import InvalidPoint, ProofRefused
from protocol.crypto.share import make_share, open_card
from protocol.crypto.shuffle import prove_shuffle, shuffle, verify_shuffle
from protocol.crypto.transcript import Stream
from tests.simulation.stand_ins import cheap_proofs, integers_as_group

CONTEXT = Context(bytes(32), bytes(32), 0, "deck", 1)
SECRET = bytes(32)


def test_a_shuffled_card_is_opened_to_itself_and_a_forged_deck_is_refused() -> None:
    with integers_as_group():
        joint = group.base(5)
        before = masking.initial_deck(joint)
        after, witness = shuffle(before, joint, Stream(SECRET, b"test"))
        proof = prove_shuffle(CONTEXT, joint, before, after, witness, SECRET)
        verify_shuffle(CONTEXT, joint, before, after, proof)
        for place, card in enumerate(witness.permutation):
            share = make_share(CONTEXT, place, 5, joint, after[place], SECRET)
            assert open_card(after[place], [share.point]) == card
        with pytest.raises(ProofRefused):
            verify_shuffle(CONTEXT, joint, before, (after[1], *after[1:]), proof)


def test_the_laws_of_the_group_hold() -> None:
    with integers_as_group():
        point = group.hash_to_point(b"test")
        assert group.sub(group.add(point, group.G), group.G) == point
        assert group.mul(group.ORDER + 1, point) == point
        assert group.sub(point, point) == group.IDENTITY
        assert group.decode_point(point) == point
        for wrong in (group.IDENTITY, bytes(32), b"\xff" * 32):
            with pytest.raises(InvalidPoint):
                group.decode_point(wrong)
        with pytest.raises(InvalidPoint):
            group.mul(0, point)


def test_afterwards_the_real_group_is_back() -> None:
    before = group.G, masking.CARD_POINTS, masking.initial_deck(group.base(7))
    with cheap_proofs():
        assert group.base(1) != before[0]
    assert (group.base(1), masking.CARD_POINTS, masking.initial_deck(group.base(7))) == before
