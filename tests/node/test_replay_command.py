"""`kozel replay`: on a terminal it is stepped through, elsewhere it is text or a record."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer

from node.commands.replay import replay_file
from node.errors import LogUnreadable
from tests.node.commands import kozel
from tests.node.replays import broken_off, damaged, not_begun, whole


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return written(tmp_path, whole())


def written(folder: Path, data: bytes) -> Path:
    file = folder / "match.kozel"
    file.write_bytes(data)
    return file


def test_without_a_terminal_everything_is_printed(log: Path, tmp_path: Path) -> None:
    done = kozel("replay", log, home=tmp_path)
    assert done.returncode == 0
    assert re.findall(r"^Deal \d", done.stdout, re.MULTILINE) == ["Deal 1", "Deal 2", "Deal 3"]
    assert "Enter:" not in done.stdout
    assert "\x1b" not in done.stdout


def test_one_trick_as_text(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_file(log, deal=2, trick=3, as_text=True) == 0
    text = capsys.readouterr().out
    assert re.findall(r"^ *(?:Deal|Trick) \d", text, re.MULTILINE) == ["Deal 2", "  Trick 3"]
    assert replay_file(log, trick=1) == 0
    assert re.findall(r"^ *(?:Deal|Trick) \d", capsys.readouterr().out, re.MULTILINE) == [
        "Deal 1",
        "  Trick 1",
    ]


def test_a_record_is_one_line(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_file(log, deal=2, as_json=True) == 0
    (deal,) = json.loads(capsys.readouterr().out)["deals"]
    assert deal["number"] == 1


def test_where_no_card_was_dealt_the_text_says_that_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay_file(written(tmp_path, not_begun())) == 0
    assert capsys.readouterr().out == "\nDefeat points 0 to 0.\nThe match was not finished.\n"


def test_what_is_damaged_is_said_and_is_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay_file(written(tmp_path, damaged())) == 2
    printed = capsys.readouterr()
    assert printed.out.startswith("Deal 1.")
    assert "damaged at byte" in printed.err


@pytest.mark.parametrize(
    ("data", "deal", "trick", "says"),
    [
        (whole, 9, None, "The match has 3 deals; there is no deal 9."),
        (whole, 2, 9, "The deal has 6 tricks; there is no trick 9."),
        (broken_off, 2, 4, "The deal has 3 tricks; there is no trick 4."),
        (not_begun, None, 1, "The match has 0 deals; there is no deal 1."),
        (lambda: b"no log", None, None, "cannot be replayed"),
    ],
)
def test_what_is_not_there_cannot_be_shown(
    data: object, deal: int | None, trick: int | None, says: str, tmp_path: Path
) -> None:
    assert callable(data)
    with pytest.raises(LogUnreadable, match=re.escape(says)):
        replay_file(written(tmp_path, data()), deal=deal, trick=trick)


def test_options_that_do_not_go_together_are_refused(log: Path) -> None:
    with pytest.raises(typer.BadParameter, match="whole deals"):
        replay_file(log, trick=1, as_json=True)
    with pytest.raises(typer.BadParameter, match="--json or --text"):
        replay_file(log, as_json=True, as_text=True)
