"""Guests ask for seats before the match: at real nodes, and among the places of a table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.cards import Seat
from node.loops import run
from node.seating.door import join_table
from node.seating.frames import Occupant
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.places import Places, SeatedGuest
from tests.node.gathered import CODE, NAMES, TABLE_ID, node_of, open_table

HOST: Seat = 0


def seated(*seats: Seat) -> Places:
    """Guests in these seats."""
    occupants = {
        seat: Occupant(NAMES[seat], bytes([seat]) * 32, bytes([seat + 4]) * 32, ()) for seat in seats
    }
    return Places({seat: SeatedGuest(occupant, 0.0) for seat, occupant in occupants.items()})


def test_a_free_seat_is_granted_at_once() -> None:
    places = seated(1, 2)
    assert places.free(HOST) == [3]
    assert places.wish(1, 3) == 3
    places.swap(1, 3)
    assert sorted(places) == [2, 3]
    assert places[3].occupant.name == "Boris"
    assert places.wishes == (None,) * 4


def test_a_seat_that_somebody_has_is_noted_until_both_want_to_change() -> None:
    places = seated(1, 2, 3)
    assert places.wish(1, 2) is None
    assert list(places.wishes) == [None, 2, None, None]
    assert places.wish(3, 1) is None, "that would push Boris out"
    assert places.wish(2, 1) == 1
    places.swap(2, 1)
    assert [places[seat].occupant.name for seat in (1, 2, 3)] == ["Vera", "Boris", "Gleb"]
    assert places.wishes == (None, None, None, 1)


def test_a_seat_that_becomes_free_goes_to_who_has_asked_for_it() -> None:
    places = seated(1, 2, 3)
    places.wish(1, 2)
    places.wish(3, 1)
    del places[2]
    places.fill(HOST)
    assert {seat: one.occupant.name for seat, one in places.items()} == {2: "Boris", 1: "Gleb"}
    assert places.wishes == (None,) * 4


def test_who_is_content_asks_for_nothing() -> None:
    places = seated(1, 2)
    places.wish(1, 2)
    for content in (1, None):
        assert places.wish(1, content) is None
        assert places.wishes == (None,) * 4


class Table:
    """A table on loopback with guests who wait; `changed` is called on every change that anybody sees."""

    def __init__(self) -> None:
        self._change = asyncio.Event()
        self.host: Host
        self.guests: list[Guest] = []

    def changed(self) -> None:
        """Something is new."""
        self._change.set()

    async def until_seats(self, *names: str | None) -> None:
        """Wait until host and guests see the same order."""
        tables: list[Host | Guest] = [self.host, *self.guests]
        while any(table.seats != names for table in tables):
            self._change.clear()
            await self._change.wait()

    async def until_wishes(self, *wishes: Seat | None) -> None:
        """Wait until the host has heard these."""
        while self.host.wishes != wishes:
            self._change.clear()
            await self._change.wait()


@contextlib.asynccontextmanager
async def gathered(folder: Path, count: int) -> AsyncIterator[Table]:
    """So many guests at a table whose match is held."""
    async with contextlib.AsyncExitStack() as stack:
        table = Table()
        node = await stack.enter_async_context(node_of(folder, NAMES[0]))
        table.host, lobby = await stack.enter_async_context(open_table(node))
        table.host.held, table.host._changed = True, table.changed
        waiting = []
        for name in NAMES[1 : count + 1]:
            node = await stack.enter_async_context(node_of(folder, name))
            address = ("127.0.0.1", lobby.port)
            guest = await join_table(node, CODE, address=address, changed=table.changed)
            table.guests.append(guest)
            waiting.append(asyncio.create_task(guest.next_match()))
        await table.until_seats(*NAMES[: count + 1], *[None] * (3 - count))
        yield table
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def test_guests_change_seats_as_they_like(tmp_path: Path) -> None:
    async def scene() -> None:
        async with gathered(tmp_path, 2) as table:
            boris, vera = table.guests
            assert (boris.seat, boris.host_seat) == (1, 0)
            boris.ask_for(3)
            await table.until_seats("Anna", None, "Vera", "Boris")
            assert boris.wish is None
            boris.ask_for(2)
            await table.until_wishes(None, None, None, 2)
            assert table.host.seats == ("Anna", None, "Vera", "Boris")
            vera.ask_for(3)
            await table.until_seats("Anna", None, "Boris", "Vera")
            assert (boris.wish, vera.wish) == (None, None)
            await table.until_wishes(None, None, None, None)

    run(scene())


def test_the_host_agrees_or_the_guest_takes_it_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with gathered(tmp_path, 3) as table:
            boris, _, gleb = table.guests
            boris.ask_for(2)
            gleb.ask_for(1)
            await table.until_wishes(None, 2, None, 1)
            gleb.ask_for(None)
            await table.until_wishes(None, 2, None, None)
            table.host.swap(1, 2)
            await table.until_seats("Anna", "Vera", "Boris", "Gleb")
            assert boris.wish is None
            await table.until_wishes(None, None, None, None)

    run(scene())


@pytest.mark.parametrize("wished", [0, 1])
def test_nobody_is_asked_out_of_the_host_s_seat(wished: Seat, tmp_path: Path) -> None:
    async def scene() -> None:
        async with gathered(tmp_path, 2) as table:
            boris, vera = table.guests
            boris.ask_for(wished)
            # The next one is granted, so the first has been heard.
            vera.ask_for(3)
            await table.until_seats("Anna", "Boris", None, "Vera")
            assert table.host.wishes == (None,) * 4
            assert table.host.table_id == TABLE_ID

    run(scene())
