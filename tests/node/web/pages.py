"""A page without a browser: the real server on loopback, and a socket to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from node.network.addresses import LOOPBACK
from node.storage.profile import Profile
from node.web.audience import Audience
from node.web.parlour import Parlour
from node.web.serving import new_secret, served
from node.web.settings import ParlourSettings

SETTINGS = ParlourSettings(LOOPBACK, None, port=0)


class Tab:
    """One tab: what it was shown last, and the answers to what it asked."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.shown: dict[str, Any] = {}
        self.news: list[str] = []
        self.answers: dict[int | None, dict[str, Any] | None] = {}
        self.values: dict[int | None, Any] = {}

    async def next(self) -> None:
        """Take in one message."""
        message = json.loads(await self._socket.recv())
        if "show" in message:
            self.shown = message["show"]
            self.news += message["show"]["news"]
        else:
            self.answers[message["answer"]] = message.get("refused")
            self.values[message["answer"]] = message.get("value")

    async def until(self, stage: str, **wanted: Any) -> Any:
        """Wait for a picture of this stage in which these fields are so; returns what it shows."""
        while True:
            found = self.shown.get(stage, {}) if self.shown.get("stage") == stage else None
            if found is not None and all(found.get(key) == value for key, value in wanted.items()):
                return found
            await self.next()

    async def ask(self, wish: str, **fields: Any) -> dict[str, Any] | None:
        """Ask for something; what it is refused with, or None."""
        self._number += 1
        await self.say(json.dumps({"id": self._number, "do": wish, **fields}))
        while self._number not in self.answers:
            await self.next()
        return self.answers[self._number]

    async def told(self, wish: str, **fields: Any) -> Any:
        """Ask for something that is not refused; what is answered."""
        assert await self.ask(wish, **fields) is None
        return self.values[self._number]

    async def say(self, text: str) -> None:
        """Send any text."""
        await self._socket.send(text)


class Page:
    """Where a page is served."""

    def __init__(self, port: int, secret: str, parlour: Parlour) -> None:
        self.port = port
        self.secret = secret
        self.parlour = parlour

    @property
    def host(self) -> str:
        """The value of Host and, after http://, of Origin."""
        return f"{LOOPBACK}:{self.port}"

    @contextlib.asynccontextmanager
    async def tab(self, language: str = "en") -> AsyncIterator[Tab]:
        """Open a tab."""
        address = f"ws://{self.host}/{self.secret}/socket?lang={language}"
        async with connect(address, origin=f"http://{self.host}") as socket:  # type: ignore[arg-type]
            yield Tab(socket)


@contextlib.asynccontextmanager
async def open_page(
    folder: Path, name: str = "Olga", settings: ParlourSettings = SETTINGS
) -> AsyncIterator[Page]:
    """A page whose player goes from table to table while the context lasts."""
    with Profile.open(folder / name, name=name) as profile:
        audience, secret = Audience(), new_secret()
        parlour = Parlour(profile, settings, audience.changed)
        async with served({secret: (parlour, audience)}) as port:
            running = asyncio.create_task(parlour.run())
            try:
                yield Page(port, secret, parlour)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
