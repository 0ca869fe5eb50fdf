"""Which table is joined: found, recent, named or chosen; and players who know each other need no code."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from engine import Options
from node.errors import CodeNeeded, DiscoveryUnavailable, HostUnproven, LobbyFull, TableNotFound
from node.loops import run as run_node
from node.network.table_ad import TableAd
from node.node import Node
from node.seating.bot_seats import BotSeats
from node.seating.door import Way, join_by
from node.seating.ways import Choice, asked
from node.storage.keyfiles import raw_key
from node.storage.profile import Profile
from node.storage.recent import RecentTable, RecentTables
from node.terminal import finding
from node.terminal.finding import Finder, choice_list
from node.terminal.inbox import Inbox
from node.terminal.visit import TableSettings, Visit
from protocol.genesis import Genesis, Member
from tests.node.gathered import TABLE_ID, node_of, open_table
from tests.node.lobby_tables import ANNA, BORIS, HOST, TABLE, Table, fake_host, run
from tests.node.terminal_tables import Paper

PLAYED = datetime(2026, 3, 1, 20).timestamp()
GONE = RecentTable("Attic", "Vera", bytes(32), ((HOST, 1),), PLAYED)


def ad(name: str, free: int = 3, fingerprint: str = "") -> TableAd:
    table_id = name.encode().hex().ljust(32, "0")[:32]
    return TableAd(table_id, name, "Vera", fingerprint, free, "open", ("192.168.1.20",), 47001)


class Looker:
    """A finder, what it says, and what is typed to it."""

    def __init__(self, folder: Path, *recent: RecentTable, known: dict[bytes, str] | None = None) -> None:
        self.paper, self.inbox = Paper(width=100), Inbox()
        self.recent = RecentTables(folder)
        for table in reversed(recent):
            self.recent.remember(table)
        self.asked = 0
        self.finder = Finder(
            self.paper.screen,
            self.inbox,
            self.listen,
            recent=self.recent,
            known=known or {},
            interfaces=[HOST],
        )

    def listen(self) -> None:
        self.asked += 1


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets which tables announce themselves."""

    def hear(*ads: TableAd, error: Exception | None = None) -> None:
        async def browse(*_: object) -> list[TableAd]:
            if error is not None:
                raise error
            return list(ads)

        async def find(name: str, *_: object) -> TableAd | None:
            return next((one for one in await browse() if one.name == name), None)

        monkeypatch.setattr(finding, "browse", browse)
        monkeypatch.setattr(finding, "find_table", find)

    return hear


def near(table: Table, name: str = "Kitchen") -> RecentTable:
    """The table as the list of recent ones has it."""
    return RecentTable(name, "Анна", ANNA.identity, ((HOST, table.lobby.port),), PLAYED)


def test_the_only_table_with_a_free_seat_is_taken(tmp_path: Path, heard: Callable[..., None]) -> None:
    heard(ad("full", 0), ad("one"))

    async def scenario() -> None:
        looker = Looker(tmp_path, GONE)
        choice = await looker.finder.any()
        assert choice.name == "one"
        assert choice.way == Way((("192.168.1.20", 47001),), bytes.fromhex(ad("one").table_id))
        assert looker.asked == 0

    run(scenario())


def test_a_table_that_plays_is_none_to_sit_at(tmp_path: Path, heard: Callable[..., None]) -> None:
    playing = dataclasses.replace(ad("busy", 0), state="playing")
    said = "“busy”, host Vera, is playing already. You can watch it: kozel watch 192.168.1.20:47001"

    async def scenario() -> None:
        heard(playing, ad("one"))
        looker = Looker(tmp_path)
        assert (await looker.finder.any()).name == "one"
        assert said in looker.paper.text
        heard(playing)
        looker = Looker(tmp_path)
        with pytest.raises(TableNotFound):
            await looker.finder.any()
        assert said in looker.paper.text
        with pytest.raises(LobbyFull, match="kozel watch"):
            await looker.finder.by_name("busy")

    run(scenario())


