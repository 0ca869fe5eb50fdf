"""Whole matches of four tables on bad networks: one state, one record, one score, and nobody is accused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    SEATS,
    Action,
    Eggs,
    Molodka,
    MolodkaRule,
    Options,
    Phase,
    Seat,
    distance,
    next_seat,
    player_view,
    replay_record,
)
from protocol.audit import Finding, match_summary
from protocol.bodies import Claimed, Discarded, Opened, parse_body
from protocol.events import Event
from protocol.log import Admission, EventLog
from protocol.match import Match
from tests.protocol.matches import Played, audit, finish, full_state, keep, log_file, played, rich
from tests.protocol.tables import Network, Policy, any_play, greedy, hoard, set_up

DOUBLE_EGGS = 321
"""A deal of this seed's match ends 60-60, and it is not the last one."""


def check_views(network_or_match: Network | Played) -> None:
    """Each seat sees exactly what the engine would show it of the match with everything open."""
    for seat, table in enumerate(network_or_match.tables):
        assert player_view(full_state(network_or_match.setup, table.match), seat) == table.state
        assert player_view(full_state(network_or_match.setup, table.match), None) == table.match.state


def check_whole(match: Played) -> None:
    """All that must hold of any match that was played to its end."""
    first, *others = match.tables
    for table in match.tables:
        assert table.finished
        assert table.verdict is None
        assert not table.log.forks
        assert table.match.whole
    for table in others:
        assert table.match.state == first.match.state
        assert table.match.finished == first.match.finished
        assert table.log.heads() == first.log.heads()
    check_views(match)
    for seat in SEATS:
        found = audit(log_file(match.setup.genesis, match.disks[seat]))
        assert (found.finding, found.problems) == (Finding.FAIR, [])
        assert found.match is not None
        assert found.match.state == first.match.state
    summary = json.loads(json.dumps(match_summary(first.match)))
    state = replay_record(summary)
    assert state.score == first.match.state.score
    assert (state.goat, state.eggs, state.phase) == (
        first.match.state.goat,
        first.match.state.eggs,
        Phase.MATCH_OVER,
    )
    assert [result.points for result in state.results] == [tuple(deal["points"]) for deal in summary["deals"]]
    check_secrets_of_returned_discards(match)


def check_secrets_of_returned_discards(match: Played) -> None:
    """A discard that went back is never opened (R14): neither its salt nor its cards are in the log."""
    salts = {
        salt
        for event in match.events
        if isinstance(body := parse_body(event.kind, event.body), Opened)
        for _, salt, _ in body.discards
    }
    for event in match.events:
        body = parse_body(event.kind, event.body)
        if isinstance(body, Discarded):
            trick = match.tables[0].match.finished[body.deal]["tricks"][body.trick]
            standing = next(play["seat"] for play in trick["plays"] if not play["returned"])
            salt = match.setup.keyring(event.author).salt(body.deal, body.trick, body.on)
            assert (salt in salts) == (body.on == standing)
    for deal in match.tables[0].match.finished:
        plays = [play for trick in deal["tricks"] for play in trick["plays"] if play["action"] == "discard"]
        assert all((play["cards"] is None) == play["returned"] for play in plays)


@pytest.mark.parametrize(
    ("seed", "policy", "loss", "repeat"),
    [(101, any_play, 0.1, 0.1), (102, hoard, 0.3, 0.3), (103, greedy, 0.0, 0.5), (104, hoard, 0.5, 0.0)],
)
def test_bad_networks(seed: int, policy: Policy, loss: float, repeat: float) -> None:
    network = Network(set_up(seed), seed, policy=policy, loss=loss, repeat=repeat)
    network.start()
    check_whole(finish(network))


def test_views_are_right_at_every_rest() -> None:
    """After every play, once all have heard of it, nobody knows more or less than they should."""
    network = Network(set_up(12), 12, policy=hoard, loss=0, repeat=0)
    network.start()
    network.settle()
    while not network.tables[0].match.finished:
        network.play(network.players.choice([s for s in SEATS if network.tables[s].legal()]))
        network.settle()
        check_views(network)
        assert len({table.match.state for table in network.tables}) == 1


def test_the_shared_match() -> None:
    match = rich()
    check_whole(match)
    deals = match.tables[0].match.finished
    assert len(deals) == 3
    returned = [play["action"] for play in deals[0]["tricks"][3]["plays"] if play["returned"]]
    assert returned == ["lead", "molodka", "discard"]


def test_crashes_at_any_moment() -> None:
    """A node that comes back goes on from its disk; it never contradicts what it has sent."""
    network = Network(set_up(201), 201, policy=hoard)
    network.start()
    rng = Random(201)
    crashes = 0
    while not all(table.finished for table in network.tables):
        network.step()
        if rng.random() < 0.01:
            network.restart(rng.choice(SEATS))
            crashes += 1
    network.settle()
    assert crashes > 10
    check_whole(finish(network))


def test_crash_of_the_whole_table_in_the_middle_of_a_trick() -> None:
    network = Network(set_up(203), 203, policy=any_play)
    network.start()
    network.run(lambda: len(network.tables[0].match.current.tricks) == 3)
    for seat in SEATS:
        network.restart(seat)
    check_whole(finish(network))


# Options


def test_without_molodka() -> None:
    match = played(3, Options(target=6, molodka=MolodkaRule.OFF), hoard)
    check_whole(match)
    assert not any(event.kind == "molodka" for event in match.events)
    assert len(match.events) > 80


