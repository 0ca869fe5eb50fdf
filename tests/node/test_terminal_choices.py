from __future__ import annotations

from engine import Beat, Discard, Lead, Molodka, legal_actions
from node.terminal.choices import choice_lines, groups_of, numbered, out_of_turn
from tests.node.terminal_tables import after, dealt, seen, words


def test_numbers_run_through_all_groups_and_name_each_legal_play_once() -> None:
    state = seen(after(dealt(), "lead 0 7d"), 1)
    legal = legal_actions(state, 1)
    groups = groups_of(state, legal)
    assert [group.heading for group in groups] == ["Beat with:", "Discard, face down, one card:"]
    plays = [numbered(groups, number) for number in range(1, len(legal) + 1)]
    assert set(plays) == set(legal)
    assert numbered(groups, 0) is None
    assert numbered(groups, len(legal) + 1) is None


def test_cards_that_could_beat_are_offered_both_ways() -> None:
    state = seen(after(dealt(), "lead 0 9cJc"), 1)
    lines = choice_lines(groups_of(state, legal_actions(state, 1)), words(1), 60)
    assert lines == [
        "Beat with:",
        "  [1] K♣ 10♣   [2] K♣ 6♥    [3] 10♣ 6♥",
        "Discard, face down, 2 cards:",
        "  [4] K♣ 10♣   [5] K♣ 8♦    [6] K♣ 6♥    [7] 10♣ 8♦",
        "  [8] 10♣ 6♥   [9] 8♦ 6♥",
    ]


def test_a_molodka_comes_first_and_can_be_claimed_out_of_turn() -> None:
    state = seen(dealt(), 2)
    legal = legal_actions(state, 2)
    assert out_of_turn(state, legal) == Molodka(2, tuple(sorted(state.hands[2].known)))
    groups = groups_of(state, legal)
    assert groups[0].heading.startswith("Molodka")
    assert len(groups) == 1


def test_who_is_entitled_takes_a_molodka_back_by_a_lead_of_four() -> None:
    hands = ("9cJcKcAc", "Th7h6h8d", "6c7c8cQc", "6s7s8sTs")
    state = seen(after(dealt(hands), "molodka 2 6c7c8cQc"), 0)
    claim = out_of_turn(state, legal_actions(state, 0))
    assert isinstance(claim, Lead)
    assert groups_of(state, legal_actions(state, 0))[0].heading.startswith("Lead four after all")


def test_an_ordinary_lead_is_no_claim() -> None:
    state = seen(dealt(), 0)
    groups = groups_of(state, legal_actions(state, 0))
    assert out_of_turn(state, legal_actions(state, 0)) is None
    assert [group.heading for group in groups] == ["Lead:"]
    sizes = [len(choice.play.cards or ()) for choice in groups[0].choices]
    assert sizes == sorted(sizes)


def test_rows_stay_within_the_width() -> None:
    state = seen(after(dealt(), "lead 0 9cJc"), 1)
    groups = groups_of(state, legal_actions(state, 1))
    for width in (20, 40, 60, 80):
        lines = choice_lines(groups, words(1), width)
        assert max(map(len, lines[1:2])) <= width
        assert sum(line.count("[") for line in lines) == sum(len(group.choices) for group in groups)


def test_an_answer_with_the_whole_hand_says_so() -> None:
    state = seen(after(dealt(), "molodka 3 6s7s8sTs"), 0)
    groups = groups_of(state, legal_actions(state, 0))
    assert [group.heading for group in groups] == ["Discard, face down, all your cards:"]
    kinds = {type(choice.play) for group in groups for choice in group.choices}
    assert kinds == {Discard}
    assert Beat not in kinds
