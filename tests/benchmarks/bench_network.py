"""What people wait for when a computer or its network fails: ``python -m tests.benchmarks.bench_network``.

Its one argument is how many rounds are played, 3 without.

Four network namespaces on one bridge stand for four computers (needs root, iproute2 and nftables; no real
interface is touched), and `kozel` plays in each. Printed are the lowest, the median and the highest of the
seconds that each of :data:`WAITS` took.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.lan.company import GUESTS, NAMES, connected_again, join, open_table, resume, wait_for_a_person
from tests.lan.hosts import Lan
from tests.lan.program import Program

LOST: Final = 4
PAUSE: Final = 0.1
PATIENCE: Final = 60.0
STILL_SECONDS: Final = 4.0
PLAYS: Final = rf"^{NAMES[LOST]} (leads|beats|discards)"

WAITS: Final = {
    "join": "kozel join by name, Python's start included, to a seat",
    "notice": "a computer is cut off, to the notice that a person elsewhere reads",
    "back": "it is connected again, to the notice that it is back",
    "level": "it is connected again, to its next play seen elsewhere",
    "resume": "kozel resume after kill -9, Python's start included, to its next play seen elsewhere",
    "moved": "it gets another address, to connections with all others that both sides have made",
}

Taken = Iterator[tuple[str, float]]


def bots_play(lan: Lan) -> Program:
    """Seat bots, and wait for the lost seat's first play in the first deal; the program of host 1."""
    witness, code = open_table(lan, pause=PAUSE)
    for number in GUESTS:
        join(lan, number, "Dacha", code, pause=PAUSE)
    witness.wait_for(PLAYS, PATIENCE)
    return witness


def stand_still(witness: Program) -> None:
    """Wait until nothing more is told: everybody waits for the lost seat."""
    while time.monotonic() - witness.lines[-1][0] < STILL_SECONDS:
        time.sleep(STILL_SECONDS / 20)


def joins(lan: Lan) -> Taken:
    """One after another."""
    _, code = open_table(lan)
    for number in GUESTS:
        begun = time.monotonic()
        yield "join", join(lan, number, "Dacha", code).wait_for("You sit at", PATIENCE)[1] - begun


def notices(lan: Lan) -> Taken:
    """All wait for a person, so that the match is not over meanwhile."""
    programs, place = wait_for_a_person(lan, pause=PAUSE)
    cut = lan.cut(LOST)
    place, noticed, _ = programs[2].wait_for("computer does not answer", PATIENCE, after=place)
    yield "notice", noticed - cut
    healed = lan.heal()
    yield "back", programs[2].wait_for("computer is back", PATIENCE, after=place)[1] - healed


def partitions(lan: Lan) -> Taken:
    """Until all stand still."""
    witness = bots_play(lan)
    lan.cut(LOST)
    stand_still(witness)
    place, healed = len(witness.lines), lan.heal()
    yield "level", witness.wait_for(PLAYS, PATIENCE, after=place)[1] - healed


def restarts(lan: Lan) -> Taken:
    """As after a crash."""
    witness = bots_play(lan)
    lan.kill(LOST)
    stand_still(witness)
    place, begun = len(witness.lines), time.monotonic()
    resume(lan, LOST, pause=PAUSE)
    yield "resume", witness.wait_for(PLAYS, PATIENCE, after=place)[1] - begun


def moves(lan: Lan) -> Taken:
    """As a router may do at any time."""
    wait_for_a_person(lan, pause=PAUSE)
    gone = lan.readdress(LOST)
    yield "moved", connected_again(lan, [LOST], PATIENCE) - gone


SCENES: Final[tuple[Callable[[Lan], Taken], ...]] = (joins, notices, partitions, restarts, moves)


def main() -> int:
    """Play every scene ROUNDS times (3 without) and print what was measured."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    taken: dict[str, list[float]] = {name: [] for name in WAITS}
    for _ in range(rounds):
        for scene in SCENES:
            with tempfile.TemporaryDirectory() as folder, Lan(Path(folder)) as lan:
                for name, seconds in scene(lan):
                    taken[name].append(seconds)
    print(f"{'lowest':>8}{'median':>8}{'highest':>8}  seconds from")
    for name, what in WAITS.items():
        figures = min(taken[name]), statistics.median(taken[name]), max(taken[name])
        print("".join(f"{figure:8.1f}" for figure in figures), what, sep="  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
