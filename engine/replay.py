"""A match from its actions."""

from collections.abc import Iterable, Iterator

from engine.actions import Action
from engine.cards import Seat
from engine.options import Options
from engine.state import Standing, State, new_match
from engine.transition import apply


def replay_states(
    options: Options, actions: Iterable[Action], first_leader: Seat | None = None
) -> Iterator[State]:
    """The new match, then the state after each action; raises `IllegalAction` at the first not allowed."""
    state = new_match(options, first_leader)
    yield state
    for action in actions:
        state = apply(state, action)
        yield state


def replay(
    options: Options,
    actions: Iterable[Action],
    first_leader: Seat | None = None,
    standing: Standing | None = None,
) -> State:
    """The state after all actions; raises `IllegalAction` at the first not allowed.

    `first_leader`: R22; `standing`: where the match was gone on with.
    """
    state = new_match(options, first_leader, standing)
    for action in actions:
        state = apply(state, action)
    return state
