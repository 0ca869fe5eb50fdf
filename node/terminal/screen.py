"""Putting lines on a terminal: plain text first, colour only as an ornament."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.text import Text

from node.words.wording import SYMBOLS

__all__ = ["Screen"]

_RED_CARD: Final = r"(?<![^\s(])(?:10|[6-9JQKA])[♦♥](?![^\s).,])"
_BANNERS: Final = ("---", "===")
_MAX_WIDTH: Final = 100


class Screen:
    """Writes whole lines, and one prompt that later lines do not run into."""

    def __init__(self, console: Console, *, echoed: bool | None = None) -> None:
        """`echoed`: whether what is typed appears on the screen with its line break, as on a terminal."""
        self._console = console
        self._echoed = sys.stdin.isatty() if echoed is None else echoed
        self._asking = False

    @property
    def symbols(self) -> bool:
        """Whether the signs of the suits can be shown."""
        return self._encodable(SYMBOLS) == SYMBOLS

    @property
    def width(self) -> int:
        """How many columns to use."""
        return min(self._console.width, _MAX_WIDTH)

    def say(self, *lines: str) -> None:
        """Write lines."""
        self._leave_prompt()
        for line in lines:
            self._console.print(self._styled(line))

    def say_unbroken(self, line: str) -> None:
        """Write a line that is to be copied: where it is too long only the terminal itself breaks it."""
        self._leave_prompt()
        self._console.print(self._styled(line), soft_wrap=True)

    def show(self, lines: Iterable[str]) -> None:
        """Write a block of lines under a ruled line."""
        self.say("", "-" * min(self.width, 60), *lines)

    def ask(self, prompt: str) -> None:
        """Write a prompt and stay on its line."""
        self._leave_prompt()
        self._console.print(self._styled(prompt), end="")
        self._asking = True

    def answered(self) -> None:
        """A line was typed."""
        if self._echoed:
            self._asking = False

    def _leave_prompt(self) -> None:
        if self._asking:
            self._asking = False
            self._console.print()

    def _styled(self, line: str) -> Text:
        # A Text is shown as it stands: names may hold what looks like markup.
        text = Text(self._encodable(line))
        text.highlight_regex(_RED_CARD, "red")
        if line.startswith(_BANNERS) and not line.startswith("-----"):
            text.stylize("bold")
        return text

    def _encodable(self, text: str) -> str:
        encoding = self._console.encoding
        return text.encode(encoding, "replace").decode(encoding)
