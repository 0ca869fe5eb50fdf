"""Every world agrees with all that the seat knows, the true one is among them, and none is favoured."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from engine import SEATS, STOCK_SIZE, Play, Seat, next_seat, player_view
from engine.bits import ALL_CARDS, CardSet, mask_of, points_of, singles
from engine.quick import QuickDeal
from node.bots.knowledge import Knowledge, know
from node.bots.moves import move_of
from node.bots.worlds import World, Worlds
from tests.engine.quick_beside import quick_from
from tests.engine.strategies import Player
from tests.engine.tables import run, table
from tests.node.positions import Position, all_positions, blind_play, sizes, visited


def drawn(positions: Iterator[Position], each: int = 2) -> Iterator[tuple[Position, Knowledge, World]]:
    """Worlds for positions."""
    for number, position in enumerate(positions):
        knowledge = know(position.view, position.seat)
        worlds = Worlds(knowledge, Random(number))
        for _ in range(each):
            yield position, knowledge, worlds.draw()


def finished(knowledge: Knowledge, world: World) -> dict[tuple[int, Seat], CardSet]:
    """The hidden discards of finished tricks; those of the current one are cards of the hands."""
    return {place: cards for place, cards in world.discards.items() if place[0] < len(knowledge.rounds)}


# Every world is possible


def test_every_card_lies_in_one_place() -> None:
    for _, knowledge, world in drawn(all_positions()):
        places = [*world.hands, *finished(knowledge, world).values(), *world.stock]
        places += [cards for played in knowledge.rounds for cards in played.cards]
        assert sum(places) == ALL_CARDS
        assert sum(cards.bit_count() for cards in places) == 36
        assert all(card.bit_count() == 1 for card in world.stock)


def test_hands_discards_and_stock_have_their_sizes() -> None:
    for position, _, world in drawn(all_positions(), each=1):
        assert sizes(world) == sizes(position.truth())


def test_what_the_seat_knows_is_so_in_every_world() -> None:
    for _, knowledge, world in drawn(all_positions()):
        assert world.hands[knowledge.seat] == knowledge.hand
        for seat in SEATS:
            assert knowledge.known[seat] & ~world.hands[seat] == 0
        here = len(knowledge.rounds)
        for seat in knowledge.current.hidden:
            assert world.discards[here, seat] & ~world.hands[seat] == 0


def test_the_indicator_is_dealt_to_nobody() -> None:
    """R6: it lay in the stock after the deal, so nobody held it or threw it away before the first draw."""
    early = 0
    for _, knowledge, world in drawn(all_positions()):
        first = [cards for (trick, _), cards in world.discards.items() if trick == 0]
        assert not any(cards & knowledge.indicator for cards in first)
        if knowledge.stock == STOCK_SIZE:
            assert knowledge.indicator in world.stock
            early += 1
    assert early > 200


def test_cards_that_went_back_lie_in_their_owners_next_discard() -> None:
    """R14: a lead that sends cards back is one of four, so who answers it plays its whole hand."""
    owned = 0
    for _, knowledge, world in drawn(all_positions(range(150)), each=3):
        for card, (seat, trick) in knowledge.owners.items():
            assert world.discards[trick, seat] & card
            owned += 1
    assert owned > 500


# The deal in a world


def test_the_position_allows_the_plays_that_the_rules_allow() -> None:
    for position, knowledge, world in drawn(all_positions(), each=1):
        deal = Worlds(knowledge, Random(0)).position(world)
        moves = list(deal.moves(position.seat))
        assert len(moves) == len(set(moves))
        assert set(moves) == {move_of(play) for play in position.legal}
        assert deal.turn == position.seat
        assert not deal.over


def test_points_taken_and_points_to_come_are_those_of_the_deck() -> None:
    for position, knowledge, world in drawn(all_positions(), each=1):
        deal = Worlds(knowledge, Random(0)).position(world)
        ahead = sum(map(points_of, deal.hands)) + sum(map(points_of, deal.stock))
        assert sum(deal.points) + ahead == 120
        assert sum(deal.tricks) == len(position.state.tricks)


def test_a_world_can_be_played_to_its_end() -> None:
    for number, (_, knowledge, world) in enumerate(drawn(all_positions(range(20)), each=1)):
        deal, rng = Worlds(knowledge, Random(0)).position(world), Random(number)
        while not deal.over:
            seat = deal.turn
            deal.play(seat, rng.choice(list(deal.moves(seat))))
        assert sum(deal.points) == 120
        assert not deal.stock


def test_the_true_world_makes_the_true_position() -> None:
    """The same as that of a deal which was played up to here on card sets."""
    compared = 0
    for seed in range(40):
        quick: QuickDeal | None = None
        done = 0
        for position in visited(seed):
            if quick is None:
                quick = _begun(position)
                done = len(position.actions)
            for action in position.actions[done:]:
                if isinstance(action, Play):
                    quick.play(action.seat, move_of(action))
            done = len(position.actions)
            knowledge = know(position.view, position.seat)
            deal = Worlds(knowledge, Random(0)).position(position.truth())
            for name in QuickDeal.__slots__:
                assert getattr(deal, name) == getattr(quick, name), name
            compared += 1
    assert compared > 500


def _begun(position: Position) -> QuickDeal:
    player = Player(Random(0), position.state.options, lambda _rng, _state, _seat: _never())
    player.state = position.state
    quick = quick_from(player)
    quick.stock = list(position.stock[::-1])
    return quick


def _never() -> Play:
    raise AssertionError("nobody plays here")


def test_the_position_is_a_copy_that_leaves_the_world_alone() -> None:
    for _, knowledge, world in islice(drawn(all_positions(range(3)), each=1), 40):
        worlds = Worlds(knowledge, Random(0))
        first, second = worlds.position(world), worlds.position(world)
        while not first.over:
            first.play(first.turn, next(iter(first.moves(first.turn))))
        for name in QuickDeal.__slots__:
            assert getattr(worlds.position(world), name) == getattr(second, name)


# No world is favoured


def test_the_same_chance_makes_the_same_worlds() -> None:
    for position in islice(visited(4), 0, 30, 3):
        knowledge = know(position.view, position.seat)
        first, again, other = (Worlds(knowledge, Random(seed)).draw() for seed in (1, 1, 2))
        assert first == again != other


SMALL = ["6cTd", "7cKs", "8c9s", "9cAh"]


@pytest.mark.parametrize(
    ("seat", "plays", "count"),
    [
        pytest.param(0, (), 90, id="two cards in each hand"),
        pytest.param(1, ("lead 0 6c",), 30, id="a card was led"),
        pytest.param(2, ("lead 0 6c", "discard 1 Ks on 0"), 60, id="a card was thrown away"),
        pytest.param(3, ("lead 0 6c", "beat 1 7c on 0", "discard 2 9s on 0"), 24, id="and one beat"),
        pytest.param(3, ("lead 0 6c", "discard 1 7c on 0", "discard 2 9s on 0"), 120, id="two were thrown"),
    ],
)
def test_all_worlds_are_drawn_and_about_equally_often(seat: Seat, plays: tuple[str, ...], count: int) -> None:
    """The true one too. The seat knows all earlier discards, so few worlds are possible."""
    state = run(table(SMALL), *plays)
    knowledge = know(replace(player_view(state, seat), tricks=state.tricks), seat)
    worlds = Worlds(knowledge, Random(seat))
    often = Counter(repr(worlds.draw()) for _ in range(60 * count))
    assert len(often) == count
    truth = Position(state, (), (), seat).truth()
    now = {place: cards for place, cards in truth.discards.items() if place[0] == 1}
    assert often[repr(replace(truth, discards=now))] > 0
    # Chi-squared with count - 1 degrees of freedom, five standard deviations allowed.
    spread = sum((times - 60) ** 2 / 60 for times in often.values())
    assert spread < count + 5 * (2 * count) ** 0.5


Judged = list[tuple[Position, Knowledge, list[World]]]


@pytest.fixture(scope="module")
def blind() -> Judged:
    """Positions of deals in which plays tell nothing, and worlds drawn for them."""
    found = []
    for number in range(900):
        place = Random(f"place {number}").randrange(4, 32)
        position = next(islice(visited(number, blind_play, fours=0, eagerness=0), place, None))
        knowledge = know(position.view, position.seat)
        worlds = Worlds(knowledge, Random(number))
        found.append((position, knowledge, [worlds.draw() for _ in range(8)]))
    return found


def place_of(knowledge: Knowledge, world: World, card: CardSet) -> str:
    """Where a hidden card lies, in a word."""
    if card in world.stock:
        return "stock"
    return "hand" if any(hand & card for hand in world.hands) else "thrown"


def misjudged(judged: Judged, *, indicator: bool) -> list[tuple[str, int, float, float]]:
    """Where a hidden card lies more or less often in the worlds than it does in truth, and how often in each.

    By the number of cards that have been drawn.
    """
    total, real = Counter[int](), Counter[tuple[str, int]]()
    guessed: dict[tuple[str, int], float] = defaultdict(float)
    for number, (position, knowledge, worlds) in enumerate(judged):
        special = knowledge.pool & knowledge.indicator
        cards = singles(special if indicator else knowledge.pool & ~special)
        if not cards:
            continue
        card, stage = Random(number).choice(cards), STOCK_SIZE - len(position.stock)
        total[stage] += 1
        real[place_of(knowledge, position.truth(), card), stage] += 1
        for world in worlds:
            guessed[place_of(knowledge, world, card), stage] += 1 / len(worlds)
    assert min(total.values()) > 50
    wrong = []
    for place, stage in sorted({*guessed, *real}):
        there, thought, all_of_them = real[place, stage], guessed[place, stage], total[stage]
        share = max(thought, 1) / all_of_them
        if abs(there - thought) > 4 * (all_of_them * share * (1 - share)) ** 0.5 + 1:
            wrong.append((place, stage, there / all_of_them, thought / all_of_them))
    return wrong


def test_cards_fall_where_they_do_in_truth(blind: Judged) -> None:
    assert misjudged(blind, indicator=False) == []


def test_the_indicator_falls_where_it_does_in_truth(blind: Judged) -> None:
    """R6: a hand holds it only among the cards that it has drawn, so early it mostly lies in the stock."""
    assert misjudged(blind, indicator=True) == []


def test_an_untouched_stock_holds_the_indicator_anywhere() -> None:
    """R6: nobody may know where it lies."""
    first = next(visited(3))
    knowledge = know(first.view, first.seat)
    assert knowledge.stock == STOCK_SIZE
    worlds = Worlds(knowledge, Random(1))
    often = Counter(worlds.draw().stock.index(knowledge.indicator) for _ in range(4000))
    assert set(often) == set(range(STOCK_SIZE))
    assert 120 < min(often.values()) <= 200 <= max(often.values()) < 290


def test_every_hidden_card_may_be_with_everybody() -> None:
    first = next(visited(3))
    knowledge = know(first.view, first.seat)
    worlds, often = Worlds(knowledge, Random(2)), Counter[tuple[Seat, CardSet]]()
    for _ in range(4000):
        world = worlds.draw()
        often.update((seat, card) for seat in SEATS for card in singles(world.hands[seat]))
    others = [next_seat(first.seat, step) for step in (1, 2, 3)]
    for card in singles(knowledge.pool & ~knowledge.indicator):
        for seat in others:
            # Four of the 31 cards that it may be are in that hand: 516 of 4000 times.
            assert 400 < often[seat, card] < 640
    assert not any(often[seat, knowledge.indicator] for seat in SEATS)
    assert mask_of(card for card in first.view.hands[first.seat].known) == knowledge.hand
