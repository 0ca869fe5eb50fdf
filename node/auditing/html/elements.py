"""HTML and SVG made by calls. Whatever is not markup yet is escaped, so that no text can become markup.

What comes out is also well-formed XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

__all__ = ["Inside", "Markup", "element", "isolated", "joined"]


class Markup(str):
    """Text that is markup already. Whatever strings do with it gives plain text again, which is escaped."""

    __slots__ = ()


Inside: TypeAlias = "str | int | Iterable[Inside] | None"
"""What may stand in an element: text, a number, markup, nothing, or several of those."""

_FIRST_STRONG_ISOLATE: Final = "\u2068"
_POP_ISOLATE: Final = "\u2069"
_VOID: Final = frozenset({"br", "link", "meta"})
# XML knows no such characters, not even written as numbers; HTML reads NUL as another one.
_NOT_XML: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff"
# Embeddings and overrides of the direction reach beyond the text that they stand in.
_OVERRIDES: Final = "\u202a-\u202e"
_UNFIT: Final = re.compile(f"[{_NOT_XML}{_OVERRIDES}]")
_ISOLATES: Final = re.compile("[\u2066-\u2069]")
_MEANINGS: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def element(tag: str, *inside: Inside, **attributes: str | int | float | None) -> Markup:
    """An element. An attribute that is None is left out.

    A trailing underscore of an attribute's name is dropped, as in `class_`; others become hyphens.
    """
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_escaped(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{tag}{told}/>")
    return Markup(f"<{tag}{told}>{joined(*inside)}</{tag}>")


def joined(*inside: Inside) -> Markup:
    """Several things one after the other, without an element round them."""
    return Markup("".join(map(_markup, inside)))


def isolated(text: str) -> str:
    """Somebody else's text, to stand within a sentence: its direction does not touch what is round it."""
    return _FIRST_STRONG_ISOLATE + _ISOLATES.sub("\N{REPLACEMENT CHARACTER}", text) + _POP_ISOLATE


def _markup(inside: Inside) -> str:
    if inside is None:
        return ""
    if isinstance(inside, Markup):
        return inside
    if isinstance(inside, str | int):
        return _escaped(str(inside))
    return "".join(map(_markup, inside))


def _escaped(text: str) -> str:
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text).translate(_MEANINGS)
