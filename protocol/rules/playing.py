"""Leads, beats, discards and claims (§7.7): the game's own rules, asked in the author's causal past."""

from __future__ import annotations

from engine import IllegalAction, check, insert
from engine.actions import Beat, Discard, Lead, Molodka, Play
from engine.cards import DECK as CARDS
from engine.cards import Card
from protocol.bodies import Claimed, Discarded, Led, Shown
from protocol.crypto.group import Point
from protocol.crypto.share import open_card
from protocol.errors import Fault
from protocol.events import Event
from protocol.facts import HAND_SLOTS, DealFacts
from protocol.fields import DECK, STOCK
from protocol.match_facts import MatchFacts
from protocol.play_facts import PlayFact, TrickFacts
from protocol.progress import add_play, is_next, play_absent
from protocol.rules.common import out_of_order, require_seen
from protocol.rules.dealing import check_shares


def judge_shown(match: MatchFacts, event: Event, body: Shown) -> None:
    """Cards face up: from the author's hand, proven by its own shares, and allowed by the rules."""
    deal, trick = _trick_at(match, event, body.deal, body.trick)
    _require_held(deal, event, body.trick, body.slots)
    points, cards = _show(match, event, deal, body)
    action = _shown_action(event, body, tuple(sorted(cards)))
    _check_rules(event, trick, action)
    for slot, point, card in zip(body.slots, points, cards, strict=True):
        deal.shares[slot][event.author] = point
        deal.shown[slot] = card
    add_play(deal, body.trick, PlayFact(event.position, action, body.slots, None))
    play_absent(deal)


def judge_discarded(match: MatchFacts, event: Event, body: Discarded) -> None:
    """Cards face down: only their number is public, the commitment is opened after the deal (R10)."""
    deal, trick = _trick_at(match, event, body.deal, body.trick)
    action = Discard(seat=event.author, count=body.count, cards=None, on=body.on)
    _check_rules(event, trick, action)
    add_play(deal, body.trick, PlayFact(event.position, action, (), body.commitment))
    play_absent(deal)


def _trick_at(
    match: MatchFacts, event: Event, deal_number: int, trick_number: int
) -> tuple[DealFacts, TrickFacts]:
    """Find the trick, and require that it had begun for the author: the draw before it was done (R13)."""
    deal = match.deal(deal_number, event)
    require_seen(event, deal.dealt)
    if trick_number >= len(deal.tricks):
        raise out_of_order()
    if trick_number > 0:
        before = deal.tricks[trick_number - 1]
        require_seen(event, before.finished_by or [None])
        require_seen(event, deal.of_present(before.drawn_by) if before.draws else ())
    return deal, deal.tricks[trick_number]


def _require_held(deal: DealFacts, event: Event, trick: int, slots: tuple[int, ...]) -> None:
    held = deal.held(event.author, trick)
    for slot in slots:
        if slot not in held:
            raise Fault("card-not-held", f"slot {slot} is not in its author's hand")


def _show(match: MatchFacts, event: Event, deal: DealFacts, body: Shown) -> tuple[list[Point], list[Card]]:
    ciphertexts = {slot: deal.ciphertext(slot) for slot in body.slots}
    hand = [slot for slot in body.slots if slot < HAND_SLOTS]
    stock = [slot for slot in body.slots if slot >= HAND_SLOTS]
    split = len(body.shares) // len(body.slots) * len(hand)
    points: list[Point] = []
    for stage, slots, data in ((DECK, hand, body.shares[:split]), (STOCK, stock, body.shares[split:])):
        points += check_shares(match, event, deal, stage, slots, [ciphertexts[slot] for slot in slots], data)
    cards = []
    for slot, own in zip(body.slots, points, strict=True):
        others = [point for seat, point in deal.shares[slot].items() if seat != event.author]
        cards.append(CARDS[open_card(ciphertexts[slot], [*others, own])])
    return points, cards


def _shown_action(event: Event, body: Shown, cards: tuple[Card, ...]) -> Play:
    if isinstance(body, Led):
        return Lead(event.author, cards)
    if isinstance(body, Claimed):
        return Molodka(event.author, cards)
    return Beat(event.author, cards, on=body.on)


def _check_rules(event: Event, trick: TrickFacts, action: Play) -> None:
    """Ask the engine about the trick as the author had seen it."""
    state = trick.base
    for play in trick.plays:
        if event.saw(play.at) if play.at is not None else is_next(state, play.action):
            state = insert(state, play.action)
    try:
        check(state, action)
    except IllegalAction as error:
        raise Fault("illegal-play", f"the rules do not allow it ({error.code}): {error}") from error
