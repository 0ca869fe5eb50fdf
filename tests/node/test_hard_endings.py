"""The strong bot at the end of a deal, beside a search of every play in every world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from engine import (
    SEATS,
    Phase,
    Seat,
    State,
    Suit,
    Team,
    apply,
    legal_actions,
    player_view,
    team_of,
    turn,
)
from engine.bits import singles, subsets
from engine.quick import Move, QuickDeal
from node.bots import Bot
from node.bots.hard import HardBot
from node.bots.knowledge import Knowledge, know
from node.bots.moves import move_of
from node.bots.worlds import World, Worlds
from tests.engine.strategies import random_play, shuffled
from tests.engine.tables import table, taken_by
from tests.node.positions import counting


def ending(rng: Random, left: int, played: int) -> State | None:
    """Each seat has `left` cards, the stock is empty, and some have played to a trick.

    All that was played before is known, and both teams are one lost deal away from losing the match: so it
    goes to whoever gets more than half of the points.
    """
    deck = shuffled(rng)
    hands = ["".join(map(str, deck[left * seat : left * (seat + 1)])) for seat in SEATS]
    rest, open_still = deck[4 * left :], sum(card.points for card in deck[: 4 * left])
    half = 4 * (len(rest) // 8)
    while abs(sum(card.points for card in rest[:half]) - 60) > open_still:
        rest = tuple(rng.sample(rest, len(rest)))
    state = replace(
        table(hands, trump=rng.choice(tuple(Suit)), entitled=rng.choice(SEATS)),
        score=(10, 10),
        tricks=(taken_by(0, rest[:half]), taken_by(1, rest[half:])),
    )
    for _ in range(played):
        seat = turn(state)
        assert seat is not None
        state = apply(state, random_play(rng, state, seat))
    return state if state.phase is Phase.PLAYING and state.trick and state.trick.branches else None


def every_world(knowledge: Knowledge) -> Iterator[World]:
    """All ways in which the cards of the others can lie, when only their hands are hidden."""
    free = [seat for seat in SEATS for _ in range(knowledge.unknown[seat])]
    here, seen = len(knowledge.rounds), set[str]()
    for order in permutations(singles(knowledge.pool)):
        hands = list(knowledge.known)
        for seat, card in zip(free, order, strict=True):
            hands[seat] |= card
        thrown: list[dict[tuple[int, Seat], int]] = [{}]
        for seat in knowledge.current.hidden:
            sets = subsets(hands[seat], knowledge.current.count)
            thrown = [{**before, (here, seat): cards} for before in thrown for cards in sets]
        for discards in thrown:
            first, second, third, fourth = hands
            world = World((first, second, third, fourth), discards, ())
            if repr(world) not in seen:
                seen.add(repr(world))
                yield world


def solved(deal: QuickDeal, team: Team) -> float:
    """What a team gets of the match if all see all cards and nobody errs: 1, or 1/2 for eggs, or 0."""
    if deal.over:
        return 0.5 + 0.5 * ((deal.points[team] > 60) - (deal.points[team] < 60))
    seat, results = deal.turn, []
    for move in deal.moves(seat):
        after = deal.copy()
        after.play(seat, move)
        results.append(solved(after, team))
    return max(results) if team_of(seat) == team else min(results)


def results_of(knowledge: Knowledge, moves: Sequence[Move]) -> dict[Move, list[float]]:
    """What comes of each move in every world."""
    worlds, seat = Worlds(knowledge, Random(0)), knowledge.seat
    results: dict[Move, list[float]] = {move: [] for move in moves}
    for world in every_world(knowledge):
        for move in moves:
            deal = worlds.position(world)
            deal.play(seat, move)
            results[move].append(solved(deal, team_of(seat)))
    return results


Ending = tuple[State, Seat, dict[Move, list[float]]]


def endings(seeds: range, left: int, played: int) -> Iterator[Ending]:
    """Endings in which it matters what the seat plays: its view, and what comes of each of its moves."""
    for seed in seeds:
        state = ending(Random(seed), left, played)
        seat = None if state is None else turn(state)
        if state is None or seat is None:
            continue
        view = replace(player_view(state, seat), tricks=state.tricks)
        results = results_of(know(view, seat), [move_of(play) for play in legal_actions(view, seat)])
        if len({tuple(each) for each in results.values()}) > 1:
            yield view, seat, results


def chosen(bot: Bot, view: State, seat: Seat) -> Move:
    return move_of(bot.choose(view, seat, legal_actions(view, seat)))


@pytest.mark.parametrize("played", [2, 3])
def test_hard_does_not_err_when_it_knows_all_cards(played: int) -> None:
    """One card each. Only the seat after it has a hidden one, which is known as all others are."""
    found = 0
    for view, seat, results in endings(range(800), 1, played):
        if all(len(each) == 1 for each in results.values()):
            best = max(each[0] for each in results.values())
            assert results[chosen(HardBot(Random(1), 2.0, counting()), view, seat)] == [best]
            found += 1
    assert found > 10


@pytest.fixture(scope="module")
def two_cards() -> list[Ending]:
    """Endings with two cards in each hand, for the third and for the last seat of a trick."""
    return [*endings(range(130), 2, 2), *endings(range(130), 2, 3)]


def test_hard_wins_what_can_be_won_whatever_the_others_hold(two_cards: list[Ending]) -> None:
    """In every world the play that it chooses wins, and other plays do not."""
    found = won = 0
    for view, seat, results in two_cards:
        sure = [move for move, each in results.items() if min(each) == 1]
        if sure and len(sure) < len(results):
            won += chosen(HardBot(Random(1), 2.0, counting()), view, seat) in sure
            found += 1
    assert found > 30
    assert won > 0.95 * found


def test_hard_prefers_what_is_never_worse(two_cards: list[Ending]) -> None:
    """Of two plays it takes the one that is better in some worlds and worse in none."""
    found = right = 0
    for view, seat, results in two_cards:
        highest = [max(column) for column in zip(*results.values(), strict=True)]
        best = [move for move, each in results.items() if each == highest]
        if best and len(best) < len(results):
            right += chosen(HardBot(Random(1), 2.0, counting()), view, seat) in best
            found += 1
    assert found > 80
    assert right > 0.9 * found
