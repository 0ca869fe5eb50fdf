"""`kozel demo` of one match with medium bots, as a whole process: ``python -m tests.benchmarks.bench_demo``.

Printed are wall time, where it goes, and the ratio of wall time to the processor time of all processes,
spread over the cores: 1.0 would mean that no core is ever idle.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

RUNS = 3


def one_run() -> tuple[float, float, list[str]]:
    """Wall seconds, processor seconds of all processes, and what the program says of its stages."""
    before = os.times()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "node.cli", "demo", "--bots", "medium", "--out", out]
        done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    wall = time.perf_counter() - began
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    lines = done.stdout.splitlines()
    stages = [line for line in lines if line.startswith("  ") and " s  " in line] + lines[-1:]
    deals = sum(line.startswith("Deal ") for line in lines)
    return wall, used, [f"({deals} deals)", *stages]


def main() -> None:
    runs = sorted(one_run() for _ in range(RUNS))
    wall, used, stages = runs[RUNS // 2]
    print(f"wall {wall:.1f} s (median of {RUNS}: {', '.join(f'{run[0]:.1f}' for run in runs)}); goal 30 s")
    print("\n".join(stages))
    cores = os.cpu_count() or 1
    print(f"processor time of all processes {used:.1f} s on {cores} cores; ratio {wall / (used / cores):.2f}")


if __name__ == "__main__":
    main()
