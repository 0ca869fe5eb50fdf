"""The page and its socket: Starlette behind a secret in the link, for the hosts and origins it was made for.

Whoever knows the link sits in this seat, so it is a password: it stands in the path, is told to nobody by a
referrer, and a page of another origin cannot use it. Nothing the page needs comes from anywhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterable
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from node.errors import NodeError, WishRefused
from node.i18n import LANGUAGES, best_language, messages, speaking, tr
from node.web.audience import Audience
from node.web.parlour import Parlour
from node.web.replaying import UPLOAD_PATH, replay_routes
from node.web.wishes import Wish

__all__ = ["PAGE_FOLDER", "make_app"]

PAGE_FOLDER: Final = Path(__file__).parent / "page"
_MAX_MESSAGE: Final = 4_096
_BUSY: Final[dict[str, str]] = {
    "check": "This is being checked already.",
    "hint": "The hint is being thought out already.",
}
"""What takes a while, and what is said to whoever asks for it once more meanwhile."""
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def make_app(seats: dict[str, tuple[Parlour, Audience]], hosts: Callable[[], Iterable[str]]) -> ASGIApp:
    """The application. `seats` are the pages by their secret, `hosts` the values of Host it answers to."""

    async def socket(websocket: WebSocket) -> None:
        parlour, audience = websocket.scope["seat"]
        await _Conversation(websocket, parlour, audience).hold()

    def words(request: Request) -> Response:
        # No coroutine, so it runs in a thread: a catalogue takes some time to read.
        code = request.path_params["language"]
        if code not in LANGUAGES:
            return PlainTextResponse("no such language", 404)
        return JSONResponse(messages(code))

    inner = Starlette(
        routes=[
            WebSocketRoute("/socket", socket),
            Route("/words/{language}.json", words),
            *replay_routes(),
            Mount("/", StaticFiles(directory=PAGE_FOLDER, html=True)),
        ]
    )
    return _Gate(inner, seats, hosts)


class _Gate:
    """Lets through what names a seat's secret, the right host and, for a socket, the right origin."""

    def __init__(
        self,
        inner: ASGIApp,
        seats: dict[str, tuple[Parlour, Audience]],
        hosts: Callable[[], Iterable[str]],
    ) -> None:
        self._inner = inner
        self._seats = seats
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        _, secret, rest = (*scope["path"].split("/", 2), "", "")[:3]
        found = next((seat for known, seat in self._seats.items() if _same(known, secret)), None)
        path = f"/{rest}"
        if found is None or host not in set(self._hosts()) or not _may_connect(scope, path, headers, host):
            await _refuse(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"] == f"/{secret}":
            await RedirectResponse(f"/{secret}/")(scope, receive, send)
            return
        scope = {**scope, "seat": found, "path": path, "raw_path": path.encode(), "root_path": ""}
        await self._inner(scope, receive, _with_headers(send))


def _same(known: str, given: str) -> bool:
    return compare_digest(known.encode(), given.encode())


def _may_connect(scope: Scope, path: str, headers: dict[bytes, bytes], host: str) -> bool:
    """A page of any origin can open a socket or post something: so these must say whose they are."""
    origin = headers.get(b"origin")
    if scope["type"] == "websocket" or (scope["method"], path) == ("POST", UPLOAD_PATH):
        return origin == f"http://{host}".encode()
    return scope["method"] in ("GET", "HEAD") and origin in (None, f"http://{host}".encode())


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).close(4403)
        return
    words = tr("Not here. Use the link that Kozel has shown.")
    await PlainTextResponse(f"{words}\n", 403)(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *own]}
        await send(message)

    return with_headers


class _Conversation:
    """One tab: what it is shown, and what it asks for."""

    def __init__(self, websocket: WebSocket, parlour: Parlour, audience: Audience) -> None:
        self._socket = websocket
        self._parlour = parlour
        self._audience = audience
        self._language = best_language([websocket.query_params.get("lang", "")])
        self._long = {"check": parlour.check, "hint": parlour.hint}
        self._answering: dict[str, asyncio.Task[None]] = {}

    async def hold(self) -> None:
        """Talk until the tab goes away."""
        await self._socket.accept()
        self._parlour.language = self._language
        with speaking(self._language):
            showing = asyncio.create_task(self._show())
            try:
                await self._hear()
            except (WebSocketDisconnect, RuntimeError):
                pass  # The tab has gone.
            finally:
                tasks = [showing, *self._answering.values()]
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _show(self) -> None:
        listener = self._audience.listener(self._parlour)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            async for picture in listener.pictures():
                await self._send({"show": picture})

    async def _hear(self) -> None:
        while True:
            text = await self._socket.receive_text()
            await self._answer(text)

    async def _answer(self, text: str) -> None:
        number = None
        try:
            wish = _wish(text)
            number = wish.number
            if wish.kind in self._long:
                self._begin(wish.kind, number)
                return
            if wish.kind != "ping":
                self._parlour.act(wish)
        except NodeError as error:
            await self._refuse(number, error)
        else:
            await self._send({"answer": number})

    def _begin(self, kind: str, number: int | None) -> None:
        """It takes a while, and plays must not wait for it; one at a time of each is enough."""
        before = self._answering.get(kind)
        if before is not None and not before.done():
            raise WishRefused(tr(_BUSY[kind]))
        self._answering[kind] = asyncio.create_task(self._answer_later(kind, number))

    async def _answer_later(self, kind: str, number: int | None) -> None:
        try:
            value = await self._long[kind]()
        except NodeError as error:
            await self._refuse(number, error)
        else:
            await self._send({"answer": number, "value": value})

    async def _refuse(self, number: int | None, error: NodeError) -> None:
        code = error.reason if isinstance(error, WishRefused) else error.code
        await self._send({"answer": number, "refused": {"code": code, "words": str(error)}})

    async def _send(self, value: Any) -> None:
        await self._socket.send_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _wish(text: str) -> Wish:
    try:
        fields = json.loads(text) if len(text) <= _MAX_MESSAGE else None
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise WishRefused(tr("The page said something that makes no sense. Reload it."))
    return Wish(fields)
