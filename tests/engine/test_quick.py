"""The fast engine plays the same game as the readable one, and the comparison would tell if it did not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine import SEATS, Options, Phase, Seat, Suit, quick
from engine.bits import ALL_CARDS, SUIT_MASKS, CardSet, beating_sets, points_of
from engine.quick import BEAT, CARDS, DISCARD, OPEN, QuickDeal
from tests.engine.quick_beside import play_beside, quick_from
from tests.engine.strategies import Player, deck_with_fours, random_play, shuffled


def fresh(seed: int, *fours: Seat) -> QuickDeal:
    """A deal before its first trick, in which these seats have four of a suit."""
    rng = Random(seed)
    player = Player(rng, Options(), random_play)
    player.deal(deck_with_fours(rng, fours) if fours else shuffled(rng))
    return quick_from(player)


def snapshot(deal: QuickDeal) -> list[object]:
    """Everything that a deal holds, in copies."""
    held = (getattr(deal, name) for name in QuickDeal.__slots__)
    return [value[:] if isinstance(value, list) else value for value in held]


def play_on(deal: QuickDeal, rng: Random, plays: int = 100) -> None:
    """Random plays, claims among them."""
    while plays and not deal.over:
        seat = rng.choice([seat for seat in SEATS if any(True for _ in deal.moves(seat))])
        deal.play(seat, rng.choice(list(deal.moves(seat))))
        plays -= 1


def test_both_engines_play_the_same_deals() -> None:
    assert sum(play_beside(seed) for seed in range(150)) > 2500


@pytest.mark.long
def test_both_engines_play_the_same_for_many_thousand_plays() -> None:
    plays, seed = 0, 10_000
    while plays < 200_000:
        plays += play_beside(seed)
        seed += 1


# The comparison finds mistakes

Plant = Callable[[pytest.MonkeyPatch], None]


def nearest_is_farthest(patch: pytest.MonkeyPatch) -> None:
    """R15 the wrong way around."""
    right = quick._nearer
    patch.setattr(quick, "_nearer", lambda entitled, seat, other: not right(entitled, seat, other))


def draws_begin_left_of_the_taker(patch: pytest.MonkeyPatch) -> None:
    """R12 with the order of the draw shifted: the taker last."""

    def take(deal: QuickDeal) -> None:
        stock, count, taker = deal.stock, deal.count, deal.taker
        deal.stock = []
        right(deal)
        for _ in range(min(count, len(stock) // 4)):
            for step in (1, 2, 3, 4):
                deal.hands[taker + step & 3] |= stock.pop()
        deal.stock = stock

    right = QuickDeal._take
    patch.setattr(QuickDeal, "_take", take)


def draws_four_cards_each_at_once(patch: pytest.MonkeyPatch) -> None:
    """R12 seat by seat instead of one card at a time."""

    def take(deal: QuickDeal) -> None:
        stock, count, taker = deal.stock, deal.count, deal.taker
        deal.stock = []
        right(deal)
        drawn = min(count, len(stock) // 4)
        for step in SEATS:
            for _ in range(drawn):
                deal.hands[taker + step & 3] |= stock.pop()
        deal.stock = stock

    right = QuickDeal._take
    patch.setattr(QuickDeal, "_take", take)


def trumps_do_not_beat_other_suits(patch: pytest.MonkeyPatch) -> None:
    """R2 without trump."""

    def plain(hand: CardSet, best: CardSet, trump: Suit) -> tuple[CardSet, ...]:
        trumps = SUIT_MASKS[trump]
        sets = beating_sets(hand, best, trump)
        return tuple(new for new in sets if (new & trumps).bit_count() <= (best & trumps).bit_count())

    patch.setattr(quick, "beating_sets", plain)


def the_leader_takes(patch: pytest.MonkeyPatch) -> None:
    """R11 broken: who beats does not get the trick."""

    def take(deal: QuickDeal) -> None:
        deal.taker = deal.leader
        right(deal)

    right = QuickDeal._take
    patch.setattr(QuickDeal, "_take", take)


def discards_do_not_count(patch: pytest.MonkeyPatch) -> None:
    """R11 broken: the points of all but the lead and the best set are lost."""

    def take(deal: QuickDeal) -> None:
        team, before = deal.taker & 1, sum(deal.points)
        shown = deal.best | deal.played[deal.leader]
        right(deal)
        deal.points[team] += points_of(shown) - (sum(deal.points) - before)

    right = QuickDeal._take
    patch.setattr(QuickDeal, "_take", take)


def who_has_played_may_still_claim(patch: pytest.MonkeyPatch) -> None:
    """R16 forgotten."""

    def may_claim(deal: QuickDeal, seat: Seat) -> bool:
        acted, deal.acted = deal.acted, 0
        answer = right(deal, seat)
        deal.acted = acted
        return answer

    right = QuickDeal.may_claim
    patch.setattr(QuickDeal, "may_claim", may_claim)


def claims_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """R13 forgotten."""
    patch.setattr(quick, "FOURS", frozenset[CardSet]())


def claims_are_always_on(patch: pytest.MonkeyPatch) -> None:
    """The option molodka=off forgotten."""

    def copy(deal: QuickDeal) -> QuickDeal:
        other = right(deal)
        other.molodka = True
        return other

    right = QuickDeal.copy
    patch.setattr(QuickDeal, "copy", copy)


def a_copy_forgets_who_has_played(patch: pytest.MonkeyPatch) -> None:
    """A copy is not the same position."""

    def copy(deal: QuickDeal) -> QuickDeal:
        other = right(deal)
        other.acted = 0
        return other

    right = QuickDeal.copy
    patch.setattr(QuickDeal, "copy", copy)


@pytest.mark.parametrize(
    "plant",
    [
        nearest_is_farthest,
        draws_begin_left_of_the_taker,
        draws_four_cards_each_at_once,
        trumps_do_not_beat_other_suits,
        the_leader_takes,
        discards_do_not_count,
        who_has_played_may_still_claim,
        claims_are_forgotten,
        claims_are_always_on,
        a_copy_forgets_who_has_played,
    ],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_mistake_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same 150 deals that the engines agree on."""
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(150):
            play_beside(seed)


