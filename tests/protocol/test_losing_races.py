"""Last words of a player who vanishes (§7.12) race the declarations: whatever comes first, all agree."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SEATS, Seat
from tests.parameters import first_few
from tests.protocol.matches import Played, events_of, keep
from tests.protocol.racing import (
    Racing,
    check_end,
    claimed,
    end_without,
    entitled,
    has_opened,
    known,
    losable,
    racing,
)
from tests.protocol.test_whole_match import judged, linear_extension

# Races


def all_but_one_opening(seed: int) -> tuple[Racing, Seat]:
    """Everybody has opened the first deal, but of one seat nobody has heard it; then that seat vanishes."""
    network = racing(seed)
    gone = network.shut = Random(seed).choice(SEATS)
    others = [seat for seat in SEATS if seat != gone]
    network.until(lambda: has_opened(network, gone) and any(network.deal(s).played_out for s in others))
    network.cut_off(gone)
    network.shut = None
    network.rest()
    assert all(network.deal(seat).opened[other] for seat in others for other in others)
    assert not network.tables[gone].match.finished
    return network, gone


@pytest.mark.parametrize("seed", first_few(range(640, 644), 1))
def test_an_opening_that_reaches_one_of_three_in_time(seed: int) -> None:
    """It has declared the seat lost, but sees the end of the deal before the others' declarations."""
    network, gone = all_but_one_opening(seed)
    first, *_ = network.others
    for seat in network.others:
        network.declare(seat)
    network.tell(gone, first)
    network.rest()
    assert len(network.said(first, "lost")) == 3
    assert first not in {event.author for event in network.said(first, "rescue")}
    assert all(len(network.tables[seat].match.finished) == 1 for seat in network.others)
    network.come_back()
    check_end(network, Random(seed))


def crossed(seed: int) -> tuple[Racing, Seat]:
    """An opening reaches one of the others when it has just given its part: then all cards are open twice."""
    network, gone = all_but_one_opening(seed)
    first, *rest = network.others
    for seat in network.others:
        network.declare(seat)
    for seat in rest:
        network.tell(seat, first)
    network.tell(gone, first)
    assert [event.author for event in network.said(first, "rescue")] == [first]
    assert len(network.tables[first].match.finished) == 1
    assert network.tables[first].match.losses == []
    # The others give their parts before they hear of it.
    for seat in rest:
        for other in network.others:
            if other not in {seat, first}:
                network.tell(other, seat)
        network.tell_vote(first, seat)
        assert seat in {event.author for event in network.said(seat, "rescue")}
    network.rest()
    return network, gone


@pytest.mark.parametrize("seed", first_few(range(644, 648), 1))
def test_an_opening_that_comes_too_late_for_some(seed: int) -> None:
    """For one the deal was over before the lost hand was opened, for the others after it: it is one deal."""
    network, gone = crossed(seed)
    others = [network.tables[seat].match for seat in network.others]
    assert [match.losses for match in others] == [[(0, gone)]] * 3
    assert all(known(match) == known(others[0]) for match in others)
    views = [network.tables[seat].state for seat in network.others]
    assert all(view.dealt and view.dealt.hands[gone] for view in views)
    network.come_back()
    check_end(network, Random(seed), (0, gone))


@pytest.mark.parametrize("seed", first_few(range(648, 652), 1))
def test_an_opening_that_comes_too_late_for_all(seed: int) -> None:
    network, gone = all_but_one_opening(seed)
    for seat in network.others:
        network.declare(seat)
    network.rest()
    assert [len(network.tables[seat].match.finished) for seat in network.others] == [1] * 3
    network.tell(gone, network.others[0])
    network.come_back()
    check_end(network, Random(seed), (0, gone))


def lead_on_its_way(seed: int) -> tuple[Racing, Seat]:
    """The seat that is entitled to lead is cut off, leads, and is declared lost; nobody has heard yet."""
    network = racing(seed)
    network.until(lambda: any(entitled(network, seat) for seat in SEATS))
    network.settle()
    gone = next(seat for seat in SEATS if entitled(network, seat))
    network.cut_off(gone)
    network.perform(gone, network.tables[gone].play(network.tables[gone].legal()[-1]))
    for seat in network.others:
        network.declare(seat)
    return network, gone


@pytest.mark.parametrize("seed", first_few(range(652, 655), 1))
def test_a_lead_that_is_seen_in_time(seed: int) -> None:
    """One of the three has seen it when it gives its part: then it counts for all."""
    network, gone = lead_on_its_way(seed)
    network.tell(gone, network.others[0])
    network.rest()
    plays = [network.deal(seat).tricks[-1].plays[0] for seat in network.others]
    assert all(play.at is not None and play.action.seat == gone for play in plays)
    end_without(network, Random(seed))
    network.come_back()
    check_end(network, Random(seed), (0, gone))


def late_lead(seed: int) -> tuple[Racing, Seat]:
    """The same, and all three have given their parts before one of them hears of the lead."""
    network, gone = lead_on_its_way(seed)
    first, *rest = network.others
    for seat in rest:
        network.tell(seat, first)
    network.tell(gone, first)
    for one, other in (rest, rest[::-1]):
        network.tell(one, other)
        network.tell_vote(first, other)
    network.rest()
    return network, gone


@pytest.mark.parametrize("seed", first_few(range(655, 658), 1))
def test_a_lead_that_is_seen_too_late(seed: int) -> None:
    """It is as if it had not been, and nobody's fault."""
    network, gone = late_lead(seed)
    assert gone in {event.author for event in network.said(network.others[0], "lead")}
    plays = [network.deal(seat).tricks[-1].plays[0] for seat in network.others]
    assert all(play.at is None and play.action.seat == gone for play in plays)
    end_without(network, Random(seed))
    network.come_back()
    check_end(network, Random(seed), (0, gone))


# Order independence


@pytest.fixture(scope="module", params=["crossed", "late lead", "restarts"])
def raced(request: pytest.FixtureRequest) -> Played:
    """A deal that has lost a seat in a race, as far as one of the others knows it."""
    if request.param == "crossed":
        network, _ = crossed(644)
    elif request.param == "late lead":
        network, _ = late_lead(655)
        end_without(network, Random(655))
    else:
        network = racing(680)
        network.until(lambda: claimed(network, 1) and losable(network, 1))
        network.vanish(1)
        end_without(
            network, Random(680), heard=lambda seat: bool(network.said(seat, "rescue")), restarts=0.02
        )
    network.rest()
    played = keep(network)
    first = network.others[0]
    assert played.tables[first].match.losses
    return replace(played, events=tuple(events_of(played.tables[first])))


@settings(deadline=None, max_examples=20)
@given(rng=st.randoms(use_true_random=False))
def test_every_causal_order_gives_the_same_match(raced: Played, rng: Random) -> None:
    """Also when the lost seat's last words come before the rescue here, and after it there."""
    assert known(judged(linear_extension(raced.events, rng), raced)) == known(judged(raced.events, raced))


@settings(deadline=None, max_examples=20)
@given(rng=st.randoms(use_true_random=False), share=st.floats(0.3, 1))
def test_every_causal_past_gives_one_state(raced: Played, rng: Random, share: float) -> None:
    part = linear_extension(raced.events, rng)
    part = part[: int(share * len(part))]
    assert known(judged(part, raced)) == known(judged(linear_extension(part, rng), raced))
