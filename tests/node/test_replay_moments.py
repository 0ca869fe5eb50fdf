"""Moments of deals: those of a deal that was broken off hold what all players saw, wherever that was.

The moments of whole deals are tested with the page, which shows the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from engine import Phase
from node.replaying.moments import Moment, deal_moments, finished_deals, points_taken
from node.words.wording import Wording
from protocol.audit import deal_records
from protocol.events import SignedEvent
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import Received, Replica
from tests.node.terminal_tables import NAMES
from tests.protocol.matches import Played, audit, keep, rich
from tests.protocol.racing import lost_at_the_end
from tests.protocol.tables import Network, hoard, set_up

WORDS = Wording(NAMES, 0)


def growing(match: Played, signed: Iterable[SignedEvent]) -> Iterator[Match]:
    """The match after each event of a log."""
    log = EventLog(match.setup.genesis, keep_bytes=False)
    judged, replica = Match(log), Replica(log)
    for event in signed:
        received = Received()
        replica.add(event, received)
        judged.take(received)
        yield judged


def hasty() -> Played:
    """A match on a bad network, so that plays cross each other."""
    network = Network(set_up(14), 14, policy=hoard)
    network.run()
    network.settle()
    return keep(network)


def left_alone() -> Played:
    """A match that was played on without a seat, as one of the others has it."""
    network = lost_at_the_end(606)
    played = keep(network)
    return Played(played.setup, played.events, played.tables, (tuple(network.disks[network.others[0]]),) * 4)


@pytest.mark.parametrize("made", [hasty, left_alone])
def test_wherever_a_log_ends_its_last_deal_can_be_told(made: Callable[[], Played]) -> None:
    match = made()
    told = 0
    for public in growing(match, match.disks[0]):
        if public.over or public.current.state is None or public.state.phase is Phase.DEAL_OVER:
            continue
        moments = list(deal_moments(public.settled, deal_records(public)[-1], WORDS))
        last, state = moments[-1].state, public.state
        assert last.tricks == state.tricks
        assert last.indicator == state.indicator
        if state.phase is Phase.PLAYING:
            assert (last.hands, last.trick) == (state.hands, state.trick)
        assert moments[0].begins
        told += 1
    assert told > 100


def test_a_trick_lies_on_the_table_until_the_next_begins() -> None:
    match = audit(rich().file()).match
    assert match is not None
    for record, moments in finished_deals(match, WORDS):
        begun = 0
        for moment in moments[:-1]:
            begun += moment.begins
            assert moment.trick is not None
            assert (moment.finished is not None) == moment.trick.complete
            assert begun == len(moment.state.tricks) + (moment.finished is None)
        assert begun == len(record["tricks"])
        assert _points(moments) == sorted(_points(moments))
        assert points_taken(moments[-1].state) == record["points"]


def _points(moments: Iterable[Moment]) -> list[int]:
    return [sum(points_taken(moment.state)) for moment in moments]
