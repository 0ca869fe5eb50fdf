from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine import (
    DECK,
    SEATS,
    STOCK_SIZE,
    Action,
    Deal,
    Discard,
    Draw,
    IllegalAction,
    Lead,
    Molodka,
    Options,
    Phase,
    State,
    apply,
    check_insertable,
    holding,
    insert,
    legal_actions,
    new_match,
    next_drawer,
    parse_card,
    player_view,
    turn,
)
from tests.engine import strategies
from tests.engine.strategies import Player, greedy_play, random_match, states_of
from tests.engine.tables import cards, held, merge, refusal, run, table

HANDS = "6c7c8c9c 6d7d8d9d 6h7h8h9h 6s7s8s9s"


def accounted_for(state: State) -> Counter[str]:
    """Every card of a deal with full knowledge, wherever it lies, the undrawn stock excepted."""
    cards_of_hands = [card for seat in SEATS for card in holding(state, seat).known]
    tricks = (*state.tricks, *(() if state.trick is None else (state.trick,)))
    played = [
        card
        for trick in tricks
        if trick.effective is not None
        for play in trick.effective.plays()
        for card in play.cards or ()
    ]
    return Counter(str(card) for card in cards_of_hands + played)


@given(st.integers(0, 2**32), strategies.options, strategies.policies)
def test_cards_are_conserved(seed: int, options: Options, policy: strategies.Policy) -> None:
    """All 36 cards are always in one place: a hand, a trick, or the stock (R5, R11, R12)."""
    for state in list(states_of(options, random_match(seed, options, policy, deals=1)))[1:]:
        found = accounted_for(state)
        assert set(found.values()) == {1}
        assert len(found) + state.stock == len(DECK)
        assert all(not hand.unknown for hand in state.hands)


def test_first_deal_and_its_leader_r4() -> None:
    """R4: any seat may deal first, and the seat to its left leads."""
    for dealer in SEATS:
        state = run(new_match(Options()), f"deal {dealer} {HANDS}", "indicate Ah")
        assert (state.dealer, state.leader, state.deal_number) == (dealer, (dealer + 1) % 4, 0)
        assert turn(state) == state.leader


def test_the_lead_is_kept_into_the_next_match_r22() -> None:
    """R22: with a first leader given, that seat leads, whoever deals."""
    for dealer in SEATS:
        state = run(new_match(Options(), first_leader=2), f"deal {dealer} {HANDS}", "indicate Ah")
        assert turn(state) == 2


def test_later_deals_pass_clockwise_and_the_last_taker_leads_r4() -> None:
    """R4: the deal passes clockwise; the winner of the last trick leads, whoever deals."""
    options = Options(target=24)
    actions = random_match(5, options)
    taker: int | None = None
    leaders = set()
    for before, action in zip(states_of(options, actions), actions, strict=False):
        if isinstance(action, Deal) and before.dealer is not None:
            assert action.dealer == (before.dealer + 1) % 4
            taker = before.tricks[-1].taker
            after = apply(before, action)
            assert after.leader == taker
            assert after.deal_number == before.deal_number + 1 == len(before.results)
            leaders.add((taker or 0) - action.dealer)
            wrong = Deal((before.dealer + 2) % 4, action.hands)
            assert refusal(before, wrong).code == "not-the-dealer"
    assert taker is not None
    assert len(leaders) > 1


def test_four_cards_each_r5() -> None:
    """R5: four different cards for each seat."""
    start = new_match(Options())
    state = run(start, f"deal 0 {HANDS}")
    assert [held(state, seat) for seat in SEATS] == [frozenset(cards(hand)) for hand in HANDS.split()]
    assert state.stock == 20
    first, second, third, _ = (cards(hand) for hand in HANDS.split())
    assert refusal(start, Deal(0, (first, second, third, first))).code == "repeated-card"
    assert refusal(start, Deal(0, (first, second, third, cards("Ad")))).code == "bad-hand"
    assert refusal(start, Deal(4, (first, None, None, None))).code == "no-such-seat"
    hidden = apply(start, Deal(0, (first, None, None, None)))
    assert [hand.size for hand in hidden.hands] == [4] * 4
    assert [hand.unknown for hand in hidden.hands] == [0, 4, 4, 4]


