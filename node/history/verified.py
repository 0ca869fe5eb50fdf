"""Auditing kept logs, each only once: what came of it is kept in the profile while the log stays the same.

For each match there is a small file. It holds the SHA-256 of the log, and its own, so that a log which has
grown, and a file which is damaged, are found out; and the edition of the program, so that another one, whose
judgement may be better, judges anew.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from node.auditing.each import each_of
from node.history.kept import KeptMatch, Log
from node.history.outcome import SOUND, Outcome, outcome_of
from node.storage.keyfiles import write_private
from protocol.audit import audit_log

__all__ = ["VERIFIED", "Outcomes", "digest_of", "verify_each"]

VERIFIED: Final = "verified"
"""The folder's name in a profile's folder; each file in it is called by its match's id."""

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class _Task:
    """What one process is given: the log files of one match, the best first."""

    match_id: bytes
    digest: str
    files: tuple[bytes, ...]


class Outcomes:
    """The outcomes on disk: a convenience, which never fails. What cannot be read there is not there."""

    def __init__(self, profile: Path) -> None:
        self._folder = profile / VERIFIED

    def find(self, match_id: bytes, digest: str) -> Outcome | None:
        """The outcome of a match whose logs have this digest, as this edition of the program judges."""
        try:
            kept = json.loads(self._file(match_id).read_bytes())
            told = kept["outcome"]
            if (kept["edition"], kept["log"], kept["check"]) != (_edition(), digest, _check(told)):
                return None
            return Outcome.from_json(told)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def keep(self, digest: str, outcome: Outcome) -> None:
        """Keep an outcome in place of any older one of this match."""
        told = outcome.as_json()
        kept = {"edition": _edition(), "log": digest, "check": _check(told), "outcome": told}
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(self._file(outcome.match_id), json.dumps(kept).encode())

    def _file(self, match_id: bytes) -> Path:
        return self._folder / f"{match_id.hex()}.json"


def digest_of(logs: Iterable[Log]) -> str:
    """SHA-256 of logs' bytes, whatever order their events lie in: equal for equal logs (§10.3)."""
    summed = sha256()
    for log in logs:
        for part in (log.genesis, *(part for event in sorted(log.events) for part in event), b""):
            summed.update(len(part).to_bytes(4, "big"))
            summed.update(part)
    return summed.hexdigest()


def verify_each(
    matches: Iterable[tuple[KeptMatch, tuple[Log, ...]]],
    outcomes: Outcomes,
    *,
    jobs: int,
    heard: Callable[[], None] = lambda: None,
) -> dict[bytes, Outcome]:
    """The outcome of each match, by its id, from `outcomes` or by auditing its logs in `jobs` processes.

    Every match comes with its logs, the best first; the first sound one counts. `heard` is told of each one
    that is done. Raises AuditFailed.
    """
    found: dict[bytes, Outcome] = {}

    def unknown() -> Iterator[_Task]:
        for match, logs in matches:
            digest = digest_of(logs)
            outcome = outcomes.find(match.match_id, digest)
            if outcome is None:
                yield _Task(match.match_id, digest, tuple(log.encode() for log in logs))
            else:
                found[match.match_id] = outcome
                heard()

    with contextlib.closing(each_of(unknown(), _verify, jobs=jobs)) as verified:
        for task, outcome in verified:
            outcomes.keep(task.digest, outcome)
            found[task.match_id] = outcome
            heard()
    return found


def _verify(task: _Task) -> Outcome:
    audits = (audit_log(io.BytesIO(file)) for file in task.files)
    found = [outcome_of(next(audits))]
    while found[-1].finding not in SOUND and len(found) < len(task.files):
        found.append(outcome_of(next(audits)))
    return found[-1]


def _check(told: dict[str, Any]) -> str:
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@cache
def _edition() -> str:
    try:
        return f"{_FORMAT} {version('kozel')}"
    except PackageNotFoundError:
        return f"{_FORMAT}"
