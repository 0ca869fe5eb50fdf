import pytest

from engine import IllegalAction, Lead, Options, Phase, new_match, replay, replay_states
from tests.engine.strategies import random_match, states_of


def test_replay_ends_where_its_states_end() -> None:
    actions = random_match(11)
    states = list(replay_states(Options(), actions))
    assert states == list(states_of(Options(), actions))
    assert states[0] == new_match(Options())
    assert len(states) == len(actions) + 1
    assert replay(Options(), actions) == states[-1]
    assert states[-1].phase is Phase.MATCH_OVER


def test_the_first_leader_is_kept_r22() -> None:
    """R22: the winner of the last trick of one match leads the next one, and its record replays."""
    winner = replay(Options(), random_match(11)).leader
    assert winner is not None
    following = random_match(12, first_leader=winner)
    state = list(replay_states(Options(), following, winner))[2]
    assert state.leader == winner
    with pytest.raises(IllegalAction):
        replay(Options(), following, (winner + 1) % 4)


def test_replay_stops_at_the_first_illegal_action() -> None:
    actions = random_match(11)
    place = next(place for place, action in enumerate(actions) if isinstance(action, Lead))
    broken = [*actions[:place], actions[place], *actions[place:]]
    states = replay_states(Options(), broken)
    for _ in range(place + 2):
        next(states)
    with pytest.raises(IllegalAction):
        next(states)
