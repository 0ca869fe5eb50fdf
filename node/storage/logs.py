"""Opening log files that people name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from node.errors import LogUnreadable
from node.i18n import tr

__all__ = ["open_log"]


@contextlib.contextmanager
def open_log(file: Path) -> Iterator[BinaryIO]:
    """Open a file for reading; raises LogUnreadable with a sentence that says why not."""
    try:
        with file.open("rb") as stream:
            yield stream
    except OSError as error:
        raise LogUnreadable(
            tr("{file} cannot be read ({reason}).", file=file, reason=error.strerror or error)
        ) from error
