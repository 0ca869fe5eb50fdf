from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    DECK,
    SEATS,
    Action,
    Beat,
    Discard,
    Draw,
    Hand,
    IllegalAction,
    Lead,
    Molodka,
    MolodkaRule,
    Open,
    Options,
    Phase,
    Play,
    Seat,
    State,
    UnknownHandError,
    apply,
    check,
    check_insertable,
    format_action,
    legal_actions,
    may_claim,
    new_match,
    player_view,
    turn,
)
from tests.engine import strategies
from tests.engine.tables import cards, merge, refusal, run, table

MIXED = ["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"]


def code(state: State, line: Action | str) -> tuple[str, str]:
    refused = refusal(state, line)
    return refused.code, refused.rule


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lead 1 8d", ("not-your-lead", "R11")),
        ("lead 0 6d7h", ("mixed-suits", "R7")),
        ("lead 0 6d6d", ("repeated-card", "R2")),
        ("lead 0 8d", ("held-elsewhere", "R5")),
        ("lead 0 9d", ("already-played", "R11")),
        ("lead 0 6c7c8c9cTc", ("wrong-count", "R7")),
        ("molodka 0 6c7c8c9c", ("out-of-turn-only", "R15")),
        ("molodka 1 8d7s6s", ("not-four", "R13")),
        ("molodka 1 8d7s6sAh", ("mixed-suits", "R7")),
        ("molodka 1 6c7c8c9c", ("held-elsewhere", "R5")),
        ("beat 1 8d on 0", ("no-such-lead", "R8")),
        ("discard 1 8d on 0", ("no-such-lead", "R8")),
        ("draw 0 Ac", ("wrong-phase", "R7")),
        ("deal 0 ???????? ???????? ???????? ????????", ("wrong-phase", "R7")),
        ("indicate Ac", ("wrong-phase", "R7")),
        ("open 0 0 Ac", ("wrong-phase", "R7")),
    ],
)
def test_refused_before_the_lead(line: str, expected: tuple[str, str]) -> None:
    assert code(table(MIXED), line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lead 0 6d", ("already-acted", "R16")),
        ("beat 2 Ad on 0", ("not-your-turn", "R8")),
        ("discard 0 7h on 0", ("not-your-turn", "R8")),
        ("beat 1 7s on 0", ("does-not-beat", "R9")),
        ("beat 1 8d7s on 0", ("wrong-count", "R8")),
        ("discard 1 ???? on 0", ("wrong-count", "R8")),
        ("beat 1 Ad on 0", ("held-elsewhere", "R5")),
        ("discard 1 Ad on 0", ("held-elsewhere", "R5")),
    ],
)
def test_refused_after_the_lead(line: str, expected: tuple[str, str]) -> None:
    assert code(run(table(MIXED), "lead 0 6d"), line) == expected


def test_a_discard_that_contradicts_its_own_count_r8() -> None:
    """R8: exactly as many cards as were led."""
    state = run(table(MIXED), "lead 0 6d")
    assert code(state, Discard(1, 2, cards("8d"), 0)) == ("wrong-count", "R8")
    assert code(state, Discard(1, 1, cards("8d7s"), 0)) == ("wrong-count", "R8")


@pytest.mark.parametrize("seat", [-1, 4])
def test_no_such_seat_r1(seat: Seat) -> None:
    """R1: there are four."""
    state = run(table(MIXED), "lead 0 6d")
    for action in (
        Lead(seat, cards("6d")),
        Molodka(seat, cards("6c7c8c9c")),
        Beat(seat, cards("8d"), 0),
        Discard(seat, 1, None, 0),
    ):
        assert code(state, action) == ("no-such-seat", "R1")
    assert code(state, Discard(1, 1, None, seat)) == ("no-such-lead", "R8")


def test_leads_of_one_to_four_cards_of_one_suit_r7() -> None:
    """R7: the leader may play any cards of one suit, and nothing else."""
    state = table(["6d7d8d9d", "6c7c8c9c", "6h7h8h9h", "6s7s8s9s"])
    leads = legal_actions(state, 0)
    assert sorted(len(play.cards or ()) for play in leads) == [1] * 4 + [2] * 6 + [3] * 4 + [4]
    assert len(legal_actions(table(["6d7d8s9s", "6c7c8c9c", "6h7h8h9h", "JsQsKsTs"]), 0)) == 6


