"""What people type while they look at a replay: a letter, a word, or the number of a deal and a trick."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

from node.i18n import tr
from node.names import clean_line

__all__ = ["Jump", "Order", "Typed", "Unclear", "help_lines", "parse_order"]


class Order(Enum):
    """Everything that can be asked for without a number."""

    NEXT = auto()
    BACK = auto()
    NEXT_TRICK = auto()
    BACK_TRICK = auto()
    NEXT_DEAL = auto()
    BACK_DEAL = auto()
    FIRST = auto()
    LAST = auto()
    TEXT = auto()
    MATCH = auto()
    HELP = auto()
    QUIT = auto()


@dataclass(frozen=True, slots=True)
class Jump:
    """Numbers as people count, from 1. Without a `deal` it is the one that is shown, without a `trick` its
    first."""

    deal: int | None
    trick: int | None


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing that is understood here; `text` is short and safe to show."""

    text: str


Typed: TypeAlias = Order | Jump | Unclear

_LETTERS: Final = {"t": Order.NEXT_TRICK, "T": Order.BACK_TRICK, "d": Order.NEXT_DEAL, "D": Order.BACK_DEAL}
"""The only ones whose case matters."""
_WORDS: Final = {
    "": Order.NEXT,
    "n": Order.NEXT,
    "next": Order.NEXT,
    "b": Order.BACK,
    "back": Order.BACK,
    "f": Order.FIRST,
    "first": Order.FIRST,
    "l": Order.LAST,
    "last": Order.LAST,
    "w": Order.TEXT,
    "text": Order.TEXT,
    "m": Order.MATCH,
    "match": Order.MATCH,
    "h": Order.HELP,
    "help": Order.HELP,
    "?": Order.HELP,
    "q": Order.QUIT,
    "quit": Order.QUIT,
    "exit": Order.QUIT,
}
_NUMBERS: Final = re.compile(r"(?:g *)?(?:(\d{1,4})(?:[ .,:]+(\d{1,4}))?|[.,:](\d{1,4}))")
_MAX_REPEATED: Final = 60
"""Of what is not understood no more than this is shown again."""


def parse_order(line: str) -> Typed:
    """Read a line; a blank one asks for the next step."""
    text = " ".join(line.split())
    if text in _LETTERS:
        return _LETTERS[text]
    word = text.lower()
    if word in _WORDS:
        return _WORDS[word]
    numbers = _NUMBERS.fullmatch(word)
    if numbers is None:
        return Unclear(clean_line(line, _MAX_REPEATED))
    deal, trick, alone = (None if digits is None else int(digits) for digits in numbers.groups())
    return Jump(deal, trick if alone is None else alone)


def help_lines() -> list[str]:
    """Everything that can be typed."""
    keys = (
        ("", tr("one step on")),
        ("b", tr("one step back")),
        ("t", tr("the next trick")),
        ("T", tr("the beginning of this trick, then the trick before")),
        ("d", tr("the next deal")),
        ("D", tr("the beginning of this deal, then the deal before")),
        ("g 3", tr("to deal 3")),
        ("g 3.2", tr("to trick 2 of deal 3")),
        ("g .2", tr("to trick 2 of this deal")),
        ("f", tr("to the beginning")),
        ("l", tr("to the end")),
        ("w", tr("this whole deal in words")),
        ("m", tr("about this match")),
        ("h", tr("this help")),
        ("q", tr("quit")),
    )
    lines = [f"  {key or 'Enter':<7}{text}" for key, text in keys]
    return [tr("Type one of these and press Enter:"), *lines]
