"""Vectors of shuffles and their proofs (§6.6), with 36 cards, with 20, and with the two of Appendix B."""

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
from protocol.crypto.hashing import u8
from protocol.crypto.masking import Deck, decode_deck, encode_deck, initial_deck
from protocol.crypto.shuffle import ShuffleProof, ShuffleWitness, prove_shuffle, shuffle, verify_shuffle
from protocol.crypto.shuffle_proof import statement_digest
from protocol.crypto.transcript import Stream, derive
from tests.vectors.example import JOINT, MATCH, PUBLICS, RINGS, SECRETS, SEQ, TORSION_2, context, first_step
from tests.vectors.form import Case, Maker, Operations, Vectors, at
from tests.vectors.proofs import context_of, others, plain


def _decks(case: Case) -> tuple[Point, Deck, Deck]:
    n = case["n"]
    return (
        decode_point(at(case, "joint")),
        decode_deck(at(case, "before"), n),
        decode_deck(at(case, "after"), n),
    )


def do_shuffle(case: Case) -> dict[str, Any]:
    """Permutation and masks from the stream of §6.2, and the deck after."""
    before = decode_deck(at(case, "before"), case["n"])
    fields = (context_of(case).digest(), at(case, "before"))
    stream = Stream(at(case, "secret"), domains.SHUFFLE_RANDOMNESS, *fields)
    after, witness = shuffle(before, decode_point(at(case, "joint")), stream)
    masks = [encode_scalar(mask).hex() for mask in witness.masks]
    return {"permutation": list(witness.permutation), "masks": masks, "after": encode_deck(after).hex()}


def prove(case: Case) -> str:
    """The proof, with the nonces of §6.6."""
    joint, before, after = _decks(case)
    masks = tuple(decode_scalar(bytes.fromhex(mask)) for mask in case["masks"])
    witness = ShuffleWitness(tuple(case["permutation"]), masks)
    secret = at(case, "proof_secret")
    return prove_shuffle(context_of(case), joint, before, after, witness, secret).to_bytes().hex()


def check(case: Case) -> str:
    """Lengths, elements and the equations; gives the statement S of what has been proven."""
    joint, before, after = _decks(case)
    ctx = context_of(case)
    verify_shuffle(ctx, joint, before, after, ShuffleProof.from_bytes(at(case, "proof"), case["n"]))
    return statement_digest(ctx, joint, before, after).hex()


OPERATIONS: Final[Operations] = {"shuffle": do_shuffle, "prove shuffle": prove, "check shuffle": check}
_MAKER: Final = Maker(OPERATIONS)
_X: Final = 2
"""The secret of the joint key of Appendix B."""


def _step(n: int) -> tuple[Point, str, Deck]:
    """Joint key, stage and deck before: the real sizes, or the two cards of Appendix B."""
    if n == 2:
        return base(_X), "deck", initial_deck(base(_X))[:2]
    stage = "deck" if n == 36 else "stock"
    return JOINT, stage, first_step(stage)[0]


def _shuffle_cases() -> Iterator[Case]:
    for n in (2, 20, 36):
        joint, stage, before = _step(n)
        secret = SEQ if n == 2 else derive(SECRETS[0], domains.MATCH_SECRET, MATCH, u8(0))
        given = {"n": n, "joint": joint.hex(), "context": plain(context(stage))}
        case = _MAKER.valid(
            f"{n} cards", "shuffle", **given, before=encode_deck(before).hex(), secret=secret.hex()
        )
        yield case
    deck, small = case["expected"], first_step("deck")
    inverse = sorted(range(36), key=lambda i: deck["permutation"][i])
    turned = "".join(deck["after"][128 * i : 128 * i + 128] for i in inverse)
    yield _wrong("the permutation in the other direction", case, permutation=inverse, after=turned)
    yield _wrong(
        "masks in the order of the output", case, masks=[deck["masks"][k] for k in deck["permutation"]]
    )
    plainly = encode_deck(small[0][k] for k in small[2].permutation)
    yield _wrong("not masked anew", case, after=plainly.hex())
    yield {"name": "35 cards", "do": "shuffle", "as": "36 cards", "n": 35, "valid": False, "error": "length"}


def _wrong(name: str, case: Case, **changed: Any) -> Case:
    """Something else comes out of the shuffle of 36 cards than this."""
    value = {**case["expected"], **changed}
    return {**_MAKER.wrong(name, value, "shuffle"), "as": "36 cards"}


def shuffles() -> Vectors:
    """Permutations, masks and decks."""
    origin = "Seat 0 of deal 0 of the example match shuffles first the deck, then the stock; and Appendix B."
    return Vectors(origin, "§6.2, §6.6", ("SHUFFLE_RANDOMNESS",), tuple(_shuffle_cases()))


