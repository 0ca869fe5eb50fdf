"""`kozel doctor`: what each check says, tried on the loopback address only."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from node.cli import app
from node.commands import doctor
from node.commands.doctor import Examination, run_doctor
from node.doctor import others
from node.doctor.findings import Finding, Level, firewall_hint
from node.doctor.machine import check_addresses, check_clock, check_port
from node.doctor.others import Called, Heard, check_announcements, check_multicast, check_peer, check_tables
from node.errors import DiscoveryUnavailable
from node.lobby.table_link import TableLink
from node.network.addresses import AdapterAddress
from node.network.listening import USUAL_PORT
from node.network.table_ad import TableAd
from tests.node.lobby_tables import HOST, TABLE, Table, fake_host, run

WLAN = AdapterAddress("wlan0", "192.168.1.20", 24)
VPN = AdapterAddress("wg0 WireGuard", "10.8.0.2", 24)
LOOPBACK = AdapterAddress("lo", HOST, 8)
NOW = datetime(2026, 6, 1, 12).timestamp()


def levels(findings: list[Finding]) -> list[Level]:
    return [finding.level for finding in findings]


def found(check: Coroutine[Any, Any, Any]) -> Any:
    """What an asynchronous check returns."""
    kept: list[Any] = []

    async def scenario() -> None:
        kept.append(await check)

    run(scenario())
    return kept[0]


# The machine


def test_addresses_are_named_and_a_vpn_is_marked() -> None:
    findings = check_addresses([VPN, LOOPBACK, WLAN])
    assert levels(findings) == [Level.OK, Level.NOTE]
    assert "192.168.1.20 (wlan0)" in findings[0].text
    assert "10.8.0.2 (wg0 WireGuard) belongs to a VPN" in findings[1].text
    assert "Switch a VPN off" in findings[1].advice


@pytest.mark.parametrize("adapters", [[], [LOOPBACK], [AdapterAddress("eth0", "fe80::1", 64)]])
def test_a_computer_without_a_network_is_told_so(adapters: list[AdapterAddress]) -> None:
    (finding,) = check_addresses(adapters)
    assert finding.level is Level.PROBLEM
    assert "on no network" in finding.text


def test_a_clock_that_agrees_with_the_files_is_well(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.utime(tmp_path / "file", (NOW, NOW))
    finding = check_clock(NOW, [tmp_path / "file", tmp_path / "missing"])
    assert finding == Finding("clock", Level.OK, "The clock says 2026-06-01 12:00.")


@pytest.mark.parametrize("shift_days", [-2, -20_000, 50_000])
def test_a_clock_before_the_files_or_far_ahead_is_wrong(tmp_path: Path, shift_days: int) -> None:
    (tmp_path / "file").touch()
    os.utime(tmp_path / "file", (NOW, NOW))
    assert check_clock(NOW + shift_days * 86_400, [tmp_path / "file"]).level is Level.PROBLEM


def test_a_table_here_answers_at_its_address_and_not_at_one_it_does_not_listen_on() -> None:
    findings = found(check_port(HOST, [HOST, "127.0.0.2"]))
    by_level = {finding.level: finding for finding in findings}
    assert f"answers at {HOST}:" in by_level[Level.OK].text
    assert "own address 127.0.0.2:" in by_level[Level.PROBLEM].text
    assert "Needed: UDP port 5353" in by_level[Level.PROBLEM].advice


def test_a_usual_port_that_is_taken_is_worth_a_note() -> None:
    # Where another program has it already, it is taken just as well.
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(socket.create_server((HOST, USUAL_PORT)))
        findings = found(check_port(HOST, [HOST]))
    assert levels(findings) == [Level.NOTE, Level.OK]
    assert str(USUAL_PORT) in findings[0].text


def test_where_no_port_can_be_opened_the_reason_is_said() -> None:
    (finding,) = found(check_port("203.0.113.7", []))
    assert finding.level is Level.PROBLEM
    assert "No table can be opened here" in finding.text


@pytest.mark.parametrize(
    ("platform", "word"), [("win32", "private"), ("darwin", "Local Network"), ("linux", "ufw")]
)
def test_what_a_firewall_must_allow_is_said_in_the_words_of_the_system(platform: str, word: str) -> None:
    hint = firewall_hint(47001, platform)
    assert word in hint
    assert "UDP port 5353" in hint and "TCP port 47001" in hint


# Multicast


def test_an_announcement_is_heard_on_the_adapter_where_it_was_made() -> None:
    finding = found(check_multicast(LOOPBACK))
    assert finding.level is Level.OK
    assert f"{HOST} (lo)" in finding.text


@pytest.mark.parametrize(("adapter", "level"), [("wlan0", Level.PROBLEM), ("tun0", Level.NOTE)])
def test_an_announcement_that_is_not_heard_is_a_problem_but_not_on_a_vpn(
    monkeypatch: pytest.MonkeyPatch, adapter: str, level: Level
) -> None:
    monkeypatch.setattr(others, "_PROBE_SECONDS", 0.0)
    finding = found(check_multicast(AdapterAddress(adapter, HOST)))
    assert finding.level is level
    assert "was not heard" in finding.text
    assert finding.advice


@pytest.mark.parametrize("error", [OSError(19, "No such device"), RuntimeError("no adapter")])
def test_a_system_without_multicast_is_told_so(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(**_: object) -> None:
        raise error

    monkeypatch.setattr(others, "AsyncZeroconf", refuse)
    finding = found(check_multicast(LOOPBACK))
    assert finding.level is Level.PROBLEM
    assert str(error.args[-1]) in finding.text


# Tables


def announced(*ads: TableAd) -> Callable[..., Coroutine[Any, Any, list[TableAd]]]:
    async def browse(*_: object) -> list[TableAd]:
        return list(ads)

    return browse


def ad(port: int, name: str = "Dacha") -> TableAd:
    return TableAd("0" * 32, name, "Anna", "", 3, "open", (HOST,), port)


def test_announced_tables_are_asked_whether_they_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    findings: list[Finding] = []

    async def scenario() -> None:
        table = Table()
        async with fake_host(lambda _: asyncio.sleep(0)) as closed:
            pass
        async with table.lobby, fake_host(lambda talk: talk.say("hi")) as stranger:
            ads = [ad(table.lobby.port), ad(closed, "Gone"), ad(stranger, "Odd")]
            monkeypatch.setattr(others, "browse", announced(*ads))
            findings.extend((await check_tables([HOST])).findings)

    run(scenario())
    assert levels(findings) == [Level.OK, Level.PROBLEM, Level.NOTE]
    assert "“Gone” of Anna is announced but does not answer" in findings[1].text
    assert "keeps its guests apart" in findings[1].advice


def test_that_nothing_is_announced_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(others, "browse", announced())
    heard = found(check_tables([HOST]))
    (finding,) = heard.findings
    assert heard.table_ids == frozenset()
    assert finding.level is Level.NOTE
    assert "kozel doctor HOST:PORT" in finding.advice


def test_a_network_that_cannot_be_listened_on_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unavailable(*_: object) -> list[TableAd]:
        raise DiscoveryUnavailable("no multicast here")

    monkeypatch.setattr(others, "browse", unavailable)
    heard = found(check_tables([HOST]))
    (finding,) = heard.findings
    assert heard.table_ids is None
    assert (finding.level, finding.text) == (Level.PROBLEM, "no multicast here")


DACHA = Called(Finding("peer", Level.OK, "It answers."), {"ab" * 16: "Dacha"})
SILENT = Called(Finding("peer", Level.PROBLEM, "Nothing answers."))


def test_a_table_that_answers_unannounced_shows_that_multicast_is_filtered() -> None:
    (finding,) = check_announcements(Heard([], {"cd" * 16}), [DACHA, SILENT, DACHA])
    assert finding.level is Level.PROBLEM
    assert "“Dacha” answers, but its announcement is not heard" in finding.text
    assert "multicast is filtered" in finding.advice
    assert "kozel join HOST:PORT" in finding.advice


@pytest.mark.parametrize(
    ("heard", "called"),
    [
        pytest.param({"ab" * 16}, [DACHA], id="it is heard"),
        pytest.param(None, [DACHA], id="nothing can be heard here"),
        pytest.param(set(), [SILENT], id="it does not answer"),
    ],
)
def test_nothing_is_said_of_announcements_where_they_are_heard_or_unknown(
    heard: set[str] | None, called: list[Called]
) -> None:
    assert check_announcements(Heard([], heard), called) == []


# A peer


def test_a_table_that_answers_is_named() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            called = await check_peer(HOST, table.lobby.port, [])
        finding = called.finding
        assert called.tables == {TABLE.hex(): "Кухня"}
        assert finding.level is Level.OK
        assert "“Кухня”" in finding.text

    run(scenario())


def test_a_full_house_answers_too() -> None:
    async def scenario() -> None:
        async with fake_host(lambda talk: talk.say("refused", "busy")) as port:
            called = await check_peer(HOST, port, [])
        assert called == Called(Finding("peer", Level.OK, called.finding.text))

    run(scenario())


def test_a_closed_port_means_that_the_way_is_open() -> None:
    async def scenario() -> None:
        async with fake_host(lambda _: asyncio.sleep(0)) as port:
            pass
        finding = (await check_peer(HOST, port, [])).finding
        assert finding.level is Level.PROBLEM
        assert "can be reached, but no table is open" in finding.text

    run(scenario())


def test_something_else_at_the_port_is_said() -> None:
    async def scenario() -> None:
        async with fake_host(lambda talk: talk.say("hi")) as port:
            finding = (await check_peer(HOST, port, [])).finding
        assert finding.level is Level.PROBLEM
        assert "does not speak as a table" in finding.text

    run(scenario())


@pytest.mark.parametrize(("own", "hint"), [([LOOPBACK], "client isolation"), ([WLAN], "same Wi-Fi")])
def test_silence_on_the_same_network_makes_one_suspect_isolation(
    monkeypatch: pytest.MonkeyPatch, own: list[AdapterAddress], hint: str
) -> None:
    monkeypatch.setattr(others, "_LOOK_SECONDS", 0.2)

    async def scenario() -> None:
        asked = asyncio.Event()
        async with fake_host(lambda _: asked.wait()) as port:
            finding = (await check_peer(HOST, port, own)).finding
            asked.set()
        assert finding.level is Level.PROBLEM
        assert "Nothing answers" in finding.text
        assert hint in finding.advice

    run(scenario())


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (socket.gaierror(), "is not known on this network"),
        (OSError(113, "No route to host"), "though 192.168.1.20 is on the same network"),
        (None, "though 192.168.1.20 is on the same network"),
    ],
)
def test_the_way_a_call_fails_is_told(cause: BaseException | None, said: str) -> None:
    finding = others._unreachable(cause, "192.168.1.7", "192.168.1.7:47001", [WLAN])
    assert finding.level is Level.PROBLEM
    assert said in finding.text


def test_a_name_is_on_no_network_that_could_be_compared() -> None:
    assert others._shared_network("anna.local", [WLAN]) is None
    assert others._shared_network("fd00::7", [WLAN, AdapterAddress("wlan0", "fd00::2", 64)]) == "fd00::2"
    assert others._shared_network("192.168.1.7", [AdapterAddress("wlan0", "192.168.1.20")]) is None


# The command


@pytest.fixture
def examination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Examination:
    monkeypatch.setattr(others, "_BROWSE_SECONDS", 0.1)
    monkeypatch.setattr(others, "browse", announced())
    return Examination(tmp_path, (), [WLAN, VPN], [HOST], HOST)


def test_all_well_is_exit_code_0(examination: Examination, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_doctor(examination, as_json=False) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "ok This computer has the address 192.168.1.20" in said
    assert "Announcements can be sent and heard at 127.0.0.1" in said
    assert "note 10.8.0.2" in said
    assert "All is well, as far as this computer can tell alone." in said


def test_something_wrong_is_exit_code_1_and_json_says_what(
    examination: Examination, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Examination(
        examination.profile, [(HOST, 1)], examination.adapters, examination.interfaces, examination.listen
    )
    assert run_doctor(asked, as_json=True) == 1
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    told = json.loads(printed)
    assert told["well"] is False
    wrong = [finding for finding in told["findings"] if finding["level"] == "problem"]
    assert [finding["check"] for finding in wrong] == ["peer"]
    checks = [finding["check"] for finding in told["findings"]]
    assert set(checks) == {"addresses", "port", "multicast", "tables", "peer", "clock", "firewall"}


def test_a_computer_without_addresses_tries_nothing_on_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def never(*_: object) -> Finding:
        raise AssertionError("there is no adapter to try")

    monkeypatch.setattr(doctor, "check_multicast", never)
    monkeypatch.setattr(doctor, "check_tables", never)
    assert run_doctor(Examination(tmp_path, (), [LOOPBACK], None, HOST), as_json=False) == 1
    assert "One thing is wrong." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argument", "peers"),
    [
        ([], ()),
        ([f"{HOST}:47001"], ((HOST, 47001),)),
        ([str(TableLink((HOST, "fd00::1"), 47001, TABLE, "12345678"))], ((HOST, 47001), ("fd00::1", 47001))),
    ],
)
def test_the_command_line_takes_an_address_or_a_link(
    argument: list[str], peers: tuple[tuple[str, int], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Examination] = []

    def examined(examination: Examination, *, as_json: bool) -> int:
        asked.append(examination)
        return 1 if as_json else 0

    monkeypatch.setattr(doctor, "run_doctor", examined)
    assert CliRunner().invoke(app, ["doctor", *argument]).exit_code == 0
    assert CliRunner().invoke(app, ["doctor", "--json", *argument]).exit_code == 1
    assert [tuple(one.peers) for one in asked] == [peers, peers]
