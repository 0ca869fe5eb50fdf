"""Vectors of the coin, of discards, of a deal's result and of the final state (§6.9–6.11)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final, cast

from protocol import domains
from protocol.crypto.commitment import coin_dealer, commit_coin, commit_discard, verify_coin, verify_discard
from protocol.crypto.hashing import digest, u8, u32
from protocol.encoding import pack
from protocol.match_facts import MatchFacts
from protocol.rules.closing import final_hash, result_hash
from tests.vectors.example import COINS, MATCH
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces


def _discard(case: Case) -> tuple[Any, ...]:
    place = (at(case, "match_id"), case["deal"], case["trick"], case["seat"], case["on"])
    return (*place, at(case, "salt"), case["slots"])


def _match(case: Case, **state: Any) -> MatchFacts:
    """As much of a match as its hashes are about."""
    genesis = SimpleNamespace(match_id=at(case, "match_id"))
    return cast(MatchFacts, SimpleNamespace(genesis=genesis, state=SimpleNamespace(**state)))


def hash_of_result(case: Case) -> str:
    """§6.10."""
    names = {"points": "points", "tricks_taken": "tricks", "defeat_points": "defeat"}
    pairs: dict[str, Any] = {name: tuple(case[key]) for name, key in names.items()}
    result = SimpleNamespace(**pairs, eggs=case["eggs"])
    return result_hash(_match(case, results={case["deal"]: result}), case["deal"]).hex()


def hash_of_end(case: Case) -> str:
    """§6.11."""
    score, deals = tuple(case["score"]), (None,) * case["deals"]
    return final_hash(
        _match(case, results=deals, score=score, eggs=case["eggs"], leader=case["leader"])
    ).hex()


OPERATIONS: Final[Operations] = {
    "commit coin": lambda case: commit_coin(at(case, "match_id"), case["seat"], at(case, "nonce")).hex(),
    "check coin": lambda case: verify_coin(
        at(case, "commitment"), at(case, "match_id"), case["seat"], at(case, "nonce")
    ),
    "first dealer": lambda case: coin_dealer(at(case, "match_id"), pieces(case, "nonces")),
    "commit discard": lambda case: commit_discard(*_discard(case)).hex(),
    "check discard": lambda case: verify_discard(at(case, "commitment"), *_discard(case)),
    "deal result": hash_of_result,
    "final state": hash_of_end,
}
_MAKER: Final = Maker(OPERATIONS)


def _coin_cases() -> Iterator[Case]:
    for seat in range(4):
        given = {"match_id": MATCH.hex(), "seat": seat, "nonce": COINS[seat].hex()}
        yield _MAKER.valid(f"seat {seat}", "commit coin", **given)
    commitment = commit_coin(MATCH, 0, COINS[0])
    opened = {"commitment": commitment.hex(), "match_id": MATCH.hex(), "seat": 0, "nonce": COINS[0].hex()}
    yield _MAKER.valid("honest", "check coin", **opened)
    changes: dict[str, dict[str, Any]] = {
        "another nonce": {"nonce": COINS[1].hex()},
        "another seat, a copied commitment": {"seat": 1},
        "another match": {"match_id": bytes(32).hex()},
        "a nonce of 31 bytes": {"nonce": COINS[0][:31].hex()},
    }
    for name, changed in changes.items():
        yield _MAKER.refused(name, "proof", "check coin", **{**opened, **changed})
    for first in range(6):
        nonces = [bytes([first]) * 32, *COINS[1:]]
        given = {"match_id": MATCH.hex(), "nonces": [nonce.hex() for nonce in nonces]}
        yield _MAKER.valid(f"coin {first}", "first dealer", **given)
    given = {"match_id": MATCH.hex(), "nonces": [nonce.hex() for nonce in COINS]}
    value = digest(domains.COIN_RESULT, MATCH, *COINS)
    yield _MAKER.wrong(
        "the last byte", (value[31] + (value[31] % 4 == value[0] % 4)) % 4, "first dealer", **given
    )
    seatless = digest(domains.COIN_COMMIT, MATCH, COINS[0]).hex()
    bound = {"match_id": MATCH.hex(), "seat": 0, "nonce": COINS[0].hex()}
    yield _MAKER.wrong("without the seat", seatless, "commit coin", **bound)


def coins() -> Vectors:
    """Both halves of the coin, and the dealer that it draws."""
    origin = "Nonces of Appendix B and simple ones, hashed by this implementation."
    return Vectors(origin, "§6.9", ("COIN_COMMIT", "COIN_RESULT"), tuple(_coin_cases()))


def _discard_cases() -> Iterator[Case]:
    given: dict[str, Any] = {"match_id": MATCH.hex(), "deal": 0, "trick": 1, "seat": 2, "on": 0}
    given |= {"salt": "d5" * 32, "slots": [3, 18]}
    yield _MAKER.valid("two cards", "commit discard", **given)
    yield _MAKER.valid("in any order", "commit discard", **{**given, "slots": [18, 3]})
    yield _MAKER.valid("four cards", "commit discard", **{**given, "slots": [0, 1, 34, 35], "deal": 9_999})
    commitment = commit_discard(MATCH, 0, 1, 2, 0, b"\xd5" * 32, (3, 18))
    opened = {"commitment": commitment.hex(), **given}
    yield _MAKER.valid("honest", "check discard", **opened)
    changes: dict[str, Any] = {
        "match_id": bytes(32).hex(),
        "deal": 1,
        "trick": 2,
        "seat": 3,
        "on": 1,
        "salt": "d4" * 32,
        "slots": [3, 19],
    }
    for name, value in changes.items():
        yield _MAKER.refused(f"another {name}", "proof", "check discard", **{**opened, name: value})
    yield _MAKER.refused("one slot less", "proof", "check discard", **{**opened, "slots": [3]})
    yield _MAKER.refused("a slot twice", "proof", "check discard", **{**opened, "slots": [3, 3, 18]})
    yield _MAKER.refused("a salt of 31 bytes", "proof", "check discard", **{**opened, "salt": "d5" * 31})
    fields = (MATCH, u32(0), u32(1), u8(2), u8(0), b"\xd5" * 32)
    descending = digest(domains.DISCARD, *fields, bytes((18, 3))).hex()
    yield _MAKER.wrong("slots descending", descending, "commit discard", **given)
    framed = digest(domains.DISCARD, *fields, bytes((3,)), bytes((18,))).hex()
    yield _MAKER.wrong("a field for each slot", framed, "commit discard", **given)


def discards() -> Vectors:
    """Commitments to cards that lie face down."""
    origin = "The discard of Appendix B and changes of it, hashed by this implementation."
    return Vectors(origin, "§6.9", ("DISCARD",), tuple(_discard_cases()))


def _result_cases() -> Iterator[Case]:
    first: dict[str, Any] = {"deal": 0, "points": [74, 46], "tricks": [5, 2], "defeat": [0, 2], "eggs": False}
    second: dict[str, Any] = {"deal": 7, "points": [60, 60], "tricks": [4, 5], "defeat": [0, 0], "eggs": True}
    place = {"match_id": MATCH.hex()}
    yield _MAKER.valid("Appendix B", "deal result", **place, **first)
    yield _MAKER.valid("eggs", "deal result", **place, **second)
    true = hash_of_result({**place, **first})
    for name, value in {
        "deal": 1,
        "points": [46, 74],
        "tricks": [4, 3],
        "defeat": [0, 4],
        "eggs": True,
    }.items():
        yield _MAKER.wrong(f"other {name}", true, "deal result", **place, **{**first, name: value})
    numbers = pack((0, (74, 46), (5, 2), (0, 2), 0))
    number = digest(domains.RESULT, MATCH, numbers).hex()
    yield _MAKER.wrong("eggs as an integer", number, "deal result", **place, **first)


def results() -> Vectors:
    """Hashes that all four sign after a deal."""
    origin = "The result of Appendix B and others, hashed by this implementation."
    return Vectors(origin, "§6.10", ("RESULT",), tuple(_result_cases()))


def _final_cases() -> Iterator[Case]:
    first: dict[str, Any] = {"deals": 1, "score": [0, 2], "eggs": 0, "leader": 3}
    place = {"match_id": MATCH.hex()}
    yield _MAKER.valid("Appendix B", "final state", **place, **first)
    yield _MAKER.valid("a long match", "final state", **place, deals=300, score=[24, 22], eggs=130, leader=0)
    true = hash_of_end({**place, **first})
    for name, value in {"deals": 2, "score": [2, 0], "eggs": 1, "leader": 1}.items():
        yield _MAKER.wrong(f"other {name}", true, "final state", **place, **{**first, name: value})
    as_result = digest(domains.RESULT, MATCH, pack((1, (0, 2), 0, 3))).hex()
    yield _MAKER.wrong("the label of a result", as_result, "final state", **place, **first)


def finals() -> Vectors:
    """Hashes that all four sign at the end of a match."""
    origin = "The final state of Appendix B and others, hashed by this implementation."
    return Vectors(origin, "§6.11", ("FINAL",), tuple(_final_cases()))


FILES: Final = {"coin": coins, "discard": discards, "deal-result": results, "final-state": finals}
