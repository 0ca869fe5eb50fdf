"""Real nodes on four hosts, on a network that behaves and on networks that do not."""

from __future__ import annotations

import time

import pytest

from tests.lan.hosts import Lan, Program, address, audited

pytestmark = [pytest.mark.lan, pytest.mark.timeout(240)]

_MATCH_SECONDS = 90.0
_HOST = (
    "host",
    "--table",
    "Dacha",
    "--name",
    "Anna",
    "--play-as",
    "greedy",
    "--target",
    "6",
    "--port",
    "47001",
)
_GUESTS = {2: "Boris", 3: "Vera", 4: "Gleb"}


def _open(lan: Lan, *, pause: float = 0.0) -> tuple[Program, str]:
    """Open a table on host 1: the program and the code."""
    host = lan.start(1, *_HOST, pause=pause)
    _, _, found = host.wait_for(r"\b(\d{4}) (\d{4})\b", 20)
    return host, "".join(found.groups())


def _join(lan: Lan, host: int, where: str, code: str, *options: str, pause: float = 0.0) -> Program:
    options = options or ("--play-as", "random" if host == 2 else "greedy")
    return lan.start(host, "join", where, "--code", code, "--name", _GUESTS[host], *options, pause=pause)


def _whole(lan: Lan, programs: list[Program], record: pytest.FixtureRequest, what: str) -> None:
    """Wait for the end of the match on all hosts, and audit the four logs."""
    begun = time.monotonic()
    for program in programs:
        assert program.finish(_MATCH_SECONDS) == 0, program.text
    took = time.monotonic() - begun
    said = audited(lan, [1, 2, 3, 4])
    assert said.count("FAIR and whole") == 4
    figure(record, f"{what}: match over after {took:.1f} s")


def figure(request: pytest.FixtureRequest, text: str) -> None:
    """Print a measurement past the capture of pytest."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n    {text}")


def test_a_table_is_found_from_another_host(lan: Lan, request: pytest.FixtureRequest) -> None:
    _open(lan)
    begun = time.monotonic()
    code, said = lan.run(2, "tables")
    assert code == 0
    assert "Dacha" in said
    assert "Anna" in said
    assert address(1) in said
    figure(request, f"kozel tables: {time.monotonic() - begun:.1f} s, start of Python included")


def test_a_match_joined_by_name_leaves_four_logs_that_are_fair_and_whole(
    lan: Lan, request: pytest.FixtureRequest
) -> None:
    host, code = _open(lan)
    guests = [_join(lan, number, "Dacha", code) for number in _GUESTS]
    _whole(lan, [host, *guests], request, "good network")


def test_a_fifth_of_all_packets_lost_delays_and_spoils_nothing(
    lan: Lan, request: pytest.FixtureRequest
) -> None:
    host, code = _open(lan)
    lan.disturb("numgen random mod 100 < 20 drop")
    guests = [_join_patiently(lan, number, code) for number in _GUESTS]
    _whole(lan, [host, *guests], request, "20 % loss")


def _join_patiently(lan: Lan, number: int, code: str) -> Program:
    """Join by address, as often as it takes: the door gives a caller five seconds, much may be lost."""
    for _ in range(8):
        guest = _join(lan, number, f"{address(1)}:47001", code)
        _, _, found = guest.wait_for(r"You sit at|did not answer in time|Nobody answers|closed the conn", 30)
        if found.group().startswith("You sit"):
            return guest
        guest.finish(10)
    raise AssertionError(f"host {number} never got in:\n{guest.text}")


def test_a_host_cut_off_in_a_match_is_missed_and_comes_back(lan: Lan, request: pytest.FixtureRequest) -> None:
    host, code = _open(lan, pause=0.1)
    person = _join(lan, 2, "Dacha", code, "--play-as", "person", pause=0.1)
    others = [_join(lan, number, "Dacha", code, pause=0.1) for number in (3, 4)]
    place, _, _ = person.wait_for("Your choice", 40)
    cut = lan.cut(4)
    place, noticed, _ = person.wait_for("Gleb's computer does not answer", 15, after=place)
    # The length of the partition is what is tested: nothing happens that could be awaited.
    time.sleep(max(0.0, cut + 8 - time.monotonic()))
    healed = lan.heal()
    place, back, _ = person.wait_for("Gleb's computer is back", 20, after=place)
    figure(request, f"cut to notice {noticed - cut:.1f} s, heal to back {back - healed:.1f} s")
    person.type("1")
    _play_on(person, place)
    person.type("n")
    _whole(lan, [host, person, *others], request, "partition of 8 s")


def _play_on(person: Program, place: int) -> None:
    """Choose the first choice whenever asked, until the match is over."""
    while True:
        place, _, found = person.wait_for(r"Your choice|Another match", _MATCH_SECONDS, after=place)
        if found.group() == "Another match":
            return
        person.type("1")


def test_without_multicast_a_table_is_joined_by_address_and_not_by_name(
    lan: Lan, request: pytest.FixtureRequest
) -> None:
    host, code = _open(lan)
    lan.disturb("udp dport 5353 drop")
    exit_code, said = lan.run(2, "join", "Dacha", "--code", code, "--play-as", "greedy")
    assert exit_code == 1
    assert "Ask the host for the address" in said
    assert "Traceback" not in said
    guests = [_join(lan, number, f"{address(1)}:47001", code) for number in _GUESTS]
    _whole(lan, [host, *guests], request, "multicast filtered")


def test_where_clients_are_kept_apart_joining_fails_with_a_plain_sentence(lan: Lan) -> None:
    _, code = _open(lan)
    lan.isolate()
    exit_code, said = lan.run(2, "join", f"{address(1)}:47001", "--code", code, "--play-as", "greedy")
    assert exit_code == 1
    assert "Traceback" not in said
    assert address(1) in said
    assert any(words in said for words in ("Nobody answers at", "did not answer in time"))
