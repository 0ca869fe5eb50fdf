"""Vectors of event bytes, ids and signatures (§4)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha512
from typing import Any, Final

from nacl import bindings

from protocol import domains
from protocol.crypto.group import ORDER, Point, add, base, encode_scalar
from protocol.encoding import Value, pack, unpack
from protocol.events import SignedEvent, decode_event, event_id
from protocol.genesis import decode_genesis
from protocol.identity import Identity, verify_signature
from protocol.limits import MAX_EVENT_BYTES
from protocol.log import EventLog
from tests.vectors.example import (
    COINS,
    EXAMPLE,
    IDENTITIES,
    MATCH,
    TORSION_2,
    acceptance,
    coin_event,
    flip,
)
from tests.vectors.form import Case, Maker, Operations, Vectors, at


def _signed(case: Case) -> SignedEvent:
    return SignedEvent(at(case, "event"), at(case, "signature"))


def read_event(case: Case) -> dict[str, Any]:
    """Steps 1–3 of §4.4, and what the event says."""
    event = decode_event(_signed(case))
    return {"author": event.author, "seq": event.seq, "kind": event.kind, "vector": list(event.vector)}


def offer_event(case: Case) -> str:
    """Steps 1–6 of §4.4 in the log of a match that holds nothing yet."""
    log = EventLog(decode_genesis(at(case, "genesis")))
    return log.offer(decode_event(_signed(case))).value


def check_signature(case: Case) -> None:
    """§4.3."""
    verify_signature(at(case, "public"), domains.EVENT_SIGNATURE, at(case, "event"), at(case, "signature"))


OPERATIONS: Final[Operations] = {
    "read event": read_event,
    "offer event": offer_event,
    "event id": lambda case: event_id(at(case, "event")).hex(),
    "check signature": check_signature,
}
_MAKER: Final = Maker(OPERATIONS)
_FIRST: Final = acceptance(0)
_SECOND: Final = coin_event(COINS[0])
_SIGNATURE: Final = bytes(64)


def _with(number: int, value: Value) -> bytes:
    """The second event with one field replaced."""
    fields = _fields()
    return pack((*fields[:number], value, *fields[number + 1 :]))


def _fields() -> tuple[Value, ...]:
    value = unpack(_SECOND.signed.data, limit=MAX_EVENT_BYTES)
    assert isinstance(value, tuple)
    return value


def _malformed() -> Iterator[tuple[str, bytes]]:
    refs, one = (None, (0, bytes(32)), (0, bytes(32)), (0, bytes(32))), (0, bytes(32))
    yield "no array", pack(1)
    yield "seven fields", pack(_fields()[:7])
    yield "nine fields", pack((*_fields(), None))
    yield "match id of 31 bytes", _with(1, MATCH[1:])
    yield "match id is text", _with(1, "x" * 32)
    yield "author is seat 4", _with(2, 4)
    yield "author is false", _with(2, False)
    yield "seq is negative", _with(3, -1)
    yield "seq is 1,000,001", _with(3, 1_000_001)
    yield "seq is true", _with(3, True)
    yield "prev of 33 bytes", _with(4, bytes(33))
    yield "three refs", _with(5, refs[:3])
    yield "a reference to the author", _with(5, (one, *refs[1:]))
    yield "a reference of one field", _with(5, (*refs[:3], (0,)))
    yield "a reference with an id of 31 bytes", _with(5, (*refs[:3], (0, bytes(31))))
    yield "a reference to number −1", _with(5, (*refs[:3], (-1, bytes(32))))
    yield "kind is empty", _with(6, "")
    yield "kind of 25 bytes", _with(6, "x" * 25)
    yield "kind is bytes", _with(6, b"accept")
    yield "body is nil", _with(7, None)


def _event_cases() -> Iterator[Case]:
    valid, refused = _MAKER.valid, _MAKER.refused
    whole = EXAMPLE.encode().hex()
    for name, event in {"an acceptance": _FIRST, "with references": _SECOND}.items():
        parts = {"event": event.signed.data.hex(), "signature": event.signed.signature.hex()}
        yield valid(name, "read event", **parts)
        yield valid(f"{name}, offered", "offer event", genesis=whole, **parts)
    unknown = {"event": _with(6, "chat").hex(), "signature": _SIGNATURE.hex()}
    yield valid("a kind that does not exist, not yet judged", "read event", **unknown)

    def unreadable(name: str, error: str, data: bytes, signature: bytes = _SIGNATURE) -> Case:
        return refused(name, error, "read event", event=data.hex(), signature=signature.hex())

    data = _SECOND.signed.data
    yield unreadable("signature of 63 bytes", "bad-signature", data, bytes(63))
    yield unreadable("signature of 65 bytes", "bad-signature", data, bytes(65))
    yield unreadable("cut short", "undecodable", data[:-1])
    yield unreadable("a byte too many", "undecodable", data + b"\xc0")
    yield unreadable("version in two bytes", "not-canonical", data[:1] + b"\xcc" + data[1:])
    yield unreadable("body of floats", "forbidden-type", data[:1] + b"\xca\x3f\x80\x00\x00" + data[2:])
    yield unreadable("body nested too deep", "too-deep", _with(7, ((((((),),),),),)))
    yield unreadable("16,385 bytes", "oversized", b"\xc5\x3f\xfe" + bytes(16_382))
    yield unreadable("version 0", "version", _with(0, 0))
    yield unreadable("version 2", "version", _with(0, 2))
    yield unreadable("version true", "version", _with(0, True))
    for name, changed in _malformed():
        yield unreadable(name, "malformed", changed)
    yield from _offered()


def _offered() -> Iterator[Case]:
    def offered(name: str, error: str, data: bytes, signer: Identity = IDENTITIES[0]) -> Case:
        signature = signer.sign(domains.EVENT_SIGNATURE, data)
        inputs = {"genesis": EXAMPLE.encode().hex(), "event": data.hex(), "signature": signature.hex()}
        return _MAKER.refused(name, error, "offer event", **inputs)

    first = _FIRST.signed.data
    yield offered("another match", "other-match", first.replace(MATCH, bytes(32)))
    yield offered("signed by somebody else", "bad-signature", first, IDENTITIES[1])
    yield offered("the first event does not follow the genesis", "malformed", pack(_prev_zero()))


def _prev_zero() -> Value:
    return (1, MATCH, 0, 0, bytes(32), (None,) * 4, "accept", (bytes(32),))


def event() -> Vectors:
    """Reading events, and taking them into a log."""
    origin = "Events of the example match of Appendix B, and changes of them by hand."
    return Vectors(origin, "§4.1, §4.4", ("EVENT_SIGNATURE",), tuple(_event_cases()))


def _id_cases() -> Iterator[Case]:
    data = _FIRST.signed.data
    yield _MAKER.valid("an acceptance", "event id", event=data.hex())
    yield _MAKER.valid("with references", "event id", event=_SECOND.signed.data.hex())
    signed = event_id(data + _FIRST.signed.signature).hex()
    yield _MAKER.wrong("signature included", signed, "event id", event=data.hex())
    body = event_id(pack(_FIRST.body)).hex()
    yield _MAKER.wrong("body alone", body, "event id", event=data.hex())


def event_ids() -> Vectors:
    """Ids of events."""
    origin = "Events of the example match of Appendix B, hashed by this implementation."
    return Vectors(origin, "§4.2", ("EVENT_ID",), tuple(_id_cases()))


_SECRET, _NONCE = 12345, 67890
_MESSAGE: Final = b"event"


def _hash(nonce_point: bytes, public: bytes) -> int:
    message = domains.EVENT_SIGNATURE + _MESSAGE
    return int.from_bytes(sha512(nonce_point + public + message).digest(), "little") % ORDER


def _by_equation(public: bytes, nonce_point: bytes, secret: int, nonce: int) -> bytes:
    """R ‖ S with S = r + h·a, whatever R and A are."""
    return nonce_point + encode_scalar((nonce + _hash(nonce_point, public) * secret) % ORDER)


def _shifted(point: bytes) -> bytes:
    return bindings.crypto_core_ed25519_add(point, TORSION_2)


def _nonce(public: bytes, *, odd: bool, shifted: bool) -> tuple[int, bytes]:
    """The first nonce from `_NONCE` on for which h is odd or even; with its point."""
    nonce = _NONCE
    while True:
        point = _shifted(base(nonce)) if shifted else base(nonce)
        if _hash(point, public) % 2 == odd:
            return nonce, point
        nonce += 1


def _odd_cases() -> Iterator[tuple[str, bool, bytes, bytes]]:
    """Signatures about which verifiers differ: name, whether it is accepted, A, R ‖ S."""
    public, announced = base(_SECRET), base(_NONCE)
    good = _by_equation(public, announced, _SECRET, _NONCE)
    yield "by the equation, key without seed", True, public, good
    above = int.from_bytes(good[32:], "little") + ORDER
    yield "S + q", False, public, good[:32] + above.to_bytes(32, "little")
    yield "highest bit of S", False, public, flip(good, 511)
    yield "R of order 2", False, public, _by_equation(public, TORSION_2, _SECRET, 0)
    yield "R neutral", False, public, _by_equation(public, b"\1" + bytes(31), _SECRET, 0)
    yield (
        "R neutral, not canonical",
        False,
        public,
        _by_equation(public, b"\xee" + b"\xff" * 30 + b"\x7f", _SECRET, 0),
    )
    yield "A of order 2", False, TORSION_2, _by_equation(TORSION_2, announced, 0, _NONCE)
    yield "A of order 4", False, bytes(32), _by_equation(bytes(32), announced, 0, _NONCE)
    yield "A neutral", False, b"\1" + bytes(31), _by_equation(b"\1" + bytes(31), announced, 0, _NONCE)
    off = b"\2" + bytes(31)
    yield "A off the curve", False, off, _by_equation(off, announced, 0, _NONCE)
    outside = _shifted(announced)
    yield (
        "R out of the subgroup: holds times 8 only",
        False,
        public,
        _by_equation(public, outside, _SECRET, _NONCE),
    )
    mixed = _shifted(public)
    for odd, shifted in ((False, False), (True, False), (True, True), (False, True)):
        nonce, point = _nonce(mixed, odd=odd, shifted=shifted)
        name = f"A {'and R ' * shifted}out of the subgroup, h {'odd' if odd else 'even'}"
        yield name, odd == shifted, mixed, _by_equation(mixed, point, _SECRET, nonce)


def _signature_cases() -> Iterator[Case]:
    data, signature, public = _FIRST.signed.data, _FIRST.signed.signature, IDENTITIES[0].public

    def bad(name: str, key: bytes, message: bytes, signed: bytes) -> Case:
        inputs = {"public": key.hex(), "event": message.hex(), "signature": signed.hex()}
        return _MAKER.refused(name, "bad-signature", "check signature", **inputs)

    given = {"public": public.hex(), "event": data.hex(), "signature": signature.hex()}
    yield _MAKER.valid("honest", "check signature", **given)
    yield bad("another key", IDENTITIES[1].public, data, signature)
    yield bad("another event", public, _SECOND.signed.data, signature)
    yield bad("without the label", public, data, IDENTITIES[0].sign(b"", data))
    yield bad("another label", public, data, IDENTITIES[0].sign(domains.EVENT_ID, data))
    for bit in (0, 255, 256, 300, 508):
        yield bad(f"bit {bit} turned", public, data, flip(signature, bit))
    yield bad("63 bytes", public, data, signature[:63])
    yield bad("65 bytes", public, data, signature + b"\0")
    yield bad("key of 31 bytes", public[:31], data, signature)
    yield bad("all zero", public, data, bytes(64))
    again = add(base(_NONCE), Point(base(1)))
    for name, accepted, key, signed in _odd_cases():
        inputs = {"public": key.hex(), "event": _MESSAGE.hex(), "signature": signed.hex()}
        yield (
            _MAKER.valid(name, "check signature", **inputs) if accepted else bad(name, key, _MESSAGE, signed)
        )
    second = _by_equation(base(_SECRET), again, _SECRET, _NONCE + 1)
    inputs = {"public": base(_SECRET).hex(), "event": _MESSAGE.hex(), "signature": second.hex()}
    yield _MAKER.valid("a second signature on the same bytes", "check signature", **inputs)


def signatures() -> Vectors:
    """Honest signatures, and the odd ones about which verifiers differ."""
    origin = (
        "Events of Appendix B, signed by libsodium; odd ones by the equation of §4.3 with small secrets. "
        "The message that is signed is the label and then `event`."
    )
    return Vectors(origin, "§4.3", ("EVENT_SIGNATURE",), tuple(_signature_cases()))


FILES: Final = {"event": event, "event-id": event_ids, "signature": signatures}
