"""A finished deal is told with all cards open, from nobody's side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import DealResult, Discard, Eggs, Options, Phase, Play, State, apply, new_match, parse_action
from node.words.retelling import dealt_again, next_trick, outcome, played_again
from tests.node.terminal_tables import dealt, words

WORDS = words(0)


def told(*lines: str) -> list[list[str]]:
    """What is said of each of these plays of the first trick."""
    state, said = dealt(), []
    for line in lines:
        play = parse_action(line)
        assert isinstance(play, Play)
        before, state = state, apply(state, play)
        said.append(played_again(before, state, play, WORDS.under(state)))
    return said


def scored(*results: DealResult, eggs: Eggs = Eggs.JOKE) -> State:
    state = new_match(Options(eggs=eggs))
    first, second = (sum(result.defeat_points[team] for result in results) for team in (0, 1))
    count = sum(result.eggs for result in results)
    return replace(state, phase=Phase.DEAL_OVER, results=results, score=(first, second), eggs=count)


def test_the_deal_is_told_without_anybodys_hand() -> None:
    assert dealt_again(dealt(), WORDS) == [
        "Deal 1: Gleb deals. Trump is hearts ♥, Q♥ was shown.",
        "Olga begins.",
    ]
    with pytest.raises(ValueError, match="not begun"):
        dealt_again(new_match(Options()), WORDS)


def test_every_card_that_is_played_is_named() -> None:
    assert told("lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0", "discard 3 6s on 0") == [
        ["Olga leads 7♦."],
        ["Boris beats with 8♦."],
        ["Vera discards Q♣."],
        ["Gleb discards 6♠.", "Boris takes the trick."],
    ]


def test_a_discard_that_nobody_was_shown_is_counted() -> None:
    state = dealt()
    assert played_again(state, state, Discard(1, 1, None, 0), WORDS) == ["Boris discards 1 card."]
    assert played_again(state, state, Discard(1, 4, None, 0), WORDS) == ["Boris discards 4 cards."]


def test_between_two_tricks_cards_are_drawn_while_there_are_any() -> None:
    state = replace(dealt(), leader=2)
    assert next_trick(state, 1, WORDS) == ["Each player draws 1 card.", "Vera leads the next trick."]
    empty = replace(state, stock=0)
    assert next_trick(empty, 2, WORDS) == [
        "Each player draws 2 cards.",
        "The stock is empty now.",
        "Vera leads the next trick.",
    ]
    assert next_trick(empty, 0, WORDS) == ["Vera leads the next trick."]


def test_the_outcome_names_both_pairs() -> None:
    assert outcome(scored(DealResult((45, 75), (3, 4), (2, 0), False)), WORDS) == [
        "Olga and Vera: 45 points, 3 tricks.",
        "Boris and Gleb: 75 points, 4 tricks.",
        "Olga and Vera get 2 defeat points.",
    ]


def test_the_end_of_a_match_names_the_goat() -> None:
    sweep = DealResult((120, 0), (7, 0), (0, 6), False)
    even = DealResult((60, 60), (4, 3), (0, 0), True)
    assert outcome(scored(sweep, sweep), WORDS)[1:] == [
        "Boris and Gleb: 0 points, no trick.",
        "Boris and Gleb get 6 defeat points.",
        "Boris and Gleb are the goat.",
    ]
    assert outcome(scored(sweep, even, sweep), WORDS)[-1] == "Boris and Gleb are the goat with eggs."


@pytest.mark.parametrize(
    ("eggs", "sentence"),
    [
        (Eggs.JOKE, "Eggs! 60 to 60: no defeat points for anybody."),
        (Eggs.DOUBLE, "Eggs! 60 to 60: no defeat points, but the next deal counts twice."),
    ],
)
def test_eggs_are_told_as_the_table_plays_them(eggs: Eggs, sentence: str) -> None:
    even = DealResult((60, 60), (4, 3), (0, 0), True)
    assert outcome(scored(even, eggs=eggs), WORDS)[-1] == sentence
