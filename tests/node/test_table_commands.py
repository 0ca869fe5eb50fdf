"""The four commands, with real nodes and real bot processes on the loopback interface."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from engine import Options
from node.cli import app
from node.commands import tables as table_commands
from node.commands.tables import TableSettings, host_table, join_a_table, list_tables, play_here
from node.errors import DiscoveryUnavailable, TableClosed, TableNotFound
from node.lobby.table_link import TableLink, parse_link
from node.network.discovery import TableAd
from node.node import Node
from node.seating.bot_seats import PAUSE_VARIABLE
from node.seating.door import Way
from node.storage.known import known_players
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Store
from node.terminal.gathering import Company
from tests.node.lobby_tables import CODE, TABLE, Table

LOOPBACK = ("127.0.0.1",)
SHORT = Options(target=6)


class Printout:
    """A console and what was printed on it."""

    def __init__(self) -> None:
        self._file = io.StringIO()
        self.console = Console(file=self._file, width=80)

    @property
    def text(self) -> str:
        return self._file.getvalue()


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableSettings:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")
    return TableSettings(
        profile=tmp_path / "me", name="Olga", play_as="medium", listen=LOOPBACK[0], interfaces=LOOPBACK
    )


@pytest.fixture
def no_input(monkeypatch: pytest.MonkeyPatch) -> Any:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        yield


def test_a_match_among_four_bots_is_told_and_kept(settings: TableSettings) -> None:
    out = Printout()
    assert play_here(replace(settings, bots=3, options=SHORT), out.console) == 0
    for expected in (
        "You are Olga",
        "--- Deal 1",
        "takes the trick",
        "is over ---",
        "the goat",
        "kozel export",
    ):
        assert expected in out.text
    with Store(settings.profile / STORE_NAME) as store:
        (match,) = store.matches()
    assert match.finished
    assert len(known_players([match])) == 3
    assert match.match_id.hex()[:12] in out.text


def test_guests_find_a_table_by_name_and_bring_bots_along(settings: TableSettings, tmp_path: Path) -> None:
    host = replace(settings, table="Garden", bots=1, code="12345678", options=SHORT)
    guest = replace(settings, profile=tmp_path / "guest", name="Ivan", table="garden", code="1234 5678")
    hosted, joined = Printout(), Printout()
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(host_table(host, hosted.console)))
    thread.start()
    try:
        codes.append(join_a_table(replace(guest, bots=1), joined.console))
    finally:
        thread.join()
    assert codes == [0, 0]
    assert "Code of the table:  1234 5678" in hosted.text
    assert "  kozel join  " in hosted.text
    to_join, to_watch = re.findall("  kozel ([a-z]*) (KOZEL:.*)", hosted.text)
    assert (to_join[0], to_watch[0]) == ("join", "watch")
    assert to_join[1] == to_watch[1]
    assert parse_link(to_join[1]).code == "12345678"
    assert "Ivan sits down." in hosted.text
    assert "You sit at the table “Garden”." in joined.text
    check = hosted.text.split("aloud):\n")[1].splitlines()[0]
    assert check in joined.text
    assert "the goat" in hosted.text
    assert "the goat" in joined.text


def test_nobody_at_the_address(settings: TableSettings, capsys: pytest.CaptureFixture[str]) -> None:
    asked = replace(settings, address=(LOOPBACK[0], 1), code="12345678")
    assert join_a_table(asked, Printout().console) == 1
    assert "Nobody answers at 127.0.0.1:1." in capsys.readouterr().err


def test_no_table_of_that_name(
    settings: TableSettings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_arguments: object) -> None:
        return None

    monkeypatch.setattr("node.terminal.finding.find_table", nothing)
    assert join_a_table(replace(settings, table="Attic", code="12345678"), Printout().console) == 1
    assert "No table “Attic” was found on this network." in " ".join(capsys.readouterr().err.split())


def test_no_table_at_all(
    settings: TableSettings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_arguments: object) -> list[TableAd]:
        return [_ad("full", 0)]

    monkeypatch.setattr("node.terminal.finding.browse", full)
    assert join_a_table(replace(settings, code="12345678"), Printout().console) == 1
    assert "No table with a free seat" in capsys.readouterr().err


def test_one_of_several_tables_is_chosen_by_number(
    settings: TableSettings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def several(*_arguments: object) -> list[TableAd]:
        return [_ad("one", 1), _ad("full", 0), _ad("two", 2)]

    async def closed(_node: Node, way: Way, *_arguments: object, **_more: object) -> None:
        assert way.table_id is not None
        raise TableNotFound(f"gone: {way.table_id.hex()}")

    read, write = os.pipe()
    os.write(write, b"3\n2\n11112222\n")
    os.close(write)
    monkeypatch.setattr("node.terminal.finding.browse", several)
    monkeypatch.setattr("node.terminal.visit.join_by", closed)
    out = Printout()
    with os.fdopen(read) as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert join_a_table(settings, out.console) == 1
    assert "[2] two, host Vera, 2 seats free" in out.text
    assert "Type a number from 1 to 2." in out.text
    assert "Table “two”, host Vera." in out.text
    assert capsys.readouterr().err == f"gone: {_ad('two', 2).table_id}\n"


def test_a_link_leads_to_its_table_and_to_no_other(
    settings: TableSettings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anna's lobby is open; the link names her table, and then another one at the same place."""
    outcomes: list[tuple[int, str]] = []

    async def gathered(*_arguments: object) -> None:
        raise TableClosed("far enough")

    monkeypatch.setattr("node.terminal.visit.Visit._gathered", gathered)

    def follow(company: Company, _table: object) -> None:
        company.seen.set()

    monkeypatch.setattr("node.terminal.visit.Company.follow", follow)
    with serving() as table:
        for table_id in (TABLE, bytes(16)):
            link = TableLink(LOOPBACK, table.lobby.port, table_id, CODE)
            code = join_a_table(replace(settings, link=link), Printout().console)
            outcomes.append((code, " ".join(capsys.readouterr().err.split())))
    assert outcomes[0] == (1, "far enough")
    assert outcomes[1][0] == 1
    assert "Another table, “Кухня”, answers" in outcomes[1][1]
    assert [guest.name for guest, _ in table.guests] == ["Olga"]


