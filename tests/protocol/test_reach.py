"""Partial truth: a log with a hole, or of one player alone, is followed as far as it goes, and says so."""

from __future__ import annotations

import io
from itertools import permutations

import pytest

from engine import SEATS, Seat
from protocol import replica
from protocol.audit import Audit, Finding, audit_logs
from protocol.checks import Check
from protocol.events import Event
from protocol.verdict import EQUIVOCATION
from tests.protocol.cheats import Cheat, told_twice
from tests.protocol.matches import Played, audit, log_file, rich, short


def written(match: Played, events: list[Event]) -> bytes:
    return log_file(match.setup.genesis, [event.signed for event in events])


def together(*logs: bytes) -> Audit:
    return audit_logs([io.BytesIO(log) for log in logs])


def feeds(match: Played, *seats: Seat) -> list[Event]:
    return [event for event in match.events if event.author in seats]


def numbers(events: list[Event], seat: Seat) -> int:
    return sum(event.author == seat for event in events)


@pytest.mark.parametrize("seat", SEATS)
def test_of_one_feed_alone_every_event_is_accounted_for(seat: Seat) -> None:
    match = rich()
    found = audit(written(match, feeds(match, seat)))
    own = numbers(list(match.events), seat)
    assert (found.finding, found.verdict) == (Finding.DAMAGED, None)
    for reach in found.reach:
        if reach.seat == seat:
            # Its acceptance builds on nothing; everything after that refers to the others.
            assert (reach.judged, reach.unjudged, reach.length) == (1, own - 1, own)
            assert (reach.first_missing, reach.missing) == (None, 0)
        else:
            named = max(event.vector[reach.seat] for event in feeds(match, seat)) + 1
            assert (reach.judged, reach.unjudged, reach.length) == (0, 0, named)
            assert (reach.first_missing, reach.missing) == (0, named)
    assert [(problem.code, problem.count) for problem in found.problems] == [("missing", own - 1)]


