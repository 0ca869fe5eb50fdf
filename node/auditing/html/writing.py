"""Writing the document while audits come in: what has been written of a match is not kept in memory."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from node.auditing.html.page import Entry, closing, entry_of, opening, section
from node.auditing.report import Report
from node.errors import ExportFailed
from node.i18n import tr

__all__ = ["DEFAULT_NAME", "ReportFile", "written_to"]

DEFAULT_NAME: Final = "kozel-audit.html"
"""The name of the document in a folder when nobody chooses one."""


class ReportFile:
    """A document to be at `path`. Its sections come first, since its beginning lists them all."""

    def __init__(self, path: Path, sections: IO[str]) -> None:
        self.path = path
        self._sections = sections
        self._entries: list[Entry] = []

    def add(self, report: Report) -> None:
        """Write the section about one audit. Raises ExportFailed."""
        anchor = f"audit-{len(self._entries) + 1}"
        self._entries.append(entry_of(report, anchor))
        with _explained(self.path):
            self._sections.write(section(report, anchor))

    def copy_to(self, stream: IO[str]) -> None:
        """Write the whole document. Raises OSError."""
        self._sections.seek(0)
        stream.write(opening(self._entries))
        shutil.copyfileobj(self._sections, stream)
        stream.write(closing())


@contextlib.contextmanager
def written_to(path: Path) -> Iterator[ReportFile]:
    """A document that stands at `path`, or in it where it is a folder, once all sections are there.

    What stood there before is replaced then, and stays if anything fails. Raises ExportFailed, and does so
    at once where nothing can be written.
    """
    target = path / DEFAULT_NAME if path.is_dir() else path
    draft = target.with_name(f".{target.name}.part")
    with contextlib.ExitStack() as stack:
        stack.callback(_remove, draft)
        with _explained(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            stream = stack.enter_context(draft.open("w", encoding="utf-8", newline="\n"))
            sections = stack.enter_context(
                tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=target.parent)
            )
        document = ReportFile(target, sections)
        yield document
        with _explained(target):
            document.copy_to(stream)
            stream.flush()
            os.fsync(stream.fileno())
            stream.close()
            draft.replace(target)


def _remove(draft: Path) -> None:
    with contextlib.suppress(OSError):
        draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _explained(target: Path) -> Iterator[None]:
    """Only of what is written here: what the caller prints may fail for reasons of its own."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise ExportFailed(
            tr("The report could not be written to {path} ({reason}).", path=target, reason=reason)
        ) from error
