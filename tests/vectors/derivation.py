"""Vectors of a seat's secrets (§6.2) and of the proof that a seat is taken (§9.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from protocol import domains
from protocol.crypto.group import encode_scalar
from protocol.crypto.hashing import u8, u32
from protocol.crypto.transcript import Stream, derive
from protocol.genesis import decode_genesis
from protocol.keyring import Keyring, genesis_nonce
from tests.vectors.example import ENCRYPTION_KEYS, EXAMPLE, MATCH, RINGS, SECRETS, SEQ, context
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces


def _ring(case: Case) -> Keyring:
    return Keyring(decode_genesis(at(case, "genesis")), case["seat"], at(case, "seat_secret"))


def shuffle_randomness(case: Case) -> dict[str, Any]:
    """Permutation and masks of the shuffle of a deck, of which only the bytes count."""
    stream = _ring(case).shuffle_stream(case["deal"], case["stage"], at(case, "before"))
    permutation = list(stream.permutation(case["n"]))
    return {"permutation": permutation, "masks": [encode_scalar(k).hex() for k in stream.scalars(case["n"])]}


OPERATIONS: Final[Operations] = {
    "genesis nonce": lambda case: genesis_nonce(at(case, "seat_secret")).hex(),
    "secret for show": lambda case: derive(at(case, "seed"), domains.SHOW_SECRET, u32(case["number"])).hex(),
    "coin nonce": lambda case: _ring(case).coin_nonce().hex(),
    "deal key": lambda case: encode_scalar(_ring(case).deal_key(case["deal"])).hex(),
    "shuffle randomness": shuffle_randomness,
    "proof secret": lambda case: _ring(case).proof_secret.hex(),
    "discard salt": lambda case: _ring(case).salt(case["deal"], case["trick"], case["on"]).hex(),
    "encryption secret": lambda case: _ring(case).encryption_secret.hex(),
    "sealed parts": lambda case: _ring(case).sealed_parts(case["deal"], pieces(case, "encryption")).hex(),
    "seat taken": lambda case: derive(
        at(case, "transport_secret"), domains.SEAT_TAKEN, at(case, "match_id"), at(case, "run")
    ).hex(),
}
_MAKER: Final = Maker(OPERATIONS)


def _cases() -> Iterator[Case]:
    yield _MAKER.valid("seat 0", "genesis nonce", seat_secret=SECRETS[0].hex())
    yield _MAKER.valid("seat 1", "genesis nonce", seat_secret=SECRETS[1].hex())
    for number in (0, 1, 256):
        yield _MAKER.valid(f"match {number} at the table", "secret for show", seed=SEQ.hex(), number=number)
    for seat in (0, 3):
        given = {"genesis": EXAMPLE.encode().hex(), "seat": seat, "seat_secret": SECRETS[seat].hex()}
        yield _MAKER.valid(f"seat {seat}", "coin nonce", **given)
        yield _MAKER.valid(f"seat {seat}", "proof secret", **given)
        yield _MAKER.valid(f"seat {seat}", "encryption secret", **given)
        for deal in (0, 1):
            yield _MAKER.valid(f"seat {seat}, deal {deal}", "deal key", **given, deal=deal)
            yield _MAKER.valid(f"seat {seat}, deal {deal}", "discard salt", **given, deal=deal, trick=7, on=2)
    given = {"genesis": EXAMPLE.encode().hex(), "seat": 0, "seat_secret": SECRETS[0].hex()}
    keys = [key.hex() for key in ENCRYPTION_KEYS]
    yield _MAKER.valid("seat 0", "sealed parts", **given, deal=0, encryption=keys)
    step = {"deal": 0, "stage": "stock", "before": SEQ.hex(), "n": 4}
    yield _MAKER.valid("four cards", "shuffle randomness", **given, **step)
    yield from _wrong(given)


def _wrong(given: dict[str, Any]) -> Iterator[Case]:
    """Each secret as it would come out of a step done otherwise."""
    match_secret = derive(SECRETS[0], domains.MATCH_SECRET, MATCH, u8(0))
    unbound = derive(SECRETS[0], domains.MATCH_SECRET, MATCH)
    nonce, show = derive(SECRETS[0], domains.COIN_NONCE), derive(SEQ, domains.SHOW_SECRET, u8(0))
    yield _MAKER.wrong("from the seat secret itself", nonce.hex(), "coin nonce", **given)
    seatless = derive(unbound, domains.COIN_NONCE).hex()
    yield _MAKER.wrong("match secret without the seat", seatless, "coin nonce", **given)
    yield _MAKER.wrong("number in one byte", show.hex(), "secret for show", seed=SEQ.hex(), number=0)
    late = derive(SECRETS[0], domains.GENESIS_NONCE, MATCH).hex()
    yield _MAKER.wrong("with a match id", late, "genesis nonce", seat_secret=SECRETS[0].hex())
    staged = Stream(match_secret, domains.DEAL_KEY, context("deck").digest()).scalar()
    yield _MAKER.wrong("stage deck", encode_scalar(staged).hex(), "deal key", **given, deal=0)
    direct = derive(match_secret, domains.SALT, u32(7), u8(2)).hex()
    place = {"deal": 0, "trick": 7, "on": 2}
    yield _MAKER.wrong("not from the seed that is given out", direct, "discard salt", **given, **place)
    seed = derive(match_secret, domains.SALT_SEED, u32(0))
    shared = derive(seed, domains.SALT, u32(7)).hex()
    yield _MAKER.wrong("one salt for all branches of a trick", shared, "discard salt", **given, **place)
    other = RINGS[0].proof_secret.hex()
    yield _MAKER.wrong("the proof secret", other, "encryption secret", **given)
    yield _MAKER.wrong("the match secret", match_secret.hex(), "proof secret", **given)


def seat_secrets() -> Vectors:
    """Everything that a seat derives from its one secret."""
    origin = "Fixed seat secrets in the example match of Appendix B, derived by this implementation."
    labels = ("GENESIS_NONCE", "SHOW_SECRET", "MATCH_SECRET", "COIN_NONCE", "DEAL_KEY", "SHUFFLE_RANDOMNESS")
    more = ("PROOF_NONCES", "SALT_SEED", "SALT", "ENCRYPTION_KEY", "KEY_PARTS")
    return Vectors(origin, "§6.2", labels + more, tuple(_cases()))


def _taken_cases() -> Iterator[Case]:
    given = {"transport_secret": SEQ.hex(), "match_id": MATCH.hex(), "run": "07" * 16}
    yield _MAKER.valid("a run", "seat taken", **given)
    yield _MAKER.valid("another run", "seat taken", **{**given, "run": "08" * 16})
    unbound = derive(SEQ, domains.SEAT_TAKEN, bytes.fromhex("07" * 16)).hex()
    yield _MAKER.wrong("without the match", unbound, "seat taken", **given)
    replayed = OPERATIONS["seat taken"]({**given, "run": "08" * 16})
    yield _MAKER.wrong("that of another run", replayed, "seat taken", **given)


def seat_taken() -> Vectors:
    """The proof that answers `return`."""
    origin = "A fixed transport secret in the example match of Appendix B, derived by this implementation."
    return Vectors(origin, "§9.6", ("SEAT_TAKEN",), tuple(_taken_cases()))


FILES: Final = {"seat-secrets": seat_secrets, "seat-taken": seat_taken}
