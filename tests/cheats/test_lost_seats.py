"""What can be seen of a player's cards when others put its key together, and what cannot (§6.12, §7.12)."""

# ruff: noqa: ARG002  Hooks have the arguments of their kind, whether or not they need them.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from engine import SEATS, Discard, Seat, next_seat
from protocol.audit import Finding
from protocol.bodies import Body, Rescue
from protocol.crypto.commitment import commit_discard
from protocol.crypto.errors import NotACard, ProofRefused
from protocol.crypto.group import ORDER, mul
from protocol.crypto.parts import KeyPart, encryption_key, join_parts, open_part
from protocol.crypto.share import open_card
from protocol.events import Ref
from protocol.facts import DealFacts
from protocol.keyring import discard_salt
from protocol.log import EventLog
from protocol.match import Match
from tests.cheats.crook import Crook, Scheme
from tests.cheats.hall import Hall
from tests.protocol.matches import Played, facts_of, full_state, remembered_proofs, rich
from tests.protocol.tables import Setup
from tests.simulation.stand_ins import cheap_proofs


@pytest.fixture
def fair() -> Iterator[Hall]:
    """A table at which nobody cheats, with the first cards dealt."""
    with cheap_proofs():
        hall = Hall(Scheme(), 1, 0, 6)
        hall.run(lambda: all(table.may_declare_lost for table in hall.tables))
        yield hall


def part_for(setup: Setup, match: Match, number: int, seat: Seat, holder: Seat, secret: bytes) -> KeyPart:
    """The part of a seat's key that one holder has got, opened with a secret; ProofRefused otherwise."""
    key = facts_of(match, number).keys[seat]
    assert key is not None
    return open_part(match.context(number, "key", seat), holder, key.parts[holder], secret)


def parts_of(setup: Setup, match: Match, number: int, seat: Seat) -> dict[Seat, KeyPart]:
    """All three parts of a seat's key, by holder."""
    holders = [holder for holder in SEATS if holder != seat]
    secrets = {holder: setup.keyring(holder).encryption_secret for holder in holders}
    return {h: part_for(setup, match, number, seat, h, secrets[h]) for h in holders}


def hand_opened(deal: DealFacts, seat: Seat, key: int) -> set[int]:
    """The cards dealt to a seat as they come out with some key; NotACard when none come out."""
    slots = [slot for slot in range(16) if deal.first_holder(slot) == seat]
    return {
        open_card(
            deal.ciphertext(slot),
            [*(deal.shares[slot][s] for s in SEATS if s != seat), mul(key, deal.ciphertext(slot).a)],
        )
        for slot in slots
    }


@pytest.mark.parametrize("seat", SEATS)
def test_three_together_can_open_a_seats_cards_of_the_deal_whose_parts_they_join(
    fair: Hall, seat: Seat
) -> None:
    match = fair.tables[next_seat(seat)].match
    whole = join_parts([*parts_of(fair.setup, match, 0, seat).values()])
    assert whole.scalar == fair.setup.keyring(seat).deal_key(0)
    hands = full_state(fair.setup, match).dealt
    assert hands is not None
    hand = hands.hands[seat]
    assert hand is not None
    assert hand_opened(facts_of(match, 0), seat, whole.scalar) == {card.index for card in hand}
    assert whole.scalar != fair.setup.keyring(seat).deal_key(1), "the key of one deal opens no other"


@pytest.mark.parametrize("seat", SEATS)
def test_two_alone_can_open_nothing(fair: Hall, seat: Seat) -> None:
    """Their parts fit every key; and what was sealed for the third opens with neither of their secrets."""
    match = fair.tables[next_seat(seat)].match
    parts = parts_of(fair.setup, match, 0, seat)
    for one, other in combinations(parts, 2):
        (third,) = set(parts) - {one, other}
        with pytest.raises(NotACard):
            hand_opened(facts_of(match, 0), seat, (parts[one].scalar + parts[other].scalar) % ORDER)
        for holder in (one, other):
            with pytest.raises(ProofRefused):
                part_for(fair.setup, match, 0, seat, third, fair.setup.keyring(holder).encryption_secret)


def test_a_declaration_by_two_publishes_no_part(fair: Hall) -> None:
    for seat in (0, 1):
        fair._perform(fair.tables[seat], fair.tables[seat].declare_lost(2))
    fair.settle()
    for table in fair.tables:
        assert [vote and vote.seat for vote in table.match.current.votes] == [2, 2, None, None]
        assert table.match.current.parts == [None] * 4
        assert table.match.handing_over is None
    fair.run(lambda: all(table.finished for table in fair.tables))
    assert {audit.finding for audit in fair.audits()} == {Finding.FAIR}


