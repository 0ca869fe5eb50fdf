"""Replication: two nodes that talk end with the same log and the same proofs, whatever gets lost."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SEATS, Seat
from protocol.encoding import Value, pack
from protocol.errors import FrameRejected
from protocol.events import Event, Ref, SignedEvent, sign_event
from protocol.fields import DECK as WHOLE
from protocol.limits import (
    MAX_ARRAY,
    MAX_EVENT_BYTES,
    MAX_FORKS,
    MAX_FRAME_BYTES,
    MAX_PENDING_EVENTS,
    MAX_SEQ,
)
from protocol.log import EventLog
from protocol.replica import EVENTS, HAVE, Received, Replica, in_slices, parse_frame
from tests.protocol.matches import rich
from tests.protocol.tables import events_in, set_up

SETUP = set_up(0)
MATCH = SETUP.genesis.match_id


def event(
    seat: Seat, seq: int, prev: bytes, refs: tuple[Ref | None, ...] = (None,) * 4, *body: Value
) -> Event:
    """An event of any kind: replication does not look at bodies."""
    return sign_event(SETUP.identities[seat], MATCH, seat, seq, prev, refs, "kind", body)


def chain(seat: Seat, length: int, *, prev: bytes = MATCH, start: int = 0, mark: Value = None) -> list[Event]:
    """So many linked events of one seat; `mark` makes them differ from others."""
    events: list[Event] = []
    for seq in range(start, start + length):
        events.append(event(seat, seq, events[-1].id if events else prev, (None,) * 4, mark))
    return events


def replica_of(*events: Event, keep_bytes: bool = True) -> Replica:
    """A replica that has taken in these events in this order."""
    replica = Replica(EventLog(SETUP.genesis, keep_bytes=keep_bytes))
    add(replica, *events)
    return replica


def add(replica: Replica, *events: Event) -> Received:
    """Offer events to a replica."""
    received = Received()
    for one in events:
        replica.add(one.signed, received)
    return received


def talk(left: Replica, right: Replica, ticks: int = 1, *, loss: float = 0, seed: int = 0) -> int:
    """Both say what they have, and answer until nothing is left to say; return the number of frames."""
    rng, carried = Random(seed), 0
    for _ in range(ticks):
        queue = [(left, right.have_frame()), (right, left.have_frame())]
        while queue:
            receiver, frame = queue.pop(rng.randrange(len(queue)))
            carried += 1
            assert carried < 1000, "they never stop talking"
            assert len(frame) <= MAX_FRAME_BYTES
            if rng.random() >= loss:
                other = right if receiver is left else left
                queue += [(other, reply) for reply in receiver.receive(frame).replies]
                while receiver.ready:
                    receiver.release()
    return carried


def refusal(frame: bytes, replica: Replica | None = None) -> str:
    """The code of the refusal of a frame."""
    with pytest.raises(FrameRejected) as caught:
        (replica or replica_of()).receive(frame)
    return caught.value.code


@settings(deadline=None, max_examples=15)
@given(st.data())
def test_any_split_in_any_order_ends_in_the_whole_log(data: st.DataObject) -> None:
    """Two nodes with any two causally closed parts of a match, that together are the whole."""
    events = list(rich().events[:40])
    rng = data.draw(st.randoms(use_true_random=False))
    shares = [rng.randrange(3) for _ in events]
    genesis = rich().setup.genesis
    sides = (Replica(EventLog(genesis)), Replica(EventLog(genesis)))
    for side, replica in enumerate(sides):
        mine = [one for one, share in zip(events, shares, strict=True) if share in (side, 2)]
        rng.shuffle(mine)
        add(replica, *mine)
    for _ in range(3):
        talk(*sides, ticks=2, seed=rng.randrange(1000), loss=0.2)
    talk(*sides, ticks=2)
    # What waits for events that the other had waiting too cannot be exchanged; the author's node has it.
    add(sides[0], *events)
    talk(*sides)
    assert sides[0].log.heads() == sides[1].log.heads()
    assert len(sides[0].log) == len(events)
    assert sides[0].waiting == sides[1].waiting == 0


def test_events_are_reported_in_causal_order_once_all_they_need_is_here() -> None:
    first, second = chain(0, 2)
    answer = event(1, 0, MATCH, (Ref(1, second.id), None, None, None))
    replica = replica_of()
    assert add(replica, answer).added == []
    assert add(replica, second).added == []
    assert replica.waiting == 2
    assert [one.id for one in add(replica, first).added] == [first.id, second.id, answer.id]
    assert replica.waiting == 0


def test_repeated_frames_change_nothing() -> None:
    source = replica_of(*chain(0, 5))
    target = replica_of()
    frame = source.receive(target.have_frame()).replies[0]
    assert len(target.receive(frame).added) == 5
    again = target.receive(frame)
    assert (again.added, again.forked, again.rejected, again.replies) == ([], [], [], [])


def test_nothing_is_said_between_equals() -> None:
    left, right = replica_of(*chain(0, 3)), replica_of(*chain(0, 3))
    assert talk(left, right) == 2
    assert left.receive(right.have_frame()).heads == left.log.heads()


def test_who_is_behind_asks_at_once() -> None:
    ahead, behind = replica_of(*chain(0, 3)), replica_of()
    assert behind.receive(ahead.have_frame()).replies == [behind.have_frame()]


def test_gaps_are_asked_for_at_once() -> None:
    events = chain(0, 3)
    target = replica_of(events[0])
    received = target.receive(target.events_frame([events[2].signed]))
    assert received.replies == [target.have_frame()]


def test_catching_up_from_nothing_needs_no_luck() -> None:
    """A long log is sent in causal order: each answer is of use, however many answers it takes."""
    events: list[Event] = []
    padding = b"x" * 6000
    for _ in range(30):
        for seat in SEATS:
            before = [one for one in events if one.author == seat]
            heads = tuple(
                None
                if other == seat
                else next((Ref(one.seq, one.id) for one in reversed(events) if one.author == other), None)
                for other in SEATS
            )
            prev = before[-1].id if before else MATCH
            events.append(event(seat, len(before), prev, heads, padding))
    ahead, behind = replica_of(*events), replica_of()
    for _ in range(5):
        talk(ahead, behind)
        assert behind.waiting == 0
    assert behind.log.heads() == ahead.log.heads()


def test_answers_fit_their_frames() -> None:
    many = replica_of(*chain(0, MAX_ARRAY + 1))
    frames = many.receive(replica_of().have_frame()).replies
    assert [len(events_in(frame)) for frame in frames] == [MAX_ARRAY, 1]
    large = replica_of(*chain(0, 9, mark=bytes(MAX_EVENT_BYTES - 200)))
    assert all(len(frame) <= MAX_FRAME_BYTES for frame in large.receive(replica_of().have_frame()).replies)


def test_pending_is_bounded_and_keeps_what_is_nearest() -> None:
    events = chain(0, MAX_PENDING_EVENTS + 20)
    target = replica_of()
    add(target, *reversed(events[1:]))
    assert target.waiting == MAX_PENDING_EVENTS
    far = event(0, MAX_SEQ, MATCH)
    add(target, far)
    assert target.waiting == MAX_PENDING_EVENTS
    add(target, events[0])
    assert target.log.length(0) == MAX_PENDING_EVENTS + 1
    talk(target, replica_of(*events))
    assert target.log.length(0) == len(events)


def test_refused_events_are_counted_and_the_rest_is_used() -> None:
    good = chain(0, 2)
    forged = SignedEvent(good[1].signed.data, bytes(64))
    target = replica_of()
    received = target.receive(target.events_frame([SignedEvent(b"junk", bytes(64)), good[0].signed, forged]))
    assert [one.id for one in received.added] == [good[0].id]
    assert received.rejected == ["undecodable", "bad-signature"]


def test_a_frame_with_a_flaw_anywhere_is_not_used_at_all() -> None:
    """Else an event would be in the log that nobody was told of, and its author accused later."""
    good = chain(0, 1)[0].signed
    target = replica_of()
    for flaw in (None, (), (b"data",), (b"data", "signature"), (good.data, good.signature, b"")):
        frame = pack((EVENTS, MATCH, ((good.data, good.signature), cast(Value, flaw))))
        assert refusal(frame, target) == "malformed"
        assert len(target.log) == 0


# Equivocation

ROOT = chain(0, 1)[0]
TWINS = [event(0, 1, ROOT.id, (None,) * 4, mark) for mark in ("x", "y", "z")]


def proofs(replica: Replica) -> set[bytes]:
    """The ids of the contradicting events that a node can show."""
    return set(replica.log.evidence())


def test_two_halves_of_a_table_both_end_with_the_proof() -> None:
    left, right = replica_of(ROOT, TWINS[0]), replica_of(ROOT, TWINS[1])
    talk(left, right)
    assert proofs(left) == proofs(right) == {TWINS[0].id, TWINS[1].id}
    assert talk(left, right) == 2  # then there is nothing more to say


@pytest.mark.parametrize("lengths", [(1, 3), (3, 1), (2, 2), (4, 2)])
def test_feeds_that_split_long_ago_are_found_by_the_hash_of_their_heads(lengths: tuple[int, int]) -> None:
    left = replica_of(ROOT, *chain(0, lengths[0], prev=ROOT.id, start=1, mark="left"))
    right = replica_of(ROOT, *chain(0, lengths[1], prev=ROOT.id, start=1, mark="right"))
    talk(left, right, ticks=2)
    assert left.log.forks
    assert right.log.forks
    assert proofs(left) & proofs(right)


def test_three_versions_are_all_known_to_all_in_the_end() -> None:
    nodes = [replica_of(ROOT, twin) for twin in TWINS]
    for _ in range(2):
        for left, right in ((0, 1), (1, 2), (0, 2)):
            talk(nodes[left], nodes[right])
    assert [proofs(node) for node in nodes] == [{twin.id for twin in TWINS}] * 3


def test_a_proof_reaches_nodes_that_saw_nothing() -> None:
    knows = replica_of(ROOT, *TWINS[:2])
    fresh, behind = replica_of(ROOT, TWINS[0]), replica_of()
    talk(knows, fresh)
    talk(fresh, behind, ticks=2)
    assert proofs(knows) == proofs(fresh) == proofs(behind)


def test_split_tables_do_not_shout_at_each_other_for_ever() -> None:
    """After a fork each side has events on its own branch that the other can never take in."""
    left = replica_of(ROOT, TWINS[0], event(1, 0, MATCH, (Ref(1, TWINS[0].id), None, None, None)))
    right = replica_of(ROOT, TWINS[1], event(2, 0, MATCH, (Ref(1, TWINS[1].id), None, None, None)))
    talk(left, right, ticks=3)
    assert proofs(left) == proofs(right)
    assert left.log.length(2) == right.log.length(1) == 0


def test_flood_of_twins() -> None:
    target = replica_of(ROOT)
    received = add(target, *(event(0, 0, MATCH, (None,) * 4, number) for number in range(MAX_FORKS + 9)))
    assert len(received.forked) == len(received.proofs) >= len(target.log.forks) == MAX_FORKS
    fresh = replica_of(ROOT)
    talk(target, fresh)
    assert proofs(fresh) == proofs(target)


# Frames that break the grammar


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"", "undecodable"),
        (b"\xc1", "undecodable"),
        (bytes(MAX_FRAME_BYTES + 1), "oversized"),
        (pack(()), "malformed"),
        (pack(7), "malformed"),
        (pack((7, MATCH)), "malformed"),
        (pack((b"have", MATCH)), "malformed"),
        (pack((HAVE,)), "other-match"),
        (pack((HAVE, MATCH)), "other-match"),
        (pack((HAVE, bytes(32), (None,) * 4, ())), "other-match"),
        (pack((EVENTS, bytes(32), ())), "other-match"),
        (pack(("hello", MATCH, ())), "unknown-frame"),
        (pack((HAVE, MATCH, (None,) * 4)), "malformed"),
        (pack((HAVE, MATCH, (None,) * 4, (), 1)), "malformed"),
        (pack((HAVE, MATCH, (None,) * 3, ())), "malformed"),
        (pack((HAVE, MATCH, None, ())), "malformed"),
        (pack((HAVE, MATCH, (1, None, None, None), ())), "malformed"),
        (pack((HAVE, MATCH, ((1,), None, None, None), ())), "malformed"),
        (pack((HAVE, MATCH, ((-1, bytes(32)), None, None, None), ())), "malformed"),
        (pack((HAVE, MATCH, ((True, bytes(32)), None, None, None), ())), "malformed"),
        (pack((HAVE, MATCH, ((MAX_SEQ + 1, bytes(32)), None, None, None), ())), "malformed"),
        (pack((HAVE, MATCH, ((0, bytes(31)), None, None, None), ())), "malformed"),
        (pack((HAVE, MATCH, (None,) * 4, None)), "malformed"),
        (pack((HAVE, MATCH, (None,) * 4, (1,))), "malformed"),
        (pack((EVENTS, MATCH)), "other-match"),
        (pack((EVENTS, MATCH, None)), "malformed"),
        (pack((EVENTS, MATCH, (), ())), "malformed"),
        (pack((EVENTS, MATCH, ((),) * (MAX_ARRAY + 1))), "undecodable"),
    ],
)
def test_foreign_and_malformed_frames(frame: bytes, code: str) -> None:
    assert refusal(frame) == code


def test_an_oversized_event_in_a_small_frame() -> None:
    target = replica_of()
    received = target.receive(pack((EVENTS, MATCH, ((bytes(MAX_EVENT_BYTES + 1), bytes(64)),))))
    assert received.rejected == ["oversized"]


@given(st.binary(max_size=200))
def test_junk_is_refused_and_never_crashes(frame: bytes) -> None:
    with pytest.raises(FrameRejected):
        parse_frame(frame)[0].encode("ascii") and replica_of().receive(frame)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 7))
def test_damaged_frames_add_nothing_that_was_not_sent(place: int, bit: int) -> None:
    events = chain(0, 2)
    frame = bytearray(replica_of(*events).receive(replica_of().have_frame()).replies[0])
    frame[place % len(frame)] ^= 1 << bit
    target = replica_of()
    try:
        received = target.receive(bytes(frame))
    except FrameRejected:
        assert len(target.log) == 0
        return
    assert {one.id for one in received.added} <= {one.id for one in events}


def test_a_peer_that_never_delivers_cannot_keep_a_node_talking() -> None:
    """It claims events that it does not send, or sends what must wait: one question each, then the tick."""
    match = rich()
    empty, full = Replica(EventLog(match.setup.genesis)), Replica(EventLog(match.setup.genesis))
    for event in match.events:
        full.add(event.signed, Received())
    claim = full.have_frame()
    early = full.events_frame([event.signed for event in match.events[-3:]])
    asked = [len(empty.receive(frame).replies) for frame in (claim, claim, early, early, claim, early)]
    assert asked == [1, 0, 1, 0, 0, 0]
    assert empty.receive(full.events_frame([match.events[0].signed])).replies == [empty.have_frame()]


def test_a_frame_of_many_shuffles_is_taken_in_a_little_at_a_time() -> None:
    """Checking a shuffle takes a while: no slice holds more than one of the deck, and nothing is lost."""
    match = rich()
    shuffles = [event.signed for event in match.events if event.kind == "shuffle"][:6]
    others = [event.signed for event in match.events if event.kind != "shuffle"][:20]
    frame = Replica(EventLog(match.setup.genesis)).events_frame([*shuffles, *others])
    slices = list(in_slices(frame))
    assert [signed for part in slices for signed in events_in(part)] == [*shuffles, *others]
    assert len(slices) > len(shuffles)
    for part in slices:
        held = [signed for signed in events_in(part) if signed in shuffles]
        assert len(held) <= 1


def test_what_one_event_sets_free_is_taken_in_a_little_at_a_time() -> None:
    """An author who keeps back one event can have others' shuffles wait for it, and then send it."""
    match = rich()
    kept = next(event for event in match.events if event.kind == "key")
    replica = Replica(EventLog(match.setup.genesis))
    place = match.events.index(kept)
    early = match.events[place + 1 :][:40]
    add(replica, *match.events[:place], *early)
    received = replica.receive(replica.events_frame([kept.signed]))
    parts = [received.added]
    while replica.ready:
        parts.append(replica.release().added)
    assert sum(event.kind == "shuffle" for part in parts for event in part) >= 4
    for part in parts:
        assert sum(len(event.signed.data) for event in part) <= 8192
        assert sum(event.kind == "shuffle" and event.body[1] == WHOLE for event in part) <= 1
    whole = Replica(EventLog(match.setup.genesis))
    add(whole, *match.events[: place + 1], *early)
    assert (replica.log.heads(), replica.waiting) == (whole.log.heads(), whole.waiting)


def test_a_frame_is_checked_as_a_whole_before_any_of_it_is_taken() -> None:
    match = rich()
    good = [tuple(event.signed) for event in match.events if event.kind == "shuffle"][:3]
    with pytest.raises(FrameRejected):
        list(in_slices(pack((EVENTS, match.setup.genesis.match_id, (*good, (b"half",))))))


@pytest.mark.parametrize("kind", ["have", "events", "unknown"])
def test_small_frames_and_other_kinds_stay_as_they_are(kind: str) -> None:
    frame = pack((kind, bytes(32), ()))
    assert list(in_slices(frame)) == [frame]
