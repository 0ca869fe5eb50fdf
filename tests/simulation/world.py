"""One run: four nodes and a spectator on a bad network, then a quiet phase in which all must come right."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from engine import SEATS, Seat
from protocol.effects import Effect, Persist
from protocol.table import Table
from tests.protocol.tables import Policy, Setup, any_play, greedy, hoard, set_up
from tests.simulation.checks import check, is_split
from tests.simulation.faults import Crash, Cut, Kind, Moment, Plan
from tests.simulation.findings import Code, Finding, Tally
from tests.simulation.ledger import Ledger
from tests.simulation.network import Network
from tests.simulation.nodes import Liar, Node, SeatNode, Spectator
from tests.simulation.stand_ins import cheap_proofs
from tests.simulation.vanishing import Vanishing

MakeTable: TypeAlias = Callable[[Setup, Seat], Table]

_PATIENCE_SECONDS: Final = 120.0
"""How long after the last fault the match may take."""
_AFTERWARDS_SECONDS: Final = 5.0
"""How long the nodes talk on when all have finished: a late proof must still reach everybody."""
_NOTICED_SECONDS: Final = (2.0, 3.4)
"""How long after a connection broke or came back the link's heartbeats tell the node."""


class World:
    """Everything that takes part in one run."""

    def __init__(self, plan: Plan, make_table: MakeTable = Setup.table) -> None:
        self.plan = plan
        self.setup = set_up(plan.seed)
        self.network = Network(plan)
        self.ledger = Ledger()
        self.players = Random(f"players {plan.seed}")
        self.policy: Policy = self.players.choice((any_play, any_play, hoard, greedy))
        self._make_table = make_table
        crashes = (fault for fault in plan.faults if isinstance(fault, Crash))
        self._crashes = {(crash.place, crash.moment, crash.count): crash for crash in crashes}
        kinds = [Liar if plan.split and plan.split.seat == seat else SeatNode for seat in SEATS]
        self.seats: list[SeatNode] = [kind(self, seat) for seat, kind in zip(SEATS, kinds, strict=True)]
        self.spectator = Spectator(self)
        self.second_face: Liar | None = None
        self.vanishing = Vanishing(self)

    @property
    def honest(self) -> list[Node]:
        """All nodes but the equivocator's."""
        seats = [node for node in self.seats if self.second_face is None or node.place != self.cheat]
        return [*seats, self.spectator]

    @property
    def present(self) -> list[Node]:
        """The honest nodes that are there in the end."""
        return [node for node in self.honest if node.place not in self.vanishing.never_back]

    @property
    def cheat(self) -> Seat | None:
        """The seat that equivocates in this run."""
        return self.plan.split.seat if self.plan.split else None

    def new_table(self, seat: Seat) -> Table:
        """The table of a program that starts."""
        return self._make_table(self.setup, seat)

    def post(self, sender: Node, receiver: int, frame: bytes) -> None:
        """Give a frame to the network."""
        place = sender.place
        self.network.carry(
            place, receiver, frame, lambda data: self._node(receiver, place).receive(place, data)
        )

    def crashes(self, node: Node, effect: Effect) -> bool:
        """Tell a node that is about to perform an effect whether it dies instead."""
        self._split(node)
        if self.vanishing.watch(node, effect):
            return True
        crash = self._crash_due(node, effect)
        if crash is None or self.network.now >= self.plan.quiet or node.place == self.cheat:
            return False
        node.alive = False
        self.network.tally.crashes += 1
        self.network.tally.faults[Kind.CRASH] += 1
        self.network.tally.crash_points[type(effect).__name__] += 1
        back = min(crash.down, self.plan.quiet - self.network.now)
        self.network.after(back, node.boot)
        self.tell(self.network.now, node.place, node.peers)
        self.tell(self.network.now + back, node.place, node.peers)
        return True

    def _crash_due(self, node: Node, effect: Effect) -> Crash | None:
        moments = [(Moment.EFFECT, node.effects), (Moment.SYNCED, node.syncs)]
        if isinstance(effect, Persist):
            moments.append((Moment.UNSYNCED, node.syncs + 1))
        keys = ((node.place, *moment) for moment in moments)
        return next((self._crashes.pop(key) for key in keys if key in self._crashes), None)

    def run(self) -> Tally:
        """Run to the end, and check everything; raises :class:`Finding`."""
        for node in (*self.seats, self.spectator):
            self.network.after(self.network.rng.random(), node.boot)
        for cut in self.plan.faults:
            if isinstance(cut, Cut):
                for place in cut.senders:
                    self.tell(cut.start, place, cut.receivers)
                    self.tell(cut.end, place, cut.receivers)
        self._until_finished()
        over = max(self.network.now, self.plan.quiet) + _AFTERWARDS_SECONDS
        while self.network.now < over:
            self.network.advance()
        self._until_finished()
        tally = self.network.tally
        check(self)
        tally.finished += 1
        return tally

    @property
    def abandoned(self) -> bool:
        """Whether the equivocator has fallen silent before it has lied to anybody: the match cannot go on."""
        faces = [node for node in (*self.seats, self.second_face) if isinstance(node, Liar)]
        return any(face.silent for face in faces) and not is_split(self)

    def _until_finished(self) -> None:
        while not all(node.finished for node in self.present):
            if self.network.now > self.plan.quiet + _PATIENCE_SECONDS:
                if self.abandoned:
                    return
                raise Finding(Code.STUCK, f"{self.network.now:.0f} seconds: {self._lengths()}")
            self.network.advance()

    def _lengths(self) -> str:
        return "; ".join(
            f"{node.place}: {[node.match.log.length(seat) for seat in SEATS]} of deal "
            f"{node.match.current_number}, {'finished' if node.finished else 'not finished'}"
            f"{self._awaited(node)}"
            for node in self.honest
        )

    def _awaited(self, node: Node) -> str:
        unheard = node.table.unheard if isinstance(node, SeatNode) else ()
        return f", waits for {sorted(unheard)}" if unheard else ""

    def _node(self, place: int, seen_from: int) -> Node:
        """The program that a place is to another: an equivocator is two."""
        split = self.plan.split
        if self.second_face is not None and split and place == split.seat and seen_from in split.half:
            return self.second_face
        return (*self.seats, self.spectator)[place]

    def tell(self, when: float, place: int, others: tuple[int, ...]) -> None:
        """The links of a place to others broke or came back: perhaps both ends are told some time after."""
        chances = Random(f"{self.plan.seed} {when} {place}")
        for other in others:
            for node, peer in ((place, other), (other, place)):
                pause = chances.uniform(*_NOTICED_SECONDS) + when - self.network.now
                if chances.random() < 0.5:
                    self.network.after(pause, lambda n=node, p=peer: self._node(n, p).noticed(p))  # type: ignore[misc]

    def _split(self, node: Node) -> None:
        """An equivocator whose moment has come goes on as two programs with one key."""
        split = self.plan.split
        if split is None or self.second_face or not isinstance(node, Liar) or node.effects < split.effect:
            return
        self.second_face = Liar(self, split.seat)
        self.second_face.disk = list(node.disk)
        self.second_face.peers = split.half
        length = node.table.log.length(split.seat)
        if split.events is not None:
            node.last = self.second_face.last = length + split.events
        if split.hides:
            self.second_face.hidden = length
        node.peers = tuple(peer for peer in node.peers if peer not in split.half)
        self.network.after(0, self.second_face.boot)


def simulate(plan: Plan, make_table: MakeTable = Setup.table, *, real_proofs: bool = False) -> Tally:
    """Run a plan; raises :class:`Finding` when a promise is broken. Equal plans run alike."""
    with cheap_proofs(real=real_proofs):
        try:
            return World(plan, make_table).run()
        except Finding:
            raise
        except Exception as error:
            raise Finding(Code.EXCEPTION, traceback.format_exc()) from error
