"""A match with all cards open, for the page: one of this disk, or any log file that the page hands over.

All of it comes from the audit of the log (§10.4). So what is shown has been checked, and a deal that is not
finished has no cards that could be shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from collections.abc import Sequence
from typing import BinaryIO, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from engine import SEATS, Seat
from node.errors import LogUnreadable, MatchNotKept, NodeError, StoreError, WishRefused
from node.history.kept import Log
from node.i18n import best_language, speaking, tr
from node.storage.store import Store
from node.web.moments import deal_pictures
from node.web.parlour import Parlour
from node.web.picture import Json, option_values
from node.words.findings import about_match, conclusion
from node.words.problems import problem_sentences
from node.words.wording import Wording, distinct
from protocol.audit import Audit, audit_log
from protocol.genesis import fingerprint
from protocol.match import Match

__all__ = ["MAX_LOG_BYTES", "UPLOAD_PATH", "replay_picture", "replay_routes"]

UPLOAD_PATH: Final = "/replay"
"""The only path to which the page may post anything."""
MAX_LOG_BYTES: Final = 32 * 1024 * 1024
"""Longer files are refused. A deal has about 100,000 bytes."""


class _TooLarge(LogUnreadable):
    """The file is longer than any match could be."""


class _Stopped(Exception):
    """Nobody waits for this audit any more."""


_STATUS: Final[dict[type[NodeError], int]] = {
    MatchNotKept: 404,
    _TooLarge: 413,
    LogUnreadable: 422,
    WishRefused: 503,
}


def replay_picture(audit: Audit, seat: Seat = SEATS[0]) -> Json:
    """A match as the page replays it, seen from `seat`: what the audit says, and each finished deal.

    Raises LogUnreadable where nothing of the log could be checked.
    """
    match = audit.match
    if match is None:
        raise LogUnreadable(
            tr("This is not the log of a Kozel match, or it is damaged from its very beginning.")
        )
    genesis, state = match.genesis, match.state
    wording = Wording(distinct([member.name for member in genesis.roster]), seat)
    return {
        "match": genesis.match_id.hex(),
        "checkWords": fingerprint(genesis.match_id),
        "seat": seat,
        "names": list(wording.names),
        "options": option_values(state),
        "score": list(state.score),
        "goat": state.goat,
        "goatWithEggs": state.goat_with_eggs,
        "finding": audit.finding.value,
        "conclusion": conclusion(audit, match),
        "about": about_match(audit, match),
        "problems": problem_sentences(audit.problems),
        "hidden": _hidden(match),
        "deals": list(deal_pictures(match, wording)),
    }


def _hidden(match: Match) -> str | None:
    """What is said of a deal that has begun and is not shown."""
    if match.over or match.current.state is None:
        return None
    return tr("Deal {number} is not finished: its cards stay hidden.", number=len(match.finished) + 1)


def replay_routes() -> Sequence[Route]:
    """The paths of a page's server that answer with replays."""
    replaying = _Replaying()
    return [
        Route("/replay/{match}.json", replaying.own, methods=["GET"]),
        Route(UPLOAD_PATH, replaying.file, methods=["POST"]),
    ]


class _Replaying:
    """Answers with replays: one audit at a time, so that a match that is being played is not held up."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def own(self, request: Request) -> Response:
        """A match of this player's store, or the one that is watched."""
        with speaking(_language(request)):
            try:
                log = _log(_parlour(request), request.path_params["match"])
                return JSONResponse(await self._replayed(log, request))
            except NodeError as error:
                return _refusal(error)

    async def file(self, request: Request) -> Response:
        """A log file, which is the body of the request."""
        with speaking(_language(request)):
            try:
                return JSONResponse(await self._replayed(await _body(request), request))
            except NodeError as error:
                return _refusal(error)
            except ClientDisconnect:
                return Response(status_code=400)

    async def _replayed(self, log: BinaryIO, request: Request) -> Json:
        """Audit in a thread, for it takes seconds; it ends with whoever waits for it."""
        stop = threading.Event()

        def go_on(_offset: int) -> None:
            if stop.is_set():
                raise _Stopped

        async with self._turn:
            try:
                audit = await asyncio.to_thread(audit_log, log, go_on)
                seat = _seat_here(_parlour(request).store, audit)
                return await asyncio.to_thread(replay_picture, audit, seat)
            finally:
                stop.set()


def _language(request: Request) -> str:
    return best_language([request.query_params.get("lang", "")])


def _parlour(request: Request) -> Parlour:
    parlour: Parlour = request.scope["seat"][0]
    return parlour


def _log(parlour: Parlour, name: str) -> BinaryIO:
    """The log of a match by its id in hexadecimal digits, as a file; raises NodeError."""
    watched = parlour.watched
    if watched is not None and watched.log.match_id.hex() == name:
        return io.BytesIO(Log(watched.log.genesis.encode(), tuple(watched.events())).encode())
    return _stored_log(parlour.store, name)


def _stored_log(store: Store | None, name: str) -> BinaryIO:
    """The log of a match of this disk."""
    if store is None:
        raise WishRefused(tr("The program is between two tables. Try again in a moment."))
    try:
        match = store.match(bytes.fromhex(name))
    except ValueError:
        match = None
    if match is None:
        raise MatchNotKept(tr("This match is not kept on this computer."))
    return io.BytesIO(Log(match.genesis, tuple(store.events(match.match_id))).encode())


async def _body(request: Request) -> BinaryIO:
    """What the page hands over; raises _TooLarge as soon as that is known."""
    declared = request.headers.get("content-length", "")
    stream = io.BytesIO()
    if declared.isdecimal() and int(declared) > MAX_LOG_BYTES:
        raise _too_large()
    async for chunk in request.stream():
        if stream.tell() + len(chunk) > MAX_LOG_BYTES:
            raise _too_large()
        stream.write(chunk)
    stream.seek(0)
    return stream


def _too_large() -> _TooLarge:
    megabytes = MAX_LOG_BYTES // (1024 * 1024)
    return _TooLarge(tr("The file is larger than {count} MB: no match has such a log.", count=megabytes))


def _seat_here(store: Store | None, audit: Audit) -> Seat:
    """Where this player sat in the match; the first seat if this disk knows nothing of it."""
    match = None
    if store is not None and audit.match is not None:
        with contextlib.suppress(StoreError):
            match = store.match(audit.match.genesis.match_id)
    return SEATS[0] if match is None else match.seat


def _refusal(error: NodeError) -> Response:
    return JSONResponse({"error": str(error)}, _STATUS.get(type(error), 500))
