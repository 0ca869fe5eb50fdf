from __future__ import annotations

from node.words.patience import Patience
from node.words.progress import Stage
from tests.node.terminal_tables import words

NOBODY: frozenset[int] = frozenset()
SHUFFLING = Stage("Shuffling together", 2, (3,))


def test_quick_work_is_not_mentioned() -> None:
    patience = Patience(words())
    lines = []
    for tenth in range(40):
        stage = Stage("Shuffling together", tenth // 10, (tenth // 10,))
        lines += patience.notice(tenth / 11, stage, None, NOBODY)
    assert lines == []


def test_slow_work_is_mentioned_once_and_then_by_whom() -> None:
    patience = Patience(words())
    said = {second: patience.notice(second, SHUFFLING, None, NOBODY) for second in range(20)}
    assert {second: lines for second, lines in said.items() if lines} == {
        1: ["Shuffling together… 2 of 4"],
        5: ["Waiting for Gleb's computer…"],
    }


def test_nobody_waits_for_the_own_computer() -> None:
    patience = Patience(words(3))
    lines = [line for second in range(20) for line in patience.notice(second, SHUFFLING, None, NOBODY)]
    assert lines == ["Shuffling together… 2 of 4"]


def test_a_player_who_thinks_is_named_once() -> None:
    patience = Patience(words())
    lines = [line for second in range(20) for line in patience.notice(second, None, 2, NOBODY)]
    assert lines == ["Waiting for Vera…"]
    lines = [line for second in range(20, 40) for line in patience.notice(second, None, 1, NOBODY)]
    assert lines == ["Waiting for Boris…"]


def test_the_reader_is_not_told_to_wait_for_themselves() -> None:
    patience = Patience(words())
    assert not [line for second in range(20) for line in patience.notice(second, None, 0, NOBODY)]


def test_a_lost_computer_is_missed_after_a_while_and_welcomed_back() -> None:
    patience = Patience(words())
    said = {second: patience.notice(second, None, 0, frozenset({2})) for second in range(10)}
    assert {second: lines for second, lines in said.items() if lines} == {
        3: ["Vera's computer does not answer. Nothing is lost, the match waits for it."]
    }
    assert patience.notice(11, None, 0, NOBODY) == ["Vera's computer is back."]
    assert patience.notice(12, None, 0, NOBODY) == []


def test_a_short_break_is_not_mentioned() -> None:
    patience = Patience(words())
    lines = []
    for second in range(20):
        lines += patience.notice(second, None, 0, frozenset({2} if second % 3 else ()))
    assert lines == []
