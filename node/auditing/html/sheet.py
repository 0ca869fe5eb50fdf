"""The score sheet, as a table and as charts."""

from __future__ import annotations

from node.auditing.html.charts import points_chart, score_chart
from node.auditing.html.elements import Inside, Markup, element
from node.auditing.html.subject import Row, Subject
from node.i18n import tr
from protocol.audit import Finding

__all__ = ["score_sheet"]


def score_sheet(subject: Subject) -> Markup:
    """Each finished deal with the score after it, and how the match came out."""
    rows = subject.rows()
    if not rows:
        inside: list[Inside] = [element("p", tr("No deal is finished yet."))]
    else:
        charts = element("div", points_chart(subject, rows), score_chart(subject, rows), class_="charts")
        inside = [_table(subject, rows), element("p", _outcome(subject)), charts]
    return element("section", element("h3", tr("Score sheet")), inside, class_="sheet")


def _table(subject: Subject, rows: list[Row]) -> Markup:
    heads = (tr("Deal"), tr("Points"), tr("Tricks"), tr("Defeat points"), tr("Score"))
    caption = tr("{first} stand first in each pair of numbers.", first=subject.pair(0))
    return element(
        "table",
        element("caption", caption),
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", _carried(subject), [_row(subject, row) for row in rows]),
        element("tfoot", _total(rows)),
        class_="numbers",
    )


def _row(subject: Subject, row: Row) -> Markup:
    number: Inside = element("a", row.number + 1, href=f"#{subject.anchor}-deal-{row.number + 1}")
    lost: Inside = _pair(row.defeat_points)
    if row.eggs:
        lost = [lost, " ", tr("eggs")]
    return element(
        "tr",
        element("th", number, scope="row"),
        [element("td", told) for told in (_pair(row.points), _pair(row.tricks), lost, _pair(row.score))],
    )


def _carried(subject: Subject) -> Inside:
    """The score that a match was gone on with."""
    if subject.genesis.standing is None:
        return None
    empty = [element("td")] * 3
    return element(
        "tr",
        element("th", tr("before"), scope="row"),
        empty,
        element("td", _pair(subject.begun_at)),
    )


def _total(rows: list[Row]) -> Markup:
    """What the deals of this log come to."""
    sums = [
        (sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs))
        for pairs in (
            [row.points for row in rows],
            [row.tricks for row in rows],
            [row.defeat_points for row in rows],
        )
    ]
    return element(
        "tr",
        element("th", tr("Total"), scope="row"),
        [element("td", _pair(pair)) for pair in (*sums, rows[-1].score)],
    )


def _pair(pair: tuple[int, int]) -> Markup:
    return element("bdi", f"{pair[0]} : {pair[1]}", dir="ltr")


def _outcome(subject: Subject) -> str:
    goat, eggs = subject.record["goat"], subject.record["eggs"]
    if goat is not None:
        pair = subject.pair(goat)
        if eggs:
            return tr("{pair} are the goat with eggs.", pair=pair)
        return tr("{pair} are the goat.", pair=pair)
    if subject.report.finding is Finding.CHEAT:
        return tr("The match is stopped: a cheat is proven.")
    return tr("The match was not finished.")
