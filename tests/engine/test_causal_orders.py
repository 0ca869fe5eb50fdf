"""Random deals played by four players who see each other's plays late and out of order."""

from dataclasses import dataclass
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    SEATS,
    Options,
    Phase,
    Play,
    Seat,
    State,
    apply,
    deal_record,
    insert,
    legal_actions,
    player_view,
    view_action,
)
from tests.engine import strategies
from tests.engine.strategies import Player, deck_with_fours, random_play


@dataclass(frozen=True)
class Event:
    """A play, and the numbers of the plays that its author had seen."""

    play: Play
    past: frozenset[int]


class SlowTable:
    """One trick, where a play may reach each seat at any time after those that its author had seen."""

    def __init__(self, rng: Random, start: State) -> None:
        self.rng = rng
        self.full = start
        self.views = [player_view(start, seat) for seat in SEATS]
        self.seen: list[frozenset[int]] = [frozenset()] * 4
        self.events: list[Event] = []
        self.finished_before = len(start.tricks)

    def moves(self) -> list[tuple[Seat, int | Play]]:
        """What can happen next: a seat sees a play by its number, or makes one."""
        arrivals: list[tuple[Seat, int | Play]] = [
            (seat, number)
            for seat in SEATS
            for number, event in enumerate(self.events)
            if number not in self.seen[seat] and event.past <= self.seen[seat]
        ]
        plays: list[tuple[Seat, int | Play]] = []
        for seat in SEATS:
            if len(self.views[seat].tricks) == self.finished_before:
                legal = legal_actions(self.views[seat], seat)
                plays.extend((seat, play) for play in self.rng.sample(legal, min(len(legal), 2)))
        return arrivals + plays

    def play_trick(self) -> None:
        """Let things happen in random order until nothing is left to happen."""
        while moves := self.moves():
            seat, move = self.rng.choice(moves)
            if isinstance(move, int):
                self.views[seat] = insert(self.views[seat], view_action(self.events[move].play, seat))
                self.seen[seat] |= {move}
            else:
                self.views[seat] = apply(self.views[seat], move)
                self.full = insert(self.full, move)
                self.events.append(Event(move, self.seen[seat]))
                self.seen[seat] |= {len(self.events) - 1}


def check_trick(rng: Random, start: State) -> SlowTable:
    """Play one trick; all views end as the views of one state, with the trick finished."""
    table = SlowTable(rng, start)
    table.play_trick()
    assert len(table.full.tricks) == table.finished_before + 1
    assert table.seen == [frozenset(range(len(table.events)))] * 4
    for seat in SEATS:
        if table.views[seat].phase is not Phase.OPENING:
            assert table.views[seat] == player_view(table.full, seat)
        assert table.views[seat].tricks[-1].effective is not None
    assert in_record_order(start, table.full) == table.full
    return table


def in_record_order(start: State, end: State) -> State:
    """The last trick of `end` played again, strictly, in the order of its record."""
    state = start
    for play in end.tricks[-1].plays():
        state = apply(state, play)
    return state


@settings(max_examples=150)
@given(st.randoms(use_true_random=False), st.lists(strategies.seats, max_size=4, unique=True))
def test_first_tricks_with_several_fours_r15(rng: Random, fours: list[Seat]) -> None:
    """R13 to R16: one state at all four seats, whatever was seen when, and a strict order to it."""
    player = Player(rng, Options(), random_play)
    player.deal(deck_with_fours(rng, fours))
    table = check_trick(rng, player.state)
    if len(fours) > 1:
        [trick] = deal_record(table.full)["tricks"]
        assert [play["returned"] for play in trick["plays"][-4:]] == [False] * 4


@given(st.randoms(use_true_random=False), strategies.positions())
def test_tricks_in_the_middle_of_a_deal_r16(rng: Random, state: State) -> None:
    """R16: the same for any trick, from its start."""
    if state.phase is Phase.PLAYING and state.trick is not None and not state.trick.branches:
        check_trick(rng, state)


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_the_last_trick_of_a_deal_r18(rng: Random) -> None:
    """R18: also where the deal ends with the trick, which full knowledge scores at once."""
    player = Player(rng, Options(), random_play)
    player.deal()
    while player.state.stock or player.state.phase is not Phase.PLAYING:
        player.step()
    while player.state.trick is not None:
        table = check_trick(rng, player.state)
        player.state = table.full
    assert player.state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)


def test_late_plays_do_happen() -> None:
    """The tests above would prove little if plays never came to a trick whose lead had changed."""
    superseded = 0
    for seed in range(60):
        rng = Random(seed)
        player = Player(rng, Options(), random_play)
        player.deal(deck_with_fours(rng, (1, 2, 3)))
        trick = check_trick(rng, player.state).full.tricks[-1]
        superseded += len(trick.branches) > 2
    assert superseded > 5
