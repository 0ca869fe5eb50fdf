from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Action,
    Deal,
    Eggs,
    Hand,
    IllegalAction,
    Options,
    OptionsError,
    Phase,
    Seat,
    Standing,
    State,
    apply,
    deal_record,
    holding,
    loss,
    new_match,
    player_view,
    replay,
    standing_of,
)
from tests.engine import strategies
from tests.engine.strategies import greedy_play, random_match
from tests.engine.tables import cards, run, table


def test_a_new_match() -> None:
    state = new_match(Options())
    assert (state.phase, state.score, state.dealer, state.leader, state.trump) == (
        Phase.DEALING,
        (0, 0),
        None,
        None,
        None,
    )
    assert new_match(Options(), first_leader=3).leader == 3


@pytest.mark.parametrize("leader", [-1, 4])
def test_the_first_leader_is_a_seat_r22(leader: int) -> None:
    """R22: it is the seat that took the last trick of the match before."""
    with pytest.raises(OptionsError, match="first leader"):
        new_match(Options(), leader)


def test_a_hand_is_known_cards_and_a_count() -> None:
    hand = Hand(unknown=4)
    assert hand.learn(cards("6c7c")) == Hand(frozenset(cards("6c7c")), 2)
    shown = hand.show(cards("6c"))
    assert shown == Hand(frozenset(cards("6c")), 3, frozenset(cards("6c")))
    assert shown.show(cards("6c")) == shown
    assert shown.gain(None).size == 5
    assert shown.gain(cards("Ad")[0]) == Hand(frozenset(cards("6cAd")), 3, frozenset(cards("6c")))
    assert shown.lose(cards("6c"), face_down=False) == Hand(unknown=3)
    assert shown.lose_unknown(3) == Hand(unknown=1)


def test_a_face_down_play_unsettles_what_was_seen_r10() -> None:
    """R10: others cannot tell which cards lay down; the owner can."""
    hand = Hand(frozenset(cards("6c7c8c")), 0, frozenset(cards("6c7c")))
    assert hand.lose(cards("8c"), face_down=False).seen == set(cards("6c7c"))
    assert hand.lose(cards("8c"), face_down=True) == Hand(frozenset(cards("6c7c")))


