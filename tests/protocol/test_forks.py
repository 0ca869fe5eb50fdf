"""An equivocation is the same proof for all who know the same events, in whatever order those came."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random

import pytest

from protocol.events import Event, sign_event
from protocol.limits import MAX_FORKS, MAX_FORKS_TAKEN
from protocol.log import Admission, EventLog
from protocol.match import Match
from protocol.replica import Received, Replica
from protocol.verdict import Verdict
from tests.protocol.tables import set_up

SETUP = set_up(0)
MATCH = SETUP.genesis.match_id
CHEAT = 2


def chain(length: int, mark: str, start: int = 0, prev: bytes = MATCH) -> list[Event]:
    """So many linked events of the cheat."""
    events: list[Event] = []
    for seq in range(start, start + length):
        prev = events[-1].id if events else prev
        event = sign_event(SETUP.identities[CHEAT], MATCH, CHEAT, seq, prev, (None,) * 4, "kind", (mark,))
        events.append(event)
    return events


class Reader:
    """Somebody who learns of events one by one."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.log = EventLog(SETUP.genesis)
        self.match = Match(self.log)
        self.replica = Replica(self.log)
        self.learn(*events)

    def learn(self, *events: Event) -> None:
        """Take in events."""
        received = Received()
        for event in events:
            self.replica.add(event.signed, received)
        self._judge(received)

    def hear(self, frame: bytes) -> list[bytes]:
        """Take in a frame; return the answers."""
        received = self.replica.receive(frame)
        self._judge(received)
        return received.replies

    def _judge(self, received: Received) -> None:
        for proof in received.proofs:
            self.match.admit_fork(proof)

    @property
    def verdict(self) -> Verdict:
        """What it comes to."""
        assert self.match.verdict is not None
        return self.match.verdict


FIRST, SECOND, THIRD = chain(3, "one face")
OTHER_SECOND, OTHER_THIRD = chain(2, "another face", 1, FIRST.id)


@pytest.mark.parametrize(
    "others",
    [[OTHER_THIRD], [OTHER_SECOND, OTHER_THIRD], [OTHER_SECOND, *chain(1, "a third face", 2, SECOND.id)]],
    ids=["the event between is hidden", "two events each", "two forks"],
)
def test_the_order_in_which_events_come_makes_no_difference(others: list[Event]) -> None:
    rest = [SECOND, THIRD, *others]
    verdicts = {Reader([FIRST, *order]).verdict for order in permutations(rest)}
    assert len(verdicts) == 1


def test_the_earliest_pair_counts_however_many_later_ones_came_first() -> None:
    one = chain(3 * MAX_FORKS, "one face", 1, FIRST.id)
    other = chain(3 * MAX_FORKS, "another face", 1, FIRST.id)
    expected = tuple(sorted((one[0].id, other[0].id)))
    rng = Random(1)
    orders = [other, other[::-1], *[rng.sample(other, len(other)) for _ in range(5)]]
    for order in orders:
        reader = Reader([FIRST, *one, *order])
        assert reader.verdict.events == expected
        assert len(reader.log.forks) == MAX_FORKS


def test_of_many_twins_the_lowest_two_are_named_in_any_order() -> None:
    twins = [chain(1, f"face {number}")[0] for number in range(4 * MAX_FORKS)]
    expected = tuple(sorted(twin.id for twin in twins)[:2])
    for seed in range(10):
        order = Random(seed).sample(twins, len(twins))
        reader = Reader(order)
        assert reader.verdict.events == expected
        assert len(reader.log.forks) == MAX_FORKS
        kept = {fork.second for fork in reader.log.forks} | {order[0].id}
        assert kept >= set(sorted(twin.id for twin in twins)[:MAX_FORKS])


def test_two_sides_with_long_branches_come_to_the_pair_where_they_parted() -> None:
    """Each shows the other its newest event only; from proof to proof they get down to the first."""
    one = chain(3 * MAX_FORKS, "one face", 1, FIRST.id)
    other = chain(3 * MAX_FORKS, "another face", 1, FIRST.id)
    left, right = Reader([FIRST, *one]), Reader([FIRST, *other])
    for _ in range(3 * MAX_FORKS):
        queue = [(left, right, left.replica.have_frame()), (right, left, right.replica.have_frame())]
        while queue:
            sender, receiver, frame = queue.pop(0)
            queue += [(receiver, sender, answer) for answer in receiver.hear(frame)]
    assert left.verdict == right.verdict
    assert left.verdict.events == tuple(sorted((one[0].id, other[0].id)))


def test_twins_without_end_are_not_looked_at_without_end() -> None:
    """However many a convicted seat signs, and in whatever order of ids, little of it is taken in."""
    log = EventLog(SETUP.genesis)
    log.offer(chain(1, "the first")[0])
    twins = [chain(1, f"twin {n}")[0] for n in range(2 * MAX_FORKS_TAKEN)]
    taken = [log.offer(twin) for twin in sorted(twins, key=lambda twin: twin.id, reverse=True)]
    assert MAX_FORKS < taken.count(Admission.FORK) <= MAX_FORKS_TAKEN
    assert len(log.forks) == MAX_FORKS
