"""Deal keys: one secret scalar per seat and deal, its public point, and the proof that the seat knows it.

The proof is Schnorr's. Without it the last seat to publish could choose its key as a difference and so fix
the sum (rogue key): no joint key before all four proofs have been checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.errors import InvalidPoint, ProofRefused, refusing
from protocol.crypto.group import ORDER, Point, decode_scalar, encode_scalar
from protocol.crypto.transcript import Stream, challenge

_REFUSED = "the proof of the deal key does not hold"


@dataclass(frozen=True, slots=True)
class KeyProof:
    """Proof of knowledge of the secret behind a public key: challenge c and response s."""

    challenge: int
    response: int

    def to_bytes(self) -> bytes:
        """``c ‖ s``: 64 bytes."""
        return encode_scalar(self.challenge) + encode_scalar(self.response)

    @classmethod
    def from_bytes(cls, data: bytes) -> KeyProof:
        """Read 64 bytes; ``MalformedProof`` or ``InvalidScalar``."""
        c, s = group.split(data, 2)
        return cls(decode_scalar(c), decode_scalar(s))


def derive_deal_key(secret: bytes, ctx: Context) -> int:
    """The secret deal key x in [1, q): the first scalar of ``Stream(secret, DEAL_KEY, ctx)``."""
    return Stream(secret, domains.DEAL_KEY, ctx.digest()).scalar()


def prove_key(ctx: Context, x: int, public: Point) -> KeyProof:
    """Prove knowledge of ``x`` with ``public = x·G``.

    w = first scalar of ``Stream(x, KEY_NONCE, ctx, X)``; A = w·G; c as in ``verify_key``; s = w + c·x mod q.
    """
    w = Stream(encode_scalar(x), domains.KEY_NONCE, ctx.digest(), public).scalar()
    c = _challenge(ctx, public, group.base(w))
    return KeyProof(c, (w + c * x) % ORDER)


def verify_key(ctx: Context, public: Point, proof: KeyProof) -> None:
    """Check c = ``challenge(KEY_PROOF, ctx, X, s·G − c·X)``; ``ProofRefused`` otherwise."""
    with refusing(_REFUSED):
        announced = group.sub(group.base(proof.response), group.mul(proof.challenge, public))
        if _challenge(ctx, public, announced) != proof.challenge:
            raise ProofRefused(_REFUSED)


def joint_key(publics: Iterable[Point]) -> Point:
    """The sum of the seats' public keys, **each of which has passed** ``verify_key``.

    ``InvalidPoint`` when the sum is the identity.
    """
    joint = group.sum_points(publics)
    if joint == group.IDENTITY:
        raise InvalidPoint("the joint key is the neutral element")
    return joint


def _challenge(ctx: Context, public: Point, announced: Point) -> int:
    return challenge(domains.KEY_PROOF, ctx.digest(), public, announced)
