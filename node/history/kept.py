"""The logs that a profile keeps: of its own matches in the store, and imported ones in a folder beside."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from node.storage.snapshot import store_snapshot
from node.storage.store import STORE_NAME, Store, StoredMatch
from protocol.errors import GenesisError, LogFileError
from protocol.events import SignedEvent
from protocol.genesis import Genesis, decode_genesis
from protocol.logfile import SUFFIX, LogReader, write_log

__all__ = ["IMPORTED", "KeptMatch", "Log", "Shelf", "merged", "open_shelf", "read_log"]

IMPORTED: Final = "imported"
"""The folder's name in a profile's folder; each file in it is called by its match's id."""


@dataclass(frozen=True, slots=True)
class Log:
    """The genesis and the signed events of one match, each event after all that it refers to."""

    genesis: bytes
    events: tuple[SignedEvent, ...]

    def encode(self) -> bytes:
        """The bytes of the log file (§10)."""
        stream = io.BytesIO()
        write_log(stream, self.genesis, self.events)
        return stream.getvalue()


def read_log(data: bytes) -> tuple[Log, LogFileError | None]:
    """Read a log file as far as it is readable, and say what ends it there.

    Raises LogFileError where not even a genesis can be read.
    """
    reader = LogReader(io.BytesIO(data))
    events: list[SignedEvent] = []
    try:
        events.extend(reader.events())
    except LogFileError as error:
        return Log(reader.genesis, tuple(events)), error
    return Log(reader.genesis, tuple(events)), None


def merged(first: Log, second: Log) -> Log:
    """All events of two logs of one match, both halves of an equivocation included.

    What only the second has comes after all of the first: so each event still follows what it refers to.
    """
    return Log(first.genesis, tuple(dict.fromkeys((*first.events, *second.events))))


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match of which there is a log here, in the store, in a file that was imported, or both.

    `genesis` is None if it cannot be read. `created`, when it was begun, in seconds since 1970, is known of
    matches in the store alone: a log has no clock.
    """

    match_id: bytes
    genesis: Genesis | None
    created: float | None = None
    stored: StoredMatch | None = None
    file: Path | None = None


class Shelf:
    """All kept logs, as they were when it was opened. Nothing is read of a log before it is asked for."""

    def __init__(self, folder: Path, store: Store | None) -> None:
        """`folder` is that of the profile."""
        self._folder = folder
        self.store = store

    def matches(self) -> list[KeptMatch]:
        """Every match once, those of the store first, the oldest first; raises StoreError."""
        files = _imported_files(self._folder / IMPORTED)
        kept = []
        for stored in self.store.matches() if self.store else ():
            file = files.pop(stored.match_id, None)
            genesis = _decoded(stored.genesis)
            kept.append(KeptMatch(stored.match_id, genesis, stored.created, stored, file))
        kept += [KeptMatch(match_id, _genesis_of(file), file=file) for match_id, file in files.items()]
        return kept

    def logs(self, match: KeptMatch) -> tuple[Log, ...]:
        """The log of a match, the best first: all that is here of it, then each source alone.

        A source that is damaged can so never spoil the other. Empty if nothing can be read of it.
        """
        stored = self._stored(match)
        imported = None if match.file is None else _imported(match.file, match.match_id)
        if stored is None or imported is None:
            return tuple(log for log in (stored, imported) if log is not None)
        if set(imported.events) <= set(stored.events):
            return (stored,)
        return merged(stored, imported), stored, imported

    def _stored(self, match: KeptMatch) -> Log | None:
        if self.store is None or match.stored is None:
            return None
        return Log(match.stored.genesis, tuple(self.store.events(match.match_id)))


@contextlib.contextmanager
def open_shelf(folder: Path) -> Iterator[Shelf]:
    """The logs of the profile in `folder`, also while another program plays with it; raises StoreError."""
    path = folder / STORE_NAME
    if not path.exists():
        yield Shelf(folder, None)
        return
    with store_snapshot(path) as store:
        yield Shelf(folder, store)


def _imported_files(folder: Path) -> dict[bytes, Path]:
    found = {}
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        with contextlib.suppress(ValueError):
            found[bytes.fromhex(file.stem)] = file
    return found


def _imported(file: Path, match_id: bytes) -> Log | None:
    """What an imported file holds; None where it has been damaged since, or is of another match."""
    try:
        log, trouble = read_log(file.read_bytes())
    except (OSError, LogFileError):
        return None
    genesis = _decoded(log.genesis)
    if trouble is not None or genesis is None or genesis.match_id != match_id:
        return None
    return log


def _genesis_of(file: Path) -> Genesis | None:
    try:
        with file.open("rb") as stream:
            return _decoded(LogReader(stream).genesis)
    except (OSError, LogFileError):
        return None


def _decoded(data: bytes) -> Genesis | None:
    try:
        return decode_genesis(data)
    except GenesisError:
        return None  # Of another version of the protocol, or damaged.
