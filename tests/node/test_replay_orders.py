"""What is typed at a replay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.replaying.orders import Jump, Order, Unclear, help_lines, parse_order


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("", Order.NEXT),
        ("  \t", Order.NEXT),
        ("N", Order.NEXT),
        ("b", Order.BACK),
        ("B", Order.BACK),
        ("t", Order.NEXT_TRICK),
        ("T", Order.BACK_TRICK),
        (" d ", Order.NEXT_DEAL),
        ("D\r\n", Order.BACK_DEAL),
        ("f", Order.FIRST),
        ("LAST", Order.LAST),
        ("w", Order.TEXT),
        ("m", Order.MATCH),
        ("?", Order.HELP),
        ("Exit", Order.QUIT),
        ("g 3", Jump(3, None)),
        ("g3.2", Jump(3, 2)),
        ("G 3 2", Jump(3, 2)),
        ("g  3,2", Jump(3, 2)),
        ("12:10", Jump(12, 10)),
        ("g .2", Jump(None, 2)),
        (".2", Jump(None, 2)),
        ("g ٣.٢", Jump(3, 2)),
        ("g", Unclear("g")),
        ("g x", Unclear("g x")),
        ("g 3.", Unclear("g 3.")),
        ("g 99999", Unclear("g 99999")),
        ("3.2.1", Unclear("3.2.1")),
        ("tt", Unclear("tt")),
    ],
)
def test_what_is_typed(line: str, order: object) -> None:
    assert parse_order(line) == order


@given(st.text())
def test_whatever_is_typed_is_read_and_safe_to_repeat(line: str) -> None:
    typed = parse_order(line)
    if isinstance(typed, Unclear):
        assert len(typed.text) <= 60
        assert "\x1b" not in typed.text
    if isinstance(typed, Jump):
        assert typed.deal is not None or typed.trick is not None


def test_the_help_names_everything_that_is_understood() -> None:
    keys = [line[:9].strip() for line in help_lines()[1:]]
    assert keys[0] == "Enter"
    orders = [parse_order(key) for key in ["", *keys[1:]]]
    assert {order for order in orders if isinstance(order, Order)} == {*Order}
    assert [order for order in orders if not isinstance(order, Order)] == [
        Jump(3, None),
        Jump(3, 2),
        Jump(None, 2),
    ]


def test_the_help_fits_a_narrow_terminal() -> None:
    assert max(map(len, help_lines())) <= 60
    assert len(help_lines()) < 20