def test_a_recent_table_that_answers_is_taken_where_none_is_heard(
    tmp_path: Path, heard: Callable[..., None]
) -> None:
    heard(error=DiscoveryUnavailable("no multicast here"))

    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            looker = Looker(tmp_path, near(table), GONE, known={ANNA.identity: "Анна"})
            choice = await looker.finder.any()
            assert choice.way == Way(((HOST, table.lobby.port),), TABLE, ANNA.identity)
        assert choice.name == "Кухня"  # As it calls itself now.
        assert "no multicast here" in looker.paper.text
        assert table.guests == []

    run(scenario())


def test_found_and_recent_tables_are_listed_marked_and_chosen_by_number(
    tmp_path: Path, heard: Callable[..., None]
) -> None:
    heard(ad("one"))

    async def scenario() -> None:
        table = Table(seats=2)
        async with table.lobby:
            looker = Looker(tmp_path, GONE, near(table))
            for line in ("4", "x", "3", "2"):
                looker.inbox.put_line(line)
            choice = await looker.finder.any()
            assert choice.way.addresses == ((HOST, table.lobby.port),)
            where = f"{HOST}:{table.lobby.port}"
        text = looker.paper.text
        assert "[1] one, host Vera, 3 seats free" in text
        assert f"[2] Кухня, host Анна, last played 2026-03-01, {where}: 2 seats free" in text
        assert "[3] Attic, host Vera, last played 2026-03-01, 127.0.0.1:1: does not answer" in text
        assert text.count("Type a number from 1 to 3.") == 2
        assert "“Attic” does not answer. Choose another one." in text
        assert looker.asked == 1

    run(scenario())


def test_a_recent_table_that_announces_itself_stands_in_the_list_once(
    tmp_path: Path, heard: Callable[..., None]
) -> None:
    heard(ad("one", fingerprint=ANNA.identity[:8].hex()))

    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            looker = Looker(tmp_path, near(table), known={ANNA.identity: "Анна"})
            choice = await looker.finder.any()
        assert choice.name == "one"
        assert choice.way.host == ANNA.identity

    run(scenario())


def test_where_nothing_answers_the_recent_tables_are_named_all_the_same(
    tmp_path: Path, heard: Callable[..., None]
) -> None:
    heard(ad("full", 0))

    async def scenario() -> None:
        full = Table(seats=0)
        async with full.lobby:
            looker = Looker(tmp_path, near(full), GONE)
            with pytest.raises(TableNotFound, match="No table with a free seat"):
                await looker.finder.any()
        assert "Attic, host Vera, last played 2026-03-01, 127.0.0.1:1: does not answer" in looker.paper.text

    run(scenario())


def test_a_damaged_list_is_said_and_the_search_goes_on(tmp_path: Path, heard: Callable[..., None]) -> None:
    heard(ad("one"))
    (tmp_path / "recent.json").write_text("{")

    async def scenario() -> None:
        looker = Looker(tmp_path)
        assert (await looker.finder.any()).name == "one"
        assert "recent.json, was passed over: it is damaged." in " ".join(looker.paper.text.split())

    run(scenario())


def test_a_name_is_looked_for_on_the_network_and_then_among_the_recent(
    tmp_path: Path, heard: Callable[..., None]
) -> None:
    heard(ad("one"))

    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            looker = Looker(tmp_path, near(table), GONE)
            assert (await looker.finder.by_name("one")).host_name == "Vera"
            assert (await looker.finder.by_name("kitchen")).way.table_id == TABLE
            for name in ("Attic", "Cellar"):
                with pytest.raises(TableNotFound, match=name):
                    await looker.finder.by_name(name)

    run(scenario())


