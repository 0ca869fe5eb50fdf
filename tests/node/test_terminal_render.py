from __future__ import annotations

from dataclasses import replace

from rich.cells import cell_len

from engine import SEATS, Options, insert, legal_actions, new_match, parse_action
from node.terminal.choices import groups_of
from node.terminal.render import (
    check_lines,
    deal_line,
    decision_lines,
    hand_line,
    help_lines,
    last_trick_lines,
    seat_lines,
    table_lines,
)
from node.terminal.typed import Command, Unclear, parse_typed
from node.words.wording import Wording
from protocol.genesis import fingerprint
from tests.node.terminal_tables import HANDS, after, dealt, seen, words

ANSWERED = ("lead 0 9cJc", "beat 1 KcTc on 0", "discard 2 6c7c on 0")


def test_a_decision_screen() -> None:
    state = seen(after(dealt(), *ANSWERED), 3)
    lines = decision_lines(state, groups_of(state, legal_actions(state, 3)), words(3), 60)
    assert "\n".join(lines) == (
        "Defeat points: you 0, they 0 (with 12 a team is the goat).\n"
        "Deal 1, you dealt. Trump: hearts ♥ (Q♥ was shown).\n"
        "Tricks taken: you 0, they 0. Stock: 20 cards.\n"
        "\n"
        "Trick 1, 2 cards each:\n"
        "  Olga   lead: 9♣ J♣\n"
        "  Boris  beat: K♣ 10♣  <-- best\n"
        "  Vera   discard: 2 cards face down\n"
        "  You    to play now: need 2 cards\n"
        "\n"
        "Your hand:  6♠ 7♠ 8♠ 10♠\n"
        "\n"
        "Molodka: lead four of one suit yourself (number, or m):\n"
        "  [1] 6♠ 7♠ 8♠ 10♠\n"
        "Discard, face down, 2 cards:\n"
        "  [2] 6♠ 7♠    [3] 6♠ 8♠    [4] 6♠ 10♠   [5] 7♠ 8♠\n"
        "  [6] 7♠ 10♠   [7] 8♠ 10♠"
    )


def test_letters_take_the_place_of_suits_that_cannot_be_shown() -> None:
    state = seen(after(dealt(), *ANSWERED), 3)
    plain = words(3, symbols=False)
    text = "\n".join(decision_lines(state, groups_of(state, legal_actions(state, 3)), plain, 60))
    assert text.isascii()
    assert "Trump: hearts (Qh was shown)" in text
    assert "beat: Kc 10c  <-- best" in text


def test_a_trick_that_nobody_has_led_to() -> None:
    assert "Trick 1: you lead, 1 to 4 cards of one suit." in table_lines(seen(dealt(), 0), words(0))
    assert "Trick 1: Olga leads." in table_lines(seen(dealt(), 2), words(2))


def test_what_went_back_stays_seen() -> None:
    state = insert(after(dealt(), "lead 0 9cJc", "beat 1 KcTc on 0"), parse_action("molodka 3 6s7s8sTs"))
    lines = table_lines(seen(state, 2), words(2))
    assert "Olga still holds, as all have seen: 9♣ J♣" in lines
    assert "Boris still holds, as all have seen: K♣ 10♣" in lines
    assert not any(line.startswith(("Gleb still", "Vera still", "You still")) for line in lines)
    assert "Trick 1, led out of turn (molodka), 4 cards each:" in lines
    assert "  Gleb   lead: 6♠ 7♠ 8♠ 10♠  <-- best" in lines


def test_the_hand_is_what_is_left_after_the_own_play() -> None:
    state = after(dealt(indicator="Kd"), "lead 0 9cJc")
    assert hand_line(seen(state, 0), words(0)) == "Your hand:  A♠   trump 7♦"
    assert hand_line(seen(state, 1), words(1)) == "Your hand:  K♣ 10♣   6♥   trump 8♦"


def test_nobody_elses_cards_are_ever_on_the_screen() -> None:
    full = after(dealt(), "lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0")
    hidden = {2: "Q♣", 1: "6♥", 3: "6♠"}
    for me in SEATS:
        text = "\n".join(table_lines(seen(full, me), words(me)))
        for owner, card in hidden.items():
            assert (card in text) == (owner == me and card != "Q♣"), (me, owner)


def test_the_last_trick_shows_open_cards_only() -> None:
    state = after(dealt(), "lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0", "discard 3 6s on 0")
    for me in SEATS:
        lines = last_trick_lines(seen(state, me), words(me))
        text = "\n".join(lines)
        assert "7♦" in text
        assert "8♦  <-- best" in text
        assert text.count("1 card face down") == 2
        assert "Q♣" not in text
    assert last_trick_lines(seen(state, 0), words(0))[0] == "Trick 1, taken by Boris:"
    assert last_trick_lines(seen(state, 1), words(1))[0] == "Trick 1, taken by you:"
    assert last_trick_lines(seen(dealt(), 0), words(0)) == ["No trick has been taken in this deal yet."]


def test_no_points_are_counted_during_a_deal() -> None:
    """R10: the sheet fills when the deal is over, not before."""
    state = after(dealt(), "lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0", "discard 3 6s on 0")
    text = "\n".join(table_lines(seen(state, 1), words(1)))
    assert "Tricks taken: you 1, they 0. Stock: 20 cards." in text
    assert text.count("points") == 1
    assert "Defeat points: you 0, they 0" in text


def test_before_the_first_deal() -> None:
    state = new_match(Options(target=6))
    assert deal_line(state, words()) == "The cards are not dealt yet."
    assert "Defeat points: you 0, they 0 (with 6 a team is the goat)." in table_lines(state, words())


def test_seats_and_partners_are_told_from_the_readers_chair() -> None:
    assert seat_lines(words(1)) == [
        "You are Boris. Your partner is Gleb.",
        "Vera sits on your left and plays after you, Olga sits on your right.",
    ]


def test_the_check_words_are_the_fingerprint_of_the_match() -> None:
    match_id = bytes(range(32))
    assert check_lines(match_id)[1].strip() == fingerprint(match_id)


def test_everything_in_the_help_is_understood() -> None:
    named = {"hand", "score", "table", "last", "hint", "help", "quit", "m"}
    named |= {"9c Jc", "beat 10c 6h", "discard 6d"}
    text = "\n".join(help_lines())
    for example in named:
        assert f"  {example}  " in text
        assert not isinstance(parse_typed(example), Unclear | None)
    assert {command.value for command in Command} <= named


def test_the_longest_names_leave_room_on_a_narrow_screen() -> None:
    wide = Wording(tuple(letter * 24 for letter in "ABCD"), 0)
    state = after(dealt(HANDS), "lead 0 9cJc")
    lines = table_lines(seen(state, 0), wide)
    rows = [line for line in lines if line.startswith("  ")]
    assert len(rows) == 4
    assert all(cell_len(line) <= 60 for line in rows)


def test_columns_stay_straight_beside_wide_letters() -> None:
    names = Wording(("王小明", "Boris", "Вера", "G"), 3)
    state = replace(seen(after(dealt(), "lead 0 9cJc"), 3))
    rows = [line for line in table_lines(state, names) if line.startswith("  ")]
    starts = {cell_len(row[: row.index(word)]) for row, word in zip(rows, ("lead", "to play"), strict=False)}
    assert len(starts) == 1
