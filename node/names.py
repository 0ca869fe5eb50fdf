"""Names and short lines that came from people, made safe to show on a terminal or a page.

A name travels from one player's machine to the others' screens, so it may be hostile: escape sequences,
line breaks, marks that reverse the direction of the text that follows, or a page of it.
"""

from __future__ import annotations

import unicodedata

MAX_NAME = 24
"""Longest display name, in code points."""

# Controls, formats (bidirectional overrides, zero-width joiners), surrogates, private use, unassigned.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MAX_INPUT = 1024


def clean_line(text: str, limit: int) -> str:
    """Return `text` as one line of at most `limit` printable code points, perhaps empty.

    Composed (NFC), every run of white space made one space, unsafe code points dropped. Cleaning a
    clean line changes nothing.
    """
    spaced = "".join(" " if char.isspace() else char for char in text[:_MAX_INPUT])
    safe = "".join(char for char in spaced if unicodedata.category(char) not in _UNSAFE_CATEGORIES)
    line = " ".join(unicodedata.normalize("NFC", safe).split())
    return line[:limit].rstrip()


def clean_name(text: str, fallback: str = "?") -> str:
    """Return a display name of 1 to `MAX_NAME` printable code points; `fallback` if nothing is left."""
    return clean_line(text, MAX_NAME) or fallback
