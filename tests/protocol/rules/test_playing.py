"""Plays: a card that is not held, a move that the rules do not allow, a claim without four of a suit."""

from __future__ import annotations

import pytest

from engine import next_seat
from protocol.bodies import Beaten, Claimed, Discarded, Led
from tests.protocol.cheats import Cheat, Scene, before, caught, flipped, replaced, shares
from tests.protocol.matches import rich


def hand(cheat: Cheat, trick: int = 0) -> tuple[int, ...]:
    """The slots that the cheat holds as far as everybody knows."""
    return cheat.match.current.held(cheat.seat, trick)


def lead_of(cheat: Cheat, *slots: int, trick: int = 0) -> Led:
    """A lead of these slots with shares that hold."""
    return Led(0, trick, slots, shares(cheat, 0, slots))


def at_lead(offset: int = 0) -> Scene:
    """The first lead is due, and a seat some places from the entitled one is the cheat."""
    count = rich().index("lead")
    return Scene(rich(), count, next_seat(rich().events[count].author, offset))


def test_card_of_another_seat() -> None:
    scene = at_lead()
    slot = (hand(scene.cheat)[0] + 1) % 16
    event = scene.cheat.say(lead_of(scene.cheat, slot))
    scene.publish(event)
    caught(scene, "card-not-held", event.id, explanation=f"slot {slot} ")


def test_card_of_the_stock() -> None:
    scene = at_lead()
    event = scene.cheat.say(Led(0, 0, (20,), bytes(96)))
    scene.publish(event)
    caught(scene, "card-not-held", event.id)


def test_card_that_was_played_before() -> None:
    first = rich().events[rich().index("lead")]
    count = rich().index("lead", 1)
    scene = Scene(rich(), count, first.author)
    slots = first.body[2]
    assert isinstance(slots, tuple)
    event = scene.cheat.say(lead_of(scene.cheat, slots[0], trick=1))  # type: ignore[arg-type]
    scene.publish(event)
    caught(scene, "card-not-held", event.id)


@pytest.mark.parametrize("offset", [1, 2, 3])
def test_lead_out_of_turn(offset: int) -> None:
    scene = at_lead(offset)
    event = scene.cheat.say(lead_of(scene.cheat, hand(scene.cheat)[0]))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="not-your-lead")


def test_lead_of_two_suits() -> None:
    scene = at_lead()
    event = scene.cheat.say(lead_of(scene.cheat, *hand(scene.cheat)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="mixed-suits")


@pytest.mark.parametrize("offset", [1, 2, 3])
def test_claim_without_four_of_a_suit(offset: int) -> None:
    scene = at_lead(offset)
    slots = hand(scene.cheat)
    event = scene.cheat.say(Claimed(0, 0, slots, shares(scene.cheat, 0, slots)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="mixed-suits")


def test_claim_with_three_cards() -> None:
    scene = at_lead(1)
    slots = hand(scene.cheat)[:3]
    event = scene.cheat.say(Claimed(0, 0, slots, shares(scene.cheat, 0, slots)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="not-four")


def test_claim_after_having_played() -> None:
    count = rich().index("lead")
    scene = Scene(rich(), count + 1, rich().events[count].author)
    slots = hand(scene.cheat)
    event = scene.cheat.say(Claimed(0, 0, slots, shares(scene.cheat, 0, slots)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id)


def answer_due() -> tuple[Scene, int, int]:
    """The first lead is on the table and the next seat is the cheat; with the leader and its count."""
    count = rich().index("lead")
    lead = rich().events[count]
    slots = lead.body[2]
    assert isinstance(slots, tuple)
    return Scene(rich(), count + 1, next_seat(lead.author)), lead.author, len(slots)


def test_answer_with_another_number_of_cards() -> None:
    scene, leader, count = answer_due()
    event = scene.cheat.say(Discarded(0, 0, leader, count + 1, bytes(32)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="wrong-count")


def test_answer_with_no_card() -> None:
    scene, leader, _ = answer_due()
    event = scene.cheat.say(Discarded(0, 0, leader, 0, bytes(32)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="wrong-count")


def test_answer_to_a_lead_that_nobody_made() -> None:
    scene, leader, count = answer_due()
    event = scene.cheat.say(Discarded(0, 0, next_seat(leader, 2), count, bytes(32)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="no-such-lead")


def test_answer_out_of_turn() -> None:
    scene, leader, count = answer_due()
    scene = Scene(rich(), rich().index("lead") + 1, next_seat(leader, 2))
    event = scene.cheat.say(Discarded(0, 0, leader, count, bytes(32)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id, explanation="not-your-turn")


def test_answer_twice() -> None:
    scene, leader, count = answer_due()
    first = scene.cheat.say(Discarded(0, 0, leader, count, bytes(32)))
    second = scene.cheat.say(Discarded(0, 0, leader, count, bytes(32)))
    scene.publish(first, second)
    caught(scene, "illegal-play", second.id, explanation="not-your-turn")


def test_beat_that_does_not_beat() -> None:
    """Of the hand's cards at least one cannot beat the lead in the shared match; the cheat says it does."""
    tried = 0
    for place in range(4):
        scene, leader, count = answer_due()
        slots = hand(scene.cheat)[place : place + count]
        if len(slots) < count:
            continue
        event = scene.cheat.say(Beaten(0, 0, leader, slots, shares(scene.cheat, 0, slots)))
        if scene.cheat.match.verdict is None:
            continue
        tried += 1
        scene.publish(event)
        caught(scene, "illegal-play", event.id, explanation="does-not-beat")
    assert tried


def test_bad_share_of_a_shown_card() -> None:
    scene, honest = before("lead")
    data = honest.body[3]
    assert isinstance(data, bytes)
    event = scene.cheat.say(replaced(honest, shares=flipped(data)))
    scene.publish(event)
    caught(scene, "bad-share", event.id)


def test_share_of_another_card_than_the_one_shown() -> None:
    scene = at_lead()
    first, second = hand(scene.cheat)[:2]
    event = scene.cheat.say(Led(0, 0, (first,), shares(scene.cheat, 0, (second,))))
    scene.publish(event)
    caught(scene, "bad-share", event.id)


@pytest.mark.parametrize(("slots", "count"), [(1, 2), (2, 1), (3, 4), (4, 3)])
def test_another_number_of_shares_than_of_cards(slots: int, count: int) -> None:
    scene = at_lead()
    event = scene.cheat.say(Led(0, 0, hand(scene.cheat)[:slots], bytes(96 * count)))
    scene.publish(event)
    caught(scene, "malformed-body", event.id)


def test_play_before_the_cards_are_dealt() -> None:
    scene, _ = before("deal", 3)
    event = scene.cheat.say(Led(0, 0, (0,), bytes(96)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_play_in_a_trick_that_has_not_begun() -> None:
    scene = at_lead()
    event = scene.cheat.say(Led(0, 1, (0,), bytes(96)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_play_before_the_draw_is_done() -> None:
    """A molodka before the draw would be played with cards that others may still get (R13)."""
    last = rich().index("draw", 3)
    scene = Scene(rich(), last, rich().events[rich().index("draw")].author)
    event = scene.cheat.say(Led(0, 1, (0,), bytes(96)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_play_in_a_finished_trick() -> None:
    scene, _ = before("lead", 1)
    leader = rich().events[rich().index("lead")].author
    event = scene.cheat.say(Discarded(0, 0, leader, 1, bytes(32)))
    scene.publish(event)
    caught(scene, "illegal-play", event.id)


def test_play_in_the_next_deal() -> None:
    scene = at_lead()
    event = scene.cheat.say(Led(1, 0, (0,), bytes(96)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)
