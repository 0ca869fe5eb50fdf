"""What an audit costs, against the bare signature checks and group operations it cannot do without.

Run ``python -m tests.benchmarks.bench_audit``. Matches are played in one process, written to log files, and
audited by the real ``audit_log``.

- *Ratio*: a first audit counts the signature checks and group operations. The next ones are timed in CPU
  seconds, and between them the same calls to libsodium with nothing around them: the signatures over the
  same messages, the group operations on points and scalars of full size. The quickest run of each counts.
- *Many audits*: 1 and ``--many`` (100) audits of several logs, each time in a process of its own: CPU seconds
  and the largest resident size.
- *Long logs*: the peak of allocated memory and the CPU seconds over logs of matches to 6, 12 and 24 points.
- *Command*: CPU seconds of ``python -m node.cli audit FILE``, start and imports included.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from nacl import bindings

from engine import Options
from protocol import identity
from protocol.audit import Finding, audit_log
from tests.benchmarks.bench_setup import OPERATIONS, bare, cpu
from tests.protocol.matches import Played, played, remembered_proofs
from tests.protocol.tables import hoard

ROUNDS = 5
GOAL = 1.3
SEEDS_OF_MANY = (4, 14, 26, 42, 48, 49)
"""Short matches, so that many audits take minutes and not hours."""


def audited(data: bytes) -> int:
    """Audit a log from memory; return its number of events."""
    found = audit_log(io.BytesIO(data))
    if found.finding is not Finding.FAIR:
        raise SystemExit(f"the log is not fair: {found.finding}, {found.problems}")
    return found.events


@contextmanager
def counted(counts: Counter[str], signed: list[tuple[bytes, bytes]]) -> Iterator[None]:
    """Count the group operations, and note the arguments of each signature check."""

    def counting(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            counts[name] += 1
            return function(*arguments)

        return wrapped

    def noting(message: bytes, key: bytes) -> bytes:
        signed.append((message, key))
        return bindings.crypto_sign_open(message, key)

    with ExitStack() as stack:
        for name, symbol in OPERATIONS.items():
            stack.enter_context(patch.object(bindings, symbol, counting(name, getattr(bindings, symbol))))
        stack.enter_context(patch.object(identity, "crypto_sign_open", noting))
        yield


def bare_signatures(signed: list[tuple[bytes, bytes]]) -> Callable[[], None]:
    """The signature checks of one audit and nothing else."""
    check = bindings.crypto_sign_open

    def run() -> None:
        for message, key in signed:
            check(message, key)

    return run


def measure_ratio(data: bytes) -> float:
    """Print what one audit consists of, and return its time over the time of the bare operations."""
    counts: Counter[str] = Counter()
    signed: list[tuple[bytes, bytes]] = []
    with counted(counts, signed):
        events = audited(data)
    parts = {name: bare(name, count) for name, count in counts.items()}
    parts["signature"] = bare_signatures(signed)
    counts["signature"] = len(signed)
    whole: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(ROUNDS):
        whole.append(cpu(lambda: audited(data)))
        for name, part in parts.items():
            times[name].append(cpu(part))
    best = {name: min(values) for name, values in times.items()}
    operations = sum(best.values())
    for name, count in sorted(counts.items(), key=lambda item: -best[item[0]]):
        print(f"{name:10}{count:7} × {best[name] / count * 1e6:6.1f} µs = {best[name]:.3f} s")
    print(f"bare operations   {operations:.3f} s")
    print(f"audit_log         {min(whole):.3f} s for {events} events, {len(data)} bytes", end="")
    print(f", {1000 * min(whole) / events:.3f} s for 1,000 events")
    print(f"ratio             {min(whole) / operations:.3f} (goal {GOAL})")
    return min(whole) / operations


def measure_long_logs(logs: dict[int, Played]) -> None:
    """Print how time and memory grow with one log."""
    print("\ntarget  deals  events     bytes  CPU s  µs/event  peak kB  peak bytes/event")
    for target, match in logs.items():
        data = match.file()
        seconds = min(cpu(lambda: audited(data)) for _ in range(2))  # noqa: B023
        stream = io.BytesIO(data)
        tracemalloc.start()
        found = audit_log(stream)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        deals = len(found.match.finished) if found.match else 0
        per_event = seconds / found.events * 1e6
        print(f"{target:6}{deals:7}{found.events:8}{len(data):10}{seconds:7.2f}{per_event:10.0f}", end="")
        print(f"{peak / 1024:9.0f}{peak / found.events:18.0f}")


def measure_many(paths: list[str], many: int) -> None:
    """Print what many audits in one process cost."""
    print("\naudits   CPU s  s/audit  resident kB")
    for audits in (1, many):
        command = [sys.executable, "-m", "tests.benchmarks.audited_files", str(audits), *paths]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        cost = json.loads(done.stdout)
        each = cost["seconds"] / audits
        print(f"{audits:6}{cost['seconds']:8.2f}{each:9.3f}{cost['kilobytes']:13}")


def measure_command(path: str) -> None:
    """Print the CPU seconds of the whole command."""

    def run() -> float:
        before = os.times()
        subprocess.run([sys.executable, "-m", "node.cli", "audit", path], check=True, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    print(f"\nkozel audit       {min(run() for _ in range(3)):.3f} s of CPU, start and imports included")


def main() -> int:
    """Print all figures; the exit status says whether the goal was met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--many", type=int, default=100)
    many_audits = parser.parse_args().many
    with remembered_proofs():
        logs = {target: played(1, Options(target=target), hoard) for target in (6, 12, 24)}
        many = [played(seed, None, hoard) for seed in SEEDS_OF_MANY]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.kozel"
        path.write_bytes(logs[12].file())
        ratio = measure_ratio(logs[12].file())
        measure_command(str(path))
        measure_long_logs(logs)
        paths = [Path(folder) / f"{number}.kozel" for number in range(len(many))]
        for each, match in zip(paths, many, strict=True):
            each.write_bytes(match.file())
        measure_many(list(map(str, paths)), many_audits)
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
