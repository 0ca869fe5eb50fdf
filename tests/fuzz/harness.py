"""Runs a fuzz target over inputs that follow from a seed, and reports what came of them.

Input number `index` of a target depends on seed, target and index alone, so that a finding can be made again:
``python -m tests.fuzz --target NAME --seed SEED --first INDEX --inputs 1``.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import Any, Final, Protocol

ACCEPTED: Final = "accepted"
"""What `feed` tells of an input, or a part of one, that was taken in."""

REFUSED_FRAMES: Final[Mapping[str, str]] = {
    "oversized": "longer than a frame may be",
    "undecodable": "bytes that are no msgpack",
    "forbidden-type": "a type that has no canonical form",
    "too-deep": "arrays nested too deep",
    "not-canonical": "not the encoding that an honest program writes",
    "malformed": "the fields are not what they must be",
}
"""Why a frame of any kind may be refused."""

_MAX_FINDINGS: Final = 20
_SHOWN: Final = 2_000


class Target(Protocol):
    """One place where input from outside comes in. The docstring of its module is the invariant."""

    @property
    def name(self) -> str:
        """What the target is called on the command line."""

    @property
    def refusals(self) -> Mapping[str, str]:
        """The codes with which input may be refused, and for each why that is right."""

    def draw(self, rng: Random) -> Any:
        """Make one input."""

    def feed(self, given: Any) -> Iterable[str]:
        """Give it to the program; tell the codes of the refusals, ACCEPTED for what was taken in.

        Whatever is raised, an AssertionError of the invariant included, is a finding.
        """


@dataclass(frozen=True)
class Finding:
    """An input that broke the invariant of a target."""

    target: str
    index: int
    given: str
    problem: str


@dataclass
class Report:
    """What came of a run."""

    target: str
    inputs: int = 0
    seconds: float = 0.0
    codes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    """Seconds that the slowest input took."""
    slowest_index: int = -1
    findings: list[Finding] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Inputs a second, making them included."""
        return self.inputs / self.seconds if self.seconds else 0.0


def rng_of(seed: int, target: str, index: int) -> Random:
    """The randomness behind one input."""
    return Random(int.from_bytes(blake2b(f"{seed} {target} {index}".encode(), digest_size=8).digest()))


def run(target: Target, inputs: int, *, seed: int = 0, first: int = 0) -> Report:
    """Feed so many inputs, from number `first` on; stops early after twenty findings."""
    report = Report(target.name)
    begun = time.perf_counter()
    for index in range(first, first + inputs):
        given = target.draw(rng_of(seed, target.name, index))
        before = time.perf_counter()
        _feed(target, given, index, report)
        taken = time.perf_counter() - before
        if taken > report.slowest:
            report.slowest, report.slowest_index = taken, index
        report.inputs += 1
        if len(report.findings) == _MAX_FINDINGS:
            break
    report.seconds = time.perf_counter() - begun
    return report


def _feed(target: Target, given: Any, index: int, report: Report) -> None:
    try:
        codes = list(target.feed(given))
    except Exception:
        _note(report, index, given, traceback.format_exc())
        return
    report.codes.update(codes)
    unlisted = {*codes} - {ACCEPTED, *target.refusals}
    if unlisted:
        _note(report, index, given, f"refused with a code that the target does not list: {sorted(unlisted)}")


def _note(report: Report, index: int, given: Any, problem: str) -> None:
    report.findings.append(Finding(report.target, index, repr(given)[:_SHOWN], problem))
