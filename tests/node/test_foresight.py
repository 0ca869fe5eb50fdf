"""What is foreseen of a position comes true on average, and follows from the cards in a sensible way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import correlation, fmean, stdev

import pytest

from engine import DECK, SEATS, STOCK_SIZE, Rank, Seat, Suit, next_seat, partner_of, team_of
from engine.bits import SUIT_MASKS, CardSet, cards_of, mask_of, singles
from engine.quick import QuickDeal
from node.bots.foresight import foresee
from node.bots.foresight_weights import STAGES as STAGE_WEIGHTS
from node.bots.thumb import THUMB

STAGES = (16, 12, 8, 4)


def dealt(rng: Random) -> QuickDeal:
    """A deal whose indicator is a card of the stock."""
    deck = rng.sample(DECK, len(DECK))
    hands = [mask_of(deck[4 * seat : 4 * seat + 4]) for seat in SEATS]
    stock = [mask_of((card,)) for card in deck[-STOCK_SIZE:]]
    return QuickDeal(hands, stock, rng.choice(deck[-STOCK_SIZE:]).suit, rng.choice(SEATS))


def played(rng: Random) -> list[QuickDeal]:
    """The positions between two tricks of a deal that is played by rules of thumb, and its end."""
    deal = dealt(rng)
    positions = []
    while not deal.over:
        seat = next((seat for seat in SEATS if deal.may_claim(seat)), deal.turn)
        deal.play(seat, THUMB.best_move(deal, seat))
        if deal.leader < 0:
            positions.append(deal.copy())
    return positions


def ahead(end: QuickDeal, leader: Seat) -> int:
    """By how many points the team of this seat was ahead in the end."""
    return end.points[team_of(leader)] - end.points[1 - team_of(leader)]


@pytest.fixture(scope="module")
def foreseen() -> dict[int, list[tuple[float, float, float]]]:
    """By the size of the stock: what was foreseen, how surely, and what came."""
    found = defaultdict(list)
    rng = Random(1)
    for _ in range(2500):
        *positions, end = played(rng)
        for deal in positions:
            if deal.stock:
                guess, deviation = foresee(deal)
                found[len(deal.stock)].append((guess, deviation, float(ahead(end, deal.entitled))))
    return dict(found)


Foreseen = dict[int, list[tuple[float, float, float]]]


@pytest.mark.parametrize("stock", STAGES)
def test_what_is_foreseen_comes_about(foreseen: Foreseen, stock: int) -> None:
    guesses, _, ends = zip(*foreseen[stock], strict=True)
    assert len(guesses) > 300
    assert correlation(guesses, ends) > 0.3


def test_the_less_there_is_to_come_the_more_is_foreseen(foreseen: Foreseen) -> None:
    errors = [stdev(end - guess for guess, _, end in foreseen[stock]) for stock in STAGES]
    assert errors[0] > errors[-1]
    for stock in STAGES:
        came = stdev(end for _, _, end in foreseen[stock])
        error = stdev(end - guess for guess, _, end in foreseen[stock])
        assert error < came, "it is better than to foresee the same for every deal"


@pytest.mark.parametrize("stock", STAGES)
def test_it_errs_to_either_side_and_by_as_much_as_it_says(foreseen: Foreseen, stock: int) -> None:
    errors = [end - guess for guess, _, end in foreseen[stock]]
    assert abs(fmean(errors)) < 4 + 4 * stdev(errors) / len(errors) ** 0.5
    said = fmean(deviation for _, deviation, _ in foreseen[stock])
    assert 0.6 < stdev(errors) / said < 1.6


# What it follows from


def positions(count: int) -> Iterator[QuickDeal]:
    rng = Random(2)
    for _ in range(count):
        yield from (deal for deal in played(rng) if deal.stock)


def changed(deal: QuickDeal, hands: list[CardSet], stock: list[CardSet]) -> QuickDeal:
    """The same position with other cards."""
    other = deal.copy()
    other.hands, other.stock = hands, stock
    return other


def swapped(deal: QuickDeal, one: CardSet, two: CardSet) -> QuickDeal:
    """The same position with two cards in each other's place."""

    def swap(cards: CardSet) -> CardSet:
        return cards ^ (one | two) if bool(cards & one) != bool(cards & two) else cards

    return changed(deal, [swap(hand) for hand in deal.hands], [swap(card) for card in deal.stock])


def test_the_ace_of_trumps_is_never_worse_than_a_lower_trump() -> None:
    """In a hand of the leader's team, whoever has the lower one then."""
    better = 0
    for deal in positions(150):
        ace = mask_of(card for card in DECK if card.suit is deal.trump and card.rank is Rank.ACE)
        for seat in (deal.entitled, partner_of(deal.entitled)):
            others = (deal.hands[next_seat(seat)], deal.hands[next_seat(seat, 3)], *deal.stock)
            if not any(ace & cards for cards in others):
                continue
            for lower in singles(deal.hands[seat] & SUIT_MASKS[deal.trump]):
                now, then = foresee(deal)[0], foresee(swapped(deal, ace, lower))[0]
                assert then >= now
                better += then > now
    assert better > 100


def test_it_is_the_sum_of_what_the_weights_say() -> None:
    """Seat by seat, card by card and suit by suit."""
    for deal in positions(20):
        stage = STAGE_WEIGHTS[len(deal.stock)]
        team = team_of(deal.entitled)
        expected = deal.points[team] - deal.points[1 - team] + stage.lead
        for place, weights in enumerate(stage.hands):
            hand = cards_of(deal.hands[next_seat(deal.entitled, place)])
            for card in hand:
                expected += (weights.trumps if card.suit is deal.trump else weights.plain)[card.rank]
            for suit in Suit:
                length = sum(card.suit is suit for card in hand)
                lengths = weights.trump_length if suit is deal.trump else weights.plain_length
                expected += lengths[length - 2] if length >= 2 else 0
        assert foresee(deal) == pytest.approx((expected, stage.deviation))


def test_points_that_are_taken_count_in_full() -> None:
    for deal in positions(10):
        guess, deviation = foresee(deal)
        for team, sign in ((team_of(deal.entitled), 1), (1 - team_of(deal.entitled), -1)):
            other = deal.copy()
            other.points[team] += 20
            assert foresee(other) == pytest.approx((guess + 20 * sign, deviation))


def test_seats_are_told_apart_by_their_distance_from_the_leader() -> None:
    for deal in positions(20):
        for turn in (1, 2, 3):
            other = changed(deal, [deal.hands[(seat - turn) % 4] for seat in SEATS], deal.stock)
            other.entitled = (deal.entitled + turn) % 4
            if turn % 2:
                other.points = deal.points[::-1]
            assert foresee(other) == pytest.approx(foresee(deal))


def test_suits_are_told_apart_by_trump_alone() -> None:
    for number, deal in enumerate(positions(20)):
        suits = Random(number).sample(tuple(Suit), 4)

        def renamed(cards: CardSet, suits: list[Suit] = suits) -> CardSet:
            return sum(1 << 9 * suits[card.suit] + card.rank for card in cards_of(cards))

        other = changed(deal, list(map(renamed, deal.hands)), list(map(renamed, deal.stock)))
        other.trump = suits[deal.trump]
        assert foresee(other) == pytest.approx(foresee(deal))


def test_the_order_of_the_stock_is_not_looked_at() -> None:
    for deal in positions(5):
        assert foresee(changed(deal, deal.hands, deal.stock[::-1])) == foresee(deal)
