"""What log files cost: their size and what its bytes are, many of them on one core and on all, a report.

Run ``python -m tests.benchmarks.bench_logs``.

- *Size*: bytes of the log of a match for each deal, by the kind of event, and in each kind by what it is:
  what the rules of the game need, proofs of the cards, and what every event carries (match id, links,
  signature, framing).
- *Cores*: seconds on the clock for ``kozel audit`` over several logs with ``--jobs 1`` and with one process
  for each core, in turns, the quickest of each; and what processes gain that only count.
- *Report*: seconds for ``kozel audit --html`` over the same command without it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

from engine import Options
from node.processes import available_cores
from protocol.encoding import pack
from tests.protocol.matches import Played, played, remembered_proofs
from tests.protocol.tables import hoard

ROUNDS = 3
FILES = 24
SEEDS = (4, 14, 26, 42, 48, 49)
CRYPTOGRAPHY = {"key", "shuffle", "deal", "draw", "open", "complaint", "rescue"}
"""Kinds whose whole body is there for the cards; of a play only its shares or its commitment are."""


def measure_size(match: Played) -> None:
    """Print the bytes of a log for each deal."""
    deals = len(match.tables[0].match.finished)
    total = len(match.file())
    kinds: Counter[str] = Counter()
    bodies: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for event in match.events:
        size = len(pack((event.signed.data, event.signed.signature))) + 8
        kinds[event.kind] += size
        bodies[event.kind] += len(pack(event.body))
        counts[event.kind] += 1
    print(
        f"{total} bytes for {deals} deals: {total / deals:.0f} a deal, {len(match.events) / deals:.0f} events"
    )
    print("\nkind          events a deal   bytes a deal   share   of it the body")
    for kind, size in kinds.most_common():
        print(
            f"{kind:14}{counts[kind] / deals:13.1f}{size / deals:15.0f}{100 * size / total:7.1f} %"
            f"{100 * bodies[kind] / size:14.0f} %"
        )
    around = sum(kinds.values()) - sum(bodies.values())
    cards = sum(bodies[kind] for kind in CRYPTOGRAPHY)
    print(f"\nproofs and keys of the cards  {100 * cards / total:5.1f} %")
    print(f"around the bodies             {100 * around / total:5.1f} % (ids, links, signatures, framing)")
    print(f"plays and results             {100 * (total - around - cards) / total:5.1f} %")


def seconds(*arguments: str) -> float:
    """Seconds on the clock for the command."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "node.cli", *arguments], check=True, capture_output=True)
    return time.perf_counter() - began


def loops(count: int) -> float:
    """Seconds on the clock for so many processes at once that do nothing but count."""
    began = time.perf_counter()
    command = [sys.executable, "-c", "for i in range(40_000_000): pass"]
    for process in [subprocess.Popen(command) for _ in range(count)]:
        process.wait()
    return time.perf_counter() - began


def measure_cores(paths: list[str]) -> None:
    """Print how much faster all cores are than one, and what the machine itself gains at that moment."""
    cores = available_cores()
    one, all_of_them, gains = [], [], []
    for _ in range(ROUNDS):
        one.append(seconds("audit", "--jobs", "1", *paths))
        all_of_them.append(seconds("audit", "--jobs", str(cores), *paths))
        gains.append(cores * loops(1) / loops(cores))
    print(f"\n{len(paths)} logs: one core {min(one):.2f} s, {cores} cores {min(all_of_them):.2f} s", end="")
    print(f", {min(one) / min(all_of_them):.2f} times as fast (bare loops: {median(gains):.2f} times)")


def measure_report(path: str, folder: Path) -> None:
    """Print what the report costs beyond the audit."""
    plain, with_report = [], []
    for number in range(ROUNDS):
        plain.append(seconds("audit", path))
        with_report.append(seconds("audit", path, "--html", str(folder / f"{number}.html")))
    size = (folder / "0.html").stat().st_size
    print(f"\nreport: audit {min(plain):.2f} s, with --html {min(with_report):.2f} s, {size} bytes")


def main() -> None:
    """Print all figures."""
    with remembered_proofs():
        long = played(1, Options(target=12), hoard)
        short = [played(seed, None, hoard) for seed in SEEDS]
    measure_size(long)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.kozel" for number in range(FILES)]
        for number, path in enumerate(paths):
            path.write_bytes(short[number % len(short)].file())
        whole = folder / "whole.kozel"
        whole.write_bytes(long.file())
        measure_cores([str(path) for path in paths])
        measure_report(str(whole), folder)


if __name__ == "__main__":
    main()
