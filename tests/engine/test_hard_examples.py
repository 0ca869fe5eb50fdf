"""The ten hard examples of the rules, by their numbers, and a few that follow from them."""

import pytest

from engine import Beat, Discard, Phase, apply, legal_actions, loss, may_claim, parse_action, set_beats, turn
from engine.cards import Suit
from engine.scoring import losing_team
from tests.engine.tables import cards, held, merge, refusal, run, table


def hearts(new: str, old: str) -> bool:
    return set_beats(cards(new), cards(old), Suit.HEARTS)


def test_example_1() -> None:
    """R9: a suit card and a trump against two of the suit."""
    assert hearts("Tc6h", "9cJc")
    assert not hearts("Ac8c", "9cJc")


def test_example_2() -> None:
    """R9: the set to beat is the current best, not the lead; a card on the table cannot come again."""
    state = table(["6sAs", "7s6h", "8s7h", "9sAd"])
    state = run(state, "lead 0 6sAs", "beat 1 7s6h on 0", "beat 2 8s7h on 0")
    assert refusal(state, "beat 3 9sAd on 0").code == "does-not-beat"
    assert refusal(state, "beat 3 8sAs on 0").code == "held-elsewhere"


@pytest.mark.parametrize(("new", "expected"), [("Td", True), ("Qd", False), ("As", False)])
def test_example_3(new: str, expected: bool) -> None:
    """R2: the ten is above the king, and plain suits do not compare."""
    assert hearts(new, "Kd") is expected


@pytest.mark.parametrize("new", ["7h9d", "9d7h"])
@pytest.mark.parametrize("old", ["6d6h", "6h6d"])
def test_example_4(new: str, old: str) -> None:
    """R9: greedy pairing fails, another pairing works, in every order of both sets."""
    assert hearts(new, old)


def test_example_5() -> None:
    """R14: a molodka sends three cards back, and all three others answer with four."""
    before = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    state = run(before, "lead 0 6d", "beat 1 8d on 0", "discard 2 Ad on 0", "molodka 3 6c7c8c9c")
    assert [held(state, seat) for seat in range(4)] == [held(before, seat) for seat in range(4)]
    assert refusal(state, "molodka 2 Ad9hQsTh").code == "already-acted"
    assert not may_claim(state, 2)
    state = run(state, "discard 0 6d7h8sKc on 3", "discard 1 8d7s6sAh on 3", "discard 2 Ad9hQsTh on 3")
    assert state.phase is Phase.DRAWING
    assert state.leader == 3
    returned, standing = state.tricks[0].branches
    assert [play.seat for play in returned.plays()] == [0, 1, 2]
    assert standing.leader == 3


def test_example_6() -> None:
    """R15: of two claims the nearer to the entitled seat leads, in whatever order they arrive."""
    start = table(["6d7d8h9s", "6c7c8c9c", "Ad9hQsTh", "6s7s8sTs"], stock=4, entitled=2)
    far_first = merge(start, "molodka 1 6c7c8c9c", "molodka 3 6s7s8sTs")
    near_first = merge(start, "molodka 3 6s7s8sTs", "molodka 1 6c7c8c9c")
    assert far_first == near_first
    assert far_first.trick is not None
    assert far_first.trick.effective is not None
    assert far_first.trick.effective.leader == 3
    assert turn(far_first) == 0
    assert held(far_first, 1) == held(start, 1)
    assert far_first.hands[1].seen == held(start, 1)
    assert refusal(near_first, "molodka 1 6c7c8c9c").code == "already-acted"


def test_example_7() -> None:
    """R15: four of a suit led by the entitled seat cannot be interrupted, by four trumps either."""
    state = run(table(["6s7s8s9s", "6d7d8c9c", "Ad9dQsTc", "6h7h8h9h"], stock=4), "lead 0 6s7s8s9s")
    refused = refusal(state, "molodka 3 6h7h8h9h")
    assert (refused.code, refused.rule) == ("claim-lost", "R15")
    assert not may_claim(state, 3)


def test_example_8() -> None:
    """R19: a trick without points is a trick, so 4 defeat points and not 6."""
    assert loss(0, 1) == 4
    assert loss(0, 0) == 6


def test_example_9() -> None:
    """R21: the match ends at 12 or more; 10 and 6 make 16."""
    assert losing_team((10, 6), 12) is None
    assert losing_team((16, 6), 12) == 0


def test_example_10() -> None:
    """R13: in the last hand a molodka needs four cards like everywhere."""
    last = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"])
    assert may_claim(last, 3)
    assert turn(apply(last, parse_action("molodka 3 6c7c8c9c"))) == 0
    later = table(["6d7h8s", "8d7s6s", "Ad9hQs", "6c7c8c"])
    assert not may_claim(later, 3)
    assert refusal(later, "molodka 3 6c7c8c").code == "not-four"


def test_a_player_able_to_beat_may_discard_those_very_cards() -> None:
    """R8: the choice is explicit, so both are offered for the same cards."""
    state = run(table(["6d", "8d", "Ad", "6c"]), "lead 0 6d")
    assert legal_actions(state, 1) == [Beat(1, cards("8d"), 0), Discard(1, 1, cards("8d"), 0)]


def test_four_trumps_are_a_molodka_like_any_other() -> None:
    """R17: they do not outdo a nearer claim of a plain suit."""
    state = table(["6d7d8s9s", "6c7c8c9c", "Ad9dQsTs", "6h7h8h9h"], stock=4)
    assert may_claim(state, 3)
    far = run(state, "molodka 3 6h7h8h9h")
    assert may_claim(far, 1)
    assert not may_claim(run(state, "molodka 1 6c7c8c9c"), 3)
