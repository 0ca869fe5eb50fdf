"""What one seat, or the public, may know: of a state, and of an action.

`player_view` is the only thing that a screen or a bot gets. Replaying the actions that `view_action` lets a
seat see, with `openings` added when the deal is over, gives that same view.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, Answer, Deal, Discard, Draw, Open
from engine.cards import Seat
from engine.state import Hand, Phase, State
from engine.trick import Branch, Trick


def view_action(action: Action, seat: Seat | None) -> Action:
    """The action as that seat sees it; None is a spectator (R5, R10, R12)."""
    match action:
        case Deal(dealer, hands):
            first, second, third, fourth = (
                hand if owner == seat else None for owner, hand in enumerate(hands)
            )
            return Deal(dealer, (first, second, third, fourth))
        case Draw():
            return _hide_draw(action, seat)
        case Discard():
            return _hide_discard(action, seat)
        case _:
            return action


def player_view(state: State, seat: Seat | None) -> State:
    """The state as that seat sees it; None is a spectator.

    Hidden are the other hands but for what was shown and went back (R14), the cards that others were dealt
    and drew, and their discards (R10): those that stood until all cards of the deal are played, those that
    went back for ever.
    """
    first, second, third, fourth = (
        hand if owner == seat else Hand(hand.seen, hand.size - len(hand.seen), hand.seen)
        for owner, hand in enumerate(state.hands)
    )
    cards_are_out = state.phase in (Phase.OPENING, Phase.DEAL_OVER, Phase.MATCH_OVER)
    dealt = None if state.dealt is None else view_action(state.dealt, seat)
    assert dealt is None or isinstance(dealt, Deal)
    return replace(
        state,
        dealt=dealt,
        drawn=tuple(_hide_draw(draw, seat) for draw in state.drawn),
        hands=(first, second, third, fourth),
        trick=None if state.trick is None else _hide_trick(state.trick, seat, standing_is_open=False),
        tricks=tuple(_hide_trick(trick, seat, standing_is_open=cards_are_out) for trick in state.tricks),
    )


def openings(state: State, seat: Seat | None) -> Iterator[Open]:
    """The discards that stood in the finished deal, as the actions by which a seat learns them (R10, R18)."""
    for number, trick in enumerate(state.tricks):
        for play in () if trick.effective is None else trick.effective.answers:
            if isinstance(play, Discard) and play.cards is not None and play.seat != seat:
                yield Open(play.seat, number, play.cards)


def _hide_draw(draw: Draw, seat: Seat | None) -> Draw:
    return draw if draw.seat == seat else Draw(draw.seat)


def _hide_discard(discard: Discard, seat: Seat | None) -> Discard:
    return discard if discard.seat == seat else replace(discard, cards=None)


def _hide_trick(trick: Trick, seat: Seat | None, *, standing_is_open: bool) -> Trick:
    return replace(
        trick,
        branches=tuple(
            branch if standing_is_open and branch is trick.effective else _hide_branch(branch, seat)
            for branch in trick.branches
        ),
    )


def _hide_branch(branch: Branch, seat: Seat | None) -> Branch:
    answers: tuple[Answer, ...] = tuple(
        _hide_discard(answer, seat) if isinstance(answer, Discard) else answer for answer in branch.answers
    )
    return replace(branch, answers=answers)
