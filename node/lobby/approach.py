"""Walking up to a table: dial its addresses, read its hello, and say in words what went wrong."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from node.errors import (
    LobbyBusy,
    LobbyClosed,
    LobbyError,
    LobbyFull,
    LobbyTimeout,
    LobbyUnreachable,
    NotATable,
    TableNotFound,
    VersionMismatch,
    WrongCode,
)
from node.i18n import tr
from node.lobby.messages import MAX_FRAME, VERSION, Hello, Malformed, decode_hello
from node.lobby.talk import Refusal, Talk
from node.network.addresses import MAX_ADDRESSES, format_host_port

Address = tuple[str, int]

_HEAD_START = 0.25
"""Seconds that an address has for itself before the next one is tried beside it."""


@dataclass(frozen=True, slots=True)
class Approach:
    """A table that has said hello. `frame` are the hello's bytes; `where` is its address for people."""

    talk: Talk
    hello: Hello
    frame: bytes
    where: str


@contextlib.asynccontextmanager
async def approached(
    addresses: Sequence[Address], expected_table: bytes | None = None, *, deadline: float = 5.0
) -> AsyncIterator[Approach]:
    """Keep a conversation with the first address at which the table answers, `deadline` seconds in all.

    An adapter of a virtual machine or a tunnel may lead nowhere, so no address is waited for: the next
    one gets its chance a quarter of a second later. `expected_table` is the table's id (16 bytes) where it is
    known. Raises LobbyError, also for what goes wrong inside the context.
    """
    tried = [format_host_port(*address) for address in addresses[:MAX_ADDRESSES]]
    try:
        async with asyncio.timeout(deadline):
            found = await _first_to_answer(addresses[:MAX_ADDRESSES], expected_table)
            try:
                with explained(found.where):
                    yield found
            finally:
                found.talk.hang_up()
    except TimeoutError as error:
        where = ", ".join(tried)
        raise LobbyTimeout(
            tr("The table at {where} did not answer in time. Try again.", where=where)
        ) from error


@contextlib.contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn what a conversation may raise into LobbyError."""
    try:
        yield
    except (asyncio.IncompleteReadError, OSError) as error:
        raise _closed(where) from error
    except Malformed as error:
        raise NotATable(
            tr("What answers at {where} does not speak as a table does. Check the address.", where=where)
        ) from error
    except Refusal as error:
        raise _refused(error.reason, where) from error


async def _first_to_answer(addresses: Sequence[Address], expected_table: bytes | None) -> Approach:
    waiting = deque(addresses)
    dialing: set[asyncio.Task[Approach]] = set()
    problems: list[LobbyError] = []
    try:
        while waiting or dialing:
            if waiting:
                dialing.add(asyncio.create_task(_greeted(waiting.popleft(), expected_table)))
            head_start = _HEAD_START if waiting else None
            done, _ = await asyncio.wait(dialing, timeout=head_start, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                dialing.discard(task)
                try:
                    return task.result()
                except (LobbyUnreachable, LobbyClosed, NotATable, TableNotFound) as error:
                    problems.append(error)  # The table may still answer at another of its addresses.
    finally:
        await _give_up(dialing)
    raise _most_telling(problems)


async def _give_up(dialing: set[asyncio.Task[Approach]]) -> None:
    for task in dialing:
        task.cancel()
    for late in await asyncio.gather(*dialing, return_exceptions=True):
        if isinstance(late, Approach):
            late.talk.hang_up()


def _most_telling(problems: Sequence[LobbyError]) -> LobbyError:
    """Something that answers says more than something that does not."""
    answered = [problem for problem in problems if not isinstance(problem, LobbyUnreachable)]
    return (answered or list(problems))[0]


async def _greeted(address: Address, expected_table: bytes | None) -> Approach:
    where = format_host_port(*address)
    talk = Talk(*await _connect(*address))
    try:
        with explained(where):
            frame, fields = await talk.hear_any()
            hello = decode_hello(fields)
        _check_hello(hello, expected_table, where)
    except BaseException:
        talk.hang_up()
        raise
    return Approach(talk, hello, frame, where)


async def _connect(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        return await asyncio.open_connection(host, port, limit=2 * MAX_FRAME)
    except (OSError, ValueError, OverflowError) as error:
        raise LobbyUnreachable(
            tr(
                "Nobody answers at {where}. Check the address, that the table is open, "
                "and that both computers are on one network.",
                where=format_host_port(host, port),
            )
        ) from error


def _check_hello(hello: Hello, expected_table: bytes | None, where: str) -> None:
    if hello.version != VERSION:
        raise VersionMismatch(
            tr(
                "The table at {where} speaks version {theirs} and this program version {ours}. "
                "Update the older one.",
                where=where,
                theirs=hello.version,
                ours=VERSION,
            )
        )
    if expected_table is not None and hello.table_id != expected_table:
        raise TableNotFound(
            tr(
                "Another table, “{name}”, answers at {where}. The one you look for is gone or has moved.",
                name=hello.table_name,
                where=where,
            )
        )


def _refused(reason: str, where: str) -> LobbyError:
    """What a refusal in the open means. Anybody in between can send one, so it is only ever a word."""
    match reason:
        case "wrong-code":
            return WrongCode(
                tr("The code is not the one on the host's screen. It changes after five wrong ones.")
            )
        case "full":
            return LobbyFull(tr("All seats at the table at {where} are taken.", where=where))
        case "busy":
            return LobbyBusy(
                tr("Too many people are joining at {where}. Try again in a few seconds.", where=where)
            )
        case _:
            return _closed(where)


def _closed(where: str) -> LobbyClosed:
    return LobbyClosed(
        tr(
            "The table at {where} closed the connection. Ask the host if it still waits for players.",
            where=where,
        )
    )
