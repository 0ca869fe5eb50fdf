import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Action,
    Discard,
    IllegalAction,
    MolodkaRule,
    Options,
    Phase,
    RecordError,
    actions_from_record,
    apply,
    deal_record,
    format_action,
    match_record,
    new_match,
    openings,
    options_from_record,
    replay,
    replay_record,
    standing_of,
    summary_record,
    view_action,
)
from engine.record import standing_record
from tests.engine import strategies
from tests.engine.strategies import random_match
from tests.engine.tables import merge, run


@settings(max_examples=50)
@given(
    st.integers(0, 2**32), strategies.options, strategies.policies, st.none() | strategies.seats, st.data()
)
def test_a_record_replays_to_the_same_state(
    seed: int, options: Options, policy: strategies.Policy, leader: int | None, data: st.DataObject
) -> None:
    actions = random_match(seed, options, policy, deals=2, first_leader=leader)
    cut = data.draw(st.integers(0, len(actions)))
    state = replay(options, actions[:cut], leader)
    record = match_record(options, actions[:cut], leader)
    through_json = json.loads(json.dumps(record))
    assert through_json == record
    if cut:
        assert replay_record(through_json) == state
        assert match_record(options, actions_from_record(record), leader) == record
    assert options_from_record(through_json) == options


def lines(actions: list[Action]) -> list[str]:
    return [format_action(action) for action in actions]


def test_actions_come_back_in_a_legal_order() -> None:
    """Without molodkas there is only one order."""
    options = Options(molodka=MolodkaRule.OFF)
    actions = random_match(4, options)
    assert lines(list(actions_from_record(match_record(options, actions)))) == lines(actions)


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_a_record_says_what_the_result_says(seed: int) -> None:
    """R18 to R21 can be checked from the record alone."""
    actions = random_match(seed)
    state, record = replay(Options(), actions), match_record(Options(), actions)
    assert record["score"] == list(state.score)
    assert record["goat"] == state.goat
    assert record["eggs"] == sum(deal["eggs"] for deal in record["deals"])
    for number, deal in enumerate(record["deals"]):
        assert deal["number"] == number
        dealt = [card for hand in deal["hands"] for card in hand or ()]
        assert len({*dealt, *deal["stock"]}) == 36
        assert deal["indicator"] in deal["stock"]
        assert deal["points"] is not None
        assert sum(deal["points"]) == 120
        assert deal["leader"] == deal["tricks"][0]["entitled"]
        for trick, following in zip(deal["tricks"], deal["tricks"][1:], strict=False):
            assert following["entitled"] == trick["taker"]


DEAL = "deal 1 6d7d8h9s 6c7c8c9c Ad9hQsTh 6s7s8sTs"


def test_plays_that_went_back_come_first_r15() -> None:
    """R15: weaker branches before stronger ones, each lead before its answers; only the last one counts."""
    state = run(new_match(Options()), DEAL, "indicate Ah")
    state = merge(state, "molodka 3 6s7s8sTs", "lead 2 Ad", "molodka 1 6c7c8c9c", "discard 0 6d7d8h9s on 3")
    [trick] = deal_record(state)["tricks"]
    assert trick == {
        "entitled": 2,
        "plays": [
            {"seat": 2, "action": "lead", "cards": ["Ad"], "returned": True},
            {"seat": 1, "action": "molodka", "cards": ["6c", "7c", "8c", "9c"], "returned": True},
            {"seat": 3, "action": "molodka", "cards": ["6s", "7s", "8s", "Ts"], "returned": False},
            {
                "seat": 0,
                "action": "discard",
                "cards": ["6d", "7d", "8h", "9s"],
                "returned": False,
            },
        ],
        "taker": None,
    }
    record = match_record(Options(), [])
    record["deals"] = [deal_record(state)]
    assert replay_record(record) == state


def test_an_unfinished_deal_has_no_points() -> None:
    state = run(new_match(Options()), DEAL)
    record = deal_record(state)
    assert (record["points"], record["tricks_taken"], record["defeat_points"], record["eggs"]) == (
        None,
        None,
        None,
        False,
    )
    assert (record["indicator"], record["trump"], record["tricks"], record["stock"]) == (None, None, [], [])
    assert (record["dealer"], record["leader"]) == (1, 2)
    with pytest.raises(RecordError, match="no deal"):
        deal_record(new_match(Options()))


