"""How the game of a deal moves on once something has been judged (§7.5–7.7, §7.11, §7.12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine import insert
from engine.absent import absent_plays
from engine.actions import Deal, Draw, Indicate, Lead, Molodka, Play
from engine.cards import DECK as CARDS
from engine.cards import Seat
from engine.state import Phase, State, next_drawer
from protocol.crypto.group import mul
from protocol.crypto.share import open_card
from protocol.errors import Fault
from protocol.facts import HAND_SLOTS, INDICATOR_SLOT, DealFacts
from protocol.play_facts import PlayFact, Step, TrickFacts
from protocol.translate import slots_of, with_cards


def begin_play(deal: DealFacts, base: State) -> None:
    """All four have dealt: the indicator is open, and what is left of the deck becomes the stock."""
    final, dealer = deal.deck.final, deal.dealer
    if final is None or dealer is None:
        raise LookupError("a deal began before its deck was ready")
    deal.stock.start = final[HAND_SLOTS:]
    deal.holders.update({slot: (deal.first_holder(slot), 0) for slot in range(HAND_SLOTS)})
    _lay_open(deal)
    deal.base = deal.state = base
    dealt = Step(deal.number, 0, Deal(dealer, (None, None, None, None)), tuple(range(HAND_SLOTS)))
    deal.record(replace(dealt, action=with_cards(dealt, deal.shown.get, lambda _: None)))
    indicator = open_card(final[INDICATOR_SLOT], deal.indicator_shares)
    deal.record(Step(deal.number, 0, Indicate(CARDS[indicator])))
    deal.tricks.append(TrickFacts(base=deal.game))


def _lay_open(deal: DealFacts) -> None:
    """Everybody has the lost seat's key: its shares of all cards, and so its own cards."""
    loss = deal.loss
    if loss is None:
        return
    for slot, (holder, _) in deal.holders.items():
        ciphertext = deal.ciphertext(slot)
        points = deal.shares.setdefault(slot, {})
        if loss.seat not in points:
            points[loss.seat] = mul(loss.key, ciphertext.a)
        if holder == loss.seat and slot not in deal.shown:
            deal.shown[slot] = CARDS[open_card(ciphertext, points.values())]


def add_play(deal: DealFacts, number: int, play: PlayFact) -> None:
    """A play joins its trick, which may so be finished."""
    trick = deal.tricks[number]
    if trick.standing:
        # Whoever plays to a finished trick has played in it already; the engine has said so (R16).
        raise Fault("illegal-play", "the trick was finished")
    trick.plays.append(play)
    deal.record(Step(deal.number, number, play.action, play.slots, play.commitment))
    if len(deal.game.tricks) > number:
        _finish_trick(deal, trick, number)


def _finish_trick(deal: DealFacts, trick: TrickFacts, number: int) -> None:
    """The branch that counts has four (R16): note which plays stand, and who draws which slots (R12)."""
    branch = deal.game.tricks[number].effective
    if branch is None:
        raise LookupError("the engine counts a trick as done that nobody has led to")
    trick.standing = tuple(play for play in trick.plays if _stands(play.action, branch.leader))
    trick.draws = tuple(_draws(deal.game))
    deal.holders.update({slot: (seat, number + 1) for seat, slot in trick.draws})
    take_draws(deal, number)


def _stands(action: Play, leader: Seat) -> bool:
    return action.seat == leader if isinstance(action, Lead | Molodka) else action.on == leader


def _draws(state: State) -> Iterator[tuple[Seat, int]]:
    """Who draws which slot of the stock, one at a time, clockwise from the taker (R12)."""
    while (seat := next_drawer(state)) is not None:
        yield seat, len(CARDS) - state.stock
        state = insert(state, Draw(seat, None))


def take_draws(deal: DealFacts, number: int) -> None:
    """If all shares are there, the cards drawn after a trick are in hand, and the next trick begins."""
    trick = deal.tricks[number]
    if not trick.standing or (trick.draws and not all(deal.of_present(trick.drawn_by))):
        return
    if trick.draws:
        _lay_open(deal)
    for seat, slot in trick.draws:
        deal.record(Step(deal.number, number, Draw(seat, deal.shown.get(slot)), (slot,)))
    if not deal.played_out:
        deal.tricks.append(TrickFacts(base=deal.game))


def play_absent(deal: DealFacts) -> None:
    """Play for the lost seat, if there is one, whatever it is to play by now (§7.12)."""
    while deal.loss is not None and deal.game.phase is Phase.PLAYING:
        number = len(deal.tricks) - 1
        _, plays = absent_plays(deal.game, deal.loss.seat)
        for action in plays:
            held = {deal.shown[slot]: slot for slot in deal.held(deal.loss.seat, number)}
            slots = slots_of(action.cards or (), held)
            add_play(deal, number, PlayFact(None, action, slots, None))
        if not deal.tricks[number].standing:
            return


def is_next(state: State, action: Play) -> bool:
    """Whether a play for the lost seat belongs into a view of a trick: what it answers is there.

    What the rule plays depends on the lead and the answers before it alone.
    """
    if isinstance(action, Lead | Molodka):
        return True
    branch = None if state.trick is None else state.trick.branch_of(action.on)
    return branch is not None and branch.awaited == action.seat
