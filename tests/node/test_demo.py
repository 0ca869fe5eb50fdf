"""`kozel demo`: a real match through sockets and four processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import replay_record
from protocol.audit import Finding, audit_log, match_summary
from tests.node.commands import json_of, kozel


def matches_of(done: Any) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    value = json_of(done)
    assert set(value) == {"matches"}
    matches: list[dict[str, Any]] = value["matches"]
    return matches


def check_match(match: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The line of the demonstration agrees with the log file itself; returns the match's record."""
    assert set(match) == {"match_id", "file", "score", "goat", "deals", "seconds", "audit"}
    assert match["audit"] == "fair"
    file = Path(match["file"])
    assert file.parent == folder
    with file.open("rb") as stream:
        audit = audit_log(stream)
    assert audit.finding is Finding.FAIR
    assert audit.match is not None
    record = json.loads(json.dumps(match_summary(audit.match)))
    assert record["match_id"] == match["match_id"]
    assert record["score"] == match["score"]
    assert record["goat"] == match["goat"]
    assert len(record["deals"]) == match["deals"]
    assert match["seconds"] > 0
    assert list(replay_record(record).score) == match["score"]
    return dict(record)


@pytest.mark.long
def test_a_match_of_four_processes_is_fair_and_whole(tmp_path: Path) -> None:
    out = tmp_path / "logs"
    done = kozel("demo", "--json", "--bots", "medium", "--out", out, home=tmp_path, seconds=120)
    (match,) = matches_of(done)
    record = check_match(match, out)
    assert [player["name"] for player in record["players"]] == ["Anna", "Boris", "Vera", "Gleb"]
    assert "For show" not in done.stderr


@pytest.mark.long
def test_a_seed_repeats_cards_choices_and_match(tmp_path: Path) -> None:
    """R22 too: the second match is led by the winner of the first one's last trick."""
    runs = []
    for number in range(2):
        out = tmp_path / str(number)
        done = kozel(
            "demo", "--json", "--matches", "2", "--seed", "7", "--bots", "random", "--out", out,
            home=tmp_path, seconds=240,
        )  # fmt: skip
        assert "For show" in done.stderr
        runs.append([check_match(match, out) for match in matches_of(done)])
    assert runs[0] == runs[1]
    first, second = runs[0]
    assert second["deals"][0]["leader"] == first["deals"][-1]["tricks"][-1]["taker"]


@pytest.mark.long
def test_the_demonstration_for_people(tmp_path: Path) -> None:
    out = tmp_path / "logs"
    done = kozel("demo", "--out", out, home=tmp_path, seconds=120)
    assert done.returncode == 0
    for words in ("found the table", "Score sheet", "goat", "fair and whole", "Slowest"):
        assert words in done.stdout
    assert len(list(out.glob("*.kozel"))) == 1
