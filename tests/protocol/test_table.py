"""The table: what one node does by itself, in which order, and what it refuses to sign."""

from __future__ import annotations

import pytest

from engine import SEATS, Discard, Lead, Molodka, Phase, Play, Seat, next_seat, parse_card, turn
from protocol.effects import Changed, Effect, Persist, Send
from protocol.errors import FrameRejected, PlayRefused
from protocol.events import SignedEvent
from protocol.replica import HAVE, parse_frame
from protocol.table import Table
from tests.protocol.matches import events_of, rich
from tests.protocol.tables import Network, events_in, hoard, set_up


def at_first_lead() -> Network:
    """Everybody has their cards and nobody has played."""
    network = Network(set_up(0), 0, policy=hoard, loss=0, repeat=0)
    network.start()
    network.settle()
    return network


@pytest.fixture(scope="module")
def dealt() -> Network:
    """The same for tests that change nothing."""
    return at_first_lead()


def loaded(seat: Seat, count: int) -> Table:
    """A table of the shared match with so many events on its disk."""
    table = rich().setup.table(seat)
    table.load(event.signed for event in rich().events[:count])
    return table


def refusal(table: Table, play: Play) -> str:
    """The code of the refusal of a play, which leaves the log as it was."""
    before = table.log.heads()
    with pytest.raises(PlayRefused) as caught:
        table.play(play)
    assert table.log.heads() == before
    return caught.value.code


def stored(effects: list[Effect]) -> list[SignedEvent]:
    """What effects put on disk."""
    return [event.signed for effect in effects if isinstance(effect, Persist) for event in effect.events]


def test_identity_must_be_the_one_in_the_roster() -> None:
    setup = set_up(0)
    with pytest.raises(ValueError, match="identity"):
        Table(setup.genesis, 0, setup.identities[1], setup.secrets[0])


def test_first_word_is_the_acceptance_on_disk_before_it_is_sent() -> None:
    table = set_up(0).table(2)
    persist, send, changed = table.start()
    assert isinstance(persist, Persist)
    assert [event.kind for event in persist.events] == ["accept"]
    assert isinstance(send, Send)
    assert send.peer is None
    assert events_in(send.frame) == [event.signed for event in persist.events]
    assert isinstance(changed, Changed)


def test_nothing_happens_before_all_have_accepted() -> None:
    setup = set_up(0)
    tables = [setup.table(seat) for seat in SEATS]
    frames = [effect.frame for t in tables[1:3] for effect in t.start() if isinstance(effect, Send)]
    tables[0].start()
    for frame in frames:
        tables[0].receive(b"a peer", frame)
    assert [event.kind for event in events_of(tables[0])] == ["accept"] * 3


def test_answers_go_to_who_asked(dealt: Network) -> None:
    fresh = set_up(0).table(1)
    (ask,) = [effect for effect in fresh.tick() if isinstance(effect, Send)]
    answers = [e for e in dealt.tables[0].receive(b"somebody", ask.frame) if isinstance(e, Send)]
    assert answers
    assert all(effect.peer == b"somebody" for effect in answers)


def test_level_with_a_peer_that_has_said_the_same(dealt: Network) -> None:
    network = at_first_lead()
    table = network.tables[0]
    assert not table.level_with(b"somebody")
    table.receive(b"somebody", network.tables[1].tick()[-1].frame)  # type: ignore[union-attr]
    assert table.level_with(b"somebody")
    greeting = table.peer_changed(b"somebody")
    assert [parse_frame(effect.frame)[0] for effect in greeting if isinstance(effect, Send)] == [HAVE]
    assert not table.level_with(b"somebody")
    table.receive(b"somebody", set_up(0).table(1).tick()[-1].frame)  # type: ignore[union-attr]
    assert not table.level_with(b"somebody")
    assert dealt.tables[0].state == table.state


def test_frames_of_another_match_are_refused(dealt: Network) -> None:
    foreign = set_up(1).table(0).tick()[-1]
    assert isinstance(foreign, Send)
    with pytest.raises(FrameRejected):
        dealt.tables[0].receive(b"somebody", foreign.frame)


