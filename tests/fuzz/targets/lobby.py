"""INVARIANT: a frame at the lobby is Malformed or is a flat list of bytes, text and integers; a hello and an
introduction that are read are bounded and safe to show. A link to a table is read back as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from node.errors import AddressError, TableLinkError
from node.lobby.messages import (
    MAX_FRAME,
    Hello,
    Introduction,
    Malformed,
    decode,
    decode_hello,
    decode_introduction,
    encode,
    encode_hello,
    encode_introduction,
)
from node.lobby.pake import read_code
from node.lobby.table_link import TableLink, parse_link
from node.network.addresses import format_host_port, parse_host_port
from node.storage.keyfiles import raw_key
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, nested, pack_any, unpack_any

_FRAMES = (
    encode_hello(Hello(1, bytes(16), "Dacha", 3)),
    encode_hello(Hello(2, bytes(16), "Dacha", 3)),
    encode_introduction(Introduction(bytes(32), b"a" * 40, "Anna", 47001, bytes(32), "seat 2")),
    encode("key", bytes(33)),
    encode("confirm", bytes(32)),
    encode("sealed", bytes(300)),
    encode("recognise", bytes(32)),
    encode("refused", "busy"),
)
_LINES = (
    str(TableLink(("192.168.1.20", "fd00::1"), 47001, bytes(16), "12345678")),
    "192.168.1.20:47001",
    "[fd00::1]:47001",
    "1234 5678",
)


@dataclass(frozen=True)
class Given:
    """A frame, and a line that somebody has typed or scanned."""

    frame: bytes
    line: str


class Lobby:
    """The decoders of `node.lobby.messages`, `parse_link`, `parse_host_port` and `read_code`."""

    name = "lobby"
    refusals: ClassVar[Mapping[str, str]] = {
        "malformed": "no flat msgpack array of at most eight bytes, texts and integers",
        "no hello": "a frame, but not a hello",
        "no introduction": "a frame, but not an introduction, or one with impossible keys",
        "no link": "a line that is no link to a table",
        "no address": "a line that is no address",
        "no code": "a line that is no code",
    }

    def draw(self, rng: Random) -> Given:
        """A frame and a line with changes."""
        frame, line = rng.choice(_FRAMES), rng.choice(_LINES)
        way = rng.randrange(8)
        if way < 3:
            frame = mutate_bytes(rng, frame, _FRAMES)
        elif way < 6:
            frame = pack_any(mutate_value(rng, unpack_any(frame)))
        elif way < 7:
            frame = rng.choice((nested(rng), pack_any(any_value(rng))))
        return Given(frame, mutate_bytes(rng, line.encode()).decode("utf-8", "replace"))

    def feed(self, given: Given) -> Iterator[str]:
        """Read both in every way."""
        yield from _read_frame(given.frame)
        yield from _read_line(given.line)


def _read_frame(frame: bytes) -> Iterator[str]:
    try:
        fields = decode(frame)
    except Malformed:
        yield "malformed"
        return
    assert len(frame) <= MAX_FRAME
    assert len(fields) <= 8
    assert all(type(field) in (bytes, str, int) for field in fields)
    try:
        hello = decode_hello(fields)
    except Malformed:
        yield "no hello"
    else:
        assert hello.table_name.isprintable()
        assert len(hello.table_id) == 16
        assert 0 <= hello.free_seats <= 4
        yield ACCEPTED
    try:
        introduction = decode_introduction(frame)
    except Malformed:
        yield "no introduction"
        return
    assert introduction.name.isprintable()
    assert len(introduction.name.encode()) <= 96
    assert introduction.wish == "" or introduction.wish.isprintable()
    assert len(raw_key(introduction.transport)) == 32
    assert decode_introduction(encode_introduction(introduction)) == introduction
    yield ACCEPTED


def _read_line(line: str) -> Iterator[str]:
    try:
        link = parse_link(line)
    except TableLinkError as error:
        assert str(error)
        yield "no link"
    else:
        assert parse_link(str(link)) == link
        yield ACCEPTED
    try:
        host, port = parse_host_port(line)
    except AddressError as error:
        assert str(error)
        yield "no address"
    else:
        assert parse_host_port(format_host_port(host, port)) == (host, port)
        yield ACCEPTED
    code = read_code(line)
    assert code is None or (len(code) == 8 and code.isascii() and code.isdigit())
    yield ACCEPTED if code else "no code"
