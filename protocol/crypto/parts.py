"""Key parts: the secrets of one seat for one deal, split among the three others, so that they can play on.

The deal key x and the seed of the discard salts become three parts that only together give them back. Each
part is sealed to its holder with X25519 (RFC 7748), HKDF-SHA256 (RFC 5869) and ChaCha20-Poly1305 (RFC 8439),
and is published with the point A = s·G of its scalar and the hash of its piece of the seed: everybody checks
that the points add up to the public key, each holder that its own part is the one published.

Whether the pieces of the seed give the seed that the salts come from shows only when they are put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.errors import InvalidPoint, MalformedProof, ProofRefused, refusing
from protocol.crypto.group import ORDER, Point, decode_point, decode_scalar, encode_scalar
from protocol.crypto.hashing import digest, frame, u8
from protocol.crypto.transcript import SECRET_BYTES, Stream, derive

PARTS: Final = 3
"""Into how many parts the secrets are split: one for each other seat."""

PART_BYTES: Final = 176
"""Length of a sealed part."""

_NONCE: Final = bytes(12)  # a cipher key encrypts one part and nothing else
_FIELD_PRIME: Final = 2**255 - 19

_UNREADABLE = "a sealed key part cannot be opened by its holder"
_NOT_AS_PUBLISHED = "a key part is not the one that was published"
_WRONG_SUM = "the parts of the deal key do not add up to the public key"


@dataclass(frozen=True, slots=True)
class KeyPart:
    """What one holder gets: s, its share of the deal key, in [1, q), and z, 32 bytes of the salt seed.

    Kept out of ``repr``.
    """

    scalar: int = field(repr=False)
    seed: bytes = field(repr=False)

    def to_bytes(self) -> bytes:
        """``s ‖ z``: 64 bytes."""
        return encode_scalar(self.scalar) + self.seed

    @classmethod
    def from_bytes(cls, data: bytes) -> KeyPart:
        """Read 64 bytes; ``MalformedProof`` or ``InvalidScalar``."""
        scalar, seed = group.split(data, 2)
        return cls(decode_scalar(scalar), seed)


@dataclass(frozen=True, slots=True)
class SealedPart:
    """A part as everybody sees it: A = s·G, the hash of the piece of the seed, and the part encrypted.

    ``ephemeral`` is the sender's X25519 public key for this part alone, ``ciphertext`` the 64 bytes of the
    part and the 16 of the tag.
    """

    point: Point
    seed_hash: bytes
    ephemeral: bytes
    ciphertext: bytes

    def to_bytes(self) -> bytes:
        """``A ‖ hash ‖ ephemeral ‖ ciphertext``: ``PART_BYTES`` bytes."""
        return self.point + self.seed_hash + self.ephemeral + self.ciphertext

    @classmethod
    def from_bytes(cls, data: bytes) -> SealedPart:
        """Read ``PART_BYTES`` bytes, point and key checked; ``MalformedProof`` or ``InvalidPoint``."""
        if type(data) is not bytes or len(data) != PART_BYTES:
            raise MalformedProof(f"expected {PART_BYTES} bytes")
        point, seed_hash, ephemeral = group.split(data[:96], 3)
        check_encryption_key(ephemeral)
        return cls(decode_point(point), seed_hash, ephemeral, data[96:])


def encryption_key(secret: bytes) -> bytes:
    """The X25519 public key of a 32-byte secret; ``ValueError`` for another length."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def check_encryption_key(public: bytes) -> None:
    """Refuse, with ``InvalidPoint``, bytes to which nobody could seal a part.

    That is: another type or length, a value of 2²⁵⁵ − 19 or more (X25519 would take it for another key), and
    the five keys of small order, with which X25519 gives zero whatever the secret.
    """
    if type(public) is not bytes or len(public) != 32:
        raise InvalidPoint("an encryption key is 32 bytes")
    if int.from_bytes(public, "little") >= _FIELD_PRIME:
        raise InvalidPoint("the encryption key is not in its only encoding")
    secret = X25519PrivateKey.from_private_bytes(bytes(32))
    try:
        secret.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise InvalidPoint("the encryption key is of small order") from error


def split_key(x: int, seed: bytes, stream: Stream) -> tuple[KeyPart, KeyPart, KeyPart]:
    """Split a deal key and a salt seed into parts of which any two say nothing about them.

    Two scalars from ``stream``, again if the third, x − s₀ − s₁ mod q, is 0; then two pieces of 32 bytes, the
    third being their exclusive or with the seed. ``ValueError`` unless x is in [1, q) and the seed 32 bytes.
    """
    if not 0 < x < ORDER:
        raise ValueError("the deal key is out of range")
    if len(seed) != SECRET_BYTES:
        raise ValueError(f"a seed is {SECRET_BYTES} bytes")
    last = 0
    while last == 0:
        first, second = stream.scalars(2)
        last = (x - first - second) % ORDER
    one, two = stream.read(SECRET_BYTES), stream.read(SECRET_BYTES)
    return KeyPart(first, one), KeyPart(second, two), KeyPart(last, _xor(seed, one, two))