def test_indicator_is_a_card_of_the_stock_r6() -> None:
    """R6: its suit is trump, and it cannot be a card that was dealt."""
    state = run(new_match(Options()), f"deal 0 {HANDS}")
    assert state.trump is None
    assert refusal(state, "indicate 6c").code == "held-elsewhere"
    assert refusal(state, "lead 1 6d").code == "wrong-phase"
    state = run(state, "indicate Ts")
    assert state.indicator == parse_card("Ts")
    assert state.trump == parse_card("Ts").suit


def finished_first_trick() -> State:
    state = run(new_match(Options()), "deal 3 6c7dTs9c 6dJd8d9d 6h7h8h9h 6s7s8s9s", "indicate Ah")
    return run(state, "lead 0 7d", "beat 1 Jd on 0", "discard 2 6h on 0", "discard 3 6s on 0")


def test_the_taker_draws_first_and_leads_r12() -> None:
    """R12: one at a time, clockwise from the taker, then the taker leads."""
    state = finished_first_trick()
    assert state.phase is Phase.DRAWING
    assert refusal(state, "draw 0 Ah").code == "not-your-draw"
    assert refusal(state, "draw 1 7d").code == "held-elsewhere"
    assert refusal(state, "draw 1 6h").code == "held-elsewhere"
    assert refusal(state, "draw 1 9d").code == "held-elsewhere"
    assert refusal(state, Draw(5)).code == "no-such-seat"
    for seat, card in ((1, "Ah"), (2, "Th"), (3, "Kh"), (0, "Qh")):
        assert next_drawer(state) == seat
        state = run(state, f"draw {seat} {card}")
    assert state.phase is Phase.PLAYING
    assert [hand.size for hand in state.hands] == [4] * 4
    assert state.stock == 16
    assert turn(state) == 1
    assert next_drawer(state) is None


def test_drawing_goes_round_while_the_stock_lasts_r12() -> None:
    """R12: after a trick of three cards twelve are drawn, in rounds; from an empty stock nothing is."""
    for options in (Options(), Options(target=24)):
        draws_after_tricks = []
        state = new_match(options)
        player = Player(Random(3), options, greedy_play)
        player.play_match()
        for action in player.actions:
            before, state = state, apply(state, action)
            if before.phase is Phase.PLAYING and state.phase is not Phase.PLAYING:
                assert (state.phase is Phase.DRAWING) == (before.stock > 0)
                draws_after_tricks.append(0)
            if isinstance(action, Draw):
                assert before.leader is not None
                assert action.seat == (before.leader + draws_after_tricks[-1]) % 4
                draws_after_tricks[-1] += 1
        assert sum(draws_after_tricks) == STOCK_SIZE * len(state.results)
        assert all(count % 4 == 0 for count in draws_after_tricks)


def test_a_molodka_needs_the_draw_to_be_done_r13() -> None:
    """R13: the trick starts once all have drawn."""
    state = finished_first_trick()
    assert refusal(state, "molodka 3 6s7s8s9s").code == "wrong-phase"
    assert legal_actions(state, 3) == []


def test_what_was_seen_stays_seen_r14() -> None:
    """R14: cards that went back are known to all; those that lay face down are not."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    state = run(start, "lead 0 6d", "beat 1 8d on 0", "discard 2 Ad on 0", "molodka 3 6c7c8c9c")
    assert [state.hands[seat].seen for seat in SEATS] == [
        set(cards("6d")),
        set(cards("8d")),
        set(),
        set(cards("6c7c8c9c")),
    ]
    public = player_view(state, None)
    assert [hand.known for hand in public.hands] == [hand.seen for hand in state.hands]
    assert [hand.unknown for hand in public.hands] == [3, 3, 4, 0]
    # A later discard of four may hold the shown card, so nobody is sure of anything afterwards.
    state = run(state, "discard 0 6d7h8sKc on 3", "discard 1 8d7s6sAh on 3")
    assert [holding(state, seat).seen for seat in (0, 1, 3)] == [set()] * 3
    assert state.hands[0].seen == set(cards("6d"))


def test_a_discard_makes_the_shown_cards_unsure_r10() -> None:
    """R10: after a face-down discard of some cards nobody else can tell which are left."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=16, entitled=2)
    state = run(
        start, "lead 2 Ad", "molodka 3 6c7c8c9c", "discard 0 6d7h8sKc on 3", "discard 1 8d7s6sAh on 3"
    )
    assert state.hands[2].seen == set(cards("Ad"))
    state = run(state, "discard 2 Ad9hQsTh on 3")
    assert all(hand.seen == set() and hand.size == 0 for hand in state.hands)


