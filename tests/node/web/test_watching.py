"""Watching a table on a page, through its socket: what is public is shown, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import http.client
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine import Card, Seat
from node.live import LiveTable
from node.lobby.table_link import TableLink
from node.loops import run
from node.network.addresses import LOOPBACK
from node.network.discovery import TableAd
from node.network.table_ad import PLAYING
from node.seating.bot_seats import PAUSE_VARIABLE
from node.seating.door import Watching
from node.web import hall
from node.web.picture import game_picture, public_picture
from node.web.settings import ParlourSettings
from protocol.spectator import Showcase, Spectator
from tests.node.gathered import CODE, TABLE_ID
from tests.node.test_watching import Scene, scene
from tests.node.web.pages import Page, Tab, open_page
from tests.protocol.cheats import Cheat
from tests.protocol.matches import rich

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def link_to(table: Scene, code: str = CODE) -> str:
    return str(TableLink((LOOPBACK,), table.lobby.port, TABLE_ID, code))


@contextlib.asynccontextmanager
async def watching(folder: Path, watching: Watching | None = None) -> AsyncIterator[tuple[Scene, Page, Tab]]:
    """A match of four that is about to be played, and a page whose owner watches it."""
    async with contextlib.AsyncExitStack() as stack:
        table = await stack.enter_async_context(scene(folder, watching or Watching()))
        page = await stack.enter_async_context(open_page(folder))
        tab = await stack.enter_async_context(page.tab())
        await tab.until("hall")
        assert await tab.ask("watch", where=link_to(table)) is None
        await tab.until("watching")
        yield table, page, tab


def cards_in(value: Any) -> set[str]:
    """All cards that a state, or anything of the engine, mentions."""
    if isinstance(value, Card):
        return {str(value)}
    if dataclasses.is_dataclass(value):
        return set().union(*(cards_in(getattr(value, field.name)) for field in dataclasses.fields(value)))
    if isinstance(value, tuple | list | frozenset | set):
        return set().union(*map(cards_in, value))
    if isinstance(value, dict):
        return cards_in([*value.values()])
    return set()


def hidden_cards(lives: list[LiveTable]) -> set[str]:
    """What some player knows at this moment, and the public does not."""
    private = set().union(*(cards_in(live.state) for live in lives))
    return private - set().union(*(cards_in(live.table.match.state) for live in lives))


def mentioned(tab: Tab) -> set[str]:
    """All cards in what a tab was shown last: codes in the picture, signs in the story."""
    text = json.dumps(tab.shown, ensure_ascii=False)
    codes = set(re.findall(r'"([6-9TJQKA][cdhs])"', text))
    letters = {sign: letter for letter, sign in SIGNS.items()}
    told = re.findall(r"(10|[6-9JQKA])([♣♦♥♠])", text)
    return codes | {rank.replace("10", "T") + letters[sign] for rank, sign in told}


def test_a_page_that_watches_gets_no_hidden_card_over_a_whole_match(tmp_path: Path) -> None:
    """Whatever it is shown is compared with what the four players see at that moment."""
    looked: list[tuple[int, int]] = []

    async def play() -> None:
        async with watching(tmp_path) as (table, _, tab):
            playing = asyncio.create_task(table.play())
            while not ((await tab.until("watching"))["match"] or {}).get("over"):
                deal = (tab.shown["watching"]["match"] or {}).get("deal")
                hidden = hidden_cards(table.lives)
                shown = mentioned(tab)
                # A card of the deal before may be in somebody's hand again.
                if {deal} == {live.state.deal_number for live in table.lives}:
                    assert not shown & hidden
                looked.append((len(shown), len(hidden)))
                await tab.next()
            await playing
            match = tab.shown["watching"]["match"]
            public = json.loads(json.dumps(game_picture(table.lives[0].table.match.state)))
            assert {key: match[key] for key in public} == public
            assert match["seat"] is None
            assert "legal" not in match
            assert match["goat"] in (0, 1)
            (checked,) = match["checked"]
            assert checked.startswith("Checked so far: ")
            assert any(line.startswith("--- Deal 1: ") for line in tab.news)
            assert not any("You" in line for line in tab.news)

    run(play())
    assert max(hidden for _, hidden in looked) >= 12, "hands were compared"
    assert max(shown for shown, _ in looked) >= 3, "so were tricks"


@pytest.mark.long
def test_a_second_tab_is_told_the_deal_so_far_and_shown_the_same(tmp_path: Path) -> None:
    async def play() -> None:
        async with watching(tmp_path) as (table, page, first):
            await table.play()
            while not ((await first.until("watching"))["match"] or {}).get("over"):
                await first.next()
            async with page.tab() as second:
                shown = await second.until("watching")
                assert shown == first.shown["watching"]
                assert second.news

    run(play())


@pytest.mark.long
def test_the_finished_deals_can_be_replayed_and_those_of_no_other_match(tmp_path: Path) -> None:
    def fetched(page: Page, match: str) -> tuple[int, Any]:
        with contextlib.closing(http.client.HTTPConnection(LOOPBACK, page.port, timeout=60)) as connection:
            connection.request("GET", f"/{page.secret}/replay/{match}.json", headers={"Host": page.host})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    async def play() -> None:
        async with watching(tmp_path) as (table, page, tab):
            await table.play()
            while not ((await tab.until("watching"))["match"] or {}).get("over"):
                await tab.next()
            match = tab.shown["watching"]["match"]
            status, replay = await asyncio.to_thread(fetched, page, match["match"])
            assert status == 200
            assert replay["finding"] == "fair"
            assert len(replay["deals"]) == len(match["results"])
            assert (await asyncio.to_thread(fetched, page, "00" * 32))[0] == 503

    run(play())


def test_who_leaves_is_back_in_the_hall_and_the_host_hears_of_it(tmp_path: Path) -> None:
    heard: list[tuple[str, bool]] = []

    async def play() -> None:
        gone = asyncio.Event()

        def changed(name: str, came: bool) -> None:
            heard.append((name, came))
            if not came:
                gone.set()

        async with watching(tmp_path, Watching(changed=changed)) as (_, page, tab):
            for wish in ("play", "begin", "stand-in", "say", "again", "check", "hint"):
                assert await tab.ask(wish, kind="lead", cards=["6c"]) is not None
            assert await tab.ask("leave") is None
            await tab.until("hall")
            assert tab.shown["notice"] is None
            assert page.parlour.watched is None
            await asyncio.wait_for(gone.wait(), 10)

    run(play())
    assert heard == [("Olga", True), ("Olga", False)]


def test_what_was_seen_stays_when_the_host_closes_the_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with contextlib.AsyncExitStack() as stack:
            page = await stack.enter_async_context(open_page(tmp_path))
            tab = await stack.enter_async_context(page.tab())
            async with scene(tmp_path, Watching()) as table:
                await tab.until("hall")
                await tab.ask("watch", where=link_to(table))
                while (await tab.until("watching"))["match"] is None:
                    await tab.next()
            while tab.shown["notice"] is None:
                await tab.next()
            assert tab.shown["notice"] == (
                "The host has closed the table. The match was not watched to its end."
            )
            assert (await tab.until("watching"))["match"]["names"] == ["Anna", "Boris", "Vera", "Gleb"]
            await tab.ask("leave")
            await tab.until("hall")

    run(play())


@pytest.mark.parametrize(
    ("allowed", "code", "said"),
    [
        (Watching(), "00000000", "The code is not the one on the host's screen."),
        (Watching(0), CODE, "The table has closed its door: nobody may watch there, or it is over."),
    ],
)
def test_why_it_cannot_be_watched_is_said_in_the_hall(
    tmp_path: Path, allowed: Watching, code: str, said: str
) -> None:
    async def play() -> None:
        async with (
            scene(tmp_path, allowed) as table,
            open_page(tmp_path) as page,
            page.tab() as tab,
        ):
            await tab.until("hall")
            refused = await tab.ask("watch", where=f"{LOOPBACK}:{table.lobby.port}", code="")
            assert refused is not None and refused["code"] == "code-needed"
            await tab.ask("watch", where=link_to(table, code))
            while not tab.shown.get("notice"):
                await tab.next()
            assert said in tab.shown["notice"]
            await tab.until("hall")

    run(play())


def test_a_table_that_plays_is_listed_as_one_to_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ad = TableAd("00" * 16, "Dacha", "Anna", "", 0, PLAYING, (LOOPBACK,), 47001)

    async def browse(*_: object) -> list[TableAd]:
        return [ad, dataclasses.replace(ad, name="Hostel", state="open", free_seats=2)]

    monkeypatch.setattr(hall, "browse", browse)

    async def play() -> None:
        settings = ParlourSettings(LOOPBACK, [LOOPBACK], port=0)
        async with open_page(tmp_path, settings=settings) as page, page.tab() as tab:
            shown = await tab.until("hall", looked=True)
            assert [(one["name"], one["playing"]) for one in shown["tables"]] == [
                ("Dacha", True),
                ("Hostel", False),
            ]

    run(play())


async def bots_take_seats(host: Tab) -> Any:
    """Three bots come to the host's table; what the page shows then."""
    await host.until("gathering")
    for _ in range(3):
        assert await host.ask("bot") is None
    while None in (gathering := await host.until("gathering"))["seats"]:
        await host.next()
    return gathering


