from __future__ import annotations

from collections.abc import Callable

import pytest
from nacl import bindings
from nacl.exceptions import UnavailableError

from protocol.crypto import group
from protocol.crypto.errors import InvalidPoint, InvalidScalar, MalformedProof, UnsafeLibrary
from protocol.crypto.group import IDENTITY, ORDER, G, Point
from tests.protocol.crypto.cases import FOREIGN_POINTS, PUBLIC, TORSION_2, X

OTHER = group.hash_to_point(b"test", b"other")


def test_pitfall_2_only_points_of_the_subgroup_are_decoded() -> None:
    for point in (G, PUBLIC, OTHER):
        assert group.decode_point(bytes(point)) == point
    for name, encoding in FOREIGN_POINTS.items():
        with pytest.raises(InvalidPoint):
            group.decode_point(encoding)
            pytest.fail(name)


def test_pitfall_2_libsodium_adds_what_the_decoder_refuses() -> None:
    foreign = Point(FOREIGN_POINTS["Q + T2"])
    assert group.sub(group.add(PUBLIC, foreign), foreign) == PUBLIC


def test_pitfall_2_an_old_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    group.self_test()
    genuine = bindings.crypto_core_ed25519_is_valid_point
    foreign = bindings.crypto_core_ed25519_add(G, TORSION_2)
    monkeypatch.setattr(
        bindings, "crypto_core_ed25519_is_valid_point", lambda point: point == foreign or genuine(point)
    )
    with pytest.raises(UnsafeLibrary, match="CVE-2025-69277"):
        group.self_test()


def test_pitfall_2_a_library_that_refuses_everything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", lambda _: False)
    with pytest.raises(UnsafeLibrary):
        group.self_test()


def test_a_library_without_the_group_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable(_: bytes) -> bytes:
        raise UnavailableError("Not available in minimal build")

    monkeypatch.setattr(bindings, "crypto_scalarmult_ed25519_base_noclamp", unavailable)
    with pytest.raises(UnsafeLibrary, match="without"):
        group.self_test()


def test_pitfall_3_multiplication_does_not_clamp() -> None:
    assert group.mul(1, PUBLIC) == PUBLIC
    assert group.base(1) == G
    assert group.add(group.mul(ORDER - 1, PUBLIC), PUBLIC) == IDENTITY
    for k in (2, 3, 8, 2**251, X):
        assert group.mul(k, G) == group.base(k)
        assert group.add(group.mul(k, OTHER), OTHER) == group.mul(k + 1, OTHER)


def test_pitfall_4_scalars_have_one_encoding() -> None:
    for k in (0, 1, X, ORDER - 1):
        assert group.decode_scalar(group.encode_scalar(k)) == k
        with pytest.raises(InvalidScalar):
            group.decode_scalar((k + ORDER).to_bytes(32, "little"))
        with pytest.raises(InvalidScalar):
            group.decode_scalar((k | 1 << 255).to_bytes(32, "little"))
    for k in (-1, ORDER, 2**256):
        with pytest.raises(InvalidScalar):
            group.encode_scalar(k)


def test_pitfall_4_libsodium_itself_accepts_other_encodings() -> None:
    for k in (X + ORDER, X | 1 << 255):
        assert bindings.crypto_scalarmult_ed25519_base_noclamp(k.to_bytes(32, "little")) == PUBLIC


@pytest.mark.parametrize("convert", [bytearray, memoryview, list, lambda b: b[:-1], lambda b: b + b"\0"])
def test_pitfall_5_types_and_lengths(convert: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InvalidPoint):
        group.decode_point(convert(PUBLIC))
    with pytest.raises(InvalidScalar):
        group.decode_scalar(convert(group.encode_scalar(X)))
    with pytest.raises(MalformedProof):
        group.split(convert(PUBLIC), 1)


def test_pitfall_5_the_identity_never_comes_out_of_a_multiplication() -> None:
    for k in (0, ORDER, -ORDER):
        with pytest.raises(InvalidPoint):
            group.base(k)
        with pytest.raises(InvalidPoint):
            group.mul(k, PUBLIC)
    with pytest.raises(InvalidPoint):
        group.mul(5, IDENTITY)


def test_pitfall_5_a_difference_can_be_the_identity() -> None:
    assert group.sub(PUBLIC, PUBLIC) == IDENTITY
    assert group.add(IDENTITY, PUBLIC) == PUBLIC


def test_arithmetic_on_what_is_no_point_raises_our_error() -> None:
    bad = Point(FOREIGN_POINTS["off the curve"])
    for operation in (group.add, group.sub):
        with pytest.raises(InvalidPoint):
            operation(PUBLIC, bad)
        with pytest.raises(InvalidPoint):
            operation(Point(b"short"), PUBLIC)
    for name in ("Q + T2", "order 2", "off the curve"):
        with pytest.raises(InvalidPoint):
            group.mul(3, Point(FOREIGN_POINTS[name]))


def test_scalars_are_taken_modulo_the_order() -> None:
    assert group.mul(-1, PUBLIC) == group.mul(ORDER - 1, PUBLIC)
    assert group.base(X + ORDER) == PUBLIC
    assert group.base(2**255 + 1) == group.base((2**255 + 1) % ORDER)


def test_sums() -> None:
    assert group.sum_points([]) == IDENTITY
    assert group.sum_points([PUBLIC]) == PUBLIC
    assert group.sum_points(group.base(k) for k in (1, 2, 3)) == group.base(6)
    assert group.combine([2, 3], [group.base(5), group.base(7)]) == group.base(31)
    with pytest.raises(ValueError, match="zip"):
        group.combine([2, 3], [PUBLIC])


def test_split_cuts_in_order() -> None:
    data = bytes(range(96))
    assert group.split(data, 3) == [data[:32], data[32:64], data[64:]]
    assert group.split(b"", 0) == []
    with pytest.raises(MalformedProof):
        group.split(data, 2)


def test_hashed_points_depend_on_label_and_fields() -> None:
    inputs = [(b"a", b"b"), (b"a", b"c"), (b"b", b"b"), (b"a",), (b"a", b"b", b"")]
    points = {group.hash_to_point(*fields) for fields in inputs}
    assert len(points) == len(inputs)
    assert all(group.decode_point(bytes(point)) == point for point in points)


def test_the_order_is_the_order() -> None:
    assert group.add(group.base(ORDER - 1), G) == IDENTITY
    assert bytes(IDENTITY) == bytes.fromhex("01" + "00" * 31)
