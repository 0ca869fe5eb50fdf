"""Verdicts: one culprit, one fault and the same events at every node and in every audit, in any order."""

from __future__ import annotations

import ast
from itertools import permutations
from pathlib import Path
from random import Random
from typing import cast

import pytest

import protocol
from engine import SEATS, Seat, next_seat
from protocol.bodies import Accept, Discarded, Key, Led, Result
from protocol.encoding import Value
from protocol.events import Event
from protocol.fields import DECK, PARTS_BYTES, STOCK
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import Received, Replica
from protocol.verdict import EQUIVOCATION, Verdict, leading_verdict
from tests.protocol.cheats import Cheat, Scene, before, caught, shares
from tests.protocol.matches import Played, audit, claimed_at_the_end, log_file, rich, short


def at_lead(offset: int = 1) -> Scene:
    """The first lead is due, and a seat some places after the leader is the cheat."""
    count = rich().index("lead")
    return Scene(rich(), count, next_seat(rich().events[count].author, offset))


def admit_all(events: list[Event]) -> Match:
    """A match of the auditor's kind that is offered these events in this order."""
    log = EventLog(rich().setup.genesis, keep_bytes=False)
    match, replica = Match(log), Replica(log)
    for event in events:
        received = Received()
        replica.add(event.signed, received)
        for added in received.added:
            match.admit(added)
        for fork in log.forks[len(log.forks) - len(received.forked) :]:
            match.admit_fork(fork)
    return match


# Faults of any event


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("lead", ()), ("lead", (0, 0, (1,))), ("key", (0, b"", b"")), ("accept", (1,)), ("final", (None,))],
)
def test_malformed_body(kind: str, fields: tuple[Value, ...]) -> None:
    scene = at_lead()
    event = scene.cheat.sign(kind, fields)
    scene.publish(event)
    caught(scene, "malformed-body", event.id)


@pytest.mark.parametrize("kind", ["chat", "leave", "Lead"])
def test_unknown_kind(kind: str) -> None:
    scene = at_lead()
    event = scene.cheat.sign(kind, (1, 2))
    scene.publish(event)
    caught(scene, "unknown-kind", event.id)


@pytest.mark.parametrize("seat", SEATS)
def test_backdated_references(seat: Seat) -> None:
    """To have seen less than one has seen would make moves legal that are not."""
    count = rich().index("lead") + 2
    scene = Scene(rich(), count, seat)
    other = next_seat(seat)
    refs = list(scene.cheat.log.heads())
    refs[other] = None
    event = scene.cheat.say(Led(0, 0, (0,), bytes(96)), refs=refs)
    scene.publish(event)
    caught(scene, "backdated-refs", event.id, explanation=f"seat {other}")


def test_backdated_references_come_before_all_other_faults() -> None:
    scene = at_lead()
    event = scene.cheat.sign("no such kind", (), refs=(None,) * 4)
    scene.publish(event)
    caught(scene, "backdated-refs", event.id)


def test_what_was_done_before_is_not_undone_by_a_fault() -> None:
    scene = at_lead()
    score = scene.honest[next_seat(scene.cheat.seat)].match.steps.copy()
    scene.publish(scene.cheat.sign("no such kind", ()))
    scene.talk()
    for table in scene.honest.values():
        assert table.match.steps == score
        assert table.legal() == []


# Every rule is asked in the causal past of the event alone


def needs(event: Event, other: Event) -> bool:
    """Whether an event of the shared matches is allowed only because of another, by the rules of §7."""
    deal, same = event.body[:1], event.body[:1] == other.body[:1]
    decks = other.kind == "shuffle" and same
    match event.kind:
        case "coin-commit" | "key" if event.kind == "coin-commit" or deal == (0,):
            return other.kind == "accept"
        case "coin-reveal":
            return other.kind == "coin-commit"
        case "shuffle" if event.body[1] == DECK:
            first = deal == (0,) and other.kind == "coin-reveal"
            return first or (other.kind == "key" and same) or (decks and other.body[1] == DECK)
        case "shuffle":
            return (other.kind == "deal" and same) or (decks and other.body[1] == STOCK)
        case "deal":
            return decks and other.body[1] == DECK
        case "lead" if event.body[1] == 0:
            return other.kind == "deal" and same
        case "lead":
            return other.kind == "draw" and same and other.body[1] == cast(int, event.body[1]) - 1
        case "draw":
            plays = other.kind in {"lead", "beat", "discard"} and other.body[:2] == event.body[:2]
            return plays or (decks and other.body[1] == STOCK)
        case "result":
            return other.kind == "open" and same
        case "final":
            return other.kind == "result"
    return False


