"""Vectors of the hashing frame, of derivation and of streams (§6.1, §6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256, sha512, shake_256
from typing import Any, Final

from protocol import domains
from protocol.crypto.group import ORDER, encode_scalar
from protocol.crypto.hashing import digest64, frame, u32
from protocol.crypto.transcript import Stream, challenge, derive, digest
from tests.vectors.example import MATCH, SEQ
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces


def _framed(case: Case) -> tuple[bytes, ...]:
    return case["label"].encode("ascii"), *pieces(case, "fields")


def _stream(case: Case) -> Stream:
    return Stream(at(case, "secret"), *_framed(case))


def draw(case: Case) -> list[Any]:
    """What is drawn from one stream, one thing after the other."""
    stream = _stream(case)
    return [_drawn(stream, what, number) for what, number in case["draws"]]


def _drawn(stream: Stream, what: str, number: int) -> Any:
    if what == "bytes":
        return stream.read(number).hex()
    if what == "scalars":
        return [encode_scalar(scalar).hex() for scalar in stream.scalars(number)]
    return stream.below(number) if what == "below" else list(stream.permutation(number))


def derive_key(case: Case) -> str:
    """HKDF-SHA256 as §6.2 uses it."""
    return derive(at(case, "secret"), *_framed(case)).hex()


OPERATIONS: Final[Operations] = {
    "frame": lambda case: frame(*_framed(case)).hex(),
    "digest": lambda case: digest(*_framed(case)).hex(),
    "digest64": lambda case: digest64(*_framed(case)).hex(),
    "challenge": lambda case: encode_scalar(challenge(*_framed(case))).hex(),
    "derive": derive_key,
    "draw from stream": draw,
}
_MAKER: Final = Maker(OPERATIONS)
_HASHES: Final = ("frame", "digest", "digest64", "challenge")
_INPUTS: Final[tuple[tuple[str, str, tuple[bytes, ...]], ...]] = (
    ("label alone", "a", ()),
    ("two fields, one empty", "a", (b"bc", b"")),
    ("the bytes of the case before, cut otherwise", "a", (b"b", b"c")),
    ("an empty field", domains.KEY_PROOF.decode(), (b"",)),
    ("a long field", domains.EVENT_ID.decode(), (bytes(300),)),
)


def _hash_cases() -> Iterator[Case]:
    for name, label, fields in _INPUTS:
        for do in _HASHES:
            yield _MAKER.valid(name, do, label=label, fields=[field.hex() for field in fields])
    joined, inputs = b"abc", {"label": "a", "fields": ["6263", ""]}
    big = b"".join(len(part).to_bytes(4, "big") + part for part in (b"a", b"bc", b""))
    number = int.from_bytes(digest64(b"a", b"bc", b""), "big")
    yield _MAKER.wrong("lengths left out", joined.hex(), "frame", **inputs)
    yield _MAKER.wrong("lengths with the most significant byte first", big.hex(), "frame", **inputs)
    yield _MAKER.wrong("empty field left out", frame(b"a", b"bc").hex(), "frame", **inputs)
    yield _MAKER.wrong("label without its length", (b"a" + frame(b"bc", b"")).hex(), "frame", **inputs)
    yield _MAKER.wrong("lengths left out", sha256(joined).hexdigest(), "digest", **inputs)
    yield _MAKER.wrong("lengths left out", sha512(joined).hexdigest(), "digest64", **inputs)
    cut = int.from_bytes(digest(b"a", b"bc", b""), "little") % ORDER
    yield _MAKER.wrong(
        "most significant byte first", encode_scalar(number % ORDER).hex(), "challenge", **inputs
    )
    yield _MAKER.wrong("32 bytes of hash", encode_scalar(cut).hex(), "challenge", **inputs)


def hashing_frame() -> Vectors:
    """The frame and the three hashes over it."""
    origin = (
        "Short inputs by hand, hashed by this implementation; wrong values by the mistakes that are named."
    )
    return Vectors(origin, "§6.1", ("KEY_PROOF", "EVENT_ID"), tuple(_hash_cases()))


_MATCH_SECRET: Final = {
    "secret": SEQ.hex(),
    "label": domains.MATCH_SECRET.decode(),
    "fields": [MATCH.hex(), "00"],
}


def _derive_cases() -> Iterator[Case]:
    inputs, label = _MATCH_SECRET, domains.MATCH_SECRET.decode()
    yield _MAKER.valid("match secret of seat 0", "derive", **inputs)
    yield _MAKER.valid("match secret of seat 1", "derive", **{**inputs, "fields": [MATCH.hex(), "01"]})
    yield _MAKER.valid("no fields", "derive", secret="ff" * 32, label=label, fields=[])
    yield _MAKER.valid("an empty field", "derive", secret="ff" * 32, label=label, fields=[""])
    hashed = digest(domains.MATCH_SECRET, SEQ, MATCH, b"\0").hex()
    yield _MAKER.wrong("a plain hash of the secret", hashed, "derive", **inputs)
    swapped = {**inputs, "fields": ["00", MATCH.hex()]}
    yield _MAKER.wrong("fields exchanged", derive_key({**swapped}), "derive", **inputs)
    other = {**inputs, "label": domains.COIN_NONCE.decode()}
    yield _MAKER.wrong("another label", derive_key(other), "derive", **inputs)


def key_derivation() -> Vectors:
    """derive(secret, label, fields…)."""
    origin = (
        "HKDF-SHA256 of the library `cryptography`, with salt and info as this implementation makes them."
    )
    return Vectors(origin, "§6.2", ("KDF", "MATCH_SECRET"), tuple(_derive_cases()))


_STREAM: Final = {"secret": SEQ.hex(), "label": domains.SHUFFLE_RANDOMNESS.decode(), "fields": []}


def _stream_cases() -> Iterator[Case]:
    def valid(name: str, *draws: tuple[str, int]) -> Case:
        return _MAKER.valid(name, "draw from stream", **_STREAM, draws=[list(draw) for draw in draws])

    def wrong(name: str, value: list[Any], *draws: tuple[str, int]) -> Case:
        return _MAKER.wrong(name, value, "draw from stream", **_STREAM, draws=[list(draw) for draw in draws])

    yield valid("first bytes", ("bytes", 16))
    yield valid("across two pieces of 1,088 bytes", ("bytes", 1080), ("bytes", 16))
    yield valid("the same in one", ("bytes", 1096))
    yield valid("scalars", ("scalars", 3))
    yield valid("a scalar after some bytes", ("bytes", 5), ("scalars", 1))
    yield valid("below 1 takes nothing", ("below", 1), ("bytes", 4))
    yield valid("numbers", *(("below", bound) for bound in (2, 3, 5, 36, 255, 256, 257, 65_537, 2)))
    yield valid("permutation of 1", ("permutation", 1), ("bytes", 4))
    yield valid("permutation of 8", ("permutation", 8))
    yield valid("permutation of 20", ("permutation", 20))
    yield valid("permutation of 36, then masks", ("permutation", 36), ("scalars", 2))
    key = derive(SEQ, domains.SHUFFLE_RANDOMNESS)
    short = shake_256(key + bytes(8)).digest(1096)[1080:]
    yield wrong("one hash without counter", [shake_256(key).hexdigest(16)], ("bytes", 16))
    yield wrong("counter of four bytes", [shake_256(key + u32(0)).hexdigest(16)], ("bytes", 16))
    yield wrong("one hash without end", [bytes(1080).hex(), short.hex()], ("bytes", 1080), ("bytes", 16))
    wide = Stream(SEQ, domains.SHUFFLE_RANDOMNESS).read(64)
    narrow = encode_scalar(int.from_bytes(wide[:32], "little") % ORDER).hex()
    yield wrong("scalars of 32 bytes", [[narrow]], ("scalars", 1))
    yield wrong("number by remainder", [wide[0] % 36], ("below", 36))
    yield wrong("permutation from the front", [_from_the_front(8)], ("permutation", 8))


def _from_the_front(count: int) -> list[int]:
    """Fisher–Yates in the other direction."""
    stream, order = Stream(SEQ, domains.SHUFFLE_RANDOMNESS), list(range(count))
    for i in range(count - 1):
        j = i + stream.below(count - i)
        order[i], order[j] = order[j], order[i]
    return order


def streams() -> Vectors:
    """Bytes, scalars, numbers and permutations from a stream."""
    origin = "SHAKE256 of hashlib, drawn from by this implementation."
    return Vectors(origin, "§6.2", ("SHUFFLE_RANDOMNESS",), tuple(_stream_cases()))


FILES: Final = {"hashing-frame": hashing_frame, "key-derivation": key_derivation, "stream": streams}
