"""Keys, shuffles, and the shares that hand cards to seats (§7.3–7.6)."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from engine.cards import SEATS, Seat, distance
from protocol.bodies import Dealt, Drawn, Key, Shuffle
from protocol.crypto.errors import InvalidPoint
from protocol.crypto.group import Point, decode_point
from protocol.crypto.keys import KeyProof, joint_key, verify_key
from protocol.crypto.masking import Ciphertext, decode_deck, initial_deck
from protocol.crypto.parts import PART_BYTES, SealedPart, verify_sum
from protocol.crypto.share import Share, verify_share
from protocol.crypto.shuffle import ShuffleProof, verify_shuffle
from protocol.errors import Fault
from protocol.events import Event
from protocol.facts import INDICATOR_SLOT, DealFacts, KeyFact
from protocol.fields import DECK, SHARE_BYTES, STOCK
from protocol.match_facts import MatchFacts
from protocol.play_facts import TrickFacts
from protocol.progress import begin_play, play_absent, take_draws
from protocol.rules.common import blamed_as, out_of_order, require_first, require_seen


def judge_key(match: MatchFacts, event: Event, body: Key) -> None:
    """A fresh key with proof of knowledge; for a later deal once the deal before has been dealt."""
    if body.deal == 0:
        require_seen(event, match.accepted)
    else:
        require_seen(event, match.deal(body.deal - 1, event).dealt)
    deal = match.deal(body.deal, event)
    require_first(deal.keys[event.author], "given its key for this deal")
    with blamed_as("bad-key-proof", "the proof of the deal key was refused"):
        public = decode_point(body.public)
        verify_key(match.context(body.deal, "key", event.author), public, KeyProof.from_bytes(body.proof))
    deal.keys[event.author] = KeyFact(public, event.position, _parts(event, public, body.parts))
    publics = [fact.public for fact in deal.keys if fact]
    if len(publics) == len(SEATS):
        # Only four conspirators can make their keys cancel out: nobody alone is to blame; no deal follows.
        with contextlib.suppress(InvalidPoint):
            deal.joint = joint_key(publics)
            deal.deck.start = initial_deck(deal.joint)


def _parts(event: Event, public: Point, data: bytes) -> dict[Seat, SealedPart]:
    """The sealed parts of the secret key, one for each other seat in ascending order (§6.12)."""
    holders = [seat for seat in SEATS if seat != event.author]
    with blamed_as("bad-key-part", "the parts of the key were refused"):
        parts = [
            SealedPart.from_bytes(data[PART_BYTES * index : PART_BYTES * (index + 1)])
            for index in range(len(holders))
        ]
        verify_sum(public, parts)
    return dict(zip(holders, parts, strict=True))


def judge_shuffle(match: MatchFacts, event: Event, body: Shuffle) -> None:
    """Four shuffles of the deck, the dealer's first; four of the stock once the indicator is open (R6)."""
    deal = match.deal(body.deal, event)
    chain = deal.chain(body.stage)
    if body.stage == DECK:
        require_seen(event, (fact and fact.at for fact in deal.keys))
        if deal.number == 0 and match.genesis.standing is None:
            require_seen(event, (fact and fact[1] for fact in match.coin_reveals))
    else:
        require_seen(event, deal.dealt)
    place = chain.step_of(distance(deal.shuffler(0), event.author))
    require_first(chain.made_by[place], f"shuffled this {body.stage}")
    require_seen(event, chain.made_by[:place])
    before, joint = chain.last, deal.joint
    if before is None or joint is None:
        raise out_of_order()
    size = len(before)
    with blamed_as("bad-shuffle", f"the shuffle of the {body.stage} was refused"):
        after = decode_deck(body.deck, size)
        proof = ShuffleProof.from_bytes(body.proof, size)
        verify_shuffle(match.context(body.deal, body.stage, event.author), joint, before, after, proof)
    chain.steps.append((after, event.position))


def judge_dealt(match: MatchFacts, event: Event, body: Dealt) -> None:
    """Shares of the twelve cards of the others and of the indicator, each with its proof (R5, R6)."""
    deal = match.deal(body.deal, event)
    final = deal.deck.final
    require_seen(event, deal.deck.made_by)
    if final is None:
        raise out_of_order()
    if body.deal > 0:
        require_seen(event, [match.deal(body.deal - 1, event).results[event.author]])
    require_first(deal.dealt[event.author], "dealt its shares")
    slots = (*deal.hand_slots_of_others(event.author), INDICATOR_SLOT)
    points = check_shares(match, event, deal, DECK, slots, [final[slot] for slot in slots], body.shares)
    for slot, point in zip(slots[:-1], points, strict=False):
        deal.shares.setdefault(slot, {})[event.author] = point
    deal.indicator_shares.append(points[-1])
    deal.dealt[event.author] = event.position
    if all(deal.dealt):
        begin_play(deal, match.settled)


def judge_drawn(match: MatchFacts, event: Event, body: Drawn) -> None:
    """After a finished trick: shares of the cards that the others draw (R12)."""
    deal = match.deal(body.deal, event)
    if body.trick >= len(deal.tricks):
        raise out_of_order()
    trick = deal.tricks[body.trick]
    require_seen(event, trick.finished_by or [None])
    require_seen(event, deal.stock.made_by)
    require_first(trick.drawn_by[event.author], "given its shares of this draw")
    slots = drawn_slots_of_others(trick, event.author)
    if not slots:
        raise Fault("share-not-due", "nobody draws after this trick")
    points = check_shares(match, event, deal, STOCK, slots, [deal.ciphertext(s) for s in slots], body.shares)
    for slot, point in zip(slots, points, strict=True):
        deal.shares.setdefault(slot, {})[event.author] = point
    trick.drawn_by[event.author] = event.position
    take_draws(deal, body.trick)
    play_absent(deal)


def drawn_slots_of_others(trick: TrickFacts, seat: Seat) -> tuple[int, ...]:
    """The stock slots that the three others draw after a trick, in slot order."""
    return tuple(slot for holder, slot in trick.draws if holder != seat)


def check_shares(
    match: MatchFacts,
    event: Event,
    deal: DealFacts,
    stage: str,
    slots: Sequence[int],
    ciphertexts: Sequence[Ciphertext],
    data: bytes,
) -> list[Point]:
    """Check one share of the event's author for each slot, in order; the culprit card is named (§6.7)."""
    if len(data) != SHARE_BYTES * len(slots):
        raise Fault("malformed-body", f"{len(data)} bytes of shares for {len(slots)} cards")
    key = deal.keys[event.author]
    if key is None:
        raise out_of_order()
    context = match.context(deal.number, stage, event.author)
    points = []
    for index, (slot, ciphertext) in enumerate(zip(slots, ciphertexts, strict=True)):
        with blamed_as("bad-share", f"the share for slot {slot} was refused"):
            share = Share.from_bytes(data[SHARE_BYTES * index : SHARE_BYTES * (index + 1)])
            verify_share(context, slot, key.public, ciphertext, share)
        points.append(share.point)
    return points
