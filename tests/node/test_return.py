"""kill -9 at a table of real processes, and back to one's seat, on another address too (§9.5, §9.6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from node.lobby.host import new_code
from node.network.addresses import LOOPBACK
from node.seating.bot_process import BotProcess, Reports
from node.seating.returning import last_place, match_to_resume, name_in_match
from node.seating.worker import SeatConfig
from node.storage.exporting import export_match
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Record, Store
from protocol.audit import Finding, audit_log
from tests.protocol.matches import played

NAMES = ("Anna", "Boris", "Vera", "Gleb")
SECONDS = 90.0


class Company:
    """Four bots in processes of their own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports = Reports()
        self.code = new_code()
        self.port = 0
        self.bots: list[BotProcess] = []

    def config(self, seat: int, **changes: Any) -> SeatConfig:
        fields: dict[str, Any] = {
            "profile": str(self.folder / NAMES[seat]),
            "name": NAMES[seat],
            "play_as": "random",
            "table": "Dacha",
            "table_id": "ab" * 16,
            "code": self.code,
            "host": seat == 0,
            "address": (LOOPBACK, self.port),
            "listen": LOOPBACK,
            "wish": str(seat),
            "matches": 1,
            "pause": 0.05,
        }
        return SeatConfig(**{**fields, **changes})

    def open(self) -> str:
        """Start all four, and wait until the first deal is under way; the match's id."""
        self.bots.append(BotProcess(self.config(0), self.reports.of(0)))
        self.port = self.hear(0, "open")["port"]
        for seat in (1, 2, 3):
            self.bots.append(BotProcess(self.config(seat), self.reports.of(seat)))
        match_id: str = self.hear(0, "begun")["match_id"]
        self.hear(0, "dealt")
        return match_id

    def hear(self, seat: int, event: str) -> dict[str, Any]:
        """Wait for a report of one seat."""
        while True:
            number, report = self.reports.next(SECONDS)
            assert report["event"] != "failed", report
            if (number, report["event"]) == (seat, event):
                return report

    def kill(self, seat: int) -> None:
        """End a process as a power cut would."""
        self.bots[seat]._process.kill()
        self.bots[seat].stop()

    def restart(self, seat: int, match_id: str) -> None:
        """Start a seat's program again, to go back to the match."""
        self.bots[seat] = BotProcess(self.config(seat, resume=match_id), self.reports.of(seat))

    def over(self) -> None:
        """Wait until all four have seen the end."""
        waiting = set(range(4))
        while waiting:
            number, report = self.reports.next(SECONDS)
            assert report["event"] != "failed", report
            if report["event"] == "over":
                assert report["fault"] is None
                waiting.discard(number)

    def stop(self) -> None:
        for bot in self.bots:
            bot.stop()


@pytest.mark.long
@pytest.mark.parametrize("seat", [pytest.param(0, id="the host"), pytest.param(2, id="a guest")])
def test_a_killed_node_comes_back_to_its_seat_and_the_match_is_finished(seat: int, tmp_path: Path) -> None:
    company = Company(tmp_path)
    try:
        match_id = company.open()
        company.kill(seat)
        with Store(tmp_path / NAMES[seat] / STORE_NAME) as store:
            # Another address: what was remembered of this seat's own place is taken.
            store.set_addresses(bytes.fromhex(match_id), seat, [(LOOPBACK, company.port)])
        company.restart(seat, match_id)
        company.over()
    finally:
        company.stop()
    logs = set()
    for name in NAMES:
        with Store(tmp_path / name / STORE_NAME) as store:
            kept = store.match(bytes.fromhex(match_id))
            assert kept is not None
            assert kept.finished
            file = export_match(store, kept, tmp_path / f"{name}.kozel")
        with file.open("rb") as stream:
            audit = audit_log(stream)
        assert audit.finding is Finding.FAIR
        assert audit.match is not None
        logs.add(audit.match.log.heads())
    assert len(logs) == 1


@pytest.mark.long
def test_all_four_go_home_and_go_on_another_day(tmp_path: Path) -> None:
    company = Company(tmp_path)
    try:
        match_id = company.open()
        for seat in range(4):
            company.kill(seat)
        for seat in range(4):
            company.restart(seat, match_id)
        company.over()
    finally:
        company.stop()


