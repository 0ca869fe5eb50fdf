"""Challenges, derived secrets and the streams that stand for randomness.

``protocol`` has no randomness of its own: whatever must be unpredictable is derived from a 32-byte secret
handed in, by a label and by everything it depends on. Frames and the byte order are those of ``hashing``.
"""

from __future__ import annotations

from hashlib import shake_256
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol import domains
from protocol.crypto.group import ORDER
from protocol.crypto.hashing import digest, digest64, frame, u64

__all__ = ["SECRET_BYTES", "Stream", "challenge", "derive", "digest", "digest64"]

SECRET_BYTES: Final = 32
"""Length of every secret that others are derived from."""

_CHUNK_BYTES: Final = 1088  # eight blocks of the sponge


def challenge(label: bytes, *fields: bytes) -> int:
    """The scalar ``digest64(label, *fields)``, read little-endian, modulo the group order."""
    return int.from_bytes(digest64(label, *fields), "little") % ORDER


def derive(secret: bytes, label: bytes, *fields: bytes, length: int = 32) -> bytes:
    """``length`` bytes of HKDF-SHA256 (RFC 5869).

    Input key material is ``secret``, the salt is the label ``KDF``, the info is ``frame(label, *fields)``.
    ``ValueError`` when the secret is not ``SECRET_BYTES`` long, or for a length that HKDF cannot give.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret is {SECRET_BYTES} bytes")
    return HKDF(SHA256(), length, salt=domains.KDF, info=frame(label, *fields)).derive(secret)


class Stream:
    """An endless stream of bytes from one secret, for one purpose.

    The bytes are ``SHAKE256(key ‖ u64(0)) ‖ SHAKE256(key ‖ u64(1)) ‖ …``, 1088 bytes from each, with
    ``key = derive(secret, label, *fields)``. The same arguments give the same stream, so a node that
    restarts repeats its choices exactly; other arguments give an independent one.
    """

    __slots__ = ("_buffer", "_chunks", "_key", "_position")

    def __init__(self, secret: bytes, label: bytes, *fields: bytes) -> None:
        self._key = derive(secret, label, *fields)
        self._chunks = 0
        self._buffer = b""
        self._position = 0

    def read(self, count: int) -> bytes:
        """The next ``count`` bytes; how reads are cut makes no difference to the stream."""
        end = self._position + count
        if end > len(self._buffer):
            pieces = [self._buffer[self._position :]]
            missing = end - len(self._buffer)
            while missing > 0:
                pieces.append(shake_256(self._key + u64(self._chunks)).digest(_CHUNK_BYTES))
                self._chunks += 1
                missing -= _CHUNK_BYTES
            self._buffer, self._position, end = b"".join(pieces), 0, count
        data = self._buffer[self._position : end]
        self._position = end
        return data

    def scalar(self) -> int:
        """A scalar in ``[1, ORDER)``: 64 bytes, little-endian, modulo the order, drawn again if zero."""
        while True:
            k = int.from_bytes(self.read(64), "little") % ORDER
            if k:
                return k

    def scalars(self, count: int) -> tuple[int, ...]:
        """``count`` scalars, one after the other."""
        return tuple(self.scalar() for _ in range(count))

    def below(self, bound: int) -> int:
        """A number in ``[0, bound)`` without bias.

        Takes as many bytes as ``bound − 1`` needs, little-endian, keeps as many low bits as it needs, and
        draws again while the number is too large. A bound of 1 takes no bytes; ``ValueError`` below that.
        """
        if bound < 1:
            raise ValueError("there is no number to draw")
        bits = (bound - 1).bit_length()
        while True:
            value = int.from_bytes(self.read((bits + 7) // 8), "little") & ((1 << bits) - 1)
            if value < bound:
                return value

    def permutation(self, count: int) -> tuple[int, ...]:
        """A permutation of ``0 … count − 1``, each equally likely.

        Fisher–Yates: for i from ``count − 1`` down to 1, exchange entry i with entry ``below(i + 1)``.
        """
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)