def test_nobody_must_beat_or_follow_suit_r8() -> None:
    """R8: any card may be discarded, whatever was led."""
    state = run(table(MIXED), "lead 0 6d")
    discards = [play for play in legal_actions(state, 1) if isinstance(play, Discard)]
    assert [play.cards for play in discards] == [(card,) for card in sorted(cards("8d7s6sAh"))]
    beats = [play for play in legal_actions(state, 1) if isinstance(play, Beat)]
    assert {play.cards for play in beats} == {cards("8d"), cards("Ah")}


def test_molodka_from_the_start_of_the_trick_until_the_own_play_r13() -> None:
    """R13: before the lead, after others have moved, on the own turn; not after the own play."""
    state = table(["6d7h8sKc", "6c7c8c9c", "Ad9hQsTh", "8d7s6sAh"])
    claim = Molodka(1, cards("6c7c8c9c"))
    assert legal_actions(state, 1) == [claim]
    state = run(state, "lead 0 6d")
    assert claim in legal_actions(state, 1)
    assert may_claim(state, 1)
    state = run(state, "discard 1 6c on 0")
    assert legal_actions(state, 1) == []
    assert not may_claim(state, 1)
    assert code(state, claim) == ("already-acted", "R16")


def test_molodka_while_another_seat_is_awaited_r13() -> None:
    """R13: out of turn is out of turn."""
    state = run(table(MIXED), "lead 0 6d", "beat 1 8d on 0")
    assert turn(state) == 2
    assert legal_actions(state, 3) == [Molodka(3, cards("6c7c8c9c"))]


def test_molodka_off() -> None:
    """R13 is a table option."""
    options = Options(molodka=MolodkaRule.OFF)
    state = table(MIXED, options=options)
    assert code(state, "molodka 3 6c7c8c9c") == ("molodka-off", "R13")
    assert not may_claim(state, 3)
    assert legal_actions(state, 3) == []


def test_after_a_claim_that_lost_r16() -> None:
    """R16: the loser's cards came back, but it cannot claim again, only answer."""
    start = table(["6d7d8h9s", "6c7c8c9c", "Ad9hQsTh", "6s7s8sTs"], entitled=2)
    state = merge(start, "molodka 3 6s7s8sTs", "molodka 1 6c7c8c9c", "discard 0 6d7d8h9s on 3")
    assert not may_claim(state, 1)
    assert legal_actions(state, 1) == [Discard(1, 4, cards("6c7c8c9c"), 3)]
    assert code(state, "molodka 1 6c7c8c9c") == ("already-acted", "R16")


def test_the_entitled_seat_takes_its_lead_back_with_four_r15() -> None:
    """R15: that seat itself is nearest of all, and leads, whatever stood before."""
    start = table(["6d7d8d9d", "6c7c8c9c", "Ad9hQsTh", "6s7s8sTs"])
    assert not may_claim(start, 0)
    state = run(start, "molodka 1 6c7c8c9c")
    assert may_claim(state, 0)
    assert legal_actions(state, 0) == [Lead(0, cards("6d7d8d9d"))]
    assert code(state, "lead 0 6d") == ("lead-taken", "R15")
    state = run(state, "lead 0 6d7d8d9d")
    assert turn(state) == 1
    assert not may_claim(state, 0)
    assert code(state, "molodka 3 6s7s8sTs") == ("claim-lost", "R15")


def test_an_entitled_seat_that_has_led_does_not_claim_r16() -> None:
    """R16: it has played in this trick, so its four of a suit come too late."""
    state = run(table(["6d7d8d9d", "6c7c8c9c", "Ad9hQsTh", "6s7s8sTs"]), "lead 0 6d", "molodka 1 6c7c8c9c")
    assert not may_claim(state, 0)
    assert code(state, "lead 0 6d7d8d9d") == ("already-acted", "R16")


def test_a_lead_that_went_back_is_not_answered_r14() -> None:
    """R14: play goes on from the new lead; only one who has not seen it answers the old."""
    state = run(table(MIXED), "lead 0 6d", "molodka 3 6c7c8c9c")
    assert code(state, "beat 1 8d on 0") == ("lead-superseded", "R14")
    check_insertable(state, Beat(1, cards("8d"), 0))


