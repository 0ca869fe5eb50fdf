"""The rule by example, and by comparison with a plain statement of it."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from engine import (
    DECK,
    SEATS,
    Answer,
    Beat,
    Branch,
    Discard,
    Lead,
    Options,
    Phase,
    Play,
    Seat,
    State,
    Trick,
    UnknownHandError,
    absent_plays,
    check,
    deal_record,
    insert,
    legal_actions,
    may_claim,
    new_match,
    parse_action,
    partner_of,
    player_view,
    replay_record,
    summary_record,
)
from tests.engine import strategies
from tests.engine.strategies import Player, random_play
from tests.engine.tables import cards, run, table


def settle(state: State, absent: Seat) -> State:
    """The state with what the rule plays; the engine takes each play, strictly on the lead that counts."""
    settled, plays = absent_plays(state, absent)
    for play in plays:
        assert play.seat == absent
        assert state.trick is not None
        branch = state.trick.effective
        if branch is None or (isinstance(play, (Beat, Discard)) and branch.leader == play.on):
            check(state, play)
        state = insert(state, play)
    assert state == settled
    return state


def check_plays(state: State, absent: Seat, *lines: str) -> State:
    """The rule plays just this; the state after it."""
    assert absent_plays(state, absent)[1] == tuple(map(parse_action, lines))
    return settle(state, absent)


def sitting(hands: dict[Seat, str], entitled: Seat = 0, stock: int = 4) -> State:
    """A trick about to begin, trump hearts. Hands are filled up to four, from the end of the deck."""
    named = cards("".join(hands.values()))
    rest = [str(card) for card in DECK if card not in named]
    full = []
    for seat in SEATS:
        hand = hands.get(seat, "").replace(" ", "")
        while len(hand) < 8:
            hand += rest.pop()
        full.append(hand)
    return table(full, stock=stock, entitled=entitled)


# The lead


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("Jc Ad 6h 7h", "6h"),  # fewer points, though it is a trump
        ("6h 9d Kc As", "9d"),  # no trump, though its rank is higher
        ("Th Td As Ah", "Td"),  # no trump among equal points
        ("9c 8d 7s Ah", "7s"),  # the lower rank, though it is later in the deck
        ("8h 7h Ah Jh", "7h"),
        ("Js Jd Kc Qd", "Jd"),  # the first in the deck of those that are alike
        ("Td 6s 6c 6d", "6c"),
        ("Kd Td Qd Jd", "Jd"),  # one card, though all four could be led
    ],
)
def test_the_least_costly_card_is_led_r7(hand: str, card: str) -> None:
    """R7: entitled to lead, the absent seat leads one card."""
    check_plays(sitting({2: hand}, entitled=2), 2, f"lead 2 {card}")


def test_nothing_is_led_when_another_seat_is_entitled_r11() -> None:
    """R11: it waits for the lead like any other."""
    check_plays(sitting({2: "6c 7d 8s 9s"}), 2)


def test_nothing_is_led_after_a_claim_and_no_lead_is_taken_back_r15() -> None:
    """R15: with four of a suit the entitled seat could take the lead back; for the absent one nobody does."""
    state = run(sitting({0: "6d 7d 8d 9d", 3: "6s 7s 8s 9s"}), "molodka 3 6s7s8s9s")
    assert may_claim(state, 0)
    check_plays(state, 0, "discard 0 6d7d8d9d on 3")


def test_nothing_is_led_when_a_claim_awaits_somebody_else_r14() -> None:
    """R14: answers to a claim go clockwise, and the entitled seat waits for its turn."""
    check_plays(run(sitting({1: "6s 7s 8s 9s"}), "molodka 1 6s7s8s9s"), 0)


def test_four_of_a_suit_are_never_claimed_r13() -> None:
    """R13: a claim is a choice, and nobody is there to make it."""
    start = sitting({0: "9d", 1: "6c 7c 8c 9c"})
    assert may_claim(start, 1)
    check_plays(start, 1)
    check_plays(run(start, "lead 0 9d"), 1, "discard 1 6c on 0")


# Answers


@pytest.mark.parametrize(
    ("led", "hand", "answer"),
    [
        ("9c", "Jc Kc Ad 8d", "beat 1 Jc on 0"),  # the least costly of those that beat, not of the hand
        ("9c", "Jc Kc 6h 8d", "beat 1 6h on 0"),  # a trump without points costs less than a jack
        ("9c", "7h Kc 6h 8d", "beat 1 6h on 0"),
        ("Tc", "Ac 8d 7d 6s", "beat 1 Ac on 0"),  # whatever it costs
        ("Tc", "8d 7d 6s 9s", "discard 1 6s on 0"),
        ("6h", "8c 9d Ts 7h", "beat 1 7h on 0"),
        ("8h", "Jc 6h Ts Qs", "discard 1 6h on 0"),
        ("9cJc", "TcAc6h7h", "beat 1 6h7h on 0"),
        ("9cJc", "TcAc6hJd", "beat 1 Tc6h on 0"),
        ("6s7s", "8sJsQs9s", "beat 1 8s9s on 0"),
        ("6sAs", "7s8s7h8h", "beat 1 7s7h on 0"),
        ("8s9sJs", "6c7cKdAd", "discard 1 6c7cKd on 0"),
        ("6c7c8c9c", "JcQcKc6h", "beat 1 JcQcKc6h on 0"),
        ("6c7c8c9c", "JcQcKc6d", "discard 1 JcQcKc6d on 0"),
    ],
)
def test_an_opponent_is_beaten_as_cheaply_as_can_be_r9(led: str, hand: str, answer: str) -> None:
    """R9: and when nothing beats, the least costly cards are given away."""
    check_plays(run(sitting({0: led, 1: hand}), f"lead 0 {led}"), 1, answer)


@pytest.mark.parametrize(
    ("hand", "least"),
    [
        ("6cAdKd9h", "6c9h"),  # points first: a trump rather than a king
        ("9c7h6hQs", "9c6h"),  # then trumps: one rather than two
        ("9c8d7s6h", "8d7s"),
        ("9c8c7d6d", "7d6d"),  # then ranks
        ("8c7c6d9d", "7c6d"),
        ("6c9d7s8s", "6c7s"),
        ("7c7d7s8s", "7c7d"),  # then the deck
        ("JcJd6sQs", "6sJc"),
    ],
)
def test_the_least_costly_set_is_discarded_r10(hand: str, least: str) -> None:
    """R3, R10: a set is weighed as a whole. Nothing beats the two highest trumps."""
    state = run(sitting({0: "ThAh", 1: hand}), "lead 0 ThAh")
    check_plays(state, 1, f"discard 1 {least} on 0")


def test_the_partner_is_not_beaten_r1() -> None:
    """R1: whether it led the best set or beat with it."""
    start = sitting({0: "6c 7d 8d Ac", 2: "9c", 3: "Tc"}, entitled=2)
    led = run(start, "lead 2 9c")
    check_plays(run(led, "discard 3 Tc on 2"), 0, "discard 0 6c on 2")
    check_plays(run(led, "beat 3 Tc on 2"), 0, "beat 0 Ac on 2")
    start = sitting({0: "6c 7d 8d Ac", 1: "7c", 2: "9c", 3: "Tc"}, entitled=1)
    led = run(start, "lead 1 7c", "beat 2 9c on 1")
    check_plays(run(led, "discard 3 Tc on 1"), 0, "discard 0 6c on 1")
    check_plays(run(led, "beat 3 Tc on 1"), 0, "beat 0 Ac on 1")


# Branches


def test_a_branch_that_does_not_count_is_answered_too_r14() -> None:
    """R14: who has not seen the claim sees the same answer; it comes first: the other ends the trick."""
    start = sitting({0: "9s Ts 6d 7d", 1: "8s 7h Ad Qd", 2: "6c 7c 8c 9c", 3: "6h 7s 8h 9h"})
    on_0, on_2 = "beat 1 7h on 0", "discard 1 8s7hAdQd on 2"
    led = run(start, "lead 0 9s")
    check_plays(led, 1, on_0)
    claimed = run(led, "molodka 2 6c7c8c9c")
    settled = check_plays(claimed, 1, on_0)
    rest = ("discard 3 6h7s8h9h on 2", "discard 0 9sTs6d7d on 2")
    ended = check_plays(run(settled, *rest), 1, on_2)
    assert ended.phase is Phase.DRAWING
    assert check_plays(run(claimed, *rest), 1, on_0, on_2) == ended


def test_branches_weaker_than_its_own_are_not_answered_r16() -> None:
    """R16: it led out of turn and vanished; with an answer to a weaker lead no record could be replayed."""
    start = run(new_match(Options()), "deal 3 6d7d8h9s 6c7c8c9c Ad9hQsTh 6s7s8sTs", "indicate Ah")
    state = run(start, "lead 0 9s", "molodka 1 6c7c8c9c")
    check_plays(state, 1)
    state = run(state, "discard 2 9hThQsAd on 1", "discard 3 6s7s8sTs on 1", "discard 0 6d7d8h9s on 1")
    assert replay_record(summary_record(state, [deal_record(state)])) == state


def test_a_branch_stronger_than_its_own_is_answered_r15() -> None:
    """R15: a nearer claim came, or the lead was taken back."""
    start = sitting({0: "6d 7d 8d 9d", 1: "Ts 8s 9s Js", 2: "6c 7c 8c 9c", 3: "9h 7h 8h Jh"})
    claimed = run(start, "molodka 2 6c7c8c9c")
    state = run(claimed, "molodka 1 Ts8s9sJs")
    check_plays(state, 2, "discard 2 6c7c8c9c on 1")
    state = run(claimed, "lead 0 6d7d8d9d", "discard 1 Ts8s9sJs on 0")
    check_plays(state, 2, "discard 2 6c7c8c9c on 0")


def test_the_lead_of_the_next_trick_is_a_matter_of_its_own_r12() -> None:
    """R11, R12: with an empty stock the next trick begins at once; the caller is told of one at a time."""
    start = sitting({0: "6d", 1: "7d", 2: "9c 6s 7h Ad", 3: "6c"}, entitled=3, stock=0)
    state = run(start, "lead 3 6c", "discard 0 6d on 3", "discard 1 7d on 3")
    state = check_plays(state, 2, "beat 2 9c on 3")
    assert state.trick == Trick(2)
    check_plays(state, 2, "lead 2 6s")


def test_its_last_card_ends_the_deal_r18() -> None:
    """R18: as any last card does."""
    start = table(["6d", "7d", "9c", "6c"], entitled=3)
    state = run(start, "lead 3 6c", "discard 0 6d on 3", "discard 1 7d on 3")
    state = check_plays(state, 2, "beat 2 9c on 3")
    assert state.phase is Phase.DEAL_OVER


# When there is nothing to play


def test_nothing_is_played_while_no_trick_is() -> None:
    player = Player(Random(3), Options(), random_play)
    seen = set()
    while len(player.state.results) == 0:
        if player.state.phase is not Phase.PLAYING:
            seen.add(player.state.phase)
            for seat in SEATS:
                # Nor are the cards asked for.
                for view in (player.state, player_view(player.state, None)):
                    assert absent_plays(view, seat) == (view, ())
        if player.state.phase is Phase.DEALING:
            player.deal()
        else:
            player.step()
    assert absent_plays(player.state, 0) == (player.state, ())
    assert seen == {Phase.DEALING, Phase.DRAWING}


def test_the_hand_must_be_known() -> None:
    view = player_view(sitting({0: "6c 7d 8s 9s"}), 1)
    for seat in (0, 2, 3):
        with pytest.raises(UnknownHandError, match=f"seat {seat}"):
            absent_plays(view, seat)
    assert absent_plays(view, 1) == (view, ())


# A plain statement of the rule


def cost(state: State, play: Play) -> tuple[int, int, int, list[int]]:
    """What the set of a play costs; the cheapest is the least tuple."""
    assert play.cards is not None
    known = [DECK.index(card) for card in play.cards]
    points = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
    names = [str(DECK[number]) for number in known]
    return (
        sum(points.get(name[0], 0) for name in names),
        sum(DECK[number].suit is state.trump for number in known),
        sum("6789JQKTA".index(name[0]) for name in names),
        sorted(known),
    )


def alone(state: State, branch: Branch) -> State:
    """The trick as one who has seen nothing but this branch knows it."""
    assert state.trick is not None
    return replace(state, trick=Trick(state.trick.entitled, (branch,)))


def plain_answer(state: State, branch: Branch, seat: Seat) -> Answer:
    """The answer by the rule, from all answers that would be legal if only this branch were known."""
    answers = [
        play for play in legal_actions(alone(state, branch), seat) if isinstance(play, (Beat, Discard))
    ]
    beats = [answer for answer in answers if isinstance(answer, Beat)]
    discards = [answer for answer in answers if isinstance(answer, Discard)]
    spared = branch.best[0] == partner_of(seat)
    allowed: Sequence[Answer] = discards if spared or not beats else beats
    return min(allowed, key=lambda answer: cost(state, answer))


def due(state: State, seat: Seat) -> list[Play]:
    """What the rule plays, weak branches first."""
    assert state.trick is not None
    if not state.trick.branches and state.trick.entitled == seat:
        leads = [
            play for play in legal_actions(state, seat) if isinstance(play, Lead) and len(play.cards) == 1
        ]
        return [min(leads, key=lambda lead: cost(state, lead))]
    plays: list[Play] = []
    for branch in state.trick.branches:
        if branch.leader == seat:
            plays.clear()
        if branch.awaited == seat:
            plays.append(plain_answer(state, branch, seat))
    return plays


@settings(max_examples=150)
@given(strategies.positions())
def test_plays_are_those_of_the_plain_statement(state: State) -> None:
    """Each answer is a function of its branch alone."""
    for seat in SEATS if state.phase is Phase.PLAYING else ():
        assert list(absent_plays(state, seat)[1]) == due(state, seat)
        settle(state, seat)
