"""What a page may ask for: its fields, checked before anybody acts on them."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine import HAND_SIZE, SEATS, Cards, NotationError, Options, Seat, parse_card
from engine.errors import OptionsError
from node.errors import WishRefused
from node.i18n import tr
from node.seating.bot_seats import LEVELS, MEDIUM
from protocol.limits import DEFAULT_GRACE, GRACE_SECONDS

__all__ = ["Viewing", "Wish"]

_MAX_TEXT: Final = 512
_MAX_BOTS: Final = 3
_OPTIONS: Final = ("target", "eggs", "molodka")
_DELAYS: Final = (0, 30, 120, 600)


@dataclass(frozen=True, slots=True)
class Viewing:
    """Whether people may watch a table, and how many seconds later they see everything."""

    allowed: bool = True
    delay: int = 0


class Wish:
    """One message from a page. Every reader of a field raises WishRefused where it is not what it must be."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    @property
    def kind(self) -> str:
        """What is asked for."""
        return self.text("do")

    @property
    def number(self) -> int | None:
        """By which number the answer is asked for."""
        number = self._fields.get("id")
        return number if type(number) is int else None

    def text(self, name: str, default: str | None = None) -> str:
        """A short text."""
        value = self._fields.get(name, default)
        if not isinstance(value, str) or len(value) > _MAX_TEXT:
            raise _strange(name)
        return value

    def switch(self, name: str, default: bool | None = None) -> bool:
        """On or off."""
        value = self._fields.get(name, default)
        if not isinstance(value, bool):
            raise _strange(name)
        return value

    def whole(self, name: str, default: int, allowed: Container[int]) -> int:
        """A whole number of those that are allowed."""
        value = self._fields.get(name, default)
        if type(value) is not int or value not in allowed:
            raise _strange(name)
        return value

    def seat(self, name: str) -> Seat:
        """A seat."""
        return self.whole(name, -1, range(len(SEATS)))

    def cards(self, name: str) -> Cards:
        """Up to four cards, in the engine's notation."""
        value = self._fields.get(name)
        if not isinstance(value, list) or len(value) > HAND_SIZE:
            raise _strange(name)
        try:
            return tuple(parse_card(code) for code in value)
        except (NotationError, TypeError, AttributeError) as error:
            raise _strange(name) from error

    def bots(self) -> int:
        """How many bots are to come."""
        return self.whole("bots", 0, range(_MAX_BOTS + 1))

    def level(self) -> str:
        """How strong bots are to be."""
        level = self.text("level", MEDIUM)
        if level not in LEVELS:
            raise _strange("level")
        return level

    def grace(self) -> int:
        """Seconds to wait for a silent player."""
        return self.whole("grace", DEFAULT_GRACE, GRACE_SECONDS)

    def watching(self) -> Viewing:
        """Whether people may watch, and how much later."""
        return Viewing(self.switch("watch", True), self.whole("delay", 0, _DELAYS))

    def options(self) -> Options:
        """The options of a table."""
        usual = Options()
        try:
            return Options(*(self._fields.get(name, getattr(usual, name)) for name in _OPTIONS))
        except OptionsError as error:
            raise _strange(tr("options")) from error


def _strange(name: str) -> WishRefused:
    return WishRefused(tr("The page asked for something that makes no sense ({what}). Reload it.", what=name))
