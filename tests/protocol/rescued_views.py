"""What everybody may see of a deal that goes on without a seat: their own cards, and all of that seat's."""

from __future__ import annotations

from dataclasses import replace

from engine import Seat, State, Trick, player_view
from protocol.match import Match
from tests.protocol.matches import full_state
from tests.protocol.tables import Setup


def view_with_loss(setup: Setup, match: Match, seat: Seat | None) -> State:
    """The view of a seat, None for a spectator, from all four secrets; a deal must be under way or over.

    Which of the lost seat's discards were turned up is taken from the match: of those that went back only
    some are, see §7.12.
    """
    full = full_state(setup, match)
    view = player_view(full, seat)
    lost = dict(match.losses).get(match.current_number)
    return view if lost is None or lost == seat else _with_hand_open(view, full, match.state, lost)


def _with_hand_open(view: State, full: State, public: State, lost: Seat) -> State:
    owner = player_view(full, lost)
    assert view.dealt is not None
    assert owner.dealt is not None
    hands, dealt = list(view.hands), list(view.dealt.hands)
    hands[lost], dealt[lost] = owner.hands[lost], owner.dealt.hands[lost]
    first, second, third, fourth = hands
    one, two, three, four = dealt
    drawn = zip(view.drawn, owner.drawn, strict=True)
    tricks = zip(view.tricks, public.tricks, strict=True)
    trick = view.trick and public.trick and _turned_up(view.trick, public.trick, lost)
    return replace(
        view,
        hands=(first, second, third, fourth),
        dealt=replace(view.dealt, hands=(one, two, three, four)),
        drawn=tuple(theirs if theirs.seat == lost else mine for mine, theirs in drawn),
        trick=trick,
        tricks=tuple(_turned_up(own, known, lost) for own, known in tricks),
    )


def _turned_up(own: Trick, public: Trick, lost: Seat) -> Trick:
    """A trick with the lost seat's discards as far as all have seen them."""
    branches = []
    for branch, known in zip(own.branches, public.branches, strict=True):
        plays = zip(branch.answers, known.answers, strict=True)
        answers = tuple(theirs if theirs.seat == lost else mine for mine, theirs in plays)
        branches.append(replace(branch, answers=answers))
    return replace(own, branches=tuple(branches))
