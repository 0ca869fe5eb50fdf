"""The strong bot: how long it thinks, what its figures say, and that likely worlds count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from random import Random
from statistics import correlation, fmean

import pytest

from engine import (
    Beat,
    Discard,
    Options,
    Phase,
    Seat,
    legal_actions,
    player_view,
    team_of,
    turn,
)
from engine.bits import mask_of
from node.bots import search
from node.bots.hard import HardBot
from node.bots.knowledge import Knowledge
from node.bots.worlds import World
from tests.engine.strategies import Player
from tests.engine.tables import cards, table
from tests.node.positions import Position, all_positions, counting, medium_play, visited


def test_what_the_hard_bot_chooses_is_legal() -> None:
    """Also where four of a suit are claimed from every side."""
    for seed in range(6):
        for number, position in enumerate(visited(seed, fours=0.7, eagerness=0.6)):
            if number % 5 == seed % 5:
                bot = HardBot(Random(number), 0, counting())
                assert bot.choose(position.view, position.seat, position.legal) in position.legal


# Its time


class Looks:
    """Counts how often the hard bot looks ahead, and when."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.begun: list[float] = []
        look = search.Search.look

        def noted(one: search.Search) -> None:
            self.begun.append(self.now)
            look(one)
            self.now += 1.0  # Each look takes a second.

        monkeypatch.setattr(search.Search, "look", noted)

    def clock(self) -> float:
        return self.now


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    return Looks(monkeypatch)


def opening(seed: int = 3) -> Position:
    """The leader of a first trick has several plays."""
    position = next(visited(seed, fours=0))
    assert len(position.legal) > 3
    return position


def no_clock() -> float:
    raise AssertionError("there is nothing to think about")


def test_a_single_play_needs_no_thought(looks: Looks) -> None:
    single = [position for position in all_positions() if len(position.legal) == 1]
    assert len(single) > 10
    for position in single:
        bot = HardBot(Random(1), 5.0, no_clock)
        assert bot.choose(position.view, position.seat, position.legal) == position.legal[0]
    assert looks.begun == []


@pytest.mark.parametrize("seconds", [0.0, 1.0, 3.0, 3.5])
def test_no_look_is_begun_when_the_time_is_up(looks: Looks, seconds: float) -> None:
    position = opening()
    bot = HardBot(Random(1), seconds, looks.clock)
    bot.choose(position.view, position.seat, position.legal)
    assert looks.begun[0] == 0
    assert all(begun < seconds for begun in looks.begun[1:])


@pytest.mark.parametrize(("seconds", "count"), [(0.0, 1), (1.0, 1), (3.0, 3), (3.5, 4), (-1.0, 1)])
def test_whoever_considers_every_play_uses_all_the_time(looks: Looks, seconds: float, count: int) -> None:
    position = opening()
    bot = HardBot(Random(1), seconds, looks.clock)
    bot.consider(position.view, position.seat, position.legal)
    assert len(looks.begun) == count


def test_without_time_it_looks_once(looks: Looks) -> None:
    position = opening()
    bot = HardBot(Random(1), 0, looks.clock)
    assert bot.choose(position.view, position.seat, position.legal) in position.legal
    assert len(looks.begun) == 1


def test_more_time_is_more_worlds() -> None:
    position = opening()
    counts = [
        HardBot(Random(1), seconds, counting())
        .consider(position.view, position.seat, position.legal)[0]
        .worlds
        for seconds in (1.0, 3.0, 9.0)
    ]
    assert counts[0] < counts[1] < counts[2]


# Its figures


def considered_positions() -> Iterator[Position]:
    """A few of each stage, with claims among them."""
    for seed in range(12):
        for number, position in enumerate(visited(seed, fours=0.5)):
            if number % 8 == seed % 8:
                yield position


