"""Reading a store that another program has open and locked: a copy of it, as it was at one moment."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from node.errors import StoreInUse
from node.i18n import tr
from node.storage.store import STORE_NAME, Store
from node.storage.store_faults import explained

__all__ = ["store_snapshot"]

_LOG_HEADER_BYTES: Final = 32
_ATTEMPTS: Final = 5


@contextlib.contextmanager
def store_snapshot(path: Path) -> Iterator[Store]:
    """Yield a copy of the store at `path` with all that was durable when it was made; changes to it are lost.

    The copy lies in the store's own private folder while the context lasts, for it holds the same secrets.
    Raises StoreError.
    """
    with contextlib.ExitStack() as stack:
        with explained(path):
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=path.parent, prefix=".snapshot-"))
            copy = Path(folder) / STORE_NAME
            _copy(path, copy)
        yield stack.enter_context(Store(copy))


def _copy(path: Path, copy: Path) -> None:
    """Copy the file, then the write-ahead log beside it.

    Pages that are moved from the log to the file meanwhile do no harm: the log still holds them, and what it
    holds stands above the file, up to the last whole transaction. That is so until the log is begun anew,
    which changes its header; then the copy is made again.
    """
    log = path.with_name(f"{path.name}-wal")
    for _ in range(_ATTEMPTS):
        before = _header(log)
        shutil.copyfile(path, copy)
        copied = copy.with_name(f"{copy.name}-wal")
        copied.unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(log, copied)
        if _header(log) == before:
            return
    raise StoreInUse(tr("{path} is being written all the time. Try again in a moment.", path=path))


def _header(log: Path) -> bytes:
    """What the write-ahead log begins with: new numbers whenever it is begun anew. Empty without a log."""
    try:
        with log.open("rb") as file:
            return file.read(_LOG_HEADER_BYTES)
    except FileNotFoundError:
        return b""
