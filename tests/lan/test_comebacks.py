"""Nodes that change their address in the middle of a match, are killed and started again, or are copied."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from tests.lan.company import (
    connected_again,
    figure,
    finish_whole,
    play_to_the_end,
    resume,
    wait_for_a_person,
)
from tests.lan.hosts import Lan

pytestmark = [pytest.mark.lan, pytest.mark.timeout(240)]


@pytest.mark.parametrize("moved", [pytest.param(1, id="the host"), pytest.param(4, id="a guest")])
def test_a_new_address_in_the_middle_of_a_match_is_found_from_both_sides(
    lan: Lan, moved: int, request: pytest.FixtureRequest
) -> None:
    programs, place = wait_for_a_person(lan)
    gone = lan.readdress(moved)
    found = connected_again(lan, [moved], 40)
    figure(request, f"new address to connections both ways with all: {found - gone:.1f} s")
    play_to_the_end(programs[2], place)
    finish_whole(lan, list(programs.values()))


def test_a_killed_node_is_back_in_its_seat_with_one_command(lan: Lan, request: pytest.FixtureRequest) -> None:
    programs, place = wait_for_a_person(lan)
    lan.kill(4)
    place, _, _ = programs[2].wait_for("Gleb's computer does not answer", 15, after=place)
    begun = time.monotonic()
    programs[4] = resume(lan, 4)
    _, seated, _ = programs[4].wait_for("Back at the table", 20)
    place, back, _ = programs[2].wait_for("Gleb's computer is back", 20, after=place)
    figure(request, f"restart to seat {seated - begun:.1f} s, to being seen {back - begun:.1f} s")
    play_to_the_end(programs[2], place)
    finish_whole(lan, list(programs.values()))


def test_two_killed_nodes_come_back_at_once_with_new_addresses(
    lan: Lan, request: pytest.FixtureRequest
) -> None:
    """Each tells the two that have stayed where it is, and they tell the other."""
    programs, place = wait_for_a_person(lan)
    for host in (3, 4):
        # In this order the others do not learn from the connections that the program has ended.
        lan.readdress(host)
        lan.kill(host)
    begun = time.monotonic()
    for host in (3, 4):
        programs[host] = resume(lan, host)
    found = connected_again(lan, [3, 4], 40)
    figure(
        request, f"two restarts with new addresses to connections both ways with all: {found - begun:.1f} s"
    )
    play_to_the_end(programs[2], place)
    finish_whole(lan, list(programs.values()))


@pytest.mark.parametrize("shielded", [False, True], ids=["called by all", "behind a firewall"])
def test_a_copy_of_a_profile_on_another_computer_is_told_why_it_cannot_play(
    tmp_path: Path, shielded: bool, request: pytest.FixtureRequest
) -> None:
    with Lan(tmp_path, count=5) as lan:
        if shielded:
            lan.shield(4)
        programs, place = wait_for_a_person(lan)
        shutil.copytree(lan.home(4), lan.home(5), ignore=shutil.ignore_patterns("lock"))
        begun = time.monotonic()
        copy = resume(lan, 5)
        assert copy.finish(30) == 1
        figure(request, f"start of a copy to its end: {time.monotonic() - begun:.1f} s")
        assert "Another program is already in your seat, with a copy of your profile" in " ".join(
            copy.text.split()
        )
        assert "Traceback" not in copy.text
        play_to_the_end(programs[2], place)
        finish_whole(lan, list(programs.values()))
