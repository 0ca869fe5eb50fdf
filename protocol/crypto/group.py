"""The group: the prime-order subgroup of edwards25519, in additive notation.

The only module that talks to libsodium; another library can be put behind the same functions.

A ``Point`` is the 32-byte canonical encoding of an element of the subgroup, known to be one: it comes out
of ``decode_point``, of ``hash_to_point`` or of arithmetic on points. A scalar is a Python ``int`` in
``[0, ORDER)``; its encoding is 32 bytes, little-endian.

The neutral element is no valid point: ``decode_point`` refuses it, ``mul`` and ``base`` raise rather than
return it. ``add``, ``sub`` and ``sum_points`` can return it (``IDENTITY``), as libsodium does; every later
multiplication then raises.

Scalars are multiplied in constant time by libsodium; Python's own integer arithmetic on scalars is not.
The clamping functions of libsodium are never used: they change the scalar.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NewType

from nacl import bindings
from nacl.exceptions import CryptoError as SodiumError

from protocol.crypto.errors import InvalidPoint, InvalidScalar, MalformedProof, UnsafeLibrary
from protocol.crypto.hashing import digest

Point = NewType("Point", bytes)

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""q, the prime number of elements of the group."""

IDENTITY: Final = Point(b"\x01" + bytes(31))
"""The encoding of the neutral element."""

_TORSION_2: Final = bytes.fromhex("ec" + "ff" * 30 + "7f")
"""The point of order two, outside the subgroup."""


def encode_scalar(k: int) -> bytes:
    """The 32 bytes of ``k``; ``InvalidScalar`` outside ``[0, ORDER)``."""
    if not 0 <= k < ORDER:
        raise InvalidScalar("the scalar is out of range")
    return k.to_bytes(32, "little")


def decode_scalar(data: bytes) -> int:
    """The scalar that 32 received bytes encode.

    Only the one encoding below the order is taken; libsodium itself would also read ``k + q``, and ignore
    the highest bit. Raises ``InvalidScalar``, for anything but ``bytes`` too.
    """
    if type(data) is not bytes or len(data) != 32:
        raise InvalidScalar("a scalar is 32 bytes")
    k = int.from_bytes(data, "little")
    if k >= ORDER:
        raise InvalidScalar("the scalar is out of range")
    return k


def decode_point(data: bytes) -> Point:
    """The point that 32 received bytes encode.

    Refuses, with ``InvalidPoint``: another type or length, an encoding that is not canonical, a point that
    is off the curve, outside the prime-order subgroup, of small order, or the identity.
    """
    if type(data) is not bytes or len(data) != 32:
        raise InvalidPoint("a point is 32 bytes")
    if not bindings.crypto_core_ed25519_is_valid_point(data):
        raise InvalidPoint("the bytes are no point of the group")
    return Point(data)


def split(data: bytes, count: int) -> list[bytes]:
    """``data`` cut into ``count`` pieces of 32 bytes; ``MalformedProof`` for another length or type."""
    if type(data) is not bytes or len(data) != 32 * count:
        raise MalformedProof(f"expected {32 * count} bytes")
    return [data[start : start + 32] for start in range(0, len(data), 32)]


def mul(k: int, point: Point) -> Point:
    """``k·point``, with ``k`` taken modulo ``ORDER``.

    Raises ``InvalidPoint`` when the result or ``point`` is the identity (``k`` = 0 included).
    """
    try:
        return Point(bindings.crypto_scalarmult_ed25519_noclamp((k % ORDER).to_bytes(32, "little"), point))
    except SodiumError as error:
        raise InvalidPoint("a multiple is not a point of the group") from error


def base(k: int) -> Point:
    """``k·G``, with ``k`` taken modulo ``ORDER``; ``InvalidPoint`` when ``k`` is 0."""
    try:
        return Point(bindings.crypto_scalarmult_ed25519_base_noclamp((k % ORDER).to_bytes(32, "little")))
    except SodiumError as error:
        raise InvalidPoint("a multiple of the base is not a point of the group") from error


def add(left: Point, right: Point) -> Point:
    """``left + right``; may be ``IDENTITY``."""
    try:
        return Point(bindings.crypto_core_ed25519_add(left, right))
    except SodiumError as error:
        raise InvalidPoint("a summand is not a point") from error


def sub(left: Point, right: Point) -> Point:
    """``left − right``; may be ``IDENTITY``."""
    try:
        return Point(bindings.crypto_core_ed25519_sub(left, right))
    except SodiumError as error:
        raise InvalidPoint("an operand of a difference is not a point") from error


def sum_points(points: Iterable[Point]) -> Point:
    """The sum of ``points``; ``IDENTITY`` for none."""
    iterator = iter(points)
    total = next(iterator, IDENTITY)
    for point in iterator:
        total = add(total, point)
    return total


def combine(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    """``Σ kᵢ·Pᵢ`` over two sequences of equal length; raises like ``mul``, ``ValueError`` on the lengths."""
    return sum_points([mul(k, point) for k, point in zip(scalars, points, strict=True)])


def hash_to_point(label: bytes, *fields: bytes) -> Point:
    """A point whose discrete logarithm to any other base nobody knows.

    Elligator 2, times the cofactor, of the SHA-256 digest of the frame of ``label`` and ``fields``
    (libsodium's ``crypto_core_ed25519_from_uniform``).
    """
    return decode_point(bindings.crypto_core_ed25519_from_uniform(digest(label, *fields)))


def self_test() -> None:
    """Refuse a libsodium whose validation lets points outside the subgroup through (CVE-2025-69277).

    PyNaCl's own wheels are mended from 1.6.2 on, but a distribution may link an older library. Raises
    ``UnsafeLibrary``. Runs when the module is imported.
    """
    try:
        generator = bindings.crypto_scalarmult_ed25519_base_noclamp((1).to_bytes(32, "little"))
        foreign = bindings.crypto_core_ed25519_add(generator, _TORSION_2)
        accepted = bindings.crypto_core_ed25519_is_valid_point(foreign)
        genuine = bindings.crypto_core_ed25519_is_valid_point(generator)
    except SodiumError as error:
        raise UnsafeLibrary("this libsodium is built without the edwards25519 group") from error
    if accepted or not genuine:
        raise UnsafeLibrary("this libsodium accepts points outside the group (CVE-2025-69277); update it")


self_test()

G: Final = base(1)
"""The base point."""
