"""Key parts and lost seats (§7.3, §7.12): whoever tampers with them is named, and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import SEATS, Seat, next_seat
from protocol.audit import Finding
from protocol.bodies import Accept, Body, Complaint, Key, Lost, Rescue, Result, parse_body
from protocol.crypto.parts import KeyPart, SealedPart, encryption_key, open_part, seal_part
from protocol.events import Event, decode_event
from protocol.fields import PARTS_BYTES
from protocol.keyring import discard_salt
from protocol.rules.closing import result_hash
from tests.protocol.cheats import Cheat, Scene, before, caught, flipped, replaced, shares
from tests.protocol.matches import facts_of, rich

PART = PARTS_BYTES // 3


# Encryption keys and key parts


@pytest.mark.parametrize(
    "key",
    [bytes(32), bytes([1]) + bytes(31), b"\xff" * 32],
    ids=["zero", "small order", "not canonical"],
)
def test_nothing_can_be_sealed_for_this_key(key: bytes) -> None:
    scene = Scene(rich(), 0, 2)
    event = scene.cheat.say(Accept(key))
    scene.publish(event)
    caught(scene, "bad-key-part", event.id)


def with_part(event: Event, place: int, change: Callable[[bytes], bytes]) -> Body:
    """The key with one of its sealed parts changed."""
    body = parse_body(event.kind, event.body)
    assert isinstance(body, Key)
    parts = [body.parts[PART * n : PART * (n + 1)] for n in range(3)]
    parts[place] = change(parts[place])
    return replace(body, parts=b"".join(parts))


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda part: bytes(32) + part[32:], id="no point"),
        pytest.param(lambda part: b"\x58" + b"\x66" * 31 + part[32:], id="another sum"),
        pytest.param(lambda part: part[:64] + bytes(32) + part[96:], id="ephemeral key of small order"),
    ],
)
def test_parts_that_everybody_can_refuse(place: int, change: Callable[[bytes], bytes]) -> None:
    scene, honest = before("key")
    event = scene.cheat.say(with_part(honest, place, change))
    scene.publish(event)
    caught(scene, "bad-key-part", event.id)


def sealed_otherwise(cheat: Cheat, holder: Seat, part: KeyPart, sealed: bytes) -> bytes:
    """Another part in the envelope of a holder, under point and hash of the one that was published."""
    published = SealedPart.from_bytes(sealed)
    public = cheat.match.encryption[holder]
    assert public is not None
    context = cheat.keyring.context(0, "key")
    other = seal_part(context, holder, part, public, bytes(32))
    return replace(other, point=published.point, seed_hash=published.seed_hash).to_bytes()


@pytest.mark.parametrize("what", ["unreadable", "another part"])
def test_the_holder_of_a_bad_part_complains_and_its_sender_is_convicted(what: str) -> None:
    """Nobody but the holder can see it, and nobody has to believe the holder: the complaint is a proof."""
    scene, honest = before("key")
    holder = next(seat for seat in SEATS if seat != scene.cheat.seat)

    def change(part: bytes) -> bytes:
        if what == "unreadable":
            return flipped(part, PART - 1)
        return sealed_otherwise(scene.cheat, holder, KeyPart(5, bytes(32)), part)

    event = scene.cheat.say(with_part(honest, 0, change))
    scene.publish(event)
    scene.talk()
    verdict = scene.verdict()
    complaint = scene.honest[holder].log.head(holder)
    assert complaint is not None
    assert (verdict.fault, verdict.events) == ("bad-key-part", (event.id, complaint.id))


@pytest.mark.parametrize("secret", ["its own", "another"])
def test_a_complaint_about_a_good_part(secret: str) -> None:
    scene, _ = before("shuffle")
    ring = scene.cheat.keyring
    shown = ring.encryption_secret if secret == "its own" else bytes(32)
    event = scene.cheat.say(Complaint(0, next_seat(scene.cheat.seat), shown))
    scene.publish(event)
    caught(scene, "false-complaint", event.id)


def test_a_complaint_about_ones_own_key() -> None:
    scene, _ = before("shuffle")
    event = scene.cheat.say(Complaint(0, scene.cheat.seat, scene.cheat.keyring.encryption_secret))
    scene.publish(event)
    caught(scene, "false-complaint", event.id)


def test_a_complaint_about_a_key_that_is_not_there() -> None:
    scene, _ = before("shuffle")
    event = scene.cheat.say(Complaint(1, next_seat(scene.cheat.seat), bytes(32)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_the_secret_of_an_honest_complaint_is_the_one_that_was_accepted() -> None:
    scene = Scene(rich(), 4, 0)
    assert scene.cheat.match.encryption[0] == encryption_key(scene.cheat.keyring.encryption_secret)


# Declarations


def test_a_seat_lost_before_the_cards_are_dealt() -> None:
    scene, _ = before("deal")
    event = scene.cheat.say(Lost(0, next_seat(scene.cheat.seat)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_a_seat_that_declares_itself_lost() -> None:
    scene, _ = before("lead")
    event = scene.cheat.say(Lost(0, scene.cheat.seat))
    scene.publish(event)
    caught(scene, "malformed-body", event.id)


@pytest.mark.parametrize("steps", [1, 2])
def test_one_declaration_in_a_deal(steps: int) -> None:
    scene, _ = before("lead")
    seat = next_seat(scene.cheat.seat)
    scene.publish(scene.cheat.say(Lost(0, seat)))
    event = scene.cheat.say(Lost(0, next_seat(scene.cheat.seat, steps)))
    scene.publish(event)
    caught(scene, "repeated", event.id)


def declared_by(scene: Scene, seat: Seat) -> None:
    """All honest tables but the seat's own declare it lost, and everybody hears of it."""
    for voter in [other for other in scene.honest if other != seat]:
        scene.perform(voter, scene.honest[voter].declare_lost(seat))
    scene.talk()


