"""Vectors of the bodies of all kinds (§5): their shape alone, as a decoder looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from protocol.bodies import parse_body
from protocol.encoding import Value, pack, unpack
from protocol.limits import MAX_EVENT_BYTES
from tests.vectors.form import Case, Maker, Operations, Vectors, at


def read_body(case: Case) -> None:
    """A body of a kind, from its canonical array; the refusal is a fault of whoever signed it."""
    fields = unpack(at(case, "body"), limit=MAX_EVENT_BYTES)
    assert isinstance(fields, tuple)
    parse_body(case["kind"], fields)


OPERATIONS: Final[Operations] = {"read body": read_body}
_MAKER: Final = Maker(OPERATIONS)

_HASH: Final = bytes(range(32))
_SHARE: Final = bytes(96)

_BODIES: Final[Mapping[str, tuple[Value, ...]]] = {
    "accept": (_HASH,),
    "coin-commit": (_HASH,),
    "coin-reveal": (_HASH,),
    "key": (9_999, _HASH, bytes(64), bytes(528)),
    "shuffle": (0, "deck", bytes(2304), bytes(4768)),
    "deal": (0, bytes(1248)),
    "lead": (0, 35, (0, 35), _SHARE * 2),
    "molodka": (0, 0, (0, 1, 2, 3), _SHARE * 4),
    "beat": (0, 0, 3, (7,), _SHARE),
    "discard": (0, 0, 3, 4, _HASH),
    "draw": (0, 0, _SHARE * 12),
    "open": (0, _HASH, ((0, _HASH, (1,)), (35, _HASH, (0, 1, 2, 35)))),
    "result": (0, _HASH),
    "final": (_HASH,),
    "complaint": (0, 3, _HASH),
    "lost": (0, 0),
    "rescue": (0, 3, bytes(64)),
}
"""A body of each kind; numbers at the ends of their ranges."""

_ALSO: Final[tuple[tuple[str, str, tuple[Value, ...]], ...]] = (
    ("a stock", "shuffle", (0, "stock", bytes(1280), bytes(2720))),
    ("lengths that do not fit the stage, judged with the proof", "shuffle", (0, "stock", bytes(2304), b"")),
    ("no card", "discard", (0, 0, 0, 0, _HASH)),
    ("one card", "draw", (0, 0, _SHARE)),
    ("no discards", "open", (0, _HASH, ())),
    ("shares of another number than the slots, judged with the play", "lead", (0, 0, (1,), _SHARE * 2)),
)

_REFUSED: Final[tuple[tuple[str, str, tuple[Value, ...]], ...]] = (
    ("a deal of 10,000", "result", (10_000, _HASH)),
    ("a negative deal", "result", (-1, _HASH)),
    ("a deal that is true", "result", (True, _HASH)),
    ("a hash of 31 bytes", "result", (0, _HASH[1:])),
    ("a hash that is text", "result", (0, "x" * 32)),
    ("a proof of 63 bytes", "key", (0, _HASH, bytes(63), bytes(528))),
    ("two parts", "key", (0, _HASH, bytes(64), bytes(352))),
    ("another stage", "shuffle", (0, "hand", bytes(2304), b"")),
    ("a stage that is bytes", "shuffle", (0, b"deck", bytes(2304), b"")),
    ("a deck of 35", "shuffle", (0, "deck", bytes(2240), b"")),
    ("a proof that is nil", "shuffle", (0, "stock", bytes(1280), None)),
    ("twelve shares", "deal", (0, bytes(1152))),
    ("trick 36", "lead", (0, 36, (1,), _SHARE)),
    ("no slots", "lead", (0, 0, (), b"")),
    ("five slots", "lead", (0, 0, (0, 1, 2, 3, 4), _SHARE * 5)),
    ("slots that descend", "lead", (0, 0, (2, 1), _SHARE * 2)),
    ("a slot twice", "lead", (0, 0, (1, 1), _SHARE * 2)),
    ("slot 36", "lead", (0, 0, (36,), _SHARE)),
    ("a slot that is false", "lead", (0, 0, (False,), _SHARE)),
    ("half a share", "lead", (0, 0, (1,), _SHARE[:48])),
    ("five shares", "molodka", (0, 0, (0, 1, 2, 3), _SHARE * 5)),
    ("seat 4", "beat", (0, 0, 4, (7,), _SHARE)),
    ("five cards", "discard", (0, 0, 0, 5, _HASH)),
    ("no share", "draw", (0, 0, b"")),
    ("thirteen shares", "draw", (0, 0, _SHARE * 13)),
    ("37 discards", "open", (0, _HASH, ((0, _HASH, (1,)),) * 37)),
    ("a discard of two fields", "open", (0, _HASH, ((0, _HASH),))),
    ("a salt of 31 bytes", "open", (0, _HASH, ((0, _HASH[1:], (1,)),))),
    ("a discard of no card", "open", (0, _HASH, ((0, _HASH, ()),))),
    ("a part of 63 bytes", "rescue", (0, 3, bytes(63))),
)


def _refused(name: str, kind: str, body: tuple[Value, ...]) -> Case:
    return _MAKER.refused(name, "malformed-body", "read body", kind=kind, body=pack(body).hex())


def _cases() -> Iterator[Case]:
    for kind, body in _BODIES.items():
        yield _MAKER.valid(f"{kind}", "read body", kind=kind, body=pack(body).hex())
        yield _refused(f"{kind} without its last field", kind, body[:-1])
        short = (*body[:-1], b"") if kind == "shuffle" else body
        yield _refused(f"{kind} with a field more", kind, (*short, None))
        yield _refused(f"{kind} with nil for its first field", kind, (None, *short[1:]))
    for name, kind, body in _ALSO:
        yield _MAKER.valid(f"{kind}: {name}", "read body", kind=kind, body=pack(body).hex())
    for name, kind, body in _REFUSED:
        yield _refused(f"{kind}: {name}", kind, body)
    for kind in ("chat", "Accept", "accept "):
        yield _MAKER.refused(f"kind {kind!r}", "unknown-kind", "read body", kind=kind, body="90")


def bodies() -> Vectors:
    """A body of every kind, and bodies that are none."""
    origin = (
        "Fields of the right lengths with zeros in them, changed by hand, encoded by this implementation."
    )
    return Vectors(origin, "§5", (), tuple(_cases()))


FILES: Final = {"bodies": bodies}
