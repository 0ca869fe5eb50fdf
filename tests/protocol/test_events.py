"""Events: their bytes, their ids, and the order in which they are checked."""

from __future__ import annotations

from hashlib import sha256

import pytest
from nacl import bindings

from protocol import domains
from protocol.encoding import Value, pack, unpack
from protocol.errors import EventRejected
from protocol.events import Event, Position, Ref, SignedEvent, decode_event, event_id, sign_event
from protocol.identity import Identity, verify_signature
from protocol.limits import MAX_EVENT_BYTES, MAX_KIND_BYTES, MAX_SEQ
from protocol.log import Admission, EventLog
from tests.protocol.tables import set_up

SETUP = set_up(0)
MATCH = SETUP.genesis.match_id
HASH = b"h" * 32
REFS: tuple[Ref | None, ...] = (None, Ref(3, HASH), None, Ref(0, HASH))
FIELDS = ("version", "match", "author", "seq", "prev", "refs", "kind", "body")
L = 2**252 + 27742317777372353535851937790883648493


def make(seat: int = 0, kind: str = "accept", refs: tuple[Ref | None, ...] = (None,) * 4) -> Event:
    """The first event of a seat."""
    return sign_event(SETUP.identities[seat], MATCH, seat, 0, MATCH, refs, kind, ())


EVENT = sign_event(SETUP.identities[0], MATCH, 0, 5, HASH, REFS, "kind", (1, b"x"))


def fields() -> list[Value]:
    """The event as its array."""
    value = unpack(EVENT.signed.data, limit=MAX_EVENT_BYTES)
    assert isinstance(value, tuple)
    return list(value)


def refusal(data: bytes, signature: bytes = bytes(64)) -> str:
    """The code of the refusal of an event's bytes."""
    with pytest.raises(EventRejected) as caught:
        decode_event(SignedEvent(data, signature))
    return caught.value.code


def log_refusal(event: Event) -> str:
    """The code of the refusal of an event by an empty log, which stays empty."""
    log = EventLog(SETUP.genesis)
    with pytest.raises(EventRejected) as caught:
        log.offer(event)
    assert len(log) == 0
    assert not log.forks
    return caught.value.code


def test_round_trip() -> None:
    assert decode_event(EVENT.signed) == EVENT
    assert (EVENT.match_id, EVENT.author, EVENT.seq, EVENT.prev) == (MATCH, 0, 5, HASH)
    assert (EVENT.refs, EVENT.kind, EVENT.body) == (REFS, "kind", (1, b"x"))
    assert EVENT.position == Position(0, 5)


def test_vector_and_causal_past() -> None:
    assert EVENT.vector == (5, 3, -1, 0)
    assert EVENT.saw(Position(1, 3))
    assert not EVENT.saw(Position(1, 4))
    assert not EVENT.saw(Position(2, 0))
    assert EVENT.saw(Position(0, 4))
    assert not EVENT.saw(Position(0, 5))  # not itself


def test_the_id_covers_every_byte_but_not_the_signature() -> None:
    data = EVENT.signed.data
    assert event_id(data) == EVENT.id
    assert decode_event(SignedEvent(data, bytes(64))).id == EVENT.id
    flipped = {
        event_id(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]) for place in range(len(data))
    }
    assert len(flipped | {EVENT.id}) == len(data) + 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("match", None),
        ("match", bytes(31)),
        ("match", "x" * 32),
        ("author", 4),
        ("author", -1),
        ("author", True),
        ("author", None),
        ("seq", -1),
        ("seq", True),
        ("seq", MAX_SEQ + 1),
        ("seq", "0"),
        ("prev", bytes(33)),
        ("prev", None),
        ("refs", None),
        ("refs", ()),
        ("refs", (None,) * 3),
        ("refs", (None,) * 5),
        ("refs", ((4, HASH), None, None, None)),  # to itself
        ("refs", (None, 3, None, None)),
        ("refs", (None, (3,), None, None)),
        ("refs", (None, (3, HASH, 0), None, None)),
        ("refs", (None, (HASH, 3), None, None)),
        ("refs", (None, (-1, HASH), None, None)),
        ("refs", (None, (True, HASH), None, None)),
        ("refs", (None, (MAX_SEQ + 1, HASH), None, None)),
        ("refs", (None, (3, HASH[1:]), None, None)),
        ("kind", None),
        ("kind", b"kind"),
        ("kind", ""),
        ("kind", "k" * (MAX_KIND_BYTES + 1)),
        ("body", None),
        ("body", b"body"),
        ("body", 1),
    ],
)
def test_each_malformed_field(name: str, value: Value) -> None:
    changed = fields()
    changed[FIELDS.index(name)] = value
    assert refusal(pack(tuple(changed))) == "malformed"


@pytest.mark.parametrize("data", [pack(1), pack(()), pack(tuple(fields()[:-1])), pack((*fields(), None))])
def test_shape(data: bytes) -> None:
    assert refusal(data) == "malformed"


@pytest.mark.parametrize("version", [0, 2, True, "1", None])
def test_another_version(version: Value) -> None:
    assert refusal(pack((version, *fields()[1:]))) == "version"


def test_bytes_that_are_not_canonical() -> None:
    assert refusal(b"\xdc\x00\x08" + EVENT.signed.data[1:]) == "not-canonical"
    assert refusal(EVENT.signed.data + b"\x00") == "undecodable"
    assert refusal(pack((*fields()[:-1], (1.5,)))) == "forbidden-type"  # type: ignore[arg-type]


def test_limit_of_bytes() -> None:
    assert refusal(pack((*fields()[:-1], (bytes(MAX_EVENT_BYTES),)))) == "oversized"


