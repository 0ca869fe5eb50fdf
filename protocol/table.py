"""One node's side of one match, without input or output (§9.5): frames and plays in, effects out.

This is the object that a node, a bot or a simulator drives. Every change comes back as effects in the
order in which they must happen; above all, an event is persisted before any byte of it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine import check, legal_actions
from engine.actions import Discard, Lead, Molodka, Play
from engine.cards import SEATS, Seat
from engine.errors import IllegalAction
from engine.state import State
from protocol.bodies import Beaten, Body, Claimed, Discarded, Led, Lost, pack_body
from protocol.duties import Duties
from protocol.effects import Changed, Effect, Later, Persist, Send
from protocol.errors import PlayRefused
from protocol.events import Event, Ref, SignedEvent, sign_event
from protocol.facts import HAND_SLOTS, DealFacts
from protocol.fields import DECK, STOCK
from protocol.genesis import Genesis
from protocol.identity import Identity
from protocol.keyring import Keyring
from protocol.log import EventLog
from protocol.match import Match
from protocol.recovery import Recovery
from protocol.replica import Received, Replica
from protocol.seat_view import SeatView
from protocol.translate import slots_of
from protocol.verdict import Verdict


class Table:
    """The seat of one player at one match."""

    def __init__(self, genesis: Genesis, seat: Seat, identity: Identity, secret: bytes) -> None:
        """`secret` is the seat's match secret, 32 bytes, stored before the match begins."""
        if genesis.roster[seat].identity != identity.public:
            raise ValueError("the identity is not the one that the roster has at this seat")
        self.genesis = genesis
        self.seat = seat
        self.log = EventLog(genesis)
        self.match = Match(self.log)
        self._identity = identity
        self._replica = Replica(self.log)
        self._keyring = Keyring(genesis, seat, secret)
        self._view = SeatView(self.match, self._keyring)
        self._duties = Duties(self.match, self._keyring, self._view)
        self._unsaved: list[Event] = []
        self._recovery: Recovery | None = None
        self.cloned = False
        """Whether another program has signed with this seat's key: then nothing more is signed here."""
        self._peer_heads: dict[bytes, tuple[Ref | None, ...]] = {}

    @property
    def state(self) -> State:
        """The game as this seat sees it."""
        return self._view.state

    @property
    def match_id(self) -> bytes:
        """The id of the match, 32 bytes."""
        return self.log.match_id

    @property
    def verdict(self) -> Verdict | None:
        """The proven fault that has stopped the match, if any."""
        return self.match.verdict

    @property
    def finished(self) -> bool:
        """Whether nothing more will happen: all have signed the end, or a fault is proven."""
        return self.match.whole or self.verdict is not None

    def level_with(self, peer: bytes) -> bool:
        """Whether the peer has last said that it has exactly what is here."""
        return self._peer_heads.get(peer) == self.log.heads()

    def legal(self) -> list[Play]:
        """What this seat may play now."""
        return legal_actions(self.state, self.seat) if self._view.may_play and self._may_sign else []

    def start(self) -> list[Effect]:
        """Begin, or go on after :meth:`load`: do whatever this seat owes."""
        return self._settle([], [])

    def load(self, stored: Iterable[SignedEvent], others: Mapping[Seat, bytes] | None = None) -> None:
        """Take in the events of this match that are on disk, before anything else happens.

        After a restart `others` names the three other nodes by seat: nothing is signed before each of them
        has shown what it has, but for one that this seat declares lost. The disk may be an old copy, and a
        seat that signs again what it has forgotten becomes an equivocator; its own newer events come back
        from the others first (§9.5).
        """
        received = Received()
        for signed in stored:
            self._replica.add(signed, received)
        self._judge(received)
        self._recovery = Recovery(self.seat, others) if others else None

    @property
    def unheard(self) -> frozenset[Seat]:
        """The seats that have not shown since the restart what they have."""
        return frozenset(self._recovery.unheard if self._recovery else ())

    def receive(self, peer: bytes, frame: bytes) -> list[Effect]:
        """Take in a frame from a peer; raises :class:`FrameRejected` when it breaks the grammar."""
        received = self._replica.receive(frame)
        if received.heads is not None:
            self._peer_heads[peer] = received.heads
            if self._recovery is not None:
                self._recovery.heard(peer, received.heads)
        return self._take_in(received, [Send(reply, peer) for reply in received.replies])

    def _take_in(self, received: Received, replies: list[Effect]) -> list[Effect]:
        self.cloned = self.cloned or self._shows_a_clone(received)
        self._judge(received)
        if received.forked:
            replies.append(Send(self._replica.have_frame()))
        return self._settle([*received.added, *received.forked], replies)

    def play(self, action: Play) -> list[Effect]:
        """Sign and send a play of this seat; raises :class:`PlayRefused` and signs nothing otherwise."""
        if action.seat != self.seat:
            raise PlayRefused("not-your-seat", "this seat is somebody else's")
        try:
            check(self.state, action)
        except IllegalAction as error:
            raise PlayRefused(error.code, str(error)) from error
        if self.match.verdicts:
            raise PlayRefused("match-stopped", "a fault is proven, and the match has stopped")
        if not self._view.may_play:
            raise PlayRefused("seat-lost", "a seat of this deal is lost; this one cannot play at the moment")
        if not self._may_sign:
            raise PlayRefused("recovering", "this seat still finds out what it has signed before")
        # Never the object itself: one that hides its cards, or whose numbers only equal seats, passes as the
        # play of a stranger would, but what would be signed for it convicts this seat.
        listed = next((play for play in self.legal() if play == action), None)
        if listed is None:
            raise PlayRefused("not-listed", "this is not one of the plays that the seat may make now")
        event = self._write(self._body_of(listed))
        return self._settle([event], [self._sending([event])])

    @property
    def may_declare_lost(self) -> tuple[Seat, ...]:
        """The seats that this one could declare lost now: one, once in a deal, while it is played (§7.12).

        After a restart only the one that is still to be heard, if all that the two others know is here: then
        the player's word that it is lost stands in for its own (§9.5).
        """
        match = self.match
        deal = match.current
        open_to_it = deal.state is not None and not match.over and not match.verdicts and deal.loss is None
        if not open_to_it or deal.votes[self.seat] is not None:
            return ()
        return tuple(seat for seat in SEATS if seat != self.seat and self._may_sign_without(seat))

    def declare_lost(self, seat: Seat) -> list[Effect]:
        """Sign that a seat is lost for this deal; raises :class:`PlayRefused` when that cannot be.

        When all three others have said so the seat's cards are opened, and a fixed rule plays them.
        """
        if seat not in self.may_declare_lost:
            raise PlayRefused("not-losable", "this seat cannot be declared lost now")
        event = self._write(Lost(self.match.current_number, seat))
        return self._settle([event], [self._sending([event])])

    def peer_changed(self, peer: bytes) -> list[Effect]:
        """A connection was made or lost: the peer may have less than it had, so compare logs anew (§9.4)."""
        self._peer_heads.pop(peer, None)
        return [Send(self._replica.have_frame(), peer)]

    def tick(self) -> list[Effect]:
        """Tell all peers what is here; to be called every second or two."""
        if self._recovery is not None:
            self._recovery.tick()
        return [*self._persist(), Send(self._replica.have_frame()), *self.work()]

    def work(self) -> list[Effect]:
        """Do one piece of long work, such as a shuffle; whoever drives the table chooses the moment."""
        if self._replica.ready:
            return self._take_in(self._replica.release(), [])
        body = self._duties.long_work() if self._may_sign else None
        if body is None:
            return [Later()] if self._may_sign and self._duties.has_long_work else []
        event = self._write(body)
        return self._settle([event], [self._sending([event])])

    def _shows_a_clone(self, received: Received) -> bool:
        """Whether somebody else signs with this seat's key: what comes back after a restart is our own."""
        own = received.forked if self._recovery is not None else [*received.added, *received.forked]
        return any(event.author == self.seat for event in own)

    def _judge(self, received: Received) -> None:
        for event in received.added:
            self.match.admit(event)
            self._view.advance()
        for proof in received.proofs:
            self.match.admit_fork(proof)

    def _settle(self, events: list[Event], sends: list[Effect]) -> list[Effect]:
        """Do what is owed; then one durable write of all that an own event refers to, and only then send."""
        owed = []
        while self._may_sign and (body := self._duties.next()) is not None:
            owed.append(self._write(body))
        self._unsaved += [*events, *owed]
        effects: list[Effect] = []
        if owed or sends or self.finished:
            effects += self._persist()
        effects += sends
        if owed:
            effects.append(self._sending(owed))
        if events or owed:
            if self.match.whole:
                effects.append(Send(self._replica.have_frame()))
            effects.append(Changed())
        if self._replica.ready or (self._may_sign and self._duties.has_long_work):
            effects.append(Later())
        return effects

    @property
    def _may_sign(self) -> bool:
        vote = self.match.current.votes[self.seat]
        if self._recovery is not None and self._may_sign_without(vote and vote.seat):
            self._recovery = None
        return not self.cloned and self._recovery is None

    def _may_sign_without(self, seat: Seat | None) -> bool:
        recovery = self._recovery
        return not self.cloned and (recovery is None or recovery.done(self.log.length(self.seat), seat))

    def _persist(self) -> list[Effect]:
        """Write what is not on disk yet.

        Events of others may wait for the next own one, whose references must never be newer than the disk.
        """
        events, self._unsaved = tuple(self._unsaved), []
        return [Persist(events)] if events else []

    def _sending(self, events: list[Event]) -> Send:
        return Send(self._replica.events_frame([event.signed for event in events]))

    def _write(self, body: Body) -> Event:
        """Sign an event that refers to all that is here, and put it through the same judge as any other."""
        seat = self.seat
        head = self.log.head(seat)
        refs = [None if other == seat else ref for other, ref in enumerate(self.log.heads())]
        event = sign_event(
            self._identity,
            self.log.match_id,
            seat,
            self.log.length(seat),
            head.id if head else self.log.match_id,
            refs,
            body.KIND,
            pack_body(body),
        )
        self.log.offer(event)
        self.match.admit(event)
        self._view.advance()
        return event

    def _body_of(self, action: Play) -> Body:
        deal = self.match.current
        trick = len(deal.tricks) - 1
        held = self._view.hand_slots(deal, trick)
        if isinstance(action, Discard):
            slots = slots_of(action.cards or (), held)
            commitment = self._keyring.commit(deal.number, trick, action.on, slots)
            return Discarded(deal.number, trick, action.on, action.count, commitment)
        slots = slots_of(action.cards, held)
        shares = self._shares(deal, slots)
        if isinstance(action, Lead):
            return Led(deal.number, trick, slots, shares)
        if isinstance(action, Molodka):
            return Claimed(deal.number, trick, slots, shares)
        return Beaten(deal.number, trick, action.on, slots, shares)

    def _shares(self, deal: DealFacts, slots: tuple[int, ...]) -> bytes:
        hand = [slot for slot in slots if slot < HAND_SLOTS]
        stock = [slot for slot in slots if slot >= HAND_SLOTS]
        return b"".join(
            self._duties.shares(deal, stage, part, [deal.ciphertext(slot) for slot in part])
            for stage, part in ((DECK, hand), (STOCK, stock))
        )
