"""What a person is told and asked when somebody does not come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from node.terminal.missing import Missing
from node.terminal.typed import Gone, parse_typed
from node.words.wording import Wording
from protocol.facts import Loss, Vote
from tests.node.terminal_tables import NAMES, Felt, dealt

SOMEWHERE: Any = object()


def seated(me: int = 0) -> tuple[Felt, Missing]:
    felt = Felt(dealt(), seat=me)
    felt.losable = tuple(seat for seat in range(4) if seat != me)
    live: Any = felt
    return felt, Missing(live, Wording(NAMES, me))


def test_a_person_is_asked_once_and_nothing_is_declared() -> None:
    felt, missing = seated()
    felt.absent = frozenset({2})
    assert missing.look(100.0) == []
    lines = missing.look(190.0)
    assert "Vera has not been heard of" in lines[0]
    assert "gone Vera" in lines[-1]
    assert missing.look(200.0) == []
    assert felt.declared == []


def test_whoever_was_started_again_hears_of_the_risk() -> None:
    felt, missing = seated()
    felt.losable, felt.unheard, felt.absent = (2,), frozenset({2}), frozenset({2})
    missing.look(100.0)
    assert ["old copy" in line for line in missing.look(190.0)] == [False, False, True, False]
    felt.match.current.votes[1] = Vote(2, SOMEWHERE)
    assert ["old copy" in line for line in missing.look(191.0)] == [False, True, False]


@pytest.mark.parametrize("typed", ["", "vera", "VERA"])
def test_whoever_is_spoken_of_need_not_be_named(typed: str) -> None:
    felt, missing = seated()
    felt.absent = frozenset({2})
    missing.look(100.0)
    missing.look(190.0)
    assert missing.declare(typed) is None
    assert felt.declared == [2]


def test_without_a_name_it_must_be_clear_who_is_meant() -> None:
    felt, missing = seated()
    reason = missing.declare("")
    assert reason is not None
    assert "Boris, Vera, Gleb" in reason
    assert missing.declare("Olga") == reason  # The reader itself.
    assert felt.declared == []


def test_when_nobody_can_be_declared_gone() -> None:
    felt, missing = seated()
    felt.losable = ()
    assert "only while a deal is played" in (missing.declare("Vera") or "")


def test_what_others_say_is_passed_on_once() -> None:
    felt, missing = seated()
    felt.match.current.votes[1] = Vote(2, SOMEWHERE)
    lines = missing.look(100.0)
    assert lines == [
        "Boris says that Vera is gone (1 of 3).",
        "If you agree, type: gone Vera   It takes all three of you.",
    ]
    assert missing.look(101.0) == []
    assert missing.declare("") is None
    assert felt.declared == [2]


def test_whoever_is_called_gone_hears_of_it() -> None:
    felt, missing = seated(2)
    felt.match.current.votes[1] = Vote(2, SOMEWHERE)
    assert missing.look(100.0) == ["Boris says that you are gone. Play, and show them."]


def test_cards_that_lie_open() -> None:
    for me, words in ((0, "Vera's cards lie open now"), (2, "The others play this deal without you.")):
        felt, missing = seated(me)
        felt.match.current = replace(felt.match.current, loss=Loss(2, 1, bytes(32), 0, ()))
        (line,) = missing.look(100.0)
        assert line.startswith(words)
        assert missing.look(101.0) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [("gone", ""), ("gone  Vera", "Vera"), ("GONE Anna Maria", "Anna Maria"), ("gone \x1b[2J", "[2J")],
)
def test_how_it_is_typed(line: str, name: str) -> None:
    assert parse_typed(line) == Gone(name)
