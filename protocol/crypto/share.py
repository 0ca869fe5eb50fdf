"""Decryption shares: one seat's contribution to opening one masked card, with its proof.

The share of seat j for the ciphertext (a, b) is D = x_j·a. The proof (Chaum–Pedersen) says that D and the
seat's public key have the same logarithm. There is one proof for each card, so the culprit card is named.

A share is a decryption oracle: the caller must make one only for slots of the final deck, once for each
slot, when the rules hand that card to somebody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.errors import ProofRefused, refusing
from protocol.crypto.group import ORDER, Point, decode_point, decode_scalar, encode_scalar
from protocol.crypto.hashing import u32
from protocol.crypto.masking import Ciphertext, card_of
from protocol.crypto.transcript import Stream, challenge

_REFUSED = "the proof of a decryption share does not hold"


@dataclass(frozen=True, slots=True)
class Share:
    """D = x·a with the challenge c and the response s of its proof."""

    point: Point
    challenge: int
    response: int

    def to_bytes(self) -> bytes:
        """``D ‖ c ‖ s``: 96 bytes."""
        return self.point + encode_scalar(self.challenge) + encode_scalar(self.response)

    @classmethod
    def from_bytes(cls, data: bytes) -> Share:
        """Read 96 bytes, the point validated; ``MalformedProof``, ``InvalidPoint`` or ``InvalidScalar``."""
        point, c, s = group.split(data, 3)
        return cls(decode_point(point), decode_scalar(c), decode_scalar(s))


def make_share(
    ctx: Context, slot: int, x: int, public: Point, ciphertext: Ciphertext, secret: bytes
) -> Share:
    """The share of the holder of ``x`` (``public = x·G``) for the card in ``slot``.

    w = first scalar of ``Stream(secret, SHARE_NONCE, x, ctx, u32(slot), X, a, D)``; A₁ = w·G; A₂ = w·a;
    c as in ``verify_share``; s = w + c·x mod q.
    """
    point = group.mul(x, ciphertext.a)
    statement = (ctx.digest(), u32(slot), public, ciphertext.a, point)
    w = Stream(secret, domains.SHARE_NONCE, encode_scalar(x), *statement).scalar()
    c = challenge(domains.SHARE_PROOF, *statement, group.base(w), group.mul(w, ciphertext.a))
    return Share(point, c, (w + c * x) % ORDER)


def verify_share(ctx: Context, slot: int, public: Point, ciphertext: Ciphertext, share: Share) -> None:
    """Check c = ``challenge(SHARE_PROOF, ctx, u32(slot), X, a, D, s·G − c·X, s·a − c·D)``.

    ``ProofRefused`` otherwise.
    """
    with refusing(_REFUSED):
        c, s = share.challenge, share.response
        first = group.sub(group.base(s), group.mul(c, public))
        second = group.sub(group.mul(s, ciphertext.a), group.mul(c, share.point))
        statement = (ctx.digest(), u32(slot), public, ciphertext.a, share.point)
        if challenge(domains.SHARE_PROOF, *statement, first, second) != c:
            raise ProofRefused(_REFUSED)


def open_card(ciphertext: Ciphertext, points: Iterable[Point]) -> int:
    """The card number hidden in ``ciphertext``, given the share points D of **all** seats.

    M = b − ΣD. Raises ``NotACard`` when M is none of the card points: with checked shares and shuffles that
    is a proven fault.
    """
    opened = ciphertext.b
    for point in points:
        opened = group.sub(opened, point)
    return card_of(opened)
