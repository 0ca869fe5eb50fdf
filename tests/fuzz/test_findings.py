"""What fuzzing has found, each as a test of the whole kind."""

from __future__ import annotations

import asyncio
import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from engine import Beat, Discard, Lead, Molodka, Options, Play
from engine.cards import SEATS, Seat
from node.lobby.join import JoinedTable
from node.lobby.messages import Introduction
from node.node import Node
from node.seating.frames import Occupant, Seating
from node.seating.guesting import Guest
from node.storage.keyfiles import link_name
from node.terminal.typed import Unclear, parse_typed
from node.words.refusals import refusal_sentence
from node.words.wording import Wording
from protocol.effects import Later
from protocol.errors import PlayRefused
from protocol.events import Event, Ref, sign_event
from protocol.identity import verify_signature
from protocol.limits import MAX_AFTER_FAULT, MAX_ARRAY, MAX_PENDING_EVENTS
from protocol.log import EventLog
from protocol.replica import Received, Replica, parse_frame
from protocol.table import Table
from tests.fuzz import corpus
from tests.fuzz.targets.gathering import Station
from tests.node.gathered import node_of

_NAMES = ("Anna", "Boris", "Vera", "Gleb")


def _tables_with_a_choice() -> list[tuple[Seat, Table]]:
    return [(seat, table) for seat in SEATS for table in corpus.tables(seat, 1).values() if table.legal()]


@pytest.mark.parametrize("kind", [Discard, Lead, Molodka, Beat])
def test_a_seat_signs_only_what_it_was_offered(kind: type[Play]) -> None:
    # A discard without its cards, which is how the plays of others look, was signed and could never be
    # opened; a `True` in place of seat 1 was signed as a body that convicted its author.
    tried = 0
    for _, table in _tables_with_a_choice():
        if tried >= 12:
            break
        for play in [play for play in table.legal() if isinstance(play, kind)][:2]:
            copied = copy.deepcopy(table)
            heads = copied.log.heads()
            if isinstance(play, Discard):
                with pytest.raises(PlayRefused) as refused:
                    copied.play(replace(play, cards=None))
                assert refused.value.code == "not-listed"
                assert copied.log.heads() == heads
            truthy: dict[str, Any] = {
                name: bool(getattr(play, name)) if getattr(play, name) in (0, 1) else getattr(play, name)
                for name in ("seat", "on", "count")
                if hasattr(play, name)
            }
            copied.play(replace(play, **truthy))
            assert copied.verdict is None
            tried += 1
    assert tried


@pytest.mark.parametrize("seat", [-5, -1, 4, 2**70])
def test_a_refusal_is_told_for_seats_that_do_not_exist(seat: int) -> None:
    table = next(
        table for _, table in _tables_with_a_choice() if table.state.trick and table.state.trick.branches
    )
    with pytest.raises(PlayRefused) as refused:
        table.play(Discard(table.seat, 1, None, seat))
    assert refused.value.code == "no-such-lead"
    assert refusal_sentence(refused.value, Wording(_NAMES, table.seat, True))


@pytest.mark.parametrize(
    "line", ["\x1b[2Jhello", "a\x00b", "\u202ecba", "x" * 5_000, "\ud800?", "\x07" * 9, "ы\x85"]
)
def test_what_is_not_understood_is_shown_again_only_if_it_is_safe_to_show(line: str) -> None:
    read = parse_typed(line)
    assert isinstance(read, Unclear)
    assert read.text == "" or read.text.isprintable()
    assert len(read.text) <= 60


def _chain(author: Seat, count: int) -> list[Event]:
    """Events of one seat, each signed and in its place; what they say is of no matter to the log."""
    setup = corpus.match().setup
    events: list[Event] = []
    for seq in range(count):
        prev = events[-1].id if events else setup.genesis.match_id
        refs: list[Ref | None] = [None] * 4
        identity = setup.identities[author]
        events.append(
            sign_event(identity, setup.genesis.match_id, author, seq, prev, refs, "accept", (b"\x09" * 32,))
        )
    return events


def test_the_signature_of_an_event_that_waits_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # A seat that filled the waiting room made every node check 256 signatures for each event that came in:
    # one frame of sixty-four small events then stopped the node for a second.
    checked = 0

    def counted(*arguments: bytes) -> None:
        nonlocal checked
        checked += 1
        verify_signature(*arguments)

    monkeypatch.setattr("protocol.log.verify_signature", counted)
    replica = Replica(EventLog(corpus.match().setup.genesis))
    feed = _chain(3, MAX_PENDING_EVENTS + 70)
    received = Received()
    for event in feed[70:]:
        replica.add(event.signed, received)
    assert replica.waiting == MAX_PENDING_EVENTS
    for event in feed[:70]:
        replica.add(event.signed, received)
    assert [event.seq for event in received.added] == list(range(len(feed)))
    assert checked == len(feed)


