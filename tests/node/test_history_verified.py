"""Logs are audited once, and again as soon as anything about them or about the program has changed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from node.history import verified
from node.history.kept import IMPORTED, KeptMatch, Log, open_shelf, read_log
from node.history.outcome import Outcome
from node.history.verified import VERIFIED, Outcomes, digest_of, verify_each
from protocol.audit import Finding
from protocol.logfile import SUFFIX
from tests.node.kept_logs import cheated_file, events_of, keep, outcome, profile_of, written
from tests.protocol.matches import rich, short

pytestmark = pytest.mark.usefixtures("proofs_checked_once")

SHORT = short().setup.genesis.match_id
RICH = rich().setup.genesis.match_id


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A profile that keeps two matches."""
    folder = profile_of(0, tmp_path / "home")
    for match in (short(), rich()):
        keep(folder, match.setup.genesis, events_of(match))
    return folder


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The ids of the matches that were really audited, in this process."""
    done: list[bytes] = []
    verify = verified._verify

    def noted(task: verified._Task) -> Outcome:
        done.append(task.match_id)
        return verify(task)

    monkeypatch.setattr(verified, "_verify", noted)
    return done


def outcomes_of(home: Path, jobs: int = 1) -> dict[bytes, Outcome]:
    with open_shelf(home) as shelf:
        logs = ((match, shelf.logs(match)) for match in shelf.matches())
        return verify_each(logs, Outcomes(home), jobs=jobs)


def imported(home: Path, match_id: bytes, data: bytes) -> Path:
    return written(home / IMPORTED / f"{match_id.hex()}{SUFFIX}", data)


def test_each_log_is_audited_once(home: Path, audited: list[bytes]) -> None:
    first = outcomes_of(home)
    assert sorted(audited) == sorted([SHORT, RICH])
    assert first == {SHORT: outcome(short()), RICH: outcome(rich())}
    assert outcomes_of(home) == first
    assert len(audited) == 2


def test_several_processes_find_the_same(home: Path) -> None:
    assert outcomes_of(home, jobs=2) == {SHORT: outcome(short()), RICH: outcome(rich())}


def test_who_waits_is_told_of_each_one_whether_it_was_known_or_not(home: Path) -> None:
    heard: list[str] = []
    with open_shelf(home) as shelf:
        for _ in range(2):
            logs = ((match, shelf.logs(match)) for match in shelf.matches())
            verify_each(logs, Outcomes(home), jobs=1, heard=lambda: heard.append("one"))
    assert len(heard) == 4


def test_a_log_that_has_grown_is_audited_again(tmp_path: Path, audited: list[bytes]) -> None:
    home = profile_of(0, tmp_path / "home")
    match = rich()
    half = match.index("result", 3) + 1
    keep(home, match.setup.genesis, events_of(match, half))
    assert [one.finding for one in outcomes_of(home).values()] == [Finding.INCOMPLETE]
    keep(home, match.setup.genesis, events_of(match))
    assert outcomes_of(home) == {RICH: outcome(match)}
    assert audited == [RICH, RICH]
    assert len(list((home / VERIFIED).iterdir())) == 1


@pytest.mark.parametrize("harm", ["cut", "a figure", "not JSON", "nothing", "another shape", "a folder"])
def test_a_damaged_file_is_made_again(harm: str, home: Path, audited: list[bytes]) -> None:
    first = outcomes_of(home)
    file = home / VERIFIED / f"{RICH.hex()}.json"
    whole = file.read_bytes()
    if harm == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif harm == "a figure":
        told = json.loads(whole)
        told["outcome"]["deals"][0]["points"] = [120, 0]
        file.write_text(json.dumps(told))
    elif harm == "not JSON":
        file.write_bytes(b"\xff\x00" * 9)
    elif harm == "nothing":
        file.write_bytes(b"")
    elif harm == "another shape":
        file.write_text("[[]]")
    else:
        file.unlink()
        file.mkdir()
    assert outcomes_of(home) == first
    assert audited[2:] == [RICH]
    if harm != "a folder":
        assert file.read_bytes() == whole


def test_another_edition_of_the_program_judges_anew(
    home: Path, audited: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes_of(home)
    monkeypatch.setattr(verified, "_edition", lambda: "another")
    outcomes_of(home)
    assert len(audited) == 4


def test_a_disk_that_keeps_nothing_is_no_harm(home: Path) -> None:
    (home / VERIFIED).write_text("in the way")
    assert outcomes_of(home)[SHORT] == outcome(short())


def test_the_digest_depends_on_all_bytes_and_not_on_their_order() -> None:
    match = rich()
    genesis, events = match.setup.genesis.encode(), events_of(match)
    digest = digest_of([Log(genesis, tuple(events))])
    mixed = random.Random(1).sample(events, len(events))
    assert digest_of([Log(genesis, tuple(mixed))]) == digest
    changed = events[5]._replace(signature=bytes(64))
    others = (
        Log(genesis, tuple(events[1:])),
        Log(genesis, (*events[:5], changed, *events[6:])),
        Log(genesis + b"\0", tuple(events)),
    )
    assert len({digest, *(digest_of([other]) for other in others)}) == 4


def test_what_a_file_knows_more_than_the_store_counts(tmp_path: Path) -> None:
    """The store has the first half; the file lacks an event of it and has all that came later."""
    home, match = profile_of(0, tmp_path / "home"), rich()
    half = match.index("result", 3) + 1
    keep(home, match.setup.genesis, events_of(match, half))
    imported(home, RICH, match.file())
    assert outcomes_of(home) == {RICH: outcome(match)}


def test_both_halves_of_what_two_logs_tell_prove_a_cheat(tmp_path: Path) -> None:
    """Seat 1 has signed a true result for one player, and a false one for another: an equivocation."""
    home, match = profile_of(0, tmp_path / "home"), short()
    keep(home, match.setup.genesis, events_of(match))
    imported(home, SHORT, cheated_file(1))
    (found,) = outcomes_of(home).values()
    assert (found.finding, found.culprit, found.fault) == (Finding.CHEAT, 1, "equivocation")


@pytest.mark.parametrize("harm", ["cut", "foreign", "junk inside", "of another match", "empty"])
def test_a_file_that_was_damaged_later_does_not_spoil_the_store(harm: str, home: Path) -> None:
    data = short().file()
    junk = events_of(rich())[40]
    log, _ = read_log(data)
    spoilt = {
        "cut": data[: len(data) // 2],
        "foreign": b"PK" + data,
        "junk inside": Log(log.genesis, (junk, *log.events)).encode(),
        "of another match": rich().file(),
        "empty": b"",
    }
    imported(home, SHORT, spoilt[harm])
    assert outcomes_of(home) == {SHORT: outcome(short()), RICH: outcome(rich())}


def test_of_a_file_alone_that_was_damaged_later_nothing_is_used(tmp_path: Path) -> None:
    imported(tmp_path, SHORT, short().file()[:-1])
    imported(tmp_path, RICH, short().file())
    (tmp_path / IMPORTED / f"not a match{SUFFIX}").write_bytes(short().file())
    with open_shelf(tmp_path) as shelf:
        found = shelf.matches()
        assert {match.match_id for match in found} == {SHORT, RICH}
        assert [shelf.logs(match) for match in found] == [(), ()]


def test_a_match_stands_on_the_shelf_once_wherever_it_comes_from(home: Path) -> None:
    imported(home, RICH, rich().file())
    with open_shelf(home) as shelf:
        found = {match.match_id: match for match in shelf.matches()}
        assert len(found) == len(shelf.matches()) == 2
        both = found[RICH]
        assert isinstance(both, KeptMatch)
        assert both.stored is not None
        assert both.file is not None
        assert len(shelf.logs(both)) == 1
