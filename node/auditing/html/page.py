"""The document: what stands before and after the sections, and the sections in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from node.auditing.html.charts import RIGHT_TO_LEFT
from node.auditing.html.checks import checks, problems, reach
from node.auditing.html.deals import deals
from node.auditing.html.elements import Inside, Markup, element, isolated, joined
from node.auditing.html.facts import facts
from node.auditing.html.sheet import score_sheet
from node.auditing.html.sources import again, sources
from node.auditing.html.style import STYLE
from node.auditing.html.subject import Subject, subject_of
from node.auditing.html.verdict import finding_name, unreadable_box, verdict_box
from node.auditing.report import Report
from node.i18n import language, plural, tr

__all__ = ["Entry", "closing", "entry_of", "html_report", "opening", "section"]

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Nothing may be fetched and no script may run, whatever got into the document."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the summary."""

    anchor: str
    files: tuple[str, ...]
    players: str
    finding: str
    kind: str
    score: str


def html_report(reports: Sequence[Report]) -> str:
    """The document about these audits, in the language spoken here; they were made with their matches.

    It holds no time and no place, so that the same logs give the same text in one version of the program.
    Raises ValueError for a report that was made without its match.
    """
    anchors = [f"audit-{number}" for number in range(1, len(reports) + 1)]
    pairs = list(zip(reports, anchors, strict=True))
    entries = [entry_of(report, anchor) for report, anchor in pairs]
    return "".join((opening(entries), *(section(report, anchor) for report, anchor in pairs), closing()))


def entry_of(report: Report, anchor: str) -> Entry:
    """What the summary says of a report; little, whatever the size of the match."""
    subject = subject_of(report, anchor)
    return Entry(
        anchor,
        tuple(file.name for file in report.files),
        _players(subject) if subject else "",
        finding_name(report.finding),
        report.finding.value,
        "{} : {}".format(*report.data["score"]) if subject else "",
    )


def opening(entries: Sequence[Entry]) -> str:
    """The document up to its first section."""
    spoken = language()
    direction = "rtl" if spoken in RIGHT_TO_LEFT else "ltr"
    title = tr("Audit of a match of Kozel") if len(entries) == 1 else tr("Audits of matches of Kozel")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        # Browsers ask a server for a picture of this name where a document has none.
        element("link", rel="icon", href="data:,"),
        Markup(f"<style>{STYLE}</style>"),
    )
    header = element("header", element("h1", title), _summary(entries) if len(entries) != 1 else None)
    return f'<!DOCTYPE html>\n<html lang="{spoken}" dir="{direction}">{head}\n<body>\n{header}\n<main>\n'


def section(report: Report, anchor: str) -> str:
    """All about one audit."""
    subject = subject_of(report, anchor)
    details = report.details
    if details is None:
        raise ValueError("a document needs reports that were made with their matches")
    files = sources(report, details.sources)
    if subject is None:
        heading = ", ".join(isolated(file.name) for file in report.files)
        inside: list[Inside] = [element("h2", heading), unreadable_box(report), problems(details), files]
    else:
        inside = [
            element("h2", _players(subject)),
            element("p", ", ".join(isolated(file.name) for file in report.files), class_="quiet"),
            verdict_box(subject),
            facts(subject),
            score_sheet(subject),
            checks(subject),
            problems(details),
            reach(subject),
            files,
            deals(subject),
        ]
    return element("article", [[part, "\n"] for part in inside], id=anchor) + "\n"


def closing() -> str:
    """What stands after the last section."""
    program = " ".join(filter(None, ("Kozel", _version())))
    footer = element("footer", again(), element("p", tr("Written by {program}.", program=program)))
    return f"</main>\n{footer}\n</body>\n</html>\n"


def _summary(entries: Sequence[Entry]) -> Markup:
    heads = (tr("Files"), tr("Players"), tr("Outcome"), tr("Defeat points"))
    return element(
        "table",
        element("caption", plural("{count} audit", "{count} audits", len(entries))),
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", [_line(entry) for entry in entries]),
        class_="summary",
    )


def _line(entry: Entry) -> Markup:
    names = joined(
        [[element("br") if place else None, isolated(name)] for place, name in enumerate(entry.files)]
    )
    return element(
        "tr",
        element("th", element("a", names, href=f"#{entry.anchor}"), scope="row"),
        element("td", entry.players),
        element("td", entry.finding, class_=f"finding {entry.kind}"),
        element("td", element("bdi", entry.score, dir="ltr")),
    )


def _players(subject: Subject) -> str:
    names = [subject.name(seat) for seat in range(4)]
    return tr("{a} and {c} against {b} and {d}", a=names[0], b=names[1], c=names[2], d=names[3])


@cache
def _version() -> str:
    try:
        return version("kozel")
    except PackageNotFoundError:
        return ""
