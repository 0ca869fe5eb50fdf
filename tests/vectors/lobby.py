"""Vectors of the lobby: SPAKE2, session keys, what is sealed, signed and proven under them (§9.7)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from nacl import bindings
from spake2 import SPAKE2_A, SPAKE2_B
from spake2.ed25519_group import Ed25519Group
from spake2.parameters.ed25519 import ParamsEd25519

from node.lobby.messages import Hello, Malformed, encode_hello
from node.lobby.pake import KeyExchange, Role, Session, transcript
from node.lobby.recognition import Recognition
from protocol import domains
from protocol.crypto.group import Point, add, base, encode_scalar, mul
from tests.vectors.example import IDENTITIES, SEQ, TORSION_2, flip
from tests.vectors.form import Case, Maker, Operations, Vectors, at, pieces


def points(_: Case) -> list[str]:
    """M and N."""
    return [ParamsEd25519.M.to_bytes().hex(), ParamsEd25519.N.to_bytes().hex()]


def code_scalar(case: Case) -> str:
    """w of a code."""
    return encode_scalar(Ed25519Group.password_to_scalar(case["code"].encode())).hex()


def run(case: Case) -> dict[str, str]:
    """One side of SPAKE2 with a given scalar: what it sends, and the secret that it comes to."""
    table = at(case, "table_id")
    joiner, host = (b" ".join((domains.LOBBY_KEY, b"1", role.value, table)) for role in Role)
    side = SPAKE2_A if case["role"] == "joiner" else SPAKE2_B
    fresh = side(case["code"].encode(), idA=joiner, idB=host)
    fresh.start()
    state = json.loads(fresh.serialize())
    # The library writes scalars with the least significant byte first, as §6.1 does.
    chosen = side.from_serialized(json.dumps({**state, "xy_scalar": case["scalar"]}).encode())
    message = side.side + chosen.outbound_message
    return {"message": message.hex(), "secret": chosen.finish(at(case, "received")).hex()}


def receive(case: Case) -> None:
    """What a node does with the other side's message."""
    exchange = KeyExchange(Role[case["role"].upper()], case["code"], at(case, "table_id"))
    exchange.finish(at(case, "received"), b"")


def _session(case: Case) -> Session:
    return Session(Role[case["role"].upper()], at(case, "transcript"), at(case, "secret"))


def check_confirmation(case: Case) -> None:
    """The other side's confirmation."""
    if not _session(case).confirms(at(case, "confirmation")):
        raise Malformed("the other side has another key")


def check_introduction(case: Case) -> None:
    """The signature before an introduction."""
    _session(case).verify(at(case, "identity"), at(case, "signature"), at(case, "content"))


OPERATIONS: Final[Operations] = {
    "lobby points": points,
    "scalar of code": code_scalar,
    "spake2": run,
    "receive key": receive,
    "transcript": lambda case: transcript(*pieces(case, "parts")).hex(),
    "confirmation": lambda case: _session(case).confirmation.hex(),
    "check confirmation": check_confirmation,
    "seal": lambda case: _session(case).seal(at(case, "plaintext")).hex(),
    "open seal": lambda case: _session(case).open(at(case, "sealed")).hex(),
    "sign introduction": lambda case: _session(case).sign(at(case, "seed"), at(case, "content"))[:64].hex(),
    "check introduction": check_introduction,
    "prove identity": lambda case: _session(case).prove(at(case, "seed")).hex(),
    "check identity": lambda case: _session(case).check_proof(at(case, "identity"), at(case, "proof")),
    "receive recognition": lambda case: (
        Recognition(Role[case["role"].upper()]).finish(at(case, "received"), b"", IDENTITIES[1].public)
        and None
    ),
}
_MAKER: Final = Maker(OPERATIONS)
_CODE, _TABLE = "01234567", bytes(range(16))
_X, _Y = 3, 5


def _messages() -> tuple[bytes, bytes]:
    """X* and Y* of the scalars 3 and 5, by the group of the protocol."""
    m, n = (Point(bytes.fromhex(point)) for point in points({}))
    w = int.from_bytes(bytes.fromhex(code_scalar({"code": _CODE})), "little")
    return b"A" + add(base(_X), mul(w, m)), b"B" + add(base(_Y), mul(w, n))


