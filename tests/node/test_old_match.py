"""When a match rests so that it can be gone on with, and what may change then (§7.13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine import Eggs, Options, Standing
from node.errors import CannotGoOn
from node.seating.going_on import GoingOn, check_next_genesis, decode_going_on
from node.seating.old_match import standing_after
from protocol.bodies import Result
from protocol.encoding import Value
from protocol.errors import FrameRejected
from protocol.events import Event
from protocol.genesis import Genesis, Member
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import Received, Replica
from tests.protocol.cheats import Cheat
from tests.protocol.losing import at_random_moment, play_without
from tests.protocol.matches import played

MATCH = played(1)


@cache
def judged(count: int) -> Match:
    """The match after so many events."""
    log = EventLog(MATCH.setup.genesis)
    match, replica = Match(log), Replica(log)
    received = Received()
    for event in MATCH.events[:count]:
        replica.add(event.signed, received)
    for event in received.added:
        match.admit(event)
    return match


def until(condition: Callable[[Event], bool]) -> Match:
    """The match just before the first such event."""
    return judged(next(place for place, event in enumerate(MATCH.events) if condition(event)))


@cache
def resting() -> Match:
    """Between the first two deals."""
    return until(lambda event: event.kind == "result" and event.seq > 0)


def test_between_two_deals_it_stands_as_the_last_one_left_it() -> None:
    match = resting()
    deal = match.finished[0]
    defeats, leader = deal["defeat_points"], match.settled.leader
    assert defeats is not None
    assert standing_after(match) == Standing(
        (defeats[0], defeats[1]), int(bool(deal["eggs"])), False, deal["dealer"], leader or 0
    )


def test_before_its_first_deal_a_match_stands_as_the_one_that_it_goes_on_with() -> None:
    standing = Standing((4, 2), 1, False, 3, 1)
    genesis = replace(MATCH.setup.genesis, previous=bytes(32), standing=standing)
    assert standing_after(Match(EventLog(genesis))) == standing


def test_after_a_deal_that_was_played_without_somebody_the_three_agree() -> None:
    """The log of who is gone ends in that deal, and does not allow to go on."""
    network, gone = at_random_moment(500)
    play_without(network, Random(500))
    network.step()
    three = [standing_after(network.tables[seat].match) for seat in network.others]
    assert three == three[:1] * 3
    with pytest.raises(CannotGoOn, match="is under way"):
        standing_after(network.tables[gone].match)


def cheated() -> Match:
    place = next(n for n, event in enumerate(MATCH.events) if event.kind == "result" and event.author == 2)
    cheat = Cheat(MATCH, 2)
    cheat.take(event.signed for event in MATCH.events[:place])
    cheat.match.admit(cheat.say(Result(0, bytes(32))))
    return cheat.match


REFUSED: dict[str, tuple[Callable[[], Match], str]] = {
    "over": (lambda: judged(len(MATCH.events)), "is over"),
    "in its first deal": (lambda: until(lambda event: event.kind == "lead"), "is under way"),
    "in a later deal": (
        lambda: judged(1 + max(place for place, event in enumerate(MATCH.events) if event.kind == "lead")),
        "is under way",
    ),
    "before its first deal": (lambda: judged(4), "No deal of this match was finished"),
    "ended by a proven cheat": (cheated, "a cheat is proven"),
}


@pytest.mark.parametrize("when", REFUSED)
def test_at_any_other_time_it_cannot_be_gone_on_with(when: str) -> None:
    match, words = REFUSED[when]
    with pytest.raises(CannotGoOn, match=words):
        standing_after(match())


# What a host says of it


STANDING = Standing((4, 2), 1, False, 3, 1)
GOING_ON = GoingOn(MATCH.setup.genesis, STANDING)
ROSTER = GOING_ON.genesis.roster
NEW = Member(b"z" * 32, b"y" * 32, "Zoya")


def after(roster: tuple[Member, ...] = ROSTER) -> Genesis:
    """A proposal that goes on with that match."""
    return replace(GOING_ON.genesis, roster=roster, previous=GOING_ON.previous, standing=STANDING)


def test_what_was_written_is_read_again() -> None:
    assert decode_going_on(GOING_ON.value()) == GOING_ON
    assert decode_going_on(None) is None


GENESIS = GOING_ON.genesis.encode()
SCORE = (4, 2)


@pytest.mark.parametrize(
    "value",
    [
        True,
        (),
        (GENESIS,),
        (b"no genesis", (SCORE, 1, False, 3, 1)),
        ("text", (SCORE, 1, False, 3, 1)),
        (GENESIS, None),
        (GENESIS, (SCORE, 1, False, 3)),
        (GENESIS, ((4,), 1, False, 3, 1)),
        (GENESIS, ((4, "2"), 1, False, 3, 1)),
        (GENESIS, (SCORE, True, False, 3, 1)),
        (GENESIS, (SCORE, 1, 0, 3, 1)),
        (GENESIS, (SCORE, 1, True, 3, 1)),
        (GENESIS, (SCORE, 1, False, 4, 1)),
        (GENESIS, (SCORE, 1, False, 3, -1)),
        (GENESIS, ((12, 2), 1, False, 3, 1)),
        (GENESIS, ((-1, 2), 1, False, 3, 1)),
    ],
)
def test_nothing_else_is_read(value: Value) -> None:
    with pytest.raises(FrameRejected):
        decode_going_on(value)


@pytest.mark.parametrize("seat", range(4))
def test_one_seat_or_none_may_change_its_owner(seat: int) -> None:
    changed = after((*ROSTER[:seat], NEW, *ROSTER[seat + 1 :]))
    assert GOING_ON.replaced(changed) == (seat,)
    assert GOING_ON.replaced(after()) == ()
    for reader in (*ROSTER[:seat], NEW, *ROSTER[seat + 1 :]):
        check_next_genesis(GOING_ON, changed, reader.identity)
        check_next_genesis(GOING_ON, after(), reader.identity)


OTHER = {
    "another standing": (replace(after(), standing=replace(STANDING, score=(2, 4))), "something else"),
    "no standing": (replace(after(), standing=None, first_leader=1), "something else"),
    "another match": (replace(after(), previous=bytes(32)), "something else"),
    "another target": (replace(after(), options=Options(target=24)), "other options"),
    "other eggs": (replace(after(), options=Options(eggs=Eggs.DOUBLE)), "other options"),
    "another time to wait": (replace(after(), grace=10), "other options"),
    "a match for show": (replace(after(), for_show=True), "other options"),
    "two new players": (
        after((ROSTER[0], NEW, replace(NEW, identity=b"q" * 32), ROSTER[3])),
        r"more than one seat \(Player 1, Player 2\)",
    ),
    "seats that are exchanged": (after((ROSTER[0], ROSTER[2], ROSTER[1], ROSTER[3])), "more than one seat"),
    "the own seat for somebody else": (after((NEW, *ROSTER[1:])), "another seat than you had"),
}


@pytest.mark.parametrize("what", OTHER)
def test_everything_else_is_refused_in_words(what: str) -> None:
    genesis, words = OTHER[what]
    with pytest.raises(CannotGoOn, match=words):
        check_next_genesis(GOING_ON, genesis, ROSTER[0].identity)
