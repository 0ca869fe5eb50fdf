"""A spectator follows a match, judges it as the players do, and can learn no card that is not public."""

from __future__ import annotations

from random import Random

import pytest

from engine import SEATS
from protocol.audit import Finding
from protocol.crypto.errors import NotACard
from protocol.crypto.group import mul
from protocol.crypto.share import open_card
from protocol.errors import FrameRejected
from protocol.events import SignedEvent
from protocol.spectator import Showcase, Spectator
from tests.protocol.cheats import told_twice
from tests.protocol.matches import Played, audit, log_file, played, rich


def talk(showcase: Showcase, spectator: Spectator, rng: Random | None = None) -> None:
    """Carry frames until the spectator has all that is shown; with `rng` a third of them are lost."""
    quiet = 0
    while quiet < 3:
        replies = showcase.answer(spectator.have_frame())
        arrived = [frame for frame in replies if rng is None or rng.random() > 1 / 3]
        new = [spectator.receive(frame) for frame in arrived]
        while spectator.has_work:
            spectator.work()
        quiet = 0 if any(new) or len(arrived) < len(replies) else quiet + 1


def watched(match: Played, count: int | None = None) -> Spectator:
    showcase, spectator = Showcase(match.setup.genesis), Spectator(match.setup.genesis)
    showcase.show([event.signed for event in match.events[:count]])
    talk(showcase, spectator)
    return spectator


def test_a_spectator_comes_to_the_players_own_end() -> None:
    match = rich()
    spectator = watched(match)
    table = match.tables[0].match
    assert spectator.finished
    assert spectator.state == table.state
    assert spectator.match.finished == table.finished
    assert spectator.match.checks == table.checks
    assert audit(log_file(match.setup.genesis, spectator.events())).finding is Finding.FAIR


def test_frames_that_are_lost_come_again() -> None:
    match = rich()
    showcase, spectator, rng = Showcase(match.setup.genesis), Spectator(match.setup.genesis), Random(5)
    events = [event.signed for event in match.events]
    while events:
        count = rng.randint(1, 40)
        for frame in showcase.show(events[:count]):
            if rng.random() > 1 / 3:
                spectator.receive(frame)
        del events[:count]
    talk(showcase, spectator, rng)
    assert spectator.log.heads() == match.tables[0].log.heads()
    assert spectator.finished


def test_a_spectator_sees_what_the_public_sees_at_every_moment() -> None:
    match = rich()
    spectator = Spectator(match.setup.genesis)
    showcase = Showcase(match.setup.genesis)
    for event in match.events:
        for frame in showcase.show([event.signed]):
            assert spectator.receive(frame)
        deal = spectator.match.current
        if deal.state is None or deal.played_out:
            continue
        shown = set(deal.shown.values())
        known = {card for hand in spectator.state.hands for card in hand.known}
        assert known <= shown, "a card in a hand is known only where it was shown and went back"


def test_what_a_spectator_has_can_open_no_hidden_card() -> None:
    """Of each card in a hand or in the stock the log lacks a share, so nothing that it holds opens it.

    The share that is missing is the owner's; with it the same arithmetic opens the card.
    """
    match = rich()
    rings = [match.setup.keyring(seat) for seat in SEATS]
    tried = 0
    for count in range(match.index("lead"), match.index("open")):
        spectator = watched(match, count) if count % 6 == 0 else None
        if spectator is None or spectator.match.current.number != 0:
            continue
        deal = spectator.match.current
        for slot in set(deal.holders) - set(deal.shown):
            owner, _ = deal.holders[slot]
            there = deal.shares.get(slot, {})
            assert set(there) <= set(SEATS) - {owner}
            if len(there) == 3:
                tried += 1
                ciphertext = deal.ciphertext(slot)
                with pytest.raises(NotACard):
                    open_card(ciphertext, list(there.values()))
                own = mul(rings[owner].deal_key(0), ciphertext.a)
                assert open_card(ciphertext, [*there.values(), own]) in range(36)
    assert tried > 20


def test_a_spectator_of_a_cheat_comes_to_the_players_verdict() -> None:
    match = rich()
    count, honest, twin = told_twice(match)
    showcase, spectator = Showcase(match.setup.genesis), Spectator(match.setup.genesis)
    showcase.show([*(event.signed for event in match.events[: count + 1]), twin.signed])
    talk(showcase, spectator)
    verdict = audit(log_file(match.setup.genesis, spectator.events())).verdict
    assert spectator.match.verdict is not None
    assert spectator.match.verdict == verdict
    assert spectator.match.verdict.culprit == honest.author
    assert spectator.finished


def test_what_a_spectator_sends_changes_nothing() -> None:
    match, other = rich(), played(4)
    showcase = Showcase(match.setup.genesis)
    showcase.show([event.signed for event in match.events[:50]])
    whole = Spectator(match.setup.genesis)
    for event in match.events:
        whole.receive(pushed(match, event.signed))
    before = showcase.answer(Spectator(match.setup.genesis).have_frame())
    with pytest.raises(FrameRejected, match="nothing else"):
        showcase.answer(pushed(match, match.events[50].signed))
    for spectator in (whole, Spectator(other.setup.genesis)):
        if spectator is whole:
            showcase.answer(spectator.have_frame())
        else:
            with pytest.raises(FrameRejected):
                showcase.answer(spectator.have_frame())
    assert showcase.answer(Spectator(match.setup.genesis).have_frame()) == before


def pushed(match: Played, event: SignedEvent) -> bytes:
    return match.tables[0]._replica.events_frame([event])


def test_nothing_is_shown_before_it_is_due() -> None:
    """What has not been given to the showcase cannot be got out of it."""
    match = rich()
    showcase, spectator = Showcase(match.setup.genesis), Spectator(match.setup.genesis)
    showcase.show([event.signed for event in match.events[:60]])
    talk(showcase, spectator)
    assert len(spectator.log) == 60