def _spake_cases() -> Iterator[Case]:
    yield _MAKER.valid("M and N", "lobby points")
    yield _MAKER.wrong("N and M", points({})[::-1], "lobby points")
    for code in (_CODE, "00000000", "99999999"):
        yield _MAKER.valid(f"code {code}", "scalar of code", code=code)
    yield _MAKER.wrong("as a number", encode_scalar(1234567).hex(), "scalar of code", code=_CODE)
    first, second = _messages()
    place = {"code": _CODE, "table_id": _TABLE.hex()}
    joiner = {**place, "role": "joiner", "scalar": encode_scalar(_X).hex(), "received": second.hex()}
    host = {**place, "role": "host", "scalar": encode_scalar(_Y).hex(), "received": first.hex()}
    yield _MAKER.valid("joiner", "spake2", **joiner)
    yield _MAKER.valid("host", "spake2", **host)
    true = run(joiner)
    for name, changed in {"code": "01234568", "table_id": bytes(16).hex()}.items():
        yield _MAKER.wrong(f"another {name} at the host", true["secret"], "spake2", **{**host, name: changed})
    yield _MAKER.valid("a message of the host", "receive key", **place, role="joiner", received=second.hex())
    outside = bindings.crypto_core_ed25519_add(second[1:], TORSION_2)
    refused = {
        "of one's own side": first,
        "of no side": b"C" + second[1:],
        "of 32 bytes": second[:32],
        "of 34 bytes": second + b"\0",
        "neutral": b"B\1" + bytes(31),
        "neutral, with a sign": b"B\1" + bytes(30) + b"\x80",
        "neutral, with y = p + 1": b"B" + (2**255 - 18).to_bytes(32, "little"),
        "neutral, with y = p + 1 and a sign": b"B" + (2**256 - 18).to_bytes(32, "little"),
        "of order 2": b"B" + TORSION_2,
        "of order 4": b"B" + bytes(32),
        "out of the subgroup": b"B" + outside,
        "off the curve": b"B\2" + bytes(31),
    }
    for name, message in refused.items():
        inputs = {**place, "role": "joiner", "received": message.hex()}
        yield _MAKER.refused(name, "malformed", "receive key", **inputs)


def spake() -> Vectors:
    """From a code to a secret."""
    origin = "Version 0.9 of the Python package spake2, with the scalars 3 and 5."
    return Vectors(origin, "§9.7", ("LOBBY_KEY",), tuple(_spake_cases()))


def _session_cases() -> Iterator[Case]:
    first, second = _messages()
    hello = encode_hello(Hello(1, _TABLE, "Example", 3))
    parts = [domains.LOBBY_KEY, hello, first, second]
    yield _MAKER.valid("with a code", "transcript", parts=[part.hex() for part in parts])
    keys = [domains.LOBBY_RECOGNITION, hello, SEQ, SEQ[::-1], IDENTITIES[1].public]
    yield _MAKER.valid("by recognition", "transcript", parts=[part.hex() for part in keys])
    yield _MAKER.wrong(
        "host's message first",
        transcript(*parts[:2], second, first).hex(),
        "transcript",
        parts=[part.hex() for part in parts],
    )
    session = {"transcript": SEQ.hex(), "secret": bytes(range(32, 64)).hex()}
    joiner, host = ({**session, "role": role} for role in ("joiner", "host"))
    shown = {role: OPERATIONS["confirmation"]({**session, "role": role}) for role in ("joiner", "host")}
    yield _MAKER.valid("joiner", "confirmation", **joiner)
    yield _MAKER.valid("host", "confirmation", **host)
    yield _MAKER.valid("joiner's, at the host", "check confirmation", **host, confirmation=shown["joiner"])
    yield from _refused_confirmations(host, shown)
    content, seed = b"introduction", bytes([2]) * 32
    yield from _sealed_cases(joiner, host, content)
    yield from _signed_cases(joiner, host, content, seed)
    yield from _proven_cases(joiner, host, seed)


