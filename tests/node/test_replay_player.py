"""Stepping through a replay by typing, on a screen that is read back."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import pyte
import pytest
from rich.cells import cell_len
from rich.console import Console

from node.replaying.course import Position
from node.replaying.player import Player
from tests.node.replays import broken_off, cheated, left_alone, story_of, whole

LOGS: dict[str, Callable[[], bytes]] = {
    "whole": whole,
    "broken off": broken_off,
    "cheated": cheated,
    "left alone": lambda: left_alone()[0],
}


def screens(data: bytes, typed: list[str | None], width: int = 80, height: int = 24) -> list[list[str]]:
    """What stands on the terminal each time a line is awaited."""
    paper, seen = io.StringIO(), []
    console = Console(file=paper, width=width, height=height, force_terminal=True, color_system="standard")
    screen = pyte.Screen(width, height)
    stream = pyte.Stream(screen)
    lines = iter(typed)

    def read() -> str | None:
        stream.feed(paper.getvalue().replace("\n", "\r\n"))
        paper.seek(0)
        paper.truncate()
        seen.append([line.rstrip() for line in screen.display])
        line = next(lines)
        stream.feed("" if line is None else line + "\r\n")
        return line

    Player(story_of(data), console, read).run(Position(0))
    assert next(lines, "all") == "all", "the player left before everything was typed"
    return seen


def place(screen: list[str]) -> tuple[int, int, int]:
    """Which deal, trick and step is shown, counted from 1."""
    found = re.match(r"--- Deal (\d) of \d, trick (\d) of \d, step (\d) of \d ---$", screen[0])
    assert found is not None, screen[0]
    deal, trick, step = map(int, found.groups())
    return deal, trick, step


def places(*typed: str) -> list[tuple[int, int, int]]:
    return [place(screen) for screen in screens(whole(), [*typed, "q"])]


def test_each_key_leads_where_it_says() -> None:
    assert places("", "n", "b", "t", "", "T", "T", "d", "", "D", "D") == [
        (1, 1, 1),
        (1, 1, 2),
        (1, 1, 3),
        (1, 1, 2),
        (1, 2, 1),
        (1, 2, 2),
        (1, 2, 1),
        (1, 1, 1),
        (2, 1, 1),
        (2, 1, 2),
        (2, 1, 1),
        (1, 1, 1),
    ]
    assert places("g 3", "g .2", "2.4", "f", "l", "D") == [
        (1, 1, 1),
        (3, 1, 1),
        (3, 2, 1),
        (2, 4, 1),
        (1, 1, 1),
        (3, 6, 7),
        (3, 1, 1),
    ]


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("b", "This is the beginning."),
        ("T", "This is the beginning."),
        ("D", "This is the beginning."),
        ("g 9", "This match has the deals 1 to 3."),
        ("g 0", "This match has the deals 1 to 3."),
        ("g .9", "Deal 1 has the tricks 1 to 6."),
        ("g 2.0", "Deal 2 has the tricks 1 to 6."),
        ("beat\x1b[2J", "“beat[2J” is not understood; h is help."),
    ],
)
def test_what_leads_nowhere_says_why_and_stays(typed: str, note: str) -> None:
    before, after = screens(whole(), [typed, "q"])
    assert note in after
    assert place(after) == place(before)


@pytest.mark.parametrize("typed", ["", "t", "d"])
def test_after_the_end_there_is_nothing(typed: str) -> None:
    _, before, after = screens(whole(), ["l", typed, "q"])
    assert "There is nothing after this." in after
    assert place(after) == place(before)


def test_texts_lie_over_the_table_page_by_page() -> None:
    first, *pages, table = screens(whole(), ["w", "", "", "", "q"], height=20)
    assert place(table) == place(first)
    assert pages[0][0] == "Deal 1. Player 1 deals."
    assert [page[-1] for page in pages[:2]] == ["Enter: read on, q: quit >"] * 2
    text = [line for page in pages for line in page if line and not line.startswith("Enter: ")]
    assert text[-1] == "  Defeat points 0 to 2."
    assert len([line for line in text if line.startswith("  Trick ")]) == 6


@pytest.mark.parametrize(
    ("key", "says"), [("h", "to trick 2 of this deal"), ("m", "Check words of the match")]
)
def test_help_and_what_match_it_is(key: str, says: str) -> None:
    first, over, back = screens(whole(), [key, "", "q"])
    assert any(says in line for line in over)
    assert "Enter: back to the table, q: quit >" in over
    assert back == first


def test_any_other_key_leaves_a_text_at_once() -> None:
    *_, last = screens(whole(), ["w", "t", "q"])
    assert place(last) == (1, 2, 1)


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize(("width", "height"), [(60, 20), pytest.param(80, 24, marks=pytest.mark.long)])
def test_every_moment_fits_the_terminal(name: str, width: int, height: int) -> None:
    data = LOGS[name]()
    count = len(list(story_of(data).course.positions()))
    shown = screens(data, [*[""] * (count - 1), "q"], width, height)
    assert len({place(screen) for screen in shown}) == count
    for screen in shown:
        assert screen[0].startswith("--- Deal")
        assert sum(line.startswith("Enter: next, b: back") for line in screen) == 1
        assert max(map(cell_len, screen)) <= width


def test_the_end_of_the_input_ends_the_replay() -> None:
    assert len(screens(whole(), ["", None])) == 2


def test_an_interrupt_leaves_the_line_of_the_prompt() -> None:
    paper = io.StringIO()

    def interrupted() -> str | None:
        raise KeyboardInterrupt

    player = Player(story_of(whole()), Console(file=paper, width=80, height=24), interrupted)
    with pytest.raises(KeyboardInterrupt):
        player.run(Position(0))
    assert paper.getvalue().endswith("> \n")


@pytest.fixture
def colours(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str | None], str]]:
    def written(no_color: str | None) -> str:
        monkeypatch.delenv("NO_COLOR", raising=False)
        if no_color is not None:
            monkeypatch.setenv("NO_COLOR", no_color)
        paper = io.StringIO()
        console = Console(file=paper, width=80, height=24, force_terminal=True, color_system="standard")
        Player(story_of(whole()), console, lambda: None).run(Position(0))
        return paper.getvalue()

    yield written


def test_without_colours_the_same_is_shown(colours: Callable[[str | None], str]) -> None:
    plain, coloured = colours("1"), colours(None)
    assert "\x1b[31m" in coloured
    assert "\x1b[31m" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", plain) == re.sub(r"\x1b\[[0-9;]*m", "", coloured)


def test_a_terminal_that_cannot_be_cleared_shows_one_picture_below_the_other() -> None:
    paper = io.StringIO()
    lines = iter(["", "q"])
    Player(story_of(whole()), Console(file=paper, width=80, height=24), lambda: next(lines)).run(Position(0))
    assert "\x1b" not in paper.getvalue()
    assert paper.getvalue().count("--- Deal 1 of 3") == 2
