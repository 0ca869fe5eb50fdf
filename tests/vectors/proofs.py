"""Vectors of contexts, keys, the initial deck, shares and the opening of cards (§6.3–6.5, §6.7, §6.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from nacl import bindings

from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.group import ORDER, G, base, decode_point, decode_scalar, encode_scalar
from protocol.crypto.hashing import digest, u8, u32
from protocol.crypto.keys import KeyProof, joint_key, prove_key, verify_key
from protocol.crypto.masking import CARD_POINTS, Ciphertext, decode_deck, encode_deck, initial_deck
from protocol.crypto.share import Share, make_share, open_card, verify_share
from protocol.domains import CONTEXT
from tests.vectors.example import (
    EXAMPLE,
    JOINT,
    KEYS,
    MATCH,
    PUBLICS,
    RINGS,
    TORSION_2,
    context,
    first_step,
    flip,
)
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces


def plain(ctx: Context) -> dict[str, Any]:
    """A context in JSON."""
    return {
        "match_id": ctx.match_id.hex(),
        "roster_digest": ctx.roster.hex(),
        "deal": ctx.deal,
        "stage": ctx.stage,
        "seat": ctx.seat,
    }


def context_of(case: Case) -> Context:
    """The context that stands in a case."""
    given = case["context"]
    match_id, roster = at(given, "match_id"), at(given, "roster_digest")
    return Context(match_id, roster, given["deal"], given["stage"], given["seat"])


def others(ctx: Context) -> Mapping[str, dict[str, Any]]:
    """The context with each field changed in turn."""
    given = plain(ctx)
    changed: dict[str, Any] = {
        "match_id": bytes(32).hex(),
        "roster_digest": bytes(32).hex(),
        "deal": ctx.deal + 1,
        "stage": "stock" if ctx.stage == "deck" else "deck",
        "seat": (ctx.seat + 1) % 4,
    }
    return {f"another {name}": {**given, name: value} for name, value in changed.items()}


def _ciphertext(case: Case) -> Ciphertext:
    (card,) = decode_deck(at(case, "ciphertext"), 1)
    return card


def check_key(case: Case) -> None:
    """The proof of knowing a public key's secret."""
    public = decode_point(at(case, "public"))
    verify_key(context_of(case), public, KeyProof.from_bytes(at(case, "proof")))


def prove(case: Case) -> str:
    """That proof, with the nonce of §6.4."""
    x = decode_scalar(at(case, "secret"))
    return prove_key(context_of(case), x, base(x)).to_bytes().hex()


def check_share(case: Case) -> None:
    """One share."""
    share = Share.from_bytes(at(case, "share"))
    verify_share(context_of(case), case["slot"], decode_point(at(case, "public")), _ciphertext(case), share)


def share_of(case: Case) -> str:
    """A share, with the nonce of §6.7."""
    x, card = decode_scalar(at(case, "secret")), _ciphertext(case)
    return (
        make_share(context_of(case), case["slot"], x, base(x), card, at(case, "proof_secret"))
        .to_bytes()
        .hex()
    )


OPERATIONS: Final[Operations] = {
    "context": lambda case: context_of(case).digest().hex(),
    "prove key": prove,
    "check key": check_key,
    "joint key": lambda case: joint_key(map(decode_point, pieces(case, "publics"))).hex(),
    "initial deck": lambda case: encode_deck(initial_deck(decode_point(at(case, "joint")))).hex(),
    "make share": share_of,
    "check share": check_share,
    "open card": lambda case: open_card(_ciphertext(case), list(map(decode_point, pieces(case, "points")))),
}
_MAKER: Final = Maker(OPERATIONS)


