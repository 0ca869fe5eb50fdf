"""Speed of the engine: `python -m tests.benchmarks.bench_engine`.

Prints actions a second in replay, and random deals a second. Each is also given per million steps of a plain
Python loop that is timed in the same run, so that figures of different machines can be compared.
"""

import time
from collections.abc import Callable

from engine import Options, Phase, replay, replay_states
from tests.engine.strategies import random_match

LOOP = 2_000_000
MATCHES = 30


def seconds(work: Callable[[], object]) -> float:
    """Processor time of the fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def calibrate() -> int:
    """A loop that does next to nothing, in pure Python."""
    total = 0
    for number in range(LOOP):
        total += number & 7
    return total


def main() -> None:
    """Measure and print."""
    matches = [random_match(seed) for seed in range(MATCHES)]
    actions = sum(map(len, matches))
    deals = sum(len(replay(Options(), match).results) for match in matches)
    assert all(list(replay_states(Options(), match))[-1].phase is Phase.MATCH_OVER for match in matches)

    loop = seconds(calibrate) / LOOP * 1_000_000
    replaying = seconds(lambda: [replay(Options(), match) for match in matches])
    playing = seconds(lambda: [random_match(seed) for seed in range(MATCHES)])
    print(f"calibration loop   {1 / loop:10.1f} million steps a second")
    for name, count, taken in (("actions replayed", actions, replaying), ("random deals", deals, playing)):
        print(
            f"{name:18} {count / taken:10.0f} a second, {count / taken * loop:10.1f} per million loop steps"
        )


if __name__ == "__main__":
    main()
