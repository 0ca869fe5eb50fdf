"""How a guest gets to a table: the code on the host's screen is typed in, and keys are exchanged and pinned.

Plain TCP, not the link's CURVE: before the two sides have each other's keys there is nothing that CURVE could
check. Everything here may come from anybody on the network, so it is small and short: frames of 1 KiB, one
deadline for the whole conversation, eight conversations at once, and after five wrong codes a new code.

The order (`messages` has the frames): the host says hello; SPAKE2 both ways; the joiner confirms first,
so that a stranger who calls learns nothing without spending a guess; the host confirms; each side,
sealed for the other only, introduces itself with a signature that proves its identity key. A player who
is known from an earlier match may show its identity key instead of the code (`recognition`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from node.errors import PortUnavailable
from node.i18n import tr
from node.lobby.conversations import MAX_CONVERSATIONS, Conversations
from node.lobby.join import JoinedTable, join
from node.lobby.messages import (
    CODE_NEEDED,
    MAX_FRAME,
    MAX_REASON,
    TABLE_ID_BYTES,
    VERSION,
    WATCH,
    Hello,
    Introduction,
    Malformed,
    encode_hello,
)
from node.lobby.pake import KeyExchange, Role, Session, new_code, read_code
from node.lobby.recognition import Recognition
from node.lobby.talk import Refusal, Talk, check_own
from node.names import clean_line, clean_name
from node.network.addresses import format_host_port
from node.network.listening import listening_socket

__all__ = ["MAX_CONVERSATIONS", "Introduction", "JoinedTable", "LobbyHost", "join", "new_code"]

MAX_WRONG_CODES = 5

OnGuest = Callable[[Introduction, tuple[str, int]], Awaitable[str | None]]
OnSpectator = Callable[[Introduction], Awaitable[str | None]]


class LobbyHost:
    """The host's side, open while seats are free, and longer for those who watch.

    `start` and `close` it, or use it in `async with`.
    """

    def __init__(
        self,
        me: Introduction,
        identity_seed: bytes,
        *,
        table_id: bytes,
        table_name: str,
        seats_free: Callable[[], int],
        on_guest: OnGuest,
        on_spectator: OnSpectator | None = None,
        known: Callable[[bytes], bool] = lambda _: False,
        host: str = "*",
        port: int | None = 0,
        code: str | None = None,
        on_new_code: Callable[[str], None] | None = None,
        deadline: float = 5.0,
    ) -> None:
        """Prepare a lobby for a table (16 bytes of id) on `host` (`*`: all addresses) and `port`.

        Port 0 is any free one, None the usual one if it is free. `known` tells which identities (32 bytes)
        need no code. `on_guest` is awaited with each proven guest, one at a time, and where the guest's
        link listens; it seats the guest and returns None, or returns a sentence that says why not. It must
        not take long: `deadline` seconds are for the whole conversation. `on_spectator` is asked in its place
        for those who only want to watch; without it nobody may. `on_new_code` is called with the code that
        replaces one guessed wrongly five times. Raises ValueError.
        """
        check_own(me, identity_seed)
        _check_options(table_id, port, code)
        self._me, self._seed = me, identity_seed
        self._table_id, self._table_name = table_id, clean_name(table_name)
        self._seats_free = seats_free
        self._on_guest = on_guest
        self._on_spectator = on_spectator
        self._known = known
        self._host, self._wanted_port, self._port = host, port, port or 0
        self._code = read_code(code or "") or new_code()
        self._on_new_code = on_new_code
        self._deadline = deadline
        self._wrong_codes = 0
        self._seating = asyncio.Lock()
        self._conversations = Conversations()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port listened on."""
        return self._port

    @property
    def code(self) -> str:
        """The code that opens the lobby now: eight digits."""
        return self._code

    async def start(self) -> None:
        """Listen. Raises PortUnavailable."""
        try:
            listener = listening_socket(self._host, self._wanted_port)
        except OSError as error:
            raise PortUnavailable(
                tr(
                    "This computer cannot listen on {address} ({reason}). Choose another port.",
                    address=format_host_port(self._host, self._port),
                    reason=error.strerror or error,
                )
            ) from error
        self._port = listener.getsockname()[1]
        self._server = await asyncio.start_server(self._accept, sock=listener, limit=2 * MAX_FRAME)

    async def close(self) -> None:
        """Stop listening and hang up on whoever is joining. Closing twice does no harm."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        await self._conversations.end_all()
        await server.wait_closed()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk in a task of our own, so that a mistake in a callback is reported and not swallowed."""
        talk = Talk(reader, writer)
        if not self._conversations.make_room(talk.peer_address):
            # The first frame may be a refusal: the joiner speaks only after it, so nothing is lost.
            talk.turn_away("busy")
            return
        conversation = asyncio.create_task(self._serve(talk), name="lobby conversation")
        self._conversations.add(conversation, talk.peer_address)

    async def _serve(self, talk: Talk) -> None:
        try:
            # A peer that breaks the rules, hangs up or dawdles is hung up on, and that is all.
            with contextlib.suppress(Malformed, Refusal, TimeoutError, OSError, asyncio.IncompleteReadError):
                async with asyncio.timeout(self._deadline):
                    await self._converse(talk)
            talk.hang_up()
        except BaseException:
            talk.abort()
            raise

    async def _converse(self, talk: Talk) -> None:
        free = min(max(self._seats_free(), 0), 4)
        hello = encode_hello(Hello(VERSION, self._table_id, self._table_name, free))
        await talk.send_frame(hello)
        if free == 0 and self._on_spectator is None:
            return
        kind, content = await talk.hear_one_of("key", "recognise")
        if kind == "key":
            session = await self._agree(talk, content, hello)
            if session is None:
                await talk.say("refused", "wrong-code")
                return
        else:
            session = await self._prove(talk, content, hello)
        guest = await talk.meet(session)
        if kind == "recognise" and not self._known(guest.identity):
            await talk.decline(session, CODE_NEEDED)
            return
        # One at a time, so that two guests cannot both be given the last seat.
        async with self._seating:
            refusal = await self._admit(guest, talk.peer_address)
        if refusal is None:
            await talk.introduce(session, self._me, self._seed)
        else:
            await talk.decline(session, clean_line(refusal, MAX_REASON))

    async def _prove(self, talk: Talk, their_key: bytes, hello: bytes) -> Session:
        """Exchange ephemeral keys and prove our identity first: the caller's is secret until then."""
        exchange = Recognition(Role.HOST)
        session = exchange.finish(their_key, hello, self._me.identity)
        await talk.say("recognise", exchange.message + session.prove(self._seed))
        return session

    async def _agree(self, talk: Talk, their_message: bytes, hello: bytes) -> Session | None:
        """Exchange keys and confirm them, the joiner first; None if the joiner does not know the code."""
        code = self._code
        exchange = KeyExchange(Role.HOST, code, self._table_id)
        session = exchange.finish(their_message, hello)
        await talk.say("key", exchange.message)
        confirmation = await talk.hear("confirm")
        if code != self._code:
            return None  # Replaced meanwhile: conversations begun before must not add to its five guesses.
        if not session.confirms(confirmation):
            self._count_wrong_code()
            return None
        await talk.say("confirm", session.confirmation)
        return session

    def _count_wrong_code(self) -> None:
        self._wrong_codes += 1
        if self._wrong_codes == MAX_WRONG_CODES:
            self._wrong_codes = 0
            self._code = new_code()
            if self._on_new_code is not None:
                self._on_new_code(self._code)

    async def _admit(self, guest: Introduction, address: str) -> str | None:
        if guest.identity == self._me.identity or guest.transport == self._me.transport:
            return tr("You play with the host's own profile. Choose another profile folder.")
        if guest.wish == WATCH:
            return await self._on_spectator(guest) if self._on_spectator else tr("Nobody may watch here.")
        if self._seats_free() <= 0:
            return tr("All seats are taken.")
        return await self._on_guest(guest, (address, guest.link_port))


def _check_options(table_id: bytes, port: int | None, code: str | None) -> None:
    if len(table_id) != TABLE_ID_BYTES:
        raise ValueError(f"a table id is {TABLE_ID_BYTES} bytes")
    if port is not None and not 0 <= port <= 65535:
        raise ValueError("a port is at most 65535")
    if code is not None and read_code(code) is None:
        raise ValueError("a code is eight digits")
