"""What is said at the lobby: frames of at most 1 KiB, each a flat msgpack array.

On the wire a frame is its length as two bytes, most significant first, and that many bytes.

====== ========================================================== =====================================
from   frame                                                      meaning
====== ========================================================== =====================================
host   `["kozel", version, table id, table name, free seats]`     hello: which table answers
both   `["key", message]`                                         SPAKE2
both   `["confirm", mac]`                                         proof of having got the same key
guest  `["recognise", key]`                                       instead of a code: an ephemeral key
host   `["recognise", key and proof]`                             its own, and that it is the known host
both   `["sealed", ciphertext]`                                   an introduction, or the host's refusal
host   `["refused", reason]`                                      instead of any of the above
====== ========================================================== =====================================

The version is the second field of the first frame in every version to come, so that any two can tell.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import msgpack

from node.names import clean_line, clean_name
from node.storage.keyfiles import is_transport_key

VERSION = 1
MAX_FRAME = 1024
TABLE_ID_BYTES = 16
MAX_WISH = 64
MAX_REASON = 200
WATCH = "watch"
"""The wish of somebody who wants no seat, only to watch."""
CODE_NEEDED = "code-needed"
"""What a host answers, sealed, to a player whom it does not know."""

_MAGIC = "kozel"
_MAX_FIELDS = 8
_MAX_SEATS = 4

Field = bytes | str | int


class Malformed(Exception):
    """The other side broke the grammar. Never leaves the lobby."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What the two sides tell each other once the code is proven.

    `identity` (32 bytes, Ed25519) and `transport` (40 characters of Z85, CURVE) are public keys; the sender
    has proven to own the first. `link_port` is where its link listens, 0 if nowhere. `nonce` (32
    bytes) goes into the genesis of the match. `wish` is a line for the host's program, such as a seat.
    """

    identity: bytes
    transport: bytes
    name: str
    link_port: int
    nonce: bytes
    wish: str = ""

    def __post_init__(self) -> None:
        if len(self.identity) != 32 or len(self.nonce) != 32:
            raise ValueError("an identity and a nonce are 32 bytes")
        if not is_transport_key(self.transport):
            raise ValueError("a transport key is 40 characters of Z85")
        if not 0 <= self.link_port <= 65535:
            raise ValueError("a port is at most 65535")
        if clean_name(self.name) != self.name or clean_line(self.wish, MAX_WISH) != self.wish:
            raise ValueError("a name and a wish are short printable lines")


@dataclass(frozen=True, slots=True)
class Hello:
    """The host's first frame. Unproven until the code is: anybody can answer at an address."""

    version: int
    table_id: bytes
    table_name: str
    free_seats: int


def encode(*fields: Field) -> bytes:
    """Encode one frame. Raises ValueError if it is too long."""
    frame: bytes = msgpack.packb(list(fields), use_bin_type=True)
    if len(frame) > MAX_FRAME:
        raise ValueError(f"a lobby frame of {len(frame)} bytes is too long")
    return frame


def decode(frame: bytes) -> list[Field]:
    """Decode one frame into its fields. Raises Malformed."""
    if len(frame) > MAX_FRAME:
        raise Malformed("too long")
    try:
        fields = msgpack.unpackb(
            frame,
            raw=False,
            max_array_len=_MAX_FIELDS,
            max_bin_len=MAX_FRAME,
            max_str_len=MAX_FRAME,
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, msgpack.UnpackException) as error:
        raise Malformed("not msgpack") from error
    # `type` rather than isinstance: a bool is an int that no frame holds.
    if type(fields) is not list or any(type(field) not in (bytes, str, int) for field in fields):
        raise Malformed("not a flat array")
    return fields


def encode_hello(hello: Hello) -> bytes:
    """Encode the host's first frame."""
    return encode(_MAGIC, hello.version, hello.table_id, hello.table_name, hello.free_seats)


def decode_hello(fields: list[Field]) -> Hello:
    """Read a hello; of another version's only the version is read. Raises Malformed."""
    match fields:
        case [str(magic), int(version), *_] if magic == _MAGIC and version != VERSION:
            return Hello(version, bytes(TABLE_ID_BYTES), "?", 0)
        case [str(magic), int(version), bytes(table_id), str(name), int(free)] if (
            magic == _MAGIC and len(table_id) == TABLE_ID_BYTES and 0 <= free <= _MAX_SEATS
        ):
            return Hello(version, table_id, clean_name(name), free)
        case _:
            raise Malformed("not a hello")


def encode_introduction(introduction: Introduction) -> bytes:
    """Encode what is signed and then sealed."""
    return encode(
        introduction.identity,
        introduction.transport,
        introduction.name,
        introduction.link_port,
        introduction.nonce,
        introduction.wish,
    )


def decode_introduction(frame: bytes) -> Introduction:
    """Read an introduction, its lines made safe to show. Raises Malformed."""
    match decode(frame):
        case [bytes(identity), bytes(transport), str(name), int(link_port), bytes(nonce), str(wish)]:
            try:
                return Introduction(
                    identity, transport, clean_name(name), link_port, nonce, clean_line(wish, MAX_WISH)
                )
            except ValueError as error:
                raise Malformed(str(error)) from error
        case _:
            raise Malformed("not an introduction")


async def read_frame(reader: asyncio.StreamReader) -> bytes:
    """Read one frame. Raises Malformed, asyncio.IncompleteReadError, OSError."""
    length = int.from_bytes(await reader.readexactly(2))
    if not 1 <= length <= MAX_FRAME:
        raise Malformed("a frame of an impossible length")
    return await reader.readexactly(length)


async def write_frame(writer: asyncio.StreamWriter, frame: bytes) -> None:
    """Write one frame. Raises OSError."""
    writer.write(len(frame).to_bytes(2) + frame)
    await writer.drain()
