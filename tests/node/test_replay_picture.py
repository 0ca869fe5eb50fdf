"""One moment of a replay, as it stands on the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from engine import DealResult, Eggs, Options, Phase, Play, State, apply, parse_action, player_view
from node.replaying.course import Course, Position
from node.replaying.moments import Moment
from node.replaying.picture import picture_lines
from node.words.retelling import outcome, played_again
from node.words.wording import Wording
from tests.node.terminal_tables import NAMES, after, dealt, words

WORDS = words(0)
COURSE = Course(((5, 6), (4,)))
AT = Position(0, 1, 2)
MOLODKA = "molodka 3 6s7s8sTs"


def moment(before: State, line: str) -> Moment:
    """After one more play."""
    play = parse_action(line)
    assert isinstance(play, Play)
    state = apply(before, play)
    over = len(state.tricks) > len(before.tricks)
    told = played_again(before, state, play, WORDS.under(state))
    return Moment(state, told, state.tricks[-1] if over else None)


def picture(shown: Moment, width: int = 80, wording: Wording = WORDS) -> str:
    return "\n".join(picture_lines(shown, AT, COURSE, wording, width))


def rows(shown: Moment, width: int = 80) -> str:
    """The table alone."""
    return picture(shown, width).split("\n\n")[1]


def test_a_moment() -> None:
    state = after(dealt(), "lead 0 7d")
    assert picture(moment(state, "beat 1 8d on 0")) == (
        "--- Deal 1 of 2, trick 2 of 2, step 3 of 6 ---\n"
        "Trump: hearts ♥ (Q♥ was shown). Stock: 20 cards.\n"
        "Defeat points: 0 to 0, with 12 a pair is the goat.\n"
        "Olga and Vera: 0 points, no trick.\n"
        "Boris and Gleb: 0 points, no trick.\n"
        "\n"
        "  Olga   9♣ J♣ A♠         lead: 7♦\n"
        "  Boris  K♣ 10♣ 6♥        beat: 8♦  <-- best\n"
        "> Vera   6♣ 7♣ 8♣ Q♣      to play now: need 1 card\n"
        "  Gleb   6♠ 7♠ 8♠ 10♠\n"
        "\n"
        "Boris beats with 8♦."
    )


def test_a_finished_trick_shows_its_discards_and_who_takes_it() -> None:
    state = after(dealt(), "lead 0 9cJc", "beat 1 KcTc on 0", "discard 2 6c7c on 0")
    shown = moment(state, "discard 3 6s7s on 0")
    assert rows(shown) == (
        "  Olga   7♦ A♠            lead: 9♣ J♣\n"
        "  Boris  6♥ 8♦            beat: K♣ 10♣  <-- takes it\n"
        "  Vera   8♣ Q♣            discard: 6♣ 7♣\n"
        "  Gleb   8♠ 10♠           discard: 6♠ 7♠"
    ).replace("6♥ 8♦ ", "8♦ 6♥ ")
    assert "Olga and Vera: 0 points, no trick.\nBoris and Gleb: 16 points, 1 trick (1).\n" in picture(shown)


def test_before_a_lead_it_is_said_whose_it_is() -> None:
    assert rows(Moment(dealt(), [], begins=True)).startswith("> Olga   9♣ J♣ 7♦ A♠      to lead now\n  Boris")


def test_what_a_molodka_sent_back_is_in_the_hands_again_and_said() -> None:
    state = after(dealt(), "lead 0 7d", "beat 1 8d on 0")
    assert rows(moment(state, MOLODKA)) == (
        "> Olga   9♣ J♣ 7♦ A♠      to play now: need 4 cards\n"
        "  Boris  K♣ 10♣ 8♦ 6♥\n"
        "  Vera   6♣ 7♣ 8♣ Q♣\n"
        "  Gleb   no cards         molodka: 6♠ 7♠ 8♠ 10♠  <-- best\n"
        "Taken back: Olga 7♦; Boris 8♦"
    )


def test_a_discard_that_went_back_unseen_stays_face_down() -> None:
    state = after(dealt(), "lead 0 7d", "discard 1 ?? on 0")
    shown = moment(state, MOLODKA)
    assert rows(shown).endswith("Taken back: Olga 7♦; Boris ▒▒")
    assert "Boris ??" in picture(shown, wording=words(0, symbols=False))


def test_what_nobody_was_shown_is_face_down_and_not_counted() -> None:
    state = player_view(dealt(), 0)
    state = after(state, "lead 0 7d", "beat 1 8d on 0", "discard 2 ?? on 0")
    shown = moment(state, "discard 3 ?? on 0")
    assert rows(shown) == (
        "  Olga   9♣ J♣ A♠         lead: 7♦\n"
        "  Boris  ▒▒ ▒▒ ▒▒         beat: 8♦  <-- takes it\n"
        "  Vera   ▒▒ ▒▒ ▒▒         discard: ▒▒\n"
        "  Gleb   ▒▒ ▒▒ ▒▒         discard: ▒▒"
    )
    assert "Olga and Vera: 0 points, no trick." in picture(shown)
    assert "Boris and Gleb: at least 0 points, 1 trick (1)." in picture(shown)


def test_letters_take_the_place_of_suits_that_cannot_be_shown() -> None:
    shown = moment(dealt(), "lead 0 9cJc")
    text = picture(replace(shown, lines=[]), wording=words(0, symbols=False))
    assert text.isascii()
    assert "Trump: hearts (Qh was shown)" in text
    assert "lead: 9c Jc  <-- best" in text


@pytest.mark.parametrize("width", [40, 50, 60])
def test_rows_that_are_too_wide_are_broken_in_two(width: int) -> None:
    state = after(dealt(), "lead 0 7d", "beat 1 8d on 0")
    lines = rows(moment(state, MOLODKA), width).split("\n")
    assert max(map(cell_len, lines)) <= width
    assert len(lines) == (5 if width == 60 else 7)
    assert "".join(lines).replace(" ", "") == rows(moment(state, MOLODKA)).replace("\n", "").replace(" ", "")


def test_names_as_wide_as_two_columns_a_letter_stay_in_their_column() -> None:
    shown = moment(dealt(), "lead 0 7d")
    table = picture(shown, wording=Wording(("山羊", *NAMES[1:]), 0)).split("\n\n")[1].split("\n")
    assert [cell_len(line[: line.index(card)]) for line, card in zip(table, "9K66", strict=True)] == [9] * 4


def test_eggs_and_a_deal_that_counts_twice() -> None:
    even = DealResult((60, 60), (4, 3), (0, 0), True)
    state = dealt(options=Options(eggs=Eggs.DOUBLE))
    over = replace(state, phase=Phase.DEAL_OVER, trick=None, results=(even,), doubled=True, eggs=1)
    shown = picture(Moment(over, outcome(over, WORDS)))
    assert shown.endswith("Eggs! 60 to 60: no defeat points, but the next deal counts twice.")
    assert "This deal counts twice." not in shown
    assert "\nThis deal counts twice.\n" in picture(Moment(replace(state, doubled=True), []))