def test_the_host_sees_who_watches_before_and_during_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")

    async def play() -> None:
        async with (
            open_page(tmp_path) as page,
            open_page(tmp_path, "Vera") as other,
            page.tab() as host,
            other.tab() as viewer,
        ):
            await host.until("hall")
            assert await host.ask("host", delay=7) is not None, "no such delay"
            assert await host.ask("host", table="Dacha", target=6, delay=30) is None
            onlookers = (await host.until("gathering"))["onlookers"]
            assert (onlookers["names"], onlookers["delay"]) == ([], 30)
            await viewer.until("hall")
            assert await viewer.ask("watch", where=onlookers["link"]) is None
            assert await viewer.until("watching") == {"table": "Dacha", "host": "Olga", "match": None}
            await host.until("gathering", onlookers={**onlookers, "names": ["Vera"]})
            await bots_take_seats(host)
            assert await host.ask("begin") is None
            assert (await host.until("table"))["onlookers"] == {**onlookers, "names": ["Vera"]}
            while (await viewer.until("watching"))["match"] is None:
                await viewer.next()
            assert viewer.shown["watching"]["match"]["indicator"] is None, "everything comes later"
            await viewer.ask("leave")
            await host.until("table", onlookers=onlookers)

    run(play())


@pytest.mark.parametrize("options", [{"bots": 3}, {"watch": False}])
def test_nobody_watches_a_match_alone_or_where_the_host_does_not_want_it(
    tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")

    async def play() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            assert await tab.ask("host", **options) is None
            if "watch" in options:
                gathering = await bots_take_seats(tab)
                assert gathering["onlookers"] is None
                await tab.ask("begin")
            assert (await tab.until("table"))["onlookers"] is None

    run(play())


def cheated() -> tuple[Spectator, Seat]:
    """A match in which a seat told different players different things, as a spectator has it."""
    match = rich()
    count = match.index("lead", 1)
    cheat = Cheat(match, match.events[count].author)
    cheat.take(event.signed for event in match.events[:count])
    twin = cheat.sign("lead", (*match.events[count].body[:3], b"x" * 96), keep=False)
    showcase, seen = Showcase(match.setup.genesis), Spectator(match.setup.genesis)
    for frame in showcase.show([*(event.signed for event in match.events[: count + 1]), twin.signed]):
        seen.receive(frame)
    return seen, cheat.seat


def test_a_proven_cheat_is_shown_with_its_reason() -> None:
    seen, culprit = cheated()
    picture = public_picture(seen)
    assert picture["over"]
    assert picture["checked"] == []
    assert picture["verdict"]["culprit"] == culprit
    assert "told different players different things" in picture["verdict"]["sentence"]
