"""The end of a deal, where hidden things come out, and the end of the match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import SEATS, Molodka, Seat, next_seat
from protocol.bodies import Body, Concluded, Discarded, Drawn, Key, Led, Opened, Result, parse_body
from protocol.crypto.group import encode_scalar
from protocol.fields import PARTS_BYTES
from tests.protocol.cheats import Scene, before, caught, flipped, replaced, shares
from tests.protocol.matches import (
    Played,
    audit,
    claimed_at_the_end,
    discarded_last,
    log_file,
    rich,
    short,
    signed_again,
)

Openings = tuple[tuple[int, bytes, tuple[int, ...]], ...]


def opened_by(match: Played, seat: Seat, deal: int = 0) -> Opened:
    """What a seat really opened after a deal."""
    bodies = [parse_body(e.kind, e.body) for e in match.events if e.kind == "open" and e.author == seat]
    body = bodies[deal]
    assert isinstance(body, Opened)
    assert body.deal == deal
    return body


def opening_due(match: Played | None = None) -> tuple[Scene, Opened]:
    """All cards are played; one seat that has discarded twice is the cheat, with its true opening."""
    match = match or discarded_last()
    count = match.index("open")
    seat = next(seat for seat in range(4) if len(opened_by(match, seat).discards) >= 2)
    return Scene(match, count, seat), opened_by(match, seat)


def convicted(scene: Scene, fault: str, opening: Opened, explanation: str = "") -> None:
    """The cheat opens like this and is convicted of it."""
    event = scene.cheat.say(opening)
    scene.publish(event)
    caught(scene, fault, event.id, explanation=explanation)


# Openings


@pytest.mark.parametrize(
    "key", [bytes(32), b"\xff" * 32, encode_scalar(12345)], ids=["zero", "large", "other"]
)
def test_another_key(key: bytes) -> None:
    scene, honest = opening_due()
    convicted(scene, "wrong-key", Opened(0, key, honest.discards))


def test_key_of_the_next_deal() -> None:
    scene, honest = opening_due()
    key = encode_scalar(scene.cheat.keyring.deal_key(1))
    convicted(scene, "wrong-key", Opened(0, key, honest.discards))


def test_discards_that_are_not_opened() -> None:
    scene, honest = opening_due()
    convicted(scene, "refused-opening", Opened(0, honest.key, ()))


@pytest.mark.parametrize("place", [0, -1])
def test_one_discard_that_is_not_opened(place: int) -> None:
    scene, honest = opening_due()
    kept = honest.discards[1:] if place == 0 else honest.discards[:-1]
    convicted(scene, "refused-opening", Opened(0, honest.key, kept))


def test_a_discard_that_was_never_made() -> None:
    scene, honest = opening_due()
    made = {trick for trick, _, _ in honest.discards}
    trick = next(trick for trick in range(36) if trick not in made)
    more = tuple(sorted((*honest.discards, (trick, bytes(32), (0,)))))
    convicted(scene, "refused-opening", Opened(0, honest.key, more))


def test_discards_in_another_order() -> None:
    scene, honest = opening_due()
    convicted(scene, "refused-opening", Opened(0, honest.key, honest.discards[::-1]))


def test_a_discard_opened_twice() -> None:
    scene, honest = opening_due()
    convicted(scene, "refused-opening", Opened(0, honest.key, (honest.discards[0], *honest.discards)))


def test_another_salt() -> None:
    scene, honest = opening_due()
    (trick, salt, slots), *rest = honest.discards
    convicted(scene, "bad-commitment", Opened(0, honest.key, ((trick, flipped(salt), slots), *rest)))


def test_other_cards_than_those_committed_to() -> None:
    """A point card in place of the worthless one that was discarded would change the score."""
    scene, honest = opening_due()
    (trick, salt, slots), *rest = honest.discards
    other = (slots[0] + 1) % 36
    convicted(scene, "bad-commitment", Opened(0, honest.key, ((trick, salt, (other,)), *rest)))


def test_another_number_of_cards() -> None:
    scene, honest = opening_due()
    (trick, salt, slots), *rest = honest.discards
    more = tuple(sorted({*slots, (slots[0] + 1) % 36}))
    convicted(scene, "bad-commitment", Opened(0, honest.key, ((trick, salt, more), *rest)), "number of cards")


def test_opening_before_all_cards_are_played() -> None:
    match = rich()
    scene, honest = before("lead", 1)
    convicted(scene, "out-of-order", Opened(0, opened_by(match, scene.cheat.seat).key, ()))
    assert honest.kind == "lead"


def test_opening_of_the_next_deal() -> None:
    scene, honest = opening_due()
    convicted(scene, "out-of-order", Opened(1, honest.key, ()))


def test_second_opening() -> None:
    match = rich()
    count = match.index("open")
    scene = Scene(match, count + 1, match.events[count].author)
    convicted(scene, "repeated", opened_by(match, scene.cheat.seat))


# False discards: a commitment to cards that were not in the hand comes to light when it is opened


def discards_falsely(slots: tuple[int, ...], match: Played | None = None) -> tuple[Scene, Opened]:
    """The last play of the first deal, a discard, commits to these slots; returned with its opening."""
    match = match or discarded_last()
    place = last_play(match)
    honest = match.events[place]
    body = parse_body(honest.kind, honest.body)
    assert isinstance(body, Discarded)
    assert body.count == len(slots)
    scene = Scene(match, place, honest.author)
    ring = scene.cheat.keyring
    scene.publish(scene.cheat.say(replaced(honest, commitment=ring.commit(0, body.trick, body.on, slots))))
    scene.talk()
    assert all(table.verdict is None for table in scene.honest.values())  # nobody can know yet
    true = opened_by(match, honest.author)
    *earlier, (trick, salt, _) = true.discards
    return scene, Opened(0, true.key, (*earlier, (trick, salt, slots)))


def last_play(match: Played) -> int:
    """Where the last play of the first deal stands."""
    plays = {"lead", "beat", "discard"}
    return [place for place, e in enumerate(match.events) if e.kind in plays and e.body[0] == 0][-1]


def last_player(match: Played) -> Seat:
    """Who makes the last play of the first deal."""
    return match.events[last_play(match)].author


def led_in_first_deal(match: Played, seat: Seat) -> list[int]:
    """The slots that a seat led in the first deal."""
    leads = [parse_body(e.kind, e.body) for e in match.events if e.author == seat and e.kind == "lead"]
    return [slot for lead in leads if isinstance(lead, Led) and lead.deal == 0 for slot in lead.slots]


def test_discard_of_a_card_of_somebody_else() -> None:
    match = discarded_last()
    foreign = next_seat(last_player(match))
    slot = opened_by(match, foreign).discards[0][2][0]
    scene, opening = discards_falsely((slot,))
    convicted(scene, "discard-not-held", opening, f"slot {slot},")


def test_discard_of_a_card_that_was_discarded_before() -> None:
    """The card that is held back could have been played elsewhere, or its points hidden."""
    match = discarded_last()
    slot = opened_by(match, last_player(match)).discards[0][2][0]
    scene, opening = discards_falsely((slot,))
    convicted(scene, "card-played-twice", opening, f"slot {slot},")


def test_discard_of_a_card_that_was_shown_before() -> None:
    match = discarded_last()
    shown = led_in_first_deal(match, last_player(match))
    scene, opening = discards_falsely((shown[0],))
    convicted(scene, "card-played-twice", opening, f"slot {shown[0]},")


def test_discard_of_a_card_that_was_drawn_only_later() -> None:
    """Two discards change places in the commitments: the earlier one is of a card that nobody had yet.

    Everything else is as it was; the log is signed anew, and judged by an auditor.
    """
    match = rich()
    scene = Scene(match, match.index("open"), 0)
    holders = scene.cheat.match.current.holders
    seat, early, late = next(
        (seat, one, two)
        for seat in SEATS
        for one in opened_by(match, seat).discards
        for two in opened_by(match, seat).discards
        if len(one[2]) == len(two[2]) == 1 and holders[two[2][0]][1] > one[0]
    )
    ring = match.setup.keyring(seat)
    slots = {early[0]: late[2], late[0]: early[2]}
    bodies: dict[int, Body] = {}
    for place, event in enumerate(match.events):
        body = parse_body(event.kind, event.body)
        if event.author != seat or getattr(body, "deal", None) != 0:
            continue
        if isinstance(body, Discarded) and body.trick in slots:
            commitment = ring.commit(0, body.trick, body.on, slots[body.trick])
            bodies[place] = replace(body, commitment=commitment)
        elif isinstance(body, Opened):
            openings = tuple((trick, salt, slots.get(trick, was)) for trick, salt, was in body.discards)
            bodies[place] = replace(body, discards=openings)
            faulty = place
    events = signed_again(match, bodies)
    found = audit(log_file(match.setup.genesis, [event.signed for event in events]))
    assert found.verdict is not None
    assert (found.verdict.culprit, found.verdict.fault) == (seat, "discard-not-held")
    assert found.verdict.events == (events[faulty].id,)


# The last trick is claimed after the entitled seat has led: its lead goes back, and is in the record for ever


def claimed_after(scene: Scene, claimer: Seat) -> None:
    """The honest claimer claims with its four cards, and everybody hears of it."""
    table = scene.honest[claimer]
    claim = next(play for play in table.legal() if isinstance(play, Molodka))
    scene.perform(claimer, table.play(claim))
    scene.talk()


def answers(scene: Scene, claimer: Seat, *mine: Discarded) -> None:
    """All three answer the claim in turn, the cheat with a discard of its choice."""
    for steps in (1, 2, 3):
        seat = next_seat(claimer, steps)
        if seat == scene.cheat.seat:
            scene.publish(*map(scene.cheat.say, mine))
        else:
            table = scene.honest[seat]
            scene.perform(seat, table.play(table.legal()[-1]))
        scene.talk()


def claim_of(match: Played) -> tuple[int, int, Seat, Seat]:
    """Where the lead to the last trick stands, the trick's number, the leader, and the claimer."""
    place, claim = match.index("lead", -1), match.events[match.index("molodka", -1)]
    trick = match.events[place].body[1]
    assert isinstance(trick, int)
    assert claim.body[1] == trick
    return place, trick, match.events[place].author, claim.author


