"""What `kozel audit` prints or writes, and its exit code."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from node.auditing.report import Report
from node.auditing.running import audit_all, size_of
from node.i18n import tr
from protocol.logfile import SUFFIX

if TYPE_CHECKING:
    from node.auditing.html import ReportFile

__all__ = ["audit_files"]


def audit_files(
    files: Sequence[Path], *, as_json: bool, jobs: int | None = None, html: Path | None = None
) -> int:
    """Audit each file, and together those of one match; print what was found, and write it to `html`.

    Exit code 1 if anything proves a cheat, else 2 if any file is not sound and whole, else 0. Raises
    ExportFailed.
    """
    reports = []
    with _document(html, files) as document, _progress(files) as heard:
        for report in audit_all(files, jobs=jobs, with_match=html is not None, heard=heard):
            if document is not None:
                document.add(report)
            # With the matches of thousands of files in memory there would soon be none left.
            reports.append(replace(report, match=None, details=None))
            if not as_json:
                print("\n".join(_described(report)))
    if as_json:
        single = [report.data for report in reports if len(report.files) == 1]
        together = [report.data for report in reports if len(report.files) > 1]
        print(json.dumps({"audits": single, "together": together}, ensure_ascii=False))
    elif document is not None:
        print(tr("Written: {file}", file=document.path))
    return min({report.exit_code for report in reports} - {0}, default=0)


@contextlib.contextmanager
def _document(html: Path | None, files: Sequence[Path]) -> Iterator[ReportFile | None]:
    """The document into which each report is written, if one is asked for."""
    if html is None:
        yield None
        return
    if html.suffix == SUFFIX or html.resolve() in {file.resolve() for file in files}:
        reason = tr("that is the name of a log, which the report would replace.")
        raise typer.BadParameter(reason, param_hint="--html")
    from node.auditing.html import written_to

    with written_to(html) as document:
        yield document


def _described(report: Report) -> list[str]:
    names = ", ".join(map(str, report.files))
    heading = tr("{files} together:", files=names) if len(report.files) > 1 else f"{names}:"
    return [heading, *(f"  {line}" for line in report.lines)]


@contextlib.contextmanager
def _progress(files: Sequence[Path]) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, for what takes long, and nothing elsewhere."""
    console = Console(stderr=True)
    if not (console.is_terminal and sys.stdout.isatty()):
        yield lambda _: None
        return
    columns = (TextColumn(tr("Auditing")), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=sum(map(size_of, files)))
        yield lambda done: progress.update(task, completed=done)
