"""`kozel go-on` with real nodes and real bot processes on the loopback interface."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from node.cli import app
from node.commands import tables as table_commands
from node.commands.tables import TableSettings, go_on_with, join_a_table
from node.errors import TableClosed
from node.live import LiveTable
from node.network.addresses import LOOPBACK
from node.node import Node
from node.seating.bot_seats import PAUSE_VARIABLE, BotSeats
from node.storage.exporting import export_match
from node.storage.store import STORE_NAME, Store
from protocol.genesis import Genesis, decode_genesis
from protocol.limits import GRACE_SECONDS
from tests.node.commands import json_of, kozel
from tests.node.gathered import NAMES
from tests.node.resting import copied
from tests.node.test_return import keep
from tests.node.test_table_commands import Printout


@pytest.fixture
def settings(rested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableSettings:
    """Anna's computer, on whose disk the match is."""
    monkeypatch.setenv(PAUSE_VARIABLE, "0")
    folder = copied(rested, tmp_path, NAMES)
    return TableSettings(
        profile=folder / "Anna",
        play_as="medium",
        code="12345678",
        listen=LOOPBACK,
        interfaces=(LOOPBACK,),
        port=0,
    )


def as_bot(folder: Path, number: int, owner: Path) -> None:
    """Make the player of this profile a bot that `owner` had brought to the match."""
    (owner / "bots").mkdir(exist_ok=True)
    shutil.move(folder, owner / "bots" / str(number))


@pytest.mark.long
def test_a_bot_takes_the_seat_and_the_bots_of_the_match_come_back(settings: TableSettings) -> None:
    """Anna had brought Boris, and Vera's computer brings Gleb: a bot of Anna's takes Vera's seat."""
    home = settings.profile.parent
    as_bot(home / "Boris", 1, settings.profile)
    as_bot(home / "Gleb", 2, settings.profile)
    out = Printout()
    assert go_on_with(replace(settings, bots=1), None, out.console) == 0
    text = " ".join(out.text.split())
    assert "The match goes on after 1 deal that was played." in text
    assert "Defeat points: Anna and Vera" in text
    assert "Seats are kept for Boris, Vera, Gleb." in text
    assert "2 bots of yours come back too." in text
    assert re.search(r"Dasha takes Vera's seat\.", text)
    assert "the goat" in text
    with Store(settings.profile / STORE_NAME) as store:
        old, new = store.matches()
        file = export_match(store, new, home)
        before, after = decode_genesis(old.genesis), decode_genesis(new.genesis)
    assert new.finished
    assert [a.identity == b.identity for a, b in zip(before.roster, after.roster, strict=True)] == [
        True,
        True,
        False,
        True,
    ]
    done = kozel("audit", file, home=home / "nobody")
    assert done.returncode == 0
    standing = after.standing
    assert standing is not None
    assert f"Goes on from {standing.score[0]} to {standing.score[1]} with the match" in done.stdout
    assert old.match_id.hex()[:12] in done.stdout
    (report,) = json_of(kozel("audit", file, "--json", home=home / "nobody"))["audits"]
    assert report["goes_on"] == {"match_id": old.match_id.hex(), "score": list(standing.score)}
    check_lists(settings.profile, old.match_id.hex(), new.match_id.hex())


def check_lists(home: Path, old: str, new: str) -> None:
    """The old match is shown as what it has become, and is not gone back to."""
    listed = re.sub(r"\W+", " ", kozel("matches", home=home).stdout)
    assert f"went on as {new[:12]}" in listed
    shown = {match["match_id"]: match for match in json_of(kozel("matches", "--json", home=home))["matches"]}
    assert shown[old]["went_on"] == new
    assert shown[new]["went_on"] is None
    for command in ("resume", "go-on"):
        done = kozel(command, old[:10], home=home)
        assert done.returncode == 1
        assert f"kozel resume {new[:12]}" in " ".join(done.stderr.split())