def _proof_cases() -> Iterator[Case]:
    for n in (2, 20, 36):
        joint, stage, before = _step(n)
        if n == 2:
            secret = SEQ
            stream = Stream(SEQ, domains.SHUFFLE_RANDOMNESS, context(stage).digest(), encode_deck(before))
            after, witness = shuffle(before, joint, stream)
        else:
            secret, (_, after, witness) = RINGS[0].proof_secret, first_step(stage)
        proof = prove_shuffle(context(stage), joint, before, after, witness, secret).to_bytes()
        decks = {"before": encode_deck(before).hex(), "after": encode_deck(after).hex()}
        given = {"n": n, "joint": joint.hex(), "context": plain(context(stage)), **decks}
        yield _MAKER.valid(f"{n} cards", "check shuffle", **given, proof=proof.hex())
        if n < 36:
            masks = [encode_scalar(mask).hex() for mask in witness.masks]
            known = {"permutation": list(witness.permutation), "masks": masks, "proof_secret": secret.hex()}
            proven = _MAKER.valid(f"proving {n} cards", "prove shuffle", **given, **known)
            yield {key: value for key, value in proven.items() if key not in given} | {"as": f"{n} cards"}
        if n > 2:
            yield from _tampered(n, stage, proof, encode_deck(before), encode_deck(after))


def _tampered(n: int, stage: str, proof: bytes, before: bytes, after: bytes) -> Iterator[Case]:
    def bad(name: str, error: str, **changed: Any) -> Case:
        case = _MAKER.refused(f"{n} cards: {name}", error, "check shuffle", **changed)
        return {**case, "as": f"{n} cards"}

    def put(name: str, error: str, where: str, place: int, data: bytes) -> Case:
        return bad(name, error, changes={where: [[place, data.hex()]]})

    for name, place in _elements(n).items():
        data = proof[place : place + 32]
        if place < 64 * n:
            yield put(f"{name} another point", "proof", "proof", place, add(Point(data), G))
        else:
            k = int.from_bytes(data, "little")
            yield put(f"{name} + 1", "proof", "proof", place, encode_scalar((k + 1) % ORDER))
            yield put(f"{name} + q", "scalar", "proof", place, (k + ORDER).to_bytes(32, "little"))
    yield put("a commitment out of the subgroup", "point", "proof", 32, _foreign(proof[32:64]))
    yield put("a link that is neutral", "point", "proof", 64 * n - 32, IDENTITY)
    yield put("two outputs exchanged", "proof", "after", 0, after[64:128] + after[:64])
    yield put("one card twice", "proof", "after", 64, after[:64])
    yield put("an output replaced", "proof", "after", 64, before[:64])
    yield put("an output out of the subgroup", "point", "after", 32, _foreign(after[32:64]))
    yield put("two inputs exchanged", "proof", "before", 0, before[64:128] + before[:64])
    yield bad("nothing shuffled", "proof", after=before.hex())
    yield bad("another joint key", "proof", joint=PUBLICS[0].hex())
    for name, other in others(context(stage)).items():
        yield bad(name, "proof", context=other)
    yield bad("a proof cut short", "length", proof=proof[:-32].hex())
    yield bad("a deck cut short", "length", after=after[:-64].hex())


def _elements(n: int) -> dict[str, int]:
    """The first and the last of each kind of element of a proof, and where it stands."""
    scalars = 64 * n
    places = {"C_0": 0, f"C_{n - 1}": 32 * n - 32, "ĉ_0": 32 * n, f"ĉ_{n - 1}": scalars - 32}
    places |= {name: scalars + 32 * number for number, name in enumerate(("c", "s₁", "s₂", "s₃", "s₄"))}
    places |= {"ŝ_0": scalars + 160, f"ŝ_{n - 1}": scalars + 128 + 32 * n}
    return places | {"s′_0": scalars + 160 + 32 * n, f"s′_{n - 1}": scalars + 128 + 64 * n}


def _foreign(point: bytes) -> bytes:
    return bindings.crypto_core_ed25519_add(point, TORSION_2)


def shuffle_proofs() -> Vectors:
    """Proofs that hold and proofs that do not."""
    origin = (
        "The shuffles of shuffle.json, proven by this implementation, and changes of them by hand. A case "
        "with `as` has the inputs of the case of that name, apart from its own; `changes` puts bytes at a "
        "place of an input."
    )
    labels = ("SHUFFLE_NONCE", "SHUFFLE_STATEMENT", "SHUFFLE_U", "SHUFFLE_CHALLENGE", "GENERATOR")
    return Vectors(origin, "§6.6", labels, tuple(_proof_cases()))


FILES: Final = {"shuffle": shuffles, "shuffle-proof": shuffle_proofs}