@contextlib.contextmanager
def serving() -> Iterator[Table]:
    """Anna's lobby, open in an event loop of its own."""
    table = Table()
    opened, done = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with table.lobby:
            opened.set()
            await done.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    opened.wait()
    try:
        yield table
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ([], {}),
        (["Dacha"], {"table": "Dacha"}),
        (["10.0.0.1:47001"], {"address": ("10.0.0.1", 47001)}),
        (
            ["kozel:10.0.0.1/47001/aaaqeayeaudaocajbifqydiob4/01234567"],
            {"link": TableLink(("10.0.0.1",), 47001, bytes(range(16)), "01234567")},
        ),
    ],
)
def test_the_command_line_tells_names_addresses_and_links_apart(
    argument: list[str], expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[TableSettings] = []

    def joined(settings: TableSettings, _console: object) -> int:
        asked.append(settings)
        return 0

    monkeypatch.setattr(table_commands, "join_a_table", joined)
    assert CliRunner().invoke(app, ["join", *argument]).exit_code == 0
    (settings,) = asked
    given = {"table": settings.table, "address": settings.address, "link": settings.link}
    assert given == {"table": None, "address": None, "link": None} | expected


def test_a_profile_that_is_in_use(settings: TableSettings, capsys: pytest.CaptureFixture[str]) -> None:
    with Profile.open(settings.profile, name="Olga"):
        assert play_here(settings, Printout().console) == 1
    assert "is open in another window" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("no_input")
def test_the_end_of_the_input_closes_the_table(settings: TableSettings) -> None:
    out = Printout()
    assert play_here(replace(settings, play_as="person"), out.console) == 0
    assert "The table “Olga's table” is open." in out.text
    assert "Goodbye. Every match is kept" in out.text


def test_an_interrupt_is_no_traceback(settings: TableSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(work: Any) -> int:
        work.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(table_commands, "run", interrupted)
    out = Printout()
    assert host_table(settings, out.console) == 130
    assert "Goodbye." in out.text


def test_tables_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def found(*_arguments: object) -> list[TableAd]:
        return [_ad("[red]Attic[/red]", 2), replace(_ad("Dacha", 0), state="playing")]

    monkeypatch.setattr(table_commands, "browse", found)
    out = Printout()
    assert list_tables(out.console, LOOPBACK) == 0
    for cell in ("[red]Attic[/red]", "Vera", "2 seats free", "192.168.1.20:47001", "plays: can be watched"):
        assert cell in out.text


def test_no_tables_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    async def found(*_arguments: object) -> list[TableAd]:
        return []

    monkeypatch.setattr(table_commands, "browse", found)
    out = Printout()
    assert list_tables(out.console, LOOPBACK) == 0
    assert "No table was found on this network." in out.text
    assert "kozel host" in out.text


def test_tables_cannot_be_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def unavailable(*_arguments: object) -> list[TableAd]:
        raise DiscoveryUnavailable("no multicast here")

    monkeypatch.setattr(table_commands, "browse", unavailable)
    assert list_tables(Printout().console, LOOPBACK) == 1
    assert capsys.readouterr().err == "no multicast here\n"


def _ad(name: str, free: int) -> TableAd:
    return TableAd(
        name.encode().hex().ljust(32, "0")[:32], name, "Vera", "", free, "open", ("192.168.1.20",), 47001
    )
