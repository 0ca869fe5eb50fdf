"""edwards25519 in plain Python integers, from RFC 8032: slow, and independent of libsodium."""

from __future__ import annotations

from typing import Final, TypeAlias

P: Final = 2**255 - 19
Q: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P

Affine: TypeAlias = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""

ZERO: Final[Affine] = (0, 1, 1, 0)


def add(left: Affine, right: Affine) -> Affine:
    """RFC 8032, section 5.1.4."""
    a = (left[1] - left[0]) * (right[1] - right[0]) % P
    b = (left[1] + left[0]) * (right[1] + right[0]) % P
    c = 2 * left[3] * right[3] * D % P
    d = 2 * left[2] * right[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def mul(k: int, point: Affine) -> Affine:
    """Double and add."""
    total = ZERO
    while k:
        if k & 1:
            total = add(total, point)
        point = add(point, point)
        k >>= 1
    return total


def neg(point: Affine) -> Affine:
    """The inverse."""
    return (-point[0] % P, point[1], point[2], -point[3] % P)


def encode(point: Affine) -> bytes:
    """RFC 8032, section 5.1.2."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Affine:
    """RFC 8032, section 5.1.3, and membership of the prime-order subgroup; ``ValueError`` otherwise."""
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    if len(data) != 32 or y >= P:
        raise ValueError("not canonical")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not on the curve")
    if x & 1 != sign:
        x = P - x
    point = (x, y, 1, x * y % P)
    if encode(mul(Q, point)) != encode(ZERO) or encode(point) == encode(ZERO):
        raise ValueError("not in the subgroup")
    return point


BASE: Final = decode(bytes.fromhex("58" + "66" * 31))
