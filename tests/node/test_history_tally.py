"""The figures of a player, computed by hand, and that nothing counts twice."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine import SEATS, Seat
from node.history.figures import Figures, LeftOut, Result, Together
from node.history.outcome import DealOutcome, Outcome, Person
from node.history.tally import Dated, tally, why_left_out
from protocol.audit import Finding
from tests.node.kept_logs import outcome
from tests.protocol.matches import rich, short

ME, RIGHT, PARTNER, LEFT, OTHER = (bytes([n]) * 32 for n in range(5))
NAMES = {ME: "Me", RIGHT: "Right", PARTNER: "Partner", LEFT: "Left", OTHER: "Other"}


def deal(own: int, given: int, taken: int) -> DealOutcome:
    """A deal in which team 0 has so many card points; seat 0 takes a trick and leads a molodka in vain."""
    return DealOutcome((own, 120 - own), (taken, given), own == 60, (1, 2, 1, 2), (1, 0, 0, 0), (0, 0, 0, 0))


def match(
    name: str,
    *,
    goat: int | None = None,
    previous: str | None = None,
    deals: Iterable[DealOutcome] = (),
    people: tuple[bytes, ...] = (ME, RIGHT, PARTNER, LEFT),
    culprit: Seat | None = None,
    eggs: int = 0,
) -> Outcome:
    finding = (
        Finding.CHEAT if culprit is not None else Finding.FAIR if goat is not None else Finding.INCOMPLETE
    )
    return Outcome(
        match_id=id_of(name),
        finding=finding,
        people=tuple(Person(key, NAMES[key]) for key in people),
        for_show=False,
        previous=id_of(previous) if previous else None,
        begun=True,
        events=100,
        score=(0, 0),
        eggs=eggs,
        goat=goat,
        culprit=culprit,
        fault=None if culprit is None else "bad-share",
        deals=tuple(deals),
    )


def id_of(name: str) -> bytes:
    return name.encode().ljust(32, b"\0")


def figures(*outcomes: Outcome, key: bytes = ME) -> Figures:
    """The figures, which are the same in whatever order the logs are found."""
    found = [Dated(one, float(number)) for number, one in enumerate(outcomes)]
    everything = [tally(order, key) for order in itertools.permutations(found)]
    assert all(one == everything[0] for one in everything)
    return everything[0]


def test_the_figures_of_two_real_matches_are_those_that_were_counted_by_hand() -> None:
    """Seat 0 lost the short match 0:120, without a trick, and won the other with 67, 23 and 112 points."""
    real = [Dated(outcome(short()), 1.0), Dated(outcome(rich()), 2.0)]
    roster = short().setup.genesis.roster
    found = tally(real, roster[0].identity)
    assert found == Figures(
        won=1,
        lost=1,
        goats_given=1,
        goats_suffered=1,
        deals_won=2,
        deals_lost=2,
        points=0 + 67 + 23 + 112,
        points_of_others=120 + 53 + 97 + 8,
        defeat_points_given=2 + 0 + 4,
        defeat_points_taken=6 + 0 + 4 + 0,
        tricks=0 + 3 + 1 + 0,
        tricks_of_team=0 + 4 + 2 + 5,
        longest_wins=1,
        longest_losses=1,
        partners=found.partners,
        opponents=found.opponents,
        course=found.course,
    )
    assert found.partners == (Together(roster[2].identity, "Player 2", 2, 1, 1),)
    assert {(one.name, one.matches, one.won, one.lost) for one in found.opponents} == {
        ("Player 1", 2, 1, 1),
        ("Player 3", 2, 1, 1),
    }
    assert [(turn.result, turn.given, turn.taken) for turn in found.course] == [
        (Result.LOST, 0, 6),
        (Result.WON, 6, 4),
    ]
    assert [
        (one.molodkas, one.molodkas_won) for one in (tally(real, roster[seat].identity) for seat in SEATS)
    ] == [
        (0, 0),
        (2, 2),
        (1, 1),
        (0, 0),
    ]


def test_what_one_wins_the_others_lose() -> None:
    played = (match("a", goat=1, deals=[deal(90, 4, 0)]), match("b", goat=0, eggs=1, deals=[deal(60, 0, 0)]))
    mine, theirs = figures(*played), figures(*played, key=LEFT)
    assert (mine.won, mine.lost, mine.matches) == (theirs.lost, theirs.won, theirs.matches) == (1, 1, 2)
    assert (mine.goats_given, mine.goats_given_with_eggs) == (1, 0)
    assert (mine.goats_suffered, mine.goats_suffered_with_eggs) == (1, 1)
    assert (theirs.goats_given, theirs.goats_given_with_eggs) == (1, 1)
    assert (mine.deals_won, mine.deals_eggs, mine.deals) == (1, 1, 2)
    assert (mine.molodkas, mine.molodkas_won, theirs.molodkas) == (2, 0, 0)
    assert (theirs.tricks, theirs.tricks_of_team) == (4, 8)


def test_a_match_that_was_broken_off_counts_its_deals_and_is_not_won() -> None:
    found = figures(match("a", deals=[deal(90, 4, 0), deal(70, 2, 0)]))
    assert (found.won, found.lost, found.unfinished, found.deals) == (0, 0, 1, 2)
    assert found.defeat_points_given == 6
    assert found.goats_given == 0
    assert found.partners == (Together(PARTNER, "Partner", 1, 0, 0),)


@pytest.mark.parametrize(("culprit", "won"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_a_proven_cheat_forfeits_the_match_of_its_team(culprit: Seat, won: int) -> None:
    """Whoever was winning, and even if the match had been played to its end; it makes no goat."""
    for goat in (None, 0, 1):
        found = figures(match("a", goat=goat, culprit=culprit, deals=[deal(90, 4, 0)]))
        assert (found.won, found.won_by_cheat) == (won, won)
        assert (found.lost, found.lost_by_cheat) == (1 - won, 1 - won)
        assert (found.goats_given, found.goats_suffered, found.deals) == (0, 0, 1)


def test_two_logs_of_one_match_are_one_match_and_the_one_that_tells_most_counts() -> None:
    half = match("a", deals=[deal(90, 4, 0)])
    whole = match("a", goat=1, deals=[deal(90, 4, 0), deal(90, 4, 0)])
    longer = replace(half, events=half.events + 1, deals=(*half.deals, *half.deals))
    cheat = match("a", culprit=3)
    damaged = replace(whole, finding=Finding.DAMAGED, events=999)
    assert figures(half, whole) == figures(whole, half) != figures(half)
    assert figures(half, half).deals == 1
    assert figures(half, longer).deals == 2
    assert figures(whole, longer).won == 1
    assert figures(cheat, whole).won_by_cheat == 1
    assert figures(damaged, half).unfinished == 1


def test_the_earliest_date_of_a_match_counts() -> None:
    one = match("a", goat=1)
    assert tally([Dated(one, None), Dated(one, 7.0)], ME).course[0].created == 7.0
    assert tally([Dated(one, None)], ME).course == ()
    assert tally([Dated(one, None)], ME).won == 1


def test_a_match_that_goes_on_with_somebody_else_is_one_match() -> None:
    """Left is replaced, then Partner is: three logs, one match, won with the partner who was there then."""
    first = match("a", deals=[deal(50, 0, 2)])
    second = match("b", previous="a", people=(ME, RIGHT, PARTNER, OTHER), deals=[deal(90, 4, 0)])
    third = match("c", previous="b", people=(ME, RIGHT, LEFT, OTHER), goat=1, deals=[deal(80, 2, 0)])
    found = figures(first, second, third)
    assert (found.matches, found.won, found.unfinished, found.deals) == (1, 1, 0, 3)
    assert (found.defeat_points_given, found.defeat_points_taken) == (6, 2)
    assert found.partners == (Together(LEFT, "Left", 1, 1, 0), Together(PARTNER, "Partner", 1, 0, 0))
    assert {(one.name, one.matches, one.won) for one in found.opponents} == {
        ("Right", 1, 1),
        ("Other", 1, 1),
        ("Left", 1, 0),
    }
    (turn,) = found.course
    assert (turn.match_id, turn.given, turn.taken) == (id_of("a"), 6, 2)


def test_who_was_replaced_has_a_match_that_was_broken_off_and_the_newcomer_one_that_was_won() -> None:
    logs = (
        match("a", deals=[deal(50, 0, 2)]),
        match("b", previous="a", people=(ME, RIGHT, OTHER, LEFT), goat=1, deals=[deal(90, 4, 0)]),
    )
    gone, new = figures(*logs, key=PARTNER), figures(*logs, key=OTHER)
    assert (gone.matches, gone.unfinished, gone.deals) == (1, 1, 1)
    assert (new.matches, new.won, new.deals) == (1, 1, 1)


def test_links_join_although_one_between_them_is_not_here_or_damaged() -> None:
    first, last = match("a", deals=[deal(90, 4, 0)]), match("c", previous="b", goat=1)
    between = replace(match("b", previous="a"), finding=Finding.DAMAGED)
    assert figures(first, between, last).matches == 1
    assert figures(match("b", previous="a"), match("c", previous="a", goat=1)).matches == 1
    assert figures(first, last).matches == 2  # Nothing here tells that they belong together.


def test_a_cheat_in_any_link_decides_the_match() -> None:
    first = match("a", culprit=1, deals=[deal(90, 4, 0)])
    second = match("b", previous="a", goat=0)
    found = figures(first, second)
    assert (found.matches, found.won_by_cheat, found.lost) == (1, 1, 0)


def test_the_next_match_at_the_same_table_is_another_one() -> None:
    """Its genesis names the match before too (R22), but without a standing."""
    assert figures(match("a", goat=1), match("b", goat=1)).won == 2


def test_rows_of_wins_and_losses_are_of_matches_in_the_order_in_which_they_were_begun() -> None:
    course = "WWLLLxLWWW"
    goats = {"W": 1, "L": 0, "x": None}
    outcomes = [Dated(match(f"m{n}", goat=goats[one]), float(n)) for n, one in enumerate(course)]
    found = tally(reversed(outcomes), ME)
    assert (found.longest_wins, found.longest_losses, found.unfinished) == (3, 4, 1)


def test_what_does_not_count_has_a_reason_and_changes_nothing() -> None:
    one = match("a", goat=1)
    reasons = {
        LeftOut.STRANGER: replace(
            one, people=tuple(Person(key, "?") for key in (OTHER, RIGHT, PARTNER, LEFT))
        ),
        LeftOut.FOR_SHOW: replace(one, for_show=True),
        LeftOut.NOT_BEGUN: replace(one, begun=False),
        LeftOut.DAMAGED: replace(one, finding=Finding.DAMAGED),
    }
    for reason, outcome_left_out in reasons.items():
        assert why_left_out(outcome_left_out, ME) is reason
        assert figures(outcome_left_out) == Figures()
    assert why_left_out(one, ME) is None


def test_an_outcome_is_kept_as_json_without_loss() -> None:
    for one in (outcome(rich()), match("b", previous="a", culprit=2), match("c", goat=0)):
        assert Outcome.from_json(json.loads(json.dumps(one.as_json()))) == one