def unaware(kind: str, needed: str) -> tuple[Played, Event, Event]:
    """A match, an event of a kind in it, and the last of the others' events that it needs."""
    for match in (rich(), short(), claimed_at_the_end()):
        for place, event in enumerate(match.events):
            others = [other for other in match.events[:place] if event.kind == kind and needs(event, other)]
            if others and others[-1].kind == needed and others[-1].author != event.author:
                return match, event, others[-1]
    raise LookupError(f"nowhere is a {needed} the last thing that a {kind} needs")


@pytest.mark.parametrize(
    ("needed", "kind"),
    [
        ("accept", "coin-commit"),
        ("coin-commit", "coin-reveal"),
        ("coin-reveal", "shuffle"),
        ("key", "shuffle"),
        ("shuffle", "shuffle"),
        ("shuffle", "deal"),
        ("deal", "shuffle"),
        ("deal", "lead"),
        ("draw", "lead"),
        ("discard", "draw"),
        ("open", "result"),
        ("result", "final"),
    ],
)
def test_what_its_author_had_not_seen_does_not_exist_for_an_event(needed: str, kind: str) -> None:
    """An event that was right in the match as it went is a fault of one who had not seen what it needs.

    All others have seen it, and judge alike all the same.
    """
    match, event, hidden = unaware(kind, needed)
    scene = Scene(match, match.events.index(hidden) + 1, event.author, hidden)
    again = scene.cheat.sign(event.kind, event.body)
    scene.publish(again)
    caught(scene, "out-of-order", again.id)


def test_opening_without_having_seen_the_last_play() -> None:
    events = rich().events
    count = rich().index("open")
    last = [e for e in events[:count] if e.kind in {"lead", "beat", "discard"}][-1]
    opening = next(e for e in events[count:] if e.kind == "open" and e.author != last.author)
    scene = Scene(rich(), count, opening.author, last)
    again = scene.cheat.sign(opening.kind, opening.body)
    scene.publish(again)
    caught(scene, "out-of-order", again.id)


def test_answer_without_having_seen_the_lead() -> None:
    count = rich().index("lead")
    lead = rich().events[count]
    answer = next(e for e in rich().events[count:] if e.kind in {"beat", "discard"})
    scene = Scene(rich(), rich().events.index(answer), answer.author, lead)
    again = scene.cheat.sign(answer.kind, answer.body)
    scene.publish(again)
    caught(scene, "illegal-play", again.id, explanation="no-such-lead")


# Equivocation


def test_two_events_with_one_number_shown_to_two_halves_of_the_table() -> None:
    scene = at_lead(0)
    trick = scene.cheat.match.current.held(scene.cheat.seat, 0)
    twins = [
        scene.cheat.say(Led(0, 0, (slot,), shares(scene.cheat, 0, (slot,))), keep=False) for slot in trick[:2]
    ]
    left, *right = scene.honest
    scene.publish(twins[0], to=[left])
    scene.publish(twins[1], to=right)
    caught(scene, EQUIVOCATION, *sorted(twin.id for twin in twins))


