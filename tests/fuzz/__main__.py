"""Long runs: ``python -m tests.fuzz --inputs 1000000 [--seed S] [--target T]``.

Without a target the inputs are shared out among all of them. The exit code is 1 when there are findings.
"""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.harness import ACCEPTED, Report, run
from tests.fuzz.registry import SHARES, TARGETS


def main(arguments: list[str] | None = None) -> int:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first input, to repeat a finding")
    parser.add_argument("--target", choices=sorted(TARGETS))
    options = parser.parse_args(arguments)
    names = [options.target] if options.target else list(TARGETS)
    reports = []
    for name in names:
        share = (
            options.inputs if options.target else round(options.inputs * SHARES[name] / sum(SHARES.values()))
        )
        reports.append(run(TARGETS[name](), share, seed=options.seed, first=options.first))
        show(reports[-1])
    found = sum(len(report.findings) for report in reports)
    inputs, seconds = (sum(getattr(report, what) for report in reports) for what in ("inputs", "seconds"))
    print(f"{inputs} inputs in {seconds:.0f} s, {inputs / max(seconds, 1e-9):.0f} a second, {found} findings")
    return 1 if found else 0


def show(report: Report) -> None:
    """Print what came of one target."""
    print(
        f"{report.target}: {report.inputs} inputs, {report.rate:.0f} a second, slowest "
        f"{report.slowest * 1000:.1f} ms (number {report.slowest_index}), "
        f"{len(report.findings)} findings"
    )
    for code, count in sorted(
        report.codes.items(), key=lambda item: (item[0] != ACCEPTED, -item[1], item[0])
    ):
        print(f"    {count:>9}  {code}")
    for finding in report.findings:
        print(f"  FINDING: number {finding.index}: {finding.given}\n{finding.problem}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
