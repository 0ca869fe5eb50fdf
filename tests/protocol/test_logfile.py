"""The log file: what was written comes back, and no damage goes unnoticed."""

from __future__ import annotations

import io
import zlib

import pytest

from protocol.encoding import Value, pack
from protocol.errors import LogFileError
from protocol.events import SignedEvent
from protocol.limits import MAX_EVENT_BYTES, MAX_GENESIS_BYTES
from protocol.logfile import FORMAT, MAGIC, LogReader, write_log
from tests.protocol.tables import set_up

GENESIS = set_up(0).genesis.encode()
EVENTS = [SignedEvent(b"first", bytes(64)), SignedEvent(b"", b"s"), SignedEvent(bytes(300), b"t" * 64)]
HEADER = MAGIC + FORMAT.to_bytes(2, "big")


def file_of(events: list[SignedEvent]) -> bytes:
    """A log file with these events."""
    stream = io.BytesIO()
    assert write_log(stream, GENESIS, events) == len(stream.getvalue())
    return stream.getvalue()


def record(data: bytes) -> bytes:
    """A record with a correct length and checksum."""
    return len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data


def read(data: bytes) -> tuple[bytes, list[SignedEvent]]:
    """Everything in a file."""
    reader = LogReader(io.BytesIO(data))
    return reader.genesis, list(reader.events())


def refusal(data: bytes) -> LogFileError:
    """The refusal of a file."""
    with pytest.raises(LogFileError) as caught:
        read(data)
    return caught.value


WHOLE = file_of(EVENTS)
ENDS = [len(file_of(EVENTS[:count])) for count in range(len(EVENTS) + 1)]


def test_round_trip() -> None:
    assert read(WHOLE) == (GENESIS, EVENTS)
    assert read(file_of([])) == (GENESIS, [])


def test_offset_follows_the_records() -> None:
    reader = LogReader(io.BytesIO(WHOLE))
    assert [reader.offset, *(reader.offset for _ in reader.events())] == ENDS


def test_every_truncation() -> None:
    """A cut between two events leaves a shorter log; every other cut is noticed."""
    for length in range(len(WHOLE)):
        if length in ENDS:
            assert read(WHOLE[:length]) == (GENESIS, EVENTS[: ENDS.index(length)])
        else:
            error = refusal(WHOLE[:length])
            assert error.code == ("foreign" if length < len(MAGIC) else "truncated")
            assert error.offset <= length


def test_every_flipped_bit_is_noticed() -> None:
    for place in range(len(WHOLE)):
        for bit in range(8):
            damaged = bytearray(WHOLE)
            damaged[place] ^= 1 << bit
            assert refusal(bytes(damaged)).code in {
                "foreign",
                "format-version",
                "truncated",
                "oversized",
                "checksum",
            }


def test_events_before_the_damage_can_be_read() -> None:
    reader = LogReader(io.BytesIO(WHOLE[:-1]))
    events = reader.events()
    assert [next(events), next(events)] == EVENTS[:2]
    with pytest.raises(LogFileError) as caught:
        next(events)
    assert (caught.value.code, caught.value.offset) == ("truncated", ENDS[2])
    assert f"(at byte {ENDS[2]})" in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 something else", b"kozellog\x00\x01", WHOLE[1:]])
def test_foreign_files(data: bytes) -> None:
    assert refusal(data).code == "foreign"


@pytest.mark.parametrize("version", [0, FORMAT + 1, 0xFFFF])
def test_another_format(version: int) -> None:
    error = refusal(MAGIC + version.to_bytes(2, "big") + WHOLE[len(HEADER) :])
    assert error.code == "format-version"
    assert str(version) in str(error)


def test_a_file_without_a_genesis() -> None:
    assert refusal(HEADER).code == "truncated"


def test_oversized_records_are_refused_unread() -> None:
    claims = (MAX_EVENT_BYTES + 97).to_bytes(4, "big") + bytes(4)
    assert refusal(file_of([]) + claims).code == "oversized"
    assert refusal(HEADER + (MAX_GENESIS_BYTES + 1).to_bytes(4, "big") + bytes(4)).code == "oversized"
    assert refusal(HEADER + b"\xff" * 8).code == "oversized"


def test_the_largest_event_fits() -> None:
    events = [SignedEvent(bytes(MAX_EVENT_BYTES), bytes(64))]
    assert read(file_of(events)) == (GENESIS, events)


@pytest.mark.parametrize(
    "value",
    [None, 1, b"data", (), (b"data",), (b"data", "signature"), (b"data", b"signature", b""), ((b"",), b"")],
)
def test_records_of_another_shape(value: Value) -> None:
    error = refusal(file_of([]) + record(pack(value)))
    assert (error.code, error.offset) == ("malformed", ENDS[0])


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\xdc\x00\x02\xc4\x00\xc4\x00"])
def test_records_that_are_not_canonical(data: bytes) -> None:
    assert refusal(file_of([]) + record(data)).code == "malformed"
