"""The end of a deal: discards are opened, points are counted, and the match may end."""

from collections import Counter
from dataclasses import replace
from functools import cache

from engine import (
    DECK,
    Discard,
    Eggs,
    Open,
    Options,
    Phase,
    State,
    apply,
    parse_card,
    replay,
    view_action,
)
from tests.engine.strategies import random_match, random_play
from tests.engine.tables import cards, refusal, run, table, taken_by

HANDS = "6c7c8c9c 6d7d8d9d 6h7h8h9h 6s7s8s9s"


@cache
def opening_view() -> tuple[State, State]:
    """A deal whose last card is played and with a discard that went back, in full and in public."""
    for seed in range(1000):
        actions = random_match(seed, deals=1)
        full = replay(Options(), actions)
        if returned_discards(full):
            return full, replay(Options(), (view_action(action, None) for action in actions))
    raise AssertionError("no such deal among the seeds")


def returned_discards(state: State) -> list[tuple[int, Discard]]:
    """The discards of fewer than four cards that went back, each with the number of its trick."""
    return [
        (number, play)
        for number, trick in enumerate(state.tricks)
        for branch in trick.branches[:-1]
        for play in branch.answers
        if isinstance(play, Discard) and play.count < 4
    ]


def test_discards_are_opened_when_the_deal_is_over_r18() -> None:
    """R18: the deal is over when stock and hands are empty; then standing discards are opened."""
    full, public = opening_view()
    assert public.stock == 0
    assert all(hand.size == 0 for hand in public.hands)
    opens = [
        Open(play.seat, number, play.cards)
        for number, trick in enumerate(full.tricks)
        if trick.effective is not None
        for play in trick.effective.answers
        if isinstance(play, Discard) and play.cards is not None
    ]
    for order in (opens, opens[::-1]):
        state = public
        for opening in order:
            assert state.phase is Phase.OPENING
            assert state.results == ()
            state = apply(state, opening)
        assert state.phase is Phase.DEAL_OVER
        assert state.results == full.results
        assert refusal(state, opens[0]).code == "wrong-phase"


def test_returned_discards_are_never_opened_r14() -> None:
    """R14: the commitment of a discard that went back is void."""
    full, public = opening_view()
    for number, play in returned_discards(full):
        assert play.cards is not None
        standing = full.tricks[number].effective
        assert standing is not None
        expected = "wrong-count" if isinstance(standing.play_of(play.seat), Discard) else "nothing-to-open"
        assert refusal(public, Open(play.seat, number, play.cards)).code == expected


def test_opening_refuses_what_cannot_have_been_discarded_r10() -> None:
    """R10: once, as many cards as lay there, cards of that seat that were not played otherwise."""
    full, public = opening_view()
    number, discard = next(
        (number, play)
        for number, trick in enumerate(full.tricks)
        if trick.effective is not None
        for play in trick.effective.answers
        if isinstance(play, Discard) and play.count == 1
    )
    assert discard.cards is not None
    opened = apply(public, Open(discard.seat, number, discard.cards))
    assert refusal(opened, Open(discard.seat, number, discard.cards)).code == "already-open"
    lead = public.tricks[0].branches[-1].cards[0]
    assert refusal(public, Open(discard.seat, number, (lead,))).code == "already-played"
    assert refusal(public, Open(discard.seat, len(public.tricks), discard.cards)).code == "nothing-to-open"
    assert refusal(public, Open(discard.seat, -1, discard.cards)).code == "nothing-to-open"
    assert refusal(public, Open(discard.seat, number, (*discard.cards, lead))).code == "wrong-count"
    assert refusal(public, Open(7, number, discard.cards)).code == "no-such-seat"


def last_trick(options: Options, points_of_team_0: str, *, score: tuple[int, int] = (0, 0)) -> State:
    """One card each is left, all without points; team 0 has taken these cards and team 1 the rest."""
    last = table(["6d", "7d", "8d", "6s"], options=options)
    mine = cards(points_of_team_0)
    rest = tuple(card for card in DECK if card not in (*mine, *cards("6d7d8d6s")))
    spare = [card for card in rest if card.points == 0][: -len(mine) % 4]
    mine = (*mine, *spare)
    rest = tuple(card for card in rest if card not in mine)
    return State(
        options,
        Phase.PLAYING,
        score=score,
        dealer=3,
        leader=0,
        indicator=parse_card("Ah"),
        hands=last.hands,
        stock=0,
        trick=last.trick,
        tricks=(taken_by(0, mine), taken_by(1, rest)),
    )


PLAY_OUT = ("lead 0 6d", "discard 1 7d on 0", "discard 2 8d on 0", "discard 3 6s on 0")
SIXTY = "Ac Tc Kc Qc Jc Ad Td Kd Qd Jd"


def test_eggs_are_a_joke_r20() -> None:
    """R20: nobody gains at 60-60, and the next deal counts as usual."""
    state = run(last_trick(Options(), SIXTY), *PLAY_OUT)
    assert state.phase is Phase.DEAL_OVER
    assert (state.score, state.eggs, state.doubled) == ((0, 0), 1, False)
    assert state.results[0].eggs


def test_eggs_double_the_next_deal_r20() -> None:
    """The option `eggs=double`: the next deal counts twice, after several eggs in a row still only twice."""
    options = Options(eggs=Eggs.DOUBLE)
    state = run(last_trick(options, SIXTY), *PLAY_OUT)
    assert state.doubled
    again = run(replace(last_trick(options, SIXTY), doubled=True), *PLAY_OUT)
    assert again.doubled
    assert again.results[0].defeat_points == (0, 0)
    after = run(replace(last_trick(options, "Ac Tc Kc Qc Jc"), doubled=True), *PLAY_OUT)
    assert after.results[0].defeat_points == (8, 0)
    assert (after.score, after.doubled) == ((8, 0), False)


def test_the_match_ends_at_the_target_r21() -> None:
    """R21: at 12 or more the match is over, with eggs if it saw some; 10 and 4 make 14."""
    state = run(last_trick(Options(), "Ac Tc Kc Qc Jc", score=(10, 8)), *PLAY_OUT)
    assert state.phase is Phase.MATCH_OVER
    assert (state.score, state.goat, state.goat_with_eggs) == ((14, 8), 0, False)
    assert refusal(state, f"deal 0 {HANDS}").rule == "R21"
    with_eggs = run(replace(last_trick(Options(), "Ac", score=(8, 0)), eggs=1), *PLAY_OUT)
    assert (with_eggs.goat, with_eggs.goat_with_eggs) == (0, True)
    goes_on = run(last_trick(Options(target=24), "Ac Tc Kc Qc Jc", score=(10, 8)), *PLAY_OUT)
    assert (goes_on.phase, goes_on.goat) == (Phase.DEAL_OVER, None)


def test_six_for_no_trick_in_a_real_deal_r19() -> None:
    """R19: whole matches give 2, 4 and 6, to one team at a time, and never anything else."""
    seen = Counter[int]()
    for seed in range(40):
        for result in replay(Options(), random_match(seed, policy=random_play)).results:
            assert min(result.defeat_points) == 0
            seen[max(result.defeat_points)] += 1
    assert set(seen) <= {0, 2, 4, 6}
    assert {2, 4, 6} <= set(seen)