def last_four(scene: Scene, trick: int, earlier: Openings) -> tuple[int, ...]:
    """The four cards that the cheat really holds in the last trick."""
    gone = {slot for _, _, slots in earlier for slot in slots}
    left = tuple(slot for slot in scene.cheat.match.current.held(scene.cheat.seat, trick) if slot not in gone)
    assert len(left) == 4
    return left


def test_card_shown_after_it_was_discarded_in_a_lead_that_went_back() -> None:
    """The false lead does not count, so no standing play has the card twice; still it was not in the hand."""
    match = claimed_at_the_end()
    place, trick, cheat, claimer = claim_of(match)
    scene = Scene(match, place, cheat)
    true = opened_by(match, cheat)
    earlier = tuple(entry for entry in true.discards if entry[0] < trick)
    (gone, *_) = earlier[0][2]
    scene.publish(scene.cheat.say(Led(0, trick, (gone,), shares(scene.cheat, 0, (gone,)))))
    scene.talk()
    claimed_after(scene, claimer)
    four = last_four(scene, trick, earlier)
    ring = scene.cheat.keyring
    answers(scene, claimer, Discarded(0, trick, claimer, 4, ring.commit(0, trick, claimer, four)))
    salt = ring.salt(0, trick, claimer)
    convicted(
        scene, "card-played-twice", Opened(0, true.key, (*earlier, (trick, salt, four))), f"slot {gone},"
    )


