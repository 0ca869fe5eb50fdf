"""A network on which a seat vanishes at a chosen moment, and its last words may come late."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from engine import SEATS, Lead, Phase, Seat, next_seat
from protocol.audit import Finding
from protocol.effects import Effect
from protocol.events import Event, SignedEvent, decode_event
from protocol.facts import DealFacts
from protocol.match import Match
from protocol.replica import Replica
from tests.protocol.losing import Vanishing
from tests.protocol.matches import Played, audit, events_of, finish, log_file
from tests.protocol.rescued_views import view_with_loss
from tests.protocol.tables import events_in, hoard, name_of, set_up
from tests.protocol.test_whole_match import judged, linear_extension


class Racing(Vanishing):
    """What the seat that is away has signed may still reach somebody, much later."""

    shut: Seat | None = None

    def deal(self, seat: Seat) -> DealFacts:
        """The current deal as a seat knows it."""
        return self.tables[seat].match.current

    def said(self, seat: Seat, kind: str, number: int = 0) -> list[Event]:
        """The events of a kind about a deal that a seat knows."""
        return [
            event for event in events_of(self.tables[seat]) if (event.kind, *event.body[:1]) == (kind, number)
        ]

    def cut_off(self, seat: Seat) -> None:
        """The seat's computer is cut off, and nothing of what is on its way arrives."""
        self._queue = [carried for carried in self._queue if seat not in carried[:2]]
        self.away = seat

    def tell(self, author: Seat, to: Seat) -> None:
        """All that a seat has signed reaches another now, whether or not one of them is away."""
        table, here = self.tables[author], self.tables[to].log.length(author)
        new = [e.signed for e in events_of(table) if e.author == author and e.seq >= here]
        if new:
            self.perform(to, self.tables[to].receive(name_of(author), Replica(table.log).events_frame(new)))

    def tell_vote(self, author: Seat, to: Seat) -> None:
        """A seat's declaration, but nothing that it has signed since, reaches another now."""
        votes = [event.signed for event in self.said(author, "lost") if event.author == author]
        self.perform(to, self.tables[to].receive(name_of(author), events_frame(self, votes)))

    def perform(self, seat: Seat, effects: Iterable[Effect]) -> None:
        """No opening gets through from the seat that is `shut`, or to it."""
        before = len(self._queue)
        super().perform(seat, effects)
        if self.shut is not None:
            self._queue[before:] = [
                (one, other, self._without_opening(frame) if self.shut in {one, other} else frame)
                for one, other, frame in self._queue[before:]
            ]

    def _without_opening(self, frame: bytes) -> bytes:
        events = events_in(frame)
        shown = [signed for signed in events if decode_event(signed).kind != "open"]
        return frame if shown == events else events_frame(self, shown)

    def rest(self) -> None:
        """Let those who are there talk until they know the same; nobody plays meanwhile."""
        while self._queue or self._later or len({self.tables[s].log.heads() for s in self.others}) > 1:
            if self._queue:
                self.deliver()
            elif self._later:
                self.work()
            else:
                self.tick()


def events_frame(network: Racing, events: list[SignedEvent]) -> bytes:
    """The frame that carries some events."""
    return Replica(network.tables[0].log).events_frame(events)


def racing(seed: int, **options: object) -> Racing:
    """A match in which the cards have just been dealt."""
    network = Racing(set_up(seed), seed, policy=hoard, **options)
    network.start()
    network.until(lambda: all_play(network, 0))
    return network


def all_play(network: Racing, number: int) -> bool:
    """Whether everybody sees the cards of a deal."""
    deals = [network.deal(seat) for seat in SEATS]
    return all(deal.number == number and deal.state is not None for deal in deals)


def losable(network: Racing, gone: Seat) -> bool:
    """Whether each of the others could declare the seat lost now."""
    return all(gone in network.tables[seat].may_declare_lost for seat in SEATS if seat != gone)


