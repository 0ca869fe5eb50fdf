"""INVARIANT: whoever is at the other end of a lobby's connection, or in the middle, both sides end.

The host seats nobody but a guest whose own introduction it is; the joiner returns only what the real host has
said, or raises LobbyError. A conversation fails in no other way and ends when its guest has gone, and the
lobby goes on: an honest guest gets in afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Final

from nacl.signing import SigningKey

from node.errors import LobbyError
from node.lobby.host import LobbyHost
from node.lobby.join import JoinedTable, join, join_known
from node.lobby.messages import (
    VERSION,
    Hello,
    Introduction,
    Malformed,
    encode,
    encode_hello,
    encode_introduction,
)
from node.lobby.pake import KeyExchange, Role, Session
from node.lobby.talk import Refusal, Talk
from node.storage.keyfiles import link_name
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, pack_any, unpack_any

_CODE: Final = "12345678"
_TABLE: Final = b"t" * 16
_SEEDS: Final = (bytes(31) + b"h", bytes(31) + b"g")
_HOST, _GUEST = (
    Introduction(SigningKey(seed).verify_key.encode(), link_name(seed), name, 47001, seed)
    for seed, name in zip(_SEEDS, ("Anna", "Boris"), strict=True)
)
_DEADLINE: Final = 0.25
"""Seconds that the guests and whoever misbehaves stay; the lobby's own deadline is five."""
_PATIENCE: Final = 20.0
"""Seconds for what must come about however busy the machine is."""


@dataclass(frozen=True)
class Given:
    """Who misbehaves, at which of its frames, and the seed of what exactly it does."""

    who: str
    known: bool
    place: int
    seed: int


class Handshake:
    """`LobbyHost` and `join`/`join_known`, over sockets of this computer."""

    name = "handshake"
    refusals: ClassVar[Mapping[str, str]] = {
        "not-a-table": "what answers breaks the grammar",
        "lobby-closed": "the other side hung up",
        "lobby-timeout": "the other side says nothing",
        "lobby-full": "the hello says so",
        "lobby-busy": "a refusal in the open says so, and cannot be told from a forged one",
        "wrong-code": "a refusal in the open, or keys that do not fit",
        "host-unproven": "it could not prove that it knows the code, or who it is",
        "join-refused": "the host says no, in words",
        "code-needed": "the host does not know the guest",
        "version-mismatch": "the hello has another version",
        "not admitted": "the host has let nobody in",
    }

    def draw(self, rng: Random) -> Given:
        """A plan; what is mutated exists only once keys are exchanged."""
        who = rng.choice(("middle", "middle", "middle", "caller", "answerer", "bad guest", "bad host"))
        return Given(who, rng.random() < 0.6, rng.randrange(6), rng.getrandbits(64))

    def feed(self, given: Given) -> Iterator[str]:
        """Let it happen."""
        yield from asyncio.run(_happen(given))


async def _happen(given: Given) -> list[str]:
    tasks: list[asyncio.Task[Any]] = []

    def remember(
        on: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **how: Any
    ) -> asyncio.Task[Any]:
        tasks.append(asyncio.Task(work, loop=on, **how))
        return tasks[-1]

    factory: Any = remember
    asyncio.get_running_loop().set_task_factory(factory)
    admitted: list[Introduction] = []

    async def admit(guest: Introduction, _address: tuple[str, int]) -> str | None:
        admitted.append(guest)
        return None

    lobby = LobbyHost(
        _HOST,
        _SEEDS[0],
        table_id=_TABLE,
        table_name="Dacha",
        seats_free=lambda: 3,
        on_guest=admit,
        known=lambda identity: given.known and identity == _GUEST.identity,
        host="127.0.0.1",
        code=_CODE,
    )
    async with lobby:
        codes = await _WAYS[given.who](given, lobby.port, Random(given.seed))
        served = [task for task in tasks if task.get_name() == "lobby conversation"]
        if served:
            await asyncio.wait(served, timeout=_PATIENCE)
        assert all(task.done() for task in served), "a conversation goes on without its guest"
        for task in served:
            assert task.cancelled() or task.exception() is None, repr(task.exception())
        for guest in admitted:
            assert given.who == "bad guest" or guest == _GUEST, f"admitted {guest}"
        codes.append(ACCEPTED if admitted else "not admitted")
        if given.seed % 16 == 0 and lobby.code == _CODE:
            assert (await _join(lobby.port, known=False, deadline=_PATIENCE)).host == _HOST
    for _ in range(3):  # Sockets close in the loop's next rounds.
        await asyncio.sleep(0)
    return codes


async def _join(port: int, *, known: bool, deadline: float = _DEADLINE) -> JoinedTable:
    if known:
        where = [("127.0.0.1", port)]
        return await join_known(where, _HOST.identity, _GUEST, _SEEDS[1], deadline=deadline)
    return await join("127.0.0.1", port, _CODE, _GUEST, _SEEDS[1], deadline=deadline)


async def _joined(port: int, given: Given) -> list[str]:
    """What becomes of an honest guest who joins there."""
    try:
        joined = await _join(port, known=given.known)
    except LobbyError as error:
        assert str(error)
        return [error.code]
    assert given.who == "bad host" or joined.host == _HOST, f"joined {joined}"
    return [ACCEPTED]


class Wire:
    """Frames of one connection, whole or not."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def read(self) -> bytes:
        """The next frame with its length."""
        head = await self.reader.readexactly(2)
        return head + await self.reader.readexactly(int.from_bytes(head))


async def _serving(answer: Callable[[Wire], Coroutine[Any, Any, None]], given: Given) -> list[str]:
    """Let an honest guest join at a port where `answer` talks."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError, Malformed, Refusal):
            async with asyncio.timeout(_DEADLINE):
                await answer(Wire(reader, writer))
        writer.close()

    talks: list[asyncio.Task[None]] = []
    server = await asyncio.start_server(
        lambda reader, writer: talks.append(asyncio.create_task(talk(reader, writer))), "127.0.0.1", 0
    )
    async with server:
        codes = await _joined(server.sockets[0].getsockname()[1], given)
        await asyncio.gather(*talks)
    return codes


