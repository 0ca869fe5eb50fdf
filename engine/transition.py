"""From one state to the next. Both functions raise `IllegalAction` and change nothing when they refuse."""

from dataclasses import replace

from engine.actions import Action, Beat, Deal, Discard, Draw, Indicate, Lead, Molodka, Open, Play
from engine.cards import HAND_SIZE, Seat, next_seat
from engine.legality import check, check_insertable, current_trick
from engine.options import Eggs
from engine.scoring import score_deal
from engine.state import STOCK_SIZE, Hand, Phase, State
from engine.trick import Branch, Trick


def apply(state: State, action: Action) -> State:
    """The state after an action that the rules allow now."""
    check(state, action)
    return _perform(state, action)


def insert(state: State, action: Action) -> State:
    """The state with an action that was allowed in what its author had seen, maybe less than `state` shows.

    For plays of the current trick: a molodka that has lost to a nearer one (R15), or an answer to a lead that
    does not count any more (R14), joins its own branch and its cards go back. The result depends only on the
    set of plays and not on their order, as long as each comes after those that its author had seen. Refused
    is only what would be wrong in every view: no such lead, a seat that opens the trick after it has played
    in it (R16), cards that the seat cannot hold. For all other actions the same as `apply`.
    """
    check_insertable(state, action)
    return _perform(state, action)


def _perform(state: State, action: Action) -> State:
    match action:
        case Lead() | Molodka() | Beat() | Discard():
            return _play(state, action)
        case Draw():
            return _draw(state, action)
        case Deal():
            return _deal(state, action)
        case Indicate(card):
            return _begin_trick(replace(state, indicator=card, phase=Phase.PLAYING))
        case Open():
            return _open(state, action)


def _deal(state: State, deal: Deal) -> State:
    first, second, third, fourth = (
        Hand(unknown=HAND_SIZE) if hand is None else Hand(known=frozenset(hand)) for hand in deal.hands
    )
    return replace(
        state,
        phase=Phase.INDICATING,
        deal_number=len(state.results),
        dealer=deal.dealer,
        leader=next_seat(deal.dealer) if state.leader is None else state.leader,
        indicator=None,
        dealt=deal,
        drawn=(),
        stock=STOCK_SIZE,
        hands=(first, second, third, fourth),
        trick=None,
        tricks=(),
    )


def _begin_trick(state: State) -> State:
    assert state.leader is not None
    return replace(state, trick=Trick(state.leader))


def _with_hand(state: State, seat: Seat, hand: Hand) -> State:
    first, second, third, fourth = (hand if seat == other else held for other, held in enumerate(state.hands))
    return replace(state, hands=(first, second, third, fourth))


def _play(state: State, play: Play) -> State:
    trick = current_trick(state).add(play)
    if play.cards is not None:
        hand = state.hands[play.seat]
        # What is shown stays seen also if it goes back (R14).
        hand = hand.learn(play.cards) if isinstance(play, Discard) else hand.show(play.cards)
        state = _with_hand(state, play.seat, hand)
    state = replace(state, trick=trick)
    return _finish_trick(state, trick) if trick.complete else state


def _finish_trick(state: State, trick: Trick) -> State:
    branch, taker = trick.effective, trick.taker
    assert branch is not None
    assert taker is not None
    for play in branch.plays():
        state = _with_hand(state, play.seat, state.hands[play.seat].without(play))
    assert len({hand.size for hand in state.hands}) == 1, "hands always stay equal (R12)"
    state = replace(state, leader=taker, trick=None, tricks=(*state.tricks, trick))
    if state.stock:
        return _begin_trick(replace(state, phase=Phase.DRAWING))
    if state.hands[taker].size:
        return _begin_trick(state)
    return _score_if_open(replace(state, phase=Phase.OPENING))


def _draw(state: State, draw: Draw) -> State:
    state = _with_hand(state, draw.seat, state.hands[draw.seat].gain(draw.card))
    state = replace(state, stock=state.stock - 1, drawn=(*state.drawn, draw))
    full = all(hand.size == HAND_SIZE for hand in state.hands)
    if state.stock and not full:
        return state
    assert len({hand.size for hand in state.hands}) == 1, "hands always stay equal (R12)"
    return replace(state, phase=Phase.PLAYING)


def _open(state: State, opening: Open) -> State:
    trick = state.tricks[opening.trick]
    *returned, branch = trick.branches
    answers = tuple(
        replace(answer, cards=opening.cards)
        if isinstance(answer, Discard) and answer.seat == opening.seat
        else answer
        for answer in branch.answers
    )
    opened = replace(trick, branches=(*returned, replace(branch, answers=answers)))
    tricks = (*state.tricks[: opening.trick], opened, *state.tricks[opening.trick + 1 :])
    return _score_if_open(replace(state, tricks=tricks))


def _all_known(branch: Branch | None) -> bool:
    return branch is not None and all(play.cards is not None for play in branch.plays())


def _score_if_open(state: State) -> State:
    """Score the deal once every discard that stood is known (R18 to R21)."""
    if not all(_all_known(trick.effective) for trick in state.tricks):
        return state
    result = score_deal(state.tricks, doubled=state.doubled)
    score = (state.score[0] + result.defeat_points[0], state.score[1] + result.defeat_points[1])
    state = replace(
        state,
        phase=Phase.DEAL_OVER,
        score=score,
        eggs=state.eggs + result.eggs,
        doubled=result.eggs and state.options.eggs is Eggs.DOUBLE,
        results=(*state.results, result),
    )
    return state if state.goat is None else replace(state, phase=Phase.MATCH_OVER)
