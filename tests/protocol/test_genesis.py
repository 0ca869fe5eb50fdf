"""The genesis: what all four sign before anything else."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from engine import Eggs, MolodkaRule, Options, Standing
from protocol.encoding import Value, pack, unpack
from protocol.errors import GenesisError
from protocol.genesis import Genesis, decode_genesis, fingerprint, is_clean_name
from protocol.limits import MAX_GENESIS_BYTES, MAX_NAME_BYTES
from tests.protocol.tables import set_up

GENESIS = set_up(0).genesis
LATER = replace(GENESIS, first_leader=2, previous=bytes(32), for_show=True)
FIELDS = (
    "version",
    "table",
    "options",
    "roster",
    "nonces",
    "first_leader",
    "previous",
    "for_show",
    "standing",
)


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
        ("options", (12, "joke", "anytime")),
        ("options", (12, "joke", "anytime", 90, 1)),
        ("options", ("12", "joke", "anytime", 90)),
        ("options", (True, "joke", "anytime", 90)),
        ("options", (12, b"joke", "anytime", 90)),
        ("options", (12, "joke", None, 90)),
        ("options", (12, "joke", "anytime", 9)),
        ("options", (12, "joke", "anytime", 3601)),
        ("options", (12, "joke", "anytime", True)),
        ("options", (12, "joke", "anytime", "90")),
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
        ("standing", 0),
        ("standing", ((0, 2), 0, False, 1, 2)),  # without the match that it goes on with
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
    "options",
    [
        (7, "joke", "anytime", 90),
        (12, "jokes", "anytime", 90),
        (12, "joke", "never", 90),
        (-6, "joke", "off", 90),
    ],
)
def test_options_that_nobody_can_play(options: Value) -> None:
    assert refusal(with_field("options", options)) == "options"


GOES_ON = replace(
    GENESIS, options=Options(12, Eggs.DOUBLE), previous=bytes(32), standing=Standing((4, 2), 1, True, 3, 0)
)


def test_a_match_that_goes_on() -> None:
    decoded = decode_genesis(GOES_ON.encode())
    assert decoded == GOES_ON
    state = decoded.new_match()
    assert (state.score, state.eggs, state.doubled, state.dealer, state.leader) == ((4, 2), 1, True, 3, 0)


@pytest.mark.parametrize("grace", [10, 3600])
def test_the_time_to_wait_for_a_silent_player(grace: int) -> None:
    assert decode_genesis(replace(GENESIS, grace=grace).encode()).grace == grace


@pytest.mark.parametrize(
    ("standing", "code"),
    [
        (((4, 2), 1, True, 3), "malformed"),
        (((4,), 1, True, 3, 0), "malformed"),
        (((4, "2"), 1, True, 3, 0), "malformed"),
        (((4, True), 1, True, 3, 0), "malformed"),
        (((4, 2), 1, 1, 3, 0), "malformed"),
        (((4, 2), None, True, 3, 0), "malformed"),
        (((4, 2), 1, True, None, 0), "malformed"),
        (((12, 2), 1, True, 3, 0), "options"),
        (((-1, 2), 1, True, 3, 0), "options"),
        (((4, 2), -1, False, 3, 0), "options"),
        (((4, 2), 0, True, 3, 0), "options"),
        (((4, 2), 1, True, 4, 0), "options"),
        (((4, 2), 1, True, 3, -1), "options"),
    ],
)
def test_standings_that_no_match_can_have(standing: Value, code: str) -> None:
    changed = fields(GOES_ON)
    changed[8] = standing
    assert refusal(pack(tuple(changed))) == code


def test_no_deal_counts_twice_where_eggs_are_a_joke() -> None:
    assert refusal(replace(GOES_ON, options=Options(12)).encode()) == "options"


def test_a_lead_is_carried_over_or_a_standing_but_not_both() -> None:
    assert refusal(replace(GOES_ON, first_leader=0).encode()) == "options"


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
    assert refusal(b"\xdc\x00\x09" + GENESIS.encode()[1:]) == "not-canonical"


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


def test_the_code_points_that_no_name_holds_are_those_of_six_categories() -> None:
    """As Unicode 15.1 has them: an older one does not know some of them yet, a newer one may have more."""
    refused = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    newer = tuple(map(int, unicodedata.unidata_version.split("."))) > (15, 1, 0)
    for point in (*range(0xD800), *range(0xE000, 0x110000)):
        category = unicodedata.category(chr(point))
        if is_clean_name(f"a{chr(point)}"):
            assert newer or category not in refused, hex(point)
        else:
            assert category in refused or (category == "Cn" and 0x13439 <= point <= 0x1343F), hex(point)