def seal_part(ctx: Context, holder: int, part: KeyPart, holder_public: bytes, secret: bytes) -> SealedPart:
    """Seal ``part`` to seat ``holder``; ``ctx`` is the sender's, of the stage ``key``.

    ``secret`` is the sender's. The ephemeral X25519 secret is ``derive(secret, PART_EPHEMERAL, ctx,
    u8(holder), holder_public, A, hash)``, so that two parts never share one. ``InvalidPoint`` for a public
    key that ``check_encryption_key`` refuses, or a part with the scalar 0.
    """
    check_encryption_key(holder_public)
    point, seed_hash = group.base(part.scalar), _seed_hash(ctx, holder, part.seed)
    statement = (ctx.digest(), u8(holder), holder_public, point, seed_hash)
    ephemeral_secret = derive(secret, domains.PART_EPHEMERAL, *statement)
    ephemeral = encryption_key(ephemeral_secret)
    cipher = _cipher(_agree(ephemeral_secret, holder_public), ephemeral, holder_public)
    bound = _bound(ctx, holder, point, seed_hash, ephemeral)
    return SealedPart(point, seed_hash, ephemeral, cipher.encrypt(_NONCE, part.to_bytes(), bound))


def open_part(ctx: Context, holder: int, sealed: SealedPart, holder_secret: bytes) -> KeyPart:
    """The part inside, decrypted with the X25519 secret of seat ``holder`` and checked by ``verify_part``.

    ``ProofRefused`` when it cannot be decrypted or is not what was published. That is the sender's fault,
    provided that ``encryption_key(holder_secret)`` is the key that it was told to seal for. ``ValueError``
    for a secret that is not 32 bytes.
    """
    # Only what the sender's bytes can spoil is a refusal: a library without the cipher must not accuse it.
    public = encryption_key(holder_secret)
    with refusing(_UNREADABLE):
        shared = _agree(holder_secret, sealed.ephemeral)
    cipher = _cipher(shared, sealed.ephemeral, public)
    with refusing(_UNREADABLE):
        bound = _bound(ctx, holder, sealed.point, sealed.seed_hash, sealed.ephemeral)
        part = KeyPart.from_bytes(cipher.decrypt(_NONCE, sealed.ciphertext, bound))
    verify_part(ctx, holder, sealed, part)
    return part


def verify_part(ctx: Context, holder: int, sealed: SealedPart, part: KeyPart) -> None:
    """Check s·G = A and ``digest(PART_SEED, ctx, u8(holder), z)`` = hash; ``ProofRefused`` otherwise."""
    with refusing(_NOT_AS_PUBLISHED):
        published = (sealed.point, sealed.seed_hash)
        if (group.base(part.scalar), _seed_hash(ctx, holder, part.seed)) != published:
            raise ProofRefused(_NOT_AS_PUBLISHED)


def verify_sum(public: Point, sealed: Sequence[SealedPart]) -> None:
    """Check X = ΣA over all ``PARTS`` parts; ``ProofRefused`` otherwise."""
    with refusing(_WRONG_SUM):
        if len(sealed) != PARTS or group.sum_points(part.point for part in sealed) != public:
            raise ProofRefused(_WRONG_SUM)


def join_parts(parts: Sequence[KeyPart]) -> KeyPart:
    """Deal key and salt seed from all ``PARTS`` parts, in any order; ``ValueError`` for another number.

    The parts must have passed ``verify_part``, and their points ``verify_sum``.
    """
    one, two, three = parts
    scalar = (one.scalar + two.scalar + three.scalar) % ORDER
    return KeyPart(scalar, _xor(one.seed, two.seed, three.seed))


def _seed_hash(ctx: Context, holder: int, seed: bytes) -> bytes:
    return digest(domains.PART_SEED, ctx.digest(), u8(holder), seed)


def _agree(secret: bytes, public: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))


def _cipher(shared: bytes, ephemeral: bytes, holder_public: bytes) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(derive(shared, domains.PART_KEY, ephemeral, holder_public))


def _bound(ctx: Context, holder: int, point: Point, seed_hash: bytes, ephemeral: bytes) -> bytes:
    """The associated data: the place of the part and all that is published with it."""
    return frame(domains.PART_SEAL, ctx.digest(), u8(holder), point, seed_hash, ephemeral)


def _xor(one: bytes, two: bytes, three: bytes) -> bytes:
    return bytes(a ^ b ^ c for a, b, c in zip(one, two, three, strict=True))
