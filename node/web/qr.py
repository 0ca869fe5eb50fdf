"""QR codes of links, for a page and for a terminal."""

from __future__ import annotations

from functools import cache
from typing import Final

import segno
from rich.text import Text

__all__ = ["qr_rows", "qr_text"]

_QUIET: Final = 3
"""Light modules around a code; readers want some."""
_HALVES: Final = {"00": " ", "10": "▀", "01": "▄", "11": "█"}


@cache
def qr_rows(text: str) -> tuple[str, ...]:
    """A QR code as rows of 0 and 1, without its quiet zone.

    Every picture of a page shows it again, and a program has few links in its life.
    """
    rows = segno.make(text, micro=False).matrix
    return tuple("".join("1" if dark else "0" for dark in row) for row in rows)


def qr_text(text: str) -> Text:
    """The same for a terminal of any colour: two rows a line, black on white."""
    rows = qr_rows(text)
    wide = len(rows[0]) + 2 * _QUIET
    empty = ["0" * wide] * _QUIET
    padded = [*empty, *("0" * _QUIET + row + "0" * _QUIET for row in rows), *empty]
    if len(padded) % 2:
        padded.append("0" * wide)
    lines = (
        "".join(_HALVES[upper + lower] for upper, lower in zip(padded[place], padded[place + 1], strict=True))
        for place in range(0, len(padded), 2)
    )
    return Text("\n".join(lines), style="black on white", no_wrap=True)
