"""The shrinker leaves just what a failure needs."""

from __future__ import annotations

from tests.simulation.faults import Clock, Crash, Cut, Kind, Moment, Plan, Weather
from tests.simulation.findings import Code, Finding
from tests.simulation.shrink import Shrinker

CULPRIT = Crash(Moment.SYNCED, 7, 2, 4.0)
PLAN = Plan(
    1,
    40.0,
    (
        Weather(Kind.LOSS, 1.0, 30.0, 0.5),
        Crash(Moment.EFFECT, 3, 1, 1.0),
        CULPRIT,
        Cut(2.0, 34.0, (0, 1), (2, 3, 4)),
        Clock(5.0, 6.0, 3, 20),
        Crash(Moment.SYNCED, 8, 2, 4.0),
        Weather(Kind.DELAY, 1.0, 2.0, 1.0),
    ),
)


def run(plan: Plan) -> None:
    """Fails while seat 2 crashes at its seventh write and seat 0 is cut off from seat 3 at second 20."""
    cuts = [fault for fault in plan.faults if isinstance(fault, Cut)]
    crash = any(isinstance(fault, Crash) and (fault.place, fault.count) == (2, 7) for fault in plan.faults)
    if crash and any(cut.start <= 20 < cut.end and 0 in cut.senders and 3 in cut.receivers for cut in cuts):
        raise Finding(Code.LOST, "it is gone")
    if crash and not cuts:
        raise Finding(Code.STUCK, "something else")


def test_only_what_the_failure_needs_is_left() -> None:
    shrunk = Shrinker(run, Code.LOST).shrink(PLAN)
    crash, cut = shrunk.faults
    assert crash == Crash(Moment.SYNCED, 7, 2, 0.0)
    assert isinstance(cut, Cut)
    assert (cut.senders, cut.receivers) == ((0,), (3,))
    assert cut.start <= 20 < cut.end
    assert cut.end - cut.start <= 1
    assert shrunk.quiet == cut.end


def test_another_failure_is_not_taken_for_the_same() -> None:
    shrunk = Shrinker(run, Code.STUCK).shrink(Plan(1, 40.0, (CULPRIT, Clock(5.0, 6.0, 3, 20))))
    assert shrunk.faults == (Crash(Moment.SYNCED, 7, 2, 0.0),)


def test_the_budget_is_kept() -> None:
    shrinker = Shrinker(run, Code.LOST, budget=5)
    assert shrinker.shrink(PLAN) != PLAN
    assert shrinker.tried == 5


def test_a_plan_can_be_pasted_from_what_is_printed() -> None:
    text = repr(PLAN)
    for kind in Kind:
        text = text.replace(repr(kind), f"Kind.{kind.name}")
    for moment in Moment:
        text = text.replace(repr(moment), f"Moment.{moment.name}")
    assert eval(text) == PLAN
