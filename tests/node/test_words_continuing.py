"""What is said of a match that goes on with somebody else in one seat."""

from __future__ import annotations

from dataclasses import replace

from engine import Options, Standing
from node.seating.going_on import GoingOn
from node.words.continuing import changed_line, kept_lines, standing_lines
from protocol.genesis import Genesis, Member

ROSTER = tuple(
    Member(bytes([seat]) * 32, bytes([seat + 4]) * 32, name)
    for seat, name in enumerate(("Olga", "Boris", "Vera", "Boris"))
)
GENESIS = Genesis("Dacha", Options(), ROSTER, (bytes(32),) * 4)
GOING_ON = GoingOn(GENESIS, Standing((4, 2), 0, False, 3, 1))
NEW = Member(b"z" * 32, b"y" * 32, "Zoya")


def test_the_host_reads_how_far_the_match_is_and_for_whom_seats_are_kept() -> None:
    assert kept_lines(GOING_ON, 5, 2) == [
        "The match goes on after 5 deals that were played.",
        "Defeat points: Olga and Vera 4, Boris 2 and Boris 4 2.",
        "Seats are kept for Olga, Boris 2, Boris 4. Whoever else comes takes the one that stays free.",
    ]
    assert kept_lines(GOING_ON, 1, 0)[0] == "The match goes on after 1 deal that was played."


def test_guests_read_where_it_stands_and_who_vouches_for_that() -> None:
    old = "\n".join(standing_lines(GOING_ON, ROSTER[1].identity))
    new = "\n".join(standing_lines(GOING_ON, NEW.identity))
    for text in (old, new):
        assert "Olga and Vera 4, Boris 2 and Boris 4 2" in text
    assert "its own record" in old
    assert "what the three others say and sign" in new


def test_who_takes_whose_seat() -> None:
    changed = replace(GENESIS, roster=(*ROSTER[:3], NEW))
    assert changed_line(GOING_ON, changed, 0) == ["Zoya takes Boris 4's seat."]
    assert changed_line(GOING_ON, changed, 3) == ["You take Boris 4's seat."]
    assert changed_line(GOING_ON, GENESIS, 3) == []


def test_a_name_of_another_version_cannot_harm_the_screen() -> None:
    hostile = replace(ROSTER[0], name="O" * 90)
    shown = GoingOn(replace(GENESIS, roster=(hostile, *ROSTER[1:])), GOING_ON.standing)
    assert all(len(line) < 120 for line in kept_lines(shown, 5, 2))