def voting(kind: str = "lead") -> tuple[Scene, Seat]:
    """The cheat is one of the three: the two others have declared a seat lost, and so has the cheat."""
    scene, _ = before(kind)
    lost = next_seat(scene.cheat.seat, 2)
    declared_by(scene, lost)
    scene.publish(scene.cheat.say(Lost(0, lost)))
    scene.talk()
    return scene, lost


def part_of(cheat: Cheat, seat: Seat) -> bytes:
    """The cheat's true part of a seat's key."""
    key = facts_of(cheat.match, 0).keys[seat]
    assert key is not None
    context = cheat.match.context(0, "key", seat)
    return open_part(context, cheat.seat, key.parts[cheat.seat], cheat.keyring.encryption_secret).to_bytes()


def test_a_wrong_part_at_the_rescue() -> None:
    scene, lost = voting()
    event = scene.cheat.say(Rescue(0, lost, flipped(part_of(scene.cheat, lost))))
    scene.publish(event)
    caught(scene, "bad-rescue", event.id)


def test_a_part_that_is_no_scalar() -> None:
    scene, lost = voting()
    event = scene.cheat.say(Rescue(0, lost, b"\xff" * 64))
    scene.publish(event)
    caught(scene, "bad-rescue", event.id)


def test_the_rescue_comes_before_anything_else() -> None:
    """Who has seen three declarations may look into the lost hand soon, and so does nothing before."""
    scene, _ = voting()
    slot = scene.cheat.match.current.held(scene.cheat.seat, 0)[0]
    event = scene.cheat.say(replaced_lead(scene, slot))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def replaced_lead(scene: Scene, slot: int) -> Body:
    honest = rich().events[rich().index("lead")]
    return replaced(honest, slots=(slot,), shares=shares(scene.cheat, 0, (slot,)))


def test_nothing_follows_the_own_rescue_before_all_three_are_there() -> None:
    """One of the others has declared and gives no part: the cheat, who has given its own, must wait too."""
    scene, _ = before("lead")
    lost = next_seat(scene.cheat.seat, 2)
    declared_by(scene, lost)
    votes = scene.cheat.log.heads()
    scene.cheat.say(Lost(0, lost), refs=votes)
    rescue = scene.cheat.say(Rescue(0, lost, part_of(scene.cheat, lost)))
    slot = scene.cheat.match.current.held(scene.cheat.seat, 0)[0]
    event = scene.cheat.say(replaced_lead(scene, slot))
    assert not scene.cheat.match.current.loss
    scene.publish(rescue, event)
    scene.publish(*[e for e in own_events(scene) if e.kind == "lost"])
    caught(scene, "out-of-order", event.id)


def own_events(scene: Scene) -> list[Event]:
    """What the cheat has signed."""
    entries = scene.cheat.log.entries_from(scene.cheat.seat, 0)
    return [decode_event(entry.signed) for entry in entries if entry.signed is not None]


