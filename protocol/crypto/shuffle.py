"""Shuffling a deck, proving it and checking the proof.

Symbols are those of the paper that ``shuffle_proof`` names, in additive notation: ψ permutation, r masks,
ρ and r̂ blinds, ω nonces, u exponents, primes on whatever stands in the order of the output. ψ(i) is the
input that output i comes from. Indices run from 0 here, except that ĉ_0 = H₀ stands before the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.errors import ProofRefused, refusing
from protocol.crypto.group import ORDER, Point, encode_scalar
from protocol.crypto.hashing import u16
from protocol.crypto.masking import Ciphertext, Deck
from protocol.crypto.shuffle_proof import (
    ShuffleProof,
    exponents,
    generators,
    proof_challenge,
    statement_digest,
)
from protocol.crypto.transcript import Stream

__all__ = ["ShuffleProof", "ShuffleWitness", "prove_shuffle", "shuffle", "verify_shuffle"]

_REFUSED = "the proof of the shuffle does not hold"


@dataclass(frozen=True, slots=True)
class ShuffleWitness:
    """What only the shuffler knows: ψ, and the mask r_k in [1, q) of each input k. Kept out of ``repr``."""

    permutation: tuple[int, ...] = field(repr=False)
    masks: tuple[int, ...] = field(repr=False)

    def to_bytes(self) -> bytes:
        """``u16(ψ(0)) ‖ … ‖ r_0 ‖ …``: 34 bytes for each card."""
        return b"".join([*map(u16, self.permutation), *map(encode_scalar, self.masks)])


@dataclass(frozen=True, slots=True)
class _Nonces:
    """ω₁…ω₄, ω̂_i and ω′_i."""

    single: tuple[int, ...]
    chain: tuple[int, ...]
    exponents: tuple[int, ...]


def shuffle(deck: Deck, joint: Point, stream: Stream) -> tuple[Deck, ShuffleWitness]:
    """Permute and re-mask ``deck``: output i is (a_ψ(i) + r_ψ(i)·G, b_ψ(i) + r_ψ(i)·PK).

    ψ = ``stream.permutation(n)``, then r_0 … r_{n−1} = ``stream.scalars(n)``.
    """
    permutation = stream.permutation(len(deck))
    masks = stream.scalars(len(deck))
    after = tuple(_remask(deck[k], joint, masks[k]) for k in permutation)
    return after, ShuffleWitness(permutation, masks)


def _remask(card: Ciphertext, joint: Point, mask: int) -> Ciphertext:
    return Ciphertext(group.add(card.a, group.base(mask)), group.add(card.b, group.mul(mask, joint)))


def prove_shuffle(
    ctx: Context, joint: Point, before: Deck, after: Deck, witness: ShuffleWitness, secret: bytes
) -> ShuffleProof:
    """Prove that ``after`` is ``before`` permuted and re-masked by ``witness`` (GenShuffleProof).

    Blinds and nonces are scalars of ``Stream(secret, SHUFFLE_NONCE, S, witness)``, in the order ρ, r̂,
    ω₁…ω₄, ω̂, ω′: they depend on the whole statement, so no nonce serves two proofs.
    """
    n, psi = len(before), witness.permutation
    h0, h = generators(n)
    statement = statement_digest(ctx, joint, before, after)
    stream = Stream(secret, domains.SHUFFLE_NONCE, statement, witness.to_bytes())
    blinds, chain_blinds = stream.scalars(n), stream.scalars(n)
    nonces = _Nonces(stream.scalars(4), stream.scalars(n), stream.scalars(n))

    commitments = _commit_permutation(psi, blinds, h)
    u = exponents(statement, commitments)
    permuted = [u[k] for k in psi]
    chain = _chain(h0, chain_blinds, permuted)
    c = proof_challenge(statement, commitments, chain, _announce(nonces, joint, after, h, (h0, *chain)))

    secrets = (
        sum(blinds),
        _fold(chain_blinds, permuted),
        sum(rho * e for rho, e in zip(blinds, u, strict=True)),
        sum(r * e for r, e in zip(witness.masks, u, strict=True)),
    )
    return ShuffleProof(
        commitments,
        chain,
        c,
        _respond(nonces.single, c, secrets),
        _respond(nonces.chain, c, chain_blinds),
        _respond(nonces.exponents, c, permuted),
    )


def _commit_permutation(psi: Sequence[int], blinds: Sequence[int], h: Sequence[Point]) -> tuple[Point, ...]:
    """C_ψ(i) = ρ_ψ(i)·G + h_i, in the order of the inputs."""
    by_input = {k: group.add(group.base(blinds[k]), h[i]) for i, k in enumerate(psi)}
    return tuple(by_input[k] for k in range(len(psi)))


def _chain(h0: Point, blinds: Sequence[int], permuted: Sequence[int]) -> tuple[Point, ...]:
    """ĉ_i = r̂_i·G + u′_i·ĉ_{i−1}: a commitment to the product of all u′."""
    chain = [h0]
    for blind, exponent in zip(blinds, permuted, strict=True):
        chain.append(group.add(group.base(blind), group.mul(exponent, chain[-1])))
    return tuple(chain[1:])


def _fold(blinds: Sequence[int], permuted: Sequence[int]) -> int:
    """R̂ = Σ_i r̂_i·Π_{j>i} u′_j: the blind of the chain's last link."""
    total = 0
    for blind, exponent in zip(blinds, permuted, strict=True):
        total = (blind + exponent * total) % ORDER
    return total


