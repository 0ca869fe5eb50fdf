"""The programs in a simulation: a node for each seat, a spectator, and the two faces of an equivocator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from engine import SEATS, Molodka, Seat
from protocol.effects import Changed, Effect, Later, Persist, Send
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import HAVE, Replica, parse_frame
from tests.protocol.tables import name_of, seat_of
from tests.simulation.faults import PLACES, SPECTATOR
from tests.simulation.findings import Code, Finding
from tests.simulation.ledger import events_carried

if TYPE_CHECKING:
    from tests.simulation.world import World

_TICK_SECONDS: Final = 1.0
_WORK_SECONDS: Final = 0.002
_THINKING_SECONDS: Final = (0.02, 0.4)


class Node(ABC):
    """A program that runs, can die between any two effects, and is started again."""

    def __init__(self, world: World, place: int) -> None:
        self.world = world
        self.place = place
        self.peers: tuple[int, ...] = tuple(other for other in PLACES if other != place)
        self.life = 0
        self.alive = False
        self.effects = 0
        """Number of effects that were begun, in all lives."""
        self.syncs = 0
        """Number of writes that were made durable."""

    @property
    @abstractmethod
    def match(self) -> Match:
        """The match as this node knows it."""

    @property
    def finished(self) -> bool:
        """Whether this node is up, and its match has ended or is stopped by a verdict."""
        return self.alive and (self.match.whole or self.match.verdict is not None)

    def boot(self) -> None:
        """The program starts, or starts again."""
        self.life += 1
        self.alive = True
        self.perform(self.begin())
        self._tick(self.life)

    @abstractmethod
    def begin(self) -> list[Effect]:
        """Set up from what is on disk."""

    @abstractmethod
    def take(self, sender: int, frame: bytes) -> list[Effect]:
        """Take in a frame."""

    @abstractmethod
    def tick(self) -> list[Effect]:
        """A second has passed."""

    @abstractmethod
    def do(self, effect: Effect) -> None:
        """Perform one effect."""

    @abstractmethod
    def noticed(self, peer: int) -> None:
        """A connection was lost or made."""

    def receive(self, sender: int, frame: bytes) -> None:
        """A frame arrives; it is lost when the program is not running."""
        if not self.alive:
            return
        try:
            self.perform(self.take(sender, frame))
        except FrameRejected:
            self.world.network.tally.faults["refused frame"] += 1

    def perform(self, effects: Iterable[Effect]) -> None:
        """Perform effects one by one; the plan says before which of them the program dies."""
        for effect in effects:
            self.effects += 1
            if self.world.crashes(self, effect):
                return
            self.do(effect)
            if isinstance(effect, Persist):
                self.syncs += 1

    def send(self, frame: bytes, peer: bytes | None) -> None:
        """Give a frame to the network."""
        for receiver in self.peers if peer is None else (seat_of(peer),):
            self.world.post(self, receiver, frame)

    def _tick(self, life: int) -> None:
        if life != self.life or not self.alive:
            return
        stopped = self.world.network.stopped_clock(self.place)
        for _ in range(stopped.ticks if stopped else 1):
            if self.alive:
                self.perform(self.tick())
        pause = stopped.end - self.world.network.now if stopped else _TICK_SECONDS
        self.world.network.after(pause, lambda: self._tick(life))


class SeatNode(Node):
    """A player's node: a table, a disk that keeps what was synced, and a player who plays at random."""

    def __init__(self, world: World, place: Seat) -> None:
        super().__init__(world, place)
        self.disk: list[SignedEvent] = []
        self.table = world.new_table(place)
        self._working = self._thinking = 0

    @property
    def match(self) -> Match:
        """The match as this node knows it."""
        return self.table.match

    def begin(self) -> list[Effect]:
        """Load the disk, and go on."""
        self.table = self.world.new_table(self.place)
        others = {seat: name_of(seat) for seat in SEATS if seat != self.place}
        self.table.load(self.disk, others if self.life > 1 else None)
        if len(self.table.log) + len(self.table.log.forks) < len(self.disk):
            raise Finding(Code.LOST, f"seat {self.place} cannot use all that was on its disk")
        return self.table.start()

    def take(self, sender: int, frame: bytes) -> list[Effect]:
        """Hand a frame to the table."""
        effects = self.table.receive(name_of(sender), frame)
        self._wake()
        return effects

    def tick(self) -> list[Effect]:
        """Tell the table."""
        self._wake()
        return self.table.tick()

    def noticed(self, peer: int) -> None:
        """A connection was lost or made."""
        if self.alive:
            self.perform(self.table.peer_changed(name_of(peer)))

    def do(self, effect: Effect) -> None:
        """What a node does with an effect."""
        if isinstance(effect, Persist):
            signed = [event.signed for event in effect.events]
            self.world.ledger.note(self.place, signed)
            self.disk.extend(signed)
        elif isinstance(effect, Send):
            self.world.ledger.note(self.place, events_carried(effect.frame))
            self.send(effect.frame, effect.peer)
        elif isinstance(effect, Changed):
            self._wake()
        elif isinstance(effect, Later) and self._working != self.life:
            life = self._working = self.life
            self.world.network.after(_WORK_SECONDS, lambda: self._work(life))

    def _work(self, life: int) -> None:
        if life == self.life and self.alive:
            self._working = 0
            self.perform(self.table.work())

    def _wake(self) -> None:
        if self._thinking != self.life:
            life = self._thinking = self.life
            pause = self.world.players.uniform(*_THINKING_SECONDS)
            self.world.network.after(pause, lambda: self._play(life))

    def _play(self, life: int) -> None:
        if life != self.life or not self.alive:
            return
        self._thinking = 0
        legal, rng = self.table.legal(), self.world.players
        # Out of turn there are only claims: they come at any moment, or not at all.
        on_turn = any(not isinstance(play, Molodka) for play in legal)
        if legal and (on_turn or rng.random() < 0.3):
            self.perform(self.table.play(self.world.policy(rng, self.table.state, self.place, legal)))


