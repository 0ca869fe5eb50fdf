"""Bots that this program starts to fill seats at its own table or at another's."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import os
from collections.abc import Collection, Coroutine
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from node.errors import TableClosed
from node.i18n import tr
from node.seating.bot_process import BotProcess
from node.seating.returning import keep_kind_of_bot, kind_of_bot, name_in_match
from node.seating.worker import SeatConfig

__all__ = ["LEVELS", "MEDIUM", "PAUSE_VARIABLE", "BotSeats", "bot_names", "bot_pause"]

MEDIUM: Final = "medium"
LEVELS: Final = ("easy", MEDIUM, "hard")
"""The bots that people choose among, by strength."""

PAUSE_VARIABLE: Final = "KOZEL_BOT_PAUSE"
"""Environment variable: how many seconds a bot waits before it plays."""

_NAMES: Final = ("Anna", "Boris", "Vera", "Gleb", "Dasha", "Yuri", "Nina", "Oleg")
_PAUSE_BESIDE_PEOPLE: Final = 0.7
_MAX_PAUSE: Final = 60.0

_T = TypeVar("_T")


def bot_names(count: int, taken: Collection[str]) -> list[str]:
    """So many short names, at most three, none of them that of somebody at the table."""
    others = {name.casefold() for name in taken}
    return [name for name in _NAMES if name.casefold() not in others][:count]


def bot_pause(*, beside_people: bool) -> float:
    """Seconds that a bot waits before each play: long enough to follow where people watch.

    `KOZEL_BOT_PAUSE` sets it for slower or faster readers.
    """
    try:
        wanted = float(os.environ.get(PAUSE_VARIABLE, ""))
    except ValueError:
        return _PAUSE_BESIDE_PEOPLE if beside_people else 0.0
    return 0.0 if math.isnan(wanted) else min(max(wanted, 0.0), _MAX_PAUSE)


class BotSeats:
    """The bots' processes. A context manager that ends them, to be left when the event loop has ended.

    Each profile belongs to one kind of bot for good, so that who resumes a match is as strong as before.
    """

    def __init__(self, folder: Path, kind: str | None = None, *, pause: float) -> None:
        """`folder` holds a profile for each bot. `kind` is the name of a bot (:func:`node.bots.bot_class`):
        what bots are of which nothing else is said, medium if None.
        """
        self._folder = folder
        self._kind = kind or MEDIUM
        self._pause = pause
        self._bots: list[BotProcess] = []
        self._taken: set[str] = set()
        self.kinds: dict[str, str] = {}
        """What the bots are that were started here, by name."""
        self._failed: asyncio.Future[str] | None = None

    def start(
        self,
        names: list[str],
        table: str,
        code: str,
        address: tuple[str, int],
        listen: str,
        kind: str | None = None,
    ) -> None:
        """Start a bot for each name, which joins the table at `address`. Needs the running event loop.

        They are of this `kind`, or what bots are here usually.
        """
        for name in names:
            folder = self._free_folder(kind or self._kind)
            self._run(
                SeatConfig(
                    profile=str(folder),
                    name=name,
                    play_as=kind or self._kind,
                    table=table,
                    table_id="",
                    code=code,
                    address=address,
                    listen=listen,
                    wish=str(len(self._taken)),
                    pause=self._pause,
                )
            )

    def _free_folder(self, kind: str) -> Path:
        """A profile for one more bot of this kind: one of its own from before, or a new one."""
        for number in itertools.count(1):
            folder = self._folder / str(number)
            if folder.name not in self._taken and kind_of_bot(folder) in (None, kind):
                break
        self._taken.add(folder.name)
        return folder

    def resume(self, match_id: bytes, listen: str, kind: str | None = None) -> None:
        """Start those bots again that take part in this match. Needs the running event loop.

        They are what they were, or of this `kind` from now on.
        """
        for config in self._old_bots(match_id, listen):
            self._run(replace(config, resume=match_id.hex(), play_as=kind or config.play_as))

    def bring_back(self, match_id: bytes, address: tuple[str, int], host: bytes, listen: str) -> int:
        """Have the bots of this match join the table that goes on with it; return how many there are.

        `host` is the identity key of the table's host, 32 bytes, who knows them. Needs the running loop.
        """
        bots = self._old_bots(match_id, listen)
        for config in bots:
            self._run(replace(config, address=address, host_key=host.hex()))
        return len(bots)

    def _old_bots(self, match_id: bytes, listen: str) -> list[SeatConfig]:
        """How to start those bots that take part in this match."""
        configs = []
        for folder in sorted(self._folder.glob("*")):
            name = name_in_match(folder, match_id)
            if name is not None:
                self._taken.add(folder.name)
                configs.append(
                    SeatConfig(
                        profile=str(folder),
                        name=name,
                        play_as=kind_of_bot(folder) or self._kind,
                        table="",
                        table_id="",
                        code="",
                        listen=listen,
                        pause=self._pause,
                    )
                )
        return configs

    def _run(self, config: SeatConfig) -> None:
        keep_kind_of_bot(Path(config.profile), config.play_as)
        self.kinds[config.name] = config.play_as
        loop = asyncio.get_running_loop()
        self._failed = failed = self._failed or loop.create_future()

        def fail(reason: str) -> None:
            if not failed.done():
                failed.set_result(reason)

        def heard(report: dict[str, Any]) -> None:
            reason = _trouble(report, config.name)
            if reason is not None:
                with contextlib.suppress(RuntimeError):  # The event loop has ended: nobody minds any more.
                    loop.call_soon_threadsafe(fail, reason)

        self._bots.append(BotProcess(config, heard))

    async def beside(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do the work, but raise TableClosed when a bot ends before it is done."""
        failed = self._failed or asyncio.get_running_loop().create_future()
        task = asyncio.ensure_future(work)
        both: list[asyncio.Future[Any]] = [task, failed]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise TableClosed(failed.result())
            return await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the bots; takes some seconds if one does not listen."""
        for bot in self._bots:
            bot.stop()


def _trouble(report: dict[str, Any], name: str) -> str | None:
    """What is wrong with a bot, if its report says that it plays no more."""
    match report:
        case {"event": "failed", "reason": reason}:
            return tr("{name}, a bot, cannot play: {reason}", name=name, reason=reason)
        case {"event": "ended"}:
            return tr("The program of {name}, a bot, has ended. The match is kept.", name=name)
    return None