def end_without(
    network: Racing, rng: Random, *, heard: Callable[[Seat], bool] | None = None, restarts: float = 0.0
) -> None:
    """Declarations one after another, restarts at any moment, until the deal is over for the others.

    The last words of the seat that is away reach one of the others, once they are `heard` by it.
    """
    number = network.deal(network.others[0]).number
    voters, hearer = rng.sample(network.others, 3), rng.choice(network.others)
    for _ in range(20_000):
        if all(len(network.tables[seat].match.finished) > number for seat in network.others):
            return
        if heard is not None and heard(hearer):
            assert network.away is not None
            network.tell(network.away, hearer)
            heard = None
        if voters and rng.random() < 0.1 and network.declare(voters[-1]):
            voters.pop()
        if rng.random() < restarts:
            network.restart(rng.choice(SEATS))
        network.step()
    raise AssertionError("the table is stuck")


def lost_at_the_end(seed: int) -> Racing:
    """A match that three have ended: one seat is lost in every deal, and never came back from the last."""
    rng = Random(seed)
    network, gone = racing(seed), rng.choice(SEATS)
    while True:
        network.until(
            lambda: all(network.deal(seat).state is not None for seat in SEATS) and losable(network, gone)
        )
        network.cut_off(gone)
        end_without(network, rng)
        network.rest()
        present = [network.tables[seat] for seat in network.others]
        if present[0].match.over:
            return network
        assert not any(table.match.whole for table in present)
        network.come_back()


def known(match: Match) -> tuple[object, ...]:
    """What a judge has come to. Plays that had not seen each other are in the order in which it met them."""
    return match.state, set(match.steps), match.finished, match.losses, match.verdicts


def check_views(network: Racing | Played) -> None:
    """Everybody sees their own cards, and those of a seat that is lost; nothing else."""
    for seat, table in enumerate(network.tables):
        if table.match.current.state is not None:
            assert table.state == view_with_loss(network.setup, table.match, seat)
            assert table.match.state == view_with_loss(network.setup, table.match, None)


def check_end(network: Vanishing, rng: Random, *lost: tuple[int, Seat]) -> Played:
    """The match is played on to its end, and all that must hold of it holds; nobody is accused."""
    network.until(lambda: all(table.finished for table in network.tables), 60_000)
    match = finish(network)
    first = match.tables[0].match
    assert first.losses == list(lost)
    assert first.verdicts == []
    for table in match.tables:
        assert known(table.match) == known(first)
        assert table.match.whole
    check_views(match)
    for disk in match.disks:
        found = audit(log_file(match.setup.genesis, disk))
        assert (found.finding, found.problems) == (Finding.FAIR, [])
        assert found.match is not None
        assert known(found.match) == known(first)
    assert known(judged(linear_extension(match.events, rng), match)) == known(first)
    assert all(sum(deal["points"] or ()) == 120 for deal in first.finished)
    return match


# Moments


def begun(_network: Racing, _gone: Seat) -> bool:
    return True


def entitled(network: Racing, gone: Seat) -> bool:
    return any(isinstance(play, Lead) for play in network.tables[gone].legal())


def has_shuffled_the_stock(network: Racing, gone: Seat) -> bool:
    stock = network.deal(gone).stock
    return stock.final is None and any(at and at.author == gone for at in stock.made_by)


def has_discarded_twice(network: Racing, gone: Seat) -> bool:
    return sum(event.author == gone for event in network.said(next_seat(gone), "discard")) >= 2


def claimed(network: Racing, gone: Seat) -> bool:
    state = network.deal(gone).state
    trick = None if state is None else state.trick
    return trick is not None and any(branch.is_molodka for branch in trick.branches) and not trick.complete


def cards_are_drawn(network: Racing, gone: Seat) -> bool:
    return any(network.deal(seat).game.phase is Phase.DRAWING for seat in SEATS if seat != gone)


def last_trick(network: Racing, gone: Seat) -> bool:
    game = network.deal(gone).game
    return game.stock == 0 and sum(hand.size for hand in game.hands) <= 8


def has_opened(network: Racing, gone: Seat) -> bool:
    return network.deal(gone).opened[gone] is not None
