"""`kozel import`: what is sound or proves a cheat is kept, nothing is lost, and it comes out as it went."""

from __future__ import annotations

import itertools
import json
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from node.commands.importing import import_logs
from node.commands.logs import export_to_file, list_matches
from node.errors import ImportFailed, MatchNotKept
from node.history import importing
from node.history.importing import Imported, Kept, import_files
from node.history.kept import IMPORTED, Log, read_log
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Store
from protocol.audit import Finding
from protocol.events import Event, SignedEvent
from protocol.logfile import SUFFIX
from tests.node.kept_logs import cheated_file, events_of, gone_on, harmed, keep, profile_of, written
from tests.node.read_only import read_only_folder
from tests.protocol.matches import Played, audit, log_file, rich, short

pytestmark = pytest.mark.usefixtures("proofs_checked_once")

SHORT = short().setup.genesis.match_id
RICH = rich().setup.genesis.match_id


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile without a match, which the commands use."""
    folder = profile_of(0, tmp_path / "home")
    monkeypatch.setenv("KOZEL_HOME", str(folder))
    return folder


def taken_in(home: Path, *files: bytes, jobs: int = 1) -> list[Imported]:
    """Import files with these bytes."""
    names = [written(home.parent / f"{number}{SUFFIX}", data) for number, data in enumerate(files)]
    return list(import_files(home, names, jobs=jobs))


def kept_file(home: Path, match_id: bytes) -> Path:
    return home / IMPORTED / f"{match_id.hex()}{SUFFIX}"


def past_of(match: Played, event: Event) -> bytes:
    """The log of somebody who knows only this event and what its author had seen."""
    seen = [other.signed for other in match.events if other.seq <= event.vector[other.author]]
    return log_file(match.setup.genesis, seen)


def apart(match: Played) -> tuple[Event, Event]:
    """The last two events neither of whose authors had seen the other one."""
    return next(
        (one, other)
        for one, other in itertools.combinations(reversed(match.events), 2)
        if one.seq > other.vector[one.author] and other.seq > one.vector[other.author]
    )


def events_in(data: bytes) -> set[SignedEvent]:
    return set(read_log(data)[0].events)


def listed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert list_matches(as_json=True) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["matches"]
    return found


def test_what_goes_in_comes_out_byte_by_byte(home: Path, tmp_path: Path) -> None:
    """Out of one profile, into another, and out again."""
    other = profile_of(1, tmp_path / "other")
    keep(other, rich().setup.genesis, events_of(rich()), seat=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KOZEL_HOME", str(other))
        export_to_file(None, tmp_path / "first.kozel")
    assert [one.kept for one in import_files(home, [tmp_path / "first.kozel"], jobs=1)] == [Kept.NEW]
    export_to_file(RICH.hex()[:6], tmp_path / "second.kozel")
    assert (tmp_path / "second.kozel").read_bytes() == (tmp_path / "first.kozel").read_bytes()
    again = [tmp_path / "second.kozel", tmp_path / "first.kozel"]
    assert [one.kept for one in import_files(home, again, jobs=1)] == [Kept.KNOWN, Kept.KNOWN]
    assert kept_file(home, RICH).read_bytes() == (tmp_path / "first.kozel").read_bytes()


def test_whole_broken_off_and_cheated_matches_are_kept_and_told_apart(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        written(tmp_path / "whole.kozel", rich().file()),
        written(tmp_path / "cheated.kozel", cheated_file(2)),
        written(tmp_path / "half.kozel", gone_on(RICH, 3).file(40)),
    ]
    assert import_logs(home, files, as_json=False, jobs=2) == 0
    told = capsys.readouterr().out
    assert "FAIR and whole" in told
    assert "CHEAT: Player 2's computer signed points that the cards do not add up to." in told
    assert "NOT WHOLE" in told
    assert import_logs(home, files, as_json=True, jobs=1) == 0
    told_again = json.loads(capsys.readouterr().out)["imports"]
    assert [(one["kept"], one["audit"]) for one in told_again] == [
        ("known", "fair"),
        ("known", "cheat"),
        ("known", "incomplete"),
    ]


@pytest.mark.parametrize(
    "harm", ["cut short", "flipped", "foreign", "empty", "newer", "missing", "folder", "junk"]
)
def test_what_is_damaged_or_no_log_is_refused_with_a_sentence(
    harm: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.kozel"
    if harm == "folder":
        file.mkdir()
    elif harm == "junk":
        log, _ = read_log(short().file())
        file.write_bytes(Log(log.genesis, (*log.events, events_of(rich())[30])).encode())
    elif harm != "missing":
        file.write_bytes(harmed(short().file(), harm))
    fair = written(tmp_path / "fair.kozel", rich().file())
    assert import_logs(home, [file, fair], as_json=False, jobs=1) == 2
    told = capsys.readouterr().out
    refused, kept = told.split(f"{fair}:")
    assert "Not kept." in refused
    assert len(refused.splitlines()) >= 3, "there is a sentence that says why"
    assert "Kept." in kept
    assert [one.name for one in (home / IMPORTED).glob("*.kozel")] == [f"{RICH.hex()}{SUFFIX}"]


def test_a_cheat_is_kept_however_damaged_its_file_is(home: Path) -> None:
    data = cheated_file(2)
    (one,) = taken_in(home, data + b"\0\0")
    assert one.kept is Kept.NEW
    assert kept_file(home, SHORT).read_bytes() == data
    assert audit(data).finding is Finding.CHEAT


def test_a_longer_log_is_never_replaced_by_a_shorter_one(home: Path) -> None:
    match = rich()
    half, whole = match.file(len(match.events) // 2), match.file()
    assert [one.kept for one in taken_in(home, half, whole, half, whole)] == [
        Kept.NEW,
        Kept.GROWN,
        Kept.KNOWN,
        Kept.KNOWN,
    ]
    assert kept_file(home, RICH).read_bytes() == whole


def test_two_logs_that_each_know_more_are_kept_together(home: Path) -> None:
    match = short()
    one, other = apart(match)
    first, second = past_of(match, one), past_of(match, other)
    assert [one.kept for one in taken_in(home, first, second)] == [Kept.NEW, Kept.JOINED]
    together = kept_file(home, SHORT).read_bytes()
    assert audit(together).problems == []
    assert events_in(together) == events_in(first) | events_in(second)
    assert events_in(first) - events_in(second) == {one.signed}
    assert events_in(second) - events_in(first) == {other.signed}


def test_both_halves_of_an_equivocation_are_kept(home: Path) -> None:
    """Each log alone shows one half; the false result is a fault of its own, the pair is the stronger one."""
    assert [one.kept for one in taken_in(home, short().file(), cheated_file(1))] == [Kept.NEW, Kept.JOINED]
    found = audit(kept_file(home, SHORT).read_bytes())
    assert found.verdict is not None
    assert (found.verdict.fault, found.verdict.culprit) == ("equivocation", 1)


def test_a_match_of_ones_own_is_known_unless_the_file_knows_more(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = rich()
    half = match.index("result", 3) + 1
    keep(home, match.setup.genesis, events_of(match, half))
    assert [one.kept for one in taken_in(home, match.file(20), match.file(half))] == [Kept.KNOWN, Kept.KNOWN]
    assert not (home / IMPORTED).exists() or not list((home / IMPORTED).glob("*.kozel"))
    assert [one.kept for one in taken_in(home, match.file())] == [Kept.GROWN]
    (only,) = listed(capsys)
    assert (only["match_id"], only["imported"]) == (RICH.hex(), False)
    export_to_file(None, home.parent / "union.kozel")
    assert audit((home.parent / "union.kozel").read_bytes()).finding is Finding.FAIR


def test_a_file_that_was_damaged_since_is_replaced(home: Path) -> None:
    taken_in(home, short().file())
    kept_file(home, SHORT).write_bytes(short().file()[:-5])
    assert [one.kept for one in taken_in(home, short().file())] == [Kept.NEW]
    assert kept_file(home, SHORT).read_bytes() == short().file()


def test_imported_matches_are_listed_after_those_of_ones_own_and_marked(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(home, short().setup.genesis, events_of(short()), created=5.0)
    follower = gone_on(RICH, 3)
    taken_in(home, rich().file(80), follower.file(), cheated_file(2))
    found = {one["match_id"]: one for one in listed(capsys)}
    assert next(iter(found)) == SHORT.hex()
    old, new = found[RICH.hex()], found[follower.setup.genesis.match_id.hex()]
    assert (old["imported"], old["created"], old["seat"], old["finished"]) == (True, None, 0, False)
    assert old["went_on"] == new["match_id"]
    assert new["finished"]
    assert (new["score"], new["goat"]) == (
        list(follower.tables[0].state.score),
        follower.tables[0].state.goat,
    )
    assert new["players"][3] == "Newcomer"
    assert list_matches(as_json=False) == 0
    assert "imported" in capsys.readouterr().out


def test_an_imported_file_that_was_damaged_is_listed_as_such(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken_in(home, short().file())
    kept_file(home, SHORT).write_bytes(short().file()[:-5])
    (one,) = listed(capsys)
    assert (one["damaged"], one["finished"]) == (True, False)
    with pytest.raises(MatchNotKept, match="Import it again"):
        export_to_file(None, home.parent / "no.kozel")


def test_all_of_it_works_while_the_profile_is_in_use(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(home, short().setup.genesis, events_of(short()))
    with Profile.open(home), Store(home / STORE_NAME):
        assert [one.kept for one in taken_in(home, rich().file())] == [Kept.NEW]
        assert len(listed(capsys)) == 2
        export_to_file(SHORT.hex()[:8], tmp_path / "mine.kozel")
    assert (tmp_path / "mine.kozel").read_bytes() == short().file()


def test_an_import_makes_a_profile_that_can_be_opened_later(tmp_path: Path) -> None:
    home = tmp_path / "new" / "profile"
    assert [one.kept for one in taken_in_at(home, tmp_path)] == [Kept.NEW]
    with Profile.open(home, name="Anna") as profile:
        assert profile.name == "Anna"


def taken_in_at(home: Path, folder: Path) -> list[Imported]:
    return list(import_files(home, [written(folder / "one.kozel", short().file())], jobs=1))


def test_a_folder_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    data = short().file(20)
    with read_only_folder() as folder, tempfile.TemporaryDirectory() as other:
        file = written(Path(other) / "one.kozel", data)
        with pytest.raises(ImportFailed, match="could not be kept"):
            list(import_files(folder / "profile", [file], jobs=1))


def test_an_endless_file_is_not_read_to_its_end(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MAX_FILE_BYTES", 1000)
    (one,) = taken_in(home, short().file())
    assert one.kept is Kept.REFUSED
    assert "too large" in one.lines[0]


def test_two_imports_at_once_lose_nothing(home: Path, tmp_path: Path) -> None:
    match = short()
    parts = [past_of(match, event) for event in apart(match)]
    files = [written(tmp_path / f"part {number}.kozel", data) for number, data in enumerate(parts)]

    def take(file: Path) -> None:
        list(import_files(home, [file], jobs=1))

    threads = [threading.Thread(target=take, args=(file,)) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert events_in(kept_file(home, SHORT).read_bytes()) == events_in(parts[0]) | events_in(parts[1])


def test_nothing_is_imported_by_a_name_that_a_stranger_chose(home: Path, tmp_path: Path) -> None:
    """The file is called by its match, whatever it was called before."""
    file = written(tmp_path / "..%2f..%2fidentity.pem", short().file())
    list(import_files(home, [file], jobs=1))
    assert sorted(one.name for one in (home / IMPORTED).glob("*.kozel")) == [f"{SHORT.hex()}{SUFFIX}"]


def test_a_bar_on_the_terminal_takes_nothing_from_the_output(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # As if standard error were a terminal; the output is not.
    assert import_logs(home, [written(tmp_path / "one.kozel", short().file())], as_json=False, jobs=1) == 0
    told = capsys.readouterr()
    assert "FAIR and whole" in told.out
    assert "Checking logs" in told.err
    assert "Checking logs" not in told.out
