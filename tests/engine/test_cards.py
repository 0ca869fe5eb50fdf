from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    DECK,
    DECK_POINTS,
    SEATS,
    Card,
    Cards,
    NotationError,
    Rank,
    Suit,
    beats,
    cards_text,
    distance,
    next_seat,
    parse_card,
    partner_of,
    set_beats,
    team_of,
)
from tests.engine import strategies
from tests.engine.strategies import shuffled
from tests.engine.tables import cards


def test_seats_and_teams_r1() -> None:
    """R1: four seats clockwise, seats 0 and 2 against seats 1 and 3."""
    assert [team_of(seat) for seat in SEATS] == [0, 1, 0, 1]
    assert [next_seat(seat) for seat in SEATS] == [1, 2, 3, 0]
    assert next_seat(3, 2) == 1
    assert [partner_of(seat) for seat in SEATS] == [2, 3, 0, 1]
    assert [distance(2, seat) for seat in SEATS] == [2, 3, 0, 1]


def test_deck_r2() -> None:
    """R2: 36 different cards, in index order; the ten lies between king and ace."""
    assert [card.index for card in DECK] == list(range(36))
    assert len({str(card) for card in DECK}) == 36
    assert cards_text(DECK[18:27]) == "6h7h8h9hJhQhKhThAh"
    assert sorted(shuffled(Random(1))) == list(DECK)
    assert len({hash(card) for card in DECK}) == 36


def test_points_r3() -> None:
    """R3: A 11, 10 10, K 4, Q 3, J 2, others 0; 120 in all."""
    values = {rank.letter: Card(Suit.CLUBS, rank).points for rank in Rank}
    assert values == {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0, "6": 0}
    assert DECK_POINTS == 120


@pytest.mark.parametrize("card", DECK)
def test_text_of_every_card(card: Card) -> None:
    assert parse_card(str(card)) is card


@pytest.mark.parametrize("text", ["", "T", "10d", "5d", "TD", "td", "dT", "Td ", "1d", "Tx"])
def test_text_that_is_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("Td", "Kd", True),
        ("Qd", "Kd", False),
        ("Kd", "Kd", False),
        ("As", "Kd", False),
        ("6h", "Ad", True),
        ("Ad", "6h", False),
        ("7h", "6h", True),
        ("Kh", "Th", False),
    ],
)
def test_one_card_beats_another_r2(new: str, old: str, expected: bool) -> None:
    """R2: higher in its suit, or a trump over any other suit; here hearts are trump."""
    assert beats(parse_card(new), parse_card(old), Suit.HEARTS) is expected


def test_no_two_cards_beat_each_other_r2() -> None:
    """R2: and of two cards of different plain suits neither beats the other."""
    for new in DECK:
        for old in DECK:
            either = beats(new, old, Suit.SPADES), beats(old, new, Suit.SPADES)
            comparable = new != old and (new.suit == old.suit or Suit.SPADES in (new.suit, old.suit))
            assert either in ([(True, False), (False, True)] if comparable else [(False, False)])


def beats_in_some_order(new: Cards, old: Cards, trump: Suit) -> bool:
    """R9 as it is written."""
    return any(
        all(beats(a, b, trump) for a, b in zip(order, old, strict=True)) for order in permutations(new)
    )


@st.composite
def two_sets(draw: st.DrawFn) -> tuple[Cards, Cards]:
    size = draw(st.integers(1, 4))
    both = draw(strategies.sets_of_cards(2 * size, 2 * size))
    return both[:size], both[size:]


@given(two_sets(), st.sampled_from(Suit))
def test_sets_match_in_some_order_r9(sets: tuple[Cards, Cards], trump: Suit) -> None:
    """R9: the sorted comparison agrees with trying every pairing."""
    new, old = sets
    assert set_beats(new, old, trump) == beats_in_some_order(new, old, trump)


def test_every_pair_of_small_sets_r9() -> None:
    """R9: all pairs of cards of two ranks-rich suits and a trump against each other, in every pairing."""
    deck = cards("6c 8c Ac 7d Td 6h 9h Ah")
    pairs = [(a, b) for a in deck for b in deck if a < b]
    outcomes = [
        (set_beats(new, old, Suit.HEARTS), beats_in_some_order(new, old, Suit.HEARTS))
        for new in pairs
        for old in pairs
        if not set(new) & set(old)
    ]
    assert all(quick == slow for quick, slow in outcomes)
    assert {quick for quick, _ in outcomes} == {True, False}


def test_sets_of_different_sizes_r9() -> None:
    """R9: one to one means as many cards."""
    assert not set_beats(cards("AhKh"), cards("6c"), Suit.HEARTS)
    assert not set_beats(cards("Ah"), cards("6c7c"), Suit.HEARTS)
