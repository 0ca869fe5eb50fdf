"""Cheating around a seat that is lost (§7.12): with key parts, with complaints, and at the rescue."""

# ruff: noqa: ARG002  Hooks have the arguments of their kind, whether or not they need them.

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine import Discard, Play, Seat, next_seat
from protocol.bodies import Body, Complaint, Discarded, Key, Led, Rescue
from protocol.crypto.commitment import commit_discard
from tests.cheats.crook import Crook, Scheme


class UselessPart(Scheme):
    """Seals a part of its key that one of the others cannot open: so nobody could ever play on without it."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """One bit of the last sealed part turned."""
        if not isinstance(body, Key):
            return body
        return replace(body, parts=body.parts[:-1] + bytes([body.parts[-1] ^ 1]))


class FalseComplaint(Scheme):
    """Says of an honest seat that the part that it got from it is of no use."""

    def unasked(self, crook: Crook) -> Body | None:
        """A complaint about the next seat's key."""
        accused = next_seat(crook.seat)
        if self.done or crook.match.current.keys[accused] is None:
            return None
        self.done = True
        return Complaint(crook.match.current.number, accused, crook.keyring.encryption_secret)


class _Voter(Scheme):
    """One of three that declare an honest seat lost."""

    def unasked(self, crook: Crook) -> Body | None:
        """Nothing; but from the first trick on the seat opposite is taken for lost."""
        if crook.may_declare_lost:
            self.missing = next_seat(crook.seat, 2)
        return None


class WrongPart(_Voter):
    """Gives another part of the lost seat's key than the one that it had got."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The seed is another."""
        return replace(body, part=body.part[:32] + bytes(32)) if isinstance(body, Rescue) else body


class OpenHand(_Voter):
    """Looks at the lost seat's cards with the parts of the others, keeps back its own, and plays."""

    def waits(self, crook: Crook, body: Body) -> bool:
        """With its part, until it has those of both others."""
        parts = crook.match.current.parts
        return isinstance(body, Rescue) and sum(part is not None for part in parts) < 2

    def instead(self, crook: Crook, body: Body) -> Body:
        """A play in place of the part."""
        if self.done or not isinstance(body, Rescue):
            return body
        self.done = True
        deal = crook.match.current
        slot = next(iter(crook.hand().values()), None)
        if slot is None:
            return Discarded(deal.number, len(deal.tricks) - 1, body.seat, 1, bytes(32))
        return Led(deal.number, len(deal.tricks) - 1, (slot,), crook.shares_of(deal, (slot,)))


class KeptPart(_Voter):
    """Declares a seat lost and then does not give its part of the key."""

    def waits(self, crook: Crook, body: Body) -> bool:
        """For ever, with the part."""
        self.done = self.done or isinstance(body, Rescue)
        return isinstance(body, Rescue)


class TwoAlone(_Voter):
    """Declares an honest seat lost together with one other, its accomplice."""

    def believes(self, crook: Crook, seat: Seat) -> bool:
        """Only the two: the crook, and the seat after it."""
        return seat in (crook.seat, next_seat(crook.seat))

    def unasked(self, crook: Crook) -> Body | None:
        """Nothing."""
        super().unasked(crook)
        votes = crook.match.current.votes
        self.done = self.done or sum(vote is not None for vote in votes) == 2
        return None


class PlayingOn(Scheme):
    """Plays on in a deal that the others go on with without its seat."""

    def unasked(self, crook: Crook) -> Body | None:
        """A lead, when it has seen that its seat is lost."""
        deal = crook.match.current
        if crook.may_declare_lost:
            self.missing = crook.seat
        if self.done or deal.loss is None or deal.loss.seat != crook.seat or deal.played_out:
            return None
        self.done = True
        slot = next(iter(crook.hand().values()))
        return Led(deal.number, len(deal.tricks) - 1, (slot,), crook.shares_of(deal, (slot,)))


class SecretSalt(Scheme):
    """Discards so that nobody could ever turn the cards up without it, and vanishes."""

    _false: int | None = None
    """The number of its discard with a salt of its own."""

    def prefers(self, play: Play) -> bool:
        """Only a discard has a salt."""
        return isinstance(play, Discard)

    def instead(self, crook: Crook, body: Body) -> Body:
        """The same cards under a salt that does not come from the seed in the parts."""
        if self.done or not isinstance(body, Discarded):
            return body
        ring = crook.keyring
        held = tuple(sorted(crook.hand(body).values()))
        slots = ring.recall_discard(body.deal, body.trick, body.on, body.commitment, body.count, held)
        assert slots is not None
        self.done = True
        self._false = crook.log.length(crook.seat)
        commitment = commit_discard(
            crook.match_id, body.deal, body.trick, crook.seat, body.on, bytes(32), slots
        )
        ring.remember(commitment, slots)
        return replace(body, commitment=commitment)

    def unasked(self, crook: Crook) -> Body | None:
        """Nothing; but it vanishes as soon as somebody has seen the discard."""
        if self._false is not None and _is_seen(crook, self._false):
            self.missing = crook.seat
        return None

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """Nothing any more, once it has vanished."""
        return [frame] if self.missing is None else []


def _is_seen(crook: Crook, seq: int) -> bool:
    """Whether one of the others has referred to an event of the crook's."""
    heads = [(seat, head) for seat, head in enumerate(crook.log.heads()) if seat != crook.seat and head]
    return any(crook.log.entry(seat, head.seq).vector[crook.seat] >= seq for seat, head in heads)
