"""Anna's table on host 1 and the guests Boris, Vera and Gleb on hosts 2, 3 and 4."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import pytest

from tests.lan.hosts import Lan, address, audited, new_address
from tests.lan.program import Program

MATCH_SECONDS: Final = 90.0
NAMES: Final = {1: "Anna", 2: "Boris", 3: "Vera", 4: "Gleb"}
GUESTS: Final = (2, 3, 4)
PORT: Final = 47001

_TABLE: Final = ("--table", "Dacha", "--target", "6", "--port", str(PORT))
_LOOK_SECONDS: Final = 0.1
_BOT: Final = ("--play-as", "medium")


def open_table(lan: Lan, *, pause: float = 0.0) -> tuple[Program, str]:
    """Open a table on host 1: the program and the code."""
    host = lan.start(1, "host", "--name", NAMES[1], *_TABLE, *_BOT, pause=pause)
    _, _, found = host.wait_for(r"\b(\d{4}) (\d{4})\b", 20)
    return host, "".join(found.groups())


def join(
    lan: Lan, host: int, where: str, code: str, *, play_as: str = "medium", pause: float = 0.0
) -> Program:
    """Join it, by name or address, from another host."""
    who = ("--name", NAMES[host], "--play-as", play_as)
    return lan.start(host, "join", where, "--code", code, *who, pause=pause)


def join_patiently(lan: Lan, host: int, code: str) -> Program:
    """Join by address, as often as it takes: the door gives a caller five seconds, much may be lost."""
    for _ in range(8):
        guest = join(lan, host, f"{address(1)}:{PORT}", code)
        _, _, found = guest.wait_for(r"You sit at|did not answer in time|Nobody answers|closed the conn", 30)
        if found.group().startswith("You sit"):
            return guest
        guest.finish(10)
    raise AssertionError(f"host {host} never got in:\n{guest.text}")


def resume(lan: Lan, host: int, *, pause: float = 0.1) -> Program:
    """Go back to the match that was broken off."""
    return lan.start(host, "resume", *_BOT, pause=pause)


def wait_for_a_person(lan: Lan, *, pause: float = 0.1) -> tuple[dict[int, Program], int]:
    """Play with a person on host 2 until all wait for their choice: the programs, and the place there."""
    anna, code = open_table(lan, pause=pause)
    programs = {1: anna, 2: join(lan, 2, "Dacha", code, play_as="person", pause=pause)}
    programs |= {host: join(lan, host, "Dacha", code, pause=pause) for host in (3, 4)}
    place, _, _ = programs[2].wait_for("Your choice", 40)
    return programs, place


def connected_again(lan: Lan, moved: Sequence[int], timeout: float) -> float:
    """Wait until hosts with new addresses and all the others have called each other; the time then."""
    place = {host: new_address(host) if host in moved else address(host) for host in lan.hosts}
    deadline = time.monotonic() + timeout
    for host in moved:
        needed = {
            (place[host], place[other], called)
            for other in lan.hosts
            if other != host
            for called in (False, True)
        }
        while missing := needed - lan.connections(host):
            assert time.monotonic() < deadline, f"never connected again: {missing}"
            time.sleep(_LOOK_SECONDS)  # The kernel does not say when another program's connection is made.
    return time.monotonic()


def play_to_the_end(person: Program, place: int) -> None:
    """Choose the first choice, and then whenever asked again, until the match is over, and go home."""
    person.type("1")
    while True:
        place, _, found = person.wait_for(r"Your choice|Another match", MATCH_SECONDS, after=place)
        if found.group() == "Another match":
            person.type("n")
            return
        person.type("1")


def finish_whole(lan: Lan, programs: Sequence[Program]) -> float:
    """Wait for the end of the match on all hosts, and audit the four logs; seconds until all had ended."""
    begun = time.monotonic()
    for program in programs:
        assert program.finish(MATCH_SECONDS) == 0, program.text
    took = time.monotonic() - begun
    said = audited(lan, [1, 2, 3, 4])
    assert said.count("FAIR and whole") == 5, said  # Four logs, each alone and then together.
    return took


def figure(request: pytest.FixtureRequest, text: str) -> None:
    """Print a measurement past the capture of pytest."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n    {text}")