@pytest.mark.long
def test_guests_are_told_what_goes_on_and_bring_back_their_bots(settings: TableSettings) -> None:
    """Vera had brought Boris to the match, and brings him again; Zoya is new and takes Gleb's seat."""
    home = settings.profile.parent
    as_bot(home / "Boris", 1, home / "Vera")
    visits: dict[str, Callable[[Printout], int]] = {
        "Anna": lambda out: go_on_with(settings, None, out.console),
        "Vera": lambda out: join_a_table(
            replace(settings, profile=home / "Vera", table="Dacha"), out.console
        ),
        "Zoya": lambda out: join_a_table(
            replace(settings, profile=home / "Zoya", name="Zoya", table="Dacha"), out.console
        ),
    }
    outs = {name: Printout() for name in visits}
    codes: dict[str, int] = {}

    def pay_a_visit(name: str) -> None:
        codes[name] = visits[name](outs[name])

    threads = [threading.Thread(target=pay_a_visit, args=(name,)) for name in visits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == dict.fromkeys(visits, 0)
    said = {name: " ".join(out.text.split()) for name, out in outs.items()}
    for name in ("Vera", "Zoya"):
        assert "This table goes on with the match of Anna and Vera against Boris and Gleb." in said[name]
        assert "Defeat points: Anna and Vera" in said[name]
    assert "compares that with its own record" in said["Vera"]
    assert "1 bot of yours comes back too." in said["Vera"]
    assert "You have not been in it" in said["Zoya"]
    assert "You take Gleb's seat." in said["Zoya"]
    for name in ("Anna", "Vera"):
        assert "Zoya takes Gleb's seat." in said[name]
    assert all("the goat" in text for text in said.values())


def test_new_bots_leave_the_profiles_of_the_old_ones_alone(
    settings: TableSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = settings.profile.parent
    as_bot(home / "Boris", 2, settings.profile)
    as_bot(home / "Vera", 3, settings.profile)
    with Store(settings.profile / STORE_NAME) as store:
        (match,) = store.matches()
    started: list[Any] = []
    monkeypatch.setattr(BotSeats, "_run", lambda _self, config: started.append(config))
    with BotSeats(settings.profile / "bots", "medium", pause=0) as bots:
        assert bots.bring_back(match.match_id, (LOOPBACK, 4711), b"h" * 32, LOOPBACK) == 2
        bots.start(["Dasha", "Nina"], "Dacha", "12345678", (LOOPBACK, 4711), LOOPBACK)
    assert [(Path(one.profile).name, one.name) for one in started] == [
        ("2", "Boris"),
        ("3", "Vera"),
        ("1", "Dasha"),
        ("4", "Nina"),
    ]
    assert [one.host_key for one in started] == [(b"h" * 32).hex()] * 2 + [None] * 2
    assert all(one.resume is None for one in started)


# What is refused, in words


def test_nothing_to_go_on_with(tmp_path: Path) -> None:
    done = kozel("go-on", home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no unfinished match to go on with." in done.stderr


def test_a_match_without_a_finished_deal(tmp_path: Path) -> None:
    keep(tmp_path, finished=False)
    done = kozel("go-on", home=tmp_path)
    assert done.returncode == 1
    assert "No deal of this match was finished" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "--terminal", "--grace", "9"],
        ["play", "--bots", "2"],
        ["host", "--grace", "3601"],
        ["host", "--grace", "x"],
        ["go-on", "--bots", "2"],
    ],
)
def test_numbers_out_of_range_are_refused_in_words(arguments: list[str]) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert "Invalid value for" in done.output


@pytest.mark.parametrize("grace", [GRACE_SECONDS[0], 90, GRACE_SECONDS[-1]])
@pytest.mark.parametrize(("command", "function"), [("play --terminal", "play_here"), ("host", "host_table")])
def test_the_time_to_wait_is_an_option_of_the_table(
    command: str, function: str, grace: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[TableSettings] = []

    def called(settings: TableSettings, _console: object) -> int:
        asked.append(settings)
        return 0

    monkeypatch.setattr(table_commands, function, called)
    arguments = [*command.split(), *(["--grace", str(grace)] if grace != 90 else [])]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert [settings.grace for settings in asked] == [grace]


def test_what_go_on_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[TableSettings, str | None]] = []

    def gone_on(settings: TableSettings, prefix: str | None, _console: object) -> int:
        asked.append((settings, prefix))
        return 0

    monkeypatch.setattr(table_commands, "go_on_with", gone_on)
    for arguments in ([], ["2d6e", "--bots", "1", "--port", "0"]):
        assert CliRunner().invoke(app, ["go-on", *arguments]).exit_code == 0
    told = [(prefix, settings.bots, settings.port) for settings, prefix in asked]
    assert told == [(None, 0, None), ("2d6e", 1, 0)]


def test_the_time_to_wait_goes_into_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Genesis] = []

    def noted(_node: Node, genesis: Genesis, *_arguments: object) -> LiveTable:
        begun.append(genesis)
        raise TableClosed("far enough")

    monkeypatch.setattr(Node, "begin", noted)
    settings = TableSettings(tmp_path / "me", "Olga", "medium", 3, listen=LOOPBACK, grace=33)
    assert table_commands.play_here(settings, Printout().console) == 1
    assert [genesis.grace for genesis in begun] == [33]
