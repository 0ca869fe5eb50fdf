"""From `kozel play --bots 3` to the first card on the screen: ``python -m tests.benchmarks.bench_start``.

Printed are the seconds until each stage is seen on the terminal, as the median of several starts, and each
stage's share of the whole; beside them the start of a bare Python with the same imports.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

import pexpect

STAGES = (
    ("own program starts", "Three bots come"),
    ("the first bot's program starts and joins", "sits down"),
    ("the other two join, all sign the match", "The match begins"),
    ("coin, keys, four shuffles, shares", "Deal 1"),
)
STARTS = 5


def one_start(home: str) -> list[float]:
    """Seconds from the command to each stage."""
    began = time.perf_counter()
    environment = {**os.environ, "KOZEL_HOME": home, "NO_COLOR": "1", "KOZEL_BOT_PAUSE": "60"}
    child = pexpect.spawn(
        sys.executable, ["-m", "node.cli", "play"], env=environment, encoding="utf-8", dimensions=(40, 100)
    )
    try:
        times = []
        for _, words in STAGES:
            child.expect(words, timeout=60)
            times.append(time.perf_counter() - began)
        return times
    finally:
        child.sendcontrol("c")
        child.expect(pexpect.EOF, timeout=30)
        child.close()


def bare_import() -> float:
    """Seconds to start Python with everything imported that a node needs."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import node.seating.worker, node.commands.tables"], check=True)
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        runs = [one_start(home) for _ in range(STARTS)]
    medians = [statistics.median(stage) for stage in zip(*runs, strict=True)]
    before = 0.0
    for (name, _), until in zip(STAGES, medians, strict=True):
        print(f"{name:<44} {until - before:6.2f} s  {100 * (until - before) / medians[-1]:4.0f} %")
        before = until
    bare = statistics.median(bare_import() for _ in range(STARTS))
    print(f"from the command to the first card           {medians[-1]:6.2f} s")
    print(f"ratio to one bare start with all imports ({bare:.2f} s): {medians[-1] / bare:.1f}")


if __name__ == "__main__":
    main()
