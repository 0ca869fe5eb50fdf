"""The process that ``bench_audit`` measures: it audits log files in turn and imports nothing but the auditor.

``python -m tests.benchmarks.audited_files NUMBER FILE...`` prints the CPU seconds and the largest resident
size in kB as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from protocol.audit import Finding, audit_log


def largest_size() -> int:
    """The largest resident size of this process in kB.

    Linux counts the size of the parent before `exec` into `ru_maxrss`, but not into `VmHWM`.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return int(lines["VmHWM"].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(number: int, paths: list[str]) -> None:
    """Audit files in turn, so many times, and print what that has cost this process."""
    before = time.process_time()
    for count in range(number):
        with Path(paths[count % len(paths)]).open("rb") as stream:
            found = audit_log(stream)
        if found.finding is not Finding.FAIR:
            raise SystemExit("a log is not fair")
    print(json.dumps({"seconds": time.process_time() - before, "kilobytes": largest_size()}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
