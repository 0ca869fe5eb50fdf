"""Many runs, seed after seed: what they add up to, and what was found, cut down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.protocol.tables import Setup
from tests.simulation.faults import Plan
from tests.simulation.findings import Code, Finding, Tally
from tests.simulation.shrink import Shrinker
from tests.simulation.world import MakeTable, simulate


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that broke a promise, and the smallest plan found that breaks the same one."""

    finding: Finding
    plan: Plan
    shrunk: Plan
    tried: int

    def __str__(self) -> str:
        return (
            f"seed {self.plan.seed}: {self.finding}\n"
            f"  its plan:  {self.plan}\n"
            f"  smallest:  {self.shrunk}   (of {self.tried} tried)"
        )


@dataclass(slots=True)
class Campaign:
    """Runs plans and keeps count."""

    make_table: MakeTable = Setup.table
    real_proofs: bool = False
    budget: int = 150
    """How many smaller plans are tried for each failure."""
    runs: int = 0
    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)

    def run(self, plans: Iterable[Plan], heard: Callable[[Failure], None] = lambda _: None) -> None:
        """Run all plans; each failure is shrunk, and `heard` is told."""
        for plan in plans:
            self.runs += 1
            try:
                self.tally.add(self._simulate(plan))
            except Finding as finding:
                self.tally.accused += finding.code is Code.ACCUSED
                self.tally.lost += finding.code is Code.LOST
                shrinker = Shrinker(self._simulate, finding.code, self.budget)
                self.failures.append(Failure(finding, plan, shrinker.shrink(plan), shrinker.tried))
                heard(self.failures[-1])

    def _simulate(self, plan: Plan) -> Tally:
        return simulate(plan, self.make_table, real_proofs=self.real_proofs)
