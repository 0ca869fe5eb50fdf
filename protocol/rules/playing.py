"""Leads, beats, discards and claims (§7.7): the game's own rules, asked in the author's causal past."""

from __future__ import annotations

from collections.abc import Iterator

from engine import IllegalAction, check, insert
from engine.actions import Beat, Discard, Draw, Lead, Molodka, Play
from engine.cards import DECK as CARDS
from engine.cards import Card, Seat
from engine.state import State, next_drawer
from protocol.bodies import DECK, STOCK, Claimed, Discarded, Led, Shown
from protocol.crypto.group import Point
from protocol.crypto.share import open_card
from protocol.errors import Fault
from protocol.events import Event
from protocol.facts import HAND_SLOTS, DealFacts, PlayFact, Step, TrickFacts
from protocol.match_facts import MatchFacts
from protocol.rules.common import out_of_order, require_seen
from protocol.rules.dealing import check_shares, take_draws


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
    _accept(deal, trick, body.trick, PlayFact(event.position, action, body.slots, None))


def judge_discarded(match: MatchFacts, event: Event, body: Discarded) -> None:
    """Cards face down: only their number is public, the commitment is opened after the deal (R10)."""
    deal, trick = _trick_at(match, event, body.deal, body.trick)
    action = Discard(seat=event.author, count=body.count, cards=None, on=body.on)
    _check_rules(event, trick, action)
    _accept(deal, trick, body.trick, PlayFact(event.position, action, (), body.commitment))


def _trick_at(
    match: MatchFacts, event: Event, deal_number: int, trick_number: int
) -> tuple[DealFacts, TrickFacts]:
    """Find the trick, and require that it had begun for the author: the draw before it was done (R13)."""
    deal = match.deal(deal_number)
    require_seen(event, deal.dealt)
    if trick_number >= len(deal.tricks):
        raise out_of_order()
    if trick_number > 0:
        before = deal.tricks[trick_number - 1]
        require_seen(event, before.finished_by or [None])
        require_seen(event, before.drawn_by if before.draws else ())
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
        if event.saw(play.at):
            state = insert(state, play.action)
    try:
        check(state, action)
    except IllegalAction as error:
        raise Fault("illegal-play", f"the rules do not allow it ({error.code}): {error}") from error


def _accept(deal: DealFacts, trick: TrickFacts, number: int, play: PlayFact) -> None:
    if trick.finished_by is not None:
        # Whoever plays to a finished trick has played in it already; the engine has said so (R16).
        raise Fault("illegal-play", "the trick was finished")
    trick.plays.append(play)
    deal.record(Step(deal.number, number, play.action, play.slots, play.commitment))
    if len(deal.game.tricks) > number:
        _finish_trick(deal, trick, number)


def _finish_trick(deal: DealFacts, trick: TrickFacts, number: int) -> None:
    """The branch that counts has four (R16): note who finished it, and who draws which slots (R12)."""
    done = deal.game.tricks[number]
    branch = done.effective
    if branch is None:
        raise LookupError("the engine counts a trick as done that nobody has led to")
    trick.finished_by = tuple(play.at for play in trick.plays if _stands(play.action, branch.leader))
    trick.draws = tuple(_draws(deal.game))
    deal.holders.update({slot: (seat, number + 1) for seat, slot in trick.draws})
    if not trick.draws:
        take_draws(deal, number)


def _draws(state: State) -> Iterator[tuple[Seat, int]]:
    """Who draws which slot of the stock, one at a time, clockwise from the taker (R12)."""
    while (seat := next_drawer(state)) is not None:
        yield seat, len(CARDS) - state.stock
        state = insert(state, Draw(seat, None))


def _stands(action: Play, leader: int) -> bool:
    return action.seat == leader if isinstance(action, Lead | Molodka) else action.on == leader
