"""The proofs checked by a second implementation, written from the formulas: no libsodium, no product code.

It reads bytes only and shares neither hashing nor arithmetic with ``protocol``. The pinned digests at the end
freeze the byte layout: a change there is a new suite version, not a fix.
"""

from __future__ import annotations

from hashlib import sha256, sha512

import pytest

from protocol.crypto.commitment import coin_dealer, commit_coin, commit_discard
from protocol.crypto.keys import prove_key
from protocol.crypto.masking import CARD_POINTS, encode_deck
from protocol.crypto.share import make_share
from protocol.crypto.shuffle_proof import generators
from tests.protocol.crypto import edwards
from tests.protocol.crypto.cases import (
    BITS,
    CTX,
    FOREIGN_POINTS,
    OTHER_CONTEXTS,
    PUBLIC,
    SECRET,
    X,
    flip,
    shuffled,
)
from tests.protocol.crypto.edwards import BASE, Affine, Q, add, decode, encode, mul, neg

CASE = shuffled(3)
SHARE = make_share(CTX, 1, X, PUBLIC, CASE.after[1], SECRET)


def hashed(label: str, *fields: bytes) -> bytes:
    framed = (b"kozel/1 " + label.encode(), *fields)
    return sha512(b"".join(len(field).to_bytes(4, "little") + field for field in framed)).digest()


def scalar(data: bytes) -> int:
    return int.from_bytes(data, "little")


def pieces(data: bytes) -> list[bytes]:
    return [data[i : i + 32] for i in range(0, len(data), 32)]


def total(*terms: Affine) -> Affine:
    result = edwards.ZERO
    for term in terms:
        result = add(result, term)
    return result


def key_holds(ctx: bytes, public: bytes, proof: bytes) -> bool:
    c, s = map(scalar, pieces(proof))
    announced = add(mul(s, BASE), neg(mul(c, decode(public))))
    return scalar(hashed("key proof challenge", ctx, public, encode(announced))) % Q == c


def share_holds(ctx: bytes, slot: int, public: bytes, a: bytes, share: bytes) -> bool:
    d, c, s = share[:32], scalar(share[32:64]), scalar(share[64:])
    first = add(mul(s, BASE), neg(mul(c, decode(public))))
    second = add(mul(s, decode(a)), neg(mul(c, decode(d))))
    fields = (ctx, slot.to_bytes(4, "little"), public, a, d, encode(first), encode(second))
    return scalar(hashed("share proof challenge", *fields)) % Q == c


def shuffle_holds(
    ctx: bytes, joint: bytes, before: bytes, after: bytes, proof: bytes, hs: list[bytes]
) -> bool:
    n = len(before) // 64
    elements = pieces(proof)
    joined, chain_bytes = b"".join(elements[:n]), b"".join(elements[n : 2 * n])
    c, s1, s2, s3, s4, *rest = map(scalar, elements[2 * n :])
    chain_s, exponent_s = rest[:n], rest[n:]
    statement = hashed("shuffle statement", ctx, b"".join(hs), joint, before, after)
    u = [
        scalar(hashed("shuffle exponent", statement, joined, k.to_bytes(4, "little"))[:16]) for k in range(n)
    ]

    h0, *h = map(decode, hs)
    big_c = [decode(point) for point in elements[:n]]
    chain = [h0, *(decode(point) for point in elements[n : 2 * n])]
    ins, outs, pk = list(map(decode, pieces(before))), list(map(decode, pieces(after))), decode(joint)
    product = 1
    for exponent in u:
        product *= exponent

    def weighted(left: list[Affine], right: list[Affine]) -> Affine:
        gain = total(*[mul(s, point) for s, point in zip(exponent_s, left, strict=True)])
        return add(gain, neg(mul(c, total(*[mul(e, point) for e, point in zip(u, right, strict=True)]))))

    announcement = [
        add(mul(s1, BASE), neg(mul(c, add(total(*big_c), neg(total(*h)))))),
        add(mul(s2, BASE), neg(mul(c, add(chain[-1], neg(mul(product % Q, h0)))))),
        add(mul(s3, BASE), weighted(h, big_c)),
        add(neg(mul(s4, BASE)), weighted(outs[::2], ins[::2])),
        add(neg(mul(s4, pk)), weighted(outs[1::2], ins[1::2])),
        *[
            total(mul(chain_s[i], BASE), mul(exponent_s[i], chain[i]), neg(mul(c, chain[i + 1])))
            for i in range(n)
        ],
    ]
    announced = b"".join(map(encode, announcement))
    return scalar(hashed("shuffle proof challenge", statement, joined, chain_bytes, announced)) % Q == c


