"""Taking logs of others, or from another computer, into a profile: audited first, and never to its loss."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import filelock

from node.auditing.each import each_of
from node.auditing.report import make_report
from node.errors import ImportFailed, LogUnreadable
from node.history.kept import IMPORTED, KeptMatch, Log, Shelf, merged, open_shelf, read_log
from node.history.outcome import SOUND, Outcome, outcome_of
from node.history.verified import Outcomes, digest_of
from node.i18n import tr
from node.storage.keyfiles import write_private
from node.storage.logs import open_log
from node.words.problems import problem_sentences
from protocol.audit import Problem, audit_log
from protocol.errors import LogFileError
from protocol.logfile import SUFFIX, LogReader

__all__ = ["MAX_FILE_BYTES", "Imported", "Kept", "import_files"]

MAX_FILE_BYTES: Final = 1 << 28
"""The longest file that is taken in: a log of some 2,500 deals."""

_LOCK: Final = "lock"


class Kept(StrEnum):
    """What became of a file."""

    NEW = "new"
    """Its match was not known here."""
    GROWN = "grown"
    """The match was known; the file knows more of it."""
    JOINED = "joined"
    """The match was known; each knew what the other did not, and all of it is kept."""
    KNOWN = "known"
    """All of it was known."""
    REFUSED = "refused"
    """It is not kept."""


@dataclass(frozen=True, slots=True)
class Imported:
    """`lines` say what the file is, in the reader's language; `outcome` is None where nothing was audited."""

    file: Path
    kept: Kept
    lines: tuple[str, ...]
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    """A file, with its bytes, or with the reason why there are none."""

    file: Path
    data: bytes = b""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class _Examined:
    lines: tuple[str, ...]
    outcome: Outcome | None = None


def import_files(
    profile: Path, files: Sequence[Path], *, jobs: int, heard: Callable[[], None] = lambda: None
) -> Iterator[Imported]:
    """Audit each file in one of `jobs` processes and keep it, if it is sound or proves a cheat.

    Yields what became of each, in order; `heard` is told of each that is done. What is kept is what was
    audited, byte by byte, even if the file changes meanwhile. The profile may be open elsewhere, and need not
    exist.
    Raises ImportFailed, StoreError and AuditFailed.
    """
    with open_shelf(profile) as shelf:
        stored = {match.match_id: match for match in shelf.matches() if match.stored is not None}
        with contextlib.closing(each_of(_read_each(files), _examine, jobs=jobs)) as examined:
            for read, found in examined:
                kept = _keep(profile, shelf, stored, read, found)
                heard()
                yield Imported(read.file, kept, found.lines, found.outcome)


def _read_each(files: Iterable[Path]) -> Iterator[_Read]:
    for file in files:
        try:
            yield _Read(file, _bytes_of(file))
        except LogUnreadable as error:
            yield _Read(file, trouble=str(error))


def _bytes_of(file: Path) -> bytes:
    """All of a log file; raises LogUnreadable. Of what is no log, or endless, only the beginning is read."""
    with open_log(file) as stream:
        try:
            head = stream.read(16)
            if len(head) == 16:
                LogReader(io.BytesIO(head))
        except LogFileError as error:
            if error.code in ("foreign", "format-version"):
                (sentence,) = problem_sentences([Problem(error.code, error.detail, error.offset)])
                raise LogUnreadable(sentence) from error
        data = head + stream.read(MAX_FILE_BYTES)
    if len(data) > MAX_FILE_BYTES:
        raise LogUnreadable(tr("{file} is too large for a log of one match.", file=file))
    return data


def _examine(read: _Read) -> _Examined:
    """Audit one file, in a process of its own."""
    if read.trouble:
        return _Examined((read.trouble,))
    audit = audit_log(io.BytesIO(read.data))
    lines = make_report([read.file], audit).lines
    return _Examined(lines, None if audit.match is None else outcome_of(audit))


def _keep(profile: Path, shelf: Shelf, stored: dict[bytes, KeptMatch], read: _Read, found: _Examined) -> Kept:
    outcome = found.outcome
    if outcome is None or outcome.finding not in SOUND:
        return Kept.REFUSED
    # A proven cheat is kept however damaged its file is: what of it can be read.
    log, _ = read_log(read.data)
    own = stored.get(outcome.match_id)
    played = shelf.logs(replace(own, file=None)) if own else ()
    folder = profile / IMPORTED
    try:
        profile.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with filelock.FileLock(folder / _LOCK):
            kept, result = _joined(folder / f"{outcome.match_id.hex()}{SUFFIX}", played, log)
    except (OSError, NotImplementedError) as error:
        raise ImportFailed(
            tr(
                "The log could not be kept in {path} ({reason}).",
                path=folder,
                reason=getattr(error, "strerror", None) or error,
            )
        ) from error
    if result is log and not played:
        Outcomes(profile).keep(digest_of((log,)), outcome)
    return kept


def _joined(target: Path, played: tuple[Log, ...], log: Log) -> tuple[Kept, Log | None]:
    """Write to `target` what has to be kept there now; tell what that was, None if nothing."""
    before = _readable(target)
    known = {event for old in (*played, *((before,) if before else ())) for event in old.events}
    events = set(log.events)
    if (before or played) and events <= known:
        return Kept.KNOWN, None
    whole = before is None or set(before.events) <= events
    result = log if before is None or whole else merged(before, log)
    write_private(target, result.encode())
    if not known:
        return Kept.NEW, result
    return Kept.GROWN if known <= events else Kept.JOINED, result


def _readable(target: Path) -> Log | None:
    """What was imported before of this match; a file that has been damaged since is replaced."""
    try:
        log, trouble = read_log(target.read_bytes())
    except (FileNotFoundError, LogFileError):
        return None
    return log if trouble is None else None