def test_a_host_is_known_by_the_address_where_it_was(tmp_path: Path) -> None:
    looker = Looker(tmp_path, dataclasses.replace(GONE, host_identity=ANNA.identity))
    assert looker.finder.by_address((HOST, 1)) == Way(((HOST, 1),))
    looker = Looker(tmp_path, known={ANNA.identity: "Анна"})
    assert looker.finder.by_address((HOST, 1)) == Way(((HOST, 1),), host=ANNA.identity)
    assert looker.finder.by_address((HOST, 2)) == Way(((HOST, 2),))


def test_lines_of_the_list() -> None:
    way = Way(((HOST, 1),))
    choices = [
        Choice("one", "Olga", 1, way),
        Choice("two", "Olga", 0, way),
        Choice("x", "Vera", None, way, GONE),
    ]
    assert choice_list(choices) == [
        "  [1] one, host Olga, 1 seat free",
        "  [2] two, host Olga, 0 seats free",
        "  [3] x, host Vera, last played 2026-03-01, 127.0.0.1:1: does not answer",
    ]


# Known players at the door of a real table


def remember_match(nodes: list[Node], *, finished: bool = True) -> None:
    """Put a match among these players, and others who fill it up, on everybody's disk."""
    members = [
        Member(node.profile.identity_public, raw_key(node.profile.transport.public), node.profile.name)
        for node in nodes
    ]
    members += [Member(bytes([n]) * 32, bytes([n]) * 32, f"other {n}") for n in range(len(members), 4)]
    genesis = Genesis("t", Options(), tuple(members), tuple(bytes([n]) * 32 for n in range(4)))
    for seat, node in enumerate(nodes):
        node.store.add_match(genesis.match_id, genesis.encode(), seat, bytes(32), 0.0)
        node.store.set_summary(genesis.match_id, finished, json.dumps({"fault": None, "culprit": None}))


@asynccontextmanager
async def two_nodes(folder: Path) -> Any:
    async with node_of(folder, "Anna") as anna, node_of(folder, "Boris") as boris:
        yield anna, boris


