"""A second opinion on the vectors, from docs/protocol.md alone, with the standard library and plain integers.

Nothing here knows the program: it reads the files and computes what is cheap enough.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256, sha512, shake_256
from typing import Any, Final

from tests.protocol.crypto.edwards import BASE, ZERO, Affine, P, Q, add, decode, encode, mul, neg

Case = Mapping[str, Any]


def hexed(text: str) -> bytes:
    """Bytes from hexadecimal."""
    return bytes.fromhex(text)


def number(data: bytes) -> int:
    """A number, least significant byte first."""
    return int.from_bytes(data, "little")


def u8(value: int) -> bytes:
    """One byte."""
    return bytes([value])


def u32(value: int) -> bytes:
    """Four bytes."""
    return value.to_bytes(4, "little")


def frame(*fields: bytes) -> bytes:
    """A label and fields, each after its length."""
    return b"".join(u32(len(field)) + field for field in fields)


def digest(label: str, *fields: bytes) -> bytes:
    """SHA-256 of a frame."""
    return sha256(frame(label.encode(), *fields)).digest()


def challenge(label: str, *fields: bytes) -> int:
    """A scalar from SHA-512."""
    return number(sha512(frame(label.encode(), *fields)).digest()) % Q


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int = 32) -> bytes:
    """RFC 5869 with SHA-256."""
    key, block, output = hmac.digest(salt or bytes(32), secret, "sha256"), b"", b""
    while len(output) < length:
        block = hmac.digest(key, block + info + u8(len(output) // 32 + 1), "sha256")
        output += block
    return output[:length]


def derive(secret: bytes, label: str, *fields: bytes) -> bytes:
    """§6.2."""
    return hkdf(secret, b"kozel/1 key derivation", frame(label.encode(), *fields))


class Source:
    """A stream (§6.2), and what is drawn from it."""

    def __init__(self, secret: bytes, label: str, *fields: bytes) -> None:
        key = derive(secret, label, *fields)
        self._bytes = iter(
            byte for n in range(99) for byte in shake_256(key + n.to_bytes(8, "little")).digest(1088)
        )

    def read(self, count: int) -> bytes:
        """The next bytes."""
        return bytes(next(self._bytes) for _ in range(count))

    def scalar(self) -> int:
        """The next scalar."""
        return number(self.read(64)) % Q or self.scalar()

    def below(self, bound: int) -> int:
        """The next number below a bound."""
        bits = (bound - 1).bit_length()
        value = number(self.read(-(-bits // 8))) % 2**bits
        return value if value < bound else self.below(bound)

    def permutation(self, count: int) -> list[int]:
        """The next permutation."""
        order = list(range(count))
        for i in reversed(range(1, count)):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def draws(case: Case) -> list[Any]:
    """What is drawn from a stream."""
    source = Source(hexed(case["secret"]), case["label"], *map(hexed, case["fields"]))
    kinds: dict[str, Callable[[int], Any]] = {
        "bytes": lambda count: source.read(count).hex(),
        "scalars": lambda count: [scalar_hex(source.scalar()) for _ in range(count)],
        "below": source.below,
        "permutation": source.permutation,
    }
    return [kinds[what](count) for what, count in case["draws"]]


def scalar_hex(value: int) -> str:
    """A scalar as it is encoded."""
    return value.to_bytes(32, "little").hex()


def ctx(case: Case) -> bytes:
    """§6.3."""
    given = case["context"]
    places = (u32(given["deal"]), given["stage"].encode(), u8(given["seat"]))
    return digest("kozel/1 proof context", hexed(given["match_id"]), hexed(given["roster_digest"]), *places)


def elligator(label: str, *fields: bytes) -> Affine:
    """Hashing to a point, by the three steps of §6.1."""
    h, a = number(digest(label, *fields)), 486662
    r, sign = h % 2**255 % P, h >> 255
    x1 = -a * pow(1 + 2 * r * r, -1, P) % P
    g = (x1**3 + a * x1 * x1 + x1) % P
    u = x1 if pow(g, (P - 1) // 2, P) in (0, 1) else (-x1 - a) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    x = root((y * y - 1) * pow(-121665 * pow(121666, -1, P) * y * y + 1, -1, P) % P)
    x = P - x if x % 2 != sign else x
    return mul(8, (x, y, 1, x * y % P))


def root(square: int) -> int:
    """A square root in the field."""
    x = pow(square, (P + 3) // 8, P)
    return x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P


def minus(left: Affine, right: Affine) -> Affine:
    """A difference of points."""
    return add(left, neg(right))


def total(points: Iterator[Affine]) -> Affine:
    """A sum of points."""
    result = ZERO
    for point in points:
        result = add(result, point)
    return result


def cut(data: bytes) -> list[bytes]:
    """Pieces of 32 bytes."""
    return [data[start : start + 32] for start in range(0, len(data), 32)]


def scalars(data: bytes) -> list[int]:
    """Scalars one after the other; ``ValueError`` for one that is not below q."""
    values = [number(piece) for piece in cut(data)]
    if any(value >= Q for value in values) or len(data) % 32:
        raise ValueError("not a scalar")
    return values


def key_holds(case: Case) -> bool:
    """§6.4."""
    public, proof = hexed(case["public"]), hexed(case["proof"])
    c, s = scalars(proof)
    announced = encode(minus(mul(s, BASE), mul(c, decode(public))))
    return challenge("kozel/1 key proof challenge", ctx(case), public, announced) == c


def key_proof(case: Case) -> str:
    """The proof that §6.4 recommends."""
    x = number(hexed(case["secret"]))
    public = encode(mul(x, BASE))
    w = Source(hexed(case["secret"]), "kozel/1 key proof nonce", ctx(case), public).scalar()
    c = challenge("kozel/1 key proof challenge", ctx(case), public, encode(mul(w, BASE)))
    return scalar_hex(c) + scalar_hex((w + c * x) % Q)


def share_holds(case: Case) -> bool:
    """§6.7."""
    share, public, a = hexed(case["share"]), hexed(case["public"]), hexed(case["ciphertext"])[:32]
    (c, s), d = scalars(share[32:]), share[:32]
    first = encode(minus(mul(s, BASE), mul(c, decode(public))))
    second = encode(minus(mul(s, decode(a)), mul(c, decode(d))))
    fields = (ctx(case), u32(case["slot"]), public, a, d, first, second)
    return challenge("kozel/1 share proof challenge", *fields) == c


def share(case: Case) -> str:
    """The share that §6.7 recommends."""
    secret, a = hexed(case["secret"]), hexed(case["ciphertext"])[:32]
    x, point = number(secret), decode(a)
    d = encode(mul(x, point))
    fields = (ctx(case), u32(case["slot"]), encode(mul(x, BASE)), a, d)
    w = Source(hexed(case["proof_secret"]), "kozel/1 share proof nonce", secret, *fields).scalar()
    announced = (encode(mul(w, BASE)), encode(mul(w, point)))
    c = challenge("kozel/1 share proof challenge", *fields, *announced)
    return d.hex() + scalar_hex(c) + scalar_hex((w + c * x) % Q)


def opened(case: Case) -> Affine:
    """M = b − ΣD (§6.8)."""
    b = decode(hexed(case["ciphertext"])[32:])
    return minus(b, total(decode(hexed(point)) for point in case["points"]))


def signature_holds(case: Case) -> bool:
    """§4.3."""
    a, signature = hexed(case["public"]), hexed(case["signature"])
    r, s = signature[:32], number(signature[32:])
    if len(a) != 32 or len(signature) != 64 or s >= Q:
        return False
    key = on_curve(a)
    if encode(ZERO) in (encode(mul(8, key)), encode(mul(8, on_curve(r)))):
        return False
    message = b"kozel/1 event signature" + hexed(case["event"])
    h = number(sha512(r + a + message).digest()) % Q
    return encode(minus(mul(s, BASE), mul(h, key))) == r


def on_curve(data: bytes) -> Affine:
    """A canonical point of the curve, in the subgroup or not; ``ValueError`` otherwise."""
    y, sign = number(data) % 2**255, data[31] >> 7
    square = (y * y - 1) * pow(-121665 * pow(121666, -1, P) * y * y + 1, -1, P) % P
    x = root(square)
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not on the curve")
    x = P - x if x % 2 != sign else x
    return (x, y, 1, x * y % P)


GENERATOR: Final = "kozel/1 commitment generator"
CARD: Final = "kozel/1 card point"


def shuffle_holds(case: Case) -> bool:
    """§6.6, equation by equation."""
    n, elements = case["n"], cut(hexed(case["proof"]))
    c_bytes, chain_bytes = b"".join(elements[:n]), b"".join(elements[n : 2 * n])
    c, s1, s2, s3, s4, *rest = scalars(b"".join(elements[2 * n :]))
    s_hat, s_prime, h0 = rest[:n], rest[n:], elligator(GENERATOR, u32(0))
    h = [elligator(GENERATOR, u32(i + 1)) for i in range(n)]
    before, after, joint = hexed(case["before"]), hexed(case["after"]), decode(hexed(case["joint"]))
    lists = (b"".join(map(encode, (h0, *h))), hexed(case["joint"]), before, after)
    statement = sha512(frame(b"kozel/1 shuffle statement", ctx(case), *lists)).digest()
    u = [
        number(sha512(frame(b"kozel/1 shuffle exponent", statement, c_bytes, u32(k))).digest()[:16])
        for k in range(n)
    ]
    commitments, chain = list(map(decode, elements[:n])), list(map(decode, elements[n : 2 * n]))
    product = 1
    for exponent in u:
        product = product * exponent % Q

    def weighted(left: list[Affine], right: list[Affine]) -> Affine:
        """Σ s′_i·left_i − Σ (c·u_k)·right_k."""
        plus = total(mul(s, point) for s, point in zip(s_prime, left, strict=True))
        return minus(plus, total(mul(c * e % Q, point) for e, point in zip(u, right, strict=True)))

    decks = [[decode(piece) for piece in cut(deck)] for deck in (before, after)]
    announced = [
        minus(mul(s1, BASE), mul(c, minus(total(iter(commitments)), total(iter(h))))),
        minus(mul(s2, BASE), mul(c, minus(chain[-1], mul(product, h0)))),
        add(mul(s3, BASE), weighted(h, commitments)),
        add(neg(mul(s4, BASE)), weighted(decks[1][::2], decks[0][::2])),
        add(neg(mul(s4, joint)), weighted(decks[1][1::2], decks[0][1::2])),
    ]
    for i, previous in enumerate((h0, *chain[:-1])):
        link = add(mul(s_hat[i], BASE), mul(s_prime[i], previous))
        announced.append(minus(link, mul(c, chain[i])))
    fields = (statement, c_bytes, chain_bytes, b"".join(map(encode, announced)))
    return challenge("kozel/1 shuffle proof challenge", *fields) == c
