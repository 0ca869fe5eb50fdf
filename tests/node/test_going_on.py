"""A player does not come back, and somebody else takes the seat: real nodes, sockets and disks (§7.13)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from engine import Options
from node.bots import make_bot
from node.errors import CannotGoOn, CodeNeeded, JoinRefused, MatchNotKept
from node.live import LiveTable
from node.loops import run
from node.network.addresses import LOOPBACK
from node.node import Node
from node.seating.door import Way, join_by
from node.seating.evening import Observer, Seat, play_matches
from node.seating.going_on import GoingOn
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.old_match import match_to_go_on, read_kept
from node.seating.players import BotPlayer
from node.seating.returning import match_to_resume
from node.storage.exporting import export_match
from node.storage.followers import followers
from protocol.audit import Audit, Finding, audit_log
from protocol.events import SignedEvent, decode_event
from tests.node.gathered import NAMES, node_of, sit_down
from tests.node.resting import GONE, copied, reopened, resting_at

LEFT = [name for name in NAMES if name != GONE]


@pytest.fixture
def folder(rested: Path, tmp_path: Path) -> Path:
    return copied(rested, tmp_path, NAMES)


@contextlib.asynccontextmanager
async def nodes_of(folder: Path, *names: str) -> AsyncIterator[dict[str, Node]]:
    async with contextlib.AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(node_of(folder, name)) for name in names}


async def begun(nodes: dict[str, Node], seats: dict[str, Host | Guest]) -> dict[str, LiveTable]:
    lives = await asyncio.gather(*(nodes[name].guard(seats[name].next_match()) for name in seats))
    return dict(zip(seats, lives, strict=True))


def audit(node: Node, match_id: bytes, folder: Path) -> Audit:
    stored = node.store.match(match_id)
    assert stored is not None
    with export_match(node.store, stored, folder / "log.kozel").open("rb") as file:
        return audit_log(file)


@pytest.mark.long
def test_somebody_else_takes_the_seat_and_the_match_is_played_to_its_end(folder: Path) -> None:
    """Seat 2 hosts. Who is new comes first, and makes room when the owner of that seat comes."""

    async def scene() -> None:
        async with nodes_of(folder, *LEFT, "Zoya") as nodes:
            going_on = await resting_at(nodes["Vera"])
            async with reopened(nodes["Vera"], going_on) as (host, lobby):
                assert host.seat == 2
                seats: dict[str, Host | Guest] = {"Vera": host}
                seats["Zoya"] = await sit_down(nodes["Zoya"], lobby.port)
                assert host.seats[:3] == ("Zoya", None, "Vera")
                for name in ("Boris", "Anna"):
                    seats[name] = await sit_down(nodes[name], lobby.port, wish="3")
                assert list(host.seats) == ["Anna", "Boris", "Vera", "Zoya"]
                lives = await begun(nodes, seats)
            genesis = lives["Vera"].table.genesis
            assert [lives[name].seat for name in ("Anna", "Boris", "Vera", "Zoya")] == [0, 1, 2, 3]
            assert len({live.table.match_id for live in lives.values()}) == 1
            assert (genesis.previous, genesis.standing) == (going_on.previous, going_on.standing)
            score = going_on.standing.score
            assert sum(score) > 0 or going_on.standing.eggs == 1
            assert all(live.state.score == score for live in lives.values())
            await played(nodes, seats, lives)
            check_disks(nodes, going_on, lives, folder)

    run(scene())


async def played(nodes: dict[str, Node], seats: dict[str, Host | Guest], lives: dict[str, LiveTable]) -> None:
    """Bots play the match to its end."""

    async def evening(number: int, name: str) -> None:
        seat: Seat = seats[name]
        bot = BotPlayer(make_bot("medium", random.Random(number)), matches=1)
        await play_matches(nodes[name], seat, bot, lives[name], Observer())

    await asyncio.gather(*(evening(number, name) for number, name in enumerate(seats)))


def check_disks(nodes: dict[str, Node], going_on: GoingOn, lives: dict[str, LiveTable], folder: Path) -> None:
    """The old logs blame nobody and are as they were; the new ones are whole and start from the old score."""
    new_id = lives["Vera"].table.match_id
    for name, node in nodes.items():
        new = audit(node, new_id, folder)
        assert new.finding is Finding.FAIR
        assert new.match is not None
        first = new.match.finished[0]
        defeats = first["defeat_points"]
        assert defeats is not None
        total = list(going_on.standing.score)
        for deal in new.match.finished:
            total = [sum(pair) for pair in zip(total, deal["defeat_points"] or (), strict=True)]
        assert total == list(new.match.state.score)
        assert max(total) >= 12
        assert first["dealer"] == (going_on.standing.dealer + 1) % 4
        assert first["leader"] == going_on.standing.leader
        if name == "Zoya":
            assert node.store.match(going_on.previous) is None
            continue
        old = audit(node, going_on.previous, folder)
        assert (old.finding, old.verdict) == (Finding.INCOMPLETE, None)
        assert followers(node.store) == {going_on.previous: new_id}


def test_the_owner_of_the_free_seat_may_come_back_after_all(folder: Path) -> None:
    async def scene() -> None:
        async with nodes_of(folder, *NAMES) as nodes:
            going_on = await resting_at(nodes["Boris"])
            async with reopened(nodes["Boris"], going_on) as (host, lobby):
                seats: dict[str, Host | Guest] = {"Boris": host}
                for name in ("Gleb", "Vera", "Anna"):
                    seats[name] = await sit_down(nodes[name], lobby.port)
                lives = await begun(nodes, seats)
            assert [lives[name].seat for name in NAMES] == [0, 1, 2, 3]
            assert going_on.replaced(lives["Gleb"].table.genesis) == ()
            for live in lives.values():
                await live.until(lambda live=live: live.state.dealt is not None)  # type: ignore[misc]
                assert live.state.dealer == (going_on.standing.dealer + 1) % 4

    run(scene())


def test_one_seat_only_goes_to_somebody_new(folder: Path) -> None:
    async def scene() -> None:
        async with nodes_of(folder, "Anna", "Zoya", "Yuri") as nodes:
            async with reopened(nodes["Anna"], await resting_at(nodes["Anna"])) as (host, lobby):
                await sit_down(nodes["Zoya"], lobby.port)
                with pytest.raises(JoinRefused, match=r"Kept for others: Vera, Gleb"):
                    await sit_down(nodes["Yuri"], lobby.port)
                assert host.free_seats() == 2

    run(scene())


def test_who_sat_at_the_match_needs_no_code_and_others_do(folder: Path) -> None:
    async def scene() -> None:
        async with nodes_of(folder, "Anna", "Boris", "Zoya") as nodes:
            async with reopened(nodes["Anna"], await resting_at(nodes["Anna"])) as (host, lobby):
                way = Way(((LOOPBACK, lobby.port),), host=nodes["Anna"].profile.identity_public)
                await join_by(nodes["Boris"], way, None)
                assert host.seats[1] == "Boris"
                with pytest.raises(CodeNeeded):
                    await join_by(nodes["Zoya"], way, None)

    run(scene())


def test_the_old_match_is_not_gone_back_to(folder: Path) -> None:
    async def scene() -> None:
        async with nodes_of(folder, *NAMES) as nodes:
            store = nodes["Anna"].store
            going_on = await resting_at(nodes["Anna"])
            async with reopened(nodes["Anna"], going_on) as (host, lobby):
                seats: dict[str, Host | Guest] = {"Anna": host}
                for name in NAMES[1:]:
                    seats[name] = await sit_down(nodes[name], lobby.port)
                before = followers(store)
                lives = await begun(nodes, seats)
            live = lives["Anna"]
            await live.until(lambda: all(live.table.match.accepted))
            live.tick()
            assert before == {}
            new, old = live.table.match_id, going_on.previous.hex()
            assert match_to_resume(store, None).match_id == new
            with pytest.raises(MatchNotKept, match=f"kozel resume {new.hex()[:12]}"):
                match_to_resume(store, old[:10])
            with pytest.raises(CannotGoOn, match=f"kozel resume {new.hex()[:12]}"):
                await read_kept(store, match_to_go_on(store, old[:10]))
            with pytest.raises(MatchNotKept):
                match_to_go_on(store, "ffff" * 16)

    run(scene())


# Hosts that do not tell the truth


Lie: TypeAlias = "tuple[Callable[[GoingOn], GoingOn], str]"

LIES: dict[str, Lie] = {
    "another score": (
        lambda true: replace(true, standing=replace(true.standing, score=(5, 5))),
        r"stands 5 to 5; on this computer it stands \d to \d",
    ),
    "another leader": (
        lambda true: replace(true, standing=replace(true.standing, leader=(true.standing.leader + 1) % 4)),
        "to lead",
    ),
    "another match": (
        lambda true: replace(true, genesis=replace(true.genesis, table="Attic")),
        "this computer does not keep",
    ),
}


@pytest.mark.parametrize("what", LIES)
def test_what_the_host_claims_is_compared_with_the_own_log(what: str, folder: Path) -> None:
    lie, words = LIES[what]

    async def scene() -> None:
        async with nodes_of(folder, "Anna", "Boris") as nodes:
            claim = lie(await resting_at(nodes["Anna"]))
            async with reopened(nodes["Anna"], claim) as (host, lobby):
                guest = await sit_down(nodes["Boris"], lobby.port)
                with pytest.raises(CannotGoOn, match=words):
                    await nodes["Boris"].guard(guest.next_match())
                assert not host._all_ready()
            assert len(nodes["Boris"].store.matches()) == 1

    run(scene())


def forget_openings(node: Node, match_id: bytes) -> None:
    """Take from a disk everything from the first opening of the first deal on."""
    kept: list[Any] = []
    for record in node.store.records(match_id):
        if decode_event(SignedEvent(record.data, record.signature)).kind == "open":
            break
        kept.append(record)
    connection = node.store._connection
    connection.execute("DELETE FROM records WHERE match_id = ?", (match_id,))
    node.store.append(match_id, kept)


def test_who_has_missed_the_rest_of_a_deal_is_told_to_go_back_first(folder: Path) -> None:
    """On Boris's disk the end of the first deal is missing."""

    async def scene() -> None:
        async with nodes_of(folder, "Anna", "Boris") as nodes:
            true = await resting_at(nodes["Anna"])
            forget_openings(nodes["Boris"], true.previous)
            async with reopened(nodes["Anna"], true) as (_, lobby):
                guest = await sit_down(nodes["Boris"], lobby.port)
                with pytest.raises(CannotGoOn, match=r"is under way.* kozel resume "):
                    await nodes["Boris"].guard(guest.next_match())

    run(scene())


