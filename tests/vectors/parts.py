"""Vectors of key parts: splitting, sealing, opening and what everybody checks of them (§6.12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from nacl import bindings

from protocol import domains
from protocol.crypto.group import (
    IDENTITY,
    ORDER,
    G,
    Point,
    add,
    base,
    decode_point,
    decode_scalar,
    encode_scalar,
)
from protocol.crypto.hashing import frame, u8
from protocol.crypto.parts import (
    KeyPart,
    SealedPart,
    check_encryption_key,
    encryption_key,
    join_parts,
    open_part,
    seal_part,
    split_key,
    verify_part,
    verify_sum,
)
from protocol.crypto.transcript import Stream, derive
from tests.vectors.example import ENCRYPTION_KEYS, ENCRYPTION_SECRETS, SEQ, TORSION_2, context, flip
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces
from tests.vectors.proofs import context_of, others, plain


def split(case: Case) -> list[str]:
    """Three parts of a deal key and a seed, from a stream with the context as its one field."""
    stream = Stream(at(case, "secret"), domains.KEY_PARTS, context_of(case).digest())
    return [
        part.to_bytes().hex() for part in split_key(decode_scalar(at(case, "key")), at(case, "seed"), stream)
    ]


def join(case: Case) -> str:
    """Key and seed, one after the other, from three parts."""
    return join_parts([KeyPart.from_bytes(part) for part in pieces(case, "parts")]).to_bytes().hex()


def seal(case: Case) -> str:
    """A part sealed with an ephemeral key as §6.12 recommends it."""
    part, public = KeyPart.from_bytes(at(case, "part")), at(case, "holder_public")
    return seal_part(context_of(case), case["holder"], part, public, at(case, "secret")).to_bytes().hex()


def unseal(case: Case) -> str:
    """What the holder finds in a sealed part."""
    sealed = SealedPart.from_bytes(at(case, "sealed"))
    return open_part(context_of(case), case["holder"], sealed, at(case, "holder_secret")).to_bytes().hex()


def check_part(case: Case) -> None:
    """A part that is handed over, against what was published."""
    sealed, part = SealedPart.from_bytes(at(case, "sealed")), KeyPart.from_bytes(at(case, "part"))
    verify_part(context_of(case), case["holder"], sealed, part)


def check_sum(case: Case) -> None:
    """Three sealed parts against the public key that they are parts of."""
    verify_sum(decode_point(at(case, "public")), list(map(SealedPart.from_bytes, pieces(case, "sealed"))))


OPERATIONS: Final[Operations] = {
    "encryption key": lambda case: encryption_key(at(case, "secret")).hex(),
    "check encryption key": lambda case: check_encryption_key(at(case, "public")),
    "split key": split,
    "join parts": join,
    "seal part": seal,
    "open part": unseal,
    "check part": check_part,
    "check sum": check_sum,
}
_MAKER: Final = Maker(OPERATIONS)

_P: Final = 2**255 - 19
_SMALL: Final = {
    "0": bytes(32),
    "1": b"\1" + bytes(31),
    "p − 1": (_P - 1).to_bytes(32, "little"),
    "order 8": bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    "order 8, the other": bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
}


def _key_cases() -> Iterator[Case]:
    for seat, secret in enumerate(ENCRYPTION_SECRETS):
        yield _MAKER.valid(f"seat {seat}", "encryption key", secret=secret.hex())
        yield _MAKER.valid(f"seat {seat}", "check encryption key", public=ENCRYPTION_KEYS[seat].hex())
    honest = ENCRYPTION_KEYS[0]
    refused = {f"small order: {name}": key for name, key in _SMALL.items()}
    refused |= {f"small order: {name}, highest bit": flip(key, 255) for name, key in _SMALL.items()}
    refused |= {f"p + {more}": (_P + more).to_bytes(32, "little") for more in (0, 1, 9)}
    refused |= {"an honest key with the highest bit": flip(honest, 255), "largest": b"\xff" * 32}
    refused |= {"31 bytes": honest[:31], "33 bytes": honest + b"\0", "nothing": b""}
    for name, key in refused.items():
        yield _MAKER.refused(name, "point", "check encryption key", public=key.hex())
    clamped = base(int.from_bytes(ENCRYPTION_SECRETS[0], "little")).hex()
    own = ENCRYPTION_SECRETS[0].hex()
    yield _MAKER.wrong("a point of edwards25519", clamped, "encryption key", secret=own)


def encryption_keys() -> Vectors:
    """X25519 public keys, and those to which nothing can be sealed."""
    origin = "X25519 of the library `cryptography`; refused keys from RFC 7748's field and by hand."
    return Vectors(origin, "§6.12", (), tuple(_key_cases()))


_KEY, _SEED = 2, b"\x5e" * 32
_CTX: Final = context("key")
_PARTS: Final = split_key(_KEY, _SEED, Stream(SEQ, domains.KEY_PARTS, _CTX.digest()))
_SEALED: Final = tuple(
    seal_part(_CTX, holder, _PARTS[holder - 1], ENCRYPTION_KEYS[holder], SEQ) for holder in (1, 2, 3)
)


def _split_cases() -> Iterator[Case]:
    given = {
        "context": plain(_CTX),
        "key": encode_scalar(_KEY).hex(),
        "seed": _SEED.hex(),
        "secret": SEQ.hex(),
    }
    parts = [part.to_bytes().hex() for part in _PARTS]
    yield _MAKER.valid("Appendix B", "split key", **given)
    last = {**given, "key": encode_scalar(ORDER - 1).hex(), "seed": bytes(32).hex()}
    yield _MAKER.valid("the key q − 1 and a seed of zeros", "split key", **last)
    yield _MAKER.valid("Appendix B", "join parts", parts=parts)
    yield _MAKER.valid("in another order", "join parts", parts=parts[::-1])
    yield _MAKER.refused("63 bytes", "length", "join parts", parts=[*parts[:2], parts[2][:-2]])
    above = (_PARTS[2].scalar + ORDER).to_bytes(32, "little").hex() + parts[2][64:]
    yield _MAKER.refused("s + q", "scalar", "join parts", parts=[*parts[:2], above])
    whole = KeyPart(_KEY, _SEED).to_bytes().hex()
    yield _MAKER.wrong("one part twice", whole, "join parts", parts=[*parts[:2], parts[0]])
    pieces_first = Stream(SEQ, domains.KEY_PARTS, _CTX.digest())
    seeds = pieces_first.read(32).hex()
    yield _MAKER.wrong("z drawn before s", [part[:64] + seeds for part in parts], "split key", **given)


def key_splits() -> Vectors:
    """A deal key and a seed in three parts."""
    origin = "The key and the seed of Appendix B, split for the seats 1, 2 and 3 by this implementation."
    return Vectors(origin, "§6.12", ("KEY_PARTS",), tuple(_split_cases()))


def _sealed_cases() -> Iterator[Case]:
    ctx, sealed = plain(_CTX), _SEALED[0].to_bytes()
    for holder, each in enumerate(_PARTS, 1):
        given = {"context": ctx, "holder": holder, "part": each.to_bytes().hex()}
        public = ENCRYPTION_KEYS[holder].hex()
        yield _MAKER.valid(f"for seat {holder}", "seal part", **given, holder_public=public, secret=SEQ.hex())
        yield _MAKER.valid(
            f"of seat {holder}", "check part", **given, sealed=_SEALED[holder - 1].to_bytes().hex()
        )
    part = _PARTS[0].to_bytes()
    place = {"context": ctx, "holder": 1, "part": part.hex()}
    given = {**place, "holder_public": _SMALL["1"].hex(), "secret": SEQ.hex()}
    yield _MAKER.refused("for a key of small order", "point", "seal part", **given)
    opened = {
        "context": ctx,
        "holder": 1,
        "sealed": sealed.hex(),
        "holder_secret": ENCRYPTION_SECRETS[1].hex(),
    }
    yield _MAKER.valid("by seat 1", "open part", **opened)

    def bad(name: str, error: str, **changed: Any) -> Case:
        return _MAKER.refused(name, error, "open part", **{**opened, **changed})

    for name, other in others(_CTX).items():
        yield bad(name, "proof", context=other)
    yield bad("another holder", "proof", holder=2)
    yield bad("another secret", "proof", holder_secret=ENCRYPTION_SECRETS[2].hex())
    yield bad("another A", "proof", sealed=(add(Point(sealed[:32]), G) + sealed[32:]).hex())
    yield bad("another h", "proof", sealed=flip(sealed, 8 * 32).hex())
    yield bad("another E", "proof", sealed=(sealed[:64] + ENCRYPTION_KEYS[0] + sealed[96:]).hex())
    yield bad("ciphertext changed", "proof", sealed=flip(sealed, 8 * 96).hex())
    yield bad("tag changed", "proof", sealed=flip(sealed, 8 * 176 - 1).hex())
    yield bad("A out of the subgroup", "point", sealed=(_foreign(sealed[:32]) + sealed[32:]).hex())
    yield bad("A neutral", "point", sealed=(IDENTITY + sealed[32:]).hex())
    yield bad("E of small order", "point", sealed=(sealed[:64] + _SMALL["1"] + sealed[96:]).hex())
    yield bad("E not below p", "point", sealed=(flip(sealed, 8 * 96 - 1)).hex())
    yield bad("175 bytes", "length", sealed=sealed[:-1].hex())
    yield bad("177 bytes", "length", sealed=(sealed + b"\0").hex())
    yield bad(
        "another s inside", "proof", sealed=_by_hand(encode_scalar(_PARTS[0].scalar + 1) + part[32:]).hex()
    )
    yield bad("another z inside", "proof", sealed=_by_hand(part[:32] + bytes(32)).hex())
    above = (_PARTS[0].scalar + ORDER).to_bytes(32, "little") + part[32:]
    yield bad("s + q inside", "proof", sealed=_by_hand(above).hex())
    yield bad("32 bytes inside", "length", sealed=_by_hand(part[:32]).hex())


def _foreign(point: bytes) -> bytes:
    return bindings.crypto_core_ed25519_add(point, TORSION_2)


def _by_hand(plaintext: bytes) -> bytes:
    """The part sealed for seat 1 with something else inside, by another library."""
    sealed, secret = _SEALED[0], bytes([0xE7]) * 32
    ephemeral, holder = bindings.crypto_scalarmult_base(secret), ENCRYPTION_KEYS[1]
    key = derive(bindings.crypto_scalarmult(secret, holder), domains.PART_KEY, ephemeral, holder)
    published = (sealed.point, sealed.seed_hash)
    bound = frame(domains.PART_SEAL, _CTX.digest(), u8(1), *published, ephemeral)
    encrypt = bindings.crypto_aead_chacha20poly1305_ietf_encrypt
    return b"".join((*published, ephemeral, encrypt(plaintext, bound, bytes(12), key)))


def _checked_cases() -> Iterator[Case]:
    """What the two others see too."""
    sealed = [part.to_bytes().hex() for part in _SEALED]
    given = {"context": plain(_CTX), "holder": 1, "sealed": sealed[0], "part": _PARTS[0].to_bytes().hex()}

    def bad(name: str, error: str, **changed: Any) -> Case:
        return _MAKER.refused(name, error, "check part", **{**given, **changed})

    part = _PARTS[0].to_bytes()
    yield bad("the part of another holder", "proof", part=_PARTS[1].to_bytes().hex())
    yield bad("another holder", "proof", holder=2)
    yield bad("s changed", "proof", part=(encode_scalar((_PARTS[0].scalar + 1) % ORDER) + part[32:]).hex())
    yield bad("z changed", "proof", part=flip(part, 8 * 63).hex())
    yield bad("s = 0", "proof", part=(bytes(32) + part[32:]).hex())
    yield bad("s not below q", "scalar", part=("ff" * 32) + part[32:].hex())
    yield bad("65 bytes", "length", part=(part + b"\0").hex())
    public = base(_KEY).hex()
    yield _MAKER.valid("Appendix B", "check sum", public=public, sealed=sealed)
    yield _MAKER.refused("another key", "proof", "check sum", public=base(3).hex(), sealed=sealed)
    yield _MAKER.refused(
        "one part twice", "proof", "check sum", public=public, sealed=[*sealed[:2], sealed[0]]
    )
    yield _MAKER.refused("two parts", "proof", "check sum", public=public, sealed=sealed[:2])


def key_parts() -> Vectors:
    """Parts sealed, opened, handed over and added up."""
    origin = (
        "The parts of key-split.json sealed by this implementation for the keys of encryption-key.json; "
        "what is false inside a seal, by libsodium."
    )
    labels = ("PART_SEED", "PART_EPHEMERAL", "PART_KEY", "PART_SEAL")
    return Vectors(origin, "§6.12", labels, (*_sealed_cases(), *_checked_cases()))


FILES: Final = {"encryption-key": encryption_keys, "key-split": key_splits, "key-part": key_parts}
