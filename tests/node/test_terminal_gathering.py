from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from node.terminal.gathering import (
    AttendedSeat,
    Company,
    ask,
    attended,
    grouped_code,
    invitation,
)
from node.terminal.inbox import Inbox
from node.terminal.leaving import PersonLeft
from tests.node.terminal_tables import Paper


def test_the_code_is_grouped_as_it_is_read_aloud() -> None:
    assert grouped_code("12345678") == "1234 5678"


def test_the_invitation_holds_everything_that_guests_need() -> None:
    lines = invitation("Olga's table", ["192.168.1.20", "fd00::1"], 47001, "12345678", announced=True)
    text = "\n".join(lines)
    for needed in (
        "Olga's table",
        "192.168.1.20:47001",
        "[fd00::1]:47001",
        "1234 5678",
        "kozel join  ",
    ):
        assert needed in text


def test_where_nothing_can_be_announced_only_the_address_is_offered() -> None:
    text = "\n".join(invitation("t", ["192.168.1.20"], 47001, "12345678", announced=False))
    assert "kozel join  " not in text
    assert "kozel join 192.168.1.20:47001" in text


def test_company_says_who_comes_and_goes() -> None:
    paper = Paper()
    company = Company(paper.screen, "Olga")
    company.look()
    assert not company.seen.is_set()
    table: Any = SimpleNamespace(seats=("Olga", None, None, None))
    company.follow(table)
    for seats in (
        ("Olga", "Anna", None, None),
        ("Olga", "Anna", "Boris", None),
        ("Olga", "Anna", None, None),
        ("Olga", "Anna", "Vera", "Gleb"),
        ("Olga", "Anna", "Vera", "Gleb"),
        ("Olga", "Vera", "Anna", "Gleb"),
    ):
        table.seats = seats
        company.look()
    assert company.seen.is_set()
    assert paper.text.splitlines() == [
        "Anna sits down.",
        "Waiting for 2 more players…",
        "Boris sits down.",
        "Waiting for one more player…",
        "Boris has left.",
        "Waiting for 2 more players…",
        "Vera sits down.",
        "Gleb sits down.",
    ]


def test_asking_passes_over_blank_lines() -> None:
    async def scene() -> None:
        paper, inbox = Paper(), Inbox()
        for line in ("", "  ", " 1234 5678 "):
            inbox.put_line(line)
        assert await ask(paper.screen, inbox, "Code: ") == "1234 5678"
        assert paper.text == "Code: Code: Code: "

    asyncio.run(scene())


@pytest.mark.parametrize("how", ["quit", None])
def test_asking_lets_people_leave(how: str | None) -> None:
    async def scene() -> None:
        inbox = Inbox()
        if how is None:
            inbox.end()
        else:
            inbox.put_line(how)
        with pytest.raises(PersonLeft):
            await ask(Paper().screen, inbox, "Code: ")

    asyncio.run(scene())


def test_waiting_ends_with_the_work_and_keeps_what_is_typed_later() -> None:
    async def scene() -> None:
        paper, inbox = Paper(), Inbox()
        finished = asyncio.Event()

        async def work() -> str:
            await finished.wait()
            return "match"

        waiting = asyncio.create_task(attended(work(), paper.screen, inbox))
        inbox.put_line("is anybody there?")
        for _ in range(10):
            await asyncio.sleep(0)
        assert paper.text
        finished.set()
        assert await waiting == "match"
        inbox.put_line("1")
        assert await ask(paper.screen, inbox, "? ") == "1"
        assert paper.text.startswith("Waiting for the other players. Type quit to leave.\n")

    asyncio.run(scene())


def test_leaving_while_waiting_cancels_the_work() -> None:
    cancelled = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def scene() -> None:
        inbox = Inbox()
        inbox.put_line("QUIT")
        with pytest.raises(PersonLeft):
            await attended(work(), Paper().screen, inbox)

    asyncio.run(scene())
    assert cancelled == [True]


def test_failures_of_the_work_come_through() -> None:
    async def work() -> None:
        raise OSError("disk")

    async def scene() -> None:
        with pytest.raises(OSError, match="disk"):
            await attended(work(), Paper().screen, Inbox())

    asyncio.run(scene())


def test_an_attended_seat_can_be_left_between_matches() -> None:
    closed = []

    class Chair:
        async def next_match(self) -> Any:
            await asyncio.Event().wait()

        def close(self) -> None:
            closed.append(True)

    async def scene() -> None:
        inbox = Inbox()
        seat = AttendedSeat(Chair(), Paper().screen, inbox)
        inbox.end()
        with pytest.raises(PersonLeft):
            await seat.next_match()
        seat.close()

    asyncio.run(scene())
    assert closed == [True]


def test_a_link_is_written_in_one_piece() -> None:
    paper = Paper(width=20)
    paper.screen.ask("? ")
    paper.screen.say_unbroken("  kozel join KOZEL:192.168.1.20/47001/AAAQEAYEAUDAOCAJBIFQYDIOB4/12345678")
    assert paper.text.splitlines()[1].endswith("/AAAQEAYEAUDAOCAJBIFQYDIOB4/12345678")
