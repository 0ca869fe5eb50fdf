"""Auditing many files on all cores, and those that hold the same match together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path

from node.auditing.report import Report, make_report, unopened
from node.errors import NodeError
from node.processes import available_cores, in_order
from node.storage.logs import open_log
from protocol.audit import audit_logs

__all__ = ["audit_all", "size_of"]

Heard = Callable[[int], None]


def audit_all(
    files: Sequence[Path], *, jobs: int | None = None, with_match: bool = False, heard: Heard = lambda _: None
) -> Iterator[Report]:
    """The report of each file in turn, then one of each match that stands in several of them.

    `heard` is told how many bytes have been read so far, of those of all files. `jobs` processes work, one
    for each core without.
    """
    jobs = min(available_cores() if jobs is None else jobs, len(files))
    done = 0
    groups: dict[bytes, list[Path]] = {}
    alone = _here(files, with_match, heard) if jobs == 1 else _in_processes(files, with_match, jobs)
    with contextlib.closing(alone):
        for report in alone:
            done += size_of(report.files[0])
            heard(done)
            if report.match_id is not None:
                groups.setdefault(report.match_id, []).append(report.files[0])
            yield report
    for group in groups.values():
        if len(group) > 1:
            yield _audit(group, with_match)


def size_of(file: Path) -> int:
    """The size of a file in bytes, 0 for one that is not there."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _here(files: Sequence[Path], with_match: bool, heard: Heard) -> Generator[Report, None, None]:
    done = 0
    for file in files:
        yield _audit([file], with_match, partial(_after, heard, done))
        done += size_of(file)


def _after(heard: Heard, done: int, read: int) -> None:
    heard(done + read)


def _in_processes(files: Sequence[Path], with_match: bool, jobs: int) -> Generator[Report, None, None]:
    yield from in_order(partial(_audit, with_match=with_match), [[file] for file in files], jobs=jobs)


def _audit(files: Sequence[Path], with_match: bool, progress: Heard = lambda _: None) -> Report:
    try:
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(open_log(file)) for file in files]
            return make_report(files, audit_logs(streams, progress), with_match=with_match)
    except NodeError as error:
        return unopened(files[0], str(error))
