"""The rule by example, by comparison with a plain statement of it, and in whole deals.

That all nodes agree is checked as for four present players: the honest ones act on their own view only, plays
arrive in any order that respects what their author had seen, and after each of them everybody plays for the
absent seat. At the absent seat's place sits a spectator, who sees plays like the others and makes none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    DECK,
    DECK_POINTS,
    SEATS,
    Answer,
    Beat,
    Branch,
    Discard,
    Lead,
    Molodka,
    Options,
    Phase,
    Play,
    Seat,
    State,
    Trick,
    UnknownHandError,
    absent_plays,
    apply,
    check,
    deal_record,
    insert,
    legal_actions,
    may_claim,
    new_match,
    parse_action,
    partner_of,
    played_cards,
    player_view,
    replay_record,
    summary_record,
    turn,
    view_action,
)
from tests.engine import strategies
from tests.engine.strategies import Player, deck_with_fours, random_play
from tests.engine.tables import cards, run, table
from tests.engine.test_causal_orders import Event as Numbered
from tests.engine.test_causal_orders import SlowTable, in_record_order
from tests.engine.test_every_order import Event, Explorer, Seen, choices, first_trick


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


# All orders


class ExplorerWithout(Explorer):
    """All situations that three players can bring about, one seat being absent from these plays on.

    What was played while it was there is known to all, and its own discards are turned up.
    """

    def __init__(self, start: State, absent: Seat, before: Iterable[Play] = ()) -> None:
        super().__init__(start)
        self.absent = absent
        for seat in SEATS:
            view = self.views[seat, frozenset()]
            first, second, third, fourth = (
                start.hands[other] if other == absent else hand for other, hand in enumerate(view.hands)
            )
            view = replace(view, hands=(first, second, third, fourth))
            for play in before:
                view = insert(view, play if play.seat == absent else view_action(play, seat))
            self.views[seat, frozenset()] = settle(view, absent)
        trick = self.views[absent, frozenset()].trick
        assert trick is not None
        self.led = {branch.opening for branch in trick.branches}

    def acts_of(self, seat: Seat, seen: Seen) -> list[Event]:
        """One play of each kind, and a beat besides: what is played for the absent seat depends on it."""
        key = seat, seen
        if seat == self.absent:
            return []
        if key not in self.acts:
            legal = legal_actions(self.views[key], seat)
            beats = [play for play in legal if isinstance(play, Beat)][:1]
            self.acts[key] = [Event(play, seen) for play in choices(self.views[key], seat) + beats]
        return self.acts[key]

    def see(self, seat: Seat, seen: Seen, event: Event) -> Seen:
        """Add a play to a view, and then what the rule plays."""
        before, after = self.views[seat, seen], seen | {event}
        own = event.play.seat == seat
        state = apply(before, event.play) if own else insert(before, view_action(event.play, seat))
        state = settle(state, self.absent)
        assert self.views.setdefault((seat, after), state) == state, "a view depends on the order of plays"
        return after

    def check_finality(self, now: tuple[Seen, ...], existing: Seen) -> None:
        """A finished trick has all leads that were made anywhere; and nowhere is the absent seat awaited."""
        leads = {event.play for event in existing if isinstance(event.play, (Lead, Molodka))} | self.led
        for seat in SEATS:
            view = self.views[seat, now[seat]]
            assert turn(view) != self.absent
            for trick in view.tricks:
                assert {branch.opening for branch in trick.branches} == leads, "a finished trick lacks a lead"

    def leaders(self) -> set[tuple[Seat, int]]:
        """Who led, and how many cards, in the tricks that were finished."""
        leads = [play for play in self.leads_that_stood if isinstance(play, (Lead, Molodka))]
        return {(lead.seat, len(lead.cards)) for lead in leads}


@pytest.mark.parametrize("absent", SEATS)
@pytest.mark.parametrize("fours", [(), (0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3), (1, 3)])
def test_every_order_of_a_trick_without_a_seat_r15(fours: tuple[Seat, ...], absent: Seat) -> None:
    """R13 to R16: a view is a function of the real plays in it, and a finished trick is final."""
    explorer = ExplorerWithout(first_trick(fours), absent)
    explorer.run()
    fours_there = {(seat, 4) for seat in fours if seat != absent}
    assert explorer.leaders() == {(0, 1), *fours_there}


def first_plays(start: State, kinds: Iterable[tuple[Seat, type[Play]]]) -> list[Play]:
    """Legal plays of these seats and kinds, one after another; a lead is one of a single card."""
    state, plays = start, []
    for seat, kind in kinds:
        play = next(play for play in legal_actions(state, seat) if isinstance(play, kind))
        state = apply(state, play)
        plays.append(play)
    return plays


@pytest.mark.parametrize(
    ("fours", "absent", "before", "leaders"),
    [
        ((2,), 0, [(0, Lead)], {(0, 1), (2, 4)}),
        ((3,), 0, [(3, Molodka)], {(3, 4)}),
        ((0, 3), 0, [(3, Molodka)], {(3, 4)}),
        ((1,), 1, [(0, Lead), (1, Molodka)], {(1, 4)}),
        ((1, 3), 3, [(0, Lead), (3, Molodka)], {(1, 4), (3, 4)}),
        ((0, 3), 3, [(3, Molodka)], {(0, 4), (3, 4)}),
        ((2,), 1, [(0, Lead), (2, Molodka)], {(2, 4)}),
        ((3,), 2, [(0, Lead), (1, Discard), (2, Discard)], {(0, 1), (3, 4)}),
    ],
)
def test_every_order_after_a_seat_left_in_the_middle_of_a_trick_r16(
    fours: tuple[Seat, ...],
    absent: Seat,
    before: list[tuple[Seat, type[Play]]],
    leaders: set[tuple[Seat, int]],
) -> None:
    """R13 to R16: the same when the absent seat, or others, have played in the trick before."""
    start = first_trick(fours)
    explorer = ExplorerWithout(start, absent, first_plays(start, before))
    explorer.run()
    assert explorer.leaders() == leaders


# Whole deals


class TableWithout(SlowTable):
    """One trick of a slow table, which a seat leaves after some moves; all then see what was played so far.

    Everybody has full knowledge here: the explorer above has the views.
    """

    def __init__(self, rng: Random, start: State, absent: Seat, moves_before: int) -> None:
        super().__init__(rng, start)
        self.views = [start] * 4
        self.absent: Seat | None = None
        for _ in range(moves_before):
            self.happen(self.moves())
        while arrivals := [move for move in self.moves() if isinstance(move[1], int)]:
            self.happen(arrivals)
        self.absent, self.before = absent, len(self.events)
        self.full = self.base = self.settled(self.full)
        self.views = [self.settled(view) for view in self.views]

    def moves(self) -> list[tuple[Seat, int | Play]]:
        """As if all were there, but nobody makes the absent seat's plays."""
        return [
            (seat, move) for seat, move in super().moves() if seat != self.absent or isinstance(move, int)
        ]

    def happen(self, moves: Sequence[tuple[Seat, int | Play]]) -> None:
        """One of these moves, if there are any."""
        if not moves:
            return
        seat, move = self.rng.choice(moves)
        if isinstance(move, int):
            self.views[seat] = self.settled(insert(self.views[seat], self.events[move].play))
            self.seen[seat] |= {move}
        else:
            self.views[seat] = self.settled(apply(self.views[seat], move))
            self.full = self.settled(insert(self.full, move))
            self.events.append(Numbered(move, self.seen[seat]))
            self.seen[seat] |= {len(self.events) - 1}

    def settled(self, state: State) -> State:
        """With what is played for the absent seat to this trick; the next one begins for all together."""
        over = len(state.tricks) > self.finished_before
        return state if self.absent is None or over else settle(state, self.absent)

    def play_trick(self) -> None:
        """Let things happen in random order until nothing is left to happen."""
        while moves := self.moves():
            self.happen(moves)

    def in_another_order(self) -> State:
        """What follows from the same plays since the seat left, in any order in which they could be seen."""
        state, left = self.base, set(range(self.before, len(self.events)))
        while left:
            number = self.rng.choice([number for number in left if not self.events[number].past & left])
            state = self.settled(insert(state, self.events[number].play))
            left.remove(number)
        return state


