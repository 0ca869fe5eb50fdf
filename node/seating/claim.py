"""One seat, one program: finding out that a copy of the profile is already playing (§9.6).

Two programs with copies of one profile hold the same transport key, so the others cannot tell them apart,
and their answers reach the one that was there first. A program that comes back to its seat therefore asks,
by way of the others, who give such a frame back to its key on every connection that has proven it. Another
program with the key hears the question and denies it the same way. The denial is proven with the
secret half of the key, so nobody else can make one, and it names the run that asked, so none is good twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from hmac import compare_digest

from engine.cards import Seat
from node.errors import ProfileCloned
from node.i18n import tr
from node.network.link import Link
from node.seating.frames import (
    RETURN,
    RUN_BYTES,
    decode_return,
    decode_taken,
    return_frame,
    taken_frame,
)
from node.storage.keyfiles import TransportKeys, raw_key
from protocol.crypto.transcript import derive
from protocol.domains import SEAT_TAKEN
from protocol.encoding import Value

__all__ = ["SeatClaim"]


class SeatClaim:
    """This program's claim to its seat at one match, and its part in the claims of the others."""

    def __init__(
        self,
        match_id: bytes,
        seat: Seat,
        peers: Mapping[Seat, bytes],
        keys: TransportKeys,
        link: Link,
        coming_back: Callable[[], bool],
    ) -> None:
        """`peers` are the links' names of the other seats, `keys` those of the own one, in all its copies.

        `coming_back` tells whether this program has returned to a match and was not answered by all yet.
        """
        self._match_id = match_id
        self._seat = seat
        self._peers = peers
        self._secret = raw_key(keys.secret)
        self._link = link
        self._coming_back = coming_back
        self._run = secrets.token_bytes(RUN_BYTES)

    def ask(self, peers: Iterable[bytes]) -> None:
        """Ask by way of these peers whether the seat is free; to be repeated every second."""
        if self._coming_back():
            for peer in peers:
                self._link.send(peer, return_frame(self._match_id, self._seat, self._run))

    def hear(self, peer: bytes, kind: str, fields: tuple[Value, ...]) -> None:
        """Take in a `return` or `taken` frame; raises FrameRejected, and ProfileCloned when denied."""
        if kind == RETURN:
            self._hear_return(peer, *decode_return(fields))
        else:
            self._hear_taken(peer, *decode_taken(fields))

    def _hear_return(self, peer: bytes, match_id: bytes, seat: Seat, run: bytes) -> None:
        if self._is_theirs(peer, match_id, seat):
            self._link.send_everywhere(peer, return_frame(match_id, seat, run))
        elif self._is_mine(peer, match_id, seat) and self._goes_before(run):
            self._link.send(peer, taken_frame(match_id, seat, run, self._proof(run)))

    def _hear_taken(self, peer: bytes, match_id: bytes, seat: Seat, run: bytes, proof: bytes) -> None:
        if self._is_theirs(peer, match_id, seat):
            self._link.send_everywhere(peer, taken_frame(match_id, seat, run, proof))
        elif (
            self._is_mine(peer, match_id, seat)
            and run == self._run
            and self._coming_back()
            and compare_digest(proof, self._proof(run))
        ):
            raise ProfileCloned(
                tr(
                    "Another program is already in your seat, with a copy of your profile, perhaps on another"
                    " computer. Play on there, or close it and type kozel resume here again. Nothing was"
                    " signed here."
                )
            )

    def _is_theirs(self, peer: bytes, match_id: bytes, seat: Seat) -> bool:
        """Whether a peer speaks of its own seat: then the frame is given back."""
        return match_id == self._match_id and self._peers.get(seat) == peer

    def _is_mine(self, peer: bytes, match_id: bytes, seat: Seat) -> bool:
        """Whether a peer gives back what was said of this seat."""
        return match_id == self._match_id and seat == self._seat and peer in self._peers.values()

    def _goes_before(self, run: bytes) -> bool:
        """Whether another run than this one is the second: of two that come back the lower one is."""
        return run != self._run and (not self._coming_back() or run < self._run)

    def _proof(self, run: bytes) -> bytes:
        return derive(self._secret, SEAT_TAKEN, self._match_id, run)