@pytest.mark.parametrize("length", [0, 63, 65, 128])
def test_length_of_the_signature(length: int) -> None:
    assert refusal(EVENT.signed.data, bytes(length)) == "bad-signature"


def test_order_of_the_checks() -> None:
    """Each event below has every fault from its own on, and only the first is named (§4.4)."""
    wrong_version = (2, b"match", 9)
    assert refusal(bytes(MAX_EVENT_BYTES + 1), b"") == "bad-signature"
    assert refusal(bytes(MAX_EVENT_BYTES + 1)) == "oversized"
    assert refusal(pack(wrong_version)) == "malformed"
    assert refusal(pack((2, b"match", 9, None, None, None, None, None))) == "version"
    assert refusal(pack((1, b"match", 9, None, None, None, None, None))) == "malformed"
    foreign = sign_event(Identity(b"s" * 32), HASH, 0, 0, HASH, (None,) * 4, "accept", ())
    assert log_refusal(foreign) == "other-match"
    unsigned = sign_event(Identity(b"s" * 32), MATCH, 0, 0, HASH, (None,) * 4, "accept", ())
    assert log_refusal(unsigned) == "bad-signature"
    assert (
        log_refusal(sign_event(SETUP.identities[0], MATCH, 0, 0, HASH, (None,) * 4, "accept", ()))
        == "malformed"
    )


def test_signed_by_another_member() -> None:
    assert log_refusal(sign_event(SETUP.identities[1], MATCH, 0, 0, MATCH, (None,) * 4, "accept", ())) == (
        "bad-signature"
    )


def test_signed_for_another_purpose() -> None:
    data = make().signed.data
    for label in (domains.LOBBY_INTRODUCTION, domains.EVENT_ID, b""):
        signature = SETUP.identities[0].sign(label, data)
        assert log_refusal(decode_event(SignedEvent(data, signature))) == "bad-signature"


def test_every_byte_of_event_and_signature_is_covered() -> None:
    signed = make().signed
    for place in range(64):
        damaged = bytes(byte ^ (place == at) for at, byte in enumerate(signed.signature))
        assert log_refusal(decode_event(SignedEvent(signed.data, damaged))) == "bad-signature"
    other = make(kind="accepu").signed.data
    assert log_refusal(decode_event(SignedEvent(other, signed.signature))) == "bad-signature"


def test_a_malleated_signature_is_refused() -> None:
    """S and S + L satisfy the same equation; only S < L is a signature."""
    signed = make().signed
    s = int.from_bytes(signed.signature[32:], "little")
    malleated = signed.signature[:32] + (s + L).to_bytes(32, "little")
    assert log_refusal(decode_event(SignedEvent(signed.data, malleated))) == "bad-signature"


@pytest.mark.parametrize(
    "key",
    [
        bytes([1]) + bytes(31),
        bytes(32),
        bytes.fromhex("ec" + "ff" * 30 + "7f"),
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    ],
    ids=["identity", "order 4", "order 2", "order 8"],
)
def test_a_key_of_low_order_signs_nothing(key: bytes) -> None:
    """Under such a key one signature may fit any message: R = S·G with S = 0."""
    signature = key + bytes(32)
    for message in range(8):
        with pytest.raises(EventRejected) as caught:
            verify_signature(key, domains.EVENT_SIGNATURE, bytes([message]), signature)
        assert caught.value.code == "bad-signature"


@pytest.mark.parametrize(("key", "signature"), [(bytes(31), bytes(64)), (bytes(32), bytes(63)), (b"", b"")])
def test_wrong_lengths_are_refused_and_do_not_crash(key: bytes, signature: bytes) -> None:
    with pytest.raises(EventRejected):
        verify_signature(key, b"label", b"message", signature)


def another_signature(event: Event, identity: Identity, seed: bytes) -> SignedEvent:
    """The same bytes with a second valid signature: its nonce comes from something else."""
    message = domains.EVENT_SIGNATURE + event.signed.data
    scalar = bindings.crypto_sign_ed25519_sk_to_curve25519(seed + identity.public)
    r = bindings.crypto_core_ed25519_scalar_reduce(b"another nonce".ljust(64, b"\0"))
    commitment = bindings.crypto_scalarmult_ed25519_base_noclamp(r)
    digest = bindings.crypto_hash_sha512(commitment + identity.public + message)
    challenge = bindings.crypto_core_ed25519_scalar_reduce(digest)
    product = bindings.crypto_core_ed25519_scalar_mul(
        challenge, bindings.crypto_core_ed25519_scalar_reduce(scalar + bytes(32))
    )
    return SignedEvent(event.signed.data, commitment + bindings.crypto_core_ed25519_scalar_add(r, product))


def test_the_same_bytes_with_two_signatures_are_no_equivocation() -> None:
    seed = sha256(b"identity 0").digest()
    first = make()
    second = decode_event(another_signature(first, SETUP.identities[0], seed))
    assert second.signed.signature != first.signed.signature
    assert EventLog(SETUP.genesis).offer(second) is Admission.ADDED  # it is a good signature by itself
    log = EventLog(SETUP.genesis)
    assert log.offer(first) is Admission.ADDED
    assert log.offer(second) is Admission.KNOWN
    assert not log.forks
    assert log.entry(0, 0).signed == first.signed  # the received bytes stay


def test_what_is_verified_are_the_received_bytes() -> None:
    """A signature over the canonical bytes says nothing about another spelling of the same values."""
    event = make()
    longer = b"\xdc\x00\x08" + event.signed.data[1:]
    assert refusal(longer, SETUP.identities[0].sign(domains.EVENT_SIGNATURE, longer)) == "not-canonical"
    assert refusal(longer, event.signed.signature) == "not-canonical"


def test_identity_needs_a_whole_seed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Identity(bytes(31))
