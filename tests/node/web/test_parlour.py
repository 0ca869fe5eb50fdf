"""A person's evening at a page, played through its socket: real nodes, bots and disks."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from node.loops import run
from node.seating.bot_seats import PAUSE_VARIABLE
from tests.node.web.pages import Page, Tab, open_page


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")


async def play_to_the_end(tab: Tab, rng: random.Random) -> Any:
    """Choose among what is listed whenever it is this tab's turn, until the match is over."""
    while True:
        table = await tab.until("table")
        if table["over"]:
            return table
        if table["turn"] == table["seat"] and table["legal"]:
            await tab.ask("play", **rng.choice(table["legal"]))
        else:
            await tab.next()


async def asked_to_play(tab: Tab) -> Any:
    """Wait until the person is to play: then nothing moves."""
    while True:
        table = await tab.until("table")
        if table["turn"] == table["seat"] and table["legal"]:
            return table
        await tab.next()


def test_a_match_against_three_bots_another_one_and_back_to_the_hall(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            assert await tab.ask("host", bots=3, target=6) is None
            table = await play_to_the_end(tab, random.Random(1))
            assert table["goat"] in (0, 1)
            assert max(table["score"]) >= 6
            assert table["verdict"] is None
            await tab.until("table", askedAgain=True)
            assert await tab.ask("again", yes=True) is None
            again = await tab.until("table", over=False)
            assert again["match"] != table["match"]
            assert await tab.ask("leave") is None
            hall = await tab.until("hall")
            (broken,) = hall["openMatches"]
            assert broken["match"] == again["match"]
            assert broken["players"][0] == "Olga"

    run(scene())


def test_who_leaves_can_go_back_with_the_bots(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            await tab.ask("host", bots=3)
            before = await tab.until("table", phase="playing")
            await tab.ask("leave")
            (broken,) = (await tab.until("hall"))["openMatches"]
            assert await tab.ask("resume", match=broken["match"]) is None
            after = await tab.until("table", phase="playing", returning=False)
            assert after["match"] == before["match"]
            assert after["hands"][after["seat"]]["known"]

    run(scene())


def test_two_tabs_see_the_same_and_a_new_one_is_told_the_deal_so_far(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as first:
            await first.until("hall")
            await first.ask("host", bots=3, target=6)
            own = await asked_to_play(first)
            async with page.tab() as second:
                shown = await asked_to_play(second)
                assert (shown["hands"], shown["legal"]) == (own["hands"], own["legal"])
                assert any(line.startswith("--- Deal 1") for line in second.news)
                await second.ask("stand-in", on=True)
                assert (await first.until("table", standIn=True))["standIn"]
                tricks = (await first.until("table"))["last"]
                while (await first.until("table"))["last"] == tricks:
                    await first.next()

    run(scene())


def test_a_play_that_is_not_allowed_is_refused_with_the_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            await tab.ask("host", bots=3)
            table = await tab.until("table", phase="playing")
            held = table["hands"][table["seat"]]["known"]
            other = next(card for card in ("6c", "7d", "8h", "9s", "Ac") if card not in held)
            refused = await tab.ask("play", kind="lead", cards=[other])
            assert refused is not None
            assert refused["code"] in (
                "card-not-held",
                "in-stock",
                "not-your-lead",
                "wrong-phase",
                "not-your-turn",
            )
            assert refused["words"].endswith(".")
            for nonsense in (
                {"kind": "lead", "cards": ["zz"]},
                {"kind": "lead", "cards": 4},
                {"kind": "swap", "cards": []},
            ):
                refused = await tab.ask("play", **nonsense)
                assert refused is not None

    run(scene())


async def gather(host: Tab, guests: list[tuple[Page, Tab]]) -> None:
    """Guests with pages of their own sit down at the host's table, by its link."""
    link = (await host.until("gathering"))["link"]
    for _, tab in guests:
        await tab.until("hall")
        assert await tab.ask("join", where=link) is None


@pytest.mark.long
def test_two_people_with_pages_and_two_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host changes who is whose partner, and begins when all are there."""
    monkeypatch.setattr("node.web.saying._PAUSE_SECONDS", 600.0)

    async def scene() -> None:
        async with (
            open_page(tmp_path) as page,
            open_page(tmp_path, "Vera") as other,
            page.tab() as host,
            other.tab() as guest,
        ):
            await host.until("hall")
            await host.ask("host", table="Dacha", target=6)
            await gather(host, [(other, guest)])
            await host.until("gathering", seats=["Olga", "Vera", None, None])
            assert await host.ask("begin") is not None, "two seats are free"
            assert await host.ask("swap", one=1, other=2) is None
            await guest.until("gathering", seats=["Olga", None, "Vera", None])
            refused = await guest.ask("begin")
            assert refused is not None
            assert await guest.ask("wish", seat=1) is None
            await host.until("gathering", seats=["Olga", "Vera", None, None])
            await guest.until("gathering", seat=1)
            assert await guest.ask("wish", seat=2) is None
            await host.until("gathering", seats=["Olga", None, "Vera", None], seat=0)
            await guest.until("gathering", seats=["Olga", None, "Vera", None], seat=2, hostSeat=0)
            assert await host.ask("wish", seat=2) is not None, "a host swaps"
            for _ in range(2):
                assert await host.ask("bot") is None
                await asyncio.sleep(0)
            gathering = await host.until("gathering")
            while None in gathering["seats"]:
                await host.next()
                gathering = host.shown["gathering"]
            assert await host.ask("begin") is None
            tables = await asyncio.gather(
                host.until("table", phase="playing"), guest.until("table", phase="playing")
            )
            assert [table["seat"] for table in tables] == [0, 2]
            assert {table["checkWords"] for table in tables} == {tables[0]["checkWords"]}
            assert await guest.ask("say", phrase=1) is None
            said = {"seat": 2, "count": 1, "text": "Well played!"}
            await asyncio.gather(host.until("table", said=[said]), guest.until("table", said=[said]))
            assert await guest.ask("say", phrase=0) is not None, "one at a time"
            assert await guest.ask("say", phrase=99) is not None
            ends = await asyncio.gather(*(play_to_the_end(tab, random.Random(2)) for tab in (host, guest)))
            assert ends[0]["results"] == ends[1]["results"]

    run(scene())


def test_the_time_to_wait_for_a_silent_player_is_an_option_of_the_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            assert await tab.ask("host", bots=3, grace=9) is not None, "too short"
            assert await tab.ask("host", bots=3, grace=33) is None
            await tab.until("table")
            live = page.parlour.live
            assert live is not None
            assert live.table.genesis.grace == 33

    run(scene())


def test_what_goes_wrong_on_the_way_to_a_table_is_said_in_the_hall(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            refused = await tab.ask("join", where="127.0.0.1:1", code="")
            assert refused is not None
            assert refused["code"] == "code-needed"
            assert await tab.ask("join", where="127.0.0.1:1", code="1234 5678") is None
            while not tab.shown.get("notice"):
                await tab.next()
            await tab.until("hall")
            assert "127.0.0.1" in tab.shown["notice"]

    run(scene())


def test_a_deal_can_be_checked_while_the_match_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            assert await tab.ask("check") is not None, "there is nothing to check"
            await tab.ask("host", bots=3, target=6)
            await tab.until("table", phase="playing")
            await tab.ask("stand-in", on=True)
            while not (await tab.until("table"))["results"]:
                await tab.next()
            checked = await tab.told("check")
            assert checked["fair"]
            assert checked["lines"][-1] == "The points add up. All was fair."
            assert checked["details"]

    run(scene())
