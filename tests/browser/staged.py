"""The real page before a table that a test has set up: its pictures come from the test, not from a match."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from node.web.picture import table_picture
from node.words.telling import Telling
from node.words.wording import Wording, distinct
from tests.node.terminal_tables import Felt

_QUIET: dict[str, Any] = {"phrases": ["Hello!", "Well played!", "👏"], "said": []}

Refuse = Callable[[dict[str, Any]], "dict[str, str] | None"]
Answer = Callable[[dict[str, Any]], Any]


class Stage:
    """Shows what a test wants, and keeps what the page asks for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[dict[str, Any]] = []
        self.refuse: Refuse = lambda _wish: None
        self.answer: Answer = lambda _wish: None
        self._socket: WebSocketRoute | None = None
        self._shown: dict[str, Any] | None = None
        self._telling: tuple[Felt, Telling] | None = None
        page.route_web_socket(re.compile("/socket"), self._meet)

    def show(self, felt: Felt, **changes: Any) -> None:
        """Show a table; `changes` replace fields of its picture."""
        live: Any = felt
        if self._telling is None or self._telling[0] is not felt:
            self._telling = (
                felt,
                Telling(live.table.match, lambda: live.state, Wording(distinct(felt.names), felt.seat)),
            )
        picture = {
            **table_picture(live),
            "changed": [],
            "standIn": False,
            "askedAgain": False,
            "waitsForOthers": False,
            "onlookers": None,
            **_QUIET,
        }
        self.send("table", {**picture, **changes}, self._telling[1].catch_up())

    def send(
        self, stage: str, picture: dict[str, Any], news: list[str] | None = None, **changes: Any
    ) -> None:
        """Show anything."""
        self._shown = {
            "stage": stage,
            stage: picture,
            "me": "Olga",
            "phone": None,
            "notice": None,
            "news": news or [],
            **changes,
        }
        self._tell()

    def _meet(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hear)
        self._tell()

    def _tell(self) -> None:
        if self._socket is not None and self._shown is not None:
            self._socket.send(json.dumps({"show": self._shown}))

    def _hear(self, message: str | bytes) -> None:
        wish = json.loads(message)
        self.asked.append(wish)
        self.reply(wish)

    def reply(self, wish: dict[str, Any]) -> None:
        """Answer what the page has asked for."""
        refused, value = self.refuse(wish), self.answer(wish)
        said = {"refused": refused} if refused else {} if value is None else {"value": value}
        if self._socket is not None:
            self._socket.send(json.dumps({"answer": wish["id"], **said}))
