"""What our own bots promise: how easy and medium play, and that each is stronger than the one before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from statistics import fmean, stdev

import pytest

from engine import (
    Beat,
    Discard,
    Lead,
    Molodka,
    Options,
    Play,
    legal_actions,
    player_view,
)
from node.bots import BOTS, bot_class, make_bot
from node.bots.easy import EasyBot
from node.bots.medium import MediumBot
from node.bots.pairs import Contest, Role, play_pair
from tests.engine.tables import cards, run, table
from tests.node.positions import Position, SteadyHard, all_positions, visited


def points(play: Play) -> int:
    return sum(card.points for card in play.cards or ())


def is_four(position: Position, play: Play) -> bool:
    """Whether a play claims the lead, also from one's own place after somebody else did (R13, R15)."""
    return isinstance(play, Molodka) or (isinstance(play, Lead) and bool(position.tricks[-1].branches))


# Every bot


@pytest.mark.parametrize("name", ["random", "easy", "medium"])
def test_what_is_chosen_is_legal(name: str) -> None:
    bot, kinds = make_bot(name, Random(1)), Counter[type]()
    for position in all_positions():
        play = bot.choose(position.view, position.seat, position.legal)
        assert play in position.legal
        kinds[type(play)] += 1
    assert set(kinds) == {Lead, Molodka, Beat, Discard}


# Easy


def test_easy_gives_opponents_no_more_points_than_it_must() -> None:
    bot, given = EasyBot(Random(2)), 0
    for position in all_positions():
        play = bot.choose(position.view, position.seat, position.legal)
        if isinstance(play, Discard) and not position.partner_takes:
            discards = [one for one in position.legal if isinstance(one, Discard)]
            assert points(play) == min(map(points, discards))
            given += len({points(one) for one in discards}) > 1
    assert given > 100


Situation = Callable[[Position], bool]


def may_claim(position: Position) -> bool:
    return any(isinstance(play, Molodka) for play in position.legal) and len(position.legal) > 1


def may_lead_several(position: Position) -> bool:
    leads = [play for play in position.legal if isinstance(play, Lead)]
    return len(leads) == len(position.legal) and any(len(lead.cards) > 1 for lead in leads)


def may_beat_several(position: Position) -> bool:
    beats = [play for play in position.legal if isinstance(play, Beat)]
    return (
        any(len(beat.cards) > 1 for beat in beats) and not position.partner_takes and not may_claim(position)
    )


def may_overtake(position: Position) -> bool:
    beats = any(isinstance(play, Beat) for play in position.legal)
    return beats and position.partner_takes and not may_claim(position)


@pytest.mark.parametrize(
    ("situation", "lapse"),
    [
        pytest.param(may_claim, lambda play: not isinstance(play, Molodka), id="overlooks its four"),
        pytest.param(may_lead_several, lambda play: len(play.cards) == 1, id="leads a single card"),
        pytest.param(may_beat_several, lambda play: isinstance(play, Discard), id="spares several"),
        pytest.param(may_overtake, lambda play: isinstance(play, Beat), id="overtakes its partner"),
    ],
)
def test_easy_makes_each_mistake_now_and_then(situation: Situation, lapse: Callable[[Play], bool]) -> None:
    """In the same position sometimes, and sometimes not, and more often not."""
    found = [position for position in all_positions() if situation(position)][:10]
    assert len(found) == 10
    for position in found:
        plays = [
            EasyBot(Random(seed)).choose(position.view, position.seat, position.legal) for seed in range(120)
        ]
        assert 0 < sum(map(lapse, plays)) < 60


def test_easy_always_beats_an_opponent_when_one_card_will_do() -> None:
    beaten = 0
    for position in all_positions():
        beats = [play for play in position.legal if isinstance(play, Beat)]
        if beats and len(beats[0].cards) == 1 and not position.partner_takes and not may_claim(position):
            play = EasyBot(Random(beaten)).choose(position.view, position.seat, position.legal)
            assert isinstance(play, Beat)
            beaten += 1
    assert beaten > 50


