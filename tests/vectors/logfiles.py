"""Vectors of the log file (§10): what can be read, and every damage."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from protocol.audit import audit_log
from protocol.encoding import Value, pack
from protocol.events import SignedEvent, event_id
from protocol.logfile import LogReader, write_log
from tests.vectors.example import COINS, EXAMPLE, IDENTITIES, acceptance, coin_event
from tests.vectors.form import Case, Maker, Operations, Vectors, at


def read_log(case: Case) -> dict[str, Any]:
    """The genesis, as its SHA-256, and the ids of the events, in the order of the file."""
    reader = LogReader(io.BytesIO(at(case, "file")))
    events = [event_id(event.data).hex() for event in reader.events()]
    return {"genesis": sha256(reader.genesis).hexdigest(), "events": events}


def audit(case: Case) -> dict[str, Any]:
    """The finding, how many events were taken, and who is guilty of what."""
    found = audit_log(io.BytesIO(at(case, "file")))
    verdict = found.verdict
    guilt = verdict and [verdict.culprit, verdict.fault, [event.hex() for event in verdict.events]]
    return {"finding": found.finding.value, "events": found.events, "verdict": guilt}


OPERATIONS: Final[Operations] = {"read log": read_log, "audit log": audit}
_MAKER: Final = Maker(OPERATIONS)
_GENESIS: Final = EXAMPLE.encode()
_EVENTS: Final = [*(acceptance(seat) for seat in range(4)), coin_event(COINS[0])]
_HEADER: Final = b"KOZELLOG\0\1"


def _file(*events: SignedEvent) -> bytes:
    stream = io.BytesIO()
    write_log(stream, _GENESIS, events)
    return stream.getvalue()


def _record(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data


_START: Final = _HEADER + _record(_GENESIS)
_WHOLE: Final = _file(*(event.signed for event in _EVENTS))


def _damages() -> Iterator[tuple[str, str, bytes]]:
    one = _file(_EVENTS[0].signed)
    yield "nothing", "foreign", b""
    yield "another magic", "foreign", b"kozellog" + one[8:]
    yield "cut inside the magic", "foreign", one[:7]
    yield "cut inside the format", "truncated", one[:9]
    yield "format 0", "format-version", one[:8] + b"\0\0" + one[10:]
    yield "format 2", "format-version", one[:8] + b"\0\2" + one[10:]
    yield "format 256", "format-version", one[:8] + b"\1\0" + one[10:]
    yield "no genesis", "truncated", one[:10]
    yield "cut inside the length of the genesis", "truncated", one[:13]
    yield "cut inside the genesis", "truncated", one[:100]
    yield "cut inside the header of an event", "truncated", one[: len(_START) + 5]
    yield "cut inside an event", "truncated", one[:-1]
    yield "genesis of 2,049 bytes", "oversized", _HEADER + _record(bytes(2_049))[:8]
    yield "event of 16,481 bytes", "oversized", _START + _record(bytes(16_481))[:8]
    yield "longest length", "oversized", _START + b"\xff" * 8
    yield "a bit of the genesis", "checksum", one[:40] + bytes([one[40] ^ 1]) + one[41:]
    yield "a bit of an event", "checksum", one[:-1] + bytes([one[-1] ^ 1])
    yield "a bit of a checksum", "checksum", one[:14] + bytes([one[14] ^ 1]) + one[15:]
    swapped = len(_GENESIS).to_bytes(4, "big") + zlib.crc32(_GENESIS).to_bytes(4, "little") + _GENESIS
    yield "checksum with the least significant byte first", "checksum", _HEADER + swapped
    for name, value in _no_events().items():
        yield f"record that is {name}", "malformed", _START + _record(pack(value))
    yield "record that is empty", "malformed", _START + _record(b"")
    yield "record that is not canonical", "malformed", _START + _record(b"\x92\xc5\0\1a\xc4\0")


def _no_events() -> dict[str, Value]:
    data, signature = _EVENTS[0].signed
    return {
        "no array": data,
        "one field": (data,),
        "three fields": (data, signature, b""),
        "a text": (data, "signature"),
    }


def _cases() -> Iterator[Case]:
    for name, data in {"a genesis alone": _START, "four acceptances and a commitment": _WHOLE}.items():
        yield _MAKER.valid(name, "read log", file=data.hex())
        yield _MAKER.valid(name, "audit log", file=data.hex())
    for name, code, data in _damages():
        yield _MAKER.refused(name, code, "read log", file=data.hex())
    yield from _audits()


def _audits() -> Iterator[Case]:
    """Files that can be read, or read in part, and what an auditor finds in them."""
    accepted = [event.signed for event in _EVENTS[:4]]
    data = accepted[0].data
    forged = SignedEvent(data, IDENTITIES[1].sign(b"", data))
    repeated = coin_event(COINS[1]).signed
    files = {
        "not a log": b"KOZEL",
        "a genesis that is no genesis": _HEADER + _record(b"\x90"),
        "cut inside the last event": _WHOLE[:-1],
        "an event with a bad signature": _file(forged),
        "references to what is not there": _file(_EVENTS[4].signed),
        "events before what they refer to": _file(_EVENTS[4].signed, *accepted),
        "an event twice": _file(*accepted, accepted[0]),
        "two halves of an equivocation": _file(*accepted, _EVENTS[4].signed, repeated),
        "two halves, and then cut": _file(*accepted, _EVENTS[4].signed, repeated, *accepted)[:-1],
    }
    for name, content in files.items():
        yield _MAKER.valid(name, "audit log", file=content.hex())
    blamed = {"finding": "cheat", "events": 4, "verdict": [0, "repeated", []]}
    yield _MAKER.wrong("what is missing is nobody's fault", blamed, "audit log", file=_WHOLE[:-1].hex())


def log_file() -> Vectors:
    """Header, records, every damage, and what audits come to."""
    origin = "The small log of Appendix B, and damages by hand; CRC-32 by zlib."
    return Vectors(origin, "§10", ("EVENT_ID",), tuple(_cases()))


FILES: Final = {"log-file": log_file}
