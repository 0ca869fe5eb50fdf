"""A player's figures as one self-contained SVG: no script, no font file, nothing from elsewhere.

It follows the reader's light or dark theme, and is mirrored for languages that run from right to left.
Colour never says anything alone: beside a bar stand numbers, above or below it the mark of who has won.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from node.history.figures import Figures, Result, Together, Turn
from node.i18n import language, plural, tr

__all__ = ["picture_of"]

_WIDTH: Final = 720
_MARGIN: Final = 24
_INNER: Final = _WIDTH - 2 * _MARGIN
_TURNS: Final = 60
"""So many matches are shown one by one, the latest ones."""
_PARTNERS: Final = 12
_RIGHT_TO_LEFT: Final = frozenset({"ar"})
# XML knows no such characters, not even written as numbers.
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Plain values first: many viewers of pictures know neither variables nor themes.
_STYLE: Final = (
    "text{font-family:system-ui,sans-serif;font-size:13px;fill:#1c1c1c}"
    ".big{font-size:22px;font-weight:600}.head{font-size:15px;font-weight:600}.dim{fill:#5c5c5c}"
    ".name{unicode-bidi:plaintext}"
    ".paper{fill:#fff}.line{fill:#c9c9c9}.won{fill:#1a7f4b}.lost{fill:#b3372f}.unfinished{fill:#8a8a8a}"
    "@media (prefers-color-scheme:dark){"
    "text{fill:#ececec}.dim{fill:#a8a8a8}.paper{fill:#161a1d}.line{fill:#454b50}"
    ".won{fill:#4fc387}.lost{fill:#f0857c}.unfinished{fill:#8f969c}}"
)


def picture_of(name: str, figures: Figures) -> str:
    """The text of the SVG file, in the language spoken here."""
    canvas = _Canvas(mirrored=language() in _RIGHT_TO_LEFT)
    # A name is isolated, so that its own direction does not reach the words around it.
    title = tr(
        "Kozel: the matches of {name}", name=f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    )
    y = _headline(canvas, title, figures)
    y = _tiles(canvas, y, figures)
    if figures.course:
        y = _course(canvas, y, figures.course[-_TURNS:])
    if figures.partners:
        y = _partners(canvas, y, figures.partners)
    return canvas.document(title, y + _MARGIN)


class _Canvas:
    """Shapes at places counted from the side where reading begins."""

    def __init__(self, *, mirrored: bool) -> None:
        self._mirrored = mirrored
        self._parts: list[str] = []

    def box(self, kind: str, x: float, y: float, width: float, height: float, hint: str = "") -> None:
        """A rectangle of a class of the style; `hint` is shown to whoever points at it."""
        left = _WIDTH - x - width if self._mirrored else x
        size = f'x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        inside = f"<title>{_text(hint)}</title>" if hint else ""
        self._parts.append(f'<rect class="{kind}" {size}>{inside}</rect>')

    def text(self, words: str, x: float, y: float, kind: str = "", anchor: str = "start") -> None:
        """One line of text; `anchor` says what of it lies at `x`: its start, middle or end."""
        left = _WIDTH - x if self._mirrored else x
        classed = f' class="{kind}"' if kind else ""
        place = f'x="{left:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
        self._parts.append(f"<text{classed} {place}>{_text(words)}</text>")

    def document(self, title: str, height: float) -> str:
        """The whole file."""
        size = f'viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" height="{height:.0f}"'
        direction = "rtl" if self._mirrored else "ltr"
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" xml:lang="{language()}"'
                f' direction="{direction}" aria-label={quoteattr(_legal(title))}>',
                f"<title>{_text(title)}</title>",
                f"<style>{_STYLE}</style>",
                f'<rect class="paper" width="{_WIDTH}" height="{height:.0f}"/>',
                *self._parts,
                "</svg>\n",
            )
        )


def _headline(canvas: _Canvas, title: str, figures: Figures) -> float:
    canvas.text(title, _MARGIN, 44, "big")
    sentence = tr(
        "Won {won}, lost {lost}, not finished {unfinished}.",
        won=figures.won,
        lost=figures.lost,
        unfinished=figures.unfinished,
    )
    canvas.text(sentence, _MARGIN, 68, "dim")
    return 92.0


def _tiles(canvas: _Canvas, y: float, figures: Figures) -> float:
    """The most important figures, large, three in a row."""
    tiles = (
        (f"{figures.goats_given} : {figures.goats_suffered}", tr("goats given : suffered")),
        (
            f"{figures.goats_given_with_eggs} : {figures.goats_suffered_with_eggs}",
            tr("of them with eggs"),
        ),
        (
            f"{figures.defeat_points_given} : {figures.defeat_points_taken}",
            tr("defeat points given : taken"),
        ),
        (
            f"{figures.deals_won} : {figures.deals_lost}",
            plural(
                "won : lost of {count} finished deal", "won : lost of {count} finished deals", figures.deals
            ),
        ),
        (str(figures.tricks), tr("own tricks")),
        (f"{figures.molodkas} : {figures.molodkas_won}", tr("molodkas led : won")),
    )
    for number, (value, words) in enumerate(tiles):
        x, top = _MARGIN + number % 3 * _INNER / 3, y + number // 3 * 58
        canvas.text(value, x, top + 22, "big")
        canvas.text(words, x, top + 42, "dim")
    return y + 58 * 2 + 12


def _course(canvas: _Canvas, y: float, course: Sequence[Turn]) -> float:
    """Match by match: defeat points given stand above the line, those taken hang below it."""
    canvas.text(tr("Match by match"), _MARGIN, y + 16, "head")
    canvas.text(tr("Above the line: defeat points given. Below: taken."), _MARGIN, y + 36, "dim")
    highest = max(1, *(max(turn.given, turn.taken) for turn in course))
    scale, step = 60 / highest, min(24.0, _INNER / len(course))
    middle = y + 56 + 60
    for number, turn in enumerate(course):
        x, width = _MARGIN + number * step, max(1.0, step - 3)
        hint = _hint(turn)
        kind = turn.result.value
        canvas.box(kind, x, middle - scale * turn.given, width, max(1.0, scale * turn.given), hint)
        canvas.box(kind, x, middle + 2, width, max(1.0, scale * turn.taken), hint)
        if turn.result is not Result.UNFINISHED:
            mark = middle - 70 if turn.result is Result.WON else middle + 68
            canvas.box(kind, x + (width - 4) / 2, mark, 4, 4)
    canvas.box("line", _MARGIN, middle, _INNER, 2)
    won = sum(turn.result is Result.WON for turn in course)
    lost = sum(turn.result is Result.LOST for turn in course)
    _legend(canvas, middle + 100, won, lost, len(course) - won - lost)
    return middle + 124


def _hint(turn: Turn) -> str:
    told = {
        Result.WON: tr("Won, {given} : {taken}", given=turn.given, taken=turn.taken),
        Result.LOST: tr("Lost, {given} : {taken}", given=turn.given, taken=turn.taken),
        Result.UNFINISHED: tr("Not finished, {given} : {taken}", given=turn.given, taken=turn.taken),
    }
    return f"{datetime.fromtimestamp(turn.created):%Y-%m-%d} · {told[turn.result]}"


def _legend(canvas: _Canvas, y: float, won: int, lost: int, unfinished: int) -> None:
    entries = (
        (Result.WON, tr("won, marked above: {count}", count=won)),
        (Result.LOST, tr("lost, marked below: {count}", count=lost)),
        (Result.UNFINISHED, tr("not finished: {count}", count=unfinished)),
    )
    for number, (result, words) in enumerate(entries):
        x = _MARGIN + number * _INNER / 3
        canvas.box(result.value, x, y - 10, 11, 11)
        canvas.text(words, x + 18, y)


def _partners(canvas: _Canvas, y: float, partners: Sequence[Together]) -> float:
    """A bar for each partner, as long as there were matches together."""
    canvas.text(tr("With each partner"), _MARGIN, y + 16, "head")
    canvas.text(tr("matches together: won, lost"), _MARGIN, y + 36, "dim")
    most = max(partner.matches for partner in partners)
    left, room = _MARGIN + 190, _INNER - 190 - 110
    top = y + 48
    for partner in partners[:_PARTNERS]:
        canvas.text(partner.name, _MARGIN, top + 14, "name")
        x = float(left)
        unfinished = partner.matches - partner.won - partner.lost
        for kind, count in (("won", partner.won), ("lost", partner.lost), ("unfinished", unfinished)):
            width = room * count / most
            if count:
                canvas.box(kind, x, top + 3, width, 14)
            x += width
        canvas.text(f"{partner.matches}: {partner.won}, {partner.lost}", x + 8, top + 14)
        top += 26
    return top + 4


def _text(words: str) -> str:
    return escape(_legal(words))


def _legal(words: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", words)
