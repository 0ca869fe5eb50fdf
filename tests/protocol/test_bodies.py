"""Bodies: one shape for each kind, and everything else is its signer's fault."""

from __future__ import annotations

from dataclasses import fields as fields_of
from random import Random

import pytest

from protocol import bodies
from protocol.bodies import KINDS, Body, pack_body, parse_body
from protocol.encoding import Value, pack, unpack
from protocol.errors import Fault
from protocol.fields import DECK, PARTS_BYTES, STOCK
from protocol.limits import MAX_DEALS, MAX_KIND_BYTES
from tests.protocol.losing import at_random_moment, play_without
from tests.protocol.matches import events_of, rich

H = b"h" * 32
SHARE = b"s" * 96

EXAMPLES: tuple[Body, ...] = (
    bodies.Accept(H),
    bodies.CoinCommit(H),
    bodies.CoinReveal(H),
    bodies.Key(0, H, H * 2, bytes(PARTS_BYTES)),
    bodies.Shuffle(1, DECK, bytes(64 * 36), b"proof"),
    bodies.Shuffle(1, STOCK, bytes(64 * 20), b""),
    bodies.Dealt(MAX_DEALS - 1, SHARE * 13),
    bodies.Led(0, 0, (3,), SHARE),
    bodies.Claimed(0, 8, (0, 4, 8, 35), SHARE * 4),
    bodies.Beaten(0, 1, 3, (1, 2), SHARE * 2),
    bodies.Discarded(0, 1, 2, 4, H),
    bodies.Drawn(0, 3, SHARE * 12),
    bodies.Opened(0, H, ()),
    bodies.Opened(0, H, ((0, H, (1, 2)), (5, H, (30,)))),
    bodies.Result(0, H),
    bodies.Concluded(H),
    bodies.Complaint(0, 3, H),
    bodies.Lost(2, 0),
    bodies.Rescue(2, 0, H * 2),
)

WRONG: dict[str, dict[int, tuple[Value, ...]]] = {
    "coin-commit": {0: (None, H[1:], H + b"x", "h" * 32, 0)},
    "coin-reveal": {0: (None, H[1:], H + b"x", "h" * 32, 0)},
    "key": {
        0: (-1, MAX_DEALS, True, None, "0"),
        1: (H[1:], H + b"x", None),
        2: (bytes(63), bytes(65), None),
        3: (bytes(PARTS_BYTES - 1), bytes(PARTS_BYTES + 1), b"", None),
    },
    "shuffle": {
        0: (-1, MAX_DEALS, False),
        1: ("hand", "", b"deck", None),
        2: (b"", bytes(64 * 35), bytes(64 * 36 + 1), None),
        3: (None, "proof", 1),
    },
    "deal": {0: (-1, MAX_DEALS), 1: (b"", SHARE * 12, SHARE * 14, SHARE[1:], None)},
    "lead": {
        0: (-1, MAX_DEALS),
        1: (-1, 36, True),
        2: (None, (), (0, 1, 2, 3, 4), (1, 0), (1, 1), (-1,), (36,), (True,), ("1",), 3),
        3: (b"", SHARE[1:], SHARE * 5, None),
    },
    "molodka": {2: ((), (3, 2, 1, 0)), 3: (SHARE * 5,)},
    "beat": {2: (-1, 4, True, None), 3: ((2, 1),), 4: (b"",)},
    "discard": {2: (-1, 4), 3: (-1, 5, True), 4: (H[1:], None)},
    "draw": {1: (-1, 36), 2: (b"", SHARE * 13, SHARE[1:], None)},
    "open": {
        1: (H[1:], None),
        2: (
            None,
            ((0, H, (1,)),) * 37,
            (None,),
            ((0, H),),
            ((0, H, (1,), 0),),
            ((-1, H, (1,)),),
            ((36, H, (1,)),),
            ((0, H[1:], (1,)),),
            ((0, H, ()),),
            ((0, H, (2, 1)),),
            ((0, H, 1),),
        ),
    },
    "result": {0: (-1, MAX_DEALS), 1: (H[1:], None)},
    "final": {0: (H[1:], "h" * 32, None)},
    "accept": {0: (H[1:], "h" * 32, None)},
    "complaint": {0: (-1, MAX_DEALS), 1: (-1, 4, True), 2: (H[1:], None)},
    "lost": {0: (-1, MAX_DEALS, True), 1: (-1, 4, True, None)},
    "rescue": {0: (-1, MAX_DEALS), 1: (-1, 4, True), 2: (H, H * 3, None)},
}


def fault(kind: str, fields: tuple[Value, ...]) -> str:
    """The code of the fault of a body."""
    with pytest.raises(Fault) as caught:
        parse_body(kind, fields)
    return caught.value.code


def example(kind: str) -> Body:
    """A good body of a kind."""
    return next(body for body in EXAMPLES if kind == body.KIND)


@pytest.mark.parametrize("body", EXAMPLES, ids=lambda body: body.KIND)
def test_round_trip(body: Body) -> None:
    sent = unpack(pack(pack_body(body)), limit=16_384)
    assert isinstance(sent, tuple)
    assert parse_body(body.KIND, sent) == body


def test_there_is_an_example_of_each_kind() -> None:
    assert {body.KIND for body in EXAMPLES} == set(KINDS)
    assert all(len(kind.encode()) <= MAX_KIND_BYTES for kind in KINDS)
    assert all(len(body.FIELDS) == len(fields_of(body)) for body in EXAMPLES)


@pytest.mark.parametrize("kind", KINDS)
def test_number_of_fields(kind: str) -> None:
    good = pack_body(example(kind))
    assert fault(kind, (*good, 0)) == "malformed-body"
    if good:
        assert fault(kind, good[:-1]) == "malformed-body"


@pytest.mark.parametrize("kind", WRONG)
def test_each_malformed_field(kind: str) -> None:
    good = pack_body(example(kind))
    for place, values in WRONG[kind].items():
        for value in values:
            assert fault(kind, (*good[:place], value, *good[place + 1 :])) == "malformed-body", (place, value)


@pytest.mark.parametrize("kind", ["", "Accept", "accept ", "chat", "leave", "kind"])
def test_unknown_kinds(kind: str) -> None:
    assert fault(kind, ()) == "unknown-kind"


def test_every_kind_occurs_in_a_match_and_fits_its_shape() -> None:
    """All but the complaint, which no honest match has."""
    kinds = {"complaint"}
    network, _ = at_random_moment(500)
    play_without(network, Random(500))
    for event in (*rich().events, *events_of(network.tables[network.others[0]])):
        assert pack_body(parse_body(event.kind, event.body)) == event.body
        kinds.add(event.kind)
    assert kinds == set(KINDS)
