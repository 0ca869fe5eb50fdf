"""Vectors of the genesis, the match id, the roster digest and the fingerprint (§3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from engine.options import Eggs, MolodkaRule, Options
from engine.state import Standing
from protocol import domains
from protocol.encoding import Value, pack, unpack
from protocol.genesis import Genesis, decode_genesis, fingerprint
from protocol.limits import MAX_GENESIS_BYTES
from tests.vectors.example import EXAMPLE, MATCH
from tests.vectors.form import Case, Maker, Operations, Vectors, at


def read_genesis(case: Case) -> dict[str, Any]:
    """What a genesis says, and the values that follow from its bytes."""
    genesis = decode_genesis(at(case, "genesis"))
    return {
        "match_id": genesis.match_id.hex(),
        "table": genesis.table,
        "target": genesis.options.target,
        "names": [member.name for member in genesis.roster],
        "first_leader": genesis.first_leader,
    }


OPERATIONS: Final[Operations] = {
    "read genesis": read_genesis,
    "match id": lambda case: decode_genesis(at(case, "genesis")).match_id.hex(),
    "roster digest": lambda case: decode_genesis(at(case, "genesis")).roster_digest.hex(),
    "fingerprint": lambda case: fingerprint(at(case, "match_id")),
}
_MAKER: Final = Maker(OPERATIONS)

_GOES_ON: Final = replace(
    EXAMPLE, options=Options(12, Eggs.DOUBLE), previous=MATCH, standing=Standing((4, 2), 1, True, 3, 0)
)
_VALID: Final[dict[str, Genesis]] = {
    "the example": EXAMPLE,
    "the shortest and strictest options": replace(
        EXAMPLE, options=Options(6, Eggs.DOUBLE, MolodkaRule.OFF), grace=10
    ),
    "the longest options": replace(EXAMPLE, options=Options(24), grace=3600),
    "a lead carried over": replace(EXAMPLE, first_leader=2, previous=MATCH),
    "for show": replace(EXAMPLE, for_show=True),
    "a match that goes on": _GOES_ON,
    "a table name of 96 bytes": replace(EXAMPLE, table="ж" * 48),
    "a name with code points beyond the first plane": replace(EXAMPLE, table="Козёл 🐐"),
    "a name with an unassigned code point": replace(EXAMPLE, table="\u0378"),
}


def _with(number: int, value: Value, genesis: Genesis = EXAMPLE) -> str:
    """The genesis with one field replaced."""
    fields = _fields(genesis)
    return pack((*fields[:number], value, *fields[number + 1 :])).hex()


def _fields(genesis: Genesis = EXAMPLE) -> tuple[Value, ...]:
    value = unpack(genesis.encode(), limit=MAX_GENESIS_BYTES)
    assert isinstance(value, tuple)
    return value


def _member(number: int, *fields: Value) -> str:
    roster = [(member.identity, member.transport, member.name) for member in EXAMPLE.roster]
    return _with(3, (*roster[:number], fields, *roster[number + 1 :]))


def _malformed() -> Iterator[tuple[str, str]]:
    first, second = EXAMPLE.roster[:2]
    key, nonces, standing = b"k" * 32, EXAMPLE.nonces, (6, 3)
    yield "no array", pack("genesis").hex()
    yield "no fields", pack(()).hex()
    yield "eight fields", pack(_fields()[:8]).hex()
    yield "ten fields", pack((*_fields(), None)).hex()
    yield "table name is bytes", _with(1, b"Example")
    for what, name in {
        "empty": "",
        "white space alone": " \t",
        "of 97 bytes": "x" * 97,
        "with a control character (Cc)": "a\n",
        "with a format character (Cf)": "a\u202eb",
        "with a private code point (Co)": "\ue000",
        "with a line separator (Zl)": "a\u2028b",
        "with a paragraph separator (Zp)": "a\u2029b",
    }.items():
        yield f"table name {what}", _with(1, name)
    yield "three options", _with(2, (12, "joke", "anytime"))
    yield "target is a boolean", _with(2, (True, "joke", "anytime", 90))
    yield "eggs is bytes", _with(2, (12, b"joke", "anytime", 90))
    yield "grace of 9", _with(2, (12, "joke", "anytime", 9))
    yield "grace of 3,601", _with(2, (12, "joke", "anytime", 3601))
    yield "three seats", _with(3, tuple((m.identity, m.transport, m.name) for m in EXAMPLE.roster[:3]))
    yield "identity of 31 bytes", _member(0, key[1:], key, "name")
    yield "transport key of 33 bytes", _member(0, key, key + b"k", "name")
    yield "two fields at a seat", _member(0, key, key)
    yield "player's name with a control character", _member(0, key, key, "a\0")
    yield "one identity at two seats", _member(1, first.identity, second.transport, "East")
    yield "one transport key at two seats", _member(1, second.identity, first.transport, "East")
    yield "three nonces", _with(4, nonces[:3])
    yield "nonce of 31 bytes", _with(4, (*nonces[:3], bytes(31)))
    yield "first leader is seat 4", _with(5, 4, replace(EXAMPLE, first_leader=0, previous=MATCH))
    yield "first leader is a boolean", _with(5, True, replace(EXAMPLE, first_leader=0, previous=MATCH))
    yield "first leader without the match before", _with(5, 0)
    yield "match before without a first leader", _with(6, MATCH)
    yield "match before of 31 bytes", _with(6, MATCH[1:], replace(EXAMPLE, first_leader=0, previous=MATCH))
    yield "show mark is an integer", _with(7, 0)
    yield "standing of four values", _with(8, (standing, 0, False, 1), _GOES_ON)
    yield "standing with a boolean for a seat", _with(8, (standing, 0, False, True, 1), _GOES_ON)
    yield "standing with an integer for a boolean", _with(8, (standing, 0, 0, 1, 1), _GOES_ON)
    yield "standing without the match before", _with(8, (standing, 0, False, 1, 1))


def _not_playable() -> Iterator[tuple[str, str]]:
    yield "target of 7", _with(2, (7, "joke", "anytime", 90))
    yield "unknown eggs", _with(2, (12, "triple", "anytime", 90))
    yield "unknown molodka", _with(2, (12, "joke", "never", 90))
    standings: dict[str, Value] = {
        "score at the target": ((12, 0), 0, False, 1, 1),
        "negative score": ((-1, 0), 0, False, 1, 1),
        "negative eggs": ((0, 2), -1, False, 1, 1),
        "doubled without eggs": ((0, 2), 0, True, 1, 1),
        "dealer is seat 4": ((0, 2), 0, False, 4, 1),
        "leader is seat 4": ((0, 2), 0, False, 1, 4),
    }
    for what, standing in standings.items():
        yield f"standing: {what}", _with(8, standing, _GOES_ON)
    doubled: Value = ((0, 2), 1, True, 1, 1)
    yield "standing: doubled without the option", _with(8, doubled, replace(_GOES_ON, options=Options(12)))
    yield "standing and first leader", _with(5, 1, _GOES_ON)


def _genesis_cases() -> Iterator[Case]:
    for name, genesis in _VALID.items():
        yield _MAKER.valid(name, "read genesis", genesis=genesis.encode().hex())
    data, refused = EXAMPLE.encode(), _MAKER.refused
    for name, changed in _malformed():
        yield refused(name, "malformed", "read genesis", genesis=changed)
    for name, changed in _not_playable():
        yield refused(name, "options", "read genesis", genesis=changed)
    versions: dict[str, Value] = {"0": 0, "2": 2, "true": True, "text": "1"}
    for what, version in versions.items():
        yield refused(f"version {what}", "version", "read genesis", genesis=_with(0, version))
    yield refused("version 2, other fields", "version", "read genesis", genesis=pack((2, "anything")).hex())
    yield refused("cut short", "undecodable", "read genesis", genesis=data[:-1].hex())
    yield refused("a byte too many", "undecodable", "read genesis", genesis=(data + b"\xc0").hex())
    longer = data[:1] + b"\xcc\x01" + data[2:]
    yield refused("version in two bytes", "not-canonical", "read genesis", genesis=longer.hex())
    deep = _with(1, ((((((),),),),),))
    yield refused("nested seven deep", "too-deep", "read genesis", genesis=deep)
    floating = data[:1] + b"\xca\x3f\x80\x00\x00" + data[2:]
    yield refused("version is a float", "forbidden-type", "read genesis", genesis=floating.hex())
    yield refused(
        "2,049 bytes", "oversized", "read genesis", genesis=(b"\x91\xc5\x07\xfd" + bytes(2045)).hex()
    )


def genesis() -> Vectors:
    """Valid ones of every kind, and every refusal."""
    origin = "The example match of Appendix B and changes of it by hand, encoded by this implementation."
    return Vectors(origin, "§3.1", ("GENESIS",), tuple(_genesis_cases()))


def _id_cases() -> Iterator[Case]:
    data = EXAMPLE.encode()
    for name in ("the example", "a match that goes on"):
        given = {"genesis": _VALID[name].encode().hex()}
        yield _MAKER.valid(name, "match id", **given)
        yield _MAKER.valid(name, "roster digest", **given)
    yield _MAKER.valid("the example", "fingerprint", match_id=MATCH.hex())
    plain_hash, whole = sha256(data).hexdigest(), data.hex()
    yield _MAKER.wrong("hash without frame", plain_hash, "match id", genesis=whole)
    prefixed = sha256(domains.GENESIS + data).hexdigest()
    yield _MAKER.wrong("label as a plain prefix", prefixed, "match id", genesis=whole)
    yield _MAKER.wrong("digest of the genesis", MATCH.hex(), "roster digest", genesis=whole)
    text = MATCH[:16].hex()
    yield _MAKER.wrong("without spaces", text, "fingerprint", match_id=MATCH.hex())
    last = MATCH[16:].hex()
    groups = " ".join(last[start : start + 4] for start in range(0, 32, 4))
    yield _MAKER.wrong("the last 16 bytes", groups, "fingerprint", match_id=MATCH.hex())


def match_id() -> Vectors:
    """Match id, roster digest and fingerprint."""
    origin = (
        "The example match of Appendix B and the one that goes on with it, hashed by this implementation."
    )
    return Vectors(origin, "§3.2–3.4", ("GENESIS", "ROSTER"), tuple(_id_cases()))


FILES: Final = {"genesis": genesis, "match-id": match_id}
