"""For how long a table waits before it asks whether to play on without somebody (§7.12)."""

from __future__ import annotations

from typing import Any

from engine import turn
from node.seating.absence import Absences
from protocol.facts import Vote
from tests.node.terminal_tables import Felt, dealt

SOMEWHERE: Any = object()


def watched(felt: Felt) -> Absences:
    live: Any = felt
    return Absences(live)


def test_a_computer_that_does_not_answer_is_waited_for_the_grace_time() -> None:
    felt = Felt(dealt(), seat=1)
    felt.losable = (2,)
    absences = watched(felt)
    felt.absent = frozenset({2})
    absences.look(100.0)
    absences.look(150.0)
    assert absences.overdue(189.9) == ()
    assert absences.overdue(190.0) == absences.agreed(190.0) == (2,)


def test_whoever_comes_back_is_waited_for_anew() -> None:
    felt = Felt(dealt(), seat=1)
    felt.losable = (2,)
    absences = watched(felt)
    felt.absent = frozenset({2})
    absences.look(100.0)
    felt.absent = frozenset()
    absences.look(180.0)
    felt.absent = frozenset({2})
    absences.look(185.0)
    assert absences.overdue(200.0) == ()


def test_nobody_is_overdue_when_nobody_can_be_declared_lost() -> None:
    felt = Felt(dealt(), seat=1)
    absences = watched(felt)
    felt.absent = frozenset({2})
    absences.look(100.0)
    assert absences.overdue(1000.0) == ()


def test_a_bot_leaves_it_to_people_whether_somebody_only_thinks() -> None:
    """The computer answers, the player does not: a bot goes along with others, but does not begin."""
    felt = Felt(dealt(), seat=1)
    felt.losable = (0, 2, 3)
    thinking = turn(felt.state)
    assert thinking is not None
    absences = watched(felt)
    absences.look(100.0)
    assert absences.overdue(189.0) == ()
    assert absences.overdue(190.0) == (thinking,)
    assert absences.agreed(190.0) == ()
    felt.match.current.votes[3] = Vote(thinking, SOMEWHERE)
    assert absences.agreed(190.0) == (thinking,)


def test_every_play_starts_the_time_anew() -> None:
    felt = Felt(dealt(), seat=1)
    felt.losable = (0, 2, 3)
    absences = watched(felt)
    absences.look(100.0)
    felt.happen("lead 0 9c")
    absences.look(180.0)
    assert absences.overdue(191.0) == ()


def test_a_bot_that_was_started_again_leaves_it_to_people() -> None:
    """It cannot tell what the silent seat knows of its own plays."""
    felt = Felt(dealt(), seat=1)
    felt.losable, felt.unheard, felt.absent = (2,), frozenset({2}), frozenset({2})
    absences = watched(felt)
    absences.look(100.0)
    assert absences.overdue(190.0) == (2,)
    assert absences.agreed(190.0) == ()
    felt.match.current.votes[3] = Vote(2, SOMEWHERE)
    assert absences.agreed(190.0) == (2,)
