"""Opening of the discards, the deal's result, and the end of the match (§7.8–7.10)."""

from __future__ import annotations

from engine.actions import Open
from engine.cards import DECK as CARDS
from engine.cards import SEATS, Seat
from protocol import domains
from protocol.bodies import Concluded, Opened, Result
from protocol.crypto.commitment import verify_discard
from protocol.crypto.group import base, decode_scalar, mul
from protocol.crypto.share import open_card
from protocol.crypto.transcript import digest
from protocol.encoding import pack
from protocol.errors import Fault
from protocol.events import Event
from protocol.facts import DealFacts, OpenFact, standing_discards
from protocol.match_facts import MatchFacts
from protocol.play_facts import Step
from protocol.rules.common import blamed_as, out_of_order, require_first, require_seen
from protocol.translate import full_actions


def judge_opened(match: MatchFacts, event: Event, body: Opened) -> None:
    """The deal is played out: the secret key, and every discard of the author's that stood (R10)."""
    deal = match.deal(body.deal, event)
    if not deal.played_out:
        raise out_of_order()
    require_seen(event, deal.tricks[-1].finished_by or [None])
    require_first(deal.opened[event.author], "opened this deal")
    public = deal.keys[event.author]
    with blamed_as("wrong-key", "the opened deal key is not the one of this deal"):
        key = decode_scalar(body.key)
        if public is None or base(key) != public.public:
            raise Fault("wrong-key", "the opened deal key is not the one of this deal")
    discards = _check_discards(match, event, deal, body)
    deal.opened[event.author] = OpenFact(event.position, key, discards)
    reveal_if_open(match, deal)


def _check_discards(
    match: MatchFacts, event: Event, deal: DealFacts, body: Opened
) -> dict[int, tuple[int, ...]]:
    """Each discard that stood is opened once, was committed to, was held, and was played nowhere else."""
    stood = standing_discards(deal, event.author)
    if [trick for trick, _, _ in body.discards] != sorted(stood):
        raise Fault("refused-opening", "it does not open exactly the discards of its author that stood")
    spent: set[int] = set()
    opened = {}
    for trick, salt, slots in body.discards:
        play = stood[trick]
        action = play.action
        if action.count != len(slots):
            raise Fault("bad-commitment", f"the discard of trick {trick} was of another number of cards")
        with blamed_as("bad-commitment", f"the discard of trick {trick} was committed to differently"):
            verify_discard(
                play.commitment,
                match.genesis.match_id,
                deal.number,
                trick,
                event.author,
                action.on,
                salt,
                slots,
            )
        for slot in slots:
            holder, since = deal.holders.get(slot, (None, 0))
            if holder != event.author or since > trick:
                raise Fault(
                    "discard-not-held",
                    f"slot {slot}, discarded in trick {trick}, was not in its author's hand",
                )
            if slot in spent or _shown_elsewhere(deal, event.author, trick, slot):
                raise Fault(
                    "card-played-twice", f"slot {slot}, discarded in trick {trick}, was played elsewhere too"
                )
            spent.add(slot)
        opened[trick] = slots
    return opened


def _shown_elsewhere(deal: DealFacts, seat: Seat, discarded: int, slot: int) -> bool:
    """Whether a card discarded in one trick was played face up in another, or shown after it was gone.

    A card that was shown and went back (R14) may be discarded in the same trick or later, not earlier.
    """
    return any(
        play.action.seat == seat and slot in play.slots
        for number, trick in enumerate(deal.tricks)
        for play in (trick.plays if number > discarded else trick.standing)
    )


def reveal_if_open(match: MatchFacts, deal: DealFacts) -> None:
    """With all four keys every card is known: open the discards, and keep the deal with everything open."""
    if not (deal.played_out and all(deal.opened)):
        return
    cards = {}
    keys = [fact.key for fact in deal.opened if fact]
    for slot in deal.holders:
        ciphertext = deal.ciphertext(slot)
        known = deal.shares.get(slot, {})
        points = [known[seat] if seat in known else mul(keys[seat], ciphertext.a) for seat in SEATS]
        cards[slot] = deal.shown[slot] if slot in deal.shown else CARDS[open_card(ciphertext, points)]
    for seat, fact in enumerate(deal.opened):
        for trick, slots in sorted(fact.discards.items() if fact else ()):
            opened = tuple(sorted(cards[slot] for slot in slots))
            deal.record(Step(deal.number, trick, Open(seat, trick, opened), slots))
    actions = full_actions(deal.steps, cards, deal)
    match.finish(deal, actions)


def judge_result(match: MatchFacts, event: Event, body: Result) -> None:
    """Everything is open, and the author computed what everybody computes (R18–R20)."""
    deal = match.deal(body.deal, event)
    require_seen(event, deal.openings)
    require_first(deal.results[event.author], "signed this result")
    if body.hash != result_hash(match, body.deal):
        raise Fault("false-result", "the signed result is not what the cards say")
    deal.results[event.author] = event.position
    match.close(event.author, body.deal)
    if all(deal.results):
        match.forget(deal.number - 1)


def result_hash(match: MatchFacts, number: int) -> bytes:
    """Hash of a finished deal's result (§6.10)."""
    result = match.state.results[number]
    return digest(
        domains.RESULT,
        match.genesis.match_id,
        pack((number, result.points, result.tricks_taken, result.defeat_points, result.eggs)),
    )


def judge_final(match: MatchFacts, event: Event, body: Concluded) -> None:
    """The match is over, all four have signed the last result, and agree on the final state (R21)."""
    if not match.over:
        raise out_of_order()
    last = match.deal(len(match.finished) - 1, event)
    require_seen(event, last.of_present(last.results))
    require_first(match.finals[event.author], "signed the end of the match")
    if body.hash != final_hash(match):
        raise Fault("false-final", "the signed end of the match is not what the deals add up to")
    match.finals[event.author] = event.position


def final_hash(match: MatchFacts) -> bytes:
    """Hash of the final state (§6.11)."""
    state = match.state
    return digest(
        domains.FINAL,
        match.genesis.match_id,
        pack((len(state.results), state.score, state.eggs, state.leader)),
    )