def test_a_shown_card_is_remembered_until_it_is_played() -> None:
    start = run(new_match(Options()), "deal 3 6c7dTs9c 6d7sQc9d 6h7h8h9h 6s8sJc8d", "indicate Ah")
    state = run(start, "lead 0 7d", "molodka 2 6h7h8h9h", "discard 3 6s8sJc8d on 2")
    assert state.hands[0].seen == set(cards("7d"))
    view = player_view(state, 1)
    assert view.hands[0].known == set(cards("7d"))
    assert refusal(view, "beat 0 TdJdQdKd on 2").code == "card-not-held"
    assert refusal(view, "beat 0 7dAhKhQh on 2").code == "in-stock"


def test_merging_a_claim_that_lost_r15() -> None:
    """R15: a claim that its author could make joins the trick and changes nothing of the nearer one."""
    start = table(["6d7d8h9s", "6c7c8c9c", "Ad9hQsTh", "6s7s8sTs"], entitled=2)
    nearer = run(start, "molodka 3 6s7s8sTs", "discard 0 6d7d8h9s on 3")
    assert refusal(nearer, "molodka 1 6c7c8c9c").code == "claim-lost"
    merged = merge(nearer, "molodka 1 6c7c8c9c")
    assert merged.trick is not None
    assert merged.trick.effective == nearer.trick.effective if nearer.trick else None
    assert turn(merged) == turn(nearer) == 1
    assert holding(merged, 1).size == 4


def test_merging_an_answer_to_a_lead_that_does_not_count_r14() -> None:
    """R14: late answers to the old lead, and late old leads, join their branch and go back."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    orders = [
        ("lead 0 6d", "beat 1 8d on 0", "molodka 3 6c7c8c9c"),
        ("lead 0 6d", "molodka 3 6c7c8c9c", "beat 1 8d on 0"),
        ("molodka 3 6c7c8c9c", "lead 0 6d", "beat 1 8d on 0"),
    ]
    assert len({repr(merge(start, *order)) for order in orders}) == 1
    state = merge(start, *orders[2])
    assert turn(state) == 0
    assert state.hands[1].seen == set(cards("8d"))


def test_merging_refuses_what_no_view_could_allow_r16() -> None:
    """R16 and the shape of a trick hold in every view."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    state = run(start, "lead 0 6d", "discard 1 7s on 0", "molodka 3 6c7c8c9c")
    refusals = {
        "lead 0 7h": "already-acted",
        "molodka 3 6c7c8c9c": "already-acted",
        "molodka 1 6c7c8c9c": "already-acted",
        "beat 1 8d on 0": "not-your-turn",
        "beat 1 8d on 2": "no-such-lead",
        "beat 2 6c on 0": "held-elsewhere",
        "draw 0 Ac": "wrong-phase",
    }
    for line, code in refusals.items():
        try:
            merge(state, line)
        except IllegalAction as refused:
            assert refused.code == code, line
        else:
            raise AssertionError(line)


def test_a_finished_trick_is_final_r16() -> None:
    """R16: when all four have played on the lead that counts, no play of that trick is accepted any more."""
    state = finished_first_trick()
    for play in (Lead(0, cards("6c")), Molodka(3, cards("6s7s8s9s")), Discard(3, 1, None, 0)):
        try:
            insert(state, play)
        except IllegalAction as refused:
            assert refused.code == "wrong-phase"
        else:
            raise AssertionError(play)


@given(strategies.positions(), strategies.actions)
def test_insert_allows_what_apply_allows(state: State, action: Action) -> None:
    try:
        expected = apply(state, action)
    except IllegalAction:
        return
    check_insertable(state, action)
    assert insert(state, action) == expected


def test_hidden_discard_of_a_known_hand() -> None:
    """A record may lack the cards of a discard that went back; the hand stays known."""
    start = table(["6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"], stock=4)
    state = run(start, "lead 0 6d", "discard 1 ?? on 0", "molodka 3 6c7c8c9c", "discard 0 6d7h8sKc on 3")
    assert held(state, 1) == held(start, 1)
    assert run(state, "discard 1 8d7s6sAh on 3").hands[1].unknown == 0