@given(strategies.positions(), st.one_of(strategies.plays, st.none()), st.data())
def test_legal_actions_are_exactly_what_check_allows(
    state: State, play: Play | None, data: st.DataObject
) -> None:
    seat = data.draw(strategies.seats) if play is None else play.seat
    listed = legal_actions(state, seat)
    assert len(set(listed)) == len(listed)
    for action in listed:
        check(state, action)
    if play is not None and play.cards is not None:
        try:
            check(state, play)
        except IllegalAction:
            assert play not in listed
        else:
            assert play in listed


@given(strategies.positions())
def test_somebody_can_always_go_on(state: State) -> None:
    awaited = turn(state)
    assert (awaited is not None) == (state.phase is Phase.PLAYING)
    if awaited is not None:
        assert legal_actions(state, awaited)
    for seat in SEATS:
        opens = [play for play in legal_actions(state, seat) if isinstance(play, Molodka)]
        takes_back = [
            play
            for play in legal_actions(state, seat)
            if isinstance(play, Lead) and state.trick and state.trick.effective
        ]
        assert may_claim(state, seat) == bool(opens + takes_back)


@given(strategies.positions(), strategies.actions)
def test_a_refused_action_changes_nothing(state: State, action: Action) -> None:
    before = repr(state)
    with suppress(IllegalAction):
        apply(state, action)
    assert repr(state) == before


@given(strategies.positions(), strategies.seats)
def test_a_player_sees_what_it_may_do(state: State, seat: Seat) -> None:
    view = player_view(state, seat)
    assert legal_actions(view, seat) == legal_actions(state, seat)
    assert may_claim(view, seat) == may_claim(state, seat)
    assert turn(view) == turn(state)
    for other in SEATS:
        # Another's hidden hand can only leave more open.
        assert may_claim(view, other) or not may_claim(state, other)


def test_plays_of_an_unknown_hand_cannot_be_listed() -> None:
    view = player_view(table(MIXED), 0)
    with pytest.raises(UnknownHandError):
        legal_actions(view, 1)


def test_nothing_is_legal_outside_of_a_trick() -> None:
    state = new_match(Options())
    assert turn(state) is None
    assert [legal_actions(state, seat) for seat in SEATS] == [[]] * 4
    assert not any(may_claim(state, seat) for seat in SEATS)


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        (new_match(Options()), "R4"),
        (State(Options(), Phase.INDICATING), "R6"),
        (State(Options(), Phase.DRAWING), "R12"),
        (State(Options(), Phase.OPENING), "R18"),
        (State(Options(), Phase.DEAL_OVER), "R4"),
        (State(Options(), Phase.MATCH_OVER), "R21"),
    ],
)
def test_plays_are_for_tricks_only(state: State, rule: str) -> None:
    for action in (
        Lead(0, cards("6d")),
        Molodka(0, cards("6d")),
        Beat(0, cards("6d"), 1),
        Discard(0, 1, None, 1),
    ):
        assert code(state, action) == ("wrong-phase", rule)


def test_every_phase_refuses_what_it_does_not_wait_for() -> None:
    """The table of phases and actions: which is refused for the phase alone."""
    one = Hand(unknown=1)
    samples: list[Action] = [Draw(0), Open(0, 0, cards("6d")), Lead(0, cards("6d"))]
    waiting = {Phase.DRAWING: Draw, Phase.OPENING: Open, Phase.PLAYING: Lead}
    for phase in Phase:
        state = State(Options(), phase, leader=0, hands=(one, one, one, one), trick=table(MIXED).trick)
        for action in samples:
            refused = phase not in waiting or not isinstance(action, waiting[phase])
            try:
                check(state, action)
            except IllegalAction as error:
                assert (error.code == "wrong-phase") == refused, format_action(action)
            else:
                assert not refused, format_action(action)


def test_an_empty_lead_is_no_lead_r7() -> None:
    """R7: at least one card."""
    assert code(table(MIXED), Lead(0, ())) == ("wrong-count", "R7")


def test_a_card_of_nobody_is_not_held() -> None:
    """A hand that is fully known holds nothing else, wherever the card may be."""
    state = table(MIXED, stock=4)
    strange = next(card for card in DECK if not any(card in hand.known for hand in state.hands))
    assert code(state, Lead(0, (strange,))) == ("card-not-held", "R7")
