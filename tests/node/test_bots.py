"""Bots by name, their own and other people's, and what is said of one that cannot play."""

from __future__ import annotations

import importlib.metadata
import random
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from engine import Play, Seat, State
from node.bots import BOTS, Bot, bot_class, make_bot
from node.errors import BotNotFound, BotUnusable

FIRST = """
from node.bots import Bot

class First(Bot):
    def choose(self, view, seat, legal):
        return legal[0]

class Broken(First):
    def __init__(self, rng, seconds):
        raise LookupError("no brain found")

NOTHING = 3
"""


class Last(Bot):
    """Plays the last of the legal plays."""

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        return legal[-1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of bots, in which the program is started."""
    (tmp_path / "somebodys_bots.py").write_text(FIRST)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("somebodys_bots", None)


@pytest.mark.parametrize("name", BOTS)
def test_our_own_bots_have_names(name: str) -> None:
    assert type(make_bot(name, random.Random(1))) is bot_class(name)


def test_a_class_is_found_in_the_folder_where_the_program_was_started(folder: Path) -> None:
    bot = make_bot("somebodys_bots:First", random.Random(1), 0.5)
    assert type(bot).__name__ == "First"
    assert bot.seconds == 0.5


def test_a_module_in_that_folder_takes_no_other_modules_place(folder: Path) -> None:
    (folder / "json.py").write_text("raise RuntimeError")
    before = sys.modules.pop("json")
    try:
        bot_class("somebodys_bots:First")
        import json

        assert json.dumps(1) == "1"
    finally:
        sys.modules["json"] = before


def test_a_package_offers_bots_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("last", f"{__name__}:Last", "kozel.bots")
    everybody = EntryPoints([point])
    monkeypatch.setattr(importlib.metadata, "entry_points", everybody.select)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Last.__module__])
    assert bot_class("last") is Last


def test_the_group_of_entry_points_is_the_one_that_is_asked() -> None:
    assert not importlib.metadata.entry_points(group="kozel.bots").names & BOTS.keys()


@pytest.mark.parametrize("name", ["", "grandmaster", ":First", "somebodys_bots:", "somebodys_bots"])
def test_an_unknown_bot_is_refused_with_the_names_that_there_are(folder: Path, name: str) -> None:
    with pytest.raises(BotNotFound) as caught:
        make_bot(name, random.Random(1))
    assert all(known in str(caught.value) for known in BOTS)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere_to_be_found:First", "nowhere_to_be_found"),
        ("somebodys_bots:Second", "Second"),
        ("somebodys_bots:NOTHING", "not a class derived from node.bots.Bot"),
        ("somebodys_bots:Broken", "no brain found"),
    ],
)
def test_what_is_no_bot_is_refused_with_the_reason(folder: Path, name: str, reason: str) -> None:
    with pytest.raises(BotUnusable, match=reason):
        make_bot(name, random.Random(1))
