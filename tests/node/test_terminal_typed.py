from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DECK, Beat, Card, Discard, Lead, Molodka, parse_card
from node.terminal.typed import Command, Number, Unclear, Verb, Wish, parse_typed, play_wished
from tests.node.terminal_tables import after, dealt, seen, words


def cards(*names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names))


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", None),
        ("   ", None),
        ("7", Number(7)),
        (" 12 ", Number(12)),
        ("hand", Command.HAND),
        ("HELP", Command.HELP),
        ("hint", Command.HINT),
        ("?", Command.HELP),
        ("m", Command.CLAIM),
        ("molodka", Command.CLAIM),
        ("exit", Command.QUIT),
        ("9c Jc", Wish(Verb.ANY, cards("9c", "Jc"))),
        ("9cjc", Wish(Verb.ANY, cards("9c", "Jc"))),
        ("beat 10c 6h", Wish(Verb.BEAT, cards("Tc", "6h"))),
        ("Beat 10♣, 6♥", Wish(Verb.BEAT, cards("Tc", "6h"))),
        ("beat 10♣\ufe0f", Wish(Verb.BEAT, cards("Tc"))),
        ("discard Td", Wish(Verb.DISCARD, cards("Td"))),
        ("d 6d", Wish(Verb.DISCARD, cards("6d"))),
        ("molodka 6c 7c 8c 9c", Wish(Verb.LEAD, cards("6c", "7c", "8c", "9c"))),
        ("beat", Unclear("beat")),
        ("10", Number(10)),
        ("1c", Unclear("1c")),
        ("9c or Jc", Unclear("9c or Jc")),
        ("1234", Unclear("1234")),
        ("²", Unclear("²")),
    ],
)
def test_lines(line: str, meaning: object) -> None:
    assert parse_typed(line) == meaning


@given(st.text(max_size=60))
def test_anything_can_be_typed(line: str) -> None:
    parse_typed(line)


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=4), st.booleans())
def test_what_the_screen_shows_can_be_typed(chosen: list[Card], symbols: bool) -> None:
    shown = " ".join(words(symbols=symbols).card(card) for card in chosen)
    assert parse_typed(shown) == Wish(Verb.ANY, tuple(chosen))


def test_bare_cards_lead_where_a_lead_is_due() -> None:
    state = seen(dealt(), 0)
    assert play_wished(Wish(Verb.ANY, cards("9c", "Jc")), state, 0) == Lead(0, cards("9c", "Jc"))


def test_bare_cards_that_beat_could_mean_two_things() -> None:
    state = seen(after(dealt(), "lead 0 9cJc"), 1)
    assert play_wished(Wish(Verb.ANY, cards("Tc", "Kc")), state, 1) is None
    assert play_wished(Wish(Verb.BEAT, cards("Tc", "Kc")), state, 1) == Beat(1, cards("Kc", "Tc"), 0)
    assert play_wished(Wish(Verb.DISCARD, cards("Tc", "Kc")), state, 1) == Discard(1, 2, cards("Kc", "Tc"), 0)


def test_four_cards_of_somebody_who_does_not_lead_are_a_molodka() -> None:
    four = cards("6c", "7c", "8c", "Qc")
    assert play_wished(Wish(Verb.ANY, four), seen(dealt(), 2), 2) == Molodka(2, four)
    assert play_wished(Wish(Verb.ANY, four[:1]), seen(dealt(), 2), 2) == Lead(2, four[:1])