def _announce(
    nonces: _Nonces, joint: Point, after: Deck, h: Sequence[Point], chain: Sequence[Point]
) -> list[Point]:
    """t₁, t₂, t₃, t₄ₐ, t₄ᵦ, t̂_1 … t̂_n. ``chain`` begins with ĉ_0 = H₀."""
    w1, w2, w3, w4 = nonces.single
    links = zip(nonces.chain, nonces.exponents, chain, strict=False)
    return [
        group.base(w1),
        group.base(w2),
        group.add(group.base(w3), group.combine(nonces.exponents, h)),
        group.add(group.base(-w4), group.combine(nonces.exponents, [card.a for card in after])),
        group.add(group.mul(-w4, joint), group.combine(nonces.exponents, [card.b for card in after])),
        *[group.add(group.base(w), group.mul(v, link)) for w, v, link in links],
    ]


def _respond(nonces: Sequence[int], c: int, secrets: Sequence[int]) -> tuple[int, ...]:
    return tuple((nonce + c * secret) % ORDER for nonce, secret in zip(nonces, secrets, strict=True))


def verify_shuffle(ctx: Context, joint: Point, before: Deck, after: Deck, proof: ShuffleProof) -> None:
    """Check that ``after`` is some permutation and re-masking of ``before`` (CheckShuffleProof).

    Decks and proof come from ``decode_deck`` and ``ShuffleProof.from_bytes``, which have validated every
    element. Accepts exactly when the challenge, computed anew from the statement and the responses, is the
    one in the proof; raises ``ProofRefused`` otherwise.
    """
    with refusing(_REFUSED):
        n = len(before)
        if n == 0 or len(after) != n or not proof.fits(n):
            raise ProofRefused(_REFUSED)
        statement = statement_digest(ctx, joint, before, after)
        u = exponents(statement, proof.commitments)
        announcement = [
            *_recompute_permutation(proof, u),
            *_recompute_masks(proof, u, joint, before, after),
            *_recompute_chain(proof),
        ]
        if proof_challenge(statement, proof.commitments, proof.chain, announcement) != proof.challenge:
            raise ProofRefused(_REFUSED)


def _recompute_permutation(proof: ShuffleProof, u: Sequence[int]) -> tuple[Point, Point, Point]:
    """t₁ = s₁G − c(ΣC − Σh), t₂ = s₂G − c(ĉ_n − (Πu)H₀), t₃ = s₃G + Σs′_i·h_i − Σ(c·u_k)C_k."""
    c = proof.challenge
    h0, h = generators(len(u))
    s1, s2, s3, _ = proof.responses
    total = group.sub(group.sum_points(proof.commitments), group.sum_points(h))
    product = group.sub(proof.chain[-1], group.mul(prod(u), h0))
    return (
        group.sub(group.base(s1), group.mul(c, total)),
        group.sub(group.base(s2), group.mul(c, product)),
        group.add(group.base(s3), _weighted(proof, u, h, proof.commitments)),
    )


def _recompute_masks(
    proof: ShuffleProof, u: Sequence[int], joint: Point, before: Deck, after: Deck
) -> tuple[Point, Point]:
    """t₄ₐ = −s₄G + Σs′_i·a′_i − Σ(c·u_k)a_k, and t₄ᵦ likewise with PK, b′ and b."""
    s4 = proof.responses[3]
    a = _weighted(proof, u, [card.a for card in after], [card.a for card in before])
    b = _weighted(proof, u, [card.b for card in after], [card.b for card in before])
    return group.add(group.base(-s4), a), group.add(group.mul(-s4, joint), b)


def _weighted(proof: ShuffleProof, u: Sequence[int], left: Sequence[Point], right: Sequence[Point]) -> Point:
    """Σs′_i·left_i − Σ(c·u_k)·right_k."""
    c = proof.challenge
    return group.sub(
        group.combine(proof.exponent_responses, left), group.combine([c * exponent for exponent in u], right)
    )


def _recompute_chain(proof: ShuffleProof) -> list[Point]:
    """t̂_i = ŝ_i·G + s′_i·ĉ_{i−1} − c·ĉ_i, with ĉ_0 = H₀."""
    h0, _ = generators(len(proof.chain))
    previous = (h0, *proof.chain)
    links = zip(proof.chain_responses, proof.exponent_responses, previous, proof.chain, strict=False)
    return [
        group.sub(group.add(group.base(s), group.mul(v, before)), group.mul(proof.challenge, link))
        for s, v, before, link in links
    ]