def test_easy_gives_its_partner_points() -> None:
    state = run(table(["Ah6c8c", "7c9d9s", "Td8s6s", "8dJs7s"]), "lead 0 Ah", "discard 1 7c on 0")
    view = player_view(state, 2)
    chosen = {EasyBot(Random(seed)).choose(view, 2, legal_actions(view, 2)) for seed in range(20)}
    assert {play.cards for play in chosen} == {cards("Td")}


# Medium


def test_medium_claims_whenever_it_can() -> None:
    """R13, and from its own place when somebody else has claimed (R15)."""
    claimed = Counter[bool]()
    for seed in range(150):
        for position in visited(seed, fours=0.6, eagerness=0.5):
            fours = [play for play in position.legal if is_four(position, play)]
            if fours:
                play = MediumBot(Random(1)).choose(position.view, position.seat, position.legal)
                assert play in fours
                claimed[isinstance(play, Molodka)] += 1
    assert min(claimed[True], claimed[False]) > 3


def test_medium_never_overtakes_its_partner_when_nobody_comes_after_it() -> None:
    """The trick is theirs either way, and cards are better hidden."""
    spared = 0
    for position in all_positions(range(90)):
        beats = any(isinstance(play, Beat) for play in position.legal)
        if position.is_last and position.partner_takes and beats and not may_claim(position):
            play = MediumBot(Random(1)).choose(position.view, position.seat, position.legal)
            assert isinstance(play, Discard)
            spared += 1
    assert spared > 15


@pytest.mark.parametrize("place", ["last", "before a seat that cannot beat"])
def test_medium_gives_points_to_a_trick_that_is_its_partners(place: str) -> None:
    """The partner's ace of trumps cannot be beaten."""
    hands = ["Ah6c8c", "7c9d9s", "Td8s6s", "8dJs7s"]
    state = table(hands, entitled=0 if place != "last" else 3)
    lines = ["lead 0 Ah", "discard 1 7c on 0"]
    if place == "last":
        lines = ["lead 3 8d", "beat 0 Ah on 3", "discard 1 7c on 3"]
    view = player_view(run(state, *lines), 2)
    chosen = {MediumBot(Random(seed)).choose(view, 2, legal_actions(view, 2)) for seed in range(20)}
    assert {play.cards for play in chosen} == {cards("Td")}


@pytest.mark.parametrize("hand", ["Td8s6s", "As8s6s", "TsTd6c"])
def test_medium_gives_an_opponents_trick_no_points(hand: str) -> None:
    state = run(table(["8d9sJs", "Ah7c8c", hand, "7s9c9d"], entitled=3), "lead 3 7s", "discard 0 8d on 3")
    state = run(state, "beat 1 Ah on 3")
    view = player_view(state, 2)
    chosen = {MediumBot(Random(seed)).choose(view, 2, legal_actions(view, 2)) for seed in range(20)}
    assert set(map(points, chosen)) == {0}


# Who is stronger


def scores(stronger: str, weaker: str, pairs: int) -> list[float]:
    """The scores of the stronger in pairs of deals with the same cards."""
    contest = Contest(((Role.A, stronger), (Role.B, weaker)), Options(), False, "levels", 1.0)
    return [play_pair(contest, number).score for number in range(pairs)]


STEADY = f"{SteadyHard.__module__}:{SteadyHard.__name__}"


@pytest.mark.parametrize(
    ("stronger", "weaker", "pairs"),
    [
        pytest.param("easy", "random", 40, id="easy-random"),
        pytest.param("medium", "easy", 100, id="medium-easy"),
        pytest.param("medium", "easy", 800, marks=pytest.mark.long, id="medium-easy-often"),
        pytest.param(STEADY, "easy", 60, marks=pytest.mark.long, id="hard-easy"),
        pytest.param(STEADY, "medium", 200, marks=pytest.mark.long, id="hard-medium"),
    ],
)
@pytest.mark.timeout(1200)
def test_each_level_beats_the_one_below(stronger: str, weaker: str, pairs: int) -> None:
    """By more than the standard error of the mean."""
    results = scores(stronger, weaker, pairs)
    assert fmean(results) - stdev(results) / len(results) ** 0.5 > 0.5


def test_all_levels_are_there_from_the_weakest_to_the_strongest() -> None:
    assert list(BOTS) == ["random", "easy", "medium", "hard"]
    assert all(weak is not strong for weak, strong in combinations(map(bot_class, BOTS), 2))
