"""The protocol document says what the code does.

``docs/protocol.md`` is normative, and comments cite its clauses. These tests read it as a stranger would:
they recompute its worked values, compare its tables with the code's labels, kinds, faults and limits, and
look up every clause that the code cites.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import io
import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from nacl import bindings
from spake2.ed25519_group import Ed25519Group
from spake2.parameters.ed25519 import ParamsEd25519

from engine.errors import REFUSALS
from engine.options import Options
from node import names
from node.lobby import host as lobby
from node.lobby import messages as lobby_messages
from node.lobby import pake, table_link
from node.network import addresses, listening, table_ad
from node.seating import frames as gathering_frames
from node.seating import phrases
from protocol import bodies, domains, facts, fields, limits, logfile
from protocol.audit import Finding
from protocol.crypto.commitment import coin_dealer, commit_coin, commit_discard
from protocol.crypto.context import Context
from protocol.crypto.group import ORDER, G, add, base, encode_scalar, hash_to_point, mul
from protocol.crypto.hashing import digest, frame, u8, u32
from protocol.crypto.keys import prove_key
from protocol.crypto.masking import CARD_POINTS, decode_deck, encode_deck, initial_deck
from protocol.crypto.parts import PART_BYTES, KeyPart, encryption_key, open_part, seal_part, split_key
from protocol.crypto.share import make_share
from protocol.crypto.shuffle import prove_shuffle, shuffle, verify_shuffle
from protocol.crypto.shuffle_proof import ShuffleProof, generators, statement_digest
from protocol.crypto.transcript import Stream, challenge, derive
from protocol.encoding import pack
from protocol.errors import EventRejected
from protocol.events import Event, Ref, sign_event
from protocol.genesis import Genesis, Member, decode_genesis, fingerprint
from protocol.identity import Identity, verify_signature
from protocol.verdict import EQUIVOCATION

ROOT: Final = Path(__file__).parents[2]
TEXT: Final = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
LAYERS: Final = ("protocol", "node")


# The document as data


def section(number: str) -> str:
    """The text of one clause, its subclauses included."""
    heading = re.compile(rf"^(#+) {re.escape(number)}\.? .*$", re.MULTILINE)
    found = heading.search(TEXT)
    assert found is not None, f"the document has no clause {number}"
    rest = TEXT[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def table_rows(text: str) -> Iterator[list[str]]:
    """The rows of all tables in a text, cells stripped; head and rule of each are left out."""
    lines = text.splitlines()
    for above, line in zip(["", *lines], lines, strict=False):
        if line.startswith("|") and above.startswith("|") and not set(line) <= set("|-: "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def code_cell(cell: str) -> str:
    """What stands between the backticks of a cell."""
    found = re.fullmatch(r"`([^`]+)`", cell)
    assert found is not None, f"{cell!r} is not one code span"
    return found[1]


def headings() -> set[str]:
    """The numbers of all clauses."""
    return set(re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", TEXT, re.MULTILINE))


# Clauses that the code cites

CITATION: Final = re.compile(r"§\s?(\d+(?:\.\d+)?)(?:[–-](\d+(?:\.\d+)?))?")


def cited(text: str) -> Iterator[str]:
    """Every clause that a text cites; of a range both ends and all between."""
    for first, last in CITATION.findall(text):
        yield first
        if last:
            chapter, start = first.split(".")
            end_chapter, end = last.split(".") if "." in last else (chapter, last)
            assert chapter == end_chapter, f"§{first}–{last} spans chapters"
            yield from (f"{chapter}.{number}" for number in range(int(start), int(end) + 1))


def sources() -> list[Path]:
    return sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


def test_every_clause_that_the_code_cites_exists() -> None:
    known = headings()
    places = [(path, clause) for path in sources() for clause in cited(path.read_text(encoding="utf-8"))]
    assert len(places) > 50
    assert [(str(path.relative_to(ROOT)), clause) for path, clause in places if clause not in known] == []


def test_every_clause_that_the_document_cites_exists() -> None:
    assert set(cited(TEXT)) <= headings()


def test_the_order_of_checks_has_the_six_steps_that_comments_cite() -> None:
    steps = re.findall(r"^(\d)\. ", section("4.4"), re.MULTILINE)
    assert steps == ["1", "2", "3", "4", "5", "6"]


# Labels


def code_labels() -> dict[str, str]:
    return {
        name: value.decode()
        for name, value in vars(domains).items()
        if isinstance(value, bytes) and name != "SUITE"
    }


def test_the_document_lists_every_label_and_no_other() -> None:
    listed = {code_cell(name): code_cell(label) for name, label, _ in table_rows(section("6.1"))}
    assert listed == code_labels()


# Kinds


def test_the_kinds_stand_in_order_with_as_many_fields_as_their_bodies_have() -> None:
    titles = re.findall(r"^### (5\.\d+) `([a-z-]+)`", TEXT, re.MULTILINE)
    assert [kind for _, kind in titles] == list(bodies.KINDS)
    assert [number for number, _ in titles] == [f"5.{n}" for n in range(1, len(bodies.KINDS) + 1)]
    by_kind = {body.KIND: body for body in body_classes()}
    for number, kind in titles:
        fields = [code_cell(name) for name, *_ in table_rows(section(number))]
        assert fields == [field.name for field in dataclasses.fields(by_kind[kind])], kind


def body_classes() -> list[type[bodies.Body]]:
    return [item for item in vars(bodies).values() if isinstance(item, type) and hasattr(item, "KIND")]


def test_body_docstrings_cite_their_own_clause() -> None:
    numbers = {kind: number for number, kind in re.findall(r"^### (5\.\d+) `([a-z-]+)`", TEXT, re.MULTILINE)}
    for body in body_classes():
        assert (body.__doc__ or "").startswith(f"§{numbers[body.KIND]} "), body.KIND


# Codes

FAULT_CALLS: Final = {"Fault", "blamed_as"}
REJECTIONS: Final = {
    "EncodingError": "2",
    "GenesisError": "3",
    "EventRejected": "4.4",
    "FrameRejected": "9.1",
    "LogFileError": "10",
}


def codes_of(names_of_calls: set[str], layer: str = "protocol") -> set[str]:
    """The first arguments, where they are texts, of all calls of these names."""
    found = set()
    for path in sorted((ROOT / layer).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in names_of_calls
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str)
            ):
                found.add(node.args[0].value)
    return found


def test_the_table_of_faults_is_the_set_of_faults_that_the_code_raises() -> None:
    listed = [code_cell(row[0]) for row in table_rows(section("8.1"))]
    assert len(listed) == len(set(listed))
    raised = codes_of(FAULT_CALLS) | {EQUIVOCATION}
    assert set(listed) == raised


@pytest.mark.parametrize(("error", "clause"), REJECTIONS.items())
def test_codes_of_refusals_stand_in_their_clause(error: str, clause: str) -> None:
    codes = codes_of({error})
    assert codes
    assert [code for code in sorted(codes) if f"`{code}`" not in section(clause)] == []


def test_findings_of_an_audit_stand_in_their_clause() -> None:
    listed = {code_cell(finding): code for finding, code, _ in table_rows(section("10.4"))}
    assert set(listed) == {finding.value for finding in Finding}
    assert listed["fair"] == "0"
    assert listed["cheat"] == "1"
    assert {listed[name] for name in listed.keys() - {"fair", "cheat"}} == {"2"}


def test_every_rule_of_the_game_is_restated() -> None:
    appendix = section("Appendix A")
    assert re.findall(r"^- \*\*(R\d+)\*\*", appendix, re.MULTILINE) == [f"R{n}" for n in range(1, 23)]
    rules = {rule for rule, _ in REFUSALS.values()}
    assert rules <= set(re.findall(r"R\d+", appendix))


# Limits


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_the_table_of_limits_has_every_limit_with_its_value() -> None:
    listed = {code_cell(name): number(value) for name, value, _ in table_rows(section("11"))}
    code = {name: value for name, value in vars(limits).items() if type(value) is int}
    assert {name: listed.get(name) for name in code} == code


def test_the_other_limits_of_the_table_are_those_of_the_modules_that_own_them() -> None:
    listed = {code_cell(name): number(value) for name, value, _ in table_rows(section("11"))}
    own = {name for name, value in vars(limits).items() if type(value) is int}
    elsewhere = {
        "LOBBY_MAX_FRAME": lobby_messages.MAX_FRAME,
        "LOBBY_MAX_CONVERSATIONS": lobby.MAX_CONVERSATIONS,
        "LOBBY_MAX_WRONG_CODES": lobby.MAX_WRONG_CODES,
        "LOBBY_CODE_DIGITS": pake.CODE_DIGITS,
        "LOBBY_MAX_WISH": lobby_messages.MAX_WISH,
        "LOBBY_MAX_REASON": lobby_messages.MAX_REASON,
        "LOBBY_USUAL_PORT": listening.USUAL_PORT,
        "LINK_MAX": table_link.MAX_LINK,
        "MAX_DISPLAY_NAME": names.MAX_NAME,
        "MAX_ADDRESSES": addresses.MAX_ADDRESSES,
    }
    assert {name: value for name, value in listed.items() if name not in own} == elsewhere


def test_sizes_and_slots_of_the_deal() -> None:
    cards = section("7.11")
    assert f"0–{facts.HAND_SLOTS - 1}" in cards
    assert f"indicator is slot {facts.INDICATOR_SLOT} " in cards
    assert f"slot {facts.HAND_SLOTS} + k" in cards
    proof = section("6.6")
    for count in (fields.DECK_SIZE, fields.STOCK_SIZE):
        assert f"{32 * (4 * count + 5):,}" in proof
    assert f"{fields.SHARE_BYTES} bytes" in section("6.7")
    assert f"{fields.SHARE_BYTES * fields.DEALT_SHARES:,} bytes" in section("5.6")
    assert f"{PART_BYTES} bytes" in section("6.12")
    assert f"{fields.PARTS_BYTES} bytes" in section("5.4")


def test_how_long_a_silent_player_is_waited_for() -> None:
    first, last = limits.GRACE_SECONDS[0], limits.GRACE_SECONDS[-1]
    assert f"an integer from {first} to {last:,}, is how many seconds" in section("3.1")


def test_names_on_the_wire_between_nodes() -> None:
    frames = section("9")
    for kind in (
        "have",
        "events",
        gathering_frames.SEATS_FRAME,
        gathering_frames.HERE,
        gathering_frames.GENESIS,
        gathering_frames.LEAVE,
        gathering_frames.WISH,
        gathering_frames.ADDRESSES,
        gathering_frames.RETURN,
        gathering_frames.TAKEN,
        phrases.PHRASE,
    ):
        assert f'["{kind}"' in frames
    assert f"`{table_ad.SERVICE}`" in section("9.8")
    assert f"`{logfile.MAGIC.decode()}`" in section("10.1")


# Worked values (Appendix B)

SECRET: Final = bytes(range(32))
IDENTITIES: Final = tuple(Identity(bytes([seat + 1]) * 32) for seat in range(4))
EXAMPLE: Final = Genesis(
    table="Example",
    options=Options(),
    roster=tuple(
        Member(identity.public, bytes([0x11 * (seat + 1)]) * 32, name)
        for seat, (identity, name) in enumerate(
            zip(IDENTITIES, ("North", "East", "South", "West"), strict=True)
        )
    ),
    nonces=tuple(bytes([0xA0 + seat]) * 32 for seat in range(4)),
)
MATCH: Final = EXAMPLE.match_id
COINS: Final = tuple(bytes([0xC0 + seat]) * 32 for seat in range(4))
ENCRYPTION: Final = tuple(bytes([0xB0 + seat]) * 32 for seat in range(4))
X: Final = 2


def context(stage: str) -> Context:
    return Context(MATCH, EXAMPLE.roster_digest, 0, stage, 0)


def acceptance(seat: int) -> Event:
    body = (encryption_key(ENCRYPTION[seat]),)
    return sign_event(IDENTITIES[seat], MATCH, seat, 0, MATCH, (None,) * 4, "accept", body)


@cache
def coin_event() -> Event:
    refs = (None, *(Ref(0, acceptance(seat).id) for seat in (1, 2, 3)))
    body = (commit_coin(MATCH, 0, COINS[0]),)
    return sign_event(IDENTITIES[0], MATCH, 0, 1, acceptance(0).id, refs, "coin-commit", body)


@cache
def shuffled() -> tuple[bytes, bytes, bytes]:
    """Two cards shuffled: the deck before, the deck after, the proof."""
    joint = base(X)
    before = initial_deck(joint)[:2]
    stream = Stream(SECRET, domains.SHUFFLE_RANDOMNESS, context("deck").digest(), encode_deck(before))
    after, witness = shuffle(before, joint, stream)
    proof = prove_shuffle(context("deck"), joint, before, after, witness, SECRET)
    verify_shuffle(context("deck"), joint, before, after, ShuffleProof.from_bytes(proof.to_bytes(), 2))
    return encode_deck(before), encode_deck(after), proof.to_bytes()


@cache
def parts() -> tuple[KeyPart, ...]:
    """The key X and a seed of salts, split for the seats 1, 2 and 3."""
    return split_key(X, b"\x5e" * 32, Stream(SECRET, domains.KEY_PARTS, context("key").digest()))


@cache
def sealed(holder: int) -> bytes:
    public = encryption_key(ENCRYPTION[holder])
    part = seal_part(context("key"), holder, parts()[holder - 1], public, SECRET)
    assert open_part(context("key"), holder, part, ENCRYPTION[holder]) == parts()[holder - 1]
    return part.to_bytes()


def statement() -> bytes:
    before, after, _ = shuffled()
    return statement_digest(context("deck"), base(X), decode_deck(before, 2), decode_deck(after, 2))


def small_log() -> bytes:
    stream = io.BytesIO()
    events = [acceptance(seat) for seat in range(4)]
    logfile.write_log(stream, EXAMPLE.encode(), [event.signed for event in (*events, coin_event())])
    return stream.getvalue()


VALUES: Final[dict[str, Callable[[], bytes | str]]] = {
    "B.1": lambda: frame(b"a", b"bc", b""),
    "B.2": lambda: digest(domains.EVENT_ID, b""),
    "B.3": lambda: encode_scalar(challenge(domains.KEY_PROOF, b"")),
    "B.4": lambda: derive(SECRET, domains.MATCH_SECRET, MATCH, u8(0)),
    "B.5": lambda: Stream(SECRET, domains.SHUFFLE_RANDOMNESS).read(16),
    "B.6": lambda: " ".join(map(str, Stream(SECRET, domains.SHUFFLE_RANDOMNESS).permutation(8))),
    "B.7": lambda: G,
    "B.8": lambda: CARD_POINTS[0],
    "B.9": lambda: CARD_POINTS[35],
    "B.10": lambda: generators(36)[0],
    "B.11": lambda: generators(36)[1][0],
    "B.12": lambda: generators(36)[1][35],
    "B.13": EXAMPLE.encode,
    "B.14": lambda: MATCH,
    "B.15": lambda: EXAMPLE.roster_digest,
    "B.16": lambda: fingerprint(MATCH),
    "B.17": lambda: acceptance(0).signed.data,
    "B.18": lambda: acceptance(0).id,
    "B.19": lambda: acceptance(0).signed.signature,
    "B.20": lambda: coin_event().signed.data,
    "B.21": lambda: coin_event().id,
    "B.22": lambda: commit_coin(MATCH, 0, COINS[0]),
    "B.23": lambda: str(coin_dealer(MATCH, COINS)),
    "B.24": lambda: context("key").digest(),
    "B.25": lambda: base(X),
    "B.26": lambda: prove_key(context("key"), X, base(X)).to_bytes(),
    "B.27": lambda: encode_deck([initial_deck(base(X))[5]]),
    "B.28": lambda: make_share(context("deck"), 5, X, base(X), initial_deck(base(X))[5], SECRET).to_bytes(),
    "B.29": lambda: shuffled()[1],
    "B.30": statement,
    "B.31": lambda: shuffled()[2],
    "B.32": lambda: commit_discard(MATCH, 0, 1, 2, 0, bytes([0xD5]) * 32, (3, 18)),
    "B.33": lambda: digest(domains.RESULT, MATCH, pack((0, (74, 46), (5, 2), (0, 2), False))),
    "B.34": lambda: digest(domains.FINAL, MATCH, pack((1, (0, 2), 0, 3))),
    "B.35": lambda: small_log()[:18],
    "B.36": lambda: hashlib.sha256(small_log()).digest(),
    "B.37": ParamsEd25519.M.to_bytes,
    "B.38": ParamsEd25519.N.to_bytes,
    "B.39": lambda: encode_scalar(Ed25519Group.password_to_scalar(b"01234567")),
    "B.40": lambda: pake.Session(pake.Role.JOINER, SECRET, bytes(range(32, 64))).confirmation,
    "B.41": lambda: encryption_key(ENCRYPTION[1]),
    "B.42": lambda: KeyPart.to_bytes(parts()[0]),
    "B.43": lambda: sealed(1),
    "B.44": lambda: hashlib.sha256(b"".join(map(sealed, (1, 2, 3)))).digest(),
}


def documented_values() -> dict[str, str]:
    """The values of Appendix B: name, equals sign, text; a value may go on in indented lines."""
    found: dict[str, str] = {}
    for block in re.findall(r"^```text\n(.*?)^```$", section("Appendix B"), re.MULTILINE | re.DOTALL):
        for name, value in re.findall(r"^(B\.\d+) =((?:.*\n)(?:[ ]+.*\n)*)", block, re.MULTILINE):
            assert name not in found
            found[name] = "".join(line.strip() for line in value.splitlines())
    return found


def test_the_document_has_exactly_the_values_that_are_checked() -> None:
    assert list(documented_values()) == list(VALUES)


@pytest.mark.parametrize("name", VALUES)
def test_worked_value(name: str) -> None:
    value = VALUES[name]()
    assert documented_values()[name] == (value if isinstance(value, str) else value.hex())


def test_the_example_genesis_reads_back() -> None:
    assert decode_genesis(bytes.fromhex(documented_values()["B.13"])) == EXAMPLE


def test_record_header_is_length_and_checksum_of_the_genesis() -> None:
    header = bytes.fromhex(documented_values()["B.35"])
    genesis = EXAMPLE.encode()
    assert header == b"KOZELLOG\x00\x01" + len(genesis).to_bytes(4, "big") + zlib.crc32(genesis).to_bytes(
        4, "big"
    )


# Descriptions in words, followed to the letter

P: Final = 2**255 - 19
A24: Final = 486662


def described_hash_to_point(label: bytes, *fields: bytes) -> bytes:
    """Clause 6.1's hash to a point, written down without libsodium's map."""
    h = digest(label, *fields)
    number = int.from_bytes(h, "little")
    r, sign = number % 2**255 % P, number >> 255
    x1 = -A24 * pow(1 + 2 * r * r, -1, P) % P
    square = (x1 * x1 * x1 + A24 * x1 * x1 + x1) % P
    x = x1 if pow(square, (P - 1) // 2, P) in (0, 1) else (-x1 - A24) % P
    y = (x - 1) * pow(x + 1, -1, P) % P
    point = (y | sign << 255).to_bytes(32, "little")
    for _ in range(3):
        point = bindings.crypto_core_ed25519_add(point, point)
    return point


def test_hash_to_point_is_what_the_document_describes() -> None:
    for index in range(12):
        assert described_hash_to_point(domains.CARD, u32(index)) == CARD_POINTS[index]
        expected = hash_to_point(domains.GENERATOR, u32(index))
        assert described_hash_to_point(domains.GENERATOR, u32(index)) == expected


def signature(secret: int, public: bytes, nonce_point: bytes, nonce: int, message: bytes) -> bytes:
    """An Ed25519 signature by its equation, with any public key and nonce point."""
    h = int.from_bytes(hashlib.sha512(nonce_point + public + message).digest(), "little")
    return nonce_point + encode_scalar((nonce + h * secret) % ORDER)


def accepts(public: bytes, message: bytes, signed: bytes) -> bool:
    try:
        verify_signature(public, b"", message, signed)
    except EventRejected:
        return False
    return True


TORSION: Final = bytes.fromhex("ec" + "ff" * 30 + "7f")


def test_signatures_are_accepted_by_the_rules_of_the_document() -> None:
    secret, nonce, message = 12345, 67890, b"message"
    public, announced = base(secret), base(nonce)
    good = signature(secret, public, announced, nonce, message)
    assert accepts(public, message, good)
    malleated = good[:32] + (int.from_bytes(good[32:], "little") + ORDER).to_bytes(32, "little")
    assert not accepts(public, message, malleated)
    mixed = bindings.crypto_core_ed25519_add(announced, TORSION)
    assert not accepts(public, message, signature(secret, public, mixed, nonce, message))
    assert not accepts(public, message, signature(secret, public, TORSION, 0, message))
    assert not accepts(TORSION, message, signature(0, TORSION, announced, nonce, message))


def test_a_share_of_the_example_opens_the_card() -> None:
    values = documented_values()
    ciphertext = bytes.fromhex(values["B.27"])
    share = bytes.fromhex(values["B.28"])[:32]
    assert mul(X, base(1)) == share
    opened = bindings.crypto_core_ed25519_sub(ciphertext[32:], share)
    assert opened == CARD_POINTS[5]
    assert add(CARD_POINTS[5], base(X)) == ciphertext[32:]
