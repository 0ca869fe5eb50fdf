"""The vectors against a second implementation that knows nothing of this one (`independent`)."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

import pytest

from tests.protocol.crypto.edwards import BASE, Q, add, decode, encode, mul
from tests.vectors import independent as second
from tests.vectors.form import read, resolved
from tests.vectors.independent import Case, digest, hexed, number, scalar_hex, u8, u32


def cases(name: str, do: str) -> list[Case]:
    """The cases of a file about one operation."""
    found = [case for case in resolved(read(name)["cases"]) if case["do"] == do]
    assert found, f"{name} has no case of {do}"
    return list(found)


def _fields(case: Case) -> tuple[bytes, ...]:
    return tuple(map(hexed, case["fields"]))


def _label(case: Case) -> tuple[str, bytes]:
    return case["label"], case["label"].encode()


def _challenge(case: Case) -> str:
    return scalar_hex(second.challenge(case["label"], *_fields(case)))


def _commit_discard(case: Case) -> str:
    place = (hexed(case["match_id"]), u32(case["deal"]), u32(case["trick"]), u8(case["seat"]), u8(case["on"]))
    return digest(
        "kozel/1 discard commitment", *place, hexed(case["salt"]), bytes(sorted(case["slots"]))
    ).hex()


def _commit_coin(case: Case) -> str:
    fields = (hexed(case["match_id"]), u8(case["seat"]), hexed(case["nonce"]))
    return digest("kozel/1 coin commitment", *fields).hex()


def _first_dealer(case: Case) -> int:
    return digest("kozel/1 coin result", hexed(case["match_id"]), *map(hexed, case["nonces"]))[0] % 4


def _generators(case: Case) -> list[str]:
    points = (second.elligator(second.GENERATOR, u32(i)) for i in range(case["n"] + 1))
    return [encode(point).hex() for point in points]


def _to_point(case: Case) -> str:
    return encode(second.elligator(case["label"], *_fields(case))).hex()


def _cards(_: Case) -> list[str]:
    return [encode(second.elligator(second.CARD, u32(j))).hex() for j in range(36)]


def _joint(case: Case) -> str:
    return encode(second.total(decode(hexed(key)) for key in case["publics"])).hex()


def _initial_deck(case: Case) -> str:
    joint = decode(hexed(case["joint"]))
    masked = (encode(add(second.elligator(second.CARD, u32(j)), joint)) for j in range(36))
    return b"".join(encode(BASE) + b for b in masked).hex()


def _open_card(case: Case) -> int:
    """All 36 points are compared."""
    opened = encode(second.opened(case))
    return [encode(second.elligator(second.CARD, u32(j))) for j in range(36)].index(opened)


def _shuffle(case: Case) -> dict[str, Any]:
    before, joint = second.cut(hexed(case["before"])), decode(hexed(case["joint"]))
    fields = (second.ctx(case), hexed(case["before"]))
    source = second.Source(hexed(case["secret"]), "kozel/1 shuffle randomness", *fields)
    permutation = source.permutation(case["n"])
    masks = [source.scalar() for _ in permutation]
    after = b""
    for k in permutation:
        after += encode(add(decode(before[2 * k]), mul(masks[k], BASE)))
        after += encode(add(decode(before[2 * k + 1]), mul(masks[k], joint)))
    return {"permutation": permutation, "masks": list(map(scalar_hex, masks)), "after": after.hex()}


def _match_id(case: Case) -> str:
    return digest("kozel/1 genesis", hexed(case["genesis"])).hex()


def _fingerprint(case: Case) -> str:
    text = case["match_id"][:32]
    return " ".join(text[start : start + 4] for start in range(0, 32, 4))


def _match_secret(case: Case) -> bytes:
    match_id = digest("kozel/1 genesis", hexed(case["genesis"]))
    return second.derive(hexed(case["seat_secret"]), "kozel/1 match secret", match_id, u8(case["seat"]))


def _salt(case: Case) -> str:
    seed = second.derive(_match_secret(case), "kozel/1 seed of discard salts", u32(case["deal"]))
    return second.derive(seed, "kozel/1 discard salt", u32(case["trick"]), u8(case["on"])).hex()


def _from_match_secret(label: str) -> Callable[[Case], str]:
    return lambda case: second.derive(_match_secret(case), label).hex()


def _nonce(case: Case) -> str:
    return second.derive(hexed(case["seat_secret"]), "kozel/1 nonce of a genesis").hex()


def _show(case: Case) -> str:
    return second.derive(hexed(case["seed"]), "kozel/1 secret of a match for show", u32(case["number"])).hex()


def _taken(case: Case) -> str:
    fields = (hexed(case["match_id"]), hexed(case["run"]))
    return second.derive(hexed(case["transport_secret"]), "kozel/1 seat taken", *fields).hex()


def _split(case: Case) -> list[str]:
    source = second.Source(hexed(case["secret"]), "kozel/1 split of a deal key", second.ctx(case))
    one, two = source.scalar(), source.scalar()
    three = (number(hexed(case["key"])) - one - two) % Q
    z = [source.read(32), source.read(32)]
    z.append(bytes(a ^ b ^ c for a, b, c in zip(hexed(case["seed"]), *z, strict=True)))
    return [scalar_hex(s) + piece.hex() for s, piece in zip((one, two, three), z, strict=True)]


def _code_scalar(case: Case) -> str:
    data = second.hkdf(case["code"].encode(), b"", b"SPAKE2 pw", 48)
    return scalar_hex(int.from_bytes(data, "big") % Q)


def _confirmation(case: Case) -> str:
    info = b"kozel/1 lobby key confirm " + case["role"].encode()
    return second.hkdf(hexed(case["secret"]), hexed(case["transcript"]), info).hex()


def _transcript(case: Case) -> str:
    parts = [hexed(part) for part in case["parts"]]
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()


def _spake2(case: Case) -> dict[str, str]:
    m, n = (decode(hexed(point)) for point in cases("lobby-spake2", "lobby points")[0]["expected"])
    w, scalar = number(hexed(_code_scalar(case))), number(hexed(case["scalar"]))
    ours, theirs = (m, n) if case["role"] == "joiner" else (n, m)
    sent = encode(add(mul(scalar, BASE), mul(w, ours)))
    received = hexed(case["received"])[1:]
    k = encode(mul(scalar, second.minus(decode(received), mul(w, theirs))))
    table = hexed(case["table_id"])
    names = [b"kozel/1 lobby key 1 %s %s" % (role, table) for role in (b"joiner", b"host")]
    hashed = [sha256(text).digest() for text in (case["code"].encode(), *names)]
    spoken = (sent, received) if case["role"] == "joiner" else (received, sent)
    secret = sha256(b"".join((*hashed, *spoken, k))).hexdigest()
    side = b"A" if case["role"] == "joiner" else b"B"
    return {"message": (side + sent).hex(), "secret": secret}


VALUES: Final[tuple[tuple[str, str, Callable[[Case], Any]], ...]] = (
    ("hashing-frame", "frame", lambda case: second.frame(_label(case)[1], *_fields(case)).hex()),
    ("hashing-frame", "digest", lambda case: digest(case["label"], *_fields(case)).hex()),
    ("hashing-frame", "challenge", _challenge),
    (
        "key-derivation",
        "derive",
        lambda case: second.derive(hexed(case["secret"]), case["label"], *_fields(case)).hex(),
    ),
    ("stream", "draw from stream", second.draws),
    (
        "scalars",
        "multiply",
        lambda case: encode(mul(number(hexed(case["scalar"])), decode(hexed(case["point"])))).hex(),
    ),
    ("card-points", "hash to point", _to_point),
    ("card-points", "card points", _cards),
    ("generators", "generators", _generators),
    ("match-id", "match id", _match_id),
    ("match-id", "fingerprint", _fingerprint),
    ("event-id", "event id", lambda case: digest("kozel/1 event id", hexed(case["event"])).hex()),
    ("context", "context", lambda case: second.ctx(case).hex()),
    ("key-proof", "prove key", second.key_proof),
    ("initial-deck", "joint key", _joint),
    ("initial-deck", "initial deck", _initial_deck),
    ("share", "make share", second.share),
    ("open-card", "open card", _open_card),
    ("shuffle", "shuffle", _shuffle),
    ("coin", "commit coin", _commit_coin),
    ("coin", "first dealer", _first_dealer),
    ("discard", "commit discard", _commit_discard),
    ("key-split", "split key", _split),
    ("seat-secrets", "genesis nonce", _nonce),
    ("seat-secrets", "secret for show", _show),
    ("seat-secrets", "coin nonce", _from_match_secret("kozel/1 coin nonce")),
    ("seat-secrets", "proof secret", _from_match_secret("kozel/1 secret of proof nonces")),
    ("seat-secrets", "encryption secret", _from_match_secret("kozel/1 encryption key")),
    ("seat-secrets", "discard salt", _salt),
    ("seat-taken", "seat taken", _taken),
    ("lobby-spake2", "scalar of code", _code_scalar),
    ("lobby-spake2", "spake2", _spake2),
    ("lobby-session", "confirmation", _confirmation),
    ("lobby-session", "transcript", _transcript),
)


@pytest.mark.parametrize(("name", "do", "value"), VALUES, ids=[f"{name}: {do}" for name, do, _ in VALUES])
def test_values(name: str, do: str, value: Callable[[Case], Any]) -> None:
    """What is valid comes out; the values of mistakes do not."""
    for case in cases(name, do):
        if "expected" in case:
            assert (value(case) == case["expected"]) == case["valid"], case["name"]


def holds(check: Callable[[Case], bool], case: Case) -> bool:
    """Whether a check holds; refused elements are a refusal like any other."""
    try:
        return check(case)
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("name", "do", "check"),
    [
        ("key-proof", "check key", second.key_holds),
        ("share", "check share", second.share_holds),
    ],
)
def test_proofs(name: str, do: str, check: Callable[[Case], bool]) -> None:
    for case in cases(name, do):
        assert holds(check, case) == case["valid"], case["name"]


@pytest.mark.parametrize("title", ["2 cards", "20 cards", "20 cards: two outputs exchanged"])
def test_shuffle_proofs(title: str) -> None:
    """One of the real sizes; the other is a matter of the same loops."""
    (case,) = [case for case in cases("shuffle-proof", "check shuffle") if case["name"] == title]
    assert second.shuffle_holds(case) == case["valid"]


def test_points() -> None:
    for case in cases("points", "decode point"):
        if case["valid"]:
            assert encode(decode(hexed(case["point"]))) == hexed(case["point"])
        else:
            with pytest.raises(ValueError, match="not"):
                decode(hexed(case["point"]))


def test_scalars() -> None:
    for case in cases("scalars", "decode scalar"):
        data = hexed(case["scalar"])
        assert (len(data) == 32 and number(data) < Q) == case["valid"], case["name"]


def test_signatures() -> None:
    """§4.3, with the torsion looked at: multiplied by 8, a point of small order is the neutral element."""
    for case in cases("signature", "check signature"):
        assert holds(second.signature_holds, case) == case["valid"], case["name"]


def test_log_files() -> None:
    """Header, lengths and checksums of what can be read."""
    for case in cases("log-file", "read log"):
        if case["valid"]:
            data, records = hexed(case["file"]), []
            assert data[:10] == b"KOZELLOG\0\1"
            rest = data[10:]
            while rest:
                length = int.from_bytes(rest[:4], "big")
                records.append(rest[8 : 8 + length])
                assert zlib.crc32(records[-1]) == int.from_bytes(rest[4:8], "big")
                rest = rest[8 + length :]
            assert sha256(records[0]).hexdigest() == case["expected"]["genesis"]
            assert len(records) == 1 + len(case["expected"]["events"])
