"""The simulator finds two planted bugs, and finds nothing on the same plans without them."""

from __future__ import annotations

import pytest

from tests.simulation.campaign import Campaign, Failure
from tests.simulation.faults import Crash, Kind, draw_plan
from tests.simulation.findings import Code
from tests.simulation.planted import hasty_table, without_head_hashes

SLOW_AND_DYING = [
    draw_plan(seed, (Kind.DELAY, Kind.REORDER, Kind.CRASH), equivocator=False) for seed in range(6, 9)
]
"""Nodes die while their frames are on the way."""

TWO_FACES = [draw_plan(seed, (), equivocator=True) for seed in range(46, 57)]
"""A seat splits the table; nothing else goes wrong."""


@pytest.mark.long
def test_these_plans_do_no_harm_to_sound_nodes(campaign: Campaign) -> None:
    campaign.run([*SLOW_AND_DYING, *TWO_FACES])
    assert not campaign.failures
    assert campaign.tally.splits >= 3


@pytest.mark.long
def test_sending_before_persisting_makes_an_honest_player_an_equivocator(campaign: Campaign) -> None:
    campaign.make_table, campaign.budget = hasty_table, 16
    heard: list[str] = []
    campaign.run(SLOW_AND_DYING, heard=lambda failure: heard.append(str(failure)))
    codes = [failure.finding.code for failure in campaign.failures]
    assert Code.ACCUSED in codes
    found = campaign.failures[codes.index(Code.ACCUSED)]
    check_report(found, heard[codes.index(Code.ACCUSED)])
    assert any(isinstance(fault, Crash) for fault in found.shrunk.faults)
    repeated = Campaign(hasty_table, budget=0)
    repeated.run([found.shrunk])
    assert [failure.finding.code for failure in repeated.failures] == [Code.ACCUSED]


def check_report(failure: Failure, text: str) -> None:
    """What is printed names the seed and all that it takes to see the same again."""
    assert text.startswith(f"seed {failure.plan.seed}: {failure.finding.code}: ")
    assert repr(failure.plan) in text
    assert repr(failure.shrunk) in text
    assert len(failure.shrunk.faults) < len(failure.plan.faults)


@pytest.mark.long
def test_numbers_without_hashes_leave_an_equivocation_unproven(campaign: Campaign) -> None:
    campaign.budget = 0
    with without_head_hashes():
        campaign.run(TWO_FACES)
    codes = {failure.finding.code for failure in campaign.failures}
    assert codes
    assert codes <= {Code.STUCK, Code.STORM, Code.UNPROVEN}
