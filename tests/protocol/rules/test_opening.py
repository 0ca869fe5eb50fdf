"""Acceptance and coin: what a seat can do wrong before any card exists."""

from __future__ import annotations

from protocol.bodies import Accept, CoinCommit, CoinReveal, Key
from protocol.crypto.commitment import coin_dealer, commit_coin
from protocol.fields import PARTS_BYTES
from tests.protocol.cheats import Scene, caught
from tests.protocol.matches import rich

NONCE = b"another nonce".ljust(32)


def test_the_coin_is_what_all_four_nonces_give() -> None:
    match = rich().tables[0].match
    nonces = [fact[0] for fact in match.coin_reveals if fact]
    assert match.finished[0]["dealer"] == coin_dealer(match.genesis.match_id, nonces)


def test_first_event_is_no_acceptance() -> None:
    scene = Scene(rich(), 0, 1)
    event = scene.cheat.say(CoinCommit(NONCE))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_second_acceptance() -> None:
    scene = Scene(rich(), 4, 1)
    event = scene.cheat.say(Accept(NONCE))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_commitment_before_all_have_accepted() -> None:
    scene = Scene(rich(), 3, rich().events[0].author)
    event = scene.cheat.say(CoinCommit(NONCE))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_key_before_all_have_accepted() -> None:
    scene = Scene(rich(), 3, rich().events[0].author)
    event = scene.cheat.say(Key(0, NONCE, NONCE * 2, bytes(PARTS_BYTES)))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_nonce_before_all_have_committed() -> None:
    """Who could wait for the others' nonces could choose the dealer."""
    last = rich().index("coin-commit", -1)
    author = rich().events[rich().index("coin-commit")].author
    scene = Scene(rich(), last, author)
    event = scene.cheat.say(CoinReveal(scene.cheat.keyring.coin_nonce()))
    scene.publish(event)
    caught(scene, "out-of-order", event.id)


def test_second_commitment() -> None:
    count = rich().index("coin-reveal")
    scene = Scene(rich(), count, 2)
    event = scene.cheat.say(CoinCommit(commit_coin(scene.setup.genesis.match_id, 2, NONCE)))
    scene.publish(event)
    caught(scene, "repeated", event.id)


def test_second_nonce() -> None:
    count = rich().index("deal")
    scene = Scene(rich(), count, 2)
    event = scene.cheat.say(CoinReveal(scene.cheat.keyring.coin_nonce()))
    scene.publish(event)
    caught(scene, "repeated", event.id)


def test_another_nonce_than_the_one_committed_to() -> None:
    count = rich().index("coin-reveal")
    scene = Scene(rich(), count, rich().events[count].author)
    event = scene.cheat.say(CoinReveal(NONCE))
    scene.publish(event)
    caught(scene, "bad-coin", event.id)
