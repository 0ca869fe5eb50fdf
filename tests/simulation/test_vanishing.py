"""Seats that vanish in the middle of a deal, whatever else goes wrong (§7.12)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulation.campaign import Campaign
from tests.simulation.faults import Absence, Crash, Kind, Moment, Plan, Vanish, Vote, draw_plan
from tests.simulation.findings import Code, Finding
from tests.simulation.planted import without_a_cut
from tests.simulation.shrink import Shrinker
from tests.simulation.world import simulate

VOTES = tuple(Vote(voter, 2, 0.5) for voter in (0, 1, 3))
AWAY = Vanish(0, 12, 2, Absence.CUT_OFF, 8.0, (), VOTES)
"""Seat 2 is cut off in the first deal, and the others soon declare it lost."""


def run(campaign: Campaign, *plans: Plan) -> None:
    """Run plans of which none breaks a promise."""
    campaign.run(plans)
    assert not campaign.failures, "\n".join(map(str, campaign.failures))
    assert campaign.tally.finished == len(plans)
    assert (campaign.tally.accused, campaign.tally.lost) == (0, 0)


@pytest.mark.long
def test_deals_are_played_to_their_end_without_a_seat(campaign: Campaign) -> None:
    run(campaign, *(draw_plan(seed, (Kind.VANISH,), equivocator=False) for seed in range(2000, 2012)))
    tally = campaign.tally
    assert tally.rescued == tally.seats_lost >= 8
    assert tally.late >= 2
    assert tally.mistaken >= 1


@pytest.mark.parametrize("absence", Absence)
def test_whatever_has_become_of_the_seat(campaign: Campaign, absence: Absence) -> None:
    run(campaign, Plan(1, 30.0, (replace(AWAY, absence=absence),)))
    assert campaign.tally.rescued >= 1
    assert bool(campaign.tally.mistaken) == (absence is Absence.MISTAKEN)


@pytest.mark.parametrize("seed", [2030, 2049])
def test_a_seat_that_never_comes_back_does_not_keep_the_match_from_its_end(
    campaign: Campaign, seed: int
) -> None:
    run(campaign, draw_plan(seed, (Kind.VANISH,), equivocator=False))
    assert campaign.tally.never_back == 1


@pytest.mark.parametrize(
    "votes",
    [VOTES[:2], (VOTES[0], VOTES[1], Vote(3, 0, 0.5)), (VOTES[0],)],
    ids=["two alone", "two and one who names another", "one"],
)
def test_nothing_comes_of_it_unless_all_three_declare_the_same_seat(
    campaign: Campaign, votes: tuple[Vote, ...]
) -> None:
    run(campaign, Plan(1, 30.0, (replace(AWAY, votes=votes),)))
    assert campaign.tally.votes == len(votes)
    assert (campaign.tally.seats_lost, campaign.tally.rescued) == (0, 0)


def test_voters_that_die_between_their_vote_and_their_part(campaign: Campaign) -> None:
    """Whoever restarts does not wait for the seat that is away, once it is to be lost (§9.5)."""
    moments = [
        Crash(moment, count, voter, 0.2)
        for voter in (0, 1, 3)
        for count in range(14, 40, 5)
        for moment in (Moment.UNSYNCED, Moment.SYNCED)
    ]
    run(campaign, Plan(2, 30.0, (replace(AWAY, away=None), *moments)))
    assert campaign.tally.crashes >= 10
    assert campaign.tally.rescued >= 1


def test_moves_that_count_although_they_came_too_late_are_found() -> None:
    """The cut of §7.12 is needed: without it those who know of a late move go on from another deal."""
    plans = [draw_plan(seed, (Kind.VANISH,), equivocator=False) for seed in (2003, 2007, 2010)]
    broken = Campaign(budget=0)
    with without_a_cut():
        broken.run(plans)
    assert len(broken.failures) >= 1
    found = {failure.finding.code for failure in broken.failures}
    assert found <= {Code.DIFFERENT, Code.ACCUSED, Code.STUCK, Code.EXCEPTION, Code.AUDIT}


def test_an_absence_is_cut_down_to_what_the_failure_needs() -> None:
    def fails(plan: Plan) -> None:
        faults = [fault for fault in plan.faults if isinstance(fault, Vanish)]
        if any({vote.voter for vote in fault.votes} >= {1, 3} for fault in faults):
            raise Finding(Code.STUCK, "both of them")

    shrunk = Shrinker(fails, Code.STUCK).shrink(
        Plan(1, 30.0, (replace(AWAY, deal=2, absence=Absence.DEAD, away=None, told=(0, 4)),))
    )
    (left,) = shrunk.faults
    assert isinstance(left, Vanish)
    assert left.votes == (Vote(1, 2, 0.0), Vote(3, 2, 0.0))
    assert (left.deal, left.absence, left.told) == (0, Absence.CUT_OFF, ())
    assert left.away is not None
    assert left.away <= 1


def test_the_same_plan_runs_the_same_way() -> None:
    plan = Plan(1, 30.0, (AWAY,))
    assert simulate(plan) == simulate(plan)
