"""Run many simulations: `python -m tests.simulation --seeds 2000`.

Every run is four nodes and a spectator on a network, disks and clocks that fail as a seed decides; see
:mod:`tests.simulation.faults`. Prints what happened, and each broken promise with its seed and the smallest
plan that breaks it too. Exits 1 when there is one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from tests.simulation.campaign import Campaign, Failure
from tests.simulation.faults import Kind, draw_plan

_LIARS = {"some": None, "always": True, "never": False}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many runs")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--faults", default=",".join(Kind), help="the kinds of faults, by commas")
    parser.add_argument("--equivocator", choices=_LIARS, default="some", help="whether a seat equivocates")
    parser.add_argument(
        "--real-proofs", action="store_true", help="compute on the real group, ten times slower"
    )
    given = parser.parse_args(arguments)
    try:
        kinds = tuple(Kind(name) for name in given.faults.split(",") if name)
    except ValueError as error:
        parser.error(f"{error}; the kinds are {', '.join(Kind)}")
    campaign = Campaign(real_proofs=given.real_proofs)
    liars = _LIARS[given.equivocator]
    seeds = range(given.start, given.start + given.seeds)
    start = time.perf_counter(), time.process_time()
    campaign.run((draw_plan(seed, kinds, equivocator=liars) for seed in seeds), heard=_tell)
    seconds, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    print(summary(campaign, seconds, processor))
    return 1 if campaign.failures else 0


def _tell(failure: Failure) -> None:
    print(failure, flush=True)


def summary(campaign: Campaign, seconds: float, processor: float) -> str:
    """The figures of a campaign, one a line."""
    tally, runs = campaign.tally, campaign.runs
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(tally.faults.items()))
    points = ", ".join(f"{count} before {effect}" for effect, count in sorted(tally.crash_points.items()))
    return "\n".join(
        (
            f"seeds run            {runs} in {seconds:.1f} s ({processor:.1f} s of processor time)",
            f"seeds a second       {runs / seconds:.2f} ({runs / processor:.2f} by processor time)",
            f"matches ended well   {tally.finished} with {tally.deals} deals and {tally.events} events",
            f"frames               {tally.frames}",
            f"faults               {faults or 'none'}",
            f"crashes              {tally.crashes}{': ' if points else ''}{points}",
            f"tables split by lies {tally.splits}, convicted by all: {tally.convictions}",
            f"seats declared lost  {tally.seats_lost} with {tally.votes} votes, {tally.mistaken} by mistake",
            f"deals rescued        {tally.rescued}, with {tally.late} events that came too late",
            f"never came back      {tally.never_back} seats, and the match ended well",
            f"false accusations    {tally.accused}",
            f"lost events          {tally.lost}",
            f"broken promises      {len(campaign.failures)}",
        )
    )


if __name__ == "__main__":
    raise SystemExit(main())