class Mover(Host):
    """Gives Boris the seat of the player who is gone."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assert self.going_on is not None
        boris, gleb = (self.going_on.genesis.roster[seat].identity for seat in (1, 3))
        self._owned = {**self._owned, boris: 3, gleb: 1}


class Forger(Host):
    """Shows the truth and proposes something else."""

    def _genesis(self) -> Any:
        assert self.going_on is not None
        self.going_on = replace(self.going_on, standing=replace(self.going_on.standing, score=(0, 11)))
        return super()._genesis()


class Changer(Host):
    """Goes on by other options than the match had."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._options = Options(target=24)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Mover, "another seat than you had"),
        (Forger, "something else than it has shown"),
        (Changer, "other options than the match had"),
    ],
)
def test_what_the_host_proposes_is_compared_with_what_it_has_shown(
    kind: type[Host], words: str, folder: Path
) -> None:
    async def scene() -> None:
        async with nodes_of(folder, *LEFT, "Zoya") as nodes:
            async with reopened(nodes["Anna"], await resting_at(nodes["Anna"]), kind) as (host, lobby):
                guests = {name: await sit_down(nodes[name], lobby.port) for name in ("Boris", "Vera", "Zoya")}
                outcomes = await asyncio.gather(
                    nodes["Anna"].guard(host.next_match()),
                    *(nodes[name].guard(guest.next_match()) for name, guest in guests.items()),
                    return_exceptions=True,
                )
            assert isinstance(outcomes[1], CannotGoOn)
            assert words in str(outcomes[1])
            (kept,) = nodes["Boris"].store.matches()
            assert json.loads(kept.summary or "{}").get("fault") is None

    run(scene())
