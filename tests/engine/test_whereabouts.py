"""What a player catches at once although the hands of others are hidden."""

from dataclasses import replace

import pytest
from hypothesis import given

from engine import (
    Beat,
    Card,
    Draw,
    IllegalAction,
    Lead,
    Open,
    Options,
    Phase,
    Seat,
    State,
    apply,
    new_match,
    next_drawer,
    player_view,
)
from engine.whereabouts import all_plays, owners
from tests.engine import strategies
from tests.engine.tables import cards, refusal, run

START = ("deal 3 ???????? 6d7sQc9d ???????? ????????", "indicate Ah")


def seat_1() -> State:
    """The view of seat 1 at the start of a deal in which seat 0 leads."""
    return run(new_match(Options()), *START)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("lead 0 6d", "held-elsewhere"),
        ("lead 0 Ah", "in-stock"),
        ("lead 0 6c6c", "repeated-card"),
        ("lead 0 6c7c8c9cTc", "wrong-count"),
    ],
)
def test_a_lead_that_another_player_can_tell_is_false(line: str, code: str) -> None:
    assert refusal(seat_1(), line).code == code


def test_the_indicator_may_be_drawn_later_r6() -> None:
    """R6: it lies in the stock before the first draw, and may be in any hand afterwards."""
    state = run(seat_1(), "lead 0 Kd", "discard 1 6d on 0", "discard 2 ?? on 0", "discard 3 ?? on 0")
    state = run(state, "draw 0 ??", "draw 1 8c", "draw 2 ??", "draw 3 ??")
    assert turn_leads(state, 0, "Ah")
    assert refusal(state, "lead 0 Kd").code == "already-played"
    assert refusal(state, "lead 0 6d").code == "already-played"
    assert refusal(state, "lead 0 8c").code == "held-elsewhere"


def turn_leads(state: State, seat: Seat, text: str) -> bool:
    return run(state, f"lead {seat} {text}").trick != state.trick


def test_a_card_that_was_shown_stays_with_its_owner_r14() -> None:
    """R14: what was seen stays seen, so it cannot turn up in another hand, nor come from the stock."""
    state = run(seat_1(), "lead 0 Kd", "molodka 3 6c7c8c9c")
    assert refusal(state, "beat 0 JcQcKcTc on 3").code == "held-elsewhere"
    state = run(state, "discard 0 ???????? on 3", "discard 1 6d7sQc9d on 3")
    assert refusal(state, Beat(2, cards("KdAdThKh"), 3)).code == "held-elsewhere"
    state = run(state, "discard 2 ???????? on 3")
    assert refusal(state, "draw 3 Kd").code == "held-elsewhere"
    assert refusal(state, "draw 3 6c").code == "held-elsewhere"


def test_a_hand_cannot_hold_more_new_cards_than_it_has_unknown_ones() -> None:
    state = run(seat_1(), "lead 0 Kd", "molodka 3 6c7c8c9c")
    assert refusal(state, "beat 0 KcJcTcAc on 3").code == "card-not-held"
    assert turn(run(state, "discard 0 KdJcTcAc on 3")) == 1


def turn(state: State) -> Seat | None:
    return None if state.trick is None else state.trick.turn


def draw_all(state: State) -> State:
    while state.phase is Phase.DRAWING:
        assert state.leader is not None
        state = run(state, f"draw {(state.leader + len(state.drawn)) % 4} ??")
    return state


def test_opening_a_card_of_somebody_else_r10() -> None:
    """R10: a card shown by one seat cannot be the discard of another, in no trick of the deal."""
    state = finished()
    assert refusal(state, Open(1, 0, cards("KdKcQcJc"))).code == "held-elsewhere"
    assert refusal(state, Open(1, 0, cards("6cKcQcJc"))).code == "already-played"
    assert refusal(state, Open(1, 0, cards("KcKcQcJc"))).code == "repeated-card"


def test_opening_the_indicator_in_the_first_trick_r6() -> None:
    """R6: nobody had drawn it yet."""
    state = finished()
    assert refusal(state, Open(1, 0, cards("AhKcQcJc"))).code == "in-stock"
    assert apply(state, Open(1, 1, cards("AhKcQcJc"))).phase is Phase.OPENING


def test_opening_a_card_that_was_shown_later_r14() -> None:
    """R14: a card that its owner showed in a later trick was not discarded before."""
    state = finished(show_late="Ks")
    assert refusal(state, Open(0, 0, cards("KsKcQcJc"))).code == "shown-later"
    assert apply(state, Open(0, 1, cards("KsKcQcJc"))).phase is Phase.OPENING


def finished(show_late: str = "Kd") -> State:
    """The public view of a deal that was cut short: two tricks of four cards, all hidden discards.

    Seat 0 has shown Kd in the first trick, or another card in the second; each time it went back.
    """
    start = run(new_match(Options()), "deal 3 ???????? ???????? ???????? ????????", "indicate Ah")
    if show_late == "Kd":
        start = run(start, "lead 0 Kd")
    state = run(start, "molodka 3 6c7c8c9c", "discard 0 ???????? on 3", "discard 1 ???????? on 3")
    state = draw_all(run(state, "discard 2 ???????? on 3"))
    state = replace(state, stock=0)
    if show_late != "Kd":
        assert state.trick is not None
        state = replace(state, trick=replace(state.trick, entitled=0))
        state = run(state, f"lead 0 {show_late}")
        return run(state, "molodka 3 6d7d8d9d", *(f"discard {seat} ???????? on 3" for seat in (0, 1, 2)))
    return run(state, "lead 3 6d7d8d9d", *(f"discard {seat} ???????? on 3" for seat in (0, 1, 2)))


@given(strategies.positions(), strategies.seats)
def test_what_a_view_knows_of_owners_is_true(state: State, seat: Seat) -> None:
    full, seen = owners(state), owners(player_view(state, seat))
    assert seen.items() <= full.items()
    assert {card for card, owner in full.items() if owner == seat} == {
        card for card, owner in seen.items() if owner == seat
    }
    shown = {card for play in all_plays(state) if isinstance(play, (Lead, Beat)) for card in play.cards}
    assert shown <= set(seen)


@given(strategies.positions(most_steps=10, phase=Phase.DRAWING), strategies.cards)
def test_no_card_is_drawn_twice_r12(state: State, card: Card) -> None:
    """R12: with full knowledge every card outside of the stock is refused as a draw."""
    drawer = next_drawer(state)
    assert drawer is not None
    try:
        apply(state, Draw(drawer, card))
    except IllegalAction as refused:
        assert refused.code == "held-elsewhere"
        assert card in owners(state)
    else:
        assert card not in owners(state)