def _context_cases() -> Iterator[Case]:
    ctx = context("key")
    roster = EXAMPLE.roster_digest
    for stage in ("key", "deck", "stock"):
        yield _MAKER.valid(f"stage {stage}", "context", context=plain(context(stage)))
    yield _MAKER.valid("another deal and seat", "context", context=plain(context("stock", 3, 9_999)))
    wrong = {
        "seat in four bytes": digest(CONTEXT, MATCH, roster, u32(0), b"key", u32(0)),
        "deal in one byte": digest(CONTEXT, MATCH, roster, u8(0), b"key", u8(0)),
        "without the roster": digest(CONTEXT, MATCH, u32(0), b"key", u8(0)),
    }
    for name, value in wrong.items():
        yield _MAKER.wrong(name, value.hex(), "context", context=plain(ctx))
    for name, other in others(ctx).items():
        yield _MAKER.wrong(f"that of {name}", ctx.digest().hex(), "context", context=other)


def contexts() -> Vectors:
    """What proofs are bound to."""
    origin = "Places in the example match of Appendix B, hashed by this implementation."
    return Vectors(origin, "§6.3", ("CONTEXT",), tuple(_context_cases()))


def _key_cases() -> Iterator[Case]:
    ctx = context("key")
    public, proof = PUBLICS[0], prove_key(ctx, KEYS[0], PUBLICS[0]).to_bytes()
    given = {"context": plain(ctx), "public": public.hex(), "proof": proof.hex()}
    for name, secret in {
        "deal key of seat 0": KEYS[0],
        "the secret 2": 2,
        "the secret q − 1": ORDER - 1,
    }.items():
        yield _MAKER.valid(name, "prove key", context=plain(ctx), secret=encode_scalar(secret).hex())
    yield _MAKER.valid("honest", "check key", **given)
    two = prove_key(ctx, 2, base(2)).to_bytes()
    yield _MAKER.valid("the secret 2", "check key", context=plain(ctx), public=base(2).hex(), proof=two.hex())

    def bad(name: str, error: str, **changed: Any) -> Case:
        return _MAKER.refused(name, error, "check key", **{**given, **changed})

    for name, other in others(ctx).items():
        yield bad(name, "proof", context=other)
    yield bad("another key", "proof", public=PUBLICS[1].hex())
    yield bad("neutral element", "point", public=group.IDENTITY.hex())
    yield bad("key out of the subgroup", "point", public=_foreign(public))
    yield bad("key of order 2", "point", public=TORSION_2.hex())
    for part, first in {"c": 0, "s": 256}.items():
        yield bad(f"{part} changed", "proof", proof=flip(proof, first + 7).hex())
        yield bad(f"{part} + q", "scalar", proof=_plus_order(proof, first // 8))
    yield bad("c = s = 0", "proof", proof=bytes(64).hex())
    yield bad("s ‖ c", "proof", proof=(proof[32:] + proof[:32]).hex())
    yield bad("63 bytes", "length", proof=proof[:63].hex())
    yield bad("65 bytes", "length", proof=(proof + b"\0").hex())


def _foreign(point: bytes) -> str:
    return bindings.crypto_core_ed25519_add(point, TORSION_2).hex()


def _plus_order(proof: bytes, place: int) -> str:
    """The proof with another encoding of the scalar at a place."""
    value = int.from_bytes(proof[place : place + 32], "little") + ORDER
    return (proof[:place] + value.to_bytes(32, "little") + proof[place + 32 :]).hex()


def key_proofs() -> Vectors:
    """Public keys and the proofs of knowing their secrets."""
    origin = "Deal 0 of the example match with fixed secrets, proven by this implementation."
    return Vectors(origin, "§6.4", ("KEY_PROOF", "KEY_NONCE"), tuple(_key_cases()))


def _deck_cases() -> Iterator[Case]:
    publics = [public.hex() for public in PUBLICS]
    yield _MAKER.valid("four keys", "joint key", publics=publics)
    cancelled = [base(1).hex(), base(2).hex(), base(3).hex(), base(ORDER - 6).hex()]
    yield _MAKER.refused("a sum that is neutral", "point", "joint key", publics=cancelled)
    yield _MAKER.wrong("three keys", joint_key(PUBLICS[:3]).hex(), "joint key", publics=publics)
    yield _MAKER.valid("under four keys", "initial deck", joint=JOINT.hex())
    yield _MAKER.valid("under the key of the secret 2", "initial deck", joint=base(2).hex())
    unmasked = b"".join(G + point for point in CARD_POINTS).hex()
    yield _MAKER.wrong("not masked", unmasked, "initial deck", joint=JOINT.hex())
    turned = b"".join(card.b + card.a for card in initial_deck(JOINT)).hex()
    yield _MAKER.wrong("b ‖ a", turned, "initial deck", joint=JOINT.hex())


def initial_decks() -> Vectors:
    """The joint key and the deck before the first shuffle."""
    origin = "Deal 0 of the example match with fixed secrets; sums by libsodium."
    return Vectors(origin, "§6.4, §6.5", ("CARD",), tuple(_deck_cases()))


_SLOT: Final = 17


def _share_cases() -> Iterator[Case]:
    ctx, card, other = context("stock"), first_step("stock")[1][1], first_step("stock")[1][2]
    secret, x = RINGS[0].proof_secret, encode_scalar(KEYS[0])
    share = make_share(ctx, _SLOT, KEYS[0], PUBLICS[0], card, secret).to_bytes()
    place = {"context": plain(ctx), "slot": _SLOT, "ciphertext": encode_deck([card]).hex()}
    given = {**place, "public": PUBLICS[0].hex(), "share": share.hex()}
    yield _MAKER.valid("stock", "make share", **place, secret=x.hex(), proof_secret=secret.hex())
    yield _MAKER.valid("honest", "check share", **given)

    def bad(name: str, error: str, **changed: Any) -> Case:
        return _MAKER.refused(name, error, "check share", **{**given, **changed})

    for name, changed in others(ctx).items():
        yield bad(name, "proof", context=changed)
    yield bad("another slot", "proof", slot=_SLOT + 1)
    yield bad("another seat's key", "proof", public=PUBLICS[1].hex())
    yield bad("another card", "proof", ciphertext=encode_deck([other]).hex())
    yield bad("another point", "proof", share=(group.add(group.mul(KEYS[0], card.a), G) + share[32:]).hex())
    yield bad("point out of the subgroup", "point", share=_foreign(share[:32]) + share[32:].hex())
    yield bad("neutral point", "point", share=(group.IDENTITY + share[32:]).hex())
    for part, first in {"c": 32, "s": 64}.items():
        yield bad(f"{part} changed", "proof", share=flip(share, 8 * first + 7).hex())
        yield bad(f"{part} + q", "scalar", share=_plus_order(share, first))
    yield bad("95 bytes", "length", share=share[:95].hex())
    yield bad("97 bytes", "length", share=(share + b"\0").hex())


def shares() -> Vectors:
    """Shares and their proofs."""
    origin = "The second card of the stock shuffled once by seat 0, deal 0 of the example match."
    return Vectors(origin, "§6.7", ("SHARE_PROOF", "SHARE_NONCE"), tuple(_share_cases()))


def _opening_cases() -> Iterator[Case]:
    deck = first_step("deck")[1]
    for slot in (0, 26, 35):
        card, points = deck[slot], [group.mul(key, deck[slot].a).hex() for key in KEYS]
        yield _MAKER.valid(f"slot {slot}", "open card", ciphertext=encode_deck([card]).hex(), points=points)
    given = {"ciphertext": encode_deck([deck[35]]).hex(), "points": points}
    short, twice = {**given, "points": points[:3]}, {**given, "points": [*points[:3], points[0]]}
    yield _MAKER.refused("three points", "not-a-card", "open card", **short)
    yield _MAKER.refused("one seat's point twice", "not-a-card", "open card", **twice)
    elsewhere = {**given, "ciphertext": encode_deck([deck[0]]).hex()}
    yield _MAKER.refused("points of another slot", "not-a-card", "open card", **elsewhere)


def openings() -> Vectors:
    """Cards from their ciphertexts and the points of all four seats."""
    origin = "Slots of the deck shuffled once by seat 0, deal 0 of the example match."
    return Vectors(origin, "§6.8", ("CARD",), tuple(_opening_cases()))


FILES: Final = {
    "context": contexts,
    "key-proof": key_proofs,
    "initial-deck": initial_decks,
    "share": shares,
    "open-card": openings,
}
