from __future__ import annotations

from engine import Suit, parse_card
from node.words.wording import distinct, rank_text, sort_hand, suit_name
from tests.node.terminal_tables import dealt, words


def test_cards_are_written_as_they_look() -> None:
    assert words().card(parse_card("Tc")) == "10♣"
    assert words(symbols=False).card(parse_card("Tc")) == "10c"
    assert [rank_text(parse_card(card)) for card in ("6c", "Jc", "Ac")] == ["6", "J", "A"]


def test_every_suit_has_a_word_and_a_mark() -> None:
    assert [suit_name(suit) for suit in Suit] == ["clubs", "diamonds", "hearts", "spades"]
    assert [words().suit(suit) for suit in Suit] == ["♣", "♦", "♥", "♠"]
    assert words().trump(Suit.HEARTS) == "hearts ♥"
    assert words(symbols=False).trump(Suit.HEARTS) == "hearts"


def test_trumps_come_last_and_the_ten_is_above_the_king() -> None:
    hand = [parse_card(card) for card in ("Ah", "Tc", "Kc", "As")]
    assert [str(card) for card in sort_hand(hand, Suit.CLUBS)] == ["Ah", "As", "Kc", "Tc"]
    assert words().cards(hand) == "K♣ 10♣ A♥ A♠"
    assert words().under(dealt(indicator="Qh")).cards(hand) == "K♣ 10♣ A♠ A♥"


def test_teams_are_named_from_the_readers_seat() -> None:
    assert words(1).team(1) == "You and Gleb"
    assert words(1).team(0) == "Olga and Vera"
    assert words(1).label(1) == "You"
    assert words(1).label(2) == "Vera"


def test_equal_names_are_told_apart() -> None:
    assert distinct(["Anna", "Boris", "anna", "Vera"]) == ["Anna 1", "Boris", "anna 3", "Vera"]
    assert distinct(["A", "B", "C", "D"]) == ["A", "B", "C", "D"]