def test_holding_follows_the_lead_that_counts_r14() -> None:
    """R14: cards on the table are not held, cards that went back are."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    state = run(start, "lead 0 6d", "beat 1 8d on 0")
    assert [holding(state, seat).size for seat in range(4)] == [3, 3, 4, 4]
    assert holding(state, 0).known == set(cards("7h8sKc"))
    state = run(state, "molodka 3 6c7c8c9c")
    assert [holding(state, seat).size for seat in range(4)] == [4, 4, 4, 0]
    assert holding(state, 0).known == set(cards("6d7h8sKc"))


@given(strategies.positions())
def test_states_are_values(state: State) -> None:
    assert hash(state) == hash(State(**{name: getattr(state, name) for name in State.__dataclass_fields__}))


# A match that goes on from where another stood


@given(st.integers(0, 2**32), st.integers(1, 4), strategies.options)
def test_a_match_cut_between_two_deals_goes_on_to_the_same_end(seed: int, cut: int, options: Options) -> None:
    actions = strategies.random_match(seed, options)
    states = list(strategies.states_of(options, actions))
    ends = [place for place, state in enumerate(states) if state.phase is Phase.DEAL_OVER]
    if not ends:
        return
    place = ends[min(cut, len(ends)) - 1]
    state = new_match(options, standing=standing_of(states[place]))
    for action in actions[place:]:
        state = apply(state, action)
    whole = states[-1]
    assert (state.phase, state.goat) == (Phase.MATCH_OVER, whole.goat)
    assert (state.score, state.eggs, state.doubled) == (whole.score, whole.eggs, whole.doubled)
    assert (state.dealer, state.leader) == (whole.dealer, whole.leader)
    assert state.results == whole.results[len(states[place].results) :]


STANDING = Standing(score=(4, 2), eggs=1, doubled=True, dealer=3, leader=0)


def test_the_deal_passes_on_from_the_dealer_before_r4() -> None:
    state = new_match(Options(eggs=Eggs.DOUBLE), standing=STANDING)
    with pytest.raises(IllegalAction):
        apply(state, Deal(3, (None, None, None, None)))
    assert apply(state, Deal(0, (None, None, None, None))).leader == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"score": (12, 0)},
        {"score": (0, -1)},
        {"eggs": -1, "doubled": False},
        {"eggs": 0},
        {"dealer": 4},
        {"leader": -1},
    ],
)
def test_standings_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        new_match(Options(eggs=Eggs.DOUBLE), standing=replace(STANDING, **wrong))


def test_eggs_that_are_a_joke_double_nothing() -> None:
    with pytest.raises(OptionsError):
        new_match(Options(), standing=STANDING)


def test_a_match_goes_on_or_follows_another_but_not_both() -> None:
    with pytest.raises(OptionsError):
        new_match(Options(eggs=Eggs.DOUBLE), 1, STANDING)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.DEAL_OVER])
def test_a_match_stands_somewhere_only_between_deals(phase: Phase) -> None:
    with pytest.raises(ValueError, match="end of a deal"):
        standing_of(State(Options(), phase=phase, dealer=0, leader=1))


DOUBLE = Options(eggs=Eggs.DOUBLE)


def test_a_match_goes_on_from_where_it_stood_r4() -> None:
    """R4, R19, R20: its deals are counted anew, and everybody knows all of where it stood."""
    state = new_match(DOUBLE, standing=STANDING)
    assert state == State(DOUBLE, score=(4, 2), eggs=1, doubled=True, dealer=3, leader=0)
    assert (state.phase, state.deal_number, state.results, state.goat) == (Phase.DEALING, 0, (), None)
    assert all(player_view(state, seat) == state for seat in (None, 0, 1, 2, 3))
    dealt = apply(state, Deal(0))
    assert (dealt.deal_number, dealt.dealer, dealt.leader, dealt.doubled) == (0, 0, 0, True)


@pytest.mark.parametrize(
    ("change", "options", "reason"),
    [
        ({"score": (0, 12)}, DOUBLE, "score"),
        ({"score": (6, 0)}, Options(target=6, eggs=Eggs.DOUBLE), "score"),
        ({"score": (1,)}, DOUBLE, "score"),
        ({"eggs": 0}, DOUBLE, "eggs"),
        ({}, Options(), "eggs"),
        ({"dealer": -1}, DOUBLE, "dealer"),
        ({"leader": None}, DOUBLE, "leader"),
    ],
)
def test_the_reason_why_no_match_can_stand_so_r21(
    change: dict[str, Any], options: Options, reason: str
) -> None:
    """R20, R21: who has reached the target has lost, and only eggs count the next deal twice."""
    with pytest.raises(OptionsError, match=reason):
        new_match(options, standing=replace(STANDING, **change))


@pytest.mark.parametrize("change", [{"score": (11, 11)}, {"eggs": 0, "doubled": False}, {"doubled": False}])
def test_standings_that_can_be(change: dict[str, Any]) -> None:
    standing = replace(STANDING, **change)
    state = new_match(DOUBLE, standing=standing)
    assert (state.score, state.eggs, state.doubled) == (standing.score, standing.eggs, standing.doubled)


def deals_of(actions: Iterable[Action]) -> list[list[Action]]:
    """The actions of each deal."""
    deals: list[list[Action]] = []
    for action in actions:
        if isinstance(action, Deal):
            deals.append([])
        deals[-1].append(action)
    return deals


def play_on(state: State, deals: Iterable[Sequence[Action]]) -> list[State]:
    """The state after each deal."""
    states = []
    for deal in deals:
        for action in deal:
            state = apply(state, action)
        states.append(state)
    return states


def check_cuts(options: Options, actions: Sequence[Action], leader: Seat | None) -> None:
    """After a cut between any two deals the match goes on as it did."""
    deals = deals_of(actions)
    whole = play_on(new_match(options, leader), deals)
    assert whole[-1].phase is Phase.MATCH_OVER
    for cut in range(1, len(deals)):
        rest = play_on(new_match(options, standing=standing_of(whole[cut - 1])), deals[cut:])
        for number, (state, expected) in enumerate(zip(rest, whole[cut:], strict=True)):
            assert state == replace(expected, deal_number=number, results=expected.results[cut:])
            assert deal_record(state) == {**deal_record(expected), "number": number}
        assert (rest[-1].goat, rest[-1].goat_with_eggs) == (whole[-1].goat, whole[-1].goat_with_eggs)


@settings(max_examples=25)
@given(st.integers(0, 2**32), strategies.options, strategies.policies, st.none() | strategies.seats)
def test_each_deal_after_a_cut_is_as_in_one_go_r21(
    seed: int, options: Options, policy: strategies.Policy, leader: Seat | None
) -> None:
    """R19 to R22: states and records differ in nothing but the number of the deal."""
    check_cuts(options, random_match(seed, options, policy, first_leader=leader), leader)


def test_a_match_cut_after_eggs_counts_the_next_deal_twice_r20() -> None:
    """R20: also when the eggs were seen by another roster."""
    for seed in range(3000):
        first = random_match(seed, DOUBLE, greedy_play, deals=1)
        if replay(DOUBLE, first).eggs:
            break
    actions = random_match(seed, DOUBLE, greedy_play)
    check_cuts(DOUBLE, actions, None)
    standing = standing_of(replay(DOUBLE, first))
    assert (standing.eggs, standing.doubled) == (1, True)
    [after] = play_on(new_match(DOUBLE, standing=standing), deals_of(actions)[1:2])
    [result] = after.results
    simple = tuple(loss(result.points[team], result.tricks_taken[team]) for team in (0, 1))
    assert any(simple)
    assert result.defeat_points == (2 * simple[0], 2 * simple[1])
    assert not after.doubled