# The deal itself


@pytest.mark.parametrize("plays", [0, 1, 2, 3, 7, 15])
def test_a_copy_is_the_same_position_and_goes_its_own_way(plays: int) -> None:
    for seed in range(20):
        deal = fresh(seed, 0, 1, 2)
        play_on(deal, Random(seed), plays)
        if deal.over:
            continue
        before = snapshot(deal)
        other = deal.copy()
        assert snapshot(other) == before
        play_on(other, Random(1))
        assert other.over
        assert snapshot(deal) == before
        play_on(deal, Random(1))
        assert snapshot(deal) == snapshot(other)


def test_moves_say_their_cards_and_their_kind() -> None:
    kinds = {OPEN, BEAT, DISCARD}
    assert len(kinds) == 3
    assert not any(kind & CARDS for kind in kinds)
    assert CARDS == ALL_CARDS
    seen = set()
    for seed in range(30):
        deal, rng = fresh(seed, seed % 4), Random(seed)
        while not deal.over:
            seat = deal.turn
            moves = list(deal.moves(seat))
            for move in moves:
                assert move & ~CARDS in kinds
                assert 0 < move & CARDS <= ALL_CARDS
                assert move & CARDS & ~deal.hands[seat] == 0
            seen |= {move & ~CARDS for move in moves}
            deal.play(seat, rng.choice(moves))
    assert seen == kinds


def test_a_deal_may_begin_between_any_two_tricks() -> None:
    """With the points and tricks that were taken before."""
    for seed in range(20):
        deal, rng = fresh(seed), Random(seed)
        while not deal.over and (deal.stock or deal.leader >= 0):
            play_on(deal, rng, 1)
        again = QuickDeal(
            deal.hands[:],
            deal.stock[:],
            deal.trump,
            deal.entitled,
            points=deal.points[:],
            tricks=deal.tricks[:],
            molodka=deal.molodka,
        )
        assert snapshot(again) == snapshot(deal)
        play_on(again, Random(3))
        assert sum(again.points) == 120


def test_claims_may_be_off() -> None:
    """The table option `molodka`."""
    deal = fresh(1, 0, 1, 2, 3)
    seat = (deal.entitled + 1) % 4
    assert deal.may_claim(seat)
    assert not deal.may_claim(deal.entitled), "who leads anyway needs no claim"
    deal.molodka = False
    assert not deal.may_claim(seat)
    assert list(deal.moves(seat)) == []


def test_the_random_deals_hold_what_they_should_show() -> None:
    """Claims, lost claims, and fours that outdo a claim do come up in what is compared."""
    claims = lost = outdone = 0
    for seed in range(150):
        rng = Random(seed)
        player = Player(rng, Options(), random_play, eagerness=1)
        player.deal(deck_with_fours(rng, [seat for seat in SEATS if rng.random() < 0.4]))
        while player.state.phase in (Phase.PLAYING, Phase.DRAWING):
            player.step()
        for trick in player.state.tricks:
            opened = [branch.is_molodka for branch in trick.branches]
            claims += any(opened)
            lost += sum(opened) > 1
            outdone += any(opened[:-1]) and not opened[-1]
    assert min(claims, lost, outdone) > 0


def test_card_sets_of_a_fresh_deal_are_the_deck() -> None:
    deal = fresh(5)
    assert [hand.bit_count() for hand in deal.hands] == [4] * 4
    assert len(deal.stock) == 20
    assert sum(deal.hands) + sum(deal.stock) == ALL_CARDS
    assert deal.points == deal.tricks == [0, 0]