def test_who_has_finished_a_match_with_the_host_sits_down_without_a_code(tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_nodes(tmp_path) as (anna, boris):
            remember_match([anna, boris])
            async with open_table(anna) as (host, lobby):
                way = Way(((HOST, lobby.port),), TABLE_ID, anna.profile.identity_public)
                guest, joined = await join_by(boris, way, None)
                assert host.seats == ("Anna", "Boris", None, None)
                assert guest.table_name == "Dacha"
                assert joined.lobby == (HOST, lobby.port)

    run_node(scene())


@pytest.mark.parametrize("who", ["nobody", "the guest only", "unfinished"])
def test_who_has_not_needs_the_code(who: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_nodes(tmp_path) as (anna, boris):
            if who == "the guest only":
                remember_match([boris])
            elif who == "unfinished":
                remember_match([anna, boris], finished=False)
            async with open_table(anna) as (host, lobby):
                way = Way(((HOST, lobby.port),), TABLE_ID, anna.profile.identity_public)
                with pytest.raises(CodeNeeded):
                    await join_by(boris, way, None)
                assert host.free_seats() == 3
                with pytest.raises(ValueError, match="identity"):
                    await join_by(boris, Way(way.addresses), None)

    run_node(scene())


def test_a_host_with_other_keys_than_the_known_ones_is_not_told_who_comes(tmp_path: Path) -> None:
    async def scene() -> None:
        async with two_nodes(tmp_path) as (anna, boris):
            remember_match([anna, boris])
            async with open_table(anna) as (host, lobby):
                with pytest.raises(HostUnproven):
                    await join_by(boris, Way(((HOST, lobby.port),), TABLE_ID, ANNA.identity), None)
                assert host.free_seats() == 3

    run_node(scene())


# The visit


@pytest.fixture
def enter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Coroutine[Any, Any, str]]:
    """Comes to the door of Anna's table as a visit does, and returns what the person reads."""

    async def entered(way: Way, typed: bytes = b"", **more: Any) -> str:
        settings = TableSettings(tmp_path / "me", listen=HOST, interfaces=[HOST], **more)
        paper = Paper(width=100)
        read, write = os.pipe()
        os.write(write, typed)
        os.close(write)
        with os.fdopen(read) as keyboard, Profile.open(settings.profile, name="Olga") as profile:
            monkeypatch.setattr("sys.stdin", keyboard)
            visit = Visit(settings, profile, paper.screen, BotSeats(tmp_path / "bots", "medium", pause=0))
            async with Node(profile, host=HOST) as node:
                company: Any = type("Company", (), {"look": lambda *_: None, "follow": lambda *_: None})()
                _, joined, _ = await visit._enter(node, way, company)
                visit._remember(joined)
                assert visit._recent.read()[0].addresses == (joined.lobby,)
        return paper.text

    return entered


def test_a_known_guest_is_asked_nothing(enter: Callable[..., Coroutine[Any, Any, str]]) -> None:
    async def scene() -> None:
        table = Table(known=lambda _: True)
        async with table.lobby:
            text = await enter(Way(((HOST, table.lobby.port),), TABLE, ANNA.identity))
        assert text == "Анна knows you from an earlier match.\n"
        assert [guest.name for guest, _ in table.guests] == ["Olga"]

    run_node(scene())


def test_an_unknown_guest_is_told_and_types_the_code(
    enter: Callable[..., Coroutine[Any, Any, str]],
) -> None:
    async def scene() -> None:
        table = Table()
        async with table.lobby:
            way = Way(((HOST, table.lobby.port),), TABLE, ANNA.identity)
            text = await enter(way, b"87654321\n1234 5678\n")
        assert "The host does not know you from an earlier match, so the code is needed." in text
        assert "The code is not the one on the host's screen." in text
        assert len(table.guests) == 1

    run_node(scene())


def test_somebody_in_the_place_of_a_known_host_is_named_before_the_code_is_asked_for(
    enter: Callable[..., Coroutine[Any, Any, str]],
) -> None:
    async def scene() -> None:
        table = Table(known=lambda _: True)
        async with table.lobby:
            text = await enter(Way(((HOST, table.lobby.port),), TABLE, BORIS.identity), b"12345678\n")
        warning = "gives itself out as a player whom you know, and could not prove it."
        assert warning in " ".join(text.split())
        assert text.index("gives itself out") < text.index("Code on the host's screen")

    run_node(scene())


@pytest.mark.parametrize("more", [{"code": "12345678"}, {"bots": 1, "code": "12345678"}])
def test_a_code_that_is_given_is_used(
    more: dict[str, Any], enter: Callable[..., Coroutine[Any, Any, str]]
) -> None:
    async def scene() -> None:
        table = Table(known=lambda _: False)
        async with table.lobby:
            assert await enter(Way(((HOST, table.lobby.port),), TABLE, ANNA.identity), **more) == ""
        assert len(table.guests) == 1

    run_node(scene())


def test_bots_that_come_along_need_the_code_even_where_the_player_is_known(
    enter: Callable[..., Coroutine[Any, Any, str]],
) -> None:
    async def scene() -> None:
        table = Table(known=lambda _: True)
        async with table.lobby:
            way = Way(((HOST, table.lobby.port),), TABLE, ANNA.identity)
            assert "Code on the host's screen" in await enter(way, b"12345678\n", bots=1)

    run_node(scene())


def test_waiting_for_an_address_that_leads_nowhere_costs_a_moment_only() -> None:
    """The table is at the second address; the first never answers."""

    async def scenario() -> None:
        table = Table()
        answered = asyncio.Event()
        async with table.lobby, fake_host(lambda _: answered.wait()) as silent:
            recent = dataclasses.replace(near(table), addresses=((HOST, silent), (HOST, table.lobby.port)))
            choice = await asked(recent, {})
            assert choice.way.addresses == ((HOST, table.lobby.port),)
            answered.set()

    run(scenario())
