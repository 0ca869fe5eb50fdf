"""What the tests of this folder share: one seat, one deck, its shuffle, and ways to damage them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from nacl import bindings

from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.group import Point
from protocol.crypto.masking import CARD_POINTS, Ciphertext, Deck
from protocol.crypto.shuffle import ShuffleProof, ShuffleWitness, prove_shuffle, shuffle
from protocol.crypto.transcript import Stream, digest

SECRET: Final = digest(b"test secret")
CTX: Final = Context(digest(b"match"), digest(b"roster"), 2, "deck", 3)
X: Final = Stream(SECRET, b"test key").scalar()
PUBLIC: Final = group.base(X)

OTHER_CONTEXTS: Final = {
    "match_id": replace(CTX, match_id=digest(b"other match")),
    "roster": replace(CTX, roster=digest(b"other roster")),
    "deal": replace(CTX, deal=3),
    "stage": replace(CTX, stage="stock"),
    "seat": replace(CTX, seat=0),
}
"""CTX with each of its fields changed in turn."""

BITS: Final = (0, 7, 101, 200, 251, 252, 255)
"""Bits to flip in a 32-byte element: both ends, the middle, the top of the order, the ignored one."""

TORSION_2: Final = bytes.fromhex("ec" + "ff" * 30 + "7f")

FOREIGN_POINTS: Final = {
    "identity": group.IDENTITY,
    "order 2": TORSION_2,
    "order 4": bytes(32),
    "order 8": bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    "Q + T2": bindings.crypto_core_ed25519_add(PUBLIC, TORSION_2),
    "Q + T4": bindings.crypto_core_ed25519_add(PUBLIC, bytes(32)),
    "not canonical": bytes.fromhex("ee" + "ff" * 30 + "7f"),
    "negative zero": bytes.fromhex("01" + "00" * 30 + "80"),
    "off the curve": bytes([2]) + bytes(31),
}
"""Encodings of 32 bytes that are no element of the group, by what is wrong with them."""


@dataclass(frozen=True)
class Shuffled:
    """A deck, its shuffle and the proof."""

    before: Deck
    after: Deck
    witness: ShuffleWitness
    proof: ShuffleProof


def deck_of(points: tuple[Point, ...], joint: Point = PUBLIC) -> Deck:
    """The points masked under ``joint`` with the public randomness 1."""
    return tuple(Ciphertext(group.G, group.add(point, joint)) for point in points)


@lru_cache
def shuffled(n: int, label: bytes = b"test shuffle") -> Shuffled:
    """The first ``n`` cards, shuffled by ``label`` and proven for ``CTX`` under ``PUBLIC``."""
    before = deck_of(CARD_POINTS[:n])
    after, witness = shuffle(before, PUBLIC, Stream(SECRET, label))
    return Shuffled(before, after, witness, prove_shuffle(CTX, PUBLIC, before, after, witness, SECRET))


def unmask(card: Ciphertext) -> Point:
    """The point hidden in a card under ``PUBLIC``."""
    return group.sub(card.b, group.mul(X, card.a))


def flip(data: bytes, bit: int) -> bytes:
    """``data`` with one bit turned."""
    return (int.from_bytes(data, "little") ^ (1 << bit)).to_bytes(len(data), "little")


def other_point(point: Point) -> Point:
    """Another element of the group."""
    return group.add(point, group.G)
