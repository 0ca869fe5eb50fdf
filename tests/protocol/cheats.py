"""A seat that signs whatever it likes, and three honest tables that watch it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from engine import SEATS, Seat
from protocol.audit import Audit, Finding
from protocol.bodies import Body, pack_body, parse_body
from protocol.crypto.group import base
from protocol.crypto.share import make_share
from protocol.effects import Effect, Persist, Send
from protocol.encoding import Value
from protocol.events import Event, Ref, SignedEvent, sign_event
from protocol.fields import DECK, STOCK
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import Received, Replica
from protocol.table import Table
from protocol.verdict import Verdict
from tests.protocol.matches import Played, audit, facts_of, log_file, rich
from tests.protocol.tables import events_in


class Cheat:
    """A member of the table with keys and secrets, but no scruples: it follows the log and signs by hand."""

    def __init__(self, played: Played, seat: Seat) -> None:
        setup = played.setup
        self.seat = seat
        self.identity = setup.identities[seat]
        self.keyring = setup.keyring(seat)
        self.log = EventLog(setup.genesis)
        self.match = Match(self.log)
        self._replica = Replica(self.log)

    def take(self, events: Iterable[SignedEvent]) -> None:
        """Take in the events of others."""
        received = Received()
        for signed in events:
            self._replica.add(signed, received)
        for event in received.added:
            self.match.admit(event)

    def sign(
        self,
        kind: str,
        fields: Sequence[Value],
        *,
        refs: Sequence[Ref | None] | None = None,
        keep: bool = True,
    ) -> Event:
        """Sign any body on top of what is here; without `keep` as if it had never happened."""
        heads = self.log.heads() if refs is None else refs
        head = self.log.head(self.seat)
        event = sign_event(
            self.identity,
            self.log.match_id,
            self.seat,
            self.log.length(self.seat),
            head.id if head else self.log.match_id,
            [None if seat == self.seat else ref for seat, ref in enumerate(heads)],
            kind,
            tuple(fields),
        )
        if keep:
            self.take([event.signed])
        return event

    def say(self, body: Body, *, refs: Sequence[Ref | None] | None = None, keep: bool = True) -> Event:
        """Sign a body of the protocol."""
        return self.sign(body.KIND, pack_body(body), refs=refs, keep=keep)


class Scene:
    """A played match, wound back to before one of its events, with one seat gone bad."""

    def __init__(self, played: Played, count: int, seat: Seat, unseen: Event | None = None) -> None:
        """All have seen the first `count` events, but the cheat not `unseen` and what refers to it."""
        self.setup = played.setup
        self.cheat = Cheat(played, seat)
        past = [event.signed for event in played.events[:count]]
        self.cheat.take(
            event.signed
            for event in played.events[:count]
            if unseen is None or (event is not unseen and not event.saw(unseen.position))
        )
        self.honest: dict[Seat, Table] = {s: self.setup.table(s) for s in SEATS if s != seat}
        self.disks: dict[Seat, list[SignedEvent]] = {s: list(past) for s in self.honest}
        for table in self.honest.values():
            table.load(past)
        self._queue: list[tuple[Seat | None, bytes]] = []

    def publish(self, *events: Event, to: Iterable[Seat] = SEATS) -> None:
        """The cheat sends events to some of the others, one by one."""
        for event in events:
            frame = self.honest_frame(event)
            self._queue.extend((seat, frame) for seat in to if seat in self.honest)

    def honest_frame(self, event: Event) -> bytes:
        """The frame that carries one event."""
        return Replica(self.cheat.log).events_frame([event.signed])

    def talk(self, seed: int = 0) -> None:
        """Carry all frames in some order, until nobody has anything to say and a tick changes nothing."""
        rng = Random(seed)
        for _ in range(3):
            while self._queue:
                receiver, frame = self._queue.pop(rng.randrange(len(self._queue)))
                if receiver is None:
                    self.cheat.take(events_in(frame))
                else:
                    self.perform(receiver, self.honest[receiver].receive(b"a peer", frame))
            for seat, table in self.honest.items():
                self.perform(seat, table.tick())

    def start(self) -> None:
        """The honest tables do what they owe."""
        for seat, table in self.honest.items():
            self.perform(seat, table.start())

    def perform(self, seat: Seat, effects: Iterable[Effect]) -> None:
        """What a node does with effects; every reply goes to all, the cheat included."""
        for effect in effects:
            if isinstance(effect, Persist):
                self.disks[seat].extend(event.signed for event in effect.events)
            elif isinstance(effect, Send):
                self._queue.extend((other, effect.frame) for other in self.honest if other != seat)
                self._queue.append((None, effect.frame))

    def audit(self) -> Audit:
        """The audit of an honest node's log file."""
        return audit(log_file(self.setup.genesis, self.disks[next(iter(self.honest))]))

    def verdict(self) -> Verdict:
        """The one verdict of all honest tables and of the audit; nobody else is accused anywhere."""
        verdicts = [table.verdict for table in self.honest.values()]
        everything = [verdict for table in self.honest.values() for verdict in table.match.verdicts]
        found = self.audit()
        assert found.finding is Finding.CHEAT
        assert found.match is not None
        verdicts.append(found.verdict)
        everything.extend(found.match.verdicts)
        assert {verdict.culprit for verdict in everything} == {self.cheat.seat}
        first = verdicts[0]
        assert first is not None
        assert verdicts == [first] * len(verdicts)
        assert all(table.finished and not table.legal() for table in self.honest.values())
        return first


def caught(scene: Scene, fault: str, *events: bytes, explanation: str = "") -> None:
    """The cheat is convicted of this fault, by these events, at every table and in every audit."""
    scene.talk()
    verdict = scene.verdict()
    assert (verdict.culprit, verdict.fault, verdict.events) == (scene.cheat.seat, fault, events)
    assert explanation in verdict.explanation


def before(kind: str, nth: int = 0, match: Played | None = None) -> tuple[Scene, Event]:
    """The scene just before the n-th event of a kind, its author gone bad; and that event."""
    match = match or rich()
    count = match.index(kind, nth)
    event = match.events[count]
    return Scene(match, count, event.author), event


def replaced(event: Event, **fields: object) -> Body:
    """The body of an event with some fields replaced."""
    return replace(parse_body(event.kind, event.body), **fields)  # type: ignore[arg-type]


def flipped(data: bytes, place: int = 0) -> bytes:
    """The bytes with one bit changed."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def told_twice(match: Played) -> tuple[int, Event, Event]:
    """The place of a lead in the match, the lead, and another one that its author signs as well."""
    count = match.index("lead", 1)
    honest = match.events[count]
    cheat = Cheat(match, honest.author)
    cheat.take(event.signed for event in match.events[:count])
    return count, honest, cheat.sign("lead", (*honest.body[:3], b"x" * 96), keep=False)


def shares(cheat: Cheat, deal: int, slots: tuple[int, ...]) -> bytes:
    """Honest shares of the cheat for some slots, due or not."""
    facts, ring = facts_of(cheat.match, deal), cheat.keyring
    key = ring.deal_key(deal)
    return b"".join(
        make_share(
            ring.context(deal, DECK if slot < 16 else STOCK),
            slot,
            key,
            base(key),
            facts.ciphertext(slot),
            ring.proof_secret,
        ).to_bytes()
        for slot in slots
    )