def test_card_shown_in_a_lead_that_went_back_may_be_discarded_then() -> None:
    match = claimed_at_the_end()
    place, trick, leader, claimer = claim_of(match)
    scene = Scene(match, place, leader)
    true = opened_by(match, leader)
    earlier = tuple(entry for entry in true.discards if entry[0] < trick)
    four = last_four(scene, trick, earlier)
    scene.publish(scene.cheat.say(Led(0, trick, four[:1], shares(scene.cheat, 0, four[:1]))))
    scene.talk()
    claimed_after(scene, claimer)
    ring = scene.cheat.keyring
    answers(scene, claimer, Discarded(0, trick, claimer, 4, ring.commit(0, trick, claimer, four)))
    salt = ring.salt(0, trick, claimer)
    scene.publish(scene.cheat.say(Opened(0, true.key, (*earlier, (trick, salt, four)))))
    scene.talk()
    assert all(table.verdict is None and table.match.finished for table in scene.honest.values())


def test_one_commitment_for_two_discards_of_a_trick() -> None:
    """To the lead that goes back a seat commits as to the claim that it foresees: no fault, and no harm."""
    match = claimed_at_the_end()
    place, trick, leader, claimer = claim_of(match)
    cheat = next_seat(leader)
    scene = Scene(match, place, cheat)
    true = opened_by(match, cheat)
    earlier = tuple(entry for entry in true.discards if entry[0] < trick)
    four = last_four(scene, trick, earlier)
    ring = scene.cheat.keyring
    commitment = ring.commit(0, trick, claimer, four)
    table = scene.honest[leader]
    lead = next(play for play in table.legal() if play.cards and len(play.cards) == 1)
    scene.perform(leader, table.play(lead))
    scene.talk()
    scene.publish(scene.cheat.say(Discarded(0, trick, leader, 1, commitment)))
    scene.talk()
    claimed_after(scene, claimer)
    answers(scene, claimer, Discarded(0, trick, claimer, 4, commitment))
    salt = ring.salt(0, trick, claimer)
    scene.publish(scene.cheat.say(Opened(0, true.key, (*earlier, (trick, salt, four)))))
    scene.talk()
    records = [table.match.finished for table in scene.honest.values()]
    assert records[0] == records[1] == records[2]
    last = records[0][0]["tricks"][-1]["plays"]
    returned = [play for play in last if play["returned"] and play["action"] == "discard"]
    assert [(play["seat"], play["cards"], play["count"]) for play in returned] == [(cheat, None, 1)]
    for disk in scene.disks.values():
        found = audit(log_file(scene.setup.genesis, disk))
        assert found.verdict is None
        assert not found.problems


