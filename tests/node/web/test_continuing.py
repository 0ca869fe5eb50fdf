"""A page goes on with a match that was broken off: with a bot, or with somebody else, in one seat."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from node.loops import run
from node.seating.bot_seats import PAUSE_VARIABLE, BotSeats
from node.seating.worker import SeatConfig
from node.storage.store import STORE_NAME, Store
from tests.node.gathered import NAMES
from tests.node.resting import copied
from tests.node.test_return import keep
from tests.node.web.pages import Tab, open_page


@pytest.fixture
def home(rested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The profiles of Anna, Boris, Vera and Gleb, one deal into a match; Boris is a bot of Anna's."""
    monkeypatch.setenv(PAUSE_VARIABLE, "0")
    folder = copied(rested, tmp_path, NAMES)
    (folder / "Anna" / "bots").mkdir()
    shutil.move(folder / "Boris", folder / "Anna" / "bots" / "1")
    return folder


async def broken_off(tab: Tab) -> str:
    """The id of the one match that can be gone on with."""
    (match,) = (await tab.until("hall"))["openMatches"]
    assert match["goesOn"]
    return str(match["match"])


def test_a_bot_takes_the_seat_of_who_is_gone(home: Path) -> None:
    shutil.move(home / "Vera", home / "Anna" / "bots" / "2")

    async def scene() -> None:
        async with open_page(home, "Anna") as page, page.tab() as tab:
            match = await broken_off(tab)
            assert await tab.ask("go-on", match=match, bots=1) is None
            table = await tab.until("table", phase="playing")
            assert table["match"] != match
            assert table["changed"] == ["Dasha takes Gleb's seat."]
            assert table["names"] == ["Anna", "Boris", "Vera", "Dasha"]
            assert max(table["score"]) > 0 or table["results"] == []
            await tab.ask("leave")
            (left,) = (await tab.until("hall"))["openMatches"]
            assert left["match"] == table["match"], "the old match has gone on"
            assert left["goesOn"], "it began with what the deals before had brought"

    run(scene())


def test_somebody_else_takes_the_seat_and_the_others_read_what_goes_on(home: Path) -> None:
    async def scene() -> None:
        async with (
            open_page(home, "Anna") as one,
            open_page(home, "Vera") as two,
            open_page(home, "Zoya") as three,
            one.tab() as anna,
            two.tab() as vera,
            three.tab() as zoya,
        ):
            assert await anna.ask("go-on", match=await broken_off(anna)) is None
            gathering = await anna.until("gathering")
            assert gathering["keptFor"] == list(NAMES)
            assert gathering["story"][0] == "The match goes on after 1 deal that was played."
            assert not gathering["held"]
            for tab in (vera, zoya):
                await tab.until("hall")
                assert await tab.ask("join", where=gathering["link"]) is None
            for tab, line in ((vera, "its own record"), (zoya, "You have not been in it")):
                while not (await tab.until("gathering"))["story"]:
                    await tab.next()
                assert line in " ".join(tab.shown["gathering"]["story"])
            assert await anna.ask("swap", one=1, other=2) is None, "nothing comes of it"
            refused = await vera.ask("wish", seat=1)
            assert refused is None or "keeps the own seat" in refused["words"]
            tables = await asyncio.gather(
                *(tab.until("table", phase="playing") for tab in (anna, vera, zoya))
            )
            assert [table["seat"] for table in tables] == [0, 2, 3]
            assert [table["changed"] for table in tables] == [
                ["Zoya takes Gleb's seat."],
                ["Zoya takes Gleb's seat."],
                ["You take Gleb's seat."],
            ]

    run(scene())


def test_only_one_seat_can_go_to_a_bot(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that are on their way count, so that no bot comes to a table that is full for it."""
    brought: list[SeatConfig] = []

    def noted(bots: BotSeats, config: SeatConfig) -> None:
        bots.kinds[config.name] = config.play_as
        brought.append(config)

    monkeypatch.setattr(BotSeats, "_run", noted)

    async def scene() -> None:
        async with open_page(home, "Anna") as page, page.tab() as tab:
            await tab.ask("go-on", match=await broken_off(tab))
            await tab.until("gathering", bots=True)
            assert await tab.ask("bot", level="easy") is None
            await tab.until("gathering", bots=False)
            assert await tab.ask("bot") is not None

    run(scene())
    assert [(one.name, one.play_as) for one in brought] == [("Boris", "medium"), ("Dasha", "easy")]


def test_it_is_not_offered_where_no_deal_was_finished(tmp_path: Path) -> None:
    match_id = keep(tmp_path / "Olga", finished=False)
    with Store(tmp_path / "Olga" / STORE_NAME) as store:
        store.set_summary(match_id, False, json.dumps({"deals": 0}))

    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            (match,) = (await tab.until("hall"))["openMatches"]
            assert not match["goesOn"]

    run(scene())


def test_why_a_match_cannot_be_gone_on_with_is_said_in_the_hall(tmp_path: Path) -> None:
    keep(tmp_path / "Olga", finished=False)

    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            (match,) = (await tab.until("hall"))["openMatches"]
            assert await tab.ask("go-on", match=match["match"], bots=2) is not None
            assert await tab.ask("go-on", match=match["match"]) is None
            while not tab.shown.get("notice"):
                await tab.next()
            await tab.until("hall")
            assert "No deal of this match was finished" in tab.shown["notice"]

    run(scene())
