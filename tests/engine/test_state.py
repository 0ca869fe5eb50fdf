import pytest
from hypothesis import given

from engine import Hand, Options, OptionsError, Phase, State, holding, new_match
from tests.engine import strategies
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