def test_double_eggs() -> None:
    """The deal after a 60-60 counts twice, in the tables, in the audit and in the record."""
    match = played(DOUBLE_EGGS, Options(target=6, eggs=Eggs.DOUBLE), hoard)
    check_whole(match)
    deals = match.tables[0].match.finished
    doubled = [after["defeat_points"] for deal, after in pairwise(deals) if deal["eggs"]]
    assert doubled
    assert all(sum(points or ()) in {0, 4, 8, 12} for points in doubled)
    assert any(sum(points or ()) == 12 for points in doubled)  # six, twice


@pytest.mark.parametrize("leader", [0, 2])
def test_the_lead_is_carried_into_the_next_match(leader: Seat) -> None:
    """R22: whoever took the last trick of the match before leads, whoever deals."""
    network = Network(set_up(301, None, leader, bytes(32)), 301, policy=any_play)
    network.start()
    network.run(lambda: len(network.tables[0].match.finished) == 1)
    network.settle()
    check_views(network)
    (deal,) = network.tables[0].match.finished
    assert deal["leader"] == leader
    assert deal["tricks"][0]["entitled"] == leader


def test_without_a_match_before_the_seat_left_of_the_dealer_leads() -> None:
    first, second = rich().tables[0].match.finished[:2]
    assert first["leader"] == next_seat(first["dealer"])
    assert second["dealer"] == next_seat(first["dealer"])
    assert second["leader"] == first["tricks"][-1]["taker"]


# Claims that cross


def claimants(network: Network) -> list[Seat]:
    """The seats that may claim now."""
    return [s for s in SEATS if any(isinstance(play, Molodka) for play in network.tables[s].legal())]


def race(seed: int) -> Network:
    """Two seats have claimed, neither having seen the other; from then on the network is bad."""
    network = Network(set_up(12), 12, policy=hoard, loss=0, repeat=0)
    network.start()
    network.settle()
    while len(claimants(network)) < 2:
        network.play(network.players.choice([s for s in SEATS if network.tables[s].legal()]))
        network.settle()
    for seat in claimants(network):
        claim = next(play for play in network.tables[seat].legal() if isinstance(play, Molodka))
        network.perform(seat, network.tables[seat].play(claim))
    network.rng, network.loss, network.repeat = Random(seed), 0.2, 0.2
    return network


@pytest.mark.parametrize("seed", range(3))
def test_two_seats_claim_without_having_seen_each_other(seed: int) -> None:
    """The nearer to the entitled seat has the right (R15), whatever reaches whom first."""
    network = race(seed)
    number = len(network.tables[0].match.state.tricks)
    network.run(lambda: all(len(table.match.state.tricks) > number for table in network.tables))
    network.settle()
    trick = network.tables[0].match.state.tricks[number]
    claims = [branch.leader for branch in trick.branches if branch.is_molodka]
    assert len(claims) == 2
    assert trick.effective is not None
    assert trick.effective.leader == min(claims, key=lambda seat: distance(trick.entitled, seat))
    assert all(table.verdict is None for table in network.tables)
    assert len({table.match.state for table in network.tables}) == 1
    check_views(network)


# Order independence


def linear_extension(events: Iterable[Event], rng: Random) -> list[Event]:
    """The events in a random order in which each comes after all that its author had seen."""
    feeds = [[event for event in events if event.author == seat] for seat in SEATS]
    done = [-1] * len(SEATS)
    order = []
    while any(feeds):
        free = [
            feed
            for feed in feeds
            if feed and all(seen <= done[s] for s, seen in enumerate(feed[0].vector) if s != feed[0].author)
        ]
        event = rng.choice(free).pop(0)
        done[event.author] = event.seq
        order.append(event)
    return order


def judged(events: Iterable[Event], setup_of: Played) -> Match:
    """A fresh match that has admitted these events in this order."""
    log = EventLog(setup_of.setup.genesis, keep_bytes=False)
    match = Match(log)
    for event in events:
        assert log.offer(event) is Admission.ADDED
        assert match.admit(event) is None
    return match


@pytest.fixture(scope="module")
def raced() -> Played:
    """One deal on a bad network, with two claims that crossed: its events have many causal orders."""
    network = race(1)
    network.run(lambda: all(len(table.match.finished) == 1 for table in network.tables))
    network.settle()
    return keep(network)


def test_the_raced_deal_has_two_claims(raced: Played) -> None:
    claims = [event for event in raced.events if isinstance(parse_body(event.kind, event.body), Claimed)]
    assert len(claims) >= 2
    one, two = claims[:2]
    assert not one.saw(two.position)
    assert not two.saw(one.position)


@settings(deadline=None, max_examples=25)
@given(rng=st.randoms(use_true_random=False))
def test_every_causal_order_gives_the_same_match(raced: Played, rng: Random) -> None:
    reference = raced.tables[0].match
    match = judged(linear_extension(raced.events, rng), raced)
    assert match.state == reference.state
    assert match.finished == reference.finished
    assert match_summary(match) == match_summary(reference)
    steps: set[Action] = {step.action for step in match.steps}
    assert steps == {step.action for step in reference.steps}


@settings(deadline=None, max_examples=15)
@given(rng=st.randoms(use_true_random=False), share=st.floats(0.1, 1))
def test_every_causal_past_gives_one_state(raced: Played, rng: Random, share: float) -> None:
    """Also in the middle: nodes that have seen the same part, in whatever order, are in the same state."""
    order = linear_extension(raced.events, rng)
    part = order[: int(share * len(order))]
    again = linear_extension(part, rng)
    assert judged(part, raced).state == judged(again, raced).state
