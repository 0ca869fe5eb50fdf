"""The log file (§10): a match in a form that outlives the program that wrote it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, cast

from protocol.encoding import pack, unpack
from protocol.errors import EncodingError, LogFileError
from protocol.events import SignedEvent
from protocol.limits import MAX_EVENT_BYTES, MAX_GENESIS_BYTES

MAGIC: Final = b"KOZELLOG"
FORMAT: Final = 1
SUFFIX: Final = ".kozel"
_HEADER_BYTES: Final = len(MAGIC) + 2
_RECORD_HEADER_BYTES: Final = 8
_FRAMING_BYTES: Final = 96
"""Room for the signature and the framing around the bytes of an event."""


def write_log(stream: BinaryIO, genesis: bytes, events: Iterable[SignedEvent]) -> int:
    """Write a whole log file; return its size in bytes."""
    size = stream.write(MAGIC + FORMAT.to_bytes(2, "big"))
    size += stream.write(_record(genesis))
    for event in events:
        size += stream.write(_record(pack((event.data, event.signature))))
    return size


class LogReader:
    """Reads a log file record by record, never more than one into memory.

    Raises :class:`LogFileError` with code ``foreign``, ``format-version``, ``truncated``,
    ``oversized``, ``checksum`` or ``malformed``; its `offset` says where.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.offset = 0
        self._read_header()
        genesis = self._next_record(MAX_GENESIS_BYTES)
        if genesis is None:
            raise LogFileError("truncated", "the file ends before its genesis", self.offset)
        self.genesis = genesis

    def events(self) -> Iterator[SignedEvent]:
        """The signed events in the order of the file."""
        while True:
            start = self.offset
            record = self._next_record(MAX_EVENT_BYTES + _FRAMING_BYTES)
            if record is None:
                return
            yield _parse_event(record, start)

    def _read_header(self) -> None:
        header = self._stream.read(_HEADER_BYTES)
        if header[: len(MAGIC)] != MAGIC:
            raise LogFileError("foreign", "this is not a Kozel log", 0)
        if len(header) < _HEADER_BYTES:
            raise LogFileError("truncated", "the file ends inside its header", len(header))
        version = int.from_bytes(header[len(MAGIC) :], "big")
        if version != FORMAT:
            detail = f"the log has format {version}; this program reads format {FORMAT}"
            raise LogFileError("format-version", detail, len(MAGIC))
        self.offset = _HEADER_BYTES

    def _next_record(self, limit: int) -> bytes | None:
        header = self._stream.read(_RECORD_HEADER_BYTES)
        if not header:
            return None
        if len(header) < _RECORD_HEADER_BYTES:
            raise LogFileError("truncated", "the file ends inside a record", self.offset)
        length = int.from_bytes(header[:4], "big")
        if length > limit:
            detail = f"a record of {length} bytes where at most {limit} are allowed"
            raise LogFileError("oversized", detail, self.offset)
        data = self._stream.read(length)
        if len(data) < length:
            raise LogFileError("truncated", "the file ends inside a record", self.offset)
        if zlib.crc32(data) != int.from_bytes(header[4:], "big"):
            raise LogFileError("checksum", "a record is damaged: its checksum differs", self.offset)
        self.offset += _RECORD_HEADER_BYTES + length
        return data


def _record(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data


def _parse_event(record: bytes, offset: int) -> SignedEvent:
    try:
        value = unpack(record, limit=len(record))
    except EncodingError as error:
        raise LogFileError("malformed", f"a record is not an event: {error.detail}", offset) from error
    if not (isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, bytes) for part in value)):
        raise LogFileError("malformed", "a record is not an event and its signature", offset)
    return SignedEvent(*cast("tuple[bytes, bytes]", value))
