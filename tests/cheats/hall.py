"""Three honest tables and a crook without sockets: what each sends reaches the others in any order.

Everything follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from engine import SEATS, Options, Play, Seat
from protocol.audit import Audit
from protocol.effects import Effect, Later, Persist, Send
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.table import Table
from tests.cheats.crook import Crook, Scheme
from tests.protocol.matches import audit, log_file
from tests.protocol.tables import name_of, seat_of, set_up

STEPS = 60_000
"""More than any match here takes."""


class Hall:
    """Carries frames and makes the players play."""

    def __init__(self, scheme: Scheme, seed: int, seat: Seat, target: int) -> None:
        self.setup = set_up(seed, Options(target=target))
        self.rng = Random(f"cheats {seed}")
        genesis, identity, secret = self.setup.genesis, self.setup.identities[seat], self.setup.secrets[seat]
        self.crook = Crook(genesis, seat, identity, secret, scheme)
        self.tables: list[Table] = [
            self.crook if other == seat else self.setup.table(other) for other in SEATS
        ]
        self.honest = [table for table in self.tables if table is not self.crook]
        self.disks: list[list[SignedEvent]] = [[] for _ in SEATS]
        self.apart = False
        """Whether the network has fallen into the halves that the scheme waits for."""
        self.refused = 0
        self._queue: list[tuple[Seat, Seat, bytes]] = []
        self._later: set[Seat] = set()
        for table in self.tables:
            self._perform(table, table.start())

    def run(self, done: Callable[[], bool]) -> None:
        """Let things happen until something has come about."""
        for _ in range(STEPS):
            if done():
                return
            self._step()
        raise AssertionError("it has not come about")

    def settle(self) -> None:
        """Deliver all that is on its way, and let three seconds pass."""
        for _ in range(3):
            self._quiet()
            self._tick()
        self._quiet()

    def audits(self) -> list[Audit]:
        """The audits of the logs that the honest nodes have on disk."""
        return [audit(log_file(self.setup.genesis, self.disks[table.seat])) for table in self.honest]

    def _step(self) -> None:
        if self.crook.scheme.missing is not None and self.rng.random() < 0.1:
            self.declare(self.rng.choice(self.tables))
        elif self._queue and self.rng.random() < 0.8:
            self._deliver()
        elif self._later and self.rng.random() < 0.5:
            self._work()
        elif not self.play(self.rng.choice(self.tables)) and not self._queue:
            self._tick()

    def _quiet(self) -> None:
        while self._queue:
            self._deliver()

    def _tick(self) -> None:
        for table in self.tables:
            self._perform(table, table.tick())

    def _work(self) -> None:
        seat = self.rng.choice(sorted(self._later))
        self._later.discard(seat)
        self._perform(self.tables[seat], self.tables[seat].work())

    def play(self, table: Table) -> bool:
        """Make a play of a table if it may play, one that the scheme likes if it is the crook's."""
        legal = table.legal()
        if legal:
            wanted = [play for play in legal if self._wants(table, play)]
            self._perform(table, table.play(self.rng.choice(wanted or legal)))
        return bool(legal)

    def declare(self, table: Table) -> None:
        """Let a table declare lost whom it takes for lost, if it can."""
        lost, believes = self.crook.scheme.missing, self.crook.scheme.believes
        if lost is not None and lost in table.may_declare_lost and believes(self.crook, table.seat):
            self._perform(table, table.declare_lost(lost))

    def _wants(self, table: Table, play: Play) -> bool:
        return table is self.crook and self.crook.scheme.prefers(play)

    def _deliver(self) -> None:
        sender, receiver, frame = self._queue.pop(self.rng.randrange(len(self._queue)))
        if self._cut(sender, receiver):
            return
        table = self.tables[receiver]
        try:
            self._perform(table, table.receive(name_of(sender), frame))
        except FrameRejected:
            self.refused += 1

    def _cut(self, sender: Seat, receiver: Seat) -> bool:
        halves = self.crook.scheme.halves
        return (
            self.apart
            and self.crook.seat not in (sender, receiver)
            and (sender in halves) != (receiver in halves)
        )

    def _perform(self, table: Table, effects: Iterable[Effect]) -> None:
        seat = table.seat
        for effect in effects:
            if isinstance(effect, Persist):
                self.disks[seat].extend(event.signed for event in effect.events)
            elif isinstance(effect, Send):
                peers = SEATS if effect.peer is None else (seat_of(effect.peer),)
                for peer in peers:
                    if peer != seat:
                        self._post(table, peer, effect.frame)
            elif isinstance(effect, Later):
                self._later.add(seat)

    def _post(self, table: Table, peer: Seat, frame: bytes) -> None:
        frames = table.on_wire(peer, frame) if isinstance(table, Crook) else [frame]
        self._queue.extend((table.seat, peer, sent) for sent in frames)
