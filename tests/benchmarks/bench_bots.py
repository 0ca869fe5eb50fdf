"""How good the bots are, beyond what tournaments tell: ``python -m tests.benchmarks.bench_bots PART…``.

- `engines`: random plays a second on the readable and on the quick engine.
- `ceiling`: the hard bot that sees all hands (but not the order of the stock) against the hard bot.
- `blunders`: positions from matches of medium bots in which a long look ahead finds a play that costs ten
  points or more, and how often each level makes such a play.
- `growth`: the hard bot against the medium one with more and more time to think.

`--deals`, `--seconds` and `--jobs` say how much is played, how long the hard bot thinks, and on how many
cores. Every deal is played twice, with the seats swapped.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean, stdev

from engine import (
    SEATS,
    Deal,
    Draw,
    Indicate,
    Options,
    Phase,
    Play,
    Seat,
    State,
    apply,
    legal_actions,
    new_match,
    next_drawer,
    player_view,
    turn,
)
from node.bots import BOTS, Bot, make_bot
from node.bots.arena import Shuffles
from node.bots.hard import HardBot
from tests.engine.quick_beside import move_of, quick_from
from tests.engine.strategies import Player, random_play

_BLUNDER = 10.0
_DEEP_SECONDS = 2.0
_TIMES = (0.1, 0.3, 1.0, 3.0)

Seated = Callable[[Seat], tuple[Bot, bool]]
"""From a seat to its bot, and whether it is shown all hands."""


Position = tuple[State, Seat, Sequence[Play]]
"""What a bot is shown: the state as it may see it, its seat, and its legal plays."""


def play(shuffles: Shuffles, seated: Seated, asked: Callable[[Position], None] | None = None) -> State:
    """A deal as it has ended; `asked` hears of every choice before it is made."""
    state, stock = start(shuffles)
    bots = [seated(seat) for seat in SEATS]
    while state.phase in (Phase.PLAYING, Phase.DRAWING):
        drawer = next_drawer(state)
        if drawer is not None:
            state = apply(state, Draw(drawer, stock.pop(0)))
            continue
        seat = turn(state)
        assert seat is not None
        bot, sees_all = bots[seat]
        view = state if sees_all else player_view(state, seat)
        legal = legal_actions(view, seat)
        if asked is not None:
            asked((view, seat, legal))
        state = apply(state, bot.choose(view, seat, legal))
    return state


def start(shuffles: Shuffles) -> tuple[State, list]:  # type: ignore[type-arg]
    """The deal before the first lead, and the stock from the top."""
    shuffle, dealer = shuffles.of_deal(0), shuffles.dealer
    hands = tuple(shuffle.hand(dealer, seat) for seat in SEATS)
    state = apply(new_match(Options()), Deal(dealer, hands))  # type: ignore[arg-type]
    return apply(state, Indicate(shuffle.indicator)), list(shuffle.stock)


def both_sides(number: int, *, seed: str, one: Seated, other: Seated) -> float:
    """What `one` wins of a pair of deals, from 0 to 1; eggs are a half."""
    shuffles = Shuffles(seed, number)
    first = play(shuffles, lambda seat: (one if seat % 2 == 0 else other)(seat))
    second = play(shuffles, lambda seat: (other if seat % 2 == 0 else one)(seat))
    one_lost, other_lost = second.results[-1].defeat_points[::-1]
    return (_won(first.results[-1].defeat_points) + _won((one_lost, other_lost))) / 2


def _won(lost: tuple[int, int]) -> float:
    return 0.5 if lost[0] == lost[1] else float(lost[0] < lost[1])


def hard(seat: Seat, *, seconds: float, sees_all: bool = False) -> tuple[Bot, bool]:
    """A hard bot that thinks so long."""
    return HardBot(random.Random(seat), seconds), sees_all


def named(seat: Seat, *, name: str) -> tuple[Bot, bool]:
    """One of our bots."""
    return make_bot(name, random.Random(seat)), False


def compare(name: str, one: Seated, other: Seated, deals: int, jobs: int) -> None:
    """Print what share of so many deals `one` wins."""
    began = time.perf_counter()
    with multiprocessing.Pool(jobs) as pool:
        work = partial(both_sides, seed="bench", one=one, other=other)
        shares = pool.map(work, range(deals // 2), chunksize=1)
    error = 1.96 * stdev(shares) / len(shares) ** 0.5
    seconds = time.perf_counter() - began
    print(
        f"{name:40} {100 * fmean(shares):5.1f} % ± {100 * error:.1f} of {deals} deals, {seconds:.0f} s",
        flush=True,
    )


def engines() -> None:
    """Plays a second, apart from choosing them."""
    for name, engine in (("readable", readable), ("quick", quick)):
        began = time.process_time()
        plays = sum(engine(seed) for seed in range(400))
        print(f"{name:10} engine {plays / (time.process_time() - began):10.0f} random plays a second")


def readable(seed: int) -> int:
    """Play a deal at random on the readable engine; the number of plays."""
    player = Player(random.Random(seed), Options(), random_play)
    player.deal()
    player.finish_deal()
    return sum(isinstance(action, Play) for action in player.actions)


def quick(seed: int) -> int:
    """Play a deal at random on the quick engine; the number of plays."""
    player = Player(random.Random(seed), Options(), random_play)
    player.deal()
    deal, plays = quick_from(player), 0
    while not deal.over:
        seat = deal.turn
        deal.play(seat, player.rng.choice(list(deal.moves(seat))))
        plays += 1
    return plays


def positions(count: int) -> list[Position]:
    """Positions with a choice, from deals of medium bots, a few of each deal."""
    rng = random.Random(7)
    found: list[Position] = []

    def asked(position: Position) -> None:
        if len(position[2]) > 1 and rng.random() < 0.1:
            found.append(position)

    for number in itertools.count():
        if len(found) >= count:
            break
        play(Shuffles("blunders", number), partial(named, name="medium"), asked)
    return found[:count]


def judge(position: Position, seconds: float) -> dict[str, bool] | None:
    """Whether each level blunders here; None where no play costs so much."""
    view, seat, legal = position
    deep = HardBot(random.Random(1), _DEEP_SECONDS).consider(view, seat, legal)
    best = max(one.points for one in deep)
    bad = {move_of(one.play) for one in deep if best - one.points >= _BLUNDER}
    if not bad:
        return None
    chosen = {name: make_bot(name, random.Random(2), seconds).choose(view, seat, legal) for name in BOTS}
    return {name: move_of(play) in bad for name, play in chosen.items()}


def blunders(count: int, seconds: float, jobs: int) -> None:
    """Print how often each level makes a play that costs ten points or more, where there is one."""
    with multiprocessing.Pool(jobs) as pool:
        judged = pool.map(partial(judge, seconds=seconds), positions(count), chunksize=1)
    found = [one for one in judged if one is not None]
    print(f"{len(found)} of {count} positions have a play that costs {_BLUNDER:.0f} points; it is made by")
    for name in BOTS:
        made = sum(one[name] for one in found)
        print(f"  {name:8} in {made:4}, {100 * made / len(found):5.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", nargs="+", choices=("engines", "ceiling", "blunders", "growth"))
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.03)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if "engines" in options.part:
        engines()
    told = {"deals": options.deals, "jobs": options.jobs}
    if "ceiling" in options.part:
        blind, seeing = (partial(hard, seconds=options.seconds, sees_all=sees) for sees in (False, True))
        compare("hard with open hands against hard", seeing, blind, **told)
    if "blunders" in options.part:
        blunders(options.deals, options.seconds, options.jobs)
    for seconds in _TIMES if "growth" in options.part else ():
        thinking, medium = partial(hard, seconds=seconds), partial(named, name="medium")
        compare(f"hard, {seconds} s a play, against medium", thinking, medium, **told)


if __name__ == "__main__":
    main()
