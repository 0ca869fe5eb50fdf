"""What a seat knows is right, is all that it can know, and is taken from its view alone."""

from __future__ import annotations

import pytest

from engine import SEATS, STOCK_SIZE, Beat, Discard, MolodkaRule, Options, Phase, new_match, player_view
from engine.bits import ALL_CARDS, cards_of, mask_of, points_of, singles
from node.bots.knowledge import Knowledge, know, open_points
from tests.node.positions import all_positions, visited


def test_what_is_known_of_the_hands_is_true() -> None:
    for position in all_positions():
        knowledge, truth = know(position.view, position.seat), position.truth()
        assert knowledge.hand == truth.hands[position.seat]
        for seat in SEATS:
            assert knowledge.known[seat] & ~truth.hands[seat] == 0
            hidden = truth.hands[seat] & ~knowledge.known[seat]
            assert hidden.bit_count() == knowledge.unknown[seat]
            assert hidden & ~knowledge.pool == 0
        assert knowledge.unknown[position.seat] == 0


def test_the_pool_is_what_is_hidden() -> None:
    """Cards that were shown and discarded since are hidden again, though their owner is known."""
    again = 0
    for position in all_positions():
        knowledge, truth = know(position.view, position.seat), position.truth()
        here = len(position.tricks) - 1
        hidden = [hand & ~known for hand, known in zip(truth.hands, knowledge.known, strict=True)]
        hidden += [cards for (trick, _), cards in truth.discards.items() if trick < here]
        assert knowledge.pool == sum(hidden) + sum(truth.stock)
        seen = mask_of(position.shown())
        assert ALL_CARDS & ~seen & ~knowledge.pool == 0
        assert knowledge.pool & seen == sum(knowledge.owners)
        again += bool(knowledge.owners)
    assert again > 20


def test_cards_that_went_back_have_their_owner() -> None:
    """R14: what was seen stays seen."""
    owned = 0
    for position in all_positions():
        knowledge, truth = know(position.view, position.seat), position.truth()
        for card, (seat, trick) in knowledge.owners.items():
            (shown,) = cards_of(card)
            returned = position.tricks[trick].branches[:-1]
            assert any(
                shown in (play.cards or ())
                for branch in returned
                for play in branch.plays()
                if play.seat == seat and not isinstance(play, Discard)
            )
            # A lead that sends cards back is one of four, so its answer took the whole hand (R8, R13).
            assert truth.discards[trick, seat] & card
            owned += 1
    assert owned > 50


def test_rounds_are_the_tricks_on_the_lead_that_counts() -> None:
    """R14, R15."""
    returned = 0
    for position in all_positions():
        knowledge = know(position.view, position.seat)
        rounds = (*knowledge.rounds, knowledge.current)
        assert len(rounds) == len(position.tricks)
        for played, trick in zip(rounds, position.tricks, strict=True):
            assert played.entitled == trick.entitled
            branch = trick.effective
            plays = [] if branch is None else list(branch.plays())
            assert played.order == tuple(play.seat for play in plays)
            assert played.count == (0 if branch is None else len(branch.cards))
            hidden = {play.seat for play in plays if isinstance(play, Discard) and play.seat != position.seat}
            assert set(played.hidden) == hidden
            for play in plays:
                seen = 0 if play.seat in hidden else mask_of(play.cards or ())
                assert played.cards[play.seat] == seen
                assert bool(played.beat >> play.seat & 1) == isinstance(play, Beat)
            assert open_points(played) == sum(map(points_of, played.cards))
            if trick.best is not None:
                assert played.best == (trick.best[0], mask_of(trick.best[1]))
            returned += len(trick.branches) > 1
    assert returned > 50


def test_who_has_acted_has_played_on_any_lead() -> None:
    """R16: a seat whose play went back has acted all the same."""
    sent_back = 0
    for position in all_positions():
        knowledge, trick = know(position.view, position.seat), position.tricks[-1]
        for seat in SEATS:
            acted = any(play.seat == seat for play in trick.plays())
            assert bool(knowledge.acted >> seat & 1) == acted
            sent_back += acted and seat not in knowledge.current.order
    assert sent_back > 10


def test_the_deal_is_told_by_indicator_stock_and_options() -> None:
    for rule in MolodkaRule:
        for seed in range(5):
            for position in visited(seed, options=Options(molodka=rule)):
                knowledge = know(position.view, position.seat)
                assert position.state.indicator is not None
                assert knowledge.indicator == mask_of([position.state.indicator])
                assert knowledge.trump is position.state.trump
                assert knowledge.stock == len(position.stock)
                assert (knowledge.stock == STOCK_SIZE) == (not position.state.drawn)
                assert knowledge.molodka == (rule is MolodkaRule.ANYTIME)


def test_a_view_holds_all_that_is_known_and_the_full_state_more() -> None:
    more = 0
    for seed in range(8):
        for position in visited(seed):
            knowledge = know(position.view, position.seat)
            assert knowledge == know(player_view(position.view, position.seat), position.seat)
            more += know(position.state, position.seat) != knowledge
    assert more > 100, "it is not by being blind that the two are equal"


def test_there_is_nothing_to_know_before_a_trick() -> None:
    with pytest.raises(ValueError, match="no trick"):
        know(new_match(Options()), 0)
    *_, last = visited(1)
    assert last.state.phase is Phase.PLAYING
    assert isinstance(know(last.view, last.seat), Knowledge)


def test_an_unplayed_trick_has_no_best_set_but_an_entitled_seat() -> None:
    first = next(visited(1))
    current = know(first.view, first.seat).current
    assert (current.order, current.count, current.beat) == ((), 0, 0)
    assert current.entitled == first.state.leader
    assert list(current.hidden) == []
    assert singles(know(first.view, first.seat).pool & know(first.view, first.seat).indicator)