def test_a_complaint_shows_all_parts_that_its_author_has_got_and_no_others(fair: Hall) -> None:
    fair.run(lambda: all(None not in facts_of(table.match, 1).keys for table in fair.tables))
    match, secret = fair.tables[3].match, fair.setup.keyring(0).encryption_secret
    assert encryption_key(secret) == match.encryption[0]
    for number, seat in ((0, 1), (0, 2), (1, 1), (1, 3)):
        shown = part_for(fair.setup, match, number, seat, 0, secret)
        assert shown == parts_of(fair.setup, match, number, seat)[0]
    with pytest.raises(ProofRefused):
        part_for(fair.setup, match, 0, 1, 2, secret)


def returned_discards(match: Played) -> Iterator[tuple[Match, int, bytes, Discard]]:
    """Each discard that went back, with the match as it stood then, its trick and its commitment."""
    judged, found = Match(EventLog(match.setup.genesis)), set()
    with remembered_proofs():
        for event in match.events:
            judged.log.offer(event)
            judged.admit(event)
            for number, trick in enumerate(judged.current.tricks):
                for play in trick.plays if trick.standing else ():
                    hidden = play.commitment if play not in trick.standing else None
                    if hidden is not None and hidden not in found and isinstance(play.action, Discard):
                        found.add(hidden)
                        yield judged, number, hidden, play.action


def test_all_can_turn_up_what_a_lost_seat_had_discarded_in_a_trick_that_went_back() -> None:
    """Its salts are known, and a hand is small; only such discards of a seat that was there stay secret."""
    match, seen = rich(), 0
    for judged, trick, commitment, action in returned_discards(match):
        deal, seat = judged.current, action.seat
        seed = join_parts([*parts_of(match.setup, judged, deal.number, seat).values()]).seed
        salt = discard_salt(seed, trick, action.on)
        held = deal.held(seat, trick)
        fits = [
            slots
            for slots in combinations(held, action.count)
            if _commits(judged, deal, trick, action, salt, slots) == commitment
        ]
        assert len(fits) == 1
        seen += 1
    assert seen


def _commits(
    match: Match, deal: DealFacts, trick: int, action: Discard, salt: bytes, slots: Sequence[int]
) -> bytes:
    return commit_discard(match.genesis.match_id, deal.number, trick, action.seat, action.on, salt, slots)


class Blind(Scheme):
    """Keeps back its part, and refers with its play to nothing newer than its vote did."""

    def __init__(self) -> None:
        self.blind = False
        self.gives = False
        self.old: Sequence[Ref | None] = ()

    def waits(self, crook: Crook, body: Body) -> bool:
        """With its part, until it wants to give it."""
        return isinstance(body, Rescue) and not self.gives

    def refs(self, crook: Crook, body: Body) -> Sequence[Ref | None]:
        """What it had seen when it voted."""
        return self.old if self.blind else crook.seen()


def test_the_last_to_give_its_part_can_play_once_more_with_the_lost_cards_in_sight() -> None:
    """It says that it had not seen the others' votes; then the table waits for its part, and nothing else."""
    scheme, lost = Blind(), 2
    with cheap_proofs():
        hall = Hall(scheme, 5, 0, 6)
        crook = hall.crook
        hall.run(lambda: bool(crook.may_declare_lost and crook.legal()))
        scheme.old = crook.seen()
        body = crook.body_of(crook.legal()[0])
        for table in (crook, hall.tables[1], hall.tables[3]):
            hall._perform(table, table.declare_lost(lost))
            hall.settle()
        deal = crook.match.current
        others = [fact.part for fact in deal.parts if fact is not None]
        own = part_for(hall.setup, crook.match, 0, lost, 0, crook.keyring.encryption_secret)
        assert join_parts([*others, own]).scalar == hall.setup.keyring(lost).deal_key(0)
        before = [len(table.match.steps) for table in hall.honest]
        scheme.blind = True
        event = crook._write(body)
        hall._perform(crook, crook._settle([event], [crook._sending([event])]))
        scheme.blind = False
        hall.settle()
        assert [len(table.match.steps) for table in hall.honest] == [count + 1 for count in before]
        assert not any(table.match.verdicts or table.legal() for table in hall.honest)
        scheme.gives = True
        hall.run(lambda: all(table.finished for table in hall.tables))
        assert all(table.match.losses == [(0, lost)] for table in hall.tables)
        assert {audit.finding for audit in hall.audits()} == {Finding.FAIR}