def test_a_cheat_cannot_fill_the_logs_of_the_others() -> None:
    # After its fault a seat could go on and sign up to a million events of sixteen kilobytes.
    setup = corpus.match().setup
    feed = _chain(3, 2 * MAX_AFTER_FAULT)
    lengths = set()
    for batch in (1, MAX_ARRAY):  # However the events arrive, all nodes stop at one place.
        table = setup.table(0)
        for start in range(0, len(feed), batch):
            frame = Replica(table.log).events_frame([event.signed for event in feed[start : start + batch]])
            table.receive(b"seat 3", frame)
        assert table.verdict is not None
        assert table.verdict.events == (feed[1].id,), "a second acceptance is the fault"
        lengths.add(table.log.length(3))
    table = setup.table(0)
    for event in feed[1 : 1 + MAX_PENDING_EVENTS]:
        table.receive(b"seat 3", Replica(table.log).events_frame([event.signed]))
    rest = [feed[0], *feed[1 + MAX_PENDING_EVENTS : MAX_PENDING_EVENTS + MAX_ARRAY]]
    effects = table.receive(b"seat 3", Replica(table.log).events_frame([event.signed for event in rest]))
    while any(isinstance(effect, Later) for effect in effects):
        effects = table.work()
    assert table.log.length(3) == 1 + MAX_PENDING_EVENTS, "what waited, though the fault was among the first"
    for event in feed[table.log.length(3) :]:
        table.receive(b"seat 3", Replica(table.log).events_frame([event.signed]))
    lengths.add(table.log.length(3))
    assert lengths == {1 + MAX_AFTER_FAULT + 1}, "the first, the fault, and what is kept after it"


def test_an_event_waits_only_with_its_own_signature() -> None:
    replica = Replica(EventLog(corpus.match().setup.genesis))
    first, second = _chain(3, 2)
    received = Received()
    replica.add(second.signed._replace(signature=first.signed.signature), received)
    assert received.rejected == ["bad-signature"]
    replica.add(first.signed, received)
    assert [event.seq for event in received.added] == [0]


def test_a_flood_of_frames_keeps_nothing_else_waiting(tmp_path: Path) -> None:
    # Frames that had come in were all worked off before anything else had its turn.
    asyncio.run(_flood(tmp_path))


async def _flood(folder: Path) -> None:
    frames = 500
    received = others_turns = 0

    async def receive() -> tuple[bytes, bytes]:
        nonlocal received
        received += 1
        if received > frames:
            drained.set()
            await asyncio.Event().wait()
        return b"peer", b"no frame at all"

    async with node_of(folder, "Anna") as node:
        drained = asyncio.Event()
        node.link.receive = receive  # type: ignore[method-assign]
        pump = asyncio.create_task(node._pump())
        while not drained.is_set():
            others_turns += 1
            await asyncio.sleep(0)
        pump.cancel()
    assert others_turns > frames // 4


def test_a_guest_lets_nobody_in_who_is_not_at_the_table() -> None:
    # A host could seat strangers for ever, and every one of them stayed let in and dialled.
    asyncio.run(_many_strangers())


async def _many_strangers() -> None:
    node = Station(1)
    host = Introduction(bytes([1]) * 32, link_name(bytes([11]) * 32), "Anna", 47001, bytes(32))
    joined = JoinedTable(host, b"t" * 16, "Dacha", ("192.168.1.20", 47001), ("192.168.1.20", 47000))
    guest = Guest(cast(Node, node), joined, (bytes(32), bytes(32)))
    here = [Occupant(_NAMES[seat], bytes([seat + 1]) * 32, bytes([seat + 11]) * 32, ()) for seat in (0, 1)]
    for number in range(50):
        strangers = [
            Occupant("X", bytes([seat, number]) * 16, bytes([seat, number]) * 16, (("192.168.1.9", 1),))
            for seat in (102, 103)
        ]
        seating = Seating(b"t" * 16, "Dacha", 0, Options(), False, (*here, *strangers))
        node.control(link_name(bytes([11]) * 32), *parse_frame(seating.encode()))
        names = {link_name(one.transport) for one in strangers}
        assert node.link.allowed == {link_name(bytes([11]) * 32), *names}
        assert set(node.link.dialled) == node.link.allowed
    assert guest.seats == ("Anna", "Boris", "X", "X")
