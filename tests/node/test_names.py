"""Names and lines that may have been written to do harm."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.names import MAX_NAME, clean_line, clean_name


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Анна", "Анна"),
        ("  two   words ", "two words"),
        ("tab\tline\nend\r\u2028x", "tab line end x"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\u202egnitirw\u2066", "gnitirw"),
        ("zero\u200bwidth", "zerowidth"),
        ("e\u0301", "é"),
        ("\ud800x", "x"),
        ("سارة", "سارة"),
        ("x" * 100, "x" * MAX_NAME),
        ("x" * 23 + " y", "x" * 23),
        ("", "?"),
        (" \u200b\n", "?"),
    ],
)
def test_names_are_made_safe(raw: str, clean: str) -> None:
    assert clean_name(raw) == clean


def test_a_fallback_stands_in_for_nothing() -> None:
    assert clean_name("\0", fallback="Player") == "Player"


@given(st.text(max_size=200), st.integers(1, 80))
def test_any_line_comes_out_short_printable_and_stays_as_it_is(raw: str, limit: int) -> None:
    line = clean_line(raw, limit)
    assert len(line) <= limit
    assert line == line.strip()
    assert all(char == " " or unicodedata.category(char)[0] not in "CZ" for char in line)
    assert clean_line(line, limit) == line
