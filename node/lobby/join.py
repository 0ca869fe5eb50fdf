"""The joiner's side of the lobby: by the code, or as a player whom the host knows from an earlier match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from node.errors import CodeNeeded, HostUnproven, JoinRefused, LobbyFull, WrongCode
from node.i18n import tr
from node.lobby.approach import Address, Approach, approached
from node.lobby.messages import CODE_NEEDED, MAX_REASON, WATCH, Hello, Introduction, Malformed
from node.lobby.pake import KeyExchange, Role, Session, read_code
from node.lobby.recognition import KEY_BYTES, Recognition
from node.lobby.talk import Refusal, Talk, check_own
from node.names import clean_line

__all__ = ["JoinedTable", "join", "join_at", "join_known", "look_at"]


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """Where the guest was let in: `address` is that of the host's link, `lobby` that of its lobby."""

    host: Introduction
    table_id: bytes
    table_name: str
    address: Address
    lobby: Address


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
    """Join the table whose lobby answers at `host` and `port`: `join_at` with one address."""
    return await join_at(
        [(host, port)], code, me, identity_seed, expected_table=expected_table, deadline=deadline
    )


async def join_at(
    addresses: Sequence[Address],
    code: str,
    me: Introduction,
    identity_seed: bytes,
    *,
    expected_table: bytes | None = None,
    deadline: float = 5.0,
) -> JoinedTable:
    """Join the table whose lobby answers at one of `addresses`, within `deadline` seconds.

    `expected_table` is its id (16 bytes) where it is known from an announcement or a link; another one is
    then not even tried. Whatever the other side does, what is raised is a LobbyError.
    """
    check_own(me, identity_seed)
    digits = read_code(code)
    if digits is None:
        raise WrongCode(tr("The code has eight digits. Look at the host's screen and type it again."))
    async with approached(addresses, expected_table, deadline=deadline) as found:
        if me.wish != WATCH:
            _check_free(found.hello)
        session = await _agree(found, digits)
        return await _introduced(found, session, me, identity_seed)


async def join_known(
    addresses: Sequence[Address],
    host_identity: bytes,
    me: Introduction,
    identity_seed: bytes,
    *,
    expected_table: bytes | None = None,
    deadline: float = 5.0,
) -> JoinedTable:
    """Join, without a code, the table of a host whose identity key (32 bytes) is known.

    What answers learns who is calling only after it has proven that it is that host. Raises CodeNeeded
    where the host does not know this player, HostUnproven where something else answers, or LobbyError.
    """
    check_own(me, identity_seed)
    async with approached(addresses, expected_table, deadline=deadline) as found:
        _check_free(found.hello)
        session = await _recognised(found, host_identity)
        joined = await _introduced(found, session, me, identity_seed)
        if joined.host.identity != host_identity:
            raise _impostor(found.where)
        return joined


async def look_at(
    addresses: Sequence[Address], expected_table: bytes | None = None, *, deadline: float = 2.0
) -> tuple[Hello, Address]:
    """Ask what table answers at one of `addresses`, and at which, without joining. Raises LobbyError."""
    async with approached(addresses, expected_table, deadline=deadline) as found:
        return found.hello, found.talk.peer


def _check_free(hello: Hello) -> None:
    if hello.free_seats == 0:
        raise LobbyFull(tr("All seats at the table “{name}” are taken.", name=hello.table_name))


async def _agree(found: Approach, code: str) -> Session:
    """Exchange keys and confirm them, we first: the caller spends its guess before the host proves itself."""
    talk = found.talk
    exchange = KeyExchange(Role.JOINER, code, found.hello.table_id)
    await talk.say("key", exchange.message)
    session = exchange.finish(await talk.hear("key"), found.frame)
    await talk.say("confirm", session.confirmation)
    if not session.confirms(await talk.hear("confirm")):
        raise _unproven(found.where)
    return session


async def _recognised(found: Approach, host_identity: bytes) -> Session:
    """Exchange ephemeral keys and let the host prove its identity, before anything is said of our own."""
    exchange = Recognition(Role.JOINER)
    await found.talk.say("recognise", exchange.message)
    answer = await found.talk.hear("recognise")
    session = exchange.finish(answer[:KEY_BYTES], found.frame, host_identity)
    try:
        session.check_proof(host_identity, answer[KEY_BYTES:])
    except Malformed as error:
        raise _impostor(found.where) from error
    return session


async def _introduced(found: Approach, session: Session, me: Introduction, seed: bytes) -> JoinedTable:
    """Tell each other who we are, sealed; the host may still say no, in words."""
    await found.talk.introduce(session, me, seed)
    host = await _met(found.talk, session)
    if me.identity == host.identity or me.transport == host.transport:
        raise _unproven(found.where)
    hello, lobby = found.hello, found.talk.peer
    return JoinedTable(host, hello.table_id, hello.table_name, (lobby[0], host.link_port), lobby)


async def _met(talk: Talk, session: Session) -> Introduction:
    try:
        return await talk.meet(session)
    except Refusal as error:
        if error.reason == CODE_NEEDED:
            raise CodeNeeded(
                tr("The host does not know you from an earlier match, so the code is needed.")
            ) from error
        reason = clean_line(error.reason, MAX_REASON)
        raise JoinRefused(tr("The host did not let you in: {reason}", reason=reason)) from error


def _unproven(where: str) -> HostUnproven:
    return HostUnproven(
        tr(
            "What answers at {where} could not prove that it is the host. Do not go on; ask the host.",
            where=where,
        )
    )


def _impostor(where: str) -> HostUnproven:
    return HostUnproven(
        tr(
            "What answers at {where} gives itself out as a player whom you know, and could not prove it.",
            where=where,
        )
    )