# Result and final state


def test_false_result() -> None:
    scene, honest = before("result", match=short())
    hash_ = honest.body[1]
    assert isinstance(hash_, bytes)
    event = scene.cheat.say(Result(0, flipped(hash_)))
    scene.publish(event)
    caught(scene, "false-result", event.id)


def test_result_before_everything_is_open() -> None:
    last = short().index("open", 3)
    seat = short().events[short().index("open")].author
    scene = Scene(short(), last, seat)
    event = scene.cheat.say(Result(0, bytes(32)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


@pytest.mark.parametrize("body", [Drawn(0, 0, bytes(96)), Result(0, bytes(32)), Opened(0, bytes(32), ())])
def test_word_on_a_deal_whose_result_is_signed(body: Drawn | Result | Opened) -> None:
    count = short().index("result")
    scene = Scene(short(), count + 1, short().events[count].author)
    event = scene.cheat.say(body)
    scene.publish(event)
    caught(scene, "deal-over", event.id)


def test_false_final() -> None:
    scene, honest = before("final", match=short())
    hash_ = honest.body[0]
    assert isinstance(hash_, bytes)
    event = scene.cheat.say(Concluded(flipped(hash_)))
    scene.publish(event)
    caught(scene, "false-final", event.id)


@pytest.mark.parametrize("kind", ["lead", "open", "result"])
def test_final_before_the_match_is_over(kind: str) -> None:
    scene, _ = before(kind, match=short())
    event = scene.cheat.say(Concluded(bytes(32)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_final_before_the_last_result_is_signed_by_all() -> None:
    last = short().index("result", -1)
    seat = short().events[short().index("result", -4)].author
    scene = Scene(short(), last, seat)
    event = scene.cheat.say(Concluded(bytes(32)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_second_final() -> None:
    count = short().index("final")
    honest = short().events[count]
    scene = Scene(short(), count + 1, honest.author)
    event = scene.cheat.say(replaced(honest))
    scene.publish(event)
    caught(scene, "repeated", event.id)


@pytest.mark.parametrize("after_all", [False, True], ids=["before the finals", "after the finals"])
def test_dealing_on_after_the_match_is_over(after_all: bool) -> None:
    count = len(short().events) if after_all else short().index("final")
    scene = Scene(short(), count, 2)
    event = scene.cheat.say(Key(2, bytes(32), bytes(64), bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "match-over", event.id)
