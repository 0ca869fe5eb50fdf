"""Lobbies on the loopback address for tests, and what stands in for a bad host or a bad caller."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from nacl.signing import SigningKey

from node.lobby.host import Introduction, JoinedTable, LobbyHost, join
from node.lobby.messages import VERSION, Hello, encode_hello
from node.lobby.pake import KeyExchange, Role, Session
from node.lobby.talk import Talk
from node.storage.keyfiles import TransportKeys

HOST = "127.0.0.1"
TABLE = bytes(range(16))
CODE = "12345678"
Behaviour = Callable[[Talk], Awaitable[object]]


def introduce(number: int, name: str) -> tuple[Introduction, bytes]:
    seed = bytes([number]) * 32
    identity = SigningKey(seed).verify_key.encode()
    transport = TransportKeys.from_secret(seed).public
    return Introduction(identity, transport, name, 47000 + number, bytes([number]) * 32, "seat 2"), seed


ANNA, ANNA_SEED = introduce(1, "Анна")
BORIS, BORIS_SEED = introduce(2, "Boris")
VERA, VERA_SEED = introduce(3, "Vera")


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(30):
            await coroutine

    asyncio.run(limited())


class Table:
    """Anna's table: who was seated, and the codes that were shown."""

    def __init__(self, seats: int = 3, refusal: str | None = None, **options: Any) -> None:
        self.seats = seats
        self.refusal = refusal
        self.guests: list[tuple[Introduction, tuple[str, int]]] = []
        self.new_codes: list[str] = []
        options = {"host": HOST, "code": CODE} | options
        self.lobby = LobbyHost(
            ANNA,
            ANNA_SEED,
            table_id=TABLE,
            table_name="Кухня",
            seats_free=lambda: self.seats - len(self.guests),
            on_guest=self.seat,
            on_new_code=self.new_codes.append,
            **options,
        )

    async def seat(self, guest: Introduction, address: tuple[str, int]) -> str | None:
        if self.refusal is None:
            self.guests.append((guest, address))
        return self.refusal

    async def join(self, code: str = CODE, **options: Any) -> JoinedTable:
        return await join(HOST, self.lobby.port, code, BORIS, BORIS_SEED, **options)


@asynccontextmanager
async def fake_host(behaviour: Behaviour) -> AsyncIterator[int]:
    """Something that listens where a lobby might; yields its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await behaviour(Talk(reader, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, HOST, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def caller(table: Table) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to the lobby in the hands of the test."""
    reader, writer = await asyncio.open_connection(HOST, table.lobby.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def join_fake(behaviour: Behaviour, **options: Any) -> JoinedTable:
    async with fake_host(behaviour) as port:
        return await join(HOST, port, CODE, BORIS, BORIS_SEED, **options)


def hello(version: int = VERSION, table: bytes = TABLE, name: str = "Кухня", free: int = 3) -> bytes:
    return encode_hello(Hello(version, table, name, free))


def saying(frame: bytes) -> Behaviour:
    """A host whose only words are `frame`."""
    return lambda talk: talk.send_frame(frame)


async def agree_as_host(talk: Talk, code: str = CODE) -> Session:
    """Do what an honest host does, up to its confirmation."""
    await talk.send_frame(hello())
    theirs = await talk.hear("key")
    exchange = KeyExchange(Role.HOST, code, TABLE)
    session = exchange.finish(theirs, hello())
    await talk.say("key", exchange.message)
    await talk.hear("confirm")
    await talk.say("confirm", session.confirmation)
    return session
