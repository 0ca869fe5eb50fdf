"""Writing matches as log files (§10)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from node.errors import ExportFailed
from node.i18n import tr
from node.storage.store import Store, StoredMatch
from protocol.events import SignedEvent
from protocol.logfile import SUFFIX, write_log

__all__ = ["default_file_name", "export_events", "export_match"]


def default_file_name(match_id: bytes) -> str:
    """The name of an exported log when nobody chooses one."""
    return f"kozel-{match_id.hex()[:12]}{SUFFIX}"


def export_match(store: Store, match: StoredMatch, path: Path) -> Path:
    """Write a match to `path`, or into it where it is a folder. The file is whole or it is not there.

    Raises StoreError for what is on disk and ExportFailed for what is to be written.
    """
    return export_events(match.match_id, match.genesis, store.events(match.match_id), path)


def export_events(match_id: bytes, genesis: bytes, events: Iterable[SignedEvent], path: Path) -> Path:
    """Write a log to `path`, or into it where it is a folder, as :func:`export_match` does."""
    target = path / default_file_name(match_id) if path.is_dir() else path
    draft = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as stream:
            write_log(stream, genesis, events)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise ExportFailed(
            tr(
                "The log could not be written to {path} ({reason}).",
                path=target,
                reason=error.strerror or error,
            )
        ) from error
    return target