class Liar(SeatNode):
    """One face of an equivocator: it knows nothing of what its other face has signed."""

    last: int | None = None
    """The length of its feed at which this face falls silent."""
    hidden: int | None = None
    """The number of the one event that this face never shows."""

    @property
    def silent(self) -> bool:
        """Whether this face signs nothing more."""
        return self.last is not None and self.table.log.length(self.place) >= self.last

    def do(self, effect: Effect) -> None:
        """Like an honest node, for as long as it signs at all."""
        self.table.cloned = self.silent
        super().do(effect)

    def send(self, frame: bytes, peer: bytes | None) -> None:
        """Send everything but what is hidden."""
        batch = events_carried(frame) if self.hidden is not None else []
        if batch:
            shown = [signed for signed in batch if not self._is_hidden(signed)]
            frame = Replica(self.table.log).events_frame(shown)
        super().send(frame, peer)

    def _is_hidden(self, signed: SignedEvent) -> bool:
        event = self.world.ledger.read(signed)
        return event is not None and (event.author, event.seq) == (self.place, self.hidden)

    def take(self, sender: int, frame: bytes) -> list[Effect]:
        """Read everything but one's own events that this face has not made.

        What builds on those is missing here for ever: asking for it only once a second keeps the peace.
        """
        batch = events_carried(frame)
        if batch:
            own = {entry.id for entry in self.table.log.entries_from(self.place, 0)}
            known = [signed for signed in batch if not self._is_foreign(signed, own)]
            frame = Replica(self.table.log).events_frame(known)
        effects = super().take(sender, frame)
        return [
            e for e in effects if not (isinstance(e, Send) and e.peer and parse_frame(e.frame)[0] == HAVE)
        ]

    def _is_foreign(self, signed: SignedEvent, own: set[bytes]) -> bool:
        event = self.world.ledger.read(signed)
        return event is not None and event.author == self.place and event.id not in own


class Spectator(Node):
    """Replicates and signs nothing: it asks for what it lacks and passes on what it has. It has no disk."""

    def __init__(self, world: World) -> None:
        super().__init__(world, SPECTATOR)
        self._open()

    def _open(self) -> None:
        self.log = EventLog(self.world.setup.genesis)
        self._match = Match(self.log)
        self._replica = Replica(self.log)

    @property
    def match(self) -> Match:
        """The match as this node knows it."""
        return self._match

    def begin(self) -> list[Effect]:
        """Begin with nothing."""
        self._open()
        return []

    def take(self, sender: int, frame: bytes) -> list[Effect]:
        """Judge what is new, ask for what is missing, and pass on what the sender lacks."""
        received = self._replica.receive(frame)
        self._match.take(received)
        while self._replica.ready:
            self._match.take(self._replica.release())
        return [Send(reply, name_of(sender)) for reply in received.replies]

    def tick(self) -> list[Effect]:
        """Say what is here."""
        return [Send(self._replica.have_frame())]

    def noticed(self, peer: int) -> None:
        """Nothing: the next second's question is soon enough."""

    def do(self, effect: Effect) -> None:
        """Send."""
        if isinstance(effect, Send):
            self.send(effect.frame, effect.peer)
