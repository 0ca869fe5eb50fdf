"""The disk under a node: secrets, matches and signed events in one SQLite file.

Persist, then send: `append` and the `add_…` methods return only after the data is durable (write-ahead log,
`synchronous=FULL`), so nothing that another player has seen can be forgotten by a crash. An event may
be durable without its caller having learnt so; after a restart it is simply read back.

The file is locked for one connection as long as it is open. Copying it while it is open loses what is still
in the write-ahead log beside it; the portable form of a match is its exported log.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from node.errors import NotAStore, StoreConflict, StoreError, StoreTooNew, UnknownMatch
from node.i18n import tr
from node.storage.store_faults import explained
from protocol.events import SignedEvent

STORE_NAME = "matches.sqlite"
"""The file's name in a profile's folder."""
SCHEMA_VERSION = 1
_APPLICATION_ID = 0x4B4F5A45  # "KOZE": tells this file from any other program's SQLite file.
_PAGE = 256

# `records` has no key of (match, author, seq) alone: both halves of an equivocation are evidence and kept.
_SCHEMA = (
    "CREATE TABLE secrets (secret_id BLOB PRIMARY KEY, secret BLOB NOT NULL)",
    "CREATE TABLE matches (match_id BLOB PRIMARY KEY, genesis BLOB NOT NULL, seat INTEGER NOT NULL,"
    " secret BLOB NOT NULL, created REAL NOT NULL, finished INTEGER NOT NULL DEFAULT 0,"
    " summary TEXT NOT NULL DEFAULT '')",
    "CREATE TABLE records (place INTEGER PRIMARY KEY, match_id BLOB NOT NULL REFERENCES matches,"
    " author INTEGER NOT NULL, seq INTEGER NOT NULL, event_id BLOB NOT NULL, data BLOB NOT NULL,"
    " signature BLOB NOT NULL, UNIQUE (match_id, author, seq, event_id))",
    "CREATE TABLE addresses (match_id BLOB NOT NULL REFERENCES matches, seat INTEGER NOT NULL,"
    " addresses TEXT NOT NULL, PRIMARY KEY (match_id, seat))",
)


@dataclass(frozen=True, slots=True)
class Record:
    """A signed event as it was received: `data` are the signed bytes, never a re-encoding of them.

    `author` and `seq` (whole numbers from 0) say whose feed and where; `event_id` is the hash of `data`.
    """

    author: int
    seq: int
    event_id: bytes
    data: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match on disk.

    `created` is in seconds since 1970. `summary` is text of the caller's own, empty at first.
    """

    match_id: bytes
    genesis: bytes
    seat: int
    secret: bytes = field(repr=False)
    created: float
    finished: bool
    summary: str