@pytest.fixture(params=[256, 16], ids=["room for all", "room for few"])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many events may wait for others: there may be more of them than that."""
    room: int = request.param
    monkeypatch.setattr(replica, "MAX_PENDING_EVENTS", room)
    return room


@pytest.mark.parametrize("place", [5, 40, 120, 200])
def test_a_hole_is_named_and_nothing_that_builds_on_it_is_judged(place: int, room: int) -> None:
    match = rich()
    lost = match.events[place]
    rest = [event for event in match.events if event is not lost]
    found = audit(written(match, rest))
    assert (found.finding, found.verdict) == (Finding.DAMAGED, None)
    after = [event for event in rest if event.saw(lost.position)]
    assert len(after) > 16
    assert found.events == len(rest) - len(after)
    assert found.missing == len(after)
    for reach in found.reach:
        author = reach.seat
        assert reach.judged == numbers(rest, author) - numbers(after, author)
        assert reach.unjudged == numbers(after, author)
        assert reach.length == numbers(list(match.events), author)
        assert reach.first_missing == (lost.seq if author == lost.author else None)
        assert not reach.other_versions


def test_a_whole_log_has_no_hole() -> None:
    found = audit(rich().file())
    assert [(reach.judged, reach.unjudged, reach.missing) for reach in found.reach] == [
        (numbers(list(rich().events), seat), 0, 0) for seat in SEATS
    ]
    assert found.missing == 0


def test_two_halves_make_a_whole_in_either_order(room: int) -> None:
    match = rich()
    halves = [written(match, feeds(match, 0, 2)), written(match, feeds(match, 1, 3))]
    for logs in permutations(halves):
        found = together(*logs)
        assert (found.finding, found.problems) == (Finding.FAIR, [])
        assert found.events == len(match.events)
        assert sum(contents.alone for contents in found.contents) == len(match.events)
        assert sum(contents.events for contents in found.contents) == len(match.events)
    assert all(audit(half).finding is Finding.DAMAGED for half in halves)


def test_what_one_log_has_lost_the_other_one_holds(room: int) -> None:
    """Each lacks another part of the middle, and one lacks the end too."""
    match = rich()
    events = list(match.events)
    first = events[:50] + events[90 : len(events) - 60]
    second = events[:120] + events[150:]
    found = together(written(match, first), written(match, second))
    assert (found.finding, found.problems, found.events) == (Finding.FAIR, [], len(events))
    assert [(each.events, each.alone) for each in found.contents] == [(len(first), 30), (len(second), 100)]


def test_four_single_feeds_are_the_match(room: int) -> None:
    match = short()
    found = together(*(written(match, feeds(match, seat)) for seat in SEATS))
    assert (found.finding, found.events) == (Finding.FAIR, len(match.events))


def test_equal_logs_add_nothing_to_each_other() -> None:
    match = short()
    found = together(match.file(), match.file())
    assert found.finding is Finding.FAIR
    assert [(each.events, each.alone) for each in found.contents] == [(len(match.events), 0)] * 2
    alone = audit(match.file())
    assert alone.match is not None
    assert found.match is not None
    assert found.match.checks == alone.match.checks


def test_a_damaged_copy_does_not_spoil_the_other_but_is_said_to_be_damaged() -> None:
    match = short()
    found = together(match.file()[:-7], match.file())
    assert found.events == len(match.events)
    assert found.match is not None
    assert found.match.whole
    assert [(problem.code, problem.source) for problem in found.problems] == [("truncated", 0)]


def test_logs_of_two_matches_do_not_mix() -> None:
    found = together(short().file(), rich().file(), b"something else")
    assert found.events == len(short().events)
    assert found.verdict is None
    assert [(problem.code, problem.source) for problem in found.problems] == [
        ("other-match", 1),
        ("foreign", 2),
    ]


def two_stories() -> tuple[Played, Event, Event, list[Event], list[Event]]:
    """A seat leads one thing to some and another thing to others, who each answer and write a log."""
    match = rich()
    count, honest, twin = told_twice(match)
    return match, honest, twin, list(match.events[: count + 1]), [*match.events[:count], twin]


def test_an_equivocation_that_only_two_logs_together_show() -> None:
    match, honest, twin, one, other = two_stories()
    assert audit(written(match, one)).verdict is None
    for logs in permutations([written(match, one), written(match, other)]):
        found = together(*logs)
        assert found.finding is Finding.CHEAT
        assert found.verdict is not None
        assert (found.verdict.culprit, found.verdict.fault) == (honest.author, EQUIVOCATION)
        assert found.verdict.events == tuple(sorted((honest.id, twin.id)))
        assert found.match is not None
        assert {verdict.culprit for verdict in found.match.verdicts} == {honest.author}


def test_a_reference_to_another_version_is_told_and_accuses_nobody() -> None:
    """Somebody answers what the twin shows, which is not in this log: one file alone proves nothing."""
    match, honest, twin, one, _ = two_stories()
    deceived = Cheat(match, (honest.author + 1) % 4)
    deceived.take(event.signed for event in match.events[: len(one) - 1])
    deceived.take([twin.signed])
    answer = deceived.sign("discard", ())
    found = audit(written(match, [*one, answer]))
    assert (found.finding, found.verdict) == (Finding.DAMAGED, None)
    assert found.reach[honest.author].other_versions == (honest.seq,)
    assert found.reach[answer.author].unjudged == 1
    assert found.reach[answer.author].first_missing is None


def test_checks_are_counted_one_by_one() -> None:
    """The figures of a match follow from its events, whoever judges it."""
    match = rich()
    found = audit(match.file())
    assert found.match is not None
    checks, kinds = found.match.checks, [event.kind for event in match.events]
    shown = [event for event in match.events if event.kind in ("lead", "molodka", "beat")]
    assert checks[Check.SIGNATURES] == len(match.events)
    named = sum(ref is not None for event in match.events for ref in event.refs)
    assert checks[Check.LINKS] == len(match.events) + named
    assert checks[Check.SHUFFLES] == kinds.count("shuffle") == len(found.shuffles)
    assert checks[Check.PLAYS] == len(shown) + kinds.count("discard")
    draws = sum(len(event.body[2]) // 96 for event in match.events if event.kind == "draw")  # type: ignore[arg-type, misc]
    cards = sum(len(event.body[-2]) for event in shown)  # type: ignore[arg-type, misc]
    assert checks[Check.SHARES] == 13 * kinds.count("deal") + draws + cards
    assert checks[Check.KEYS] == kinds.count("key") + kinds.count("open")
    opened = sum(len(event.body[2]) for event in match.events if event.kind == "open")  # type: ignore[arg-type, misc]
    assert checks[Check.COMMITMENTS] == opened + 4
    assert checks[Check.RESULTS] == kinds.count("result") + 4
    assert dict(found.match.checks) == dict(match.tables[0].match.checks)