@pytest.mark.parametrize("seed", range(3))
def test_a_different_event_for_each_of_the_others(seed: int) -> None:
    scene = at_lead(0)
    slots = scene.cheat.match.current.held(scene.cheat.seat, 0)
    twins = [
        scene.cheat.say(Led(0, 0, (slot,), shares(scene.cheat, 0, (slot,))), keep=False) for slot in slots[:3]
    ]
    for twin, seat in zip(twins, scene.honest, strict=True):
        scene.publish(twin, to=[seat])
    scene.talk(seed)
    lowest = tuple(sorted(twin.id for twin in twins)[:2])
    verdict = scene.verdict()
    assert (verdict.culprit, verdict.fault, verdict.events) == (scene.cheat.seat, EQUIVOCATION, lowest)


def test_a_second_past_that_is_continued() -> None:
    """One half of the table sees X; the other sees Y and what follows it."""
    scene = at_lead(0)
    slots = scene.cheat.match.current.held(scene.cheat.seat, 0)
    leads = [Led(0, 0, (slot,), shares(scene.cheat, 0, (slot,))) for slot in slots[:2]]
    first = scene.cheat.say(leads[0], keep=False)
    second = scene.cheat.say(leads[1])
    following = scene.cheat.say(Key(1, bytes(32), bytes(64), bytes(PARTS_BYTES)))
    left, *right = scene.honest
    scene.publish(first, to=[left])
    scene.publish(second, following, to=right)
    caught(scene, EQUIVOCATION, *sorted((first.id, second.id)))


def test_equivocation_counts_before_a_fault_in_one_of_the_two() -> None:
    """Whoever saw the faulty twin first would else name another fault than the others."""
    for order in (0, 1):
        scene = at_lead(0)
        slot = scene.cheat.match.current.held(scene.cheat.seat, 0)[0]
        good = scene.cheat.say(Led(0, 0, (slot,), shares(scene.cheat, 0, (slot,))), keep=False)
        bad = scene.cheat.sign("no such kind", (), keep=False)
        left, *right = scene.honest
        scene.publish((good, bad)[order], to=[left])
        scene.publish((bad, good)[order], to=right)
        caught(scene, EQUIVOCATION, *sorted((good.id, bad.id)))


def test_equivocation_with_the_very_first_event() -> None:
    scene = Scene(rich(), 0, 2)
    twins = [
        scene.cheat.say(Accept(bytes([9]) * 32), keep=False),
        scene.cheat.sign("accept", (0,), keep=False),
    ]
    for seat, twin in zip(scene.honest, (*twins, twins[0]), strict=True):
        scene.publish(twin, to=[seat])
    caught(scene, EQUIVOCATION, *sorted(twin.id for twin in twins))


def test_equivocation_of_a_past_event_while_the_match_goes_on() -> None:
    count = rich().index("result")
    scene = Scene(rich(), count, 0)
    past = next(event for event in rich().events if event.author == 0 and event.kind == "coin-commit")
    cheat = Cheat(rich(), 0)
    cheat.take(event.signed for event in rich().events[: rich().events.index(past)])
    twin = cheat.sign("coin-commit", (b"c" * 32,), keep=False)
    scene.publish(twin)
    caught(scene, EQUIVOCATION, *sorted((past.id, twin.id)))


def test_every_order_of_arrival_names_the_same_pair() -> None:
    scene = at_lead(0)
    slots = scene.cheat.match.current.held(scene.cheat.seat, 0)
    twins = [
        scene.cheat.say(Led(0, 0, (slot,), shares(scene.cheat, 0, (slot,))), keep=False) for slot in slots[:3]
    ]
    past = list(rich().events[: rich().index("lead")])
    verdicts = {_essence(admit_all([*past, *order]).verdict) for order in permutations(twins)}
    assert verdicts == {(scene.cheat.seat, EQUIVOCATION, tuple(sorted(twin.id for twin in twins)[:2]))}


def _essence(verdict: Verdict | None) -> tuple[Seat, str, tuple[bytes, ...]]:
    assert verdict is not None
    return verdict.culprit, verdict.fault, verdict.events


# Several faults, and what the others were doing