def test_every_legal_play_is_considered_once_and_the_figures_make_sense() -> None:
    seen = Counter[str]()
    for position in considered_positions():
        bot = HardBot(Random(1), 1.0, counting())
        plays = bot.consider(position.view, position.seat, position.legal)
        assert len(plays) == len(position.legal)
        assert all(sum(one.play == legal for one in plays) == 1 for legal in position.legal)
        for one in plays:
            assert -1 <= one.value <= 1
            assert -12 <= one.defeat_points <= 12
            assert 0 <= one.points <= 120.000001
            assert 0 <= one.takes <= 1.000001
            assert one.worlds > 0
            assert all(map(isfinite, (one.value, one.defeat_points, one.points, one.takes)))
        assert len({one.worlds for one in plays}) == 1
        seen["sure"] += any(one.takes > 0.999 for one in plays)
        seen["lost"] += any(one.takes == 0 for one in plays)
    assert min(seen.values()) > 3


def test_the_best_play_comes_first() -> None:
    """By the chance to win, but for a little that rules of thumb add where the worlds tell little."""
    for position in considered_positions():
        bot = HardBot(Random(1), 1.0, counting())
        values = [one.value for one in bot.consider(position.view, position.seat, position.legal)]
        assert values[0] > max(values) - 0.05
        assert all(more > less - 0.1 for more, less in pairwise(values))


def test_taken_for_sure_and_not_at_all() -> None:
    """Last to play: who beats takes the trick, who discards leaves it."""
    checked = 0
    for position in all_positions(range(10)):
        if not position.is_last or position.partner_takes or len(position.legal) == 1:
            continue
        bot = HardBot(Random(1), 0, counting())
        for one in bot.consider(position.view, position.seat, position.legal):
            if isinstance(one.play, (Beat, Discard)):
                assert one.takes == pytest.approx(float(isinstance(one.play, Beat)))
                checked += 1
    assert checked > 100


def test_values_are_changes_of_the_chance_to_win() -> None:
    """Whoever plays for the whole match has more at stake than whoever cannot lose or win it yet."""
    position = opening()
    spreads = []
    for score in ((10, 10), (0, 0)):
        view = replace(position.view, score=score)
        plays = HardBot(Random(1), 1.0, counting()).consider(view, position.seat, position.legal)
        spreads.append(max(one.value for one in plays) - min(one.value for one in plays))
    assert spreads[0] > spreads[1]


def test_the_same_chance_and_clock_make_the_same_choice() -> None:
    for position in list(considered_positions())[:8]:
        first, second = (
            HardBot(Random(5), 1.0, counting()).consider(position.view, position.seat, position.legal)
            for _ in range(2)
        )
        assert first == second


@pytest.mark.parametrize(("holder", "takes"), [(3, 0.0), (2, 1.0)])
def test_worlds_count_by_their_likelihood(
    holder: Seat, takes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One card each: whether the king stands depends on who has the ace, and that on how all have played."""
    ace = mask_of(cards("Ad"))

    def told(_knowledge: Knowledge, world: World, *_: object) -> float:
        return 1.0 if world.hands[holder] & ace else 1e-12

    monkeypatch.setattr(search, "likelihood", told)
    state = table(["Kd", "8c", "9s", "Ad"])
    view = replace(player_view(state, 0), tricks=state.tricks)
    bot = HardBot(Random(1), 2.0, counting())
    (king,) = bot.consider(view, 0, legal_actions(view, 0))
    assert king.takes == pytest.approx(takes, abs=1e-6)


def test_hard_expects_about_the_points_that_come() -> None:
    """In games between medium bots, from the second trick on."""
    expected: list[float] = []
    came: list[float] = []
    for seed in range(70):
        player = Player(Random(seed), Options(), medium_play)
        player.deal()
        place, told = Random(f"place {seed}").randrange(5, 20), None
        for number in range(200):
            seat = turn(player.state)
            if number >= place and told is None and seat is not None:
                view = player_view(player.state, seat)
                bot = HardBot(Random(1), 0, counting())
                told = team_of(seat), bot.consider(view, seat, legal_actions(view, seat))[0].points
            if player.state.phase not in (Phase.PLAYING, Phase.DRAWING):
                break
            player.step()
        assert told is not None
        team, points = told
        expected.append(points)
        came.append(player.state.results[-1].points[team])
    assert correlation(expected, came) > 0.35
    assert abs(fmean(expected) - fmean(came)) < 12
