"""What holds for every log: shares are decryption oracles, and deal keys are not identity keys."""

from __future__ import annotations

from engine import SEATS, Seat, next_seat
from protocol import bodies, domains
from protocol.bodies import Dealt, Drawn, Key, parse_body
from protocol.crypto.group import base
from protocol.crypto.share import Share, verify_share
from protocol.events import Event
from protocol.facts import DealFacts
from protocol.fields import DECK, PARTS_BYTES, STOCK
from protocol.log import EventLog
from protocol.match import Match
from tests.protocol.cheats import before, caught
from tests.protocol.matches import Played, facts_of, rich


def given_slots(match: Match, event: Event, deal: DealFacts) -> tuple[int, ...]:
    """The slots of the cards for which an event gives shares, as the rules say, the indicator left out."""
    body = parse_body(event.kind, event.body)
    if isinstance(body, Dealt):
        return tuple(slot for slot in range(16) if next_seat(deal.dealer or 0, 1 + slot) != event.author)
    if isinstance(body, Drawn):
        return tuple(slot for holder, slot in deal.tricks[body.trick].draws if holder != event.author)
    if isinstance(body, bodies.Led | bodies.Claimed | bodies.Beaten):
        return body.slots
    return ()


def check_shares_of(match: Match, event: Event, holders: dict[tuple[int, int], Seat]) -> set[tuple[int, int]]:
    """Verify each share in an event by itself, for the slot that it must be for; return these slots."""
    number = event.body[0]
    assert isinstance(number, int)
    deal = facts_of(match, number)
    slots = given_slots(match, event, deal)
    data = event.body[2 if event.kind == "draw" else -1]
    assert isinstance(data, bytes)
    public = deal.keys[event.author]
    assert public is not None
    for place, slot in enumerate(slots):
        context = match.context(number, DECK if slot < 16 else STOCK, event.author)
        share = Share.from_bytes(data[96 * place : 96 * place + 96])
        verify_share(context, slot, public[0], deal.ciphertext(slot), share)
        holders[number, slot] = (
            deal.holders[slot][0] if slot in deal.holders else next_seat(deal.dealer or 0, 1 + slot)
        )
    return {(number, slot) for slot in slots}


def test_shares_are_given_only_when_due_and_never_for_an_own_hidden_card() -> None:
    log = EventLog(rich().setup.genesis)
    match = Match(log)
    holders: dict[tuple[int, int], Seat] = {}
    given: dict[tuple[Seat, tuple[int, int]], int] = {}
    for event in rich().events:
        log.offer(event)
        if event.kind == "draw":
            number, trick = event.body[:2]
            assert isinstance(number, int)
            assert isinstance(trick, int)
            assert (
                facts_of(match, number).tricks[trick].finished_by
            )  # the cards are handed to somebody by now
        shares = event.kind in {"deal", "draw", "lead", "molodka", "beat"}
        slots = check_shares_of(match, event, holders) if shares else set()
        for slot in slots:
            shown = event.kind in {"lead", "molodka", "beat"}
            assert (holders[slot] == event.author) == shown
            if not shown:
                assert (event.author, slot) not in given
            given[event.author, slot] = event.seq
        assert match.admit(event) is None
    for place, holder in holders.items():
        assert [seat for seat in SEATS if seat != holder and (seat, place) not in given] == []
    hidden = [slot for slot, holder in holders.items() if (holder, slot) not in given]
    plays = [play for deal in match.finished for trick in deal["tricks"] for play in trick["plays"]]
    discards = [play for play in plays if play["action"] == "discard" and not play["returned"]]
    # Who discards never shows which cards they were; some had been shown before and had gone back.
    assert 0 < len(hidden) <= sum(len(play["cards"] or ()) for play in discards)


def deal_keys(match: Played) -> list[bytes]:
    """The public deal keys of a match."""
    return [key for event in match.events if event.kind == "key" and isinstance(key := event.body[1], bytes)]


def test_deal_keys_are_fresh_and_never_identity_keys() -> None:
    keys = deal_keys(rich())
    assert len(set(keys)) == len(keys) > 8
    for member in rich().setup.genesis.roster:
        assert member.identity not in keys
        assert member.transport not in keys
    secrets = {rich().setup.keyring(seat).deal_key(number) for seat in SEATS for number in range(2)}
    assert {base(secret) for secret in secrets} <= set(keys)


def test_a_signature_is_no_proof_of_a_deal_key() -> None:
    """The identity key cannot even be offered: knowing it proves nothing under the label of deal keys."""
    scene, _ = before("key")
    identity = scene.cheat.identity
    signature = identity.sign(domains.KEY_PROOF, identity.public)
    event = scene.cheat.say(Key(0, identity.public, signature, bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "bad-key-proof", event.id)