def test_the_checker_knows_the_group() -> None:
    assert encode(mul(X, BASE)) == PUBLIC
    assert encode(mul(Q, BASE)) == encode(edwards.ZERO)
    for name, encoding in FOREIGN_POINTS.items():
        with pytest.raises(ValueError, match="not"):
            decode(encoding)
            pytest.fail(name)


def test_key_proofs() -> None:
    proof = prove_key(CTX, X, PUBLIC).to_bytes()
    assert key_holds(CTX.digest(), PUBLIC, proof)
    assert not any(key_holds(ctx.digest(), PUBLIC, proof) for ctx in OTHER_CONTEXTS.values())
    assert not any(key_holds(CTX.digest(), PUBLIC, flip(proof, bit)) for bit in BITS)


def test_share_proofs() -> None:
    card, data = CASE.after[1], SHARE.to_bytes()
    assert share_holds(CTX.digest(), 1, PUBLIC, card.a, data)
    assert not share_holds(CTX.digest(), 2, PUBLIC, card.a, data)
    assert not any(share_holds(CTX.digest(), 1, PUBLIC, card.a, flip(data, 256 + bit)) for bit in BITS)


def test_shuffle_proofs() -> None:
    h0, h = generators(3)
    proof = CASE.proof.to_bytes()
    before, after = encode_deck(CASE.before), encode_deck(CASE.after)

    def holds(data: bytes, deck: bytes) -> bool:
        return shuffle_holds(CTX.digest(), PUBLIC, before, deck, data, [h0, *h])

    assert holds(proof, after)
    assert not holds(proof, after[64:128] + after[:64] + after[128:])
    for element in range(6, 17):
        assert not holds(flip(proof, 256 * element), after)


PINNED = {
    "context": "2f73b13da9363ef2f04b566ae2b0d1e4",
    "cards": "13f783314926c7ebad4ad2fc7bd04aaf",
    "generators": "710850d95103ed7c6dd31b111a22a986",
    "key proof": "7e3ae200d6feddcd7efc811a80be23b1",
    "share": "c244ac333c272ef5429a59d6476fce18",
    "shuffled deck": "4e276333cb446acf021249d5c39a70d5",
    "shuffle proof": "4bb36df66e4a32283d609e32852f4382",
    "discard": "2a7ee92b6e60508c2268923d06af7d49",
    "coin": "bf623a0e15cdaa0c2a167c1a1e6c995a",
}


def made() -> dict[str, bytes]:
    h0, h = generators(36)
    return {
        "context": CTX.digest(),
        "cards": b"".join(CARD_POINTS),
        "generators": b"".join((h0, *h)),
        "key proof": prove_key(CTX, X, PUBLIC).to_bytes(),
        "share": SHARE.to_bytes(),
        "shuffled deck": encode_deck(CASE.after),
        "shuffle proof": CASE.proof.to_bytes(),
        "discard": commit_discard(CTX.match_id, 1, 2, 3, 0, SECRET, (20, 4)),
        "coin": commit_coin(CTX.match_id, 2, SECRET) + bytes([coin_dealer(CTX.match_id, [SECRET] * 4)]),
    }


@pytest.mark.parametrize("name", PINNED)
def test_the_bytes_of_suite_1_do_not_change(name: str) -> None:
    """Made by this implementation from the fixed inputs of ``cases``, accepted by the checker above."""
    assert sha256(made()[name]).hexdigest()[:32] == PINNED[name]


def test_everything_made_is_pinned() -> None:
    assert set(made()) == set(PINNED)
