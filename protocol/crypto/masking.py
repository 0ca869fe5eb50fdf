"""Cards as ElGamal ciphertexts under the joint key.

Card j, 0…35, is a point hashed from its number, so nobody knows the discrete logarithm between two cards.
With cards at ``j·G`` instead, the order of a "hidden" deck can be read off without any secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from protocol import domains
from protocol.crypto import group
from protocol.crypto.errors import NotACard
from protocol.crypto.group import Point, decode_point
from protocol.crypto.hashing import u32

DECK_SIZE: Final = 36


class Ciphertext(NamedTuple):
    """A masked card: a = r·G and b = M + r·PK for a card point M and a joint key PK."""

    a: Point
    b: Point


Deck = tuple[Ciphertext, ...]

CARD_POINTS: Final[tuple[Point, ...]] = tuple(
    group.hash_to_point(domains.CARD, u32(card)) for card in range(DECK_SIZE)
)
"""M_j = ``hash_to_point(CARD, u32(j))``."""

_CARD_OF: Final = {point: card for card, point in enumerate(CARD_POINTS)}


def initial_deck(joint: Point) -> Deck:
    """The 36 cards in their order, masked with the public randomness 1: (G, M_j + PK)."""
    return tuple(Ciphertext(group.G, group.add(point, joint)) for point in CARD_POINTS)


def encode_deck(deck: Iterable[Ciphertext]) -> bytes:
    """``a_0 ‖ b_0 ‖ a_1 ‖ b_1 ‖ …``: 64 bytes for each card."""
    return b"".join([point for ciphertext in deck for point in ciphertext])


def decode_deck(data: bytes, n: int) -> Deck:
    """Read a deck of ``n`` cards, every point validated; ``MalformedProof`` or ``InvalidPoint``."""
    points = [decode_point(piece) for piece in group.split(data, 2 * n)]
    return tuple(Ciphertext(a, b) for a, b in zip(points[::2], points[1::2], strict=True))


def card_of(point: Point) -> int:
    """The number of the card whose point this is; ``NotACard`` when it is none."""
    try:
        return _CARD_OF[point]
    except KeyError as error:
        raise NotACard("the opened point is none of the cards") from error
