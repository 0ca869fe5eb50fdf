"""How a visit ends: exit codes, and what is said when others close the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from node.errors import TableClosed
from node.seating.bot_seats import PAUSE_VARIABLE, BotSeats
from node.seating.evening import Observer
from node.seating.hosting import Host
from node.storage.profile import Profile
from node.terminal.visit import TableSettings, Visit
from protocol.verdict import Verdict
from tests.node.terminal_tables import Felt, Paper, dealt

CHEAT = Verdict(3, "bad-share", (), "", (0, 3, b""))


def visit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evening: Callable[[Observer, Any], None]
) -> tuple[int, str]:
    """The exit code of a host's visit whose matches go as `evening` says, and the text on the screen."""
    felt: Any = Felt(dealt())

    async def gathered(_host: Host) -> Any:
        return felt

    async def matches(*arguments: Any) -> None:
        observer = arguments[-1]
        observer.match_begun(felt)
        evening(observer, felt)

    monkeypatch.setattr(Host, "next_match", gathered)
    monkeypatch.setattr("node.terminal.visit.play_matches", matches)
    settings = TableSettings(tmp_path / "me", play_as="medium", listen="127.0.0.1")
    paper = Paper()
    with (
        Profile.open(settings.profile, name="Olga") as profile,
        BotSeats(tmp_path / "bots", "medium", pause=0) as bots,
    ):
        code = asyncio.run(Visit(settings, profile, paper.screen, bots).host(announced=False))
    return code, paper.text


def test_a_fair_evening_ends_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = visit(tmp_path, monkeypatch, lambda observer, felt: observer.match_over(felt))
    assert code == 0
    assert "The table “Olga's table” is open." in text


def test_a_proven_cheat_is_an_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cheated(observer: Observer, felt: Any) -> None:
        felt.end(CHEAT)
        observer.match_over(felt)

    code, text = visit(tmp_path, monkeypatch, cheated)
    assert code == 1
    assert "Gleb's computer gave a false key to a card." in text


def test_others_who_want_no_further_match_are_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(observer: Observer, felt: Any) -> None:
        observer.match_over(felt)
        raise TableClosed("Vera has left the table.")

    code, text = visit(tmp_path, monkeypatch, closed)
    assert code == 0
    assert text.endswith("Vera has left the table.\n")


def test_a_table_that_closes_before_any_match_is_over_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(_observer: Observer, _felt: Any) -> None:
        raise TableClosed("Vera has left the table.")

    with pytest.raises(TableClosed):
        visit(tmp_path, monkeypatch, closed)


@pytest.mark.parametrize(
    ("play_as", "bots", "watched"),
    [("person", 3, True), ("medium", 3, False), ("medium", 2, True), ("random", 0, True)],
)
def test_bots_hurry_only_where_all_seats_are_theirs(
    play_as: str, bots: int, watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PAUSE_VARIABLE, raising=False)
    assert (TableSettings(Path(), play_as=play_as, bots=bots).pause > 0) == watched
