"""Coming back after a restart: nothing is signed before it is known what was signed already (§9.5)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from engine import SEATS, Seat
from protocol.effects import Effect, Later, Persist, Send
from protocol.errors import PlayRefused
from protocol.events import Ref, SignedEvent, decode_event
from protocol.recovery import Recovery
from protocol.table import Table
from tests.protocol.matches import Played, events_of, rich
from tests.protocol.tables import name_of

ME: Seat = 1
OTHERS = [seat for seat in SEATS if seat != ME]
PEERS: dict[Seat, bytes] = {0: b"a", 2: b"b", 3: b"c"}
HASH = bytes(32)


def heads_with(length: int) -> list[Ref | None]:
    """Heads of a peer that has so many events of this seat's feed."""
    return [Ref(length - 1, HASH) if seat == ME and length else None for seat in SEATS]


def test_done_when_all_have_spoken_and_none_has_more() -> None:
    recovery = Recovery(ME, PEERS)
    for peer in (b"a", b"b"):
        recovery.heard(peer, heads_with(3))
        assert not recovery.done(3)
    recovery.heard(b"c", heads_with(5))
    assert recovery.unheard == set()
    assert not recovery.done(3)
    assert not recovery.done(4)
    assert recovery.done(5)


def test_what_is_not_delivered_is_not_waited_for_without_end() -> None:
    recovery = Recovery(ME, PEERS)
    for peer in (b"a", b"b"):
        recovery.heard(peer, heads_with(0))
    for _ in range(100):
        recovery.tick()
    assert not recovery.done(0), "time alone is no reason while somebody has not spoken"
    recovery.heard(b"c", heads_with(1000))
    ticks = 0
    while not recovery.done(0):
        recovery.tick()
        ticks += 1
    assert ticks == 30


def test_a_seat_that_is_lost_need_not_be_heard() -> None:
    recovery = Recovery(ME, PEERS)
    recovery.heard(b"a", heads_with(3))
    assert not any(recovery.done(5, seat) for seat in SEATS), "two are still to be heard"
    recovery.heard(b"b", heads_with(5))
    assert not recovery.done(4, 3), "what the others know has not arrived"
    assert recovery.done(5, 3)
    assert not recovery.done(5)
    assert not any(recovery.done(5, seat) for seat in PEERS if seat != 3)
    recovery.heard(b"c", heads_with(6))
    assert not recovery.done(5, 3), "it has come back, and knows more"


def test_a_stranger_is_not_listened_to() -> None:
    recovery = Recovery(ME, PEERS)
    for peer in PEERS.values():
        recovery.heard(peer, heads_with(2))
    recovery.heard(b"x", heads_with(7))
    assert recovery.done(2)


def own_events(effects: Iterable[Effect]) -> list[SignedEvent]:
    """What effects put on disk of this seat's own."""
    stored = [event for effect in effects if isinstance(effect, Persist) for event in effect.events]
    return [event.signed for event in stored if event.author == ME]


class Return:
    """One seat comes back with a part of its disk; the three others still run and have the whole log."""

    def __init__(self, match: Played, disk: list[SignedEvent]) -> None:
        self.others = {name_of(seat): _running(match, seat) for seat in OTHERS}
        self.table = match.setup.table(ME)
        self.table.load(disk, {seat: name_of(seat) for seat in OTHERS})
        self.signed = own_events(self.table.start())

    def hear(self, peer: bytes) -> None:
        """Exchange with one peer until neither has anything to say to the other."""
        queue = [(self.others[peer], e.frame) for e in self.table.peer_changed(peer) if isinstance(e, Send)]
        queue += [(self.table, e.frame) for e in self.others[peer].peer_changed(b"me") if isinstance(e, Send)]
        while queue:
            receiver, frame = queue.pop(0)
            back = self.others[peer] if receiver is self.table else self.table
            effects = receiver.receive(b"me" if receiver is not self.table else peer, frame)
            if receiver is self.table:
                self.signed += own_events(effects)
            queue += [(back, e.frame) for e in effects if isinstance(e, Send)]


def _running(match: Played, seat: Seat) -> Table:
    table = match.setup.table(seat)
    table.load(event.signed for event in match.events)
    return table


@pytest.mark.parametrize("kept", [0, 1, 40, 120])
def test_an_old_backup_signs_nothing_and_takes_its_own_feed_back(kept: int) -> None:
    match = rich()
    back = Return(match, [event.signed for event in match.events[:kept]])
    assert back.table.unheard == set(OTHERS)
    for peer in back.others:
        assert not back.table.legal()
        back.hear(peer)
    assert set(back.signed) <= {event.signed for event in match.events}, "nothing was signed anew"
    assert back.table.unheard == set()
    assert back.table.log.heads() == back.others[name_of(0)].log.heads()
    assert back.table.state == match.tables[ME].state, "it knows all its cards again"
    assert not back.table.cloned
    assert back.table.verdict is None


def test_it_goes_on_when_all_three_have_answered_and_not_before() -> None:
    """The match stops where this seat owes something: with two answers it waits, with the third it acts."""
    match = rich()
    place = next(n for n, event in enumerate(match.events) if event.kind == "open" and event.author == ME)
    disk = [event.signed for event in match.events[:place]]
    table = match.setup.table(ME)
    table.load(disk, {seat: name_of(seat) for seat in OTHERS})
    assert own_events(table.start()) == []
    silent = match.setup.table(0)
    silent.load(disk)
    (have,) = [effect.frame for effect in silent.peer_changed(b"me") if isinstance(effect, Send)]
    for seat in OTHERS[:2]:
        assert own_events(table.receive(name_of(seat), have)) == []
        assert own_events(table.tick()) == []
        assert not any(isinstance(effect, Later) for effect in table.work())
    signed = own_events(table.receive(name_of(OTHERS[2]), have))
    assert [decode_event(event).kind for event in signed][:1] == ["open"]


def test_a_play_is_refused_while_it_is_not_known_what_was_played() -> None:
    match = rich()
    place = next(
        n for n, e in enumerate(match.events) if e.kind in ("lead", "beat", "discard") and e.author == ME
    )
    table = match.setup.table(ME)
    table.load((event.signed for event in match.events[:place]), {seat: name_of(seat) for seat in OTHERS})
    free = match.setup.table(ME)
    free.load(event.signed for event in match.events[:place])
    play = free.legal()[0]
    assert not table.legal()
    with pytest.raises(PlayRefused) as refused:
        table.play(play)
    assert refused.value.code == "recovering"


def test_a_clone_is_noticed_and_nothing_more_is_signed() -> None:
    """Another program with this seat's key plays on: its event comes in, and this one falls silent."""
    match = rich()
    place = next(n for n, e in enumerate(match.events) if e.kind == "draw" and e.author == ME)
    table = match.setup.table(ME)
    table.load(event.signed for event in match.events[:place])
    clone = match.setup.table(ME)
    clone.load(event.signed for event in match.events[:place])
    (frame,) = [effect.frame for effect in clone.start() if isinstance(effect, Send)]
    before = table.log.length(ME)
    effects = table.receive(name_of(0), frame)
    assert table.cloned
    arrived = [event.signed for event in events_of(clone) if event.author == ME][before:]
    assert own_events(effects) in ([], arrived), "the clone's events may be kept, nothing of our own is made"
    assert own_events(table.start()) in ([], arrived)
    assert table.log.head(ME) == clone.log.head(ME)
    assert not table.legal()
