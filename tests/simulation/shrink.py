"""Delta debugging: a failing plan is cut down to a small one that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tests.simulation.faults import Absence, Clock, Crash, Cut, Fault, Kind, Plan, Vanish
from tests.simulation.findings import Code, Finding

_MIN_SECONDS = 0.5
"""A window shorter than this is not halved again."""
_LONG_SECONDS = 20.0
"""A seat that went away for good may also come back so late."""


class Shrinker:
    """Tries smaller plans; `run` raises :class:`Finding` for those that fail."""

    def __init__(self, run: Callable[[Plan], object], code: Code, budget: int = 150) -> None:
        """Only plans that lead to a finding of the same `code` count, and at most `budget` are tried."""
        self._run = run
        self._code = code
        self._budget = budget
        self.tried = 0

    def shrink(self, plan: Plan) -> Plan:
        """The smallest plan found: fewer kinds of faults, then fewer faults, shorter, and sooner over."""
        while self.tried < self._budget:
            smaller = self._pass(plan)
            if smaller == plan:
                break
            plan = smaller
        return plan

    def _pass(self, plan: Plan) -> Plan:
        for kind in Kind:
            fewer = tuple(fault for fault in plan.faults if fault.kind is not kind)
            plan = self._better(plan, replace(plan, faults=fewer))
        plan = self._fewer_faults(plan)
        for place in range(len(plan.faults)):
            plan = self._smaller_fault(plan, place)
        return self._sooner_quiet(plan)

    def _fewer_faults(self, plan: Plan) -> Plan:
        """Leave out halves, then quarters, down to single faults (the ddmin algorithm's complements)."""
        size = len(plan.faults) // 2
        while size:
            start = 0
            while start < len(plan.faults):
                fewer = plan.faults[:start] + plan.faults[start + size :]
                smaller = self._better(plan, replace(plan, faults=fewer))
                start += size if smaller is plan else 0
                plan = smaller
            size //= 2
        return self._better(plan, replace(plan, faults=()))

    def _smaller_fault(self, plan: Plan, place: int) -> Plan:
        while True:
            before = plan
            for fault in smaller_faults(plan.faults[place]):
                faults = (*plan.faults[:place], fault, *plan.faults[place + 1 :])
                plan = self._better(plan, replace(plan, faults=faults))
                if plan is not before:
                    break
            if plan is before:
                return plan

    def _sooner_quiet(self, plan: Plan) -> Plan:
        ends = (fault.end for fault in plan.faults if not isinstance(fault, Crash | Vanish))
        latest = max(ends, default=0.0)
        for quiet in (latest, (latest + plan.quiet) / 2):
            if quiet < plan.quiet - _MIN_SECONDS:
                plan = self._better(plan, replace(plan, quiet=round(quiet, 2)))
        return plan

    def _better(self, plan: Plan, smaller: Plan) -> Plan:
        """The smaller plan if it still fails in the same way, else the plan itself."""
        if smaller == plan or self.tried >= self._budget:
            return plan
        self.tried += 1
        try:
            self._run(smaller)
        except Finding as finding:
            return smaller if finding.code is self._code else plan
        return plan


def smaller_faults(fault: Fault) -> Iterator[Fault]:
    """A fault made smaller in each way there is: half of its window, fewer ends, no sleep."""
    if isinstance(fault, Crash):
        if fault.down > 0:
            yield replace(fault, down=0.0)
        return
    if isinstance(fault, Vanish):
        yield from _smaller_absence(fault)
        return
    if fault.end - fault.start > _MIN_SECONDS:
        middle = round((fault.start + fault.end) / 2, 2)
        yield replace(fault, end=middle)
        yield replace(fault, start=middle)
    if isinstance(fault, Cut):
        yield from (replace(fault, senders=fewer) for fewer in _without_one(fault.senders))
        yield from (replace(fault, receivers=fewer) for fewer in _without_one(fault.receivers))
    elif isinstance(fault, Clock) and fault.ticks > 1:
        yield replace(fault, ticks=1)


def _smaller_absence(fault: Vanish) -> Iterator[Fault]:
    """It is back sooner, fewer hear its last words, fewer declare it lost and sooner, in an earlier deal."""
    away = _LONG_SECONDS if fault.away is None else round(fault.away / 2, 2)
    if away > _MIN_SECONDS:
        yield replace(fault, away=away)
    if fault.absence is Absence.DEAD:
        yield replace(fault, absence=Absence.CUT_OFF)
    if fault.deal:
        yield replace(fault, deal=fault.deal - 1)
    if fault.told:
        yield replace(fault, told=())
    for place, vote in enumerate(fault.votes):
        yield replace(fault, votes=fault.votes[:place] + fault.votes[place + 1 :])
        if vote.after:
            sooner = vote._replace(after=0.0)
            yield replace(fault, votes=(*fault.votes[:place], sooner, *fault.votes[place + 1 :]))


def _without_one(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(places) > 1:
        for place in places:
            yield tuple(other for other in places if other != place)
