"""Sets of cards as whole numbers say the same as cards one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from random import Random

import pytest

from engine import DECK, DECK_POINTS, Card, Cards, Suit, set_beats
from engine.bits import (
    ALL_CARDS,
    FOURS,
    SUIT_MASKS,
    beaters,
    beating_sets,
    cards_of,
    higher,
    leads,
    mask_of,
    points_of,
    set_beats_set,
    singles,
    subsets,
)
from engine.cards import beats
from tests.engine.tables import cards


def some_sets(seed: int, count: int) -> Iterator[Cards]:
    """Sets of cards of every size, most of them small."""
    rng = Random(seed)
    for number in range(count):
        size = rng.randint(0, 36) if number % 5 == 0 else rng.randint(0, 6)
        yield tuple(rng.sample(DECK, size))


def masks(sets: Iterable[Iterable[Card]]) -> set[int]:
    return {mask_of(chosen) for chosen in sets}


def matched(new: Cards, old: Cards, trump: Suit) -> bool:
    """R9 word by word: some order of the new cards in which each is higher than its match."""
    return len(new) == len(old) and any(
        all(beats(high, low, trump) for high, low in zip(order, old, strict=True))
        for order in permutations(new)
    )


# Sets


def test_a_set_becomes_cards_and_a_set_again() -> None:
    for chosen in some_sets(1, 500):
        mask = mask_of(chosen)
        assert cards_of(mask) == tuple(sorted(chosen))
        assert mask_of(cards_of(mask)) == mask
        assert mask_of(reversed(chosen)) == mask
        assert mask.bit_count() == len(chosen)
    assert cards_of(ALL_CARDS) == DECK
    assert cards_of(0) == ()


def test_each_card_has_the_bit_of_its_place_in_the_deck() -> None:
    assert [mask_of([card]) for card in DECK] == [1 << place for place in range(36)]
    for suit in Suit:
        assert cards_of(SUIT_MASKS[suit]) == tuple(card for card in DECK if card.suit is suit)


def test_a_set_counts_what_its_cards_count() -> None:
    """R3."""
    assert points_of(ALL_CARDS) == DECK_POINTS == 120
    assert [points_of(mask_of([card])) for card in DECK] == [card.points for card in DECK]
    for chosen in some_sets(2, 500):
        assert points_of(mask_of(chosen)) == sum(card.points for card in chosen)


def test_subsets_are_all_combinations_and_each_is_there_once() -> None:
    for chosen in some_sets(3, 60):
        hand = chosen[:8]
        assert len(singles(mask_of(hand))) == len(hand)
        assert set(singles(mask_of(hand))) == {mask_of([card]) for card in hand}
        for count in range(1, 5):
            found = subsets(mask_of(hand), count)
            assert len(found) == len(set(found))
            assert set(found) == masks(combinations(hand, count))


def test_fours_are_the_sets_of_four_cards_of_one_suit() -> None:
    """R13."""
    assert len(FOURS) == 4 * 126
    assert {
        sum(1 << card.index for card in hand) for hand in combinations(DECK, 4) if one_suit(hand)
    } == FOURS


def one_suit(chosen: Iterable[Card]) -> bool:
    return len({card.suit for card in chosen}) == 1


# What may be played


def test_leads_are_the_sets_of_one_suit() -> None:
    """R7."""
    for chosen in some_sets(4, 300):
        hand = chosen[:4]
        found = leads(mask_of(hand))
        assert len(found) == len(set(found))
        assert set(found) == masks(
            lead for count in range(1, 5) for lead in combinations(hand, count) if one_suit(lead)
        )


@pytest.mark.parametrize("trump", Suit)
def test_higher_and_beaters_are_the_cards_that_beat(trump: Suit) -> None:
    """R2."""
    for old in DECK:
        assert higher(mask_of([old]), trump) == mask_of(new for new in DECK if beats(new, old, trump))
    for chosen in some_sets(5, 100):
        able = mask_of(new for new in DECK if any(beats(new, old, trump) for old in chosen))
        assert beaters(mask_of(chosen), trump) == able


def two_sets(rng: Random) -> tuple[Cards, Cards]:
    """Two sets without a common card, mostly of the same size, often from few suits so that many beat."""
    suits = rng.sample(tuple(Suit), rng.randint(1, 4))
    deck = [card for card in DECK if card.suit in suits]
    size = rng.randint(1, 4)
    chosen = rng.sample(deck, 2 * size)
    if rng.random() < 0.5:
        chosen.sort(key=lambda card: card.rank)
    new = rng.randint(1, 4) if rng.random() < 0.05 else size
    return tuple(chosen[size : size + new]), tuple(chosen[:size])


def test_sets_beat_as_they_do_in_the_readable_engine() -> None:
    """R9."""
    rng = Random(6)
    outcomes = {False: 0, True: 0}
    for _ in range(8000):
        (new, old), trump = two_sets(rng), rng.choice(tuple(Suit))
        result = set_beats_set(mask_of(new), mask_of(old), trump)
        assert result == set_beats(new, old, trump) == matched(new, old, trump), (new, old, trump)
        outcomes[result] += 1
    assert min(outcomes.values()) > 1500, "both happen often, so that a mistake would show"


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param("Tc6h", "9cJc", True, id="1"),
        pytest.param("Ac8c", "9cJc", False, id="1 8c beats neither"),
        pytest.param("7s6h", "6sAs", True, id="2"),
        pytest.param("8s7h", "7s6h", True, id="2 then"),
        pytest.param("9sAd", "8s7h", False, id="2 at last"),
        pytest.param("Td", "Kd", True, id="3 the ten"),
        pytest.param("Qd", "Kd", False, id="3 the queen"),
        pytest.param("As", "Kd", False, id="3 another suit"),
        pytest.param("7h9d", "6d6h", True, id="4 greedy pairing fails"),
        pytest.param("7h", "6d6h", False, id="fewer cards"),
        pytest.param("7h8h9h", "6d6h", False, id="more cards"),
    ],
)
def test_hard_examples(new: str, old: str, expected: bool) -> None:
    """The examples of the rules for R9, trump hearts, in every order of both sets."""
    for first in permutations(cards(new)):
        for second in permutations(cards(old)):
            assert set_beats_set(mask_of(first), mask_of(second), Suit.HEARTS) is expected


def test_beating_sets_are_all_sets_of_the_hand_that_beat() -> None:
    """R9."""
    rng = Random(7)
    found = 0
    for _ in range(2500):
        trump, count = rng.choice(tuple(Suit)), rng.randint(1, 4)
        deck = rng.sample(DECK, 4 + count)
        if rng.random() < 0.5:
            deck.sort(key=lambda card: (card.suit is trump, card.rank))
        best, hand = tuple(deck[:count]), tuple(deck[count:])
        sets = beating_sets(mask_of(hand), mask_of(best), trump)
        assert len(sets) == len(set(sets))
        assert set(sets) == masks(new for new in combinations(hand, count) if set_beats(new, best, trump))
        found += len(sets)
    assert found > 2500