@pytest.mark.long
def test_a_copy_of_a_profile_is_told_that_the_seat_is_taken(tmp_path: Path) -> None:
    """The copy has the same keys and history; it signs nothing, and the match goes on undisturbed."""
    company = Company(tmp_path)
    try:
        match_id, copied = _killed_and_copied(company)
        company.hear(1, "ended")
        company.restart(1, match_id)
        company.hear(1, "deal")  # It has played to the end of a deal: it is not coming back any more.
        company.kill(3)  # So that the match cannot end meanwhile.
        for _ in range(3):
            _try_the_copy(company.config(1, profile=str(copied), resume=match_id))
        company.restart(3, match_id)
        company.over()
    finally:
        company.stop()
    signed = {}
    for name, folder in (("original", tmp_path / NAMES[1]), ("copy", copied)):
        with Store(folder / STORE_NAME) as store:
            records = store.records(bytes.fromhex(match_id))
            signed[name] = {record.event_id for record in records if record.author == 1}
    assert signed["copy"] < signed["original"]


def _killed_and_copied(company: Company) -> tuple[str, Path]:
    """A match is under way, and the program of seat 1 is gone: the match, and a copy of that profile."""
    match_id = company.open()
    company.kill(1)
    copied = company.folder / "copy"
    _copy_folder(company.folder / NAMES[1], copied)
    return match_id, copied


def _try_the_copy(config: SeatConfig) -> None:
    """Start a copy, which must end by itself and say why."""
    reports = Reports()
    clone = BotProcess(config, reports.of(1))
    try:
        said = []
        while (report := reports.next(SECONDS)[1])["event"] != "ended":
            said.append(report)
    finally:
        clone.stop()
    assert said[-1]["event"] == "failed", said
    assert said[-1]["code"] == "profile-cloned"
    assert "with a copy of your profile" in said[-1]["reason"]


@pytest.mark.long
def test_of_two_copies_that_come_back_at_once_one_plays(tmp_path: Path) -> None:
    """Neither was there first; which of the two is told does not matter, but not both."""
    company = Company(tmp_path)
    try:
        match_id, copied = _killed_and_copied(company)
        company.restart(1, match_id)
        clone = BotProcess(company.config(1, profile=str(copied), resume=match_id), company.reports.of(1))
        try:
            over: set[int] = set()
            told = 0
            while over != set(range(4)):
                number, report = company.reports.next(SECONDS)
                if report["event"] == "failed":
                    assert (number, report["code"]) == (1, "profile-cloned")
                    told += 1
                elif report["event"] == "over":
                    assert report["fault"] is None
                    over.add(number)
        finally:
            clone.stop()
    finally:
        company.stop()
    assert told == 1


def _copy_folder(source: Path, target: Path) -> None:
    target.mkdir(mode=0o700)
    for file in source.iterdir():
        if file.is_file() and file.name != "lock":
            (target / file.name).write_bytes(file.read_bytes())


def keep(home: Path, finished: bool) -> bytes:
    """A stored match in a profile, at seat 2."""
    match = played(1)
    genesis = match.setup.genesis
    with Profile.open(home, name="Vera"), Store(home / STORE_NAME) as store:
        store.add_match(genesis.match_id, genesis.encode(), 2, bytes(32), 1.0)
        event = match.events[0]
        record = Record(event.author, event.seq, event.id, event.signed.data, event.signed.signature)
        store.append(genesis.match_id, [record])
        store.set_addresses(genesis.match_id, 2, [(LOOPBACK, 4711)])
        store.set_summary(genesis.match_id, finished, json.dumps({}))
    return genesis.match_id


def test_only_unfinished_matches_can_be_gone_back_to(tmp_path: Path) -> None:
    match_id = keep(tmp_path / "open", finished=False)
    keep(tmp_path / "done", finished=True)
    with Profile.open(tmp_path / "open") as profile:
        assert last_place(profile, None) == (LOOPBACK, 4711)
    with Store(tmp_path / "open" / STORE_NAME) as store:
        assert match_to_resume(store, match_id.hex()[:8]).match_id == match_id
    assert name_in_match(tmp_path / "open", match_id) == "Player 2"
    assert name_in_match(tmp_path / "done", match_id) is None
    assert name_in_match(tmp_path / "open", bytes(32)) is None
    assert name_in_match(tmp_path / "nowhere", match_id) is None
