"""Who comes back to a seat learns that a copy of the profile is in it already; nobody else can say so."""

from __future__ import annotations

from typing import cast

import pytest

from node.errors import ProfileCloned
from node.network.link import Link
from node.seating.claim import SeatClaim
from node.seating.frames import RETURN, TAKEN, decode_taken, return_frame, taken_frame
from node.storage.keyfiles import TransportKeys
from protocol.encoding import Value
from protocol.errors import FrameRejected
from protocol.replica import parse_frame

MATCH = bytes(range(32))
ME = 3
KEYS = {seat: TransportKeys.from_secret(bytes([seat + 1]) * 32) for seat in range(4)}
OTHERS = (0, 1, 2)


class Sent:
    """Stands for the links: keeps what was sent, and whether on every connection."""

    def __init__(self) -> None:
        self.frames: list[tuple[bytes, bytes, bool]] = []

    def send(self, public: bytes, frame: bytes) -> bool:
        self.frames.append((public, frame, False))
        return True

    def send_everywhere(self, public: bytes, frame: bytes) -> None:
        self.frames.append((public, frame, True))


class Program:
    """One program's claim to a seat."""

    def __init__(self, seat: int = ME, *, coming_back: bool) -> None:
        self.links = Sent()
        self.coming_back = coming_back
        peers = {other: keys.public for other, keys in KEYS.items() if other != seat}
        self.claim = SeatClaim(
            MATCH, seat, peers, KEYS[seat], cast(Link, self.links), lambda: self.coming_back
        )

    def question(self) -> bytes:
        """What it asks by way of seat 0."""
        self.claim.ask([KEYS[0].public])
        ((public, frame, everywhere),) = self.links.frames
        self.links.frames.clear()
        assert (public, everywhere) == (KEYS[0].public, False)
        return frame

    def hear(self, frame: bytes, by: int = 0) -> list[bytes]:
        """Give it a frame that comes from another seat; what it sends back there."""
        self.claim.hear(KEYS[by].public, *parse_frame(frame))
        answers = [frame for public, frame, _ in self.links.frames if public == KEYS[by].public]
        assert len(answers) == len(self.links.frames)
        self.links.frames.clear()
        return answers


def test_the_second_program_is_told_and_the_first_is_not_disturbed() -> None:
    first, second = Program(coming_back=False), Program(coming_back=True)
    (denial,) = first.hear(second.question())
    assert first.hear(denial) == [], "it comes back to the first one too"
    with pytest.raises(ProfileCloned, match="with a copy of your profile"):
        second.hear(denial)


def test_of_two_that_come_back_at_once_exactly_one_is_told() -> None:
    one, other = Program(coming_back=True), Program(coming_back=True)
    to_other, to_one = one.question(), other.question()
    denials = [*other.hear(to_other), *one.hear(to_one)]
    assert len(denials) == 1
    told = []
    for program in (one, other):
        try:
            program.hear(denials[0])
        except ProfileCloned:
            told.append(program)
    assert len(told) == 1


def test_who_has_not_come_back_asks_nothing() -> None:
    program = Program(coming_back=False)
    program.claim.ask([KEYS[0].public])
    assert program.links.frames == []


def test_its_own_question_is_denied_by_no_program() -> None:
    alone = Program(coming_back=True)
    question = alone.question()
    assert alone.hear(question) == []
    alone.coming_back = False
    assert alone.hear(question) == []


def test_what_somebody_says_of_his_own_seat_is_given_back_on_every_connection() -> None:
    other = Program(seat=0, coming_back=False)
    mine = KEYS[ME].public
    for frame in (return_frame(MATCH, ME, b"r" * 16), taken_frame(MATCH, ME, b"r" * 16, b"p" * 32)):
        other.claim.hear(mine, *parse_frame(frame))
        assert other.links.frames == [(mine, frame, True)]
        other.links.frames.clear()


@pytest.mark.parametrize("about", [1, ME])
def test_what_somebody_says_of_a_third_seat_is_passed_over(about: int) -> None:
    program = Program(seat=0, coming_back=False)
    assert program.hear(return_frame(MATCH, about, b"r" * 16), by=2) == []
    assert program.hear(taken_frame(MATCH, about, b"r" * 16, b"p" * 32), by=2) == []


def test_a_stranger_and_another_match_are_passed_over() -> None:
    first = Program(coming_back=False)
    stranger = TransportKeys.from_secret(b"s" * 32).public
    first.claim.hear(stranger, *parse_frame(return_frame(MATCH, ME, b"r" * 16)))
    first.claim.hear(KEYS[0].public, *parse_frame(return_frame(bytes(32), ME, b"r" * 16)))
    first.claim.hear(KEYS[0].public, *parse_frame(return_frame(bytes(32), 0, b"r" * 16)))
    assert first.links.frames == []


def test_nobody_without_the_key_can_deny_a_seat() -> None:
    """Another player denies with a key of its own, invents a proof, or uses that of another question."""
    second = Program(coming_back=True)
    question = second.question()
    _, _, run = parse_frame(question)[1]
    assert isinstance(run, bytes)
    liar = SeatClaim(
        MATCH,
        ME,
        {0: KEYS[0].public},
        KEYS[1],
        cast(Link, lied := Sent()),
        lambda: False,
    )
    liar.hear(KEYS[0].public, *parse_frame(question))
    (denial,) = Program(coming_back=False).hear(return_frame(MATCH, ME, b"r" * 16))
    *_, proof = decode_taken(parse_frame(denial)[1])
    for frame in (
        lied.frames[0][1],
        taken_frame(MATCH, ME, run, bytes(32)),
        taken_frame(MATCH, ME, run, proof),
        denial,
    ):
        assert second.hear(frame) == []


def test_a_denial_that_comes_late_does_not_stop_a_program_that_plays() -> None:
    first, second = Program(coming_back=False), Program(coming_back=True)
    (denial,) = first.hear(second.question())
    second.coming_back = False
    assert second.hear(denial) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param(RETURN, (), id="return, empty"),
        pytest.param(RETURN, (MATCH, ME, b"r" * 16, b""), id="return, too many"),
        pytest.param(RETURN, (MATCH[:31], ME, b"r" * 16), id="return, match id"),
        pytest.param(RETURN, (MATCH, 4, b"r" * 16), id="return, no such seat"),
        pytest.param(RETURN, (MATCH, True, b"r" * 16), id="return, seat"),
        pytest.param(RETURN, (MATCH, ME, b"r" * 15), id="return, run"),
        pytest.param(TAKEN, (MATCH, ME, b"r" * 16), id="taken, no proof"),
        pytest.param(TAKEN, (MATCH, ME, b"r" * 16, b"p" * 31), id="taken, proof"),
        pytest.param(TAKEN, (MATCH, ME, None, b"p" * 32), id="taken, run"),
    ],
)
def test_frames_that_break_the_grammar_are_refused(kind: str, fields: tuple[Value, ...]) -> None:
    program = Program(coming_back=True)
    with pytest.raises(FrameRejected):
        program.claim.hear(KEYS[0].public, kind, fields)
    assert program.links.frames == []
