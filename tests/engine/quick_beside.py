"""The two engines beside each other: ``python -m tests.engine.quick_beside [--plays N] [--seed S]``.

Deals are played at random on both. Before each play every seat's legal plays must be the same; after it the
turn, the hands and what each team has taken. Random players claim four of a suit now and then, more often
than chance deals it.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from engine import (
    SEATS,
    Beat,
    Lead,
    Molodka,
    MolodkaRule,
    Options,
    Phase,
    Play,
    State,
    legal_actions,
    team_of,
    turn,
)
from engine.bits import cards_of, mask_of, points_of
from engine.quick import BEAT, DISCARD, OPEN, Move, QuickDeal
from tests.engine.strategies import Player, coin_play, deck_with_fours, eager_play, greedy_play, random_play

_POLICIES = (random_play, coin_play, eager_play, greedy_play)


def move_of(play: Play) -> Move:
    """A play of the readable engine as the other one writes it."""
    kind = OPEN if isinstance(play, (Lead, Molodka)) else BEAT if isinstance(play, Beat) else DISCARD
    return mask_of(play.cards or ()) | kind


def quick_from(player: Player) -> QuickDeal:
    """The deal that a player with full knowledge is about to play."""
    state = player.state
    assert state.trump is not None
    assert state.trick is not None
    return QuickDeal(
        [mask_of(state.hands[seat].known) for seat in SEATS],
        [mask_of((card,)) for card in reversed(player.stock)],
        state.trump,
        state.trick.entitled,
        molodka=state.options.molodka is MolodkaRule.ANYTIME,
    )


def compare(state: State, quick: QuickDeal) -> None:
    """Assert that both engines are in the same position."""
    taken = [0, 0]
    for trick in state.tricks:
        assert trick.taker is not None
        taken[team_of(trick.taker)] += 1
    assert quick.tricks == taken
    assert sum(quick.points) + sum(points_of(hand) for hand in quick.hands) + sum(
        points_of(card) for card in quick.stock
    ) == (120)
    if state.phase is not Phase.PLAYING:
        assert quick.over
        assert tuple(quick.points) == state.results[-1].points
        return
    assert state.trick is not None
    assert not quick.over
    assert quick.turn == turn(state)
    assert quick.entitled == state.trick.entitled
    for seat in SEATS:
        assert quick.hands[seat] == mask_of(state.hands[seat].known)
        moves = list(quick.moves(seat))
        assert len(moves) == len(set(moves))
        assert set(moves) == {move_of(play) for play in legal_actions(state, seat)}, (seat, state.trick)


def play_beside(seed: int) -> int:
    """Play one deal on both; return the number of plays."""
    rng = Random(seed)
    rule = rng.choice((MolodkaRule.ANYTIME, MolodkaRule.ANYTIME, MolodkaRule.OFF))
    player = Player(rng, Options(molodka=rule), rng.choice(_POLICIES), eagerness=rng.choice((0.2, 0.6, 1)))
    player.deal(deck_with_fours(rng, [seat for seat in SEATS if rng.random() < 0.4]))
    quick, plays = quick_from(player), 0
    while player.state.phase in (Phase.PLAYING, Phase.DRAWING):
        if player.state.phase is Phase.PLAYING:
            compare(player.state, quick)
        player.step()
        done = player.actions[-1]
        if isinstance(done, Play):
            quick = quick.copy()  # What is played on is the copy: so it holds all that matters.
            quick.play(done.seat, move_of(done))
            plays += 1
    compare(player.state, quick)
    assert [cards_of(card) for card in quick.stock] == []
    return plays


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    plays, seed = 0, options.seed
    while plays < options.plays:
        plays += play_beside(seed)
        seed += 1
    print(f"{plays} plays in {seed - options.seed} deals: the engines agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
