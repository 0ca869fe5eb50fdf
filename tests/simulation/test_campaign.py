"""Many matches on bad networks, disks and clocks: all end well, and the same way for everyone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.parameters import first_few
from tests.simulation.__main__ import main, summary
from tests.simulation.campaign import Campaign
from tests.simulation.faults import Crash, Kind, Moment, Plan, draw_plan
from tests.simulation.world import simulate

_CHUNKS = 6


def check_all_kept(campaign: Campaign) -> None:
    """No promise was broken; whatever was drawn has really happened."""
    assert not campaign.failures, "\n".join(map(str, campaign.failures))
    tally = campaign.tally
    assert tally.finished == campaign.runs
    assert (tally.accused, tally.lost) == (0, 0)
    assert tally.splits == tally.convictions


@pytest.mark.parametrize("chunk", first_few(range(_CHUNKS), 1))
def test_every_match_ends_well(campaign: Campaign, chunk: int) -> None:
    campaign.run(map(draw_plan, range(chunk * 10, chunk * 10 + 10)))
    check_all_kept(campaign)
    assert sum(campaign.tally.faults.values()) > 100


def test_all_kinds_of_faults_are_drawn_and_only_those_that_are_wanted() -> None:
    plans = [draw_plan(seed) for seed in range(80)]
    assert {fault.kind for plan in plans for fault in plan.faults} == set(Kind)
    assert 10 <= sum(plan.split is not None for plan in plans) <= 30
    few = [draw_plan(seed, (Kind.CUT,), equivocator=False) for seed in range(80)]
    assert {fault.kind for plan in few for fault in plan.faults} == {Kind.CUT}
    assert all(plan.split is None for plan in few)


def test_crashes_strike_before_between_and_after_persist_and_send(campaign: Campaign) -> None:
    """Whatever a node is about to do, it can die instead."""
    seat = 2
    moments = [
        Crash(moment, count, seat, 0.1)
        for count in range(1, 60, 4)
        for moment in (Moment.UNSYNCED, Moment.SYNCED)
    ]
    campaign.run([Plan(1, 60.0, tuple(moments))])
    check_all_kept(campaign)
    points = campaign.tally.crash_points
    assert points["Persist"] >= 5
    assert points["Send"] >= 5


@pytest.mark.long
def test_an_equivocator_is_convicted_by_all_and_nobody_else(campaign: Campaign) -> None:
    campaign.run(draw_plan(seed, equivocator=True) for seed in range(500, 510))
    check_all_kept(campaign)
    assert campaign.tally.splits >= 4


def test_a_lie_with_a_hidden_beginning_is_held_against_its_author_in_one_way(campaign: Campaign) -> None:
    """One half gets only what follows a hidden event; everyone names the same pair of events all the same."""
    plans = [draw_plan(seed, (), equivocator=True) for seed in range(8)]
    splits = [plan.split for plan in plans if plan.split]
    campaign.run(
        replace(plan, split=replace(split, hides=True)) for plan, split in zip(plans, splits, strict=True)
    )
    check_all_kept(campaign)
    assert campaign.tally.splits >= 3


@pytest.mark.long
def test_the_same_plan_runs_the_same_way() -> None:
    plan = draw_plan(7)
    assert simulate(plan) == simulate(plan)
    assert simulate(plan) != simulate(replace(plan, seed=8))


def test_real_proofs(campaign: Campaign) -> None:
    campaign.real_proofs = True
    campaign.run([draw_plan(19)])
    check_all_kept(campaign)


def test_the_command_prints_what_happened(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--start", "5", "--faults", "loss,crash", "--equivocator", "never"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seeds run            1 in ")
    assert lines[-3:] == ["false accusations    0", "lost events          0", "broken promises      0"]


def test_the_command_knows_its_faults(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--faults", "flood"])
    assert "loss, repeat, delay, reorder, corrupt, cut, clock, crash" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_many_more(campaign: Campaign) -> None:
    campaign.run(map(draw_plan, range(10_000, 10_300)))
    print(summary(campaign, 1.0, 1.0))
    check_all_kept(campaign)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("moment", Moment)
def test_a_crash_at_every_single_moment_of_a_seat(campaign: Campaign, moment: Moment) -> None:
    """One match, run again and again: each time the node of one seat dies one step later."""
    steps = 130 if moment is Moment.EFFECT else 60
    campaign.run(Plan(19, 600.0, (Crash(moment, step, 1, 0.3),)) for step in range(1, steps))
    check_all_kept(campaign)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_more_with_real_proofs(campaign: Campaign) -> None:
    campaign.real_proofs = True
    campaign.run(map(draw_plan, range(100, 105)))
    check_all_kept(campaign)