def play_trick_without(rng: Random, start: State, absent: Seat, moves_before: int) -> TableWithout:
    """Play one trick, which ends alike for all, in any order of the plays, and in that of its record."""
    table = TableWithout(rng, start, absent, moves_before)
    table.play_trick()
    assert len(table.full.tricks) == table.finished_before + 1
    assert len({hand.size for hand in table.full.hands}) == 1
    for state in (*table.views, table.in_another_order(), in_record_order(start, table.full)):
        assert state == table.full
    return table


def play_deal_without(player: Player, absent: Seat, tricks_before: int, moves_before: int) -> None:
    """Play a dealt deal to its end, which the seat leaves after so many tricks and moves."""
    while player.state.phase in (Phase.PLAYING, Phase.DRAWING):
        if player.state.phase is Phase.DRAWING or len(player.state.tricks) < tricks_before:
            player.step()
        else:
            now = play_trick_without(player.rng, player.state, absent, moves_before)
            player.state, moves_before = now.full, 0


@settings(max_examples=100)
@given(
    st.integers(0, 2**32),
    strategies.options,
    strategies.policies,
    strategies.seats,
    st.integers(0, 6),
    st.integers(0, 12),
    st.lists(strategies.seats, max_size=4, unique=True),
)
def test_every_deal_ends_r18(
    seed: int,
    options: Options,
    policy: strategies.Policy,
    absent: Seat,
    tricks_before: int,
    moves_before: int,
    fours: list[Seat],
) -> None:
    """R18, R19: from wherever the seat leaves, all cards are played, and the record can be played again."""
    player = Player(Random(seed), options, policy)
    player.deal(deck_with_fours(player.rng, fours))
    play_deal_without(player, absent, tricks_before, moves_before)
    state = player.state
    assert state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)
    assert sorted(card for trick in state.tricks for card in played_cards(trick)) == list(DECK)
    assert sum(state.results[-1].points) == DECK_POINTS
    assert replay_record(summary_record(state, [deal_record(state)])) == state


def test_what_must_not_go_wrong_does_happen() -> None:
    """The test above would prove little without answers on branches that do not count, old and new."""
    superseded = own = 0
    for seed in range(60):
        rng = Random(seed)
        player = Player(rng, Options(), random_play)
        player.deal(deck_with_fours(rng, (1, 2, 3)))
        table = play_trick_without(rng, player.state, absent=1, moves_before=seed % 6)
        *returned, _ = table.full.tricks[-1].branches
        real = {event.play for event in table.events}
        superseded += any(
            branch.play_of(1) not in {None, *real} and len(branch.cards) == 4 for branch in returned
        )
        own += any(branch.awaited == 1 for branch in returned)
    assert superseded > 5
    assert own > 0
