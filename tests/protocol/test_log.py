"""The log: links, references, events that come early, and events that contradict each other."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine import SEATS, Seat
from protocol.encoding import Value
from protocol.errors import EventRejected, Fault
from protocol.events import Event, Ref, sign_event
from protocol.limits import MAX_FORKS
from protocol.log import Admission, EventLog, check_vector
from tests.protocol.tables import set_up

SETUP = set_up(0)
MATCH = SETUP.genesis.match_id
NOTHING: tuple[Ref | None, ...] = (None,) * 4


def event(
    seat: Seat, seq: int, prev: bytes = MATCH, refs: tuple[Ref | None, ...] = NOTHING, *body: Value
) -> Event:
    """An event of any kind: the log does not look at bodies."""
    return sign_event(SETUP.identities[seat], MATCH, seat, seq, prev, refs, "kind", body)


def ref(to: Event) -> Ref:
    """The reference to an event."""
    return Ref(to.seq, to.id)


def refs(*events: Event) -> tuple[Ref | None, ...]:
    """References to events, by seat."""
    found = {one.author: ref(one) for one in events}
    return tuple(found.get(seat) for seat in SEATS)


def log_of(*events: Event) -> EventLog:
    """A log with these events, each of which must fit."""
    log = EventLog(SETUP.genesis)
    for one in events:
        assert log.offer(one) is Admission.ADDED
    return log


A0, B0, C0 = event(0, 0), event(1, 0), event(2, 0)
A1 = event(0, 1, A0.id, refs(B0))
A2 = event(0, 2, A1.id, refs(B0))


def test_feeds_grow_by_links() -> None:
    log = log_of(A0, B0, A1)
    assert len(log) == 3
    assert [log.length(seat) for seat in SEATS] == [2, 1, 0, 0]
    assert log.heads() == (ref(A1), ref(B0), None, None)
    assert log.entry(0, 1).id == A1.id
    assert log.entry(0, 1).vector == (1, 0, -1, -1)
    assert [entry.signed for entry in log.entries_from(0, 1)] == [A1.signed]
    with pytest.raises(IndexError):
        log.entry(2, 0)


def test_known_events_change_nothing() -> None:
    log = log_of(A0, B0, A1)
    for one in (A0, B0, A1):
        assert log.offer(one) is Admission.KNOWN
    assert len(log) == 3


def test_a_log_for_checking_keeps_no_bytes() -> None:
    log = EventLog(SETUP.genesis, keep_bytes=False)
    assert log.offer(A0) is Admission.ADDED
    assert log.entry(0, 0).signed is None
    assert log.entry(0, 0).id == A0.id


def test_the_first_event_follows_the_genesis() -> None:
    log = log_of()
    with pytest.raises(EventRejected) as caught:
        log.offer(event(0, 0, A0.id))
    assert caught.value.code == "malformed"
    assert len(log) == 0


def test_another_match() -> None:
    other = set_up(1)
    foreign = sign_event(
        other.identities[0], other.genesis.match_id, 0, 0, other.genesis.match_id, NOTHING, "kind", ()
    )
    with pytest.raises(EventRejected) as caught:
        log_of().offer(foreign)
    assert caught.value.code == "other-match"


def test_early_events_wait_for_their_link_and_their_references() -> None:
    log = log_of(A0)
    assert log.offer(A2) is Admission.EARLY  # its link is missing
    assert log.offer(A1) is Admission.EARLY  # what it refers to is missing
    assert log.offer(B0) is Admission.ADDED
    assert log.offer(A2) is Admission.EARLY
    assert log.offer(A1) is Admission.ADDED
    assert log.offer(A2) is Admission.ADDED


def test_all_orders_of_arrival_give_the_same_log() -> None:
    for order in permutations((A0, B0, A1, A2)):
        log, waiting = EventLog(SETUP.genesis), list(order)
        while waiting:
            one = waiting.pop(0)
            if log.offer(one) is Admission.EARLY:
                waiting.append(one)
        assert log.heads() == (ref(A2), ref(B0), None, None)
        assert not log.forks


@pytest.mark.parametrize("wrong", [Ref(0, b"x" * 32), Ref(7, b"x" * 32)], ids=["other id", "unknown number"])
def test_a_reference_to_what_is_not_here_is_waited_for_and_blames_nobody(wrong: Ref) -> None:
    log = log_of(A0, B0)
    referrer = event(2, 0, MATCH, (None, wrong, None, None))
    assert log.offer(referrer) is Admission.EARLY
    assert log.length(2) == 0
    assert not log.forks


def test_two_events_with_one_number() -> None:
    twin = event(0, 1, A0.id, refs(B0), "twin")
    log = log_of(A0, B0, A1)
    assert log.offer(twin) is Admission.FORK
    (fork,) = log.forks
    assert (fork.author, fork.slot, fork.seq, fork.first, fork.second) == (0, 1, 1, A1.id, twin.id)
    assert log.evidence() == {A1.id: A1.signed, twin.id: twin.signed}
    assert log.head(0) == ref(A1)  # the feed keeps the one that came first
    assert log.offer(twin) is Admission.KNOWN
    assert len(log.forks) == 1


def test_twin_of_an_older_event() -> None:
    twin = event(0, 0, MATCH, NOTHING, "twin")
    log = log_of(A0, B0, A1)
    assert log.offer(twin) is Admission.FORK
    assert log.forks[0].slot == 0


def test_a_twin_is_proof_even_if_its_link_and_references_lead_nowhere() -> None:
    log = log_of(A0, B0, A1)
    assert log.offer(event(0, 1, b"x" * 32, (None, None, Ref(9, b"x" * 32), None))) is Admission.FORK


def test_an_event_that_follows_another_past_is_proof_too() -> None:
    hidden = event(0, 1, A0.id, refs(B0), "hidden")
    after_hidden = event(0, 2, hidden.id, refs(B0))
    log = log_of(A0, B0, A1)
    assert log.offer(after_hidden) is Admission.FORK
    (fork,) = log.forks
    assert (fork.slot, fork.seq, fork.first, fork.second) == (1, 2, A1.id, after_hidden.id)
    assert log.offer(hidden) is Admission.FORK
    assert set(log.evidence()) == {A1.id, after_hidden.id, hidden.id}


def test_a_forged_twin_proves_nothing() -> None:
    twin = sign_event(SETUP.identities[1], MATCH, 0, 0, MATCH, NOTHING, "kind", ("forged",))
    log = log_of(A0)
    with pytest.raises(EventRejected) as caught:
        log.offer(twin)
    assert caught.value.code == "bad-signature"
    assert not log.forks


def test_evidence_is_bounded_for_each_author() -> None:
    log = log_of(A0, B0)
    twins = [event(0, 0, MATCH, NOTHING, number) for number in range(MAX_FORKS + 5)]
    admitted = [log.offer(twin) for twin in twins]
    assert admitted[:MAX_FORKS] == [Admission.FORK] * MAX_FORKS
    lowest = sorted(twin.id for twin in twins)[:MAX_FORKS]
    assert sorted(fork.second for fork in log.forks) == lowest
    assert [log.offer(twin) for twin in twins if twin.id not in lowest] == [Admission.KNOWN] * 5
    assert log.offer(event(1, 0, MATCH, NOTHING, "twin")) is Admission.FORK  # there is room for others


def seen_fault(log: EventLog, one: Event) -> str:
    """The code of the fault in an event's references."""
    assert log.offer(one) is Admission.ADDED
    with pytest.raises(Fault) as caught:
        check_vector(log, one)
    return caught.value.code


def test_references_that_forget_what_the_author_referred_to_before() -> None:
    log = log_of(A0, B0, A1)
    assert seen_fault(log, event(0, 2, A1.id, NOTHING)) == "backdated-refs"


def test_references_that_forget_what_the_seen_events_had_seen() -> None:
    log = log_of(A0, B0, A1, C0)
    # Seat 2 refers to A1, whose author had seen B0, and says that it had not.
    assert seen_fault(log, event(2, 1, C0.id, refs(A1))) == "backdated-refs"


def test_references_to_an_older_event_than_before() -> None:
    b1 = event(1, 1, B0.id)
    a1 = event(0, 1, A0.id, refs(b1))
    log = log_of(A0, B0, b1, a1)
    assert seen_fault(log, event(0, 2, a1.id, refs(B0))) == "backdated-refs"


def test_references_that_stay_or_grow_are_in_order() -> None:
    log = log_of(A0, B0, A1, C0)
    for one in (event(0, 2, A1.id, refs(B0)), event(2, 1, C0.id, refs(A1, B0))):
        assert log.offer(one) is Admission.ADDED
        check_vector(log, one)
