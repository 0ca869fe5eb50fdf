"""One conversation at the lobby, seen from either side."""

from __future__ import annotations

import asyncio

from nacl.signing import SigningKey

from node.lobby.messages import (
    Field,
    Introduction,
    Malformed,
    decode,
    decode_introduction,
    encode,
    encode_introduction,
    read_frame,
    write_frame,
)
from node.lobby.pake import Session


class Refusal(Exception):
    """The other side ended the conversation, and said why in a word or a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Talk:
    """Frames over one connection. What is received is what was asked for, or raises Malformed or Refusal."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @property
    def peer_address(self) -> str:
        """The other side's numeric address; that of an IPv4 peer in its plain form."""
        return self.peer[0]

    @property
    def peer(self) -> tuple[str, int]:
        """The other side's numeric address and its port."""
        name = self._writer.get_extra_info("peername")
        return (str(name[0]).removeprefix("::ffff:"), int(name[1])) if name else ("?", 0)

    def hang_up(self) -> None:
        """Close the connection once what was said has gone out."""
        self._writer.close()

    def turn_away(self, reason: str) -> None:
        """Refuse in the open and hang up, without waiting for anything."""
        frame = encode("refused", reason)
        self._writer.write(len(frame).to_bytes(2) + frame)
        self._writer.close()

    def abort(self) -> None:
        """Hang up on a peer that may never read what is still to be sent."""
        self._writer.transport.abort()

    async def say(self, *fields: Field) -> None:
        """Send one frame."""
        await write_frame(self._writer, encode(*fields))

    async def send_frame(self, frame: bytes) -> None:
        """Send one frame that is encoded already."""
        await write_frame(self._writer, frame)

    async def hear_any(self) -> tuple[bytes, list[Field]]:
        """Receive any frame but a refusal: its bytes and its fields."""
        frame = await read_frame(self._reader)
        fields = decode(frame)
        match fields:
            case ["refused", str(reason)]:
                raise Refusal(reason)
        return frame, fields

    async def hear(self, kind: str) -> bytes:
        """Receive the content of a frame of this kind."""
        return (await self.hear_one_of(kind))[1]

    async def hear_one_of(self, *kinds: str) -> tuple[str, bytes]:
        """Receive a frame of one of these kinds: its kind and its content."""
        _, fields = await self.hear_any()
        match fields:
            case [str(received), bytes(content)] if received in kinds:
                return received, content
        raise Malformed(f"not a frame of {' or '.join(kinds)}")

    async def introduce(self, session: Session, me: Introduction, seed: bytes) -> None:
        """Send our introduction, signed and sealed."""
        signed = session.sign(seed, encode_introduction(me))
        await self.say("sealed", session.seal(encode("introduction", signed)))

    async def decline(self, session: Session, reason: str) -> None:
        """Send a sealed refusal in place of our introduction."""
        await self.say("sealed", session.seal(encode("refused", reason)))

    async def meet(self, session: Session) -> Introduction:
        """Receive the other side's introduction, its identity proven."""
        match decode(session.open(await self.hear("sealed"))):
            case ["introduction", bytes(signed)]:
                signature, content = session.split_signed(signed)
                introduction = decode_introduction(content)
                session.verify(introduction.identity, signature, content)
                return introduction
            case ["refused", str(reason)]:
                raise Refusal(reason)
        raise Malformed("not an introduction")


def check_own(me: Introduction, seed: bytes) -> None:
    """Make sure that we can prove what we say of ourselves. Raises ValueError."""
    if SigningKey(seed).verify_key.encode() != me.identity:
        raise ValueError("the seed is not that of the introduction's identity")
