"""Cheating in the conversation: two stories, old stories, others' names, noise and silence."""

# ruff: noqa: ARG002  Hooks have the arguments of their kind, whether or not they need them.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine import Beat, Play, Seat, next_seat
from protocol.bodies import Accept, Beaten, Body, Discarded, Opened, Result
from protocol.crypto.group import ORDER
from protocol.encoding import pack
from protocol.events import Event, Ref, SignedEvent, decode_event
from protocol.limits import MAX_EVENT_BYTES, MAX_SEQ
from protocol.log import EventLog
from protocol.replica import HAVE, Replica, parse_frame
from tests.cheats.crook import Crook, Playing, Scheme
from tests.protocol.tables import events_in


class TwoStories(Scheme):
    """Makes one play before one of the others, and another play before the rest."""

    def __init__(self) -> None:
        self.twins: tuple[Event, Event] | None = None
        """Two plays with one number: what most are told, and what the audience is told."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The first of its own plays for which there is another one."""
        if self.done or not isinstance(body, Playing):
            return body
        other = self.other(crook, body)
        if other is not None:
            self.done = True
            self.twins = crook.sign(body), crook.sign(other)
        return body

    def other(self, crook: Crook, body: Playing) -> Body | None:
        """Another play that could be made just as well."""
        return next((other for other in map(crook.body_of, crook.legal()) if other != body), None)

    def audience(self, crook: Crook) -> frozenset[Seat]:
        """Who is told the other story."""
        return frozenset({next_seat(crook.seat)})

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """To each the story that it is to believe, again and again, and nothing that betrays the other."""
        if self.twins is None:
            return [frame]
        story = self.twins[peer in self.audience(crook)]
        others = [event for event in events_in(frame) if decode_event(event).vector[crook.seat] < story.seq]
        return [crook.frame([*others, story.signed])] if others or parse_frame(frame)[0] == HAVE else []


class TwoHalves(TwoStories):
    """Waits for a partition of the network and makes one play in one half, another in the other."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """With the two stories the partition begins."""
        body = super().instead(crook, body)
        if self.done:
            self.halves = self.audience(crook)
        return body


class BeatOrDiscard(TwoStories):
    """Shows its cards to some as beating, and says to another that it has discarded them face down."""

    def prefers(self, play: Play) -> bool:
        """It must be able to beat."""
        return isinstance(play, Beat)

    def other(self, crook: Crook, body: Playing) -> Body | None:
        """The same cards, face down."""
        if not isinstance(body, Beaten):
            return None
        commitment = crook.keyring.commit(body.deal, body.trick, body.on, body.slots)
        return Discarded(body.deal, body.trick, body.on, len(body.slots), commitment)


class BackdatedRefs(Scheme):
    """Claims with its play not to have seen what it had seen."""

    def refs(self, crook: Crook, body: Body) -> Sequence[Ref | None]:
        """All that was there, but of one seat nothing."""
        refs = crook.seen()
        if self.done or not isinstance(body, Playing):
            return refs
        self.done = True
        refs[next_seat(crook.seat)] = None
        return refs


class ReplayedMatch(Scheme):
    """Sends events of another match of the same four again, as they are and as if they were of this one."""

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """An acceptance of the other match, with every report of what is here."""
        if parse_frame(frame)[0] != HAVE:
            return [frame]
        self.done = True
        genesis = replace(crook.genesis, table="Another")
        elsewhere = Crook(genesis, crook.seat, crook._identity, bytes(32), Scheme())
        old = elsewhere.sign(Accept(bytes([9]) * 32)).signed
        return [Replica(EventLog(genesis)).events_frame([old]), crook.frame([old]), frame]


class ForgedSignature(Scheme):
    """Sends results in the names of the others, with a signature of its own key."""

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """A next event of each other seat, with every report of what is here."""
        if parse_frame(frame)[0] != HAVE:
            return [frame]
        self.done = True
        return [
            crook.frame([self._forged(crook, next_seat(crook.seat, steps)) for steps in (1, 2, 3)]),
            frame,
        ]

    def _forged(self, crook: Crook, seat: Seat) -> SignedEvent:
        head = crook.log.head(seat)
        refs = [None if other == seat else ref for other, ref in enumerate(crook.log.heads())]
        seq, prev = (head.seq + 1, head.id) if head else (0, crook.match_id)
        return crook.sign_as(seat, seq, prev, refs, Result(0, bytes(32))).signed


class MalleatedSignature(Scheme):
    """Sends every event first with its signature changed so that a careless check would accept it: S + q."""

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """The changed signatures, then the true ones."""
        events = [self._malleated(event) for event in events_in(frame)]
        self.done = self.done or bool(events)
        return [crook.frame(events), frame] if events else [frame]

    def _malleated(self, event: SignedEvent) -> SignedEvent:
        s = int.from_bytes(event.signature[32:], "little") + ORDER
        return event._replace(signature=event.signature[:32] + s.to_bytes(32, "little"))


class Flood(Scheme):
    """Pours out junk, and signed events that refer to what does not exist and so can never be used."""

    FRAMES = 300
    """To each of the others."""

    def __init__(self) -> None:
        self._sent: dict[Seat, int] = {}

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """Thirty frames more with each frame, up to a number at which any queue would be full."""
        sent = self._sent.get(peer, 0)
        if sent >= self.FRAMES:
            return [frame]
        self.done = True
        self._sent[peer] = sent + 30
        useless = [self._useless(crook, sent + number) for number in range(27)]
        junk = [b"\xff" * 60_000, pack((HAVE,)), crook.frame([crook.sign_bytes(bytes(MAX_EVENT_BYTES))])]
        return [*useless, *junk, frame]

    def _useless(self, crook: Crook, number: int) -> bytes:
        nowhere = [None if seat == crook.seat else Ref(MAX_SEQ, bytes(32)) for seat in range(4)]
        seqs = range(MAX_SEQ - 3 * number - 3, MAX_SEQ - 3 * number)
        return crook.frame(
            crook.sign_as(crook.seat, seq, bytes(32), nowhere, Result(0, bytes(32))).signed for seq in seqs
        )


class Silence(Scheme):
    """Says nothing any more, from the first trick on."""

    def wire(self, crook: Crook, peer: Seat, frame: bytes) -> Iterable[bytes]:
        """Nothing, once its cards are dealt."""
        self.done = self.done or crook.view.may_play
        return [] if self.done else [frame]


class SilentOpening(Scheme):
    """Plays the deal to its end and then never opens its discards."""

    def waits(self, crook: Crook, body: Body) -> bool:
        """For ever, with the opening."""
        self.done = self.done or isinstance(body, Opened)
        return isinstance(body, Opened)
