from __future__ import annotations

import hmac
from dataclasses import replace
from hashlib import sha256
from itertools import permutations
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.errors import CryptoError, InvalidPoint, InvalidScalar, MalformedProof, ProofRefused
from protocol.crypto.group import ORDER, encode_scalar
from protocol.crypto.hashing import digest, frame, u8
from protocol.crypto.parts import (
    PART_BYTES,
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
from protocol.crypto.transcript import Stream
from tests.protocol.crypto.cases import FOREIGN_POINTS, PUBLIC, SECRET, X, flip, other_point

CTX: Final = Context(digest(b"match"), digest(b"roster"), 2, "key", 3)
OTHER_CONTEXTS: Final = {
    "match_id": replace(CTX, match_id=digest(b"other match")),
    "roster": replace(CTX, roster=digest(b"other roster")),
    "deal": replace(CTX, deal=3),
    "stage": replace(CTX, stage="deck"),
    "seat": replace(CTX, seat=2),
}
SEED: Final = digest(b"test salt seed")
HOLDERS: Final = (0, 1, 2)
HOLDER_SECRETS: Final = tuple(digest(b"test holder", u8(holder)) for holder in HOLDERS)
HOLDER_KEYS: Final = tuple(encryption_key(secret) for secret in HOLDER_SECRETS)
PARTS: Final = split_key(X, SEED, Stream(SECRET, b"test split"))
SEALED: Final = tuple(seal_part(CTX, h, PARTS[h], HOLDER_KEYS[h], SECRET) for h in HOLDERS)

FIELD_PRIME: Final = 2**255 - 19
SMALL_ORDER: Final = {
    "zero, order 2": bytes(32),
    "one, order 4": b"\x01" + bytes(31),
    "minus one, order 4 of the twist": bytes.fromhex("ec" + "ff" * 30 + "7f"),
    "order 8": bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    "other of order 8": bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
}
"""Every X25519 public key below the prime of the field that gives zero with every secret."""

WITH_TOP_BIT: Final = {f"{name}, top bit": flip(key, 255) for name, key in SMALL_ORDER.items()}
NOT_CANONICAL: Final = {
    "p": FIELD_PRIME.to_bytes(32, "little"),
    "p + 1": (FIELD_PRIME + 1).to_bytes(32, "little"),
    "p + 9": (FIELD_PRIME + 9).to_bytes(32, "little"),
    "2^255 - 1": (2**255 - 1).to_bytes(32, "little"),
    "an honest key with the top bit": flip(HOLDER_KEYS[0], 255),
}
REFUSED_KEYS: Final = SMALL_ORDER | WITH_TOP_BIT | NOT_CANONICAL


def seal_by_hand(statement: SealedPart, holder: int, plaintext: bytes, ephemeral_secret: bytes) -> SealedPart:
    """``statement`` with its ephemeral key and its ciphertext made anew, whatever is in them.

    Written from the document alone, with another library: HKDF out of HMAC, and libsodium.
    """
    public = HOLDER_KEYS[holder]
    ephemeral = bindings.crypto_scalarmult_base(ephemeral_secret)
    shared = bindings.crypto_scalarmult(ephemeral_secret, public)
    key = hkdf(shared, frame(b"kozel/1 cipher key of a key part", ephemeral, public))
    bound = frame(
        b"kozel/1 sealed key part",
        CTX.digest(),
        bytes([holder]),
        statement.point,
        statement.seed_hash,
        ephemeral,
    )
    ciphertext = bindings.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, bound, bytes(12), key)
    return replace(statement, ephemeral=ephemeral, ciphertext=ciphertext)


