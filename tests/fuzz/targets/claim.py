"""INVARIANT: what is said of who sits in a seat is refused as FrameRejected or answered with one frame.

A frame about its sender's own seat goes back to the sender as it came, one about this seat is answered to the
one who asked; a denial counts only with the proof, which nobody but a holder of the transport key can make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final, cast

from engine.cards import SEATS
from node.network.link import Link
from node.seating.claim import SeatClaim
from node.seating.frames import RETURN, RUN_BYTES, TAKEN, return_frame, taken_frame
from node.storage.keyfiles import TransportKeys
from protocol.errors import FrameRejected
from protocol.replica import parse_frame
from tests.fuzz.harness import ACCEPTED, REFUSED_FRAMES
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, pack_any, unpack_any

_MATCH: Final = b"m" * 32
_ME: Final = 3
_KEYS: Final = {seat: TransportKeys.from_secret(bytes([seat + 1]) * 32) for seat in SEATS}
_PEERS: Final = {seat: _KEYS[seat].public for seat in SEATS if seat != _ME}


@dataclass(frozen=True)
class Given:
    """A frame from a seat, to a program that has just come back or has been there all the time."""

    sender: int
    frame: bytes
    coming_back: bool


class Answers:
    """A link that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, bytes]] = []

    def send(self, public: bytes, frame: bytes) -> bool:
        """Send a frame on one connection."""
        self.sent.append((public, frame))
        return True

    def send_everywhere(self, public: bytes, frame: bytes) -> None:
        """Send a frame on every connection of a peer."""
        self.sent.append((public, frame))


class Claim:
    """`return` and `taken`."""

    name = "claim"
    refusals: ClassVar[Mapping[str, str]] = {
        **REFUSED_FRAMES,
        "answered": "the one who asked is answered, and nobody else",
    }

    def draw(self, rng: Random) -> Given:
        """A frame of either kind, as it should be or changed."""
        seat, run = rng.randrange(4), bytes([rng.randrange(256)]) * RUN_BYTES
        match_id = rng.choice((_MATCH, _MATCH, _MATCH, bytes(32)))
        good = return_frame(match_id, seat, run)
        if rng.random() < 0.4:
            good = taken_frame(match_id, seat, run, rng.randbytes(32))
        way, frame = rng.random(), good
        if 0.35 < way < 0.55:
            frame = mutate_bytes(rng, good)
        elif 0.55 < way < 0.95:
            frame = pack_any(mutate_value(rng, unpack_any(good)))
        elif way > 0.95:
            frame = pack_any((rng.choice((RETURN, TAKEN)), any_value(rng)))
        return Given(rng.choice(list(_PEERS)), frame, rng.random() < 0.5)

    def feed(self, given: Given) -> Iterator[str]:
        """Say it to seat 3: a denial without the proof would raise ProfileCloned."""
        link = Answers()
        keys = _KEYS[_ME]
        claim = SeatClaim(_MATCH, _ME, _PEERS, keys, cast(Link, cast(Any, link)), lambda: given.coming_back)
        peer = _PEERS[given.sender]
        try:
            kind, fields = parse_frame(given.frame)
            if kind in (RETURN, TAKEN):
                claim.hear(peer, kind, fields)
        except FrameRejected as error:
            assert not link.sent
            yield error.code
            return
        assert len(link.sent) <= 1
        for to, frame in link.sent:
            assert to == peer
            assert frame == given.frame or parse_frame(frame)[0] == TAKEN
            yield "answered"
        yield ACCEPTED
