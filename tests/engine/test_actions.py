from hypothesis import given

from engine import Beat, Cards, Deal, Discard, Lead, Molodka, Open, Play
from tests.engine import strategies
from tests.engine.tables import cards


@given(strategies.sets_of_cards())
def test_cards_are_kept_sorted_so_equal_plays_are_equal(known: Cards) -> None:
    ordered, backwards = tuple(sorted(known)), tuple(sorted(known, reverse=True))
    pairs: list[tuple[Play | Open, Play | Open]] = [
        (Lead(0, ordered), Lead(0, backwards)),
        (Molodka(0, ordered), Molodka(0, backwards)),
        (Beat(0, ordered, 1), Beat(0, backwards, 1)),
        (Discard(0, len(known), ordered, 1), Discard(0, len(known), backwards, 1)),
        (Open(0, 0, ordered), Open(0, 0, backwards)),
    ]
    for first, second in pairs:
        assert first == second
        assert hash(first) == hash(second)
        assert first.cards == second.cards == ordered


def test_hands_are_kept_sorted() -> None:
    assert Deal(0, (cards("Td6c7c8c"), None, None, None)).hands[0] == cards("6c7c8cTd")
