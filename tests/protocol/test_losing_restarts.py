"""Who comes back while a seat is lost (§9.5): only their own word stands in for what it could tell."""

from __future__ import annotations

from random import Random

import pytest

from engine import Seat
from protocol.effects import Send
from protocol.errors import PlayRefused
from protocol.events import decode_event
from tests.protocol.racing import Racing, check_end, end_without, has_discarded_twice, losable, racing
from tests.protocol.tables import name_of


def without(seed: int, gone: Seat) -> Racing:
    """A match in which a seat has just been cut off in the middle of a deal."""
    network = racing(seed)
    network.until(lambda: has_discarded_twice(network, gone) and losable(network, gone))
    network.cut_off(gone)
    return network


def signed(network: Racing) -> list[int]:
    """How many events each seat has signed."""
    return [table.log.length(seat) for seat, table in enumerate(network.tables)]


def test_nothing_is_signed_until_the_player_says_that_the_seat_is_lost() -> None:
    """The power fails, and only three come back."""
    rng, gone = Random(640), 2
    network = without(640, gone)
    network.rest()
    for seat in network.others:
        network.restart(seat)
    before = signed(network)
    network.until(lambda: all(network.tables[seat].unheard == {gone} for seat in network.others))
    network.rest()
    for seat in network.others:
        table = network.tables[seat]
        assert table.may_declare_lost == (gone,)
        assert table.legal() == []
        with pytest.raises(PlayRefused, match="declared lost"):
            table.declare_lost(next(other for other in network.others if other != seat))
    assert signed(network) == before
    end_without(network, rng)
    network.come_back()
    check_end(network, rng, (0, gone))


def test_nobody_is_declared_lost_before_the_two_others_have_been_heard() -> None:
    gone, back = 2, 3
    network = without(640, gone)
    network.rest()
    network.restart(back)
    able = []
    for seat in (0, 1):
        able.append(network.tables[back].may_declare_lost)
        (have,) = [e.frame for e in network.tables[seat].peer_changed(name_of(back)) if isinstance(e, Send)]
        network.perform(back, network.tables[back].receive(name_of(seat), have))
    assert able == [(), ()]
    assert network.tables[back].may_declare_lost == (gone,)


@pytest.mark.parametrize(("forgotten", "voted"), [(1, True), (3, True), (5, False)])
def test_an_old_backup_takes_its_feed_back_from_the_two_others(forgotten: int, voted: bool) -> None:
    """Its vote among it, if it had voted: no number is signed twice, which the network looks at."""
    rng, gone, back = Random(644), 0, 2
    network = without(644, gone)
    if voted:
        network.declare(back)
    network.rest()
    had = network.tables[back].log.length(back)
    disk = network.disks[back]
    own = [place for place, event in enumerate(disk) if decode_event(event).author == back]
    del disk[own[-forgotten] :]
    network.restart(back)
    assert network.tables[back].log.length(back) == had - forgotten
    network.rest()
    assert network.tables[back].log.length(back) >= had
    end_without(network, rng)
    network.come_back()
    check_end(network, rng, (0, gone))
    assert not any(table.cloned for table in network.tables)
