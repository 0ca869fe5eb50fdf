"""Coming back to one's seat (§9.5): nothing is signed before it is known what was signed already.

The disk of a node that starts again may be an old copy. A seat that signs anew what it has forgotten
signs two events with one number, and is an equivocator by no bad will. So it first hears all three others,
but for one whom its own player has declared lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import Seat
from protocol.events import Ref

_PATIENCE_TICKS: Final = 30
"""How long a peer may claim to have more of our feed without delivering it: longer is a lie."""


class Recovery:
    """What the others have shown of this seat's feed since the restart."""

    def __init__(self, seat: Seat, others: Mapping[Seat, bytes]) -> None:
        self.unheard = {*others}
        self._seat = seat
        self._seats = {peer: other for other, peer in others.items()}
        self._claimed: dict[bytes, int] = {}
        self._patience = _PATIENCE_TICKS

    def heard(self, peer: bytes, heads: Sequence[Ref | None]) -> None:
        """A peer has shown its heads."""
        if peer not in self._seats:
            return
        if self._seats[peer] in self.unheard:
            self.unheard.discard(self._seats[peer])
            self._patience = _PATIENCE_TICKS
        head = heads[self._seat]
        self._claimed[peer] = 0 if head is None else head.seq + 1

    def tick(self) -> None:
        """A second has passed."""
        if len(self.unheard) <= 1:
            self._patience -= 1

    def done(self, length: int, without: Seat | None = None) -> bool:
        """Whether the feed of `length` events that is here is all that this seat has ever shown anybody.

        A seat that the match goes on `without` need not be heard: only it could know of more then.
        """
        if self.unheard - {without}:
            return False
        return self._patience <= 0 or max(self._claimed.values(), default=0) <= length
