"""Canonical msgpack: one spelling for each value, and no types beyond the few that the protocol has."""

from __future__ import annotations

import datetime
import struct

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding import Value, pack, unpack
from protocol.errors import EncodingError
from protocol.limits import MAX_ARRAY, MAX_DEPTH

LIMIT = 4096

scalars: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.binary(max_size=40),
    st.text(max_size=40),
)
values: st.SearchStrategy[Value] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=20
)


def refusal(data: bytes, limit: int = LIMIT) -> str:
    """The code of the refusal of bytes that must not be decoded."""
    with pytest.raises(EncodingError) as caught:
        unpack(data, limit=limit)
    return caught.value.code


def nested(depth: int) -> Value:
    """Arrays in arrays, `depth` of them."""
    value: Value = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


def depth_of(value: Value) -> int:
    """How deep arrays are nested in a value."""
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, tuple) else 0


@given(values)
def test_round_trip(value: Value) -> None:
    if depth_of(value) > MAX_DEPTH:
        assert refusal(pack(value)) == "too-deep"
    else:
        decoded = unpack(pack(value), limit=LIMIT)
        assert decoded == value
        assert pack(decoded) == pack(value)


@given(st.binary(max_size=80))
def test_whatever_decodes_is_canonical(data: bytes) -> None:
    try:
        value = unpack(data, limit=LIMIT)
    except EncodingError:
        return
    assert pack(value) == data


@given(values.filter(lambda value: depth_of(value) <= MAX_DEPTH), st.data())
def test_a_flipped_bit_never_gives_the_same_value(value: Value, data: st.DataObject) -> None:
    encoded = bytearray(pack(value))
    bit = data.draw(st.integers(0, 8 * len(encoded) - 1))
    encoded[bit // 8] ^= 1 << bit % 8
    try:
        other = unpack(bytes(encoded), limit=LIMIT)
    except EncodingError:
        return
    assert (other, type(other)) != (value, type(value)) or pack(other) != pack(value)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({}, id="empty map"),
        pytest.param([{}], id="empty map inside"),
        pytest.param({1: 2}, id="map"),
        pytest.param({"a": ()}, id="map of texts"),
        pytest.param(1.5, id="float"),
        pytest.param([1.0], id="float inside"),
        pytest.param(msgpack.ExtType(5, b"x"), id="extension"),
        pytest.param([msgpack.ExtType(5, b"")], id="empty extension"),
        pytest.param(msgpack.Timestamp(0), id="timestamp"),
        pytest.param(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC), id="date"),
    ],
)
def test_forbidden_types(value: object) -> None:
    assert refusal(msgpack.packb(value, datetime=True)) in {"forbidden-type", "undecodable"}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xcc\x01", id="uint 8 for a small number"),
        pytest.param(b"\xcd\x00\xff", id="uint 16 for a byte"),
        pytest.param(b"\xce\x00\x00\xff\xff", id="uint 32 for 16 bits"),
        pytest.param(b"\xcf" + struct.pack(">Q", 2**32 - 1), id="uint 64 for 32 bits"),
        pytest.param(b"\xd0\x05", id="int 8 for a positive number"),
        pytest.param(b"\xd0\xff", id="int 8 for a small negative number"),
        pytest.param(b"\xd1\xff\x80", id="int 16 for 8 bits"),
        pytest.param(b"\xd2\xff\xff\x80\x00", id="int 32 for 16 bits"),
        pytest.param(b"\xd3" + struct.pack(">q", -(2**31)), id="int 64 for 32 bits"),
        pytest.param(b"\xd9\x01a", id="str 8 for a short text"),
        pytest.param(b"\xda\x00\x01a", id="str 16 for a short text"),
        pytest.param(b"\xdb\x00\x00\x00\x01a", id="str 32 for a short text"),
        pytest.param(b"\xc5\x00\x01a", id="bin 16 for short bytes"),
        pytest.param(b"\xc6\x00\x00\x00\x01a", id="bin 32 for short bytes"),
        pytest.param(b"\xdc\x00\x01\x01", id="array 16 for a short array"),
        pytest.param(b"\xdd\x00\x00\x00\x01\x01", id="array 32 for a short array"),
        pytest.param(b"\x91\xcc\x01", id="inside an array"),
    ],
)
def test_a_longer_spelling_is_refused(data: bytes) -> None:
    assert refusal(data) == "not-canonical"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1", id="a byte that msgpack never uses"),
        pytest.param(b"\x92\x01", id="array cut short"),
        pytest.param(b"\xc4\x05abc", id="bytes cut short"),
        pytest.param(b"\xa5abc", id="text cut short"),
        pytest.param(b"\xa1\xff", id="text that is not UTF-8"),
        pytest.param(b"\xa3\xed\xa0\x80", id="text with half of a surrogate pair"),
        pytest.param(b"\x01\x02", id="something after the value"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="array that claims to be huge"),
        pytest.param(b"\xc6\xff\xff\xff\xff", id="bytes that claim to be huge"),
        pytest.param(b"\xdb\xff\xff\xff\xff", id="text that claims to be huge"),
        pytest.param(b"\xdf\xff\xff\xff\xff", id="map that claims to be huge"),
    ],
)
def test_what_is_not_msgpack(data: bytes) -> None:
    assert refusal(data) == "undecodable"


def test_hostile_nesting_is_refused_without_a_crash() -> None:
    assert refusal(b"\x91" * 60_000 + b"\x01", limit=65_536) in {"undecodable", "too-deep"}


def test_limit_of_bytes() -> None:
    data = pack(bytes(100))
    assert unpack(data, limit=len(data)) == bytes(100)
    assert refusal(data, limit=len(data) - 1) == "oversized"


def test_limit_of_depth() -> None:
    assert unpack(pack(nested(MAX_DEPTH)), limit=LIMIT) == nested(MAX_DEPTH)
    assert refusal(pack(nested(MAX_DEPTH + 1))) == "too-deep"


def test_limit_of_elements() -> None:
    most = (0,) * MAX_ARRAY
    assert unpack(pack(most), limit=LIMIT) == most
    assert refusal(pack((*most, 0))) == "undecodable"
    assert unpack(pack((*most, 0)), limit=LIMIT, max_array=MAX_ARRAY + 1) == (*most, 0)


def test_true_is_not_one() -> None:
    assert pack(True) != pack(1)
    assert unpack(pack(True), limit=LIMIT) is True
    assert type(unpack(pack(1), limit=LIMIT)) is int
