"""Charts of a match as SVG within the document. The score sheet holds the same numbers.

Colour says nothing alone: the first team's marks are filled, the second team's are hollow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from node.auditing.html.elements import Inside, Markup, element, joined
from node.auditing.html.subject import Row, Subject
from node.i18n import language, tr

__all__ = ["RIGHT_TO_LEFT", "points_chart", "score_chart"]

RIGHT_TO_LEFT: Final = frozenset({"ar"})

_WIDTH: Final = 340
"""In units of the picture: it is that wide on the smallest phones, where its text must be large enough."""
_ALL_POINTS: Final = 120
_STEP: Final = 24
_BAR: Final = (64, 240)
"""Where the bars begin, and how long they are together."""
_PLOT: Final = (30, 12, 268, 150)
"""Left, top, width and height of the field in which the score runs."""


class _Canvas:
    """Shapes at places counted from the side where reading begins."""

    def __init__(self) -> None:
        self._mirrored = language() in RIGHT_TO_LEFT
        self._parts: list[Markup] = []

    def box(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        left = _WIDTH - x - width if self._mirrored else x
        self._add("rect", class_=kind, x=_n(left), y=_n(y), width=_n(width), height=_n(height))

    def dot(self, kind: str, x: float, y: float) -> None:
        self._add("circle", class_=kind, cx=_n(self._from_left(x)), cy=_n(y), r=4)

    def line(self, kind: str, *places: tuple[float, float]) -> None:
        self._add(
            "polyline", class_=kind, points=" ".join(f"{_n(self._from_left(x))},{_n(y)}" for x, y in places)
        )

    def text(self, words: Inside, x: float, y: float, anchor: str = "start", kind: str | None = None) -> None:
        """A short text; `anchor` says what of it lies at `x`."""
        self._add("text", words, class_=kind, x=_n(self._from_left(x)), y=_n(y), text_anchor=anchor)

    def drawn(self, name: str, title: str, description: str, height: float) -> Markup:
        """The picture, with what it is called and what it shows, in words."""
        return element(
            "svg",
            element("title", title, id=f"{name}-title"),
            element("desc", description, id=f"{name}-desc"),
            joined(self._parts),
            viewBox=f"0 0 {_WIDTH} {_n(height)}",
            role="img",
            aria_labelledby=f"{name}-title",
            aria_describedby=f"{name}-desc",
        )

    def _add(self, tag: str, *inside: Inside, **attributes: str | int | float | None) -> None:
        self._parts.append(element(tag, *inside, **attributes))

    def _from_left(self, x: float) -> float:
        return _WIDTH - x if self._mirrored else x


def points_chart(subject: Subject, rows: Sequence[Row]) -> Markup:
    """How the 120 points of each deal were shared out."""
    canvas = _Canvas()
    left, length = _BAR
    height = len(rows) * _STEP + 22
    for place, row in enumerate(rows):
        y = place * _STEP + 4
        share = length * row.points[0] / _ALL_POINTS
        canvas.text(row.number + 1, 0, y + 13, kind="quiet")
        canvas.text(row.points[0], left - 6, y + 13, "end")
        canvas.box("second", left, y, length, 17)
        canvas.box("first", left, y, share, 17)
        canvas.text(row.points[1], left + length + 6, y + 13)
    middle = left + length / 2
    canvas.line("goal", (middle, 0), (middle, height - 16))
    canvas.text(_ALL_POINTS // 2, middle, height - 3, "middle", "quiet")
    told = [
        tr(
            "Deal {number}: {first} to {second} card points.",
            number=row.number + 1,
            first=row.points[0],
            second=row.points[1],
        )
        for row in rows
    ]
    title = tr("Card points of each deal")
    return _figure(subject, title, canvas.drawn(f"{subject.anchor}-points", title, " ".join(told), height))


def score_chart(subject: Subject, rows: Sequence[Row]) -> Markup:
    """How the defeat points of both teams grew towards the end of the match."""
    canvas = _Canvas()
    target = subject.genesis.options.target
    scores = [subject.begun_at, *(row.score for row in rows)]
    top = max(target, *(max(score) for score in scores))
    left, above, width, height = _PLOT

    def place(number: int, value: int) -> tuple[float, float]:
        return left + width * number / len(rows), above + height * (1 - value / top)

    for value in (0, target // 2, target):
        y = place(0, value)[1]
        canvas.line("goal" if value == target else "grid", (left, y), (left + width, y))
        canvas.text(value, left - 8, y + 4, "end", "quiet")
    every = -(-len(rows) // 10)
    for number in range(0, len(scores), every):
        canvas.text(number, place(number, 0)[0], above + height + 18, "middle", "quiet")
    for team, kind in ((1, "second"), (0, "first")):
        places = [place(number, score[team]) for number, score in enumerate(scores)]
        canvas.line(" ".join((kind, "course")), *places)
        for x, y in places:
            if team:
                canvas.box(kind, x - 4, y - 4, 8, 8)
            else:
                canvas.dot(kind, x, y)
    _last_scores(canvas, scores[-1], place(len(rows), scores[-1][0]), place(len(rows), scores[-1][1]))
    title = tr("Defeat points after each deal; with {target} a team is the goat.", target=target)
    told = [
        tr(
            "After deal {number}: {first} to {second}.",
            number=row.number + 1,
            first=row.score[0],
            second=row.score[1],
        )
        for row in rows
    ]
    picture = canvas.drawn(f"{subject.anchor}-score", title, " ".join(told), above + height + 24)
    return _figure(subject, title, picture)


def _last_scores(
    canvas: _Canvas, score: tuple[int, int], first: tuple[float, float], second: tuple[float, float]
) -> None:
    """The last score beside the ends of the lines; once where both are the same."""
    canvas.text(score[0], first[0] + 9, first[1] + 5)
    if score[0] != score[1]:
        apart = 13 if abs(first[1] - second[1]) < 13 else 0
        down = apart if score[1] < score[0] else -apart
        canvas.text(score[1], second[0] + 9, first[1] + 5 + down if apart else second[1] + 5)


def _figure(subject: Subject, title: str, picture: Markup) -> Markup:
    keys = [
        element("span", element("span", class_=f"key {kind}"), " ", subject.pair(team), class_="entry")
        for team, kind in ((0, "first"), (1, "second"))
    ]
    return element("figure", element("figcaption", element("strong", title), keys), picture)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
