"""The proof of a shuffle as an object, and the hashes that prover and verifier share.

The construction is that of Terelius and Wikström ("Proofs of Restricted Shuffles", 2010) in the form of
Haenni, Locher, Koenig and Dubuis ("Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets", 2017);
Haines (arXiv 1901.08371) proves this variant secure. ``shuffle`` holds its two algorithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.group import Point, decode_point, decode_scalar, encode_scalar
from protocol.crypto.hashing import digest64, u32
from protocol.crypto.masking import Deck, encode_deck
from protocol.crypto.transcript import challenge


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """The proof for ``n`` cards.

    ``commitments`` C_k and ``chain`` ĉ_i: ``n`` points each. ``challenge`` c. ``responses`` s₁, s₂, s₃, s₄.
    ``chain_responses`` ŝ_i and ``exponent_responses`` s′_i: ``n`` scalars each.
    """

    commitments: tuple[Point, ...]
    chain: tuple[Point, ...]
    challenge: int
    responses: tuple[int, ...]
    chain_responses: tuple[int, ...]
    exponent_responses: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """``C_0…C_{n−1} ‖ ĉ_1…ĉ_n ‖ c ‖ s₁…s₄ ‖ ŝ_1…ŝ_n ‖ s′_1…s′_n``: 32·(4n + 5) bytes, 4768 for 36."""
        scalars = (self.challenge, *self.responses, *self.chain_responses, *self.exponent_responses)
        return b"".join([*self.commitments, *self.chain, *map(encode_scalar, scalars)])

    @classmethod
    def from_bytes(cls, data: bytes, n: int) -> ShuffleProof:
        """Read the proof for ``n`` cards, every point and scalar validated.

        Raises ``MalformedProof``, ``InvalidPoint`` or ``InvalidScalar``.
        """
        pieces = group.split(data, 4 * n + 5)
        points = tuple(map(decode_point, pieces[: 2 * n]))
        scalars = tuple(map(decode_scalar, pieces[2 * n :]))
        return cls(points[:n], points[n:], scalars[0], scalars[1:5], scalars[5 : n + 5], scalars[n + 5 :])

    def fits(self, n: int) -> bool:
        """Whether each part has the length that a proof for ``n`` cards has."""
        lists = (self.commitments, self.chain, self.chain_responses, self.exponent_responses)
        return len(self.responses) == 4 and all(len(part) == n for part in lists)


@lru_cache(maxsize=8)
def generators(n: int) -> tuple[Point, tuple[Point, ...]]:
    """H₀ and h_1 … h_n: ``hash_to_point(GENERATOR, u32(index))``, index 0 for H₀ and i for h_i.

    Whoever knew a discrete logarithm between any of them could open a commitment as something that is no
    permutation, and prove a forged deck. They come from hashing only.
    """
    h0, *h = (group.hash_to_point(domains.GENERATOR, u32(index)) for index in range(n + 1))
    return h0, tuple(h)


def statement_digest(ctx: Context, joint: Point, before: Deck, after: Deck) -> bytes:
    """S = ``digest64(SHUFFLE_STATEMENT, ctx, H₀ ‖ h_1 ‖ … ‖ h_n, PK, deck before, deck after)``: 64 bytes."""
    h0, h = generators(len(before))
    return digest64(
        domains.SHUFFLE_STATEMENT,
        ctx.digest(),
        b"".join((h0, *h)),
        joint,
        encode_deck(before),
        encode_deck(after),
    )


def exponents(statement: bytes, commitments: Sequence[Point]) -> list[int]:
    """u_k for k = 0 … n − 1, 128 bits each.

    The first 16 bytes, little-endian, of ``digest64(SHUFFLE_U, S, C_0 ‖ … ‖ C_{n−1}, u32(k))``.
    """
    joined = b"".join(commitments)
    return [
        int.from_bytes(digest64(domains.SHUFFLE_U, statement, joined, u32(k))[:16], "little")
        for k in range(len(commitments))
    ]


def proof_challenge(
    statement: bytes, commitments: Sequence[Point], chain: Sequence[Point], announcement: Sequence[Point]
) -> int:
    """c = ``challenge(SHUFFLE_CHALLENGE, S, C_0 ‖ …, ĉ_1 ‖ …, t₁ ‖ t₂ ‖ t₃ ‖ t₄ₐ ‖ t₄ᵦ ‖ t̂_1 ‖ … ‖ t̂_n)``."""
    return challenge(
        domains.SHUFFLE_CHALLENGE,
        statement,
        b"".join(commitments),
        b"".join(chain),
        b"".join(announcement),
    )