def _refused_confirmations(host: dict[str, Any], shown: dict[str, str]) -> Iterator[Case]:
    def bad(name: str, **changed: Any) -> Case:
        given = {**host, "confirmation": shown["joiner"], **changed}
        return _MAKER.refused(name, "malformed", "check confirmation", **given)

    yield bad("the host's own sent back", confirmation=shown["host"])
    yield bad("another transcript", transcript=bytes(32).hex())
    yield bad("another secret", secret=bytes(32).hex())
    yield bad("31 bytes", confirmation=shown["joiner"][:62])


def _sealed_cases(joiner: dict[str, Any], host: dict[str, Any], content: bytes) -> Iterator[Case]:
    yield _MAKER.valid("by the joiner", "seal", **joiner, plaintext=content.hex())
    yield _MAKER.valid("by the host", "seal", **host, plaintext=content.hex())
    sealed = OPERATIONS["seal"]({**joiner, "plaintext": content.hex()})
    yield _MAKER.valid("by the host", "open seal", **host, sealed=sealed)
    changed = flip(bytes.fromhex(sealed)).hex()
    for name, given in {
        "the joiner's own": {**joiner, "sealed": sealed},
        "changed": {**host, "sealed": changed},
        "another transcript": {**host, "transcript": bytes(32).hex(), "sealed": sealed},
        "15 bytes": {**host, "sealed": sealed[:30]},
    }.items():
        yield _MAKER.refused(name, "malformed", "open seal", **given)


def _signed_cases(
    joiner: dict[str, Any], host: dict[str, Any], content: bytes, seed: bytes
) -> Iterator[Case]:
    signed = {"seed": seed.hex(), "content": content.hex()}
    yield _MAKER.valid("by the joiner", "sign introduction", **joiner, **signed)
    signature = OPERATIONS["sign introduction"]({**joiner, **signed})
    given = {**host, "identity": IDENTITIES[1].public.hex(), "content": content.hex(), "signature": signature}
    yield _MAKER.valid("by the host", "check introduction", **given)
    for name, changed in {
        "another identity": {"identity": IDENTITIES[2].public.hex()},
        "another content": {"content": b"Introduction".hex()},
        "another session": {"transcript": bytes(32).hex()},
        "the host's own role": {"role": "joiner"},
        "of 63 bytes": {"signature": signature[:126]},
    }.items():
        yield _MAKER.refused(name, "malformed", "check introduction", **{**given, **changed})


def _proven_cases(joiner: dict[str, Any], host: dict[str, Any], seed: bytes) -> Iterator[Case]:
    yield _MAKER.valid("by the host", "prove identity", **host, seed=seed.hex())
    proof = OPERATIONS["prove identity"]({**host, "seed": seed.hex()})
    given = {**joiner, "identity": IDENTITIES[1].public.hex(), "proof": proof}
    yield _MAKER.valid("by the joiner", "check identity", **given)
    for name, changed in {
        "another identity": {"identity": IDENTITIES[2].public.hex()},
        "another session": {"transcript": bytes(32).hex()},
        "changed": {"proof": flip(bytes.fromhex(proof)).hex()},
        "sent back to the host": {"role": "host"},
    }.items():
        yield _MAKER.refused(name, "malformed", "check identity", **{**given, **changed})
    for name, key in {"31 bytes": SEQ[:31], "33 bytes": SEQ + b"\0", "zero": bytes(32)}.items():
        yield _MAKER.refused(
            f"a key of {name}", "malformed", "receive recognition", role="joiner", received=key.hex()
        )


def sessions() -> Vectors:
    """What is said once both sides have a secret."""
    origin = "Made by this implementation with the transcript and the secret of B.40."
    labels = ("LOBBY_KEY", "LOBBY_INTRODUCTION", "LOBBY_RECOGNITION")
    return Vectors(origin, "§9.7", labels, tuple(_session_cases()))


FILES: Final = {"lobby-spake2": spake, "lobby-session": sessions}
