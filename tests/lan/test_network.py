"""Real nodes on four hosts, on a network that behaves and on networks that do not."""

from __future__ import annotations

import time

import pytest

from tests.lan.company import (
    GUESTS,
    PORT,
    figure,
    finish_whole,
    join,
    join_patiently,
    open_table,
    play_to_the_end,
    wait_for_a_person,
)
from tests.lan.hosts import Lan, address

pytestmark = [pytest.mark.lan, pytest.mark.timeout(240)]


def test_a_table_is_found_from_another_host(lan: Lan, request: pytest.FixtureRequest) -> None:
    open_table(lan)
    begun = time.monotonic()
    code, said = lan.run(2, "tables")
    assert code == 0
    assert "Dacha" in said
    assert "Anna" in said
    assert address(1) in said
    figure(request, f"kozel tables: {time.monotonic() - begun:.1f} s, start of Python included")


@pytest.mark.parametrize("where", ["Dacha", f"{address(1)}:{PORT}"], ids=["by name", "by address"])
def test_a_match_joined_leaves_four_logs_that_are_fair_and_whole(
    lan: Lan, where: str, request: pytest.FixtureRequest
) -> None:
    host, code = open_table(lan)
    guests = []
    took = []
    for number in GUESTS:
        begun = time.monotonic()
        guests.append(join(lan, number, where, code))
        took.append(guests[-1].wait_for("You sit at the table", 20)[1] - begun)
    shown = ", ".join(f"{seconds:.1f}" for seconds in took)
    figure(request, f"kozel join {where} to a seat: {shown} s, start of Python included")
    seconds = finish_whole(lan, [host, *guests])
    figure(request, f"good network: match over after {seconds:.1f} s")


def test_a_fifth_of_all_packets_lost_delays_and_spoils_nothing(
    lan: Lan, request: pytest.FixtureRequest
) -> None:
    host, code = open_table(lan)
    lan.disturb("numgen random mod 100 < 20 drop")
    guests = [join_patiently(lan, number, code) for number in GUESTS]
    seconds = finish_whole(lan, [host, *guests])
    figure(request, f"20 % loss: match over after {seconds:.1f} s")


def test_a_host_cut_off_in_a_match_is_missed_and_comes_back(lan: Lan, request: pytest.FixtureRequest) -> None:
    programs, place = wait_for_a_person(lan)
    person = programs[2]
    cut = lan.cut(4)
    place, noticed, _ = person.wait_for("Gleb's computer does not answer", 15, after=place)
    # The length of the partition is what is tested: nothing happens that could be awaited.
    time.sleep(max(0.0, cut + 8 - time.monotonic()))
    healed = lan.heal()
    place, back, _ = person.wait_for("Gleb's computer is back", 20, after=place)
    figure(request, f"cut to notice {noticed - cut:.1f} s, heal to back {back - healed:.1f} s")
    play_to_the_end(person, place)
    finish_whole(lan, list(programs.values()))


def test_without_multicast_a_table_is_joined_by_address_and_not_by_name(lan: Lan) -> None:
    host, code = open_table(lan)
    lan.disturb("udp dport 5353 drop")
    exit_code, said = lan.run(2, "join", "Dacha", "--code", code, "--play-as", "medium")
    assert exit_code == 1
    assert "Ask the host for the address" in said
    assert "Traceback" not in said
    guests = [join(lan, number, f"{address(1)}:{PORT}", code) for number in GUESTS]
    finish_whole(lan, [host, *guests])


def test_where_clients_are_kept_apart_joining_fails_with_a_plain_sentence(lan: Lan) -> None:
    _, code = open_table(lan)
    lan.isolate()
    exit_code, said = lan.run(2, "join", f"{address(1)}:{PORT}", "--code", code, "--play-as", "medium")
    assert exit_code == 1
    assert "Traceback" not in said
    assert address(1) in said
    assert any(words in said for words in ("Nobody answers at", "did not answer in time"))