class Store:
    """The open file. Every method may raise StoreError, whose kinds say what to do about it."""

    def __init__(self, path: Path) -> None:
        """Open the file at `path`, made if it is not there.

        Raises NotAStore, StoreTooNew, StoreInUse, StoreNotWritable, StoreDamaged, DiskFull.
        """
        self.path = path
        with explained(path):
            _make_private(path)
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=0)
        try:
            with explained(path):
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file. Closing twice does no harm."""
        with explained(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def add_secret(self, secret_id: bytes, secret: bytes) -> None:
        """Keep a secret under a name of the caller's, before anything derived from it is sent.

        The same secret again changes nothing; another one under that name raises StoreConflict.
        """
        self._add_once("secrets", "secret_id", {"secret_id": secret_id, "secret": secret})

    def secret(self, secret_id: bytes) -> bytes | None:
        """Return the secret kept under that name, or None."""
        row = self._one("SELECT secret FROM secrets WHERE secret_id = ?", secret_id)
        return None if row is None else bytes(row[0])

    def add_match(self, match_id: bytes, genesis: bytes, seat: int, secret: bytes, created: float) -> None:
        """Keep a match. The same match again changes nothing; with other contents it raises StoreConflict."""
        columns = {"match_id": match_id, "genesis": genesis, "seat": seat, "secret": secret}
        self._add_once("matches", "match_id", columns, {"created": created})

    def matches(self) -> list[StoredMatch]:
        """Return all matches, the oldest first."""
        with explained(self.path):
            rows = self._connection.execute(f"{_SELECT_MATCH} ORDER BY created, match_id").fetchall()
        return [_stored_match(row) for row in rows]

    def match(self, match_id: bytes) -> StoredMatch | None:
        """Return one match, or None."""
        row = self._one(f"{_SELECT_MATCH} WHERE match_id = ?", match_id)
        return None if row is None else _stored_match(row)

    def set_summary(self, match_id: bytes, finished: bool, summary: str) -> None:
        """Replace what is said of a match in lists. Raises UnknownMatch."""
        with self._transaction():
            changed = self._connection.execute(
                "UPDATE matches SET finished = ?, summary = ? WHERE match_id = ?",
                (finished, summary, match_id),
            )
            if changed.rowcount == 0:
                raise _unknown_match(self.path)

    def set_addresses(self, match_id: bytes, seat: int, addresses: Iterable[tuple[str, int]]) -> None:
        """Replace what is known of where a seat of a match can be reached."""
        with self._transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO addresses (match_id, seat, addresses) VALUES (?, ?, ?)",
                (match_id, seat, json.dumps(list(addresses))),
            )

    def addresses(self, match_id: bytes) -> dict[int, tuple[tuple[str, int], ...]]:
        """Where the seats of a match were last reached, by seat."""
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT seat, addresses FROM addresses WHERE match_id = ?", (match_id,)
            ).fetchall()
        return {seat: tuple((host, port) for host, port in json.loads(text)) for seat, text in rows}

    def append(self, match_id: bytes, records: Iterable[Record]) -> None:
        """Keep records, all or none, durably. Those already kept are skipped. Raises UnknownMatch."""
        with self._transaction():
            if self.match(match_id) is None:
                raise _unknown_match(self.path)
            self._connection.executemany(
                "INSERT OR IGNORE INTO records (match_id, author, seq, event_id, data, signature)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                ((match_id, r.author, r.seq, r.event_id, r.data, r.signature) for r in records),
            )

    def records(self, match_id: bytes) -> Iterator[Record]:
        """Yield the match's records in the order in which they were first kept.

        Read page by page, so that a match of any length fits in memory and appending meanwhile is allowed.
        """
        place = 0
        while True:
            with explained(self.path):
                rows = self._connection.execute(
                    "SELECT place, author, seq, event_id, data, signature FROM records"
                    " WHERE match_id = ? AND place > ? ORDER BY place LIMIT ?",
                    (match_id, place, _PAGE),
                ).fetchall()
            if not rows:
                return
            place = rows[-1][0]
            yield from (Record(*row[1:]) for row in rows)

    def events(self, match_id: bytes) -> Iterator[SignedEvent]:
        """Yield the match's signed events, read as :meth:`records` are."""
        return (SignedEvent(record.data, record.signature) for record in self.records(match_id))

    def _prepare(self) -> None:
        execute = self._connection.execute
        # One connection, enforced: SQLite before 3.51.3 can lose a reset write-ahead log with more.
        execute("PRAGMA locking_mode = EXCLUSIVE")
        version = execute("PRAGMA user_version").fetchone()[0]
        application = execute("PRAGMA application_id").fetchone()[0]
        blank = execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not blank and application != _APPLICATION_ID:
            raise NotAStore(
                tr(
                    "{path} is a database of another program. It was left alone; choose another file.",
                    path=self.path,
                )
            )
        if version > SCHEMA_VERSION:
            raise StoreTooNew(
                tr("{path} was written by a newer release of the program. Update this one.", path=self.path)
            )
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        execute("PRAGMA foreign_keys = ON")
        with self._transaction():
            # An empty transaction on a known file: it takes the lock now, not at the first move.
            if blank:
                for statement in _SCHEMA:
                    execute(statement)
                execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit what is done inside, durably, or nothing of it."""
        with explained(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # SQLite rolls back by itself on some failures, such as a full disk.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _one(self, query: str, key: object) -> Any:
        with explained(self.path):
            return self._connection.execute(query, (key,)).fetchone()

    def _add_once(
        self, table: str, key: str, columns: dict[str, object], unchecked: dict[str, object] | None = None
    ) -> None:
        """Insert a row, or make sure that the row there has the same `columns` (not the `unchecked`)."""
        row = columns | (unchecked or {})
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        with self._transaction():
            self._connection.execute(
                f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", tuple(row.values())
            )
            kept = self._one(f"SELECT {', '.join(columns)} FROM {table} WHERE {key} = ?", columns[key])
            if tuple(kept) != tuple(columns.values()):
                raise StoreConflict(
                    tr(
                        "{path} already keeps something else under this name; it was not replaced.",
                        path=self.path,
                    )
                )


_SELECT_MATCH = "SELECT match_id, genesis, seat, secret, created, finished, summary FROM matches"


def _stored_match(row: Any) -> StoredMatch:
    match_id, genesis, seat, secret, created, finished, summary = row
    return StoredMatch(match_id, genesis, seat, secret, created, bool(finished), summary)


def _make_private(path: Path) -> None:
    """Make the file before SQLite does, never readable to others. SQLite's companion files copy its mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _unknown_match(path: Path) -> StoreError:
    return UnknownMatch(tr("{path} does not know the match that this belongs to.", path=path))
