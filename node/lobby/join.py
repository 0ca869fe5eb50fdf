"""The joiner's side of the lobby."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from node.errors import (
    HostUnproven,
    JoinRefused,
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
from node.lobby.messages import MAX_FRAME, MAX_REASON, VERSION, Hello, Introduction, Malformed, decode_hello
from node.lobby.pake import KeyExchange, Role, Session, read_code
from node.lobby.talk import Refusal, Talk, check_own
from node.names import clean_line
from node.network.addresses import format_host_port


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """Where the guest was let in. `address` is where the host's link listens: numeric address and port."""

    host: Introduction
    table_id: bytes
    table_name: str
    address: tuple[str, int]


async def join(
    host: str,
    port: int,
    code: str,
    me: Introduction,
    identity_seed: bytes,
    *,
    expected_table: bytes | None = None,
    deadline: float = 5.0,
) -> JoinedTable:
    """Join the table whose lobby answers at `host` and `port`, within `deadline` seconds.

    `expected_table` is its id (16 bytes) where it is known from an announcement or a link; another one is
    then not even tried. Whatever the other side does, what is raised is a LobbyError.
    """
    check_own(me, identity_seed)
    digits = read_code(code)
    where = format_host_port(host, port)
    if digits is None:
        raise WrongCode(tr("The code has eight digits. Look at the host's screen and type it again."))
    try:
        async with asyncio.timeout(deadline):
            reader, writer = await _connect(host, port)
            try:
                return await _converse(Talk(reader, writer), digits, me, identity_seed, expected_table, where)
            finally:
                writer.close()
    except TimeoutError as error:
        raise LobbyTimeout(
            tr("The table at {where} did not answer in time. Try again.", where=where)
        ) from error
    except (asyncio.IncompleteReadError, OSError) as error:
        raise _closed(where) from error
    except Malformed as error:
        raise NotATable(
            tr("What answers at {where} does not speak as a table does. Check the address.", where=where)
        ) from error
    except Refusal as error:
        raise _refused(error.reason, where) from error


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


async def _converse(
    talk: Talk, code: str, me: Introduction, seed: bytes, expected_table: bytes | None, where: str
) -> JoinedTable:
    frame, fields = await talk.hear_any()
    hello = decode_hello(fields)
    _check_hello(hello, expected_table, where)
    session = await _agree(talk, code, hello, frame, where)
    await talk.introduce(session, me, seed)
    try:
        host = await talk.meet(session)
    except Refusal as error:
        reason = clean_line(error.reason, MAX_REASON)
        raise JoinRefused(tr("The host did not let you in: {reason}", reason=reason)) from error
    if me.identity == host.identity or me.transport == host.transport:
        raise _unproven(where)
    return JoinedTable(host, hello.table_id, hello.table_name, (talk.peer_address, host.link_port))


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
    if hello.free_seats == 0:
        raise LobbyFull(tr("All seats at the table “{name}” are taken.", name=hello.table_name))


async def _agree(talk: Talk, code: str, hello: Hello, hello_frame: bytes, where: str) -> Session:
    """Exchange keys and confirm them, we first: the caller spends its guess before the host proves itself."""
    exchange = KeyExchange(Role.JOINER, code, hello.table_id)
    await talk.say("key", exchange.message)
    session = exchange.finish(await talk.hear("key"), hello_frame)
    await talk.say("confirm", session.confirmation)
    if not session.confirms(await talk.hear("confirm")):
        raise _unproven(where)
    return session


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


def _unproven(where: str) -> HostUnproven:
    return HostUnproven(
        tr(
            "What answers at {where} could not prove that it is the host. Do not go on; ask the host.",
            where=where,
        )
    )
