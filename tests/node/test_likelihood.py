"""What the others' plays tell of their cards: the truth is likelier than what is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from math import isfinite, log
from random import Random
from statistics import fmean, stdev

import pytest

from engine import player_view
from engine.bits import mask_of
from node.bots.knowledge import Knowledge, know
from node.bots.likelihood import likelihood
from node.bots.worlds import World, Worlds
from tests.engine.strategies import Policy
from tests.engine.tables import cards, run, table
from tests.node.positions import Position, blind_play, medium_play, visited


def positions(seeds: range, policy: Policy, step: int = 3) -> Iterator[Position]:
    """Every third position of these deals."""
    return chain.from_iterable(
        islice(visited(seed, policy, fours=0, eagerness=1), seed % step, None, step) for seed in seeds
    )


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_every_world_has_a_chance_and_so_has_the_truth(tricks: int) -> None:
    """However the others play: nothing that may happen is held to be impossible."""
    asked = 0
    for seed in range(40):
        for position in visited(seed):
            knowledge, rng = know(position.view, position.seat), Random(seed)
            for world in (position.truth(), Worlds(knowledge, rng).draw()):
                chance = likelihood(knowledge, world, rng, tricks)
                assert 0 < chance < 1.000001
                asked += 1
    assert asked > 1000


def advantage(position: Position, rng: Random, tricks: int, worlds: int = 5) -> float:
    """The logarithm of how much likelier the truth is than worlds that are drawn."""
    knowledge = know(position.view, position.seat)
    source = Worlds(knowledge, rng)
    real = log(likelihood(knowledge, position.truth(), rng, tricks))
    return real - fmean(log(likelihood(knowledge, source.draw(), rng, tricks)) for _ in range(worlds))


@pytest.mark.parametrize("tricks", [0, 1])
def test_the_truth_is_likelier_than_what_is_drawn_when_players_have_reasons(tricks: int) -> None:
    rng = Random(tricks)
    gains = [advantage(position, rng, tricks) for position in positions(range(60), medium_play)]
    assert len(gains) > 300
    assert all(map(isfinite, gains))
    assert fmean(gains) > 0.1
    assert fmean(gains) > 6 * stdev(gains) / len(gains) ** 0.5


def test_plays_farther_back_tell_more() -> None:
    some = list(positions(range(60), medium_play))
    here, before = ([advantage(one, Random(1), tricks) for one in some] for tricks in (0, 1))
    assert fmean(before) > 1.2 * fmean(here)


def test_the_truth_is_as_likely_as_any_world_when_players_have_no_reasons() -> None:
    rng = Random(5)
    gains = [advantage(position, rng, 0) for position in positions(range(60), blind_play)]
    assert abs(fmean(gains)) < 5 * stdev(gains) / len(gains) ** 0.5


def test_nothing_is_told_before_anybody_has_played() -> None:
    first = next(visited(2, medium_play))
    knowledge, rng = know(first.view, first.seat), Random(1)
    worlds = Worlds(knowledge, rng)
    assert {likelihood(knowledge, worlds.draw(), rng, tricks) for tricks in (0, 1) for _ in range(20)} == {
        1.0
    }


# By hand: trump is hearts and the stock is empty. Seat 1 answered last in the trick before; seat 2 weighs
# what else it may have held.

THROWN = {(1, 3): cards("6c"), (1, 0): cards("7c")}


def heard(lead: str, answer: str, own: str = "8d9d") -> Knowledge:
    """What seat 2 knows after its lead, two discards, and an answer of seat 1; `own` cards are left to it."""
    hands = ["7c6dJd", f"{answer[-2:]}8s9s", lead + own, "6c7d8c"]
    state = run(
        table(hands, entitled=2),
        f"lead 2 {lead}",
        "discard 3 6c on 2",
        "discard 0 7c on 2",
        f"{answer} on 2",
    )
    seat = state.leader
    assert seat is not None
    if seat == 1:
        state = run(state, "lead 1 8s")
    return know(player_view(state, 2), 2)


def held(knowledge: Knowledge, answer: str, rest: str) -> float:
    """How likely seat 1's answer was if the rest of its hand was this, whatever came after that trick."""
    hands = [cards("6dJd"), cards(rest), (), cards("7d8c")]
    first, second, _, fourth = map(mask_of, hands)
    discards = {place: mask_of(thrown) for place, thrown in THROWN.items()}
    if not knowledge.rounds[-1].beat:
        discards[1, 1] = mask_of(cards(answer))
    world = World((first, second, knowledge.hand, fourth), discards, ())
    before, here = (likelihood(knowledge, world, Random(0), tricks) for tricks in (1, 0))
    return before / here


@pytest.mark.parametrize(("lead", "cheap"), [("Kc", "Tc"), ("Kc", "Ac"), ("Tc", "Ac"), ("As", "6h")])
def test_who_threw_a_low_card_away_could_hardly_beat_cheaply(lead: str, cheap: str) -> None:
    knowledge = heard(lead, "discard 1 6s")
    able, unable = held(knowledge, "6s", f"{cheap}8s"), held(knowledge, "6s", "9s8s")
    assert able < unable / 2


def test_who_beat_with_the_ace_of_trumps_had_no_lower_card_for_it() -> None:
    knowledge = heard("Jc", "beat 1 Ah")
    assert held(knowledge, "Ah", "8sTc") < held(knowledge, "Ah", "8s9s") / 2


def test_who_gave_an_opponent_points_had_nothing_less_to_give() -> None:
    knowledge = heard("Ac", "discard 1 Ts")
    assert held(knowledge, "Ts", "8s9s") < held(knowledge, "Ts", "AsAd") / 2


@pytest.mark.parametrize("own", ["8d9d", "QhKh", "Qc6h"])
def test_the_own_plays_tell_nothing(own: str) -> None:
    """The seat knows its own reasons, good or bad, so they make no world likelier."""
    usual, odd = heard("Kc", "discard 1 6s"), heard("Kc", "discard 1 6s", own)
    assert held(odd, "6s", "9s8s") == held(usual, "6s", "9s8s")
