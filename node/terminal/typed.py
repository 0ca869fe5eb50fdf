"""What people type at the table: a number, a word, or cards by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine import (
    HAND_SIZE,
    Beat,
    Cards,
    Discard,
    Lead,
    Molodka,
    Play,
    Seat,
    State,
    parse_card,
    set_beats,
)
from node.names import clean_line
from node.words.wording import SYMBOLS

__all__ = ["Command", "Gone", "Number", "Typed", "Unclear", "Verb", "Wish", "parse_typed", "play_wished"]


class Command(Enum):
    """Words that ask for something other than a play."""

    HAND = "hand"
    SCORE = "score"
    LAST = "last"
    TABLE = "table"
    HINT = "hint"
    HELP = "help"
    QUIT = "quit"
    CLAIM = "m"


class Verb(Enum):
    """What is to be done with the cards; ANY when only cards were typed."""

    LEAD = "lead"
    BEAT = "beat"
    DISCARD = "discard"
    ANY = ""


@dataclass(frozen=True, slots=True)
class Number:
    """One of the numbered choices."""

    value: int


@dataclass(frozen=True, slots=True)
class Wish:
    """Cards by name, and what to do with them."""

    verb: Verb
    cards: Cards


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing that is understood here; `text` is short and safe to show."""

    text: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A player is gone: by name, or whoever is spoken of if the name is empty."""

    name: str


Typed: TypeAlias = Command | Number | Wish | Gone | Unclear

_COMMANDS: Final = {
    **{command.value: command for command in Command},
    "?": Command.HELP,
    "exit": Command.QUIT,
    "molodka": Command.CLAIM,
}
_VERBS: Final = {
    "lead": Verb.LEAD,
    "l": Verb.LEAD,
    "beat": Verb.BEAT,
    "b": Verb.BEAT,
    "discard": Verb.DISCARD,
    "d": Verb.DISCARD,
    "molodka": Verb.LEAD,
}
_CARD: Final = re.compile(rf"(10|[6-9tjqka])([cdhs{SYMBOLS}])")
_BETWEEN_CARDS: Final = re.compile(r"[\s,\ufe0e\ufe0f]+")
_GONE: Final = "gone"
_MAX_NUMBER_DIGITS: Final = 3
_MAX_REPEATED: Final = 60
"""Of what is not understood no more than this is shown again."""


def parse_typed(line: str) -> Typed | None:
    """Read a line; None when it is blank. Letter case does not matter."""
    text = " ".join(line.lower().split())
    if not text:
        return None
    if text in _COMMANDS:
        return _COMMANDS[text]
    if text.split(" ")[0] == _GONE:
        return Gone(clean_line(" ".join(line.split())[len(_GONE) :], _MAX_REPEATED).strip())
    if text.isascii() and text.isdigit() and len(text) <= _MAX_NUMBER_DIGITS:
        return Number(int(text))
    word, _, rest = text.partition(" ")
    verb, named = (_VERBS[word], rest) if word in _VERBS else (Verb.ANY, text)
    cards = _parse_cards(named)
    return Unclear(clean_line(line, _MAX_REPEATED)) if cards is None else Wish(verb, cards)


def play_wished(wish: Wish, state: State, seat: Seat) -> Play | None:
    """The play that is meant, allowed or not; None when the cards could be meant to beat or to be discarded.

    That choice is the player's and is never inferred (R8).
    """
    trick = state.trick
    branch = None if trick is None else trick.effective
    on = branch.leader if branch is not None else seat if trick is None else trick.entitled
    answers = branch is not None and branch.awaited == seat
    match wish.verb:
        case Verb.BEAT:
            return Beat(seat, wish.cards, on)
        case Verb.DISCARD:
            return Discard(seat, len(wish.cards), wish.cards, on)
        case Verb.ANY if answers and branch is not None:
            beats = state.trump is not None and set_beats(wish.cards, branch.best[1], state.trump)
            return None if beats else Beat(seat, wish.cards, on)
    entitled = trick is not None and trick.entitled == seat
    if entitled or len(wish.cards) < HAND_SIZE:
        return Lead(seat, wish.cards)
    return Molodka(seat, wish.cards)


def _parse_cards(text: str) -> Cards | None:
    packed = _BETWEEN_CARDS.sub("", text)
    found = _CARD.findall(packed)
    if not found or "".join(rank + suit for rank, suit in found) != packed:
        return None
    return tuple(parse_card(_RANKS.get(rank, rank.upper()) + _suit_letter(suit)) for rank, suit in found)


_RANKS: Final = {"10": "T"}


def _suit_letter(mark: str) -> str:
    return "cdhs"[SYMBOLS.index(mark)] if mark in SYMBOLS else mark
