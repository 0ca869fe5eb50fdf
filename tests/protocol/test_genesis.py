"""The genesis: what all four sign before anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import Eggs, MolodkaRule, Options
from protocol.encoding import Value, pack, unpack
from protocol.errors import GenesisError
from protocol.genesis import Genesis, decode_genesis, fingerprint, is_clean_name
from protocol.limits import MAX_GENESIS_BYTES, MAX_NAME_BYTES
from tests.protocol.tables import set_up

GENESIS = set_up(0).genesis
LATER = replace(GENESIS, first_leader=2, previous=bytes(32), for_show=True)
FIELDS = ("version", "table", "options", "roster", "nonces", "first_leader", "previous", "for_show")


def fields(genesis: Genesis = GENESIS) -> list[Value]:
    """The genesis as its array."""
    value = unpack(genesis.encode(), limit=MAX_GENESIS_BYTES)
    assert isinstance(value, tuple)
    return list(value)


def with_field(name: str, value: Value) -> bytes:
    """The bytes of the genesis with one field replaced."""
    changed = fields()
    changed[FIELDS.index(name)] = value
    return pack(tuple(changed))


def with_member(place: int, member: Value) -> tuple[Value, ...]:
    """The roster with one entry replaced."""
    roster = fields()[3]
    assert isinstance(roster, tuple)
    return (*roster[:place], member, *roster[place + 1 :])


def refusal(data: bytes) -> str:
    """The code of the refusal of a genesis."""
    with pytest.raises(GenesisError) as caught:
        decode_genesis(data)
    return caught.value.code


@pytest.mark.parametrize("genesis", [GENESIS, LATER], ids=["first", "later"])
def test_round_trip(genesis: Genesis) -> None:
    decoded = decode_genesis(genesis.encode())
    assert decoded == genesis
    assert decoded.encode() == genesis.encode()
    assert decoded.match_id == genesis.match_id


@pytest.mark.parametrize("eggs", Eggs)
@pytest.mark.parametrize("molodka", MolodkaRule)
@pytest.mark.parametrize("target", [6, 12, 24])
def test_all_options_round_trip(target: int, eggs: Eggs, molodka: MolodkaRule) -> None:
    genesis = replace(GENESIS, options=Options(target, eggs, molodka))
    assert decode_genesis(genesis.encode()).options == Options(target, eggs, molodka)


MEMBER = GENESIS.roster[0]
KEY, OTHER_KEY = b"k" * 32, b"o" * 32


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("table", b"table"),
        ("table", ""),
        ("table", " \t"),
        ("table", "line\nbreak"),
        ("table", "right\u202eto left"),
        ("table", "x" * (MAX_NAME_BYTES + 1)),
        ("table", "ж" * (MAX_NAME_BYTES // 2 + 1)),
        ("options", None),
        ("options", (12, "joke")),
        ("options", (12, "joke", "anytime", 1)),
        ("options", ("12", "joke", "anytime")),
        ("options", (True, "joke", "anytime")),
        ("options", (12, b"joke", "anytime")),
        ("options", (12, "joke", None)),
        ("roster", None),
        ("roster", ()),
        ("roster", with_member(0, None)),
        ("roster", with_member(0, (KEY, OTHER_KEY))),
        ("roster", with_member(0, (KEY, OTHER_KEY, "name", 1))),
        ("roster", with_member(0, (KEY[1:], OTHER_KEY, "name"))),
        ("roster", with_member(0, (KEY, OTHER_KEY + b"x", "name"))),
        ("roster", with_member(0, ("k" * 32, OTHER_KEY, "name"))),
        ("roster", with_member(0, (KEY, OTHER_KEY, b"name"))),
        ("roster", with_member(0, (KEY, OTHER_KEY, "bad\x00name"))),
        ("roster", with_member(1, (MEMBER.identity, OTHER_KEY, "name"))),
        ("roster", with_member(1, (KEY, MEMBER.transport, "name"))),
        ("roster", (*with_member(0, (KEY, OTHER_KEY, "name")), (KEY[::-1], KEY, "fifth"))),
        ("nonces", None),
        ("nonces", (bytes(32),) * 3),
        ("nonces", (bytes(32),) * 5),
        ("nonces", (*(bytes(32),) * 3, bytes(31))),
        ("nonces", (*(bytes(32),) * 3, "x" * 32)),
        ("first_leader", 0),
        ("previous", bytes(32)),
        ("for_show", None),
        ("for_show", 0),
    ],
)
def test_each_malformed_field(name: str, value: Value) -> None:
    assert refusal(with_field(name, value)) == "malformed"


@pytest.mark.parametrize("leader", [4, -1, True, "0"])
def test_a_carried_lead_is_a_seat(leader: Value) -> None:
    changed = fields(LATER)
    changed[5] = leader
    assert refusal(pack(tuple(changed))) == "malformed"


@pytest.mark.parametrize("previous", [bytes(31), bytes(33), "x" * 32, 7])
def test_the_match_before_is_a_hash(previous: Value) -> None:
    changed = fields(LATER)
    changed[6] = previous
    assert refusal(pack(tuple(changed))) == "malformed"


@pytest.mark.parametrize(
    "options", [(7, "joke", "anytime"), (12, "jokes", "anytime"), (12, "joke", "never"), (-6, "joke", "off")]
)
def test_options_that_nobody_can_play(options: Value) -> None:
    assert refusal(with_field("options", options)) == "options"


@pytest.mark.parametrize("version", [0, 2, "1", None, True, b"\x01"])
def test_another_version(version: Value) -> None:
    assert refusal(with_field("version", version)) == "version"


def test_a_later_version_is_named_as_such_whatever_else_it_has() -> None:
    assert refusal(pack((2, "something", ("new",)))) == "version"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(pack(()), id="empty"),
        pytest.param(pack(1), id="number"),
        pytest.param(pack(tuple(fields()[:-1])), id="a field less"),
        pytest.param(pack((*fields(), None)), id="a field more"),
    ],
)
def test_shape(data: bytes) -> None:
    assert refusal(data) == "malformed"


def test_unreadable_bytes_keep_their_reason() -> None:
    assert refusal(b"\xc1") == "undecodable"
    assert refusal(bytes(MAX_GENESIS_BYTES + 1)) == "oversized"
    assert refusal(pack((1.5,))) == "forbidden-type"  # type: ignore[arg-type]
    assert refusal(b"\xdc\x00\x08" + GENESIS.encode()[1:]) == "not-canonical"


def test_every_field_is_part_of_the_match_id() -> None:
    others = [
        replace(GENESIS, table="other"),
        replace(GENESIS, options=Options(24)),
        replace(GENESIS, roster=GENESIS.roster[::-1]),
        replace(GENESIS, nonces=GENESIS.nonces[::-1]),
        replace(GENESIS, for_show=True),
        LATER,
        replace(LATER, first_leader=1),
        replace(LATER, previous=bytes([1] * 32)),
    ]
    assert len({genesis.match_id for genesis in (GENESIS, *others)}) == len(others) + 1


def test_every_member_is_part_of_the_roster_digest() -> None:
    rosters = [
        (*GENESIS.roster[:place], changed, *GENESIS.roster[place + 1 :])
        for place, member in enumerate(GENESIS.roster)
        for changed in (
            replace(member, identity=KEY),
            replace(member, transport=KEY),
            replace(member, name="other"),
        )
    ]
    digests = {replace(GENESIS, roster=roster).roster_digest for roster in rosters}
    assert len(digests | {GENESIS.roster_digest}) == len(rosters) + 1


def test_fingerprint() -> None:
    shown = fingerprint(GENESIS.match_id)
    assert shown.replace(" ", "") == GENESIS.match_id[:16].hex()
    assert [len(group) for group in shown.split(" ")] == [4] * 8


@pytest.mark.parametrize("name", ["Анна", "غسان", "O'Neil", "x" * MAX_NAME_BYTES])
def test_clean_names(name: str) -> None:
    assert is_clean_name(name)
