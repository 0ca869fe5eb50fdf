"""Which files were read, and how anybody can check them again."""

from __future__ import annotations

from node.auditing.html.elements import Inside, Markup, element, isolated
from node.auditing.report import Report, Source
from node.i18n import plural, tr

__all__ = ["again", "sources"]


def sources(report: Report, details_sources: tuple[Source, ...]) -> Markup:
    """The files with what identifies their bytes, and which events each holds where there are several."""
    contents = report.data.get("files") or [None] * len(details_sources)
    several = len(details_sources) > 1
    heads = (tr("File"), tr("Size"), "SHA-256", *([tr("Events"), tr("In no other file")] if several else []))
    rows = []
    for source, content in zip(details_sources, contents, strict=True):
        cells: list[Inside] = [
            element("th", isolated(source.name), scope="row"),
            element("td", _size(source)),
            element("td", element("code", source.sha256) if source.sha256 else tr("not read")),
        ]
        if several:
            cells += [element("td", content[key] if content else "") for key in ("events", "alone")]
        rows.append(element("tr", cells))
    return element(
        "section",
        element("h3", tr("Files")),
        element(
            "table",
            element("caption", tr("What was audited")),
            element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
            element("tbody", rows),
            class_="sources",
        ),
    )


def _size(source: Source) -> str:
    if source.size is None:
        return tr("not read")
    return plural("{count} byte", "{count} bytes", source.size)


def again() -> Markup:
    """How to check all that without trusting this document."""
    command = element("code", "kozel audit FILE", dir="ltr")
    return element(
        "section",
        element("h2", tr("Check it again")),
        element(
            "p",
            tr("This document proves nothing by itself; the log file does. Whoever has the file can run:"),
        ),
        element("p", command),
        element(
            "p",
            tr(
                "Nobody has to trust this program either. Its protocol document (docs/protocol.md) says to "
                "the byte how a log is judged, so that anybody can write another auditor. One that shares no "
                "code with this program comes with its source (tests/independent)."
            ),
        ),
        element("p", tr("Compare the SHA-256 of your file with the one above: equal means the same bytes.")),
        element("h2", tr("How to read the cards")),
        element("p", tr("From low to high: 6 7 8 9 J Q K 10 A. Any trump is higher than any other suit.")),
        element("p", tr("Points: A 11, 10 10, K 4, Q 3, J 2, 120 in all. A team needs 61 to win the deal.")),
        element("p", tr("Trumps are underlined. What was taken back is struck through, and does not count.")),
        class_="again",
    )
