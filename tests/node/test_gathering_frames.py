"""The frames of the gathering: what is written is read again, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Eggs, MolodkaRule, Options, Standing
from node.seating.frames import (
    GENESIS,
    HERE,
    SEATS_FRAME,
    WISH,
    Occupant,
    Seating,
    decode_blob,
    decode_here,
    decode_seating,
    decode_wish,
    genesis_frame,
    here_frame,
    wish_frame,
)
from node.seating.going_on import GoingOn
from protocol.encoding import Value, pack
from protocol.errors import FrameRejected
from protocol.genesis import Genesis, Member
from protocol.replica import parse_frame

ANNA = Occupant("Anna", bytes(32), b"t" * 32, (("192.168.1.20", 47001), ("fd00::1", 47001)))
SEATING = Seating(
    b"i" * 16, "Dacha", 1, Options(24, Eggs.DOUBLE, MolodkaRule.OFF), True, (ANNA, None, ANNA, None), 45
)
MEMBERS = tuple(Member(bytes([seat]) * 32, bytes([seat + 4]) * 32, "Name") for seat in range(4))
OLD = Genesis("Dacha", Options(), MEMBERS, (bytes(32),) * 4, grace=3600)
GOOD = parse_frame(SEATING.encode())[1]
GOING_ON = GoingOn(OLD, Standing((4, 2), 1, False, 3, 1))


@pytest.mark.parametrize("seating", [SEATING, replace(SEATING, round=0, going_on=GOING_ON)])
def test_a_seating_is_read_as_it_was_written(seating: Seating) -> None:
    kind, fields = parse_frame(seating.encode())
    assert kind == SEATS_FRAME
    assert decode_seating(fields) == seating


@pytest.mark.parametrize(
    ("grace", "read"), [(9, False), (10, True), (3600, True), (3601, False), (True, False)]
)
def test_the_time_to_wait_is_within_its_bounds(grace: int, read: bool) -> None:
    fields = parse_frame(replace(SEATING, grace=grace).encode())[1]
    if read:
        assert decode_seating(fields).grace == grace
    else:
        with pytest.raises(FrameRejected):
            decode_seating(fields)


@pytest.mark.parametrize(
    "options", [(12, "joke", "anytime"), (12, "joke", "anytime", 90, 1), (7, "joke", "off", 90)]
)
def test_other_options_are_refused(options: Value) -> None:
    with pytest.raises(FrameRejected):
        decode_seating((*GOOD[:3], options, *GOOD[4:]))


def test_readiness_and_proposal_are_read_as_they_were_written() -> None:
    assert parse_frame(here_frame(b"i" * 16, 2, b"n" * 32)) == (HERE, (b"i" * 16, 2, b"n" * 32))
    assert decode_here((b"i" * 16, 2, b"n" * 32)) == (b"i" * 16, 2, b"n" * 32)
    assert decode_here(parse_frame(here_frame(b"i" * 16, None, b"n" * 32))[1])[1] is None
    assert parse_frame(genesis_frame(b"i" * 16, b"genesis")) == (GENESIS, (b"i" * 16, b"genesis"))
    assert decode_blob((b"i" * 16, b"genesis")) == (b"i" * 16, b"genesis")


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_a_wish_is_read_as_it_was_written(seat: int | None) -> None:
    kind, fields = parse_frame(wish_frame(b"i" * 16, seat))
    assert kind == WISH
    assert decode_wish(fields) == (b"i" * 16, seat)


@pytest.mark.parametrize("seat", [4, -1, True, "1", b"\x01", ()])
def test_there_are_four_seats_to_wish_for(seat: Value) -> None:
    with pytest.raises(FrameRejected):
        decode_wish((b"i" * 16, seat))


def test_names_are_made_safe_to_show() -> None:
    hostile = Seating(
        b"i" * 16,
        "D\x1b[2Jacha",
        0,
        Options(),
        False,
        (Occupant("A\u202enna" * 20, bytes(32), bytes(32), ()),) * 4,
    )
    read = decode_seating(parse_frame(hostile.encode())[1])
    assert read.table_name == "D[2Jacha"
    assert read.seats[0] is not None
    assert read.seats[0].name.isprintable()
    assert len(read.seats[0].name) <= 24


WRONG_VALUES: list[Value] = [
    None,
    True,
    -1,
    2**40,
    b"",
    b"x" * 17,
    "x",
    (),
    (1,),
    ((),) * 4,
    ("x",) * 3,
    ((1, 2),),
]


@pytest.mark.parametrize("place", range(len(GOOD)))
def test_every_field_of_a_seating_is_checked(place: int) -> None:
    refused = 0
    for wrong in WRONG_VALUES:
        fields = (*GOOD[:place], wrong, *GOOD[place + 1 :])
        try:
            decode_seating(fields)
        except FrameRejected:
            refused += 1
    assert refused >= len(WRONG_VALUES) - 4, "only values that are possible there may pass"


@pytest.mark.parametrize("fields", [(), GOOD[:-1], (*GOOD, 1)])
def test_a_wrong_number_of_fields_is_refused(fields: tuple[Value, ...]) -> None:
    for decode in (decode_seating, decode_here, decode_blob, decode_wish):
        with pytest.raises(FrameRejected):
            decode(fields)


values: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.binary(max_size=40) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=6).map(tuple),
    max_leaves=20,
)


@given(st.lists(values, max_size=8).map(tuple))
def test_whatever_comes_is_read_or_refused(fields: tuple[Value, ...]) -> None:
    """Nothing but FrameRejected may come of a frame that parses."""
    parse_frame(pack(("seats", *fields)))
    for decode in (decode_seating, decode_here, decode_blob, decode_wish):
        try:
            decode(fields)
        except FrameRejected:
            continue
