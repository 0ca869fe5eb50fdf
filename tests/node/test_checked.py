"""A bot's choice is asked for and checked in one place."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest

from engine import Lead, Options, Play, Seat, State, legal_actions, player_view, turn
from node.bots import Bot
from node.bots.checked import checked_choice, failure_of
from node.errors import BotFailed
from tests.engine.strategies import Player, random_play
from tests.node.odd_bots import First, Inventing, Last, Raising


def asked(bot: type[Bot]) -> Play:
    """What a bot chooses as the leader of a first trick."""
    player = Player(random.Random(1), Options(), random_play)
    player.deal()
    seat = turn(player.state)
    assert seat is not None
    view = player_view(player.state, seat)
    return checked_choice(bot(random.Random(1)), view, seat, legal_actions(view, seat))


def test_a_legal_play_is_handed_on() -> None:
    first, last = asked(First), asked(Last)
    assert isinstance(first, Lead)
    assert isinstance(last, Lead)
    assert first != last


def test_a_play_that_is_not_legal_is_refused() -> None:
    with pytest.raises(BotFailed, match=r"^The bot Inventing failed: it chose what is not allowed: Lead\("):
        asked(Inventing)


def test_a_bot_that_raises_is_named_with_error_file_and_line() -> None:
    with pytest.raises(
        BotFailed, match=r"^The bot Raising failed: LookupError: no idea \(odd_bots\.py:\d+\)$"
    ):
        asked(Raising)


def test_what_is_legal_cannot_be_changed_by_the_bot() -> None:
    class Adding(First):
        def choose(self, _view: State, seat: Seat, legal: Sequence[Play]) -> Play:
            assert not isinstance(legal, list)
            return Lead(seat, ())

    with pytest.raises(BotFailed, match="not allowed"):
        asked(Adding)


def test_a_choice_that_cannot_be_compared_is_a_failure_too() -> None:
    class Stubborn:
        def __eq__(self, _other: object) -> bool:
            raise LookupError("I compare with nobody")

        __hash__ = None  # type: ignore[assignment]

    class Returning(First):
        def choose(self, *_: object) -> Play:
            return Stubborn()  # type: ignore[return-value]

    with pytest.raises(BotFailed, match="I compare with nobody"):
        asked(Returning)


def test_a_failure_can_be_told_of_a_bot_by_name() -> None:
    with pytest.raises(KeyError) as caught:
        dict[str, int]()["brain"]
    sentence = str(failure_of("mine:Bot", caught.value))
    assert re.fullmatch(r"The bot mine:Bot failed: KeyError: 'brain' \(test_checked\.py:\d+\)", sentence)