def test_a_discard_that_was_never_opened_has_a_count_r14() -> None:
    """R14: the record of a deal may lack the cards of a discard that went back, and still replays."""
    for seed in range(1000):
        actions = random_match(seed, deals=1)
        returned = {
            play
            for trick in replay(Options(), actions).tricks
            for branch in trick.branches[:-1]
            for play in branch.answers
            if isinstance(play, Discard)
        }
        if returned:
            break
    hidden = [
        Discard(action.seat, action.count, None, action.on)
        if action in returned and isinstance(action, Discard)
        else action
        for action in actions
    ]
    record = match_record(Options(), hidden)
    plays = [
        play for trick in record["deals"][0]["tricks"] for play in trick["plays"] if play["cards"] is None
    ]
    assert len(plays) == len(returned)
    assert all(play["returned"] and play["count"] for play in plays)
    assert record["deals"][0]["points"] == match_record(Options(), actions)["deals"][0]["points"]
    assert replay_record(record) == replay(Options(), hidden)


def test_the_record_of_a_view_leaves_out_what_is_hidden() -> None:
    """A player alone can record a finished deal: its own hand, and what was opened."""
    actions = random_match(9, deals=1)
    full = replay(Options(), actions)
    seen = [*(view_action(action, 2) for action in actions), *openings(full, 2)]
    [deal] = match_record(Options(), seen)["deals"]
    assert [hand is None for hand in deal["hands"]] == [True, True, False, True]
    assert deal["stock"].count(None) == 15
    assert len(deal["stock"]) == 20
    assert deal["points"] == list(full.results[0].points)
    assert replay_record(match_record(Options(), seen)).results == full.results


def remove(*path: str | int) -> Callable[[Any], None]:
    def damage(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        del record[path[-1]]

    return damage


def put(value: object, *path: str | int) -> Callable[[Any], None]:
    def damage(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return damage


FIRST_PLAY = ("deals", 0, "tricks", 0, "plays", 0)


@pytest.mark.parametrize(
    "damage",
    [
        remove("options"),
        put("triple", "options", "eggs"),
        put("12", "options", "target"),
        remove("deals"),
        put(7, "deals"),
        remove("deals", 0, "leader"),
        put(4, "deals", 0, "leader"),
        put(None, "deals", 0, "dealer"),
        put("7x", "deals", 0, "indicator"),
        put(["6c"], "deals", 0, "hands"),
        put([["6c", 7]] * 4, "deals", 0, "hands"),
        put(["Ac"] * 40, "deals", 0, "stock"),
        put([], "deals", 0, "tricks", 0, "plays"),
        put("x", "deals", 0, "tricks", 0, "taker"),
        remove(*FIRST_PLAY, "seat"),
        put(1.0, *FIRST_PLAY, "seat"),
        put("pass", *FIRST_PLAY, "action"),
        put("beat", *FIRST_PLAY, "action"),
        put(None, *FIRST_PLAY, "cards"),
        put(
            {"seat": 0, "action": "discard", "cards": None, "count": "2"}, "deals", 0, "tricks", 0, "plays", 1
        ),
        put([None], "deals"),
    ],
)
def test_malformed_records(damage: Callable[[Any], None]) -> None:
    record: Any = copy.deepcopy(match_record(Options(), random_match(2, deals=1)))
    damage(record)
    with pytest.raises(RecordError):
        replay_record(record)


def test_a_well_formed_record_against_the_rules() -> None:
    record = match_record(Options(), random_match(2, deals=1))
    play = record["deals"][0]["tricks"][0]["plays"][0]
    play["seat"] = (play["seat"] + 1) % 4
    with pytest.raises(IllegalAction):
        replay_record(record)


def test_an_empty_record() -> None:
    assert replay_record(match_record(Options(), [])) == new_match(Options())
    assert new_match(Options()).phase is Phase.DEALING


@settings(max_examples=30)
@given(st.integers(0, 2**32), strategies.options)
def test_the_record_of_a_match_that_goes_on_starts_from_where_it_stood(seed: int, options: Options) -> None:
    actions = random_match(seed, options)
    states = list(strategies.states_of(options, actions))
    between = [place for place, state in enumerate(states) if state.phase is Phase.DEAL_OVER]
    if not between:
        return
    place = between[0]
    standing = standing_of(states[place])
    state, deals = new_match(options, standing=standing), []
    for action in actions[place:]:
        state = apply(state, action)
        if state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER):
            deals.append(deal_record(state))
    record = json.loads(json.dumps({**summary_record(state, deals), "standing": standing_record(standing)}))
    assert replay_record(record) == state
    assert (state.score, state.goat) == (states[-1].score, states[-1].goat)


@pytest.mark.parametrize(
    "standing",
    [
        7,
        {},
        {"score": [1], "eggs": 0, "doubled": False, "dealer": 0, "leader": 1},
        {"score": "ab", "eggs": 0},
    ],
)
def test_a_standing_that_cannot_be_read(standing: object) -> None:
    record = {**match_record(Options(), random_match(1, deals=1)), "standing": standing}
    with pytest.raises(RecordError, match="standing"):
        replay_record(record)
