from __future__ import annotations

from dataclasses import replace

from engine import DealResult, Eggs, Options, Phase, State, new_match
from node.words.sheets import deal_sheet, log_lines, match_end, score_line, score_sheet, verdict_lines
from protocol.verdict import Verdict
from tests.node.terminal_tables import words

LOST = DealResult((45, 75), (3, 4), (2, 0), False)
SWEPT = DealResult((120, 0), (7, 0), (0, 6), False)
EVEN = DealResult((60, 60), (4, 3), (0, 0), True)


def played(*results: DealResult, options: Options | None = None) -> State:
    state = new_match(options or Options())
    score = [sum(result.defeat_points[team] for result in results) for team in (0, 1)]
    eggs = sum(result.eggs for result in results)
    return replace(
        state, phase=Phase.DEAL_OVER, results=results, score=(score[0], score[1]), eggs=eggs, leader=0
    )


def test_a_lost_deal_and_the_same_deal_won() -> None:
    state = played(LOST)
    assert deal_sheet(state, 0, words(0)) == [
        "--- Deal 1 is over ---",
        "You and Vera: 45 points, 3 tricks.",
        "Boris and Gleb: 75 points, 4 tricks.",
        "You lose this deal: 2 defeat points.",
        "Defeat points: you 2, they 0 (with 12 a team is the goat).",
    ]
    assert deal_sheet(state, 0, words(1))[1:] == [
        "You and Gleb: 75 points, 4 tricks.",
        "Olga and Vera: 45 points, 3 tricks.",
        "You win this deal: they get 2 defeat points.",
        "Defeat points: you 0, they 2 (with 12 a team is the goat).",
    ]


def test_a_deal_without_a_trick() -> None:
    assert "You and Gleb: 0 points, no trick." in deal_sheet(played(SWEPT), 0, words(1))


def test_the_running_score_is_that_after_the_deal_shown() -> None:
    state = played(LOST, SWEPT)
    assert deal_sheet(state, 0, words(0))[-1].startswith("Defeat points: you 2, they 0")
    assert deal_sheet(state, 1, words(0))[-1].startswith("Defeat points: you 2, they 6")


def test_eggs_are_a_joke_or_double_the_next_deal() -> None:
    assert "Eggs! 60 to 60: no defeat points for anybody." in deal_sheet(played(EVEN), 0, words())
    double = played(EVEN, options=Options(eggs=Eggs.DOUBLE))
    assert "Eggs! 60 to 60: no defeat points, but the next deal counts twice." in deal_sheet(
        double, 0, words()
    )


def test_the_score_sheet_lists_every_deal() -> None:
    assert score_sheet(played(LOST, EVEN), words(1)) == [
        "In each pair your team is first.",
        "Deal 1: points 75:45, defeat points 0:2",
        "Deal 2: points 60:60, defeat points 0:0 (eggs)",
        "Defeat points: you 0, they 2 (with 12 a team is the goat).",
    ]
    assert score_sheet(new_match(Options()), words())[0] == "No deal is finished yet."


def test_the_score_is_told_from_both_sides() -> None:
    assert score_line(played(SWEPT), words(0)).startswith("Defeat points: you 0, they 6")
    assert score_line(played(SWEPT), words(3)).startswith("Defeat points: you 6, they 0")


def test_the_goat_is_named_to_losers_and_winners() -> None:
    state = played(SWEPT, SWEPT)
    assert match_end(state, words(1))[-1] == "You and Gleb are the goat. Better luck next time!"
    assert match_end(state, words(0))[-1] == "Boris and Gleb are the goat. You have won!"
    assert "Defeat points, yours first: 12:0." in match_end(state, words(1))


def test_a_match_that_saw_eggs_makes_a_goat_with_eggs() -> None:
    assert "the goat with eggs" in match_end(played(EVEN, SWEPT, SWEPT), words(0))[-1]


def test_no_goat_before_the_end() -> None:
    assert match_end(played(SWEPT), words()) == []


def test_a_verdict_names_the_culprit_and_the_team() -> None:
    verdict = Verdict(3, "bad-shuffle", (b"x" * 32,), "the proof was refused", (9, 3, b""))
    lines = verdict_lines(verdict, words(0))
    assert lines[0] == "=== The match is stopped: a cheat is proven ==="
    assert lines[1].startswith("Gleb's computer did not shuffle honestly")
    assert "Boris and Gleb forfeit the match" in lines[2]


def test_the_way_to_the_log_names_the_match() -> None:
    lines = log_lines(bytes(range(32)))
    assert lines[1].startswith("  kozel export 000102030405  ")
    assert lines[2].startswith("  kozel audit FILE  ")