@pytest.mark.parametrize("votes", [0, 1])
def test_a_rescue_without_three_declarations(votes: int) -> None:
    scene, _ = before("lead")
    lost = next_seat(scene.cheat.seat, 2)
    if votes:
        scene.publish(scene.cheat.say(Lost(0, lost)))
    event = scene.cheat.say(Rescue(0, lost, part_of(scene.cheat, lost)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_a_rescue_of_another_seat() -> None:
    scene, lost = voting()
    other = next_seat(lost)
    event = scene.cheat.say(Rescue(0, other, bytes(64)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_a_second_rescue() -> None:
    scene, lost = voting()
    part = part_of(scene.cheat, lost)
    scene.publish(scene.cheat.say(Rescue(0, lost, part)))
    scene.talk()
    event = scene.cheat.say(Rescue(0, lost, part))
    scene.publish(event)
    caught(scene, "repeated", event.id)


# The lost seat


def lost_cheat(kind: str = "lead", nth: int = 0) -> tuple[Scene, Event]:
    """The cheat is the seat that the three others have declared lost; it has seen everything."""
    scene, honest = before(kind, nth)
    declared_by(scene, scene.cheat.seat)
    assert scene.cheat.match.current.loss is not None
    return scene, honest


def test_playing_on_as_if_not_lost() -> None:
    scene, honest = lost_cheat()
    event = scene.cheat.say(parse_body(honest.kind, honest.body))
    scene.publish(event)
    caught(scene, "seat-lost", event.id)


def test_a_rescue_by_the_lost_seat_itself() -> None:
    scene, _ = before("lead")
    for voter in list(scene.honest)[:2]:
        scene.perform(voter, scene.honest[voter].declare_lost(scene.cheat.seat))
    scene.talk()
    event = scene.cheat.say(Rescue(0, scene.cheat.seat, bytes(64)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def played_out_without() -> Scene:
    """The honest have played the deal to its end without the cheat."""
    scene, _ = lost_cheat()
    while not scene.cheat.match.finished:
        seat = next(seat for seat in scene.honest if scene.honest[seat].legal())
        scene.perform(seat, scene.honest[seat].play(scene.honest[seat].legal()[0]))
        scene.talk()
    return scene


def test_the_lost_seat_signs_the_result_like_everybody() -> None:
    scene = played_out_without()
    event = scene.cheat.say(Result(0, result_hash(scene.cheat.match, 0)))
    scene.publish(event)
    scene.talk()
    assert facts_of(scene.cheat.match, 0).results[scene.cheat.seat] == event.position
    assert all(table.match.verdicts == [] for table in scene.honest.values())
    assert scene.audit().finding is Finding.INCOMPLETE


def test_a_false_result_of_the_lost_seat() -> None:
    scene = played_out_without()
    event = scene.cheat.say(Result(0, bytes(32)))
    scene.publish(event)
    caught(scene, "false-result", event.id)


def test_what_three_have_done_to_an_honest_seat_accuses_nobody() -> None:
    """The seat was there all the time: it loses its say in this deal, and nothing else."""
    scene, _ = lost_cheat()
    assert scene.cheat.match.verdicts == []
    assert scene.audit().finding is Finding.INCOMPLETE


def rescued_conviction(scene: Scene, discard: Event, fault: str) -> None:
    """The lost seat's discard is proven false by the parts of its own key."""
    declared_by(scene, scene.cheat.seat)
    verdict = scene.verdict()
    assert verdict.fault == fault
    assert verdict.events[0] == discard.id
    assert len(verdict.events) == 4
    assert {kind_of(scene, one) for one in verdict.events[1:]} == {"rescue"}


def kind_of(scene: Scene, event: bytes) -> str:
    table = next(iter(scene.honest.values()))
    entries = [entry for seat in SEATS for entry in table.log.entries_from(seat, 0)]
    return next(decode_event(entry.signed).kind for entry in entries if entry.signed and entry.id == event)


def test_a_discard_with_a_salt_of_its_own() -> None:
    """Nobody could turn it up if the seat vanished; so salts must come from the seed that is shared out."""
    scene, honest = before("discard")
    event = scene.cheat.say(replaced(honest, commitment=bytes(32)))
    scene.publish(event)
    scene.talk()
    assert all(table.verdict is None for table in scene.honest.values())
    rescued_conviction(scene, event, "bad-commitment")


def test_a_discard_of_a_card_that_was_gone() -> None:
    match = rich()
    place = next(
        n
        for n, event in enumerate(match.events)
        if event.kind == "discard" and event.body[0] == 0 and event.body[3] == 1 and earlier_discard(event)
    )
    honest = match.events[place]
    scene = Scene(match, place, honest.author)
    ring = scene.cheat.keyring
    earlier = earlier_discard(honest)
    assert earlier is not None
    held = facts_of(scene.cheat.match, 0)
    trick, on = earlier.body[1], earlier.body[2]
    assert isinstance(trick, int)
    assert isinstance(on, int)
    had = tuple(
        slot for slot, (owner, since) in held.holders.items() if owner == honest.author and since <= trick
    )
    commitment, count = earlier.body[4], earlier.body[3]
    assert isinstance(commitment, bytes)
    assert isinstance(count, int)
    slots = ring.recall_discard(0, trick, on, commitment, count, had)
    assert slots is not None
    now, on_now = honest.body[1], honest.body[2]
    assert isinstance(now, int)
    assert isinstance(on_now, int)
    event = scene.cheat.say(replaced(honest, commitment=ring.commit(0, now, on_now, slots[:1])))
    scene.publish(event)
    scene.talk()
    rescued_conviction(scene, event, "card-played-twice")


def earlier_discard(later: Event) -> Event | None:
    """A discard of the same seat in an earlier trick of the first deal, which stood."""
    for event in rich().events:
        if event is later:
            return None
        same = event.kind == "discard" and event.author == later.author and event.body[0] == 0
        if same and event.body[1] != later.body[1] and event.body[1] != 3:
            return event
    return None


def test_the_salts_follow_from_the_seed() -> None:
    ring = rich().setup.keyring(1)
    seeds = {discard_salt(bytes(32), 0, 1), discard_salt(bytes(32), 1, 1), ring.salt(0, 0, 1)}
    assert len(seeds) == 3