def hkdf(secret: bytes, info: bytes) -> bytes:
    extracted = hmac.digest(b"kozel/1 key derivation", secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


# Splitting and joining


@given(x=st.integers(1, ORDER - 1), seed=st.binary(min_size=32, max_size=32), label=st.binary(max_size=4))
def test_the_parts_give_back_what_was_split(x: int, seed: bytes, label: bytes) -> None:
    parts = split_key(x, seed, Stream(SECRET, label))
    assert all(0 < part.scalar < ORDER and len(part.seed) == 32 for part in parts)
    for order in permutations(parts):
        assert join_parts(order) == KeyPart(x, seed)


@pytest.mark.parametrize("missing", HOLDERS)
def test_any_two_parts_are_as_consistent_with_any_other_secrets(missing: int) -> None:
    """Each pair of parts completes, by a part that exists, to whatever key and seed one likes."""
    known = [part for holder, part in enumerate(PARTS) if holder != missing]
    for other_x, other_seed in ((1, bytes(32)), (X + 1, SEED), (ORDER - 1, digest(b"other seed"))):
        scalar = (other_x - known[0].scalar - known[1].scalar) % ORDER
        seed = bytes(a ^ b ^ c for a, b, c in zip(other_seed, known[0].seed, known[1].seed, strict=True))
        assert 0 < scalar < ORDER
        completed = [*known, KeyPart(scalar, seed)]
        assert join_parts(completed) == KeyPart(other_x, other_seed)
        sealed = [seal_part(CTX, h, completed[h], HOLDER_KEYS[h], SECRET) for h in HOLDERS]
        verify_sum(group.base(other_x), sealed)


def test_two_of_the_parts_do_not_depend_on_the_secrets() -> None:
    others = split_key(X + 1, digest(b"other seed"), Stream(SECRET, b"test split"))
    assert others[:2] == PARTS[:2]
    assert others[2].scalar != PARTS[2].scalar
    assert others[2].seed != PARTS[2].seed


def test_a_split_is_repeated_exactly_and_another_stream_splits_otherwise() -> None:
    assert split_key(X, SEED, Stream(SECRET, b"test split")) == PARTS
    others = split_key(X, SEED, Stream(SECRET, b"other split"))
    scalars = {part.scalar for part in (*PARTS, *others)}
    seeds = {part.seed for part in (*PARTS, *others)}
    assert len(scalars) == len(seeds) == 6
    assert X not in scalars
    assert SEED not in seeds


class Scripted(Stream):
    """A stream whose scalars are written down beforehand."""

    __slots__ = ("script",)

    def __init__(self, *script: int) -> None:
        super().__init__(SECRET, b"scripted")
        self.script = list(script)

    def scalar(self) -> int:
        return self.script.pop(0)


def test_a_last_part_of_zero_is_drawn_again() -> None:
    stream = Scripted(X - 5, 5, 7, (X - 7) % ORDER, 11, 13)
    scalars = [part.scalar for part in split_key(X, SEED, stream)]
    assert scalars == [11, 13, (X - 24) % ORDER]
    assert stream.script == []


@pytest.mark.parametrize("x", [0, -1, ORDER, ORDER + X])
def test_only_a_deal_key_is_split(x: int) -> None:
    with pytest.raises(ValueError, match="range"):
        split_key(x, SEED, Stream(SECRET, b"test split"))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_only_a_whole_seed_is_split(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        split_key(X, bytes(length), Stream(SECRET, b"test split"))


def test_it_takes_three_parts_to_join() -> None:
    for count in (0, 1, 2):
        with pytest.raises(ValueError, match="not enough"):
            join_parts(PARTS[:count])
    with pytest.raises(ValueError, match="too many"):
        join_parts((*PARTS, PARTS[0]))


def test_secrets_stay_out_of_repr() -> None:
    assert repr(KeyPart(123456789, b"seed")) == "KeyPart()"


# Sealing and opening


@pytest.mark.parametrize("holder", HOLDERS)
def test_an_honest_part_is_opened_by_its_holder_after_travelling(holder: int) -> None:
    data = SEALED[holder].to_bytes()
    assert len(data) == PART_BYTES == 176
    sealed = SealedPart.from_bytes(data)
    assert sealed == SEALED[holder]
    assert open_part(CTX, holder, sealed, HOLDER_SECRETS[holder]) == PARTS[holder]


def test_a_handed_over_part_is_verified_by_all_after_travelling() -> None:
    for holder in HOLDERS:
        data = PARTS[holder].to_bytes()
        assert len(data) == 64
        verify_part(CTX, holder, SEALED[holder], KeyPart.from_bytes(data))
    assert join_parts([KeyPart.from_bytes(part.to_bytes()) for part in PARTS]) == KeyPart(X, SEED)


@pytest.mark.parametrize("holder", HOLDERS)
def test_every_byte_is_as_documented(holder: int) -> None:
    """Recomputed without the module: scalar, hash, ephemeral key, cipher key, associated data."""
    part, ctx, public = PARTS[holder], CTX.digest(), HOLDER_KEYS[holder]
    point = group.base(part.scalar)
    seed_hash = sha256(frame(b"kozel/1 seed of a key part", ctx, bytes([holder]), part.seed)).digest()
    info = frame(b"kozel/1 ephemeral key of a key part", ctx, bytes([holder]), public, point, seed_hash)
    plaintext = part.scalar.to_bytes(32, "little") + part.seed
    blank = SealedPart(point, seed_hash, b"", b"")
    assert seal_by_hand(blank, holder, plaintext, hkdf(SECRET, info)) == SEALED[holder]
    assert public == bindings.crypto_scalarmult_base(HOLDER_SECRETS[holder])


@pytest.mark.parametrize("holder", HOLDERS)
def test_another_holder_opens_nothing(holder: int) -> None:
    for other in HOLDERS:
        if other == holder:
            continue
        for ctx_holder in (holder, other):
            with pytest.raises(ProofRefused):
                open_part(CTX, ctx_holder, SEALED[holder], HOLDER_SECRETS[other])
        with pytest.raises(ProofRefused):
            open_part(CTX, other, SEALED[holder], HOLDER_SECRETS[holder])
        with pytest.raises(ProofRefused):
            verify_part(CTX, other, SEALED[holder], PARTS[holder])


@pytest.mark.parametrize("field", OTHER_CONTEXTS)
def test_pitfall_7_a_part_holds_in_its_context_only(field: str) -> None:
    """The seat is part of it: who passes off a copy of another's sealed part does not get that one opened."""
    with pytest.raises(ProofRefused):
        open_part(OTHER_CONTEXTS[field], 0, SEALED[0], HOLDER_SECRETS[0])
    with pytest.raises(ProofRefused):
        verify_part(OTHER_CONTEXTS[field], 0, SEALED[0], PARTS[0])


def test_a_wrong_secret_opens_nothing() -> None:
    for secret in (bytes(32), SECRET, flip(HOLDER_SECRETS[0], 100)):
        with pytest.raises(ProofRefused):
            open_part(CTX, 0, SEALED[0], secret)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_of_another_length_accuses_nobody(length: int) -> None:
    with pytest.raises(ValueError):
        open_part(CTX, 0, SEALED[0], bytes(length))
    with pytest.raises(ValueError):
        encryption_key(bytes(length))


def test_pitfall_11_every_bit_of_a_sealed_part() -> None:
    data = SEALED[0].to_bytes()
    for bit in range(8 * PART_BYTES):
        with pytest.raises(CryptoError):
            open_part(CTX, 0, SealedPart.from_bytes(flip(data, bit)), HOLDER_SECRETS[0])


@pytest.mark.parametrize("field", ["point", "seed_hash", "ephemeral", "ciphertext"])
def test_elements_of_two_sealed_parts_are_not_exchangeable(field: str) -> None:
    """Both parts are for the same holder, of the same sender; the second hides another key."""
    second = seal_part(CTX, 0, PARTS[1], HOLDER_KEYS[0], SECRET)
    assert open_part(CTX, 0, second, HOLDER_SECRETS[0]) == PARTS[1]
    with pytest.raises(ProofRefused):
        open_part(CTX, 0, replace(SEALED[0], **{field: getattr(second, field)}), HOLDER_SECRETS[0])


@pytest.mark.parametrize(
    "plaintext",
    [
        encode_scalar(PARTS[0].scalar + 1) + PARTS[0].seed,
        encode_scalar(-PARTS[0].scalar % ORDER) + PARTS[0].seed,
        encode_scalar(PARTS[0].scalar) + flip(PARTS[0].seed, 255),
        encode_scalar(PARTS[1].scalar) + PARTS[0].seed,
        encode_scalar(PARTS[0].scalar) + PARTS[1].seed,
        bytes(32) + PARTS[0].seed,
        (PARTS[0].scalar + ORDER).to_bytes(32, "little") + PARTS[0].seed,
        b"\xff" * 64,
        b"",
        PARTS[0].to_bytes()[:-1],
        PARTS[0].to_bytes() + b"\0",
    ],
)
def test_a_part_that_decrypts_but_is_not_the_published_one_is_refused(plaintext: bytes) -> None:
    honest = seal_by_hand(SEALED[0], 0, PARTS[0].to_bytes(), SECRET)
    assert open_part(CTX, 0, honest, HOLDER_SECRETS[0]) == PARTS[0]
    forged = seal_by_hand(SEALED[0], 0, plaintext, SECRET)
    assert forged.ciphertext != honest.ciphertext
    with pytest.raises(ProofRefused):
        open_part(CTX, 0, forged, HOLDER_SECRETS[0])


def test_a_scalar_that_is_no_scalar_is_refused_though_its_point_is_right() -> None:
    with pytest.raises(InvalidScalar):
        KeyPart.from_bytes((PARTS[0].scalar + ORDER).to_bytes(32, "little") + PARTS[0].seed)


@given(
    point=st.binary(max_size=40),
    seed_hash=st.binary(max_size=40),
    ephemeral=st.binary(max_size=40) | st.sampled_from(list(REFUSED_KEYS.values())),
    ciphertext=st.binary(max_size=100),
)
def test_whatever_comes_is_refused_never_a_crash(
    point: bytes, seed_hash: bytes, ephemeral: bytes, ciphertext: bytes
) -> None:
    sealed = SealedPart(group.Point(point), seed_hash, ephemeral, ciphertext)
    with pytest.raises(ProofRefused):
        open_part(CTX, 0, sealed, HOLDER_SECRETS[0])
    with pytest.raises(ProofRefused):
        verify_part(CTX, 0, sealed, PARTS[0])
    with pytest.raises(ProofRefused):
        verify_sum(PUBLIC, (sealed, *SEALED[1:]))


def test_every_refusal_names_its_check() -> None:
    with pytest.raises(ProofRefused) as unreadable:
        open_part(CTX, 0, SEALED[1], HOLDER_SECRETS[0])
    forged = seal_by_hand(SEALED[0], 0, PARTS[1].to_bytes(), SECRET)
    with pytest.raises(ProofRefused) as not_as_published:
        open_part(CTX, 0, forged, HOLDER_SECRETS[0])
    with pytest.raises(ProofRefused) as wrong_sum:
        verify_sum(other_point(PUBLIC), SEALED)
    assert unreadable.value.reason == "a sealed key part cannot be opened by its holder"
    assert not_as_published.value.reason == "a key part is not the one that was published"
    assert wrong_sum.value.reason == "the parts of the deal key do not add up to the public key"


# The sum


def test_the_points_add_up_to_the_public_key_and_to_no_other() -> None:
    verify_sum(PUBLIC, SEALED)
    verify_sum(PUBLIC, SEALED[::-1])
    for wrong in (other_point(PUBLIC), group.base(-X), SEALED[0].point, group.IDENTITY):
        with pytest.raises(ProofRefused):
            verify_sum(wrong, SEALED)


@pytest.mark.parametrize("holder", HOLDERS)
def test_one_part_of_another_key_breaks_the_sum(holder: int) -> None:
    """A sender cannot give one holder a part, in itself all right, that leads to nothing."""
    stray = seal_part(CTX, holder, replace(PARTS[holder], scalar=4711), HOLDER_KEYS[holder], SECRET)
    open_part(CTX, holder, stray, HOLDER_SECRETS[holder])
    with pytest.raises(ProofRefused):
        verify_sum(PUBLIC, [stray if h == holder else SEALED[h] for h in HOLDERS])


def test_the_sum_is_of_exactly_three_parts() -> None:
    assert SEALED[0].point == group.base(PARTS[0].scalar)
    with pytest.raises(ProofRefused):
        verify_sum(SEALED[0].point, SEALED[:1])
    with pytest.raises(ProofRefused):
        verify_sum(group.add(SEALED[0].point, SEALED[1].point), SEALED[:2])
    with pytest.raises(ProofRefused):
        verify_sum(group.add(PUBLIC, SEALED[0].point), (*SEALED, SEALED[0]))
    with pytest.raises(ProofRefused):
        verify_sum(group.IDENTITY, ())


# Ephemeral keys


def test_no_two_parts_share_an_ephemeral_key_or_a_scalar() -> None:
    """The nonce of the cipher is fixed, so nothing may ever be encrypted under a key twice (pitfall 7)."""
    assert len({part.scalar for part in PARTS}) == 3
    variants = list(SEALED)
    variants += [seal_part(CTX, holder, PARTS[0], HOLDER_KEYS[0], SECRET) for holder in (1, 2)]
    variants += [seal_part(ctx, 0, PARTS[0], HOLDER_KEYS[0], SECRET) for ctx in OTHER_CONTEXTS.values()]
    variants.append(seal_part(CTX, 0, replace(PARTS[0], scalar=1), HOLDER_KEYS[0], SECRET))
    variants.append(seal_part(CTX, 0, replace(PARTS[0], seed=bytes(32)), HOLDER_KEYS[0], SECRET))
    variants.append(seal_part(CTX, 0, PARTS[0], HOLDER_KEYS[1], SECRET))
    variants.append(seal_part(CTX, 0, PARTS[0], HOLDER_KEYS[0], digest(b"other secret")))
    assert len({sealed.ephemeral for sealed in variants}) == len(variants)
    assert seal_part(CTX, 0, PARTS[0], HOLDER_KEYS[0], SECRET) == SEALED[0]


def test_the_hash_of_a_seed_piece_tells_holders_and_contexts_apart() -> None:
    """Equal pieces do not show as equal."""
    hashes = {seal_part(CTX, h, PARTS[0], HOLDER_KEYS[0], SECRET).seed_hash for h in HOLDERS}
    hashes |= {
        seal_part(ctx, 0, PARTS[0], HOLDER_KEYS[0], SECRET).seed_hash for ctx in OTHER_CONTEXTS.values()
    }
    assert len(hashes) == 8


# Encryption keys


@pytest.mark.parametrize("name", SMALL_ORDER)
def test_the_listed_keys_are_of_small_order(name: str) -> None:
    for secret in (bytes(32), *HOLDER_SECRETS):
        with pytest.raises(RuntimeError):
            bindings.crypto_scalarmult(secret, SMALL_ORDER[name])


@pytest.mark.parametrize("name", REFUSED_KEYS)
def test_keys_to_which_nothing_can_be_sealed(name: str) -> None:
    with pytest.raises(InvalidPoint):
        check_encryption_key(REFUSED_KEYS[name])
    with pytest.raises(InvalidPoint):
        seal_part(CTX, 0, PARTS[0], REFUSED_KEYS[name], SECRET)
    with pytest.raises(InvalidPoint):
        SealedPart.from_bytes(replace(SEALED[0], ephemeral=REFUSED_KEYS[name]).to_bytes())


@pytest.mark.parametrize(
    "wrong", [b"", bytes(31), HOLDER_KEYS[0] + b"\0", bytearray(HOLDER_KEYS[0]), None, 9]
)
def test_keys_of_another_length_or_type(wrong: object) -> None:
    with pytest.raises(InvalidPoint):
        check_encryption_key(wrong)  # type: ignore[arg-type]


@given(secret=st.binary(min_size=32, max_size=32))
def test_every_key_that_is_made_is_accepted(secret: bytes) -> None:
    check_encryption_key(encryption_key(secret))


def test_other_secrets_of_the_same_encryption_key_open_the_same() -> None:
    """X25519 ignores five bits of a secret: a complaint made with any of those secrets comes out alike."""
    for bit in (0, 1, 2, 254, 255):
        secret = flip(HOLDER_SECRETS[0], bit)
        assert encryption_key(secret) == HOLDER_KEYS[0]
        assert open_part(CTX, 0, SEALED[0], secret) == PARTS[0]


# Bytes


@pytest.mark.parametrize("name", FOREIGN_POINTS)
def test_pitfalls_2_and_5_foreign_points(name: str) -> None:
    with pytest.raises(InvalidPoint):
        SealedPart.from_bytes(FOREIGN_POINTS[name] + SEALED[0].to_bytes()[32:])


def test_a_part_of_nothing_is_neither_sealed_nor_verified() -> None:
    nothing = KeyPart(0, PARTS[0].seed)
    with pytest.raises(InvalidPoint):
        seal_part(CTX, 0, nothing, HOLDER_KEYS[0], SECRET)
    identity = replace(SEALED[0], point=group.IDENTITY)
    with pytest.raises(ProofRefused):
        verify_part(CTX, 0, identity, nothing)


def test_malformed_bytes() -> None:
    sealed, part = SEALED[0].to_bytes(), PARTS[0].to_bytes()
    for wrong in (b"", sealed[:-1], sealed[:96], sealed + b"\0", sealed + sealed):
        with pytest.raises(MalformedProof):
            SealedPart.from_bytes(wrong)
    for wrong in (b"", part[:-1], part[:32], part + b"\0"):
        with pytest.raises(MalformedProof):
            KeyPart.from_bytes(wrong)
    with pytest.raises(MalformedProof):
        SealedPart.from_bytes(bytearray(sealed))  # type: ignore[arg-type]
    with pytest.raises(MalformedProof):
        KeyPart.from_bytes(bytearray(part))  # type: ignore[arg-type]


# Worked values

EXAMPLE: Final = Context(
    bytes.fromhex("7406354ab7ed2fa390878ab6a068957a46001fb3c22cbc5257df82fa35cd3dd3"),
    bytes.fromhex("9f0c8573c2066fe78a264244c8dcaa39169862a92b6597511385036eab21a1e7"),
    0,
    "key",
    0,
)
"""Some context that never changes: what is pinned below must not change either."""

SEQ: Final = bytes(range(32))
EXAMPLE_SEED: Final = b"\x5e" * 32
EXAMPLE_SECRETS: Final = {holder: bytes([0xB0 + holder]) * 32 for holder in (1, 2, 3)}

WORKED_KEY: Final = "d3337e4d4ee503a66976feb1fadf5bd21ba96fc2b1571b3e980d87cf49797510"
WORKED_PARTS: Final = [
    "b5aba25a53b54cdf466df339aa78201515602ed282b255786b5734303833dc0b"
    "6f2d809361199366ea292a7742ffab9f2091a190dfc09b7cbe5e6e2af482d1a1",
    "718de25c3da47facfba3ff53d4234b7d9211d933bdb3ab66efdd525b3401b50c"
    "f6f0a43276df905743cb2b0c8a269e65dcb3b87bf027fbe2b3c86610f3d87341",
    "b66e6602a46c58246a28fcb73e575297588ef8f9bf99fe20a5ca787493cb6e07"
    "c7837aff49985d6ff7bc5f2596876ba4a27c47b571b93ec053c856645904fcbe",
]
WORKED_SEALED: Final = (
    "28f098949229f0ac96663596542a05553b95a1e05d403c8f8a62b27b845b47aa068506bc209750f189282c6b98902d8c"
    "bb20369b2fa4e6dbc44ec3e63fb4a076341f4129ea2f75ec3e40906a55d5798215c680240141e6e1b71f2f9dbecc3f1c"
    "59ed6e0aa5c3827f0f7ae419db431255fe1688a71ae38ea10492a9f926b249e8a1dda5796f02f97f476f7700882dae01"
    "5a2d7e51a1a33507ecfff32cddff096934f67af3cb0c89d2c5631be2bfbdff0f"
)
WORKED_ALL: Final = "aed5672383e1bd556fbd64b2fbf43eab41621e5c705cb6a3eb417086a41eb62e"


def test_worked_values() -> None:
    parts = split_key(2, EXAMPLE_SEED, Stream(SEQ, domains.KEY_PARTS, EXAMPLE.digest()))
    sealed = [
        seal_part(EXAMPLE, holder, part, encryption_key(EXAMPLE_SECRETS[holder]), SEQ)
        for holder, part in zip(EXAMPLE_SECRETS, parts, strict=True)
    ]
    verify_sum(group.base(2), sealed)
    assert encryption_key(EXAMPLE_SECRETS[1]).hex() == WORKED_KEY
    assert [part.to_bytes().hex() for part in parts] == WORKED_PARTS
    assert sealed[0].to_bytes().hex() == WORKED_SEALED
    assert sha256(b"".join(part.to_bytes() for part in sealed)).hexdigest() == WORKED_ALL
    for holder, sealed_part, part in zip(EXAMPLE_SECRETS, sealed, parts, strict=True):
        assert open_part(EXAMPLE, holder, sealed_part, EXAMPLE_SECRETS[holder]) == part
