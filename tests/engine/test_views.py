from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import (
    SEATS,
    Action,
    Deal,
    Discard,
    Draw,
    Open,
    Options,
    Phase,
    Seat,
    State,
    apply,
    new_match,
    openings,
    parse_action,
    player_view,
    replay,
    view_action,
)
from tests.engine import strategies
from tests.engine.strategies import random_match
from tests.engine.tables import cards, run, table

OBSERVERS: tuple[Seat | None, ...] = (*SEATS, None)


def check_views(options: Options, actions: Sequence[Action], seat: Seat | None) -> None:
    """Replaying what a seat sees gives its view of the full state, after every action."""
    full = view = new_match(options)
    for action in actions:
        full, view = apply(full, action), apply(view, view_action(action, seat))
        if view.phase is Phase.OPENING:
            for opening in openings(full, seat):
                view = apply(view, opening)
        assert view == player_view(full, seat)


@settings(max_examples=60)
@given(st.integers(0, 2**32), strategies.options, strategies.policies, st.sampled_from(OBSERVERS))
def test_replaying_what_a_seat_sees_gives_its_view(
    seed: int, options: Options, policy: strategies.Policy, seat: Seat | None
) -> None:
    check_views(options, random_match(seed, options, policy, deals=2), seat)


@given(strategies.positions(), st.sampled_from(OBSERVERS))
def test_a_view_of_a_view_is_the_view(state: State, seat: Seat | None) -> None:
    view = player_view(state, seat)
    assert player_view(view, seat) == view
    assert player_view(view, None) == player_view(state, None)


@given(strategies.positions(), strategies.seats)
def test_a_view_keeps_what_all_know(state: State, seat: Seat) -> None:
    view = player_view(state, seat)
    assert view.hands[seat] == state.hands[seat]
    for other in SEATS:
        assert view.hands[other].size == state.hands[other].size
        assert view.hands[other].seen == state.hands[other].seen
    assert (view.phase, view.score, view.stock, view.leader) == (
        state.phase,
        state.score,
        state.stock,
        state.leader,
    )


@given(strategies.positions(), strategies.seats, st.data())
def test_a_view_does_not_depend_on_what_is_hidden(state: State, seat: Seat, data: st.DataObject) -> None:
    """Two states in which others have exchanged a card that nobody has seen look the same."""
    hidden = {
        other: sorted(hand.known - hand.seen) for other, hand in enumerate(state.hands) if other != seat
    }
    having = [other for other, cards_left in hidden.items() if cards_left]
    assume(len(having) >= 2)
    one, two = data.draw(st.permutations(having))[:2]
    mine, yours = data.draw(st.sampled_from(hidden[one])), data.draw(st.sampled_from(hidden[two]))
    hands = list(state.hands)
    hands[one] = replace(hands[one], known=hands[one].known - {mine} | {yours})
    hands[two] = replace(hands[two], known=hands[two].known - {yours} | {mine})
    first, second, third, fourth = hands
    exchanged = replace(state, hands=(first, second, third, fourth))
    assert exchanged != state
    assert player_view(exchanged, seat) == player_view(state, seat)


def test_redacted_actions_r5_r10_r12() -> None:
    """R5, R10, R12: only its owner sees a dealt hand, a discard or a drawn card."""
    deal = parse_action("deal 0 6c7c8c9c 6d7d8d9d 6h7h8h9h 6s7s8s9s")
    assert isinstance(deal, Deal)
    assert view_action(deal, 2) == Deal(0, (None, None, deal.hands[2], None))
    assert view_action(deal, None) == Deal(0)
    discard, draw = Discard(1, 2, cards("6d7d"), 0), Draw(3, cards("6s")[0])
    assert [view_action(discard, seat) == discard for seat in OBSERVERS] == [False, True, False, False, False]
    assert view_action(discard, 0) == Discard(1, 2, None, 0)
    assert [view_action(draw, seat) == draw for seat in OBSERVERS] == [False, False, False, True, False]
    assert view_action(draw, None) == Draw(3)
    for line in ("indicate Ah", "lead 0 6c", "molodka 0 6c7c8c9c", "beat 1 7c on 0", "open 0 1 6c"):
        assert view_action(parse_action(line), None) == parse_action(line)


def test_the_taker_does_not_learn_the_discards_r10() -> None:
    """R10: nobody learns them before the deal is over, the trick's taker included."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    state = run(start, "lead 0 6d", "discard 1 7s on 0", "discard 2 9h on 0", "discard 3 6c on 0")
    assert state.leader == 0
    view = player_view(state, 0)
    assert [play.cards for play in view.tricks[0].plays()] == [cards("6d"), None, None, None]
    assert [play.cards for play in player_view(state, 2).tricks[0].plays()] == [
        cards("6d"),
        None,
        cards("9h"),
        None,
    ]


def test_standing_discards_are_open_after_the_deal_r14() -> None:
    """R10, R14: a discard that went back stays hidden for ever, those that stood are seen by all."""
    for seed in range(1000):
        state = replay(Options(), random_match(seed, deals=1))
        returned = [
            play
            for trick in state.tricks
            for branch in trick.branches[:-1]
            for play in branch.answers
            if isinstance(play, Discard)
        ]
        if returned:
            break
    view = player_view(state, None)
    assert state.phase is Phase.DEAL_OVER
    for trick in view.tricks:
        assert trick.effective is not None
        assert all(play.cards is not None for play in trick.effective.plays())
        for branch in trick.branches[:-1]:
            assert all(play.cards is None for play in branch.answers if isinstance(play, Discard))
    mine = player_view(state, returned[0].seat)
    assert returned[0] in [play for trick in mine.tricks for play in trick.plays()]


def test_openings_are_those_of_others_r18() -> None:
    """R18: a seat needs to be shown what others discarded, not its own."""
    state = replay(Options(), random_match(1, deals=1))
    everything = list(openings(state, None))
    assert everything
    for seat in SEATS:
        assert list(openings(state, seat)) == [opening for opening in everything if opening.seat != seat]
    assert all(isinstance(opening, Open) for opening in everything)
