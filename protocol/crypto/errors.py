"""What the cryptographic core raises.

::

    CryptoError
    ├── InvalidPoint      bytes that are no element of the group, or an operation that left it
    ├── InvalidScalar     bytes or a number that are no scalar
    ├── MalformedProof    bytes of the wrong length or type
    ├── ProofRefused      a check that did not hold; ``reason`` says which
    ├── NotACard          an opened ciphertext that hides none of the cards
    └── UnsafeLibrary     a libsodium that must not be used for this

The first five can be caused by a peer; whoever handles received bytes catches ``CryptoError``. Wrong
arguments from our own side (a secret of the wrong length, say) are ``ValueError`` and are bugs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class CryptoError(Exception):
    """Something in the cryptographic part of the protocol did not hold."""


class InvalidPoint(CryptoError):
    """A point is not an element of the group, or is its neutral element."""


class InvalidScalar(CryptoError):
    """A number is outside the range of scalars."""


class MalformedProof(CryptoError):
    """Received bytes do not have the length or the structure of what they should be."""


class NotACard(CryptoError):
    """An opened ciphertext hides none of the cards of the deck."""


class UnsafeLibrary(CryptoError):
    """The installed libsodium cannot be trusted with received points. Update PyNaCl or libsodium."""


class ProofRefused(CryptoError):
    """A proof or the opening of a commitment does not hold.

    ``reason`` is a fixed sentence for each check, the same on every machine, so that a verdict may quote it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def refusing(reason: str) -> Iterator[None]:
    """Turn whatever goes wrong inside a check into ``ProofRefused(reason)``.

    The group refuses identities and foreign points in the middle of a computation, in ways that depend on
    what the prover sent. A hostile proof must not be able to pick the exception, and so crash a node.
    """
    try:
        yield
    except (ProofRefused, MemoryError):
        # Running out of memory is our own trouble and must not accuse the prover.
        raise
    except Exception as error:
        raise ProofRefused(reason) from error
