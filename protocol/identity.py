"""Ed25519 identities (§4.3): who wrote an event.

One library signs and verifies everywhere, because Ed25519 libraries differ in what malformed
signatures they accept, and nodes that differ would split a table.
"""

from __future__ import annotations

from typing import Final

from nacl.bindings import crypto_sign, crypto_sign_BYTES, crypto_sign_open, crypto_sign_seed_keypair
from nacl.exceptions import BadSignatureError

from protocol.errors import EventRejected

SIGNATURE_BYTES: Final = crypto_sign_BYTES
PUBLIC_BYTES: Final = 32
SEED_BYTES: Final = 32


class Identity:
    """A signing key made from a 32-byte seed. The seed is the only secret."""

    __slots__ = ("_secret", "public")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"an identity seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.public, self._secret = crypto_sign_seed_keypair(seed)

    def sign(self, label: bytes, message: bytes) -> bytes:
        """Return the 64-byte signature over `label` followed by `message`."""
        return crypto_sign(label + message, self._secret)[:SIGNATURE_BYTES]


def verify_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    """Raise :class:`EventRejected` (``bad-signature``) unless `public` signed exactly this message."""
    if len(signature) != SIGNATURE_BYTES or len(public) != PUBLIC_BYTES:
        raise EventRejected("bad-signature", "a signature or key of the wrong length")
    try:
        crypto_sign_open(signature + label + message, public)
    except (BadSignatureError, ValueError) as error:
        raise EventRejected("bad-signature", "the signature does not belong to this author") from error
