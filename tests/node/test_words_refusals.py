from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import pytest

import protocol
from engine import REFUSALS, Deal, IllegalAction, Indicate, check, parse_action
from node.words.refusals import SENTENCES, refusal_sentence
from protocol.errors import PlayRefused
from tests.node.terminal_tables import after, dealt, first_arguments, seen, words


def codes_of_the_table() -> set[str]:
    """Every literal code that a play is refused with by the protocol itself."""
    return first_arguments(Path(next(iter(protocol.__path__))), "PlayRefused")


def refused(code: str, cause: IllegalAction | None = None) -> PlayRefused:
    error = PlayRefused(code, "detail")
    error.__cause__ = cause
    return error


def test_every_refusal_has_a_sentence_and_no_sentence_is_left_over() -> None:
    of_the_table = codes_of_the_table()
    assert of_the_table
    assert set(SENTENCES) == set(REFUSALS) | of_the_table


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_a_sentence_needs_no_more_than_the_engine_tells(code: str) -> None:
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    told = fields(REFUSALS[code][1]) | {"seat"}
    assert fields(SENTENCES[code]) <= told
    params: dict[str, Any] = dict.fromkeys(told, 1)
    text = refusal_sentence(refused(code, IllegalAction(code, **params)), words())
    assert "{" not in text


@pytest.mark.parametrize(
    ("plays", "wish", "sentence"),
    [
        ((), "lead 1 Tc", "Olga leads this trick."),
        ((), "lead 0 Tc", "You do not have 10♣."),
        ((), "lead 0 9c7d", "All cards of a lead must be of one suit."),
        ((), "lead 0 9c9c", "You have named 9♣ twice."),
        ((), "beat 1 Tc on 0", "Nothing has been led yet."),
        (("lead 0 9cJc",), "beat 2 8cQc on 0", "It is not your turn."),
        (
            ("lead 0 9cJc",),
            "beat 1 8dKc on 0",
            "K♣ 8♦ does not beat 9♣ J♣: each needs a higher card of its suit, or a trump.",
        ),
        (("lead 0 9cJc",), "beat 1 Kc on 0", "You named 1, but the number of cards needed is 2."),
        (
            ("lead 0 9c", "molodka 3 6s7s8sTs"),
            "beat 1 Kc on 0",
            "Gleb has taken over the lead; answer that one.",
        ),
        (
            ("molodka 2 6c7c8cQc",),
            "lead 0 9c",
            "Vera has led four of one suit. Only four of one suit can take the lead back.",
        ),
        (
            ("molodka 2 6c7c8cQc",),
            "molodka 3 6s7s8sTs",
            "Vera has led four of a suit too and sits nearer to the lead, so yours does not count.",
        ),
    ],
)
def test_refusals_at_a_table(plays: tuple[str, ...], wish: str, sentence: str) -> None:
    action = parse_action(wish)
    assert not isinstance(action, Deal | Indicate)
    with pytest.raises(IllegalAction) as caught:
        check(seen(after(dealt(), *plays), action.seat), action)
    assert refusal_sentence(refused(caught.value.code, caught.value), words()) == sentence


def test_refusals_without_details() -> None:
    assert (
        refusal_sentence(refused("match-stopped"), words()) == "A fault is proven, so the match has stopped."
    )
