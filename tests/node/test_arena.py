"""Games between bots: the cards are those of the seed, and each bot sees its own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine import (
    DECK,
    SEATS,
    Card,
    Cards,
    Deal,
    Molodka,
    MolodkaRule,
    Options,
    Play,
    Seat,
    State,
    legal_actions,
    next_seat,
    player_view,
    turn,
)
from node.bots import Bot
from node.bots.arena import NO_THOUGHT, Played, Shuffles, Thinking, play_deal, play_match
from node.errors import BotFailed
from tests.engine.strategies import coin_play
from tests.node.odd_bots import CarelessSpy, First, Inventing, Raising, Spy

OPTIONS = Options()


def seated(*kinds: type[Bot]) -> list[Bot]:
    """Four bots; fewer kinds are repeated around the table."""
    return [kinds[seat % len(kinds)](random.Random(seat)) for seat in SEATS]


def spies(*kinds: type[Spy]) -> list[Spy]:
    """Four spies."""
    return [kinds[seat % len(kinds)](random.Random(seat)) for seat in SEATS]


def timeless(played: Played) -> Played:
    """The game without what the clock says."""
    return replace(played, thinking=tuple(Thinking(one.plays, 0, 0) for one in played.thinking))


def last_views(table: Sequence[Spy], deal: int) -> list[State]:
    """What each spy saw of a deal at its last play in it, when the stock was empty."""
    return [[view for view, _, _ in spy.seen if view.deal_number == deal][-1] for spy in table]


def cards_of(table: Sequence[Spy], deal: int) -> tuple[object, ...]:
    """Dealer, indicator, hands and stock from the top, put together from what four spies saw of a deal."""
    views = last_views(table, deal)
    hands: list[Cards | None] = []
    for seat, view in enumerate(views):
        assert view.stock == 0
        assert view.dealt is not None
        assert [hand for hand in view.dealt.hands if hand is not None] == [view.dealt.hands[seat]]
        hands.append(view.dealt.hands[seat])
    stock: list[Card] = []
    for draws in zip(*(view.drawn for view in views), strict=True):
        (card,) = {draw.card for draw in draws if draw.card is not None}
        stock.append(card)
    return views[0].dealer, views[0].indicator, tuple(hands), tuple(stock)


# The cards


def test_a_deal_has_the_whole_deck_and_its_indicator_lies_in_the_stock() -> None:
    places = Counter[int]()
    for number in range(200):
        shuffle = Shuffles("seed", number).of_deal(0)
        assert sorted(shuffle.dealt + shuffle.stock) == list(DECK)
        assert len(shuffle.stock) == 20
        places[shuffle.stock.index(shuffle.indicator)] += 1
    # Put back and shuffled: it may lie anywhere, and is nowhere more often than chance allows (R6).
    assert len(places) == 20
    assert max(places.values()) < 30


def test_cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer() -> None:
    """R5."""
    shuffle = Shuffles("seed", 3).of_deal(0)
    for dealer in SEATS:
        hands: list[list[Card]] = [[], [], [], []]
        for place, card in enumerate(shuffle.dealt):
            hands[next_seat(dealer, 1 + place)].append(card)
        assert [list(shuffle.hand(dealer, seat)) for seat in SEATS] == hands


def test_the_cards_follow_from_seed_number_and_deal_alone() -> None:
    same = Shuffles("seed", 1)
    assert same.of_deal(5) == Shuffles("seed", 1).of_deal(5)
    others = (Shuffles("seed", 2).of_deal(5), Shuffles("other", 1).of_deal(5), same.of_deal(6))
    assert len({same.of_deal(5).dealt, *(other.dealt for other in others)}) == 4
    assert Counter(Shuffles("seed", number).dealer for number in range(400)).keys() == set(SEATS)


def test_swapped_seats_get_the_same_cards() -> None:
    played = 0
    for number in range(12):
        shuffles = Shuffles("swap", number)
        tables = spies(Spy, CarelessSpy), spies(CarelessSpy, Spy)
        for table in tables:
            play_deal(table, shuffles, OPTIONS)
        first, second = (cards_of(table, 0) for table in tables)
        assert first == second
        dealer, shuffle = shuffles.dealer, shuffles.of_deal(0)
        hands = tuple(Deal(dealer, tuple(shuffle.hand(dealer, seat) for seat in SEATS)).hands)  # type: ignore[arg-type]
        assert first == (dealer, shuffle.indicator, hands, shuffle.stock)
        played += [len(spy.seen) for spy in tables[0]] != [len(spy.seen) for spy in tables[1]]
    assert played > 6, "the plays differ, the cards do not"


def test_matches_get_the_same_cards_deal_by_deal() -> None:
    shuffles = Shuffles("swap", 1)
    tables = spies(Spy, CarelessSpy), spies(CarelessSpy, Spy)
    games = [play_match(table, shuffles, OPTIONS) for table in tables]
    shorter = min(game.deals for game in games)
    assert shorter >= 2
    for deal in range(shorter):
        assert cards_of(tables[0], deal) == cards_of(tables[1], deal)
        assert cards_of(tables[0], deal)[0] == next_seat(shuffles.dealer, deal)


# The play


def test_a_bot_is_asked_in_its_turn_and_sees_its_own_view() -> None:
    table = spies(Spy, CarelessSpy)
    play_match(table, Shuffles("view", 0), OPTIONS)
    assert all(len(spy.seen) > 10 for spy in table)
    for place, spy in enumerate(table):
        for view, seat, legal in spy.seen:
            assert seat == place == turn(view)
            assert view == player_view(view, seat)
            assert not view.hands[seat].unknown
            assert all(view.hands[other].known == view.hands[other].seen for other in SEATS if other != seat)
            assert list(legal) == legal_actions(view, seat)


@pytest.mark.parametrize("rule", MolodkaRule)
def test_claims_out_of_turn_are_among_the_plays_unless_they_are_off(rule: MolodkaRule) -> None:
    """R13."""
    claims = 0
    for number in range(40):
        table = spies(CarelessSpy)
        play_deal(table, Shuffles("claims", number), Options(molodka=rule))
        claims += sum(
            isinstance(play, Molodka) for spy in table for _, _, legal in spy.seen for play in legal
        )
    assert (claims > 0) == (rule is MolodkaRule.ANYTIME)


def test_the_same_seed_gives_the_same_game() -> None:
    games = [timeless(play_match(seated(Spy, CarelessSpy), Shuffles("x", 5), OPTIONS)) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] != timeless(play_match(seated(Spy, CarelessSpy), Shuffles("x", 6), OPTIONS))


def test_a_deal_stands_for_itself() -> None:
    table = spies(CarelessSpy)
    played = play_deal(table, Shuffles("x", 1), OPTIONS)
    assert played.deals == 1
    view = table[0].seen[0][0]
    assert (view.score, view.deal_number, view.tricks) == ((0, 0), 0, ())
    assert [one.plays for one in played.thinking] == [len(spy.seen) for spy in table]


@pytest.mark.parametrize("target", [6, 24])
def test_a_match_ends_at_its_target(target: int) -> None:
    """R21."""
    for number in range(5):
        played = play_match(seated(CarelessSpy), Shuffles("x", number), Options(target))
        assert min(played.defeat_points) < target <= max(played.defeat_points)
        assert played.deals >= target / 6


class Tossing(Bot):
    """Tosses a coin whether to beat, and plays any cards."""

    def choose(self, view: State, seat: Seat, _legal: Sequence[Play]) -> Play:
        return coin_play(self.rng, view, seat)


def test_results_are_as_frequent_as_in_any_simulator() -> None:
    """2, 4 and 6 defeat points in 56-64, 32-40 and 3-6 % of deals, eggs in about 1 %."""
    results = Counter[int]()
    for number in range(300):
        table = [Tossing(random.Random(4 * number + seat)) for seat in SEATS]
        results[sum(play_deal(table, Shuffles("often", number), OPTIONS).defeat_points)] += 1
    assert set(results) == {0, 2, 4, 6}
    assert 0.5 < results[2] / 300 < 0.7
    assert 0.26 < results[4] / 300 < 0.46
    assert results[0] < 12


def test_thinking_adds_up() -> None:
    both = Thinking(2, 3.0, 2.0) + Thinking(1, 4.0, 4.0)
    assert both == Thinking(3, 7.0, 4.0) == both + NO_THOUGHT


def test_a_bot_that_cannot_play_ends_the_game() -> None:
    with pytest.raises(BotFailed, match="no idea"):
        play_deal(seated(First, Raising), Shuffles("x", 1), OPTIONS)
    with pytest.raises(BotFailed, match="not allowed"):
        play_match(seated(First, Inventing), Shuffles("x", 1), OPTIONS)
