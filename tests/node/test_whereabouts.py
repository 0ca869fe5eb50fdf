"""Where the seats can be reached: learnt, told on, kept on disk, and dialled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from node.network.link import Link
from node.seating import whereabouts
from node.seating.frames import ADDRESSES, Address, decode_addresses, encode_addresses
from node.seating.whereabouts import Whereabouts
from node.storage.store import Store
from protocol.errors import FrameRejected
from protocol.replica import parse_frame

MATCH = bytes(range(32))
PEERS = {0: b"a" * 40, 2: b"c" * 40, 3: b"d" * 40}


class Dialled:
    """Stands for the links: who is let in, and where each peer is looked for."""

    def __init__(self) -> None:
        self.allowed: set[bytes] = set()
        self.aims: dict[bytes, Sequence[Address]] = {}

    def allow(self, public: bytes) -> None:
        self.allowed.add(public)

    def connect(self, public: bytes, addresses: Sequence[Address]) -> int:
        self.aims[public] = list(addresses)
        return len(addresses)


def at_match(store: Store) -> tuple[Whereabouts, Dialled]:
    links = Dialled()
    return Whereabouts(MATCH, PEERS, cast(Link, links), store), links


@pytest.fixture
def store(tmp_path: Path) -> Store:
    kept = Store(tmp_path / "matches.sqlite")
    kept.add_match(MATCH, b"genesis", 1, bytes(32), 0.0)
    return kept


def told(frame: bytes) -> list[tuple[Address, ...]]:
    kind, fields = parse_frame(frame)
    assert kind == ADDRESSES
    match_id, seats = decode_addresses(fields)
    assert match_id == MATCH
    return seats


def test_only_the_seats_of_the_match_are_let_in(store: Store) -> None:
    _, links = at_match(store)
    assert links.allowed == set(PEERS.values())
    store.close()


def test_the_newest_addresses_come_first_and_old_ones_are_tried_too(store: Store) -> None:
    place, links = at_match(store)
    place.learn(2, [("10.0.0.2", 1)])
    place.learn(2, [("10.0.0.9", 2)])
    assert links.aims[PEERS[2]] == [("10.0.0.9", 2), ("10.0.0.2", 1)]
    for port in range(3, 30):
        place.learn(2, [("10.0.0.9", port)])
    assert len(links.aims[PEERS[2]]) == 8
    assert links.aims[PEERS[2]][0] == ("10.0.0.9", 29)
    place.learn(1, [("10.0.0.1", 1)])
    assert set(links.aims) == {PEERS[2]}, "nobody dials itself"
    store.close()


def test_they_are_there_again_after_a_restart(store: Store) -> None:
    place, _ = at_match(store)
    place.learn(3, [("10.0.0.3", 7)])
    _, links = at_match(store)
    assert links.aims == {PEERS[3]: [("10.0.0.3", 7)]}
    store.close()


def test_what_is_told_holds_the_own_place_and_no_loopback_of_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whereabouts, "own_addresses", lambda: ("10.0.0.1",))
    place, _ = at_match(store)
    place.learn(0, [("127.0.0.1", 5), ("10.0.0.7", 5)])
    assert told(place.frame(1, "*", 9)) == [(("10.0.0.7", 5),), (("10.0.0.1", 9),), (), ()]
    assert told(place.frame(1, "127.0.0.1", 9))[0] == (("127.0.0.1", 5), ("10.0.0.7", 5))
    store.close()


def test_hints_are_taken_from_seats_of_this_match_only(store: Store) -> None:
    place, links = at_match(store)
    seats: list[tuple[Address, ...]] = [(("10.0.0.7", 5),), (("10.0.0.1", 1),), (), ()]
    fields = parse_frame(encode_addresses(MATCH, seats))[1]
    place.hear(b"x" * 40, fields)
    place.hear(PEERS[2], parse_frame(encode_addresses(bytes(32), seats))[1])
    assert links.aims == {}
    place.hear(PEERS[2], fields)
    assert links.aims == {PEERS[0]: [("10.0.0.7", 5)]}
    with pytest.raises(FrameRejected):
        place.hear(PEERS[2], (MATCH, (((("10.0.0.7", 0),),) * 4)))
    store.close()
