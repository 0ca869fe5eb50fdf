"""The places at a table that gathers: which guest sits where, and who would like to sit elsewhere (§9.6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.cards import SEATS, Seat
from node.seating.frames import Occupant

__all__ = ["Places", "SeatedGuest"]


@dataclass(slots=True)
class SeatedGuest:
    """A guest's seat: who it is, when it last spoke, and its nonce for a round once it has said it is ready.

    Nobody is ready by being admitted: the answer at the door may be lost, and then the guest knows nothing.
    `wish` is a seat of somebody else that it would like better.
    """

    occupant: Occupant
    heard: float
    ready: tuple[int | None, bytes] | None = None
    wish: Seat | None = None


class Places(dict[Seat, SeatedGuest]):
    """The guests by seat, of which the host's is none."""

    def free(self, own: Seat) -> list[Seat]:
        """The seats that nobody has; `own` is the host's."""
        return [seat for seat in SEATS if seat != own and seat not in self]

    def newcomer(self, owned: Collection[bytes]) -> Seat | None:
        """Where somebody sits whose identity key is none of these."""
        return next((seat for seat, one in self.items() if one.occupant.identity not in owned), None)

    @property
    def wishes(self) -> tuple[Seat | None, ...]:
        """By seat, which one its guest would like better."""
        return tuple(self[seat].wish if seat in self else None for seat in SEATS)

    def swap(self, one: Seat, other: Seat) -> None:
        """Let two guests change seats, or move one to a free seat."""
        moved = {one: self.pop(other, None), other: self.pop(one, None)}
        for seat, guest in moved.items():
            if guest is not None:
                guest.wish = None if guest.wish == seat else guest.wish
                self[seat] = guest

    def fill(self, own: Seat) -> None:
        """Give the free seats to those who would like them; `own` is the host's."""
        while True:
            free = self.free(own)
            wished = next(((seat, one.wish) for seat, one in self.items() if one.wish in free), None)
            if wished is None or wished[1] is None:
                return
            self.swap(wished[0], wished[1])

    def wish(self, seat: Seat, wish: Seat | None) -> Seat | None:
        """Note what the guest in this seat would like; the seat that it can have at once, if it can.

        That is one which is free, or whose guest would like to change with this one.
        """
        self[seat].wish = None if wish == seat else wish
        if wish is None or wish == seat:
            return None
        other = self.get(wish)
        return wish if other is None or other.wish == seat else None
