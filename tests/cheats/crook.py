"""A seat that plays like any other until its moment has come, and then cheats.

A :class:`Crook` is a :class:`~protocol.table.Table` with the same keys, duties and plays as an honest one; a
:class:`Scheme` bends what it signs and what its node sends.
"""

# ruff: noqa: ARG002  Hooks have the arguments of their kind, whether or not they need them.

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine import Card, Play, Seat
from protocol import domains
from protocol.bodies import Beaten, Body, Claimed, Discarded, Led, pack_body
from protocol.duties import Duties
from protocol.events import Event, Ref, SignedEvent, sign_event
from protocol.facts import DealFacts
from protocol.genesis import Genesis
from protocol.identity import Identity
from protocol.keyring import Keyring
from protocol.replica import EVENTS, HAVE, Received, Replica, parse_frame
from protocol.seat_view import SeatView
from protocol.table import Table

Showing = Led | Beaten | Claimed
Playing = Led | Beaten | Claimed | Discarded


class Scheme:
    """One way to cheat; by itself it does nothing wrong. Used for one match."""

    done = False
    """Whether the moment has come."""
    halves: frozenset[Seat] = frozenset()
    """Those of the others that are on the one side of a partition, once there is one."""
    missing: Seat | None = None
    """The seat that others take for lost, once there is one (§7.12)."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """What is signed in place of what is owed or was played."""
        return body

    def unasked(self, crook: Crook) -> Body | None:
        """What is signed although nobody asked for it."""
        return None

    def waits(self, crook: Crook, body: Body) -> bool:
        """Whether the crook keeps back what it owes."""
        return False

    def refs(self, crook: Crook, body: Body) -> Sequence[Ref | None]:
        """What the crook says that it has seen."""
        return crook.seen()

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """What really goes to a peer in place of a frame."""
        return [frame]

    def believes(self, crook: Crook, seat: Seat) -> bool:
        """Whether a seat takes the one that is `missing` for lost."""
        return True

    def prefers(self, play: Play) -> bool:
        """Whether a play brings the moment nearer."""
        return False


class Crook(Table):
    """The seat of one cheat at one match."""

    def __init__(
        self, genesis: Genesis, seat: Seat, identity: Identity, secret: bytes, scheme: Scheme
    ) -> None:
        super().__init__(genesis, seat, identity, secret)
        self.scheme = scheme
        self.keyring = self._keyring = CrookedKeyring(genesis, seat, secret)
        self.view = self._view = SeatView(self.match, self.keyring)
        self.duties = self._duties = CrookedDuties(self)
        self.lies: list[Event] = []
        """What was signed against the rules."""

    def seen(self) -> list[Ref | None]:
        """The references that an honest seat would give now."""
        return [None if seat == self.seat else ref for seat, ref in enumerate(self.log.heads())]

    def sign(self, body: Body, refs: Sequence[Ref | None] | None = None) -> Event:
        """Sign a body as this seat's next event, without taking it into the log."""
        head = self.log.head(self.seat)
        return sign_event(
            self._identity,
            self.match_id,
            self.seat,
            self.log.length(self.seat),
            head.id if head else self.match_id,
            self.seen() if refs is None else refs,
            body.KIND,
            pack_body(body),
        )

    def sign_as(self, seat: Seat, seq: int, prev: bytes, refs: Sequence[Ref | None], body: Body) -> Event:
        """An event in the name of any seat at any number, with the only key that the crook has."""
        return sign_event(self._identity, self.match_id, seat, seq, prev, refs, body.KIND, pack_body(body))

    def sign_bytes(self, data: bytes) -> SignedEvent:
        """Any bytes with a valid signature."""
        return SignedEvent(data, self._identity.sign(domains.EVENT_SIGNATURE, data))

    def frame(self, events: Iterable[SignedEvent]) -> bytes:
        """The frame that carries some events."""
        return Replica(self.log).events_frame(list(events))

    def body_of(self, play: Play) -> Body:
        """The body of a play that is legal now."""
        return self._body_of(play)

    def shares_of(self, deal: DealFacts, slots: tuple[int, ...]) -> bytes:
        """Shares of any slots, with proofs that hold."""
        return self._shares(deal, slots)

    def hand(self, body: Playing | None = None) -> dict[Card, int]:
        """The cards that the crook really holds in the trick that is played, with their slots."""
        deal = self.match.current
        return self.view.hand_slots(deal, body.trick if body else len(deal.tricks) - 1)

    def on_wire(self, peer: Seat, frame: bytes) -> list[bytes]:
        """What the crook's node sends to a peer in place of a frame."""
        if parse_frame(frame)[0] not in (HAVE, EVENTS):
            return [frame]
        return list(self.scheme.wire(self, peer, frame))

    def _write(self, body: Body) -> Event:
        bent = self.scheme.instead(self, body)
        refs = self.scheme.refs(self, body)
        event = self.sign(bent, refs)
        if bent != body or list(refs) != self.seen() or body is self.duties.uncalled_for:
            self.lies.append(event)
        self.log.offer(event)
        self.match.admit(event)
        self.view.advance()
        return event

    def _shows_a_clone(self, received: Received) -> bool:
        return False  # It knows very well who else signs with its key.


class CrookedDuties(Duties):
    """What the crook does next: what it owes, unless its scheme has something better."""

    def __init__(self, crook: Crook) -> None:
        super().__init__(crook.match, crook.keyring, crook.view)
        self._crook = crook
        self.uncalled_for: Body | None = None

    def next(self) -> Body | None:
        """The scheme's own idea, or the duty unless it is kept back."""
        scheme = self._crook.scheme
        if not self._crook.match.verdicts:
            self.uncalled_for = scheme.unasked(self._crook)
            if self.uncalled_for is not None:
                return self.uncalled_for
        body = super().next()
        return None if body is not None and scheme.waits(self._crook, body) else body


class CrookedKeyring(Keyring):
    """Remembers what really lies under commitments that say something else."""

    def __init__(self, genesis: Genesis, seat: Seat, secret: bytes) -> None:
        super().__init__(genesis, seat, secret)
        self._thrown: dict[bytes, tuple[int, ...]] = {}

    def commit_falsely(self, body: Discarded, thrown: tuple[int, ...], said: tuple[int, ...]) -> bytes:
        """Commit to the slots `said`, and remember that the slots `thrown` have left the hand."""
        commitment = self.commit(body.deal, body.trick, body.on, said)
        self.remember(commitment, thrown)
        return commitment

    def remember(self, commitment: bytes, thrown: tuple[int, ...]) -> None:
        """The slots `thrown` have left the hand under a commitment."""
        self._thrown[commitment] = thrown

    def recall_discard(
        self, deal: int, trick: int, on: Seat, commitment: bytes, count: int, held: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """The slots that have left the hand."""
        known = self._thrown.get(commitment)
        return known or super().recall_discard(deal, trick, on, commitment, count, held)
