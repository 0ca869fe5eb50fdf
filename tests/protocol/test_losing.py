"""A player who vanishes in a deal (§7.12): the three others open its cards together and play on."""

from __future__ import annotations

from random import Random

import pytest

from protocol.audit import Finding
from tests.protocol.losing import at_random_moment, play_without
from tests.protocol.matches import audit, finish, log_file


@pytest.mark.parametrize("seed", range(500, 516))
def test_the_deal_is_played_to_its_end_and_the_player_comes_back(seed: int) -> None:
    network, _ = at_random_moment(seed)
    number = play_without(network, Random(seed))
    network.come_back()
    network.run()
    match = finish(network)
    first = network.tables[0].match
    for table in network.tables:
        assert not table.match.verdicts
        assert (table.match.state, table.match.finished) == (first.state, first.finished)
        assert table.match.whole
    for disk in match.disks:
        found = audit(log_file(match.setup.genesis, disk))
        assert (found.finding, found.problems) == (Finding.FAIR, [])
        assert found.match is not None
        assert found.match.finished == first.finished
    assert sum(first.finished[number]["points"] or ()) == 120
