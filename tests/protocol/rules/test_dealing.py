"""Keys, shuffles and shares: whoever tampers with the deal is named at once, by everybody."""

from __future__ import annotations

import pytest

from engine import SEATS, next_seat
from protocol.bodies import Dealt, Drawn, Key, Shuffle
from protocol.crypto.group import base
from protocol.crypto.keys import prove_key
from protocol.crypto.masking import Deck, decode_deck, encode_deck
from protocol.crypto.share import make_share
from protocol.crypto.shuffle import prove_shuffle, shuffle
from protocol.facts import INDICATOR_SLOT
from protocol.fields import DECK, PARTS_BYTES, STOCK
from tests.protocol.cheats import Cheat, Scene, before, caught, flipped, replaced
from tests.protocol.matches import facts_of, rich


def index_of(kind: str, *body: object) -> int:
    """Where the first event of a kind stands whose body begins like this."""
    return next(
        place
        for place, event in enumerate(rich().events)
        if event.kind == kind and event.body[: len(body)] == body
    )


# Keys


def test_key_of_somebody_else() -> None:
    """Who could take a key without knowing its secret could choose the joint key."""
    scene, _ = before("key", 1)
    other = next(fact for fact in scene.cheat.match.current.keys if fact)
    proof = rich().events[rich().index("key")].body[2]
    assert isinstance(proof, bytes)
    event = scene.cheat.say(Key(0, other.public, proof, bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "bad-key-proof", event.id)


@pytest.mark.parametrize(
    "key", [bytes(32), bytes([1]) + bytes(31), b"\xff" * 32], ids=["order 4", "identity", "not canonical"]
)
def test_key_that_is_no_element_of_the_group(key: bytes) -> None:
    scene, honest = before("key")
    event = scene.cheat.say(replaced(honest, public=key))
    scene.publish(event)
    caught(scene, "bad-key-proof", event.id)


def test_key_with_a_proof_for_another_deal() -> None:
    scene, _ = before("key")
    ring = scene.cheat.keyring
    secret = ring.deal_key(0)
    proof = prove_key(ring.context(1, "key"), secret, base(secret))
    event = scene.cheat.say(Key(0, base(secret), proof.to_bytes(), bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "bad-key-proof", event.id)


def test_second_key() -> None:
    scene, _ = before("shuffle")
    ring = scene.cheat.keyring
    proof = prove_key(ring.context(0, "key"), 5, base(5))
    event = scene.cheat.say(Key(0, base(5), proof.to_bytes(), bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "repeated", event.id)


def test_key_for_a_deal_too_far_ahead() -> None:
    scene, _ = before("lead")
    event = scene.cheat.say(Key(2, base(5), bytes(64), bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_key_for_the_next_deal_before_this_one_is_dealt() -> None:
    scene, _ = before("deal")
    event = scene.cheat.say(Key(1, base(5), bytes(64), bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


# Shuffles


def own_shuffle(cheat: Cheat, deck: Deck, claimed: Deck | None = None) -> Shuffle:
    """A shuffle of a deck of the cheat's choice with a proof of it; `claimed` is what it then shows."""
    deal = cheat.match.current
    assert deal.joint is not None
    ring = cheat.keyring
    after, witness = shuffle(deck, deal.joint, ring.shuffle_stream(0, DECK, b"a cheat's choice"))
    proof = prove_shuffle(ring.context(0, DECK), deal.joint, deck, after, witness, ring.proof_secret)
    return Shuffle(0, DECK, encode_deck(claimed or after), proof.to_bytes())


def duplicated(deck: Deck) -> Deck:
    """The deck with its first card in the place of the second as well."""
    return (deck[0], deck[0], *deck[2:])


@pytest.mark.parametrize("step", SEATS)
def test_deck_with_a_card_twice(step: int) -> None:
    scene, _ = before("shuffle", step)
    deck = scene.cheat.match.current.deck.last
    assert deck is not None
    event = scene.cheat.say(own_shuffle(scene.cheat, duplicated(deck)))
    scene.publish(event)
    caught(scene, "bad-shuffle", event.id, explanation="deck")


def test_deck_that_is_not_the_proven_one() -> None:
    scene, _ = before("shuffle", 1)
    deck = scene.cheat.match.current.deck.last
    assert deck is not None
    honest = own_shuffle(scene.cheat, deck)
    after = decode_deck(honest.deck, 36)
    event = scene.cheat.say(own_shuffle(scene.cheat, deck, duplicated(after)))
    scene.publish(event)
    caught(scene, "bad-shuffle", event.id)


def test_deck_of_the_start_instead_of_the_deck_of_the_seat_before() -> None:
    """Undoing the shuffles of the others would leave the last one alone in knowing the order."""
    scene, _ = before("shuffle", 3)
    deck = scene.cheat.match.current.deck.start
    assert deck is not None
    event = scene.cheat.say(own_shuffle(scene.cheat, deck))
    scene.publish(event)
    caught(scene, "bad-shuffle", event.id)


@pytest.mark.parametrize(
    "nth", [0, 3, 4, 7], ids=["first", "last", "first of the stock", "last of the stock"]
)
@pytest.mark.parametrize("field", ["deck", "proof"])
def test_one_bit_of_a_shuffle(nth: int, field: str) -> None:
    stock = [place for place, e in enumerate(rich().events) if e.kind == "shuffle" and e.body[1] == STOCK]
    count = stock[nth - 4] if nth > 3 else rich().index("shuffle", nth)
    honest = rich().events[count]
    scene = Scene(rich(), count, honest.author)
    value = honest.body[2 if field == "deck" else 3]
    assert isinstance(value, bytes)
    event = scene.cheat.say(replaced(honest, **{field: flipped(value, 700)}))
    scene.publish(event)
    caught(scene, "bad-shuffle", event.id)


@pytest.mark.parametrize("proof", [b"", bytes(100), bytes(4768)], ids=len)
def test_proof_of_another_size(proof: bytes) -> None:
    scene, honest = before("shuffle")
    event = scene.cheat.say(replaced(honest, proof=proof))
    scene.publish(event)
    caught(scene, "bad-shuffle", event.id)


def test_whole_deck_where_the_stock_is_due() -> None:
    count = index_of("shuffle", 0, STOCK)
    honest = rich().events[count]
    scene = Scene(rich(), count, honest.author)
    event = scene.cheat.say(replaced(honest, deck=rich().events[rich().index("shuffle")].body[2]))
    scene.publish(event)
    caught(scene, "bad-shuffle", event.id)


def test_shuffle_out_of_turn() -> None:
    scene, honest = before("shuffle", 1)
    scene = Scene(rich(), rich().index("shuffle", 1), next_seat(honest.author))
    event = scene.cheat.say(replaced(honest))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_second_shuffle() -> None:
    first = rich().events[rich().index("shuffle")]
    scene = Scene(rich(), rich().index("shuffle", 1), first.author)
    event = scene.cheat.say(replaced(first))
    scene.publish(event)
    caught(scene, "repeated", event.id)


def test_stock_shuffled_before_the_indicator_is_open() -> None:
    scene, _ = before("deal")
    event = scene.cheat.say(Shuffle(0, STOCK, bytes(64 * 20), b""))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_next_deck_shuffled_with_a_key_missing() -> None:
    dealt = rich().index("deal", 3)
    scene = Scene(rich(), dealt + 1, rich().events[dealt].author)
    event = scene.cheat.say(Shuffle(1, DECK, bytes(64 * 36), b""))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


# Shares


@pytest.mark.parametrize("place", [0, 5, 12], ids=["first card", "sixth card", "indicator"])
@pytest.mark.parametrize("part", [0, 40, 70], ids=["point", "challenge", "response"])
def test_one_bit_of_a_share(place: int, part: int) -> None:
    scene, honest = before("deal", 1)
    shares = honest.body[1]
    assert isinstance(shares, bytes)
    event = scene.cheat.say(Dealt(0, flipped(shares, 96 * place + part)))
    scene.publish(event)
    slots = (*scene.cheat.match.current.hand_slots_of_others(scene.cheat.seat), INDICATOR_SLOT)
    caught(scene, "bad-share", event.id, explanation=f"slot {slots[place]} ")


def test_shares_of_two_cards_exchanged() -> None:
    """Each card would go to a seat that it was not dealt to."""
    scene, honest = before("deal")
    shares = honest.body[1]
    assert isinstance(shares, bytes)
    event = scene.cheat.say(Dealt(0, shares[96:192] + shares[:96] + shares[192:]))
    scene.publish(event)
    caught(scene, "bad-share", event.id)


def test_share_made_with_another_key() -> None:
    """A different card would come out, and a proof of the wrong statement does not help."""
    scene, honest = before("deal")
    deal, ring = scene.cheat.match.current, scene.cheat.keyring
    shares, final = honest.body[1], deal.deck.final
    assert isinstance(shares, bytes)
    assert final is not None
    slot = deal.hand_slots_of_others(scene.cheat.seat)[0]
    false = make_share(ring.context(0, DECK), slot, 7, base(7), final[slot], ring.proof_secret)
    event = scene.cheat.say(Dealt(0, false.to_bytes() + shares[96:]))
    scene.publish(event)
    caught(scene, "bad-share", event.id)


def test_shares_before_the_deck_is_final() -> None:
    scene, _ = before("shuffle", 3)
    event = scene.cheat.say(Dealt(0, bytes(96 * 13)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_shares_of_the_next_deal_before_this_one_is_over() -> None:
    """The next deck may be ready; its cards are for nobody's eyes yet."""
    scene, _ = before("open")
    assert facts_of(scene.cheat.match, 1).deck.final is not None
    event = scene.cheat.say(Dealt(1, bytes(96 * 13)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_second_time() -> None:
    scene, honest = before("deal", 0)
    scene = Scene(rich(), rich().index("lead"), honest.author)
    event = scene.cheat.say(replaced(honest))
    scene.publish(event)
    caught(scene, "repeated", event.id)


def test_bad_share_of_a_drawn_card() -> None:
    scene, honest = before("draw")
    shares = honest.body[2]
    assert isinstance(shares, bytes)
    event = scene.cheat.say(replaced(honest, shares=flipped(shares)))
    scene.publish(event)
    caught(scene, "bad-share", event.id)


def test_draw_while_the_trick_is_played() -> None:
    """A share for the top of the stock would show somebody a card before it is theirs."""
    scene, _ = before("beat" if rich().index("beat") < rich().index("discard") else "discard")
    event = scene.cheat.say(Drawn(0, 0, bytes(96 * 3)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_draw_of_a_trick_that_does_not_exist() -> None:
    scene, _ = before("draw")
    event = scene.cheat.say(Drawn(0, 9, bytes(96 * 3)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_draw_for_more_cards_than_are_due() -> None:
    scene, honest = before("draw")
    shares = honest.body[2]
    assert isinstance(shares, bytes)
    event = scene.cheat.say(replaced(honest, shares=shares[:96] + shares))
    scene.publish(event)
    caught(scene, "malformed-body", event.id)


def test_draw_after_the_stock_has_run_out() -> None:
    scene, _ = before("open")
    last = len(scene.cheat.match.current.tricks) - 1
    event = scene.cheat.say(Drawn(0, last, bytes(96)))
    scene.publish(event)
    caught(scene, "share-not-due", event.id)


def test_second_draw() -> None:
    scene, honest = before("draw")
    count = rich().index("lead", 1)
    scene = Scene(rich(), count, honest.author)
    event = scene.cheat.say(replaced(honest))
    scene.publish(event)
    caught(scene, "repeated", event.id)
