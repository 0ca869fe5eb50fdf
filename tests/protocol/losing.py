"""A network on which a seat vanishes: its last words may reach some of the others and not the rest."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine import SEATS, Seat
from tests.protocol.tables import Network, Setup, hoard, set_up


class Vanishing(Network):
    """Four tables; `away` can neither send nor hear, but plays on for itself as long as it can."""

    def __init__(self, setup: Setup, seed: int, **options: object) -> None:
        super().__init__(setup, seed, **options)  # type: ignore[arg-type]
        self.away: Seat | None = None

    @property
    def others(self) -> list[Seat]:
        """The seats that are left."""
        return [seat for seat in SEATS if seat != self.away]

    def vanish(self, seat: Seat) -> None:
        """The seat's computer is cut off: of what is on its way, some arrives and some does not."""
        kept = [
            carried
            for carried in self._queue
            if seat not in carried[:2] or (carried[0] == seat and self.rng.random() < 0.5)
        ]
        self.away, self._queue = None, kept
        while any(carried[0] == seat for carried in self._queue):
            self.deliver()
        self.away = seat

    def deliver(self) -> None:
        """Nothing reaches the seat that is away, and nothing comes from it."""
        if self.away is not None:
            self._queue = [carried for carried in self._queue if self.away not in carried[:2]]
            if not self._queue:
                return
        super().deliver()

    def declare(self, seat: Seat) -> bool:
        """One of the others declares that the seat which is away is lost; tell whether it could."""
        assert self.away is not None
        able = self.away in self.tables[seat].may_declare_lost
        if able:
            self.perform(seat, self.tables[seat].declare_lost(self.away))
        return able

    def come_back(self) -> None:
        """The seat's computer is reached again; it has forgotten nothing."""
        self.away = None

    def until(self, done: Callable[[], bool], limit: int = 20_000) -> None:
        """Play on until something has come about; AssertionError if it does not."""
        for _ in range(limit):
            if done():
                return
            self.step()
        raise AssertionError("the table is stuck")


def at_random_moment(seed: int) -> tuple[Vanishing, Seat]:
    """A match in which somebody vanishes while a deal is played."""
    network = Vanishing(set_up(seed), seed, policy=hoard)
    rng = Random(seed)
    network.start()
    network.until(lambda: all(table.match.current.state is not None for table in network.tables))
    for _ in range(rng.randrange(150)):
        network.step()
    gone = rng.choice(SEATS)
    network.until(lambda: all(network.tables[seat].may_declare_lost for seat in SEATS if seat != gone))
    network.vanish(gone)
    return network, gone


def play_without(network: Vanishing, rng: Random) -> int:
    """The others declare the seat lost, one after another, and play the deal to its end."""
    number = network.tables[network.others[0]].match.current_number
    for seat in rng.sample(network.others, 3):
        for _ in range(rng.randrange(20)):
            network.step()
        network.declare(seat)
    network.until(lambda: all(len(network.tables[seat].match.finished) > number for seat in network.others))
    return number