@pytest.mark.parametrize("seed", range(4))
def test_honest_plays_made_meanwhile_accuse_nobody(seed: int) -> None:
    """The leader leads and the next seat answers, while the faulty event is still on its way."""
    scene = at_lead(2)
    leader = rich().events[rich().index("lead")].author
    fault = scene.cheat.say(Discarded(0, 0, leader, 4, bytes(32)))
    rng = Random(seed)
    for seat in (leader, next_seat(leader)):
        table = scene.honest[seat]
        effects = table.play(rng.choice(table.legal()))
        scene.perform(seat, effects)
        lead = table.log.entries_from(seat, 0)[-1].signed
        assert lead is not None
        for other in scene.honest.values():
            if other is not table:
                other.receive(b"a peer", Replica(table.log).events_frame([lead]))
    scene.publish(fault)
    caught(scene, "illegal-play", fault.id)


def test_a_fault_once_seen_stops_the_judging_of_what_follows() -> None:
    """What others sign after having seen a fault is not judged: the match had stopped for them."""
    scene = at_lead()
    fault = scene.cheat.sign("no such kind", ())
    later = scene.cheat.sign("another", ())
    other = Cheat(rich(), next_seat(scene.cheat.seat))
    other.take(event.signed for event in rich().events[: rich().index("lead")])
    other.take([fault.signed])
    follows = other.sign("also no kind", ())
    match = admit_all([*rich().events[: rich().index("lead")], fault, follows, later])
    assert [verdict.events for verdict in match.verdicts] == [(fault.id,)]


def test_two_faults_apart_from_each_other_have_one_order() -> None:
    past = list(rich().events[: rich().index("lead")])
    cheats = [Cheat(rich(), seat) for seat in SEATS]
    for cheat in cheats:
        cheat.take(event.signed for event in past)
    faults = [cheat.sign("no such kind", ()) for cheat in cheats]
    leading = {_essence(admit_all([*past, *order]).verdict) for order in permutations(faults)}
    assert len(leading) == 1
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        found = audit(
            log_file(rich().setup.genesis, [e.signed for e in (*past, *(faults[i] for i in order))])
        )
        assert _essence(found.verdict) in leading


def test_the_earlier_fault_counts() -> None:
    """An accomplice who errs later, without having seen the first fault, does not take the blame."""
    past = list(rich().events[: rich().index("lead") + 3])
    first = next(seat for seat in SEATS if seat not in {event.author for event in past[-3:]})
    early, late = Cheat(rich(), first), Cheat(rich(), next_seat(first))
    early.take(event.signed for event in past[:-3])
    late.take(event.signed for event in past)
    faults = [early.sign("no such kind", ()), late.sign("no such kind", ())]
    assert sum(faults[0].vector) < sum(faults[1].vector)
    for order in permutations(faults):
        assert _essence(admit_all([*past, *order]).verdict)[0] == first


def test_leading_verdict_of_none() -> None:
    assert leading_verdict([]) is None


def test_no_verdict_in_an_honest_match() -> None:
    match = admit_all(list(rich().events))
    assert match.verdicts == []
    assert match.whole


# The codes


def fault_codes() -> set[str]:
    """Every code with which the protocol can convict somebody, read from its source."""
    codes = {EQUIVOCATION}
    for path in Path(protocol.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                if node.func.id in {"Fault", "blamed_as"} and isinstance(first, ast.Constant):
                    codes.add(str(first.value))
    return codes


def test_every_fault_code_is_committed_by_somebody_in_these_tests() -> None:
    here = Path(__file__).parent
    sources = [Path(__file__), *(here / "rules").glob("test_*.py")]
    convictions = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    codes = fault_codes()
    assert len(codes) >= 20
    missing = {code for code in codes - {EQUIVOCATION} if f'(scene, "{code}"' not in convictions}
    # A finished trick is refused by the engine before it comes to that; see `test_play_in_a_finished_trick`.
    assert missing == set()


def test_events_outside_their_time_share_one_sentence() -> None:
    """What exactly is missing depends on what a node knows; the verdict must not."""
    scene, _ = before("shuffle")
    event = scene.cheat.say(Result(0, bytes(32)))
    scene.publish(event)
    scene.talk()
    assert scene.verdict().explanation == "something that has to come before it was not there yet"
