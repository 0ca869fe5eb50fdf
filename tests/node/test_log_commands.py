"""`kozel audit`, `replay`, `matches` and `export`, as their user runs them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine import SEATS, replay_record
from node.auditing import running
from node.cli import app
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Record, Store
from node.words.findings import CHECKS
from protocol.bodies import Result
from protocol.checks import Check
from protocol.events import Event
from tests.node.commands import json_of, kozel
from tests.node.kept_logs import harmed
from tests.protocol.cheats import Cheat
from tests.protocol.matches import Played, log_file, rich, short
from tests.protocol.racing import lost_at_the_end


@pytest.fixture(scope="module")
def match() -> Played:
    return short()


@pytest.fixture
def fair(match: Played, tmp_path: Path) -> Path:
    return written(tmp_path / "fair.kozel", match.file())


@pytest.fixture
def cheated(match: Played, tmp_path: Path) -> Path:
    """Seat 2 signs a false result of the first deal."""
    place = next(n for n, event in enumerate(match.events) if event.kind == "result" and event.author == 2)
    past = [event.signed for event in match.events[:place]]
    cheat = Cheat(match, 2)
    cheat.take(past)
    lie = cheat.say(Result(0, bytes(32)))
    return written(tmp_path / "cheated.kozel", log_file(match.setup.genesis, [*past, lie.signed]))


def written(file: Path, data: bytes) -> Path:
    file.write_bytes(data)
    return file


def test_a_fair_log_is_called_fair(fair: Path, tmp_path: Path) -> None:
    done = kozel("audit", fair, home=tmp_path)
    assert done.returncode == 0
    assert "FAIR and whole" in done.stdout
    (report,) = json_of(kozel("audit", fair, "--json", home=tmp_path))["audits"]
    assert (report["audit"], report["exit_code"], report["verdict"]) == ("fair", 0, None)


def test_a_cheat_is_named_with_the_proof(cheated: Path, tmp_path: Path) -> None:
    done = kozel("audit", cheated, home=tmp_path)
    assert done.returncode == 1
    assert "CHEAT: Player 2's computer signed points that the cards do not add up to." in done.stdout
    done = kozel("audit", cheated, "--json", home=tmp_path)
    assert done.returncode == 1
    (report,) = json_of(done)["audits"]
    assert (report["verdict"]["culprit"], report["verdict"]["fault"]) == (2, "false-result")
    assert len(report["verdict"]["events"]) == 1


def test_a_match_that_ended_without_one_player_is_whole(tmp_path: Path) -> None:
    """The seat was lost in the last deal and never came back: three signatures, and nobody to blame."""
    network = lost_at_the_end(606)
    file = written(
        tmp_path / "three.kozel", log_file(network.setup.genesis, network.disks[network.others[0]])
    )
    done = kozel("audit", file, home=tmp_path)
    assert done.returncode == 0
    assert f"was played on without Player {network.away}." in done.stdout
    assert "the three who were left have signed the end" in done.stdout
    (report,) = json_of(kozel("audit", file, "--json", home=tmp_path))["audits"]
    assert {loss["seat"] for loss in report["losses"]} == {network.away}


def test_a_match_that_was_broken_off_is_not_whole(match: Played, tmp_path: Path) -> None:
    file = written(tmp_path / "half.kozel", match.file(len(match.events) // 2))
    done = kozel("audit", file, home=tmp_path)
    assert done.returncode == 2
    assert "NOT WHOLE" in done.stdout
    assert "CHEAT" not in done.stdout


@pytest.mark.parametrize(
    "harm",
    ["cut", "flipped", "foreign", "empty", "newer", "oversized", "missing", "folder"],
)
def test_bad_files_are_said_to_be_bad_and_where(harm: str, match: Played, tmp_path: Path) -> None:
    file = tmp_path / "bad.kozel"
    if harm == "folder":
        file.mkdir()
    elif harm != "missing":
        file.write_bytes(harmed(match.file(), harm))
    done = kozel("audit", file, home=tmp_path)
    assert done.returncode == 2
    assert "FAIR" not in done.stdout
    assert "at byte" in done.stdout or harm not in ("cut", "flipped", "oversized")
    assert kozel("replay", file, home=tmp_path).returncode in (1, 2)


def test_the_worst_of_several_files_counts(fair: Path, cheated: Path, tmp_path: Path) -> None:
    missing = tmp_path / "none.kozel"
    assert kozel("audit", fair, missing, home=tmp_path).returncode == 2
    assert kozel("audit", missing, cheated, fair, home=tmp_path).returncode == 1


def test_every_kind_of_check_is_named_with_its_count(fair: Path, match: Played, tmp_path: Path) -> None:
    lines = kozel("audit", fair, home=tmp_path).stdout.splitlines()
    (report,) = json_of(kozel("audit", fair, "--json", home=tmp_path))["audits"]
    assert set(report["checks"]) == {check.value for check in Check}
    assert report["checks"]["signatures"] == report["events"] == len(match.events)
    for name, count in report["checks"].items():
        assert f"{CHECKS[name]}: {count}" in [line.strip() for line in lines]


def test_two_logs_of_one_match_are_also_judged_together(match: Played, tmp_path: Path) -> None:
    """Each holds the feeds of two players; only together they are the match."""
    files = [
        written(
            tmp_path / f"{team}.kozel",
            log_file(match.setup.genesis, [e.signed for e in match.events if e.author % 2 == team]),
        )
        for team in (0, 1)
    ]
    done = kozel("audit", *files, home=tmp_path)
    assert done.returncode == 2
    apart, _, both = done.stdout.partition("together:")
    assert "FAIR" not in apart
    assert "FAIR and whole" in both
    (report,) = json_of(kozel("audit", *files, "--json", home=tmp_path))["together"]
    assert (report["audit"], report["events"]) == ("fair", len(match.events))
    assert [(Path(each["file"]).name, each["alone"]) for each in report["files"]] == [
        (f"{team}.kozel", sum(event.author % 2 == team for event in match.events)) for team in (0, 1)
    ]


def test_a_log_with_a_hole_says_how_far_it_goes(match: Played, tmp_path: Path) -> None:
    lost = match.events[60]
    rest = [event.signed for event in match.events if event is not lost]
    file = written(tmp_path / "hole.kozel", log_file(match.setup.genesis, rest))
    done = kozel("audit", file, home=tmp_path)
    assert done.returncode == 2
    assert f"number {lost.seq + 1} is the first that is missing" in done.stdout
    assert "It can be followed" in done.stdout
    (report,) = json_of(kozel("audit", file, "--json", home=tmp_path))["audits"]
    assert [reach["first_missing"] for reach in report["reach"]] == [
        lost.seq if seat == lost.author else None for seat in SEATS
    ]


def test_what_comes_out_does_not_depend_on_how_many_cores_work(
    fair: Path, cheated: Path, tmp_path: Path
) -> None:
    bad = written(tmp_path / "bad.kozel", fair.read_bytes()[:5000])
    files = (fair, bad, tmp_path / "none.kozel", cheated)
    one, two = (kozel("audit", *files, "--json", "--jobs", jobs, home=tmp_path) for jobs in ("1", "2"))
    assert json_of(one) == json_of(two)
    assert [report["audit"] for report in json_of(one)["audits"]] == [
        "fair",
        "damaged",
        "unreadable",
        "cheat",
    ]
    assert len(json_of(one)["together"]) == 1


def test_an_audit_whose_process_dies_is_a_sentence_and_no_proven_cheat(
    fair: Path, cheated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_audit", dies)
    done = CliRunner().invoke(app, ["audit", "--jobs", "2", str(fair), str(cheated)])
    assert done.exit_code == 2
    assert "the process that did it has ended" in done.stderr


def dies(files: Sequence[Path], with_match: bool) -> None:
    os._exit(9)


def test_another_matchs_events_harm_nothing(match: Played, tmp_path: Path) -> None:
    events = [event.signed for event in match.events]
    strange = rich().events[30].signed
    file = written(
        tmp_path / "mixed.kozel", log_file(match.setup.genesis, [*events[:50], strange, *events[50:]])
    )
    done = kozel("audit", file, "--json", home=tmp_path)
    assert done.returncode == 2
    (report,) = json_of(done)["audits"]
    assert report["audit"] == "damaged"
    assert report["events"] == len(events)
    assert report["verdict"] is None
    assert [problem["code"] for problem in report["problems"]] == ["other-match"]


def test_a_replay_shows_every_deal_with_all_cards_open(match: Played, fair: Path, tmp_path: Path) -> None:
    done = kozel("replay", fair, "--json", home=tmp_path)
    assert done.returncode == 0
    record = json_of(done)
    assert record["format"] == "kozel-record/1"
    assert len(record["deals"]) == len(match.tables[0].match.finished)
    for deal in record["deals"]:
        cards = [card for hand in deal["hands"] for card in hand] + deal["stock"]
        assert len(set(cards)) == len(cards) == 36
    assert list(replay_record(record).score) == record["score"]
    text = kozel("replay", fair, "--deal", "1", home=tmp_path)
    assert text.returncode == 0
    assert "Deal 1." in text.stdout
    assert "Deal 2." not in text.stdout
    only = json_of(kozel("replay", fair, "--deal", "1", "--json", home=tmp_path))
    assert only["deals"] == record["deals"][:1]


def test_a_deal_that_was_not_played_cannot_be_replayed(fair: Path, tmp_path: Path) -> None:
    done = kozel("replay", fair, "--deal", "99", home=tmp_path)
    assert done.returncode == 1
    assert "no deal 99" in done.stderr


def test_a_replay_of_a_broken_deal_shows_what_the_public_saw(match: Played, tmp_path: Path) -> None:
    place = match.index("discard", 1)
    file = written(tmp_path / "half.kozel", match.file(place + 1))
    record = json_of(kozel("replay", file, "--json", home=tmp_path))
    assert record["deals"][-1]["points"] is None
    assert record["deals"][-1]["hands"] == [None] * 4
    assert kozel("replay", file, home=tmp_path).returncode == 0


def keep(home: Path, match: Played, created: float, events: list[Event]) -> None:
    """Put a match on the disk of a profile."""
    with Profile.open(home, name="Anna") as profile, Store(profile.path / STORE_NAME) as store:
        genesis = match.setup.genesis
        store.add_match(genesis.match_id, genesis.encode(), 0, bytes(32), created)
        records = [Record(e.author, e.seq, e.id, e.signed.data, e.signed.signature) for e in events]
        store.append(genesis.match_id, records)
        summary = {"players": [f"Player {seat}" for seat in SEATS], "score": [2, 6]}
        store.set_summary(genesis.match_id, True, json.dumps(summary))


def test_kept_matches_are_listed_and_exported(match: Played, tmp_path: Path) -> None:
    assert "No match" in kozel("matches", home=tmp_path / "new").stdout
    home = tmp_path / "home"
    keep(home, match, 1e9, list(match.events))
    listed = kozel("matches", home=home)
    assert listed.returncode == 0
    identifier = match.setup.genesis.match_id.hex()
    assert identifier[:12] in listed.stdout
    (kept,) = json_of(kozel("matches", "--json", home=home))["matches"]
    assert (kept["match_id"], kept["finished"], kept["score"]) == (identifier, True, [2, 6])
    file = tmp_path / "my.kozel"
    assert kozel("export", identifier[:6], "-o", file, home=home).returncode == 0
    assert kozel("audit", file, home=home).returncode == 0


def test_an_export_that_cannot_be_is_explained(match: Played, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert "No match" in kozel("export", home=home).stderr
    keep(home, match, 1e9, [])
    done = kozel("export", "ffff0000ffff", home=home)
    assert done.returncode == 1
    assert "kozel matches" in done.stderr
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = kozel("export", "-o", blocked / "log.kozel", home=home)
    assert done.returncode == 1
    assert "could not be written" in done.stderr
