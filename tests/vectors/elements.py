"""Vectors of points and scalars, of card points and of commitment generators (§6.1, §6.5, §6.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nacl import bindings

from protocol import domains
from protocol.crypto import group
from protocol.crypto.group import IDENTITY, ORDER, G, base, decode_point, decode_scalar, hash_to_point
from protocol.crypto.hashing import digest, u32
from protocol.crypto.masking import CARD_POINTS, card_of
from protocol.crypto.shuffle_proof import generators
from tests.vectors.example import PUBLICS, TORSION_2, flip
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces


def decode_a_point(case: Case) -> None:
    """A received point."""
    decode_point(at(case, "point"))


def decode_a_scalar(case: Case) -> str:
    """A received scalar, as a number in decimal."""
    return str(decode_scalar(at(case, "scalar")))


def to_point(case: Case) -> str:
    """point(label, fields…)."""
    return hash_to_point(case["label"].encode("ascii"), *pieces(case, "fields")).hex()


def all_generators(case: Case) -> list[str]:
    """H₀, h_0 … h_{n−1}."""
    h0, h = generators(case["n"])
    return [h0.hex(), *(point.hex() for point in h)]


def multiply(case: Case) -> str:
    """A scalar times a point, never clamped."""
    scalar, point = decode_scalar(at(case, "scalar")), decode_point(at(case, "point"))
    return group.mul(scalar, point).hex()


OPERATIONS: Final[Operations] = {
    "decode point": decode_a_point,
    "decode scalar": decode_a_scalar,
    "multiply": multiply,
    "hash to point": to_point,
    "card points": lambda _: [point.hex() for point in CARD_POINTS],
    "card of point": lambda case: card_of(decode_point(at(case, "point"))),
    "generators": all_generators,
}
_MAKER: Final = Maker(OPERATIONS)

_TORSION_4: Final = bytes(32)
_TORSION_8: Final = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
_P: Final = 2**255 - 19


def _number(value: int) -> str:
    return value.to_bytes(32, "little").hex()


def _point_cases() -> Iterator[Case]:
    for name, point in {"base point": G, "a deal key": PUBLICS[0], "a card": CARD_POINTS[7]}.items():
        yield _MAKER.valid(name, "decode point", point=point.hex())
    shifted = bindings.crypto_core_ed25519_add
    refused = {
        "neutral element": IDENTITY.hex(),
        "neutral element with a sign": flip(IDENTITY, 255).hex(),
        "neutral element, y = p + 1": _number(_P + 1),
        "order 2": TORSION_2.hex(),
        "order 4": _TORSION_4.hex(),
        "order 4, y = p": _number(_P),
        "order 4 with a sign": flip(_TORSION_4, 255).hex(),
        "order 8": _TORSION_8.hex(),
        "out of the subgroup by a point of order 2": shifted(PUBLICS[0], TORSION_2).hex(),
        "out of the subgroup by a point of order 4": shifted(PUBLICS[0], _TORSION_4).hex(),
        "out of the subgroup by a point of order 8": shifted(PUBLICS[0], _TORSION_8).hex(),
        "off the curve": _number(2),
        "not canonical, the largest": "ff" * 32,
        "31 bytes": G[:31].hex(),
        "33 bytes": (G + b"\0").hex(),
        "nothing": "",
    }
    for name, data in refused.items():
        yield _MAKER.refused(name, "point", "decode point", point=data)


def points() -> Vectors:
    """Decoding of received points."""
    origin = "Points of this implementation; refused encodings from the torsion of edwards25519 and by hand."
    return Vectors(origin, "§6.1", (), tuple(_point_cases()))


def _scalar_cases() -> Iterator[Case]:
    for name, value in {"zero": 0, "one": 1, "half": ORDER // 2, "largest": ORDER - 1}.items():
        yield _MAKER.valid(name, "decode scalar", scalar=_number(value))
    refused = {
        "the order": _number(ORDER),
        "one above the order": _number(ORDER + 1),
        "one with the highest bit": _number(1 | 1 << 255),
        "one with bit 252 doubled": _number(1 + 2 * ORDER),
        "largest of 32 bytes": "ff" * 32,
        "31 bytes": "01" * 31,
        "33 bytes": "01" + "00" * 32,
        "nothing": "",
    }
    for name, data in refused.items():
        yield _MAKER.refused(name, "scalar", "decode scalar", scalar=data)
    for value in (1, 2, 8, ORDER - 1, 2**251 + 5):
        yield _MAKER.valid(
            f"{value} times a point", "multiply", scalar=_number(value), point=PUBLICS[0].hex()
        )
    clamped = bindings.crypto_scalarmult_ed25519((2).to_bytes(32, "little"), PUBLICS[0]).hex()
    yield _MAKER.wrong("clamped", clamped, "multiply", scalar=_number(2), point=PUBLICS[0].hex())
    yield _MAKER.refused("zero times a point", "point", "multiply", scalar=_number(0), point=PUBLICS[0].hex())


def scalars() -> Vectors:
    """Decoding of received scalars, and multiplication."""
    origin = "Numbers around the group order; products by libsodium without clamping."
    return Vectors(origin, "§6.1", (), tuple(_scalar_cases()))


def _card_cases() -> Iterator[Case]:
    label = domains.CARD.decode()
    for card in (0, 1, 8, 9, 35):
        yield _MAKER.valid(f"card {card}", "hash to point", label=label, fields=[u32(card).hex()])
    yield _MAKER.valid("all 36 cards", "card points")
    yield _MAKER.valid("card of a point", "card of point", point=CARD_POINTS[26].hex())
    yield _MAKER.refused("point of no card", "not-a-card", "card of point", point=hash_to_point(b"x").hex())
    known = base(4).hex()
    yield _MAKER.refused("card j as j·G", "not-a-card", "card of point", point=known)
    inputs = {"label": label, "fields": [u32(3).hex()]}
    yield _MAKER.wrong("j·G, with a logarithm that everybody knows", known, "hash to point", **inputs)
    far = bindings.crypto_core_ed25519_from_uniform(digest(domains.CARD, (3).to_bytes(4, "big")))
    yield _MAKER.wrong("number with the most significant byte first", far.hex(), "hash to point", **inputs)
    scalar = int.from_bytes(digest(domains.CARD, u32(3)), "little")
    yield _MAKER.wrong("hash times G", base(scalar).hex(), "hash to point", **inputs)


def card_points() -> Vectors:
    """M_0 … M_35, by hashing to a point."""
    origin = "libsodium's crypto_core_ed25519_from_uniform of the digest."
    return Vectors(origin, "§6.5", ("CARD",), tuple(_card_cases()))


def _generator_cases() -> Iterator[Case]:
    label = domains.GENERATOR.decode()
    yield _MAKER.valid("H₀", "hash to point", label=label, fields=[u32(0).hex()])
    yield _MAKER.valid("h_0", "hash to point", label=label, fields=[u32(1).hex()])
    for n in (36, 20):
        yield _MAKER.valid(f"H₀ and h_0 … h_{n - 1}", "generators", n=n)
    h0, h = generators(3)
    late = [point.hex() for point in (*h, h0)]
    yield _MAKER.wrong("H₀ after the others", late, "generators", n=3)
    yield _MAKER.wrong("multiples of G", [base(k).hex() for k in range(1, 5)], "generators", n=3)


def commitment_generators() -> Vectors:
    """H₀ and h_i of the proofs of shuffles."""
    origin = "libsodium's crypto_core_ed25519_from_uniform of the digest."
    return Vectors(origin, "§6.6", ("GENERATOR",), tuple(_generator_cases()))


FILES: Final = {
    "points": points,
    "scalars": scalars,
    "card-points": card_points,
    "generators": commitment_generators,
}
