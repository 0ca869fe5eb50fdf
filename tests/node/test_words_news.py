from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    SEATS,
    Deal,
    Draw,
    Open,
    Options,
    Phase,
    State,
    apply,
    insert,
    legal_actions,
    next_drawer,
    parse_action,
)
from engine.cards import DECK
from node.words.news import news
from tests.node.terminal_tables import after, dealt, seen, words


def story(me: int, states: Iterable[State]) -> list[str]:
    """Everything that a seat is told on the way."""
    lines: list[str] = []
    before = None
    for state in states:
        view = seen(state, me)
        lines += news(before, view, words(me))
        before = view
    return lines


def steps(*lines: str) -> list[State]:
    """The deal, and the states after each of these plays."""
    states = [dealt()]
    for line in lines:
        states.append(apply(states[-1], parse_action(line)))
    return states


def test_a_trick_is_told_play_by_play() -> None:
    states = steps("lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0", "discard 3 6s on 0")
    assert story(0, states) == [
        "",
        "--- Deal 1: Gleb deals. Trump is hearts ♥, Q♥ was shown. ---",
        "You are dealt 9♣ J♣ 7♦ A♠.",
        "You lead 7♦.",
        "Boris beats with 8♦.",
        "Vera discards 1 card.",
        "Gleb discards 1 card.",
        "Boris takes the trick.",
    ]


def test_only_the_own_discard_is_named() -> None:
    states = steps("lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0", "discard 3 6s on 0")
    assert "You discard Q♣, face down." in story(2, states)
    assert "You take the trick." in story(1, states)
    for me in (0, 1, 3):
        assert not any("Q♣" in line for line in story(me, states))


def test_nothing_new_is_nothing_to_say() -> None:
    state = seen(after(dealt(), "lead 0 7d"), 1)
    assert news(state, state, words(1)) == []


def test_drawn_cards_are_told_to_their_owner_before_the_next_lead() -> None:
    state = after(dealt(), "lead 0 7d", "beat 1 8d on 0", "discard 2 Qc on 0", "discard 3 6s on 0")
    cards = iter(["9d", "Td", "Jd", "Kd"])
    drawn = after(state, *(f"draw {seat} {next(cards)}" for seat in (1, 2, 3, 0)))
    lines = news(seen(state, 2), seen(after(drawn, "lead 1 9d"), 2), words(2))
    assert lines == ["You draw 10♦.", "Boris leads 9♦."]


def test_a_molodka_interrupts_and_the_cards_go_back() -> None:
    before = after(dealt(), "lead 0 9cJc", "beat 1 KcTc on 0", "discard 2 6c7c on 0")
    state = after(before, "molodka 3 6s7s8sTs")
    said = "Molodka! Gleb leads out of turn: 6♠ 7♠ 8♠ 10♠."
    back = "All cards played in this trick go back to their owners."
    assert news(seen(before, 0), seen(state, 0), words(0)) == [
        said,
        back,
        "Your 9♣ J♣ came back to your hand.",
    ]
    assert news(seen(before, 2), seen(state, 2), words(2)) == [
        said,
        back,
        "Your 6♣ 7♣ came back to your hand.",
    ]
    assert news(seen(before, 3), seen(state, 3), words(3)) == [
        "Molodka! You lead out of turn: 6♠ 7♠ 8♠ 10♠.",
        back,
    ]


def test_a_claim_that_came_too_late_is_told_as_such() -> None:
    first = after(dealt(), "molodka 2 6c7c8cQc")
    both = insert(first, parse_action("molodka 3 6s7s8sTs"))
    assert news(seen(first, 0), seen(both, 0), words(0)) == [
        "Molodka! Gleb leads out of turn: 6♠ 7♠ 8♠ 10♠.",
        "That lead does not count, and the cards go back to Gleb.",
    ]
    assert news(seen(first, 3), seen(both, 3), words(3))[-1] == (
        "That lead does not count, and your cards come back to you."
    )


def test_the_nearer_claim_takes_over() -> None:
    first = after(dealt(), "molodka 3 6s7s8sTs")
    both = insert(first, parse_action("molodka 2 6c7c8cQc"))
    assert news(seen(first, 3), seen(both, 3), words(3)) == [
        "Molodka! Vera leads out of turn: 6♣ 7♣ 8♣ Q♣.",
        "All cards played in this trick go back to their owners.",
        "Your 6♠ 7♠ 8♠ 10♠ came back to your hand.",
    ]


def test_a_lead_that_a_claim_has_overtaken_on_the_way() -> None:
    first = after(dealt(), "molodka 2 6c7c8cQc")
    both = insert(first, parse_action("lead 0 7d"))
    assert news(seen(first, 1), seen(both, 1), words(1)) == [
        "Olga leads 7♦.",
        "That lead does not count, and the cards go back to Olga.",
    ]


@settings(deadline=None, max_examples=25)
@given(st.randoms(use_true_random=False))
def test_every_play_of_a_deal_is_told_once_to_every_seat(rng: object) -> None:
    states = _random_deal(rng)
    for me in SEATS:
        lines = story(me, states)
        plays = sum(len(list(branch.plays())) for trick in states[-1].tricks for branch in trick.branches)
        told = [
            line
            for line in lines
            if line.startswith(("You ", "Molodka!", "Olga ", "Boris ", "Vera ", "Gleb "))
        ]
        of_plays = [line for line in told if any(word in line for word in ("lead", "beat", "discard"))]
        assert len(of_plays) == plays
        assert sum("the trick." in line for line in lines) == len(states[-1].tricks)
        assert sum("is over" in line for line in lines) == 1


def _random_deal(rng: object) -> list[State]:
    """A deal played to its end with all cards known, everything legal being equally likely."""
    deck = list(DECK)
    rng.shuffle(deck)  # type: ignore[attr-defined]
    hands = tuple(tuple(deck[4 * seat : 4 * seat + 4]) for seat in SEATS)
    stock = iter(deck[16:])
    first, second, third, fourth = hands
    states = [apply(State(Options()), Deal(0, (first, second, third, fourth)))]
    states.append(apply(states[-1], parse_action(f"indicate {deck[20]}")))
    while states[-1].phase not in (Phase.DEAL_OVER, Phase.MATCH_OVER):
        state = states[-1]
        drawer = next_drawer(state)
        if drawer is not None:
            states.append(apply(state, Draw(drawer, next(stock))))
        else:
            plays = [play for seat in SEATS for play in legal_actions(state, seat)]
            states.append(apply(state, rng.choice(plays)))  # type: ignore[attr-defined]
    assert not any(isinstance(state, Open) for state in states)
    return states
