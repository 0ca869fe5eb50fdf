"""Hashes over a label and a list of fields.

Every hash of the protocol is taken over one unambiguous byte string, the *frame*::

    frame(label, f1, …, fn) = u32(len(label)) ‖ label ‖ u32(len(f1)) ‖ f1 ‖ … ‖ u32(len(fn)) ‖ fn

Integers are unsigned and little-endian throughout: ``u8``, ``u16``, ``u32``, ``u64`` of 1, 2, 4, 8 bytes.
Two different lists of fields never have the same frame.
"""

from __future__ import annotations

from hashlib import sha256, sha512


def u8(value: int) -> bytes:
    """One byte; ``OverflowError`` outside 0…255."""
    return value.to_bytes(1, "little")


def u16(value: int) -> bytes:
    """Two bytes, little-endian; ``OverflowError`` outside the range."""
    return value.to_bytes(2, "little")


def u32(value: int) -> bytes:
    """Four bytes, little-endian; ``OverflowError`` outside the range."""
    return value.to_bytes(4, "little")


def u64(value: int) -> bytes:
    """Eight bytes, little-endian; ``OverflowError`` outside the range."""
    return value.to_bytes(8, "little")


def frame(label: bytes, *fields: bytes) -> bytes:
    """The frame of ``label`` and ``fields``, laid out as the module says."""
    return b"".join([part for field in (label, *fields) for part in (u32(len(field)), field)])


def digest(label: bytes, *fields: bytes) -> bytes:
    """SHA-256 of the frame: 32 bytes."""
    return sha256(frame(label, *fields)).digest()


def digest64(label: bytes, *fields: bytes) -> bytes:
    """SHA-512 of the frame: 64 bytes."""
    return sha512(frame(label, *fields)).digest()
