import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Action,
    Beat,
    Deal,
    Discard,
    Draw,
    Indicate,
    Lead,
    Molodka,
    NotationError,
    Open,
    format_action,
    parse_action,
)
from tests.engine import strategies
from tests.engine.tables import cards

EXAMPLES: list[tuple[str, Action]] = [
    ("deal 2 6c7d8hAs ???????? ???????? ????????", Deal(2, (cards("As8h7d6c"), None, None, None))),
    ("indicate 7h", Indicate(cards("7h")[0])),
    ("lead 3 9cJc", Lead(3, cards("Jc9c"))),
    ("molodka 1 6c7c8cKc", Molodka(1, cards("Kc7c8c6c"))),
    ("beat 0 KcTc on 3", Beat(0, cards("TcKc"), 3)),
    ("discard 1 6hAs on 3", Discard(1, 2, cards("As6h"), 3)),
    ("discard 1 ???? on 3", Discard(1, 2, None, 3)),
    ("draw 0 Ah", Draw(0, cards("Ah")[0])),
    ("draw 0 ??", Draw(0)),
    ("open 1 4 6hAs", Open(1, 4, cards("As6h"))),
]


@pytest.mark.parametrize(("line", "action"), EXAMPLES)
def test_examples(line: str, action: Action) -> None:
    assert format_action(action) == line
    assert parse_action(line) == action


@given(strategies.actions)
def test_every_action_survives_its_text(action: Action) -> None:
    assert parse_action(format_action(action)) == action


def test_cards_in_any_order_are_the_same_action() -> None:
    assert parse_action("lead 3 Jc9c") == parse_action("  lead  3   9cJc ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("pass 3", "unknown action 'pass'"),
        ("Lead 3 9c", "unknown action 'Lead'"),
        ("lead 3", "lead is written 'lead SEAT CARDS'"),
        ("lead 3 9c Jc", "malformed"),
        ("lead 4 9c", "'4' is not a seat"),
        ("lead -1 9c", "'-1' is not a seat"),
        ("lead ³ 9c", "is not a seat"),
        ("lead 3 9cJ", "row of cards"),
        ("lead 3 ????", "'\\?\\?' is not a card"),
        ("beat 0 Tc at 3", "'at' stands where 'on'"),
        ("discard 0 ???", "malformed"),
        ("discard 0 ??? on 3", "row of cards"),
        ("discard 0 ??Tc on 3", "is not a card"),
        ("deal 0 6c ???????? ???????? ????????", "not a hand of 4 cards"),
        ("open 1 x 6h", "'x' is not a number"),
        ("open 1 007 6h", "'007' is not a number"),
        ("draw 0 ?", "is not a card"),
    ],
)
def test_malformed_text_says_why(line: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_action(line)


@given(st.text(max_size=40))
def test_any_text_is_an_action_or_malformed(text: str) -> None:
    try:
        action = parse_action(text)
    except NotationError:
        return
    assert parse_action(format_action(action)) == action


@given(strategies.actions, st.data())
def test_a_damaged_line_is_an_action_or_malformed(action: Action, data: st.DataObject) -> None:
    line = format_action(action)
    place = data.draw(st.integers(0, len(line) - 1))
    damaged = line[:place] + data.draw(st.characters()) + line[place + 1 :]
    try:
        parsed = parse_action(damaged)
    except NotationError:
        return
    assert parse_action(format_action(parsed)) == parsed
