"""Auditing many files on all cores, and those that hold the same match together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path

from node.auditing.each import each_of
from node.auditing.report import Report, make_report, unopened
from node.errors import NodeError
from node.processes import available_cores
from node.storage.logs import open_log
from protocol.audit import audit_logs

__all__ = ["audit_all", "size_of"]

Heard = Callable[[int], None]


def audit_all(
    files: Sequence[Path], *, jobs: int | None = None, with_match: bool = False, heard: Heard = lambda _: None
) -> Iterator[Report]:
    """The report of each file in turn, then one of each match that stands in several of them.

    `heard` is told how many bytes have been read so far, of those of all files. `jobs` processes work, one
    for each core without. Raises AuditFailed when one of them has died.
    """
    jobs = available_cores() if jobs is None else jobs
    done = 0
    groups: dict[bytes, list[Path]] = {}
    with contextlib.closing(_audited([[file] for file in files], with_match, jobs, heard)) as alone:
        for report in alone:
            done += size_of(report.files[0])
            heard(done)
            if report.match_id is not None:
                groups.setdefault(report.match_id, []).append(report.files[0])
            yield report
    together = [group for group in groups.values() if len(group) > 1]
    with contextlib.closing(_audited(together, with_match, jobs, lambda _: None)) as reports:
        yield from reports


def size_of(file: Path) -> int:
    """The size of a file in bytes, 0 for one that is not there."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _audited(
    tasks: Sequence[Sequence[Path]], with_match: bool, jobs: int, heard: Heard
) -> Generator[Report, None, None]:
    """The report of each task, which is one file or several of one match; raises AuditFailed."""
    if min(jobs, len(tasks)) < 2:
        done = 0
        for files in tasks:
            yield _audit(files, with_match, partial(_after, heard, done))
            done += sum(map(size_of, files))
        return
    work = partial(_audit, with_match=with_match)
    with contextlib.closing(each_of(tasks, work, jobs=min(jobs, len(tasks)))) as audited:
        for _, report in audited:
            yield report


def _after(heard: Heard, done: int, read: int) -> None:
    heard(done + read)


def _audit(files: Sequence[Path], with_match: bool, progress: Heard = lambda _: None) -> Report:
    try:
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(open_log(file)) for file in files]
            return make_report(files, audit_logs(streams, progress), with_match=with_match)
    except NodeError as error:
        return unopened(files[0], str(error))
