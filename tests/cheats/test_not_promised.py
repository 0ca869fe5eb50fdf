"""The limits that docs/threat-model.md admits, shown as they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine import SEATS, Seat, partner_of
from protocol.audit import Finding
from protocol.bodies import Led, parse_body
from protocol.crypto.group import ORDER, mul
from protocol.crypto.share import open_card
from protocol.events import decode_event
from tests.cheats.crook import Scheme
from tests.cheats.hall import Hall
from tests.protocol.matches import facts_of, full_state
from tests.simulation.stand_ins import cheap_proofs


@pytest.fixture
def fair() -> Iterator[Hall]:
    """A table at which nobody cheats, with the first cards dealt."""
    with cheap_proofs():
        hall = Hall(Scheme(), 1, 0, 6)
        hall.run(lambda: all(table.state.trick is not None for table in hall.tables))
        yield hall


def hand_told_of(hall: Hall, seat: Seat) -> set[int]:
    """A seat's cards as its partner computes them who has been told the seat's deal key."""
    deal = facts_of(hall.tables[partner_of(seat)].match, 0)
    told = hall.setup.keyring(seat).deal_key(0)
    hand = set()
    for slot in range(16):
        if deal.first_holder(slot) == seat:
            others = [deal.shares[slot][other] for other in SEATS if other != seat]
            hand.add(open_card(deal.ciphertext(slot), [*others, mul(told, deal.ciphertext(slot).a)]))
    return hand


def test_who_exchange_their_secrets_know_both_hands_and_leave_no_trace(fair: Hall) -> None:
    """All that a partner lacks of a card is its owner's share, and that one can be told in the room."""
    dealt = full_state(fair.setup, fair.tables[0].match).dealt
    assert dealt is not None
    for seat in (0, 2):
        hand = dealt.hands[seat]
        assert hand is not None
        assert hand_told_of(fair, seat) == {card.index for card in hand}
    fair.run(lambda: all(table.finished for table in fair.tables))
    assert {audit.finding for audit in fair.audits()} == {Finding.FAIR}


def test_the_length_of_a_play_tells_how_many_cards_were_shown(fair: Hall) -> None:
    fair.run(lambda: all(table.finished for table in fair.tables))
    lengths: dict[int, set[int]] = {}
    for signed in fair.disks[0]:
        event = decode_event(signed)
        body = parse_body(event.kind, event.body)
        if isinstance(body, Led):
            lengths.setdefault(len(body.slots), set()).add(len(signed.data))
    assert len(lengths) > 1
    ordered = [lengths[count] for count in sorted(lengths)]
    assert all(max(few) < min(many) for few, many in pairwise(ordered))


def test_scalars_are_python_integers(fair: Hall) -> None:
    key = fair.setup.keyring(0).deal_key(0)
    assert type(key) is int
    assert 0 < key < ORDER
