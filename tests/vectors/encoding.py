"""Vectors of the canonical encoding (§2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from protocol.encoding import Value, pack, unpack
from tests.vectors.form import Case, Maker, Operations, Vectors, at


def plain(value: Value) -> Any:
    """A value in JSON: text and bytes as objects of one field, arrays as arrays, all else as itself."""
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def from_plain(value: Any) -> Value:
    """The value behind its JSON."""
    if isinstance(value, dict):
        return value["text"] if "text" in value else bytes.fromhex(value["bytes"])
    return tuple(map(from_plain, value)) if isinstance(value, list) else value


def decode(case: Case) -> Any:
    """The value that canonical bytes of at most `limit` bytes hold."""
    return plain(unpack(at(case, "bytes"), limit=case["limit"]))


def encode(case: Case) -> str:
    """The one encoding of a value."""
    return pack(from_plain(case["value"])).hex()


OPERATIONS: Final[Operations] = {"decode value": decode, "encode value": encode}
_MAKER: Final = Maker(OPERATIONS)
_LIMIT: Final = 512

_VALUES: Final[Mapping[str, Value]] = {
    "nil": None,
    "false": False,
    "true": True,
    "zero": 0,
    "largest positive fixint": 127,
    "smallest uint 8": 128,
    "largest uint 8": 255,
    "smallest uint 16": 256,
    "largest uint 16": 2**16 - 1,
    "smallest uint 32": 2**16,
    "largest uint 32": 2**32 - 1,
    "smallest uint 64": 2**32,
    "largest integer": 2**64 - 1,
    "negative fixint": -1,
    "smallest negative fixint": -32,
    "int 8": -33,
    "smallest int 8": -128,
    "int 16": -129,
    "smallest int 16": -(2**15),
    "int 32": -(2**15) - 1,
    "smallest int 32": -(2**31),
    "int 64": -(2**31) - 1,
    "smallest integer": -(2**63),
    "empty text": "",
    "text of 31 bytes": "a" * 31,
    "text of 32 bytes": "a" * 32,
    "text of 256 bytes": "a" * 256,
    "text beyond ASCII": "Козёл 🐐",
    "no bytes": b"",
    "a byte": b"\x00",
    "255 bytes": bytes(255),
    "256 bytes": bytes(256),
    "empty array": (),
    "array of 15": (None,) * 15,
    "array of 16": (None,) * 16,
    "array of 64": (None,) * 64,
    "six deep": ((((((),),),),),),
    "mixed": (1, "a", b"a", (True, None), -1),
}

_REFUSED: Final[tuple[tuple[str, str, str], ...]] = (
    ("nothing", "undecodable", ""),
    ("a byte after the value", "undecodable", "c0c0"),
    ("end inside an integer", "undecodable", "cd01"),
    ("end inside an array", "undecodable", "92c0"),
    ("end inside bytes", "undecodable", "c40500"),
    ("the byte that msgpack never uses", "undecodable", "c1"),
    ("text that is not UTF-8", "undecodable", "a1ff"),
    ("text with half a surrogate pair", "undecodable", "a3eda080"),
    ("text with an overlong zero", "undecodable", "a2c080"),
    ("array of 65", "undecodable", "dc0041" + "c0" * 65),
    ("map with an entry", "undecodable", "81a16101"),
    ("extension", "undecodable", "d40500"),
    ("timestamp", "undecodable", "d6ff00000000"),
    ("bytes of more than 65,536, cut short", "undecodable", "c60001000100"),
    ("seven deep", "too-deep", "91" * 6 + "90"),
    ("float", "forbidden-type", "cb3ff0000000000000"),
    ("short float", "forbidden-type", "ca3f800000"),
    ("float inside", "forbidden-type", "92c0ca00000000"),
    ("empty map", "forbidden-type", "80"),
    ("empty map inside", "forbidden-type", "9180"),
    ("uint 8 for a fixint", "not-canonical", "cc01"),
    ("uint 16 for a byte", "not-canonical", "cd00ff"),
    ("uint 32 for 16 bits", "not-canonical", "ce0000ffff"),
    ("uint 64 for 32 bits", "not-canonical", "cf00000000ffffffff"),
    ("int 8 for a positive number", "not-canonical", "d005"),
    ("int 16 for a positive number", "not-canonical", "d10100"),
    ("int 64 for a positive number", "not-canonical", "d30000000100000000"),
    ("int 8 for a fixint", "not-canonical", "d0ff"),
    ("int 16 for 8 bits", "not-canonical", "d1ff80"),
    ("int 32 for 16 bits", "not-canonical", "d2ffff8000"),
    ("int 64 for 32 bits", "not-canonical", "d3ffffffff80000000"),
    ("str 8 for a short text", "not-canonical", "d90161"),
    ("str 16 for a short text", "not-canonical", "da000161"),
    ("str 32 for a short text", "not-canonical", "db0000000161"),
    ("bin 16 for a byte", "not-canonical", "c5000161"),
    ("bin 32 for a byte", "not-canonical", "c60000000161"),
    ("array 16 for a short array", "not-canonical", "dc000101"),
    ("array 32 for a short array", "not-canonical", "dd0000000101"),
    ("inside an array", "not-canonical", "91cc01"),
    ("one byte more than the structure may have", "oversized", "c5" + "01fe" + "00" * 510),
)


def _cases() -> Iterator[Case]:
    for name, value in _VALUES.items():
        yield _MAKER.valid(name, "decode value", bytes=pack(value).hex(), limit=_LIMIT)
        yield _MAKER.valid(name, "encode value", value=plain(value))
    for name, code, data in _REFUSED:
        yield _MAKER.refused(name, code, "decode value", bytes=data, limit=_LIMIT)
    yield _MAKER.wrong("a boolean is no integer", "01", "encode value", value=True)


def canonical_encoding() -> Vectors:
    """Every form of every type at both ends of its range, and every refusal."""
    origin = "Values at the ends of each form's range, encoded by this implementation; refused bytes by hand."
    return Vectors(origin, "§2", (), tuple(_cases()))


FILES: Final = {"canonical-encoding": canonical_encoding}