def test_plays_that_are_refused(dealt: Network) -> None:
    table = next(t for t in dealt.tables if turn(t.state) == t.seat)
    other = dealt.tables[next_seat(table.seat)]
    mine = sorted(table.state.hands[table.seat].known)
    theirs = sorted(other.state.hands[other.seat].known)
    assert refusal(table, Lead(other.seat, (theirs[0],))) == "not-your-seat"
    assert refusal(other, Lead(other.seat, (theirs[0],))) == "not-your-lead"
    assert refusal(table, Lead(table.seat, (theirs[0],))) == "card-not-held"
    assert refusal(other, Molodka(other.seat, tuple(theirs))) == "mixed-suits"
    assert refusal(other, Discard(other.seat, 1, (theirs[0],), table.seat)) == "no-such-lead"
    assert refusal(table, Lead(table.seat, ())) == "wrong-count"
    assert table.legal()
    assert not other.legal() or all(isinstance(play, Molodka) for play in other.legal())
    assert len(mine) == 4


def test_no_play_before_the_cards_are_dealt() -> None:
    table = loaded(0, 8)
    assert table.legal() == []
    assert refusal(table, Lead(0, (parse_card("6c"),))) == "wrong-phase"


def test_no_play_while_a_draw_is_under_way() -> None:
    """The next trick begins when all four have given their shares: until then somebody is short of cards."""
    last = rich().index("draw", 3)
    author = rich().events[last].author
    table = loaded(author, last)
    assert table.state.phase is Phase.DRAWING
    assert table.legal() == []
    assert refusal(table, Lead(author, (parse_card("6c"),))) == "wrong-phase"


def test_a_play_is_on_disk_before_it_is_sent() -> None:
    network = at_first_lead()
    table = next(t for t in network.tables if turn(t.state) == t.seat)
    effects = table.play(table.legal()[0])
    kinds = [type(effect) for effect in effects]
    assert kinds.index(Persist) < kinds.index(Send)
    sent = [signed for e in effects if isinstance(e, Send) for signed in events_in(e.frame)]
    assert sent
    assert set(sent) <= set(stored(effects))


def test_events_of_others_are_on_disk_before_an_own_one_refers_to_them() -> None:
    network = at_first_lead()
    disks = network.disks
    for seat, table in enumerate(network.tables):
        for own in (event for event in events_of(table) if event.author == seat):
            place = disks[seat].index(own.signed)
            before = {(e.author, e.seq) for e in events_of(table) if e.signed in disks[seat][:place]}
            seen = {(other, seq) for other in SEATS if other != seat for seq in range(own.vector[other] + 1)}
            assert seen <= before


@pytest.mark.parametrize("count", [0, 4, 12, 16, 20, 40, 70, 71, 72])
def test_a_restarted_table_owes_exactly_what_it_owed(count: int) -> None:
    """The same events, to the byte, from the same log: so what was signed before a crash is signed again."""
    for seat in SEATS:
        first, second = loaded(seat, count), loaded(seat, count)
        once, again = first.start() + first.work(), second.start() + second.work()
        assert stored(once) == stored(again)
        assert first.state == second.state
        heads = first.log.heads()
        third = rich().setup.table(seat)
        third.load([*(event.signed for event in rich().events[:count]), *stored(once)])
        third.start()
        assert third.log.heads() == heads  # nothing is signed twice


def test_a_restarted_table_knows_its_cards_and_its_discards() -> None:
    for seat in SEATS:
        table = rich().setup.table(seat)
        table.load(rich().disks[seat])
        assert table.state == rich().tables[seat].state
        assert table.finished


def test_loading_sends_nothing_and_a_second_start_adds_nothing() -> None:
    table = rich().setup.table(0)
    table.load(rich().disks[0])
    heads = table.log.heads()
    sends = [effect for effect in table.start() if isinstance(effect, Send)]
    assert all(not events_in(effect.frame) for effect in sends)
    assert table.log.heads() == heads


def test_a_tick_says_what_is_here(dealt: Network) -> None:
    effect = dealt.tables[0].tick()[-1]
    assert isinstance(effect, Send)
    assert parse_frame(effect.frame)[0] == HAVE
    assert effect.peer is None