async def _middle(given: Given, port: int, rng: Random) -> list[str]:
    """Somebody in between changes one frame."""

    async def answer(guest: Wire) -> None:
        host = Wire(*await asyncio.open_connection("127.0.0.1", port))
        try:
            ways = [(host, guest), (guest, host)]
            for place in range(8):
                source, target = ways[place % 2] if given.known or place < 6 else ways[1 - place % 2]
                frame = await source.read()
                if place == given.place:
                    frame = _damaged(rng, frame)
                target.writer.write(frame)
        finally:
            host.writer.close()

    return await _serving(answer, given)


def _damaged(rng: Random, frame: bytes) -> bytes:
    if rng.random() < 0.5:
        body = mutate_bytes(rng, frame[2:])
        return len(body[:65_535]).to_bytes(2) + body[:65_535]
    if rng.random() < 0.5:
        return mutate_bytes(rng, frame)
    with suppress(ValueError):  # What is no msgpack any more.
        body = pack_any(mutate_value(rng, unpack_any(frame[2:])))
        return len(body[:65_535]).to_bytes(2) + body[:65_535]
    return frame


async def _caller(given: Given, port: int, rng: Random) -> list[str]:
    """Somebody calls who does not know the code, and says anything."""
    wire = Wire(*await asyncio.open_connection("127.0.0.1", port))
    with suppress(OSError, asyncio.IncompleteReadError):
        await wire.read()
        for _ in range(1 + given.place):
            wire.writer.write(_damaged(rng, _anything(rng)))
        wire.writer.write_eof()
        await wire.reader.read()
    wire.writer.close()
    return []


async def _answerer(given: Given, _port: int, rng: Random) -> list[str]:
    """Something answers that is no table, or not that one."""

    async def answer(guest: Wire) -> None:
        hello = encode_hello(Hello(VERSION, _TABLE, "Dacha", 3))
        first = len(hello).to_bytes(2) + hello
        guest.writer.write(_damaged(rng, first) if given.place == 0 else first)
        for _ in range(given.place):
            await guest.read()
            guest.writer.write(_damaged(rng, _anything(rng)))

    return await _serving(answer, given)


def _anything(rng: Random) -> bytes:
    kinds = ("key", "confirm", "sealed", "recognise", "refused", "kozel")
    body = rng.choice(
        (
            pack_any([rng.choice(kinds), rng.randbytes(rng.choice((0, 31, 32, 33, 64, 112, 300)))]),
            pack_any(["refused", rng.choice(("busy", "full", "wrong-code", "\x1b[2J", "x" * 900))]),
            pack_any(["key", rng.choice((b"A", b"B", b"S")) + rng.randbytes(32)]),
            pack_any(any_value(rng)),
        )
    )[:1_024]
    return len(body).to_bytes(2) + body


async def _bad_guest(given: Given, port: int, rng: Random) -> list[str]:
    """A guest that knows the code, and introduces itself badly."""
    talk = Talk(*await asyncio.open_connection("127.0.0.1", port))
    with suppress(OSError, asyncio.IncompleteReadError, Malformed, Refusal):
        hello, _ = await talk.hear_any()
        exchange = KeyExchange(Role.JOINER, _CODE, _TABLE)
        await talk.say("key", exchange.message)
        session = exchange.finish(await talk.hear("key"), hello)
        await talk.say("confirm", session.confirmation)
        await talk.hear("confirm")
        await talk.say("sealed", session.seal(_bad_words(rng, session, _GUEST, _SEEDS[1])))
        await talk.meet(session)
    talk.hang_up()
    return []


async def _bad_host(given: Given, _port: int, rng: Random) -> list[str]:
    """A host that knows the code, and introduces itself badly."""

    async def answer(guest: Wire) -> None:
        talk = Talk(guest.reader, guest.writer)
        hello = encode_hello(Hello(VERSION, _TABLE, "Dacha", 3))
        await talk.send_frame(hello)
        exchange = KeyExchange(Role.HOST, _CODE, _TABLE)
        session = exchange.finish(await talk.hear("key"), hello)
        await talk.say("key", exchange.message)
        await talk.hear("confirm")
        await talk.say("confirm", session.confirmation)
        await talk.hear("sealed")
        await talk.say("sealed", session.seal(_bad_words(rng, session, _HOST, _SEEDS[0])))

    return await _serving(answer, replace(given, known=False))


def _bad_words(rng: Random, session: Session, me: Introduction, seed: bytes) -> bytes:
    content = encode_introduction(me)
    way = rng.randrange(5)
    if way < 3:  # Signed well, whatever it says.
        value = mutate_value(rng, unpack_any(content))
        content = mutate_bytes(rng, content) if way == 0 else pack_any(value)
        return pack_any(["introduction", session.sign(seed, content[:700])])[:960]
    good = encode("introduction", session.sign(seed, content))
    if way == 3:
        return mutate_bytes(rng, good)[:960]
    return rng.choice(
        (encode("refused", rng.choice(("no", "\x1b[2J", "x" * 900))), pack_any(any_value(rng))[:960])
    )


_WAYS: Final[Mapping[str, Callable[[Given, int, Random], Coroutine[Any, Any, list[str]]]]] = {
    "middle": _middle,
    "caller": _caller,
    "answerer": _answerer,
    "bad guest": _bad_guest,
    "bad host": _bad_host,
}
