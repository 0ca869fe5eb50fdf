"""What SQLite's and the operating system's error codes mean to a person."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from node.errors import DiskFull, NotAStore, StoreDamaged, StoreError, StoreInUse, StoreNotWritable
from node.i18n import tr

# Extended result codes carry the primary one in their low byte.
_PRIMARY = 0xFF


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn a failure of SQLite or of the file system inside into the StoreError that explains it."""
    try:
        yield
    except sqlite3.Error as error:
        raise _from_sqlite(path, error) from error
    except OSError as error:
        raise _not_writable(path, error.strerror or str(error)) from error


def _from_sqlite(path: Path, error: sqlite3.Error) -> StoreError:
    # Errors of the Python layer itself, such as use after closing, have no code.
    match getattr(error, "sqlite_errorcode", 0) & _PRIMARY:
        case sqlite3.SQLITE_FULL:
            return DiskFull(
                tr("The disk with {path} is full. Nothing was lost: make room there and go on.", path=path)
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return _not_writable(path, str(error))
        case sqlite3.SQLITE_CORRUPT:
            return StoreDamaged(tr("{path} is damaged. Restore it from a copy.", path=path))
        case sqlite3.SQLITE_NOTADB:
            return NotAStore(
                tr("{path} is not a file of this program, or is damaged. It was left alone.", path=path)
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreInUse(tr("{path} is open in another program. Close that one first.", path=path))
        case _:
            return StoreError(tr("{path} cannot be read or written: {reason}.", path=path, reason=error))


def _not_writable(path: Path, reason: str) -> StoreNotWritable:
    return StoreNotWritable(
        tr(
            "{path} cannot be written ({reason}). "
            "Give yourself the right to write in its folder, or choose another one.",
            path=path,
            reason=reason,
        )
    )
