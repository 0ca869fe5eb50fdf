"""Seats that vanish in the middle of a deal, and what the others make of it (§7.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import SEATS, Seat
from protocol.effects import Effect, Persist
from tests.simulation.faults import Absence, Kind, Vanish, Vote
from tests.simulation.nodes import Node, SeatNode

if TYPE_CHECKING:
    from tests.simulation.world import World

_PATIENCE_SECONDS: Final = 30.0
"""How long after the last fault a seat stays away from a deal that the others cannot go on with."""
_RETRY_SECONDS: Final = 1.0
_MISTAKEN_SECONDS: Final = 8.0
"""How long others may take a seat that is there for lost."""


class Vanishing:
    """Lets seats go and come back as the plan says, and the others vote."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._due = [fault for fault in world.plan.faults if isinstance(fault, Vanish)]
        self.away: dict[Seat, Vanish] = {}
        """Who is not there, or is taken for lost."""
        self.mistaken: set[Seat] = set()
        """Who was taken for lost while it was there."""

    @property
    def never_back(self) -> frozenset[Seat]:
        """Those without whom the match has ended for the three others."""
        return frozenset(seat for seat, fault in self.away.items() if self._stays_away(fault))

    def watch(self, node: Node, effect: Effect) -> bool:
        """Look whether the moment of a node has come; tell whether its program dies with it."""
        fault = next((fault for fault in self._due if fault.seat == node.place), None)
        if fault is None or not isinstance(node, SeatNode) or not self._has_come(fault, node):
            return False
        if fault.speaking and not _has_news(node.place, effect):
            return False
        self._due.remove(fault)
        self._begin(fault, node)
        return fault.absence is Absence.DEAD

    def _has_come(self, fault: Vanish, node: SeatNode) -> bool:
        world, deal = self._world, node.match.current
        if fault.seat in self.away or world.network.now >= world.plan.quiet or fault.seat == world.cheat:
            return False
        enough = deal.number > fault.deal or len(deal.steps) >= fault.steps
        return deal.state is not None and deal.number >= fault.deal and enough

    def _begin(self, fault: Vanish, node: SeatNode) -> None:
        world, seat = self._world, fault.seat
        network = world.network
        network.tally.faults[Kind.VANISH] += 1
        self.away[seat] = fault
        for vote in fault.votes:
            network.after(vote.after, lambda vote=vote: self._vote(fault, vote))  # type: ignore[misc]
        if fault.absence is Absence.MISTAKEN:
            self.mistaken.add(seat)
            network.after(_MISTAKEN_SECONDS, lambda: self._back(fault))
            return
        network.cut_off(seat, fault.told)
        world.tell(network.now, seat, node.peers)
        if fault.absence is Absence.DEAD:
            node.alive = False
        if fault.away is None:
            self._look(fault)
        else:
            network.after(min(fault.away, world.plan.quiet - network.now), lambda: self._back(fault))

    def _vote(self, fault: Vanish, vote: Vote) -> None:
        """Declare a seat lost as soon as that can be, again if a crash has made the voter forget it."""
        if self.away.get(fault.seat) is not fault:
            return
        node = self._world.seats[vote.voter]
        if node.alive and vote.seat in node.table.may_declare_lost:
            self._world.network.tally.votes += 1
            node.perform(node.table.declare_lost(vote.seat))
        self._world.network.after(_RETRY_SECONDS, lambda: self._vote(fault, vote))

    def _look(self, fault: Vanish) -> None:
        """Somebody who went for good looks whether the others have finished the deal, or wait in vain."""
        world = self._world
        if self.away.get(fault.seat) is not fault or self._stays_away(fault):
            return
        waits_in_vain = world.network.now > world.plan.quiet + _PATIENCE_SECONDS
        if waits_in_vain or all(self._goes_on(node, fault.seat) for node in self._others(fault)):
            self._back(fault)
        else:
            world.network.after(_RETRY_SECONDS, lambda: self._look(fault))

    def _goes_on(self, node: SeatNode, seat: Seat) -> bool:
        match = node.match
        return not match.over and (len(match.finished) - 1, seat) in match.losses

    def _stays_away(self, fault: Vanish) -> bool:
        return fault.away is None and all(node.match.whole for node in self._others(fault))

    def _others(self, fault: Vanish) -> list[SeatNode]:
        return [self._world.seats[seat] for seat in SEATS if seat != fault.seat]

    def _back(self, fault: Vanish) -> None:
        if self.away.get(fault.seat) is not fault:
            return
        world, node = self._world, self._world.seats[fault.seat]
        del self.away[fault.seat]
        if fault.absence is Absence.MISTAKEN:
            return
        world.network.reach(fault.seat)
        if fault.absence is Absence.DEAD:
            node.boot()
        world.tell(world.network.now, fault.seat, node.peers)


def _has_news(seat: Seat, effect: Effect) -> bool:
    """Whether a seat is about to put something of its own on its disk."""
    return isinstance(effect, Persist) and any(event.author == seat for event in effect.events)
