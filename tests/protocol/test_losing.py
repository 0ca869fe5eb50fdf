"""A player who vanishes in a deal (§7.12): the three others open its cards together and play on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from engine import SEATS, Lead, Seat, next_seat
from protocol.audit import Finding
from protocol.errors import PlayRefused
from protocol.events import Event
from protocol.table import Table
from tests.parameters import first_few
from tests.protocol.losing import at_random_moment, play_without
from tests.protocol.matches import audit, events_of, log_file
from tests.protocol.racing import (
    Racing,
    all_play,
    begun,
    cards_are_drawn,
    check_end,
    check_views,
    claimed,
    end_without,
    entitled,
    has_discarded_twice,
    has_shuffled_the_stock,
    known,
    last_trick,
    losable,
    lost_at_the_end,
    racing,
)


@pytest.mark.parametrize("seed", first_few(range(500, 516), 3))
def test_the_deal_is_played_to_its_end_and_the_player_comes_back(seed: int) -> None:
    network, gone = at_random_moment(seed)
    rng = Random(seed)
    number = play_without(network, rng)
    network.come_back()
    check_end(network, rng, (number, gone))


# The moment

MOMENTS = [
    begun,
    entitled,
    has_shuffled_the_stock,
    has_discarded_twice,
    claimed,
    cards_are_drawn,
    last_trick,
]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("seed", first_few((600, 601, 602), 1))
def test_whatever_the_moment(moment: Callable[[Racing, Seat], bool], seed: int) -> None:
    rng = Random(seed)
    gone = rng.choice(SEATS)
    network = racing(seed)
    network.until(lambda: moment(network, gone) and losable(network, gone))
    number = network.deal(gone).number
    network.cut_off(gone)
    end_without(network, rng, restarts=0.002)
    network.come_back()
    check_end(network, rng, (number, gone))


def test_views_are_right_at_every_rest() -> None:
    """Nobody knows more or less than they should, before the loss, after it, and when the player is back."""
    network, gone = racing(610, loss=0, repeat=0), 2
    network.until(lambda: has_discarded_twice(network, gone) and losable(network, gone))
    network.settle()
    network.cut_off(gone)
    for seat in network.others:
        check_views(network)
        network.declare(seat)
        network.rest()
    assert network.deal(0).loss is not None
    while not network.tables[0].match.finished:
        check_views(network)
        network.play(network.players.choice([s for s in network.others if network.tables[s].legal()]))
        network.rest()
    network.come_back()
    network.settle()
    check_end(network, Random(610), (0, gone))


def test_many_restarts() -> None:
    """Of those who play on, and of the seat that is lost; what was on the disk is enough."""
    rng = Random(620)
    network, gone = racing(620), 1
    network.until(lambda: has_discarded_twice(network, gone) and losable(network, gone))
    network.vanish(gone)
    end_without(network, rng, restarts=0.05)
    network.restart(gone)
    network.come_back()
    network.until(lambda: bool(network.tables[gone].match.losses))
    network.restart(gone)
    check_end(network, rng, (0, gone))


# Refusals


def test_what_cannot_be_declared_and_played() -> None:
    network, gone = racing(630, loss=0, repeat=0), 3
    network.settle()
    network.cut_off(gone)
    table = network.tables[0]
    with pytest.raises(PlayRefused, match="declared lost") as refusal:
        table.declare_lost(0)
    assert refusal.value.code == "not-losable"
    network.declare(0)
    with pytest.raises(PlayRefused, match="declared lost"):
        table.declare_lost(gone)
    for other in (1, 2):
        network.declare(other)
        network.tell(other, 0)
    # Seat 0 has given its part, and waits for those of the two others.
    assert [event.author for event in network.said(0, "rescue")] == [0]
    assert table.legal() == []
    network.rest()
    assert table.may_declare_lost == ()
    network.come_back()
    network.settle()
    assert network.deal(gone).loss is not None
    assert network.tables[gone].legal() == []
    assert not network.tables[gone].match.verdicts
    hand = sorted(network.tables[gone].state.hands[gone].known)
    with pytest.raises(PlayRefused):
        network.tables[gone].play(Lead(gone, (hand[0],)))


# Several losses, and the end of the match


@pytest.mark.parametrize(
    ("seed", "steps"), [(660, 0), (661, 1), pytest.param(662, 2, marks=pytest.mark.long), (663, 3)]
)
def test_two_deals_in_a_row_lose_a_seat(seed: int, steps: int) -> None:
    """The same seat or another: what was opened for one deal is of no use in the next."""
    rng = Random(seed)
    network, gone = racing(seed), rng.choice(SEATS)
    then = next_seat(gone, steps)
    for number, seat in enumerate((gone, then)):
        network.until(partial(all_play, network, number))
        network.until(partial(losable, network, seat))
        network.vanish(seat)
        end_without(network, rng)
        network.come_back()
    check_end(network, rng, (0, gone), (1, then))


@pytest.mark.parametrize("seed", first_few((670, 671), 1))
def test_who_is_lost_in_the_last_deal_need_not_come_back(seed: int) -> None:
    """Three have signed the end, and by that everything before it: the log is whole."""
    network = lost_at_the_end(seed)
    present = [network.tables[seat] for seat in network.others]
    for table in present:
        assert table.match.whole
        assert table.finished
        assert known(table.match) == known(present[0].match)
        found = audit(log_file(network.setup.genesis, network.disks[table.seat]))
        assert (found.finding, found.problems) == (Finding.FAIR, [])
    assert len(said_in_the_end(present[0])) == 3
    check_views(network)
    network.come_back()
    network.settle()
    assert len(said_in_the_end(present[0])) == 4
    check_end(network, Random(seed), *network.tables[0].match.losses)


def said_in_the_end(table: Table) -> list[Event]:
    """The `final` events that a seat knows."""
    return [event for event in events_of(table) if event.kind == "final"]
