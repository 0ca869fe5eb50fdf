"""Every order in which the plays of one trick can be made and seen, on the real engine.

Four honest players act on their own view only, and plays arrive in any order that respects what their author
had seen. A player makes at most one ordinary lead, one lead of four and one answer to each lead: which cards
it answers with changes nothing of what is explored here. Checked in every reachable situation:

- a view is a function of the set of plays in it, whatever order they came in, and never refuses a play;
- a finished trick has the lead that counts among all plays that exist, so it never changes;
- when nothing is left to do, the trick is finished in all four views, and they show the same plays.

The numbers of situations are those of an independent model of the same rules, which knows no cards.
"""

from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

import pytest

from engine import (
    SEATS,
    Action,
    Discard,
    Lead,
    Molodka,
    Options,
    Play,
    Seat,
    State,
    apply,
    insert,
    legal_actions,
    player_view,
    view_action,
)
from tests.engine.strategies import Player, deck_with_fours, random_play

Seen: TypeAlias = "frozenset[Event]"


@dataclass(frozen=True)
class Event:
    """A play, and all that its author had seen of the trick."""

    play: Play
    past: Seen
    digest: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", hash((self.play, self.past)))

    def __hash__(self) -> int:
        return self.digest


def first_trick(fours: tuple[Seat, ...]) -> State:
    """A first trick that seat 0 leads, where exactly these seats hold four of a suit."""
    for seed in range(1000):
        player = Player(Random(seed), Options(), random_play)
        player.deal(deck_with_fours(player.rng, fours), dealer=3)
        suits = [len({card.suit for card in hand.known}) for hand in player.state.hands]
        if [seat for seat in SEATS if suits[seat] == 1] == list(fours):
            return player.state
    raise AssertionError("no such deal among the seeds")


def choices(view: State, seat: Seat) -> list[Play]:
    """One legal play of each kind: an ordinary lead, a lead of four, an answer."""
    kinds: dict[tuple[type[Play], bool], Play] = {}
    for play in legal_actions(view, seat):
        if isinstance(play, (Discard, Molodka)) or (isinstance(play, Lead) and len(play.cards) in (1, 4)):
            kinds.setdefault((type(play), isinstance(play, Lead) and len(play.cards) == 4), play)
    return list(kinds.values())


class Explorer:
    """All situations that can be reached from the start of one trick."""

    def __init__(self, start: State) -> None:
        self.views: dict[tuple[Seat, Seen], State] = {
            (seat, frozenset()): player_view(start, seat) for seat in SEATS
        }
        self.acts: dict[tuple[Seat, Seen], list[Event]] = {}
        self.ends = 0
        self.leads_that_stood: set[Action] = set()

    def acts_of(self, seat: Seat, seen: Seen) -> list[Event]:
        """What a seat may do that has seen these plays."""
        key = seat, seen
        if key not in self.acts:
            self.acts[key] = [Event(play, seen) for play in choices(self.views[key], seat)]
        return self.acts[key]

    def see(self, seat: Seat, seen: Seen, event: Event) -> Seen:
        """Add a play to a view: its author applies it, the others insert it as far as they see it."""
        after = seen | {event}
        before = self.views[seat, seen]
        own = event.play.seat == seat
        state = apply(before, event.play) if own else insert(before, view_action(event.play, seat))
        assert self.views.setdefault((seat, after), state) == state, "a view depends on the order of plays"
        return after

    def run(self) -> int:
        """Explore; the number of situations."""
        start: tuple[Seen, ...] = (frozenset(),) * 4
        found, todo = {start}, [start]
        while todo:
            now = todo.pop()
            existing = frozenset().union(*now)
            following = []
            for seat in SEATS:
                events = [event for event in existing - now[seat] if event.past <= now[seat]]
                for event in [*self.acts_of(seat, now[seat]), *events]:
                    after = self.see(seat, now[seat], event)
                    following.append((*now[:seat], after, *now[seat + 1 :]))
            self.check_finality(now, existing)
            if not following:
                self.check_end(now)
            fresh = [situation for situation in following if situation not in found]
            found.update(fresh)
            todo.extend(fresh)
        return len(found)

    def check_finality(self, now: tuple[Seen, ...], existing: Seen) -> None:
        """A finished trick has the strongest of all leads that were made anywhere."""
        for seat in SEATS:
            view = self.views[seat, now[seat]]
            if view.tricks:
                [trick] = view.tricks
                openings = {event.play for event in existing if isinstance(event.play, (Lead, Molodka))}
                assert {branch.opening for branch in trick.branches} == openings, (
                    "a finished trick lacks a lead"
                )

    def check_end(self, now: tuple[Seen, ...]) -> None:
        """At rest the trick is finished, and everybody has seen the same."""
        self.ends += 1
        assert len(set(now)) == 1
        tricks = [self.views[seat, now[seat]].tricks for seat in SEATS]
        assert all(len(done) == 1 for done in tricks), "somebody is stuck"
        standing = {done[0].effective.opening for done in tricks if done[0].effective is not None}
        assert len(standing) == 1
        self.leads_that_stood |= standing


def check_every_order(fours: tuple[Seat, ...], situations: int, ends: int) -> None:
    explorer = Explorer(first_trick(fours))
    assert explorer.run() == situations
    assert explorer.ends == ends
    leaders = {
        (play.seat, len(play.cards))
        for play in explorer.leads_that_stood
        if isinstance(play, (Lead, Molodka))
    }
    ordinary = next(iter({count for seat, count in leaders if seat == 0 and count < 4}))
    assert leaders == {(0, ordinary), *((seat, 4) for seat in fours)}


@pytest.mark.parametrize(
    ("fours", "situations", "ends"),
    [
        ((), 75, 1),
        ((0,), 149, 2),
        ((1,), 959, 6),
        ((2,), 3491, 14),
        ((3,), 6952, 23),
        ((0, 1), 7836, 28),
        ((0, 2), 6907, 27),
        ((0, 3), 7836, 28),
    ],
)
def test_every_order_of_a_trick_r16(fours: tuple[Seat, ...], situations: int, ends: int) -> None:
    """R13 to R16: a completed trick is final, and all views agree, in whatever order plays are seen."""
    check_every_order(fours, situations, ends)


@pytest.mark.long
@pytest.mark.parametrize(
    ("fours", "situations", "ends"),
    [((1, 2), 93727, 178), ((1, 3), 43141, 100), ((0, 1, 3), 133377, 264)],
)
def test_every_order_of_a_trick_with_several_claims_r15(
    fours: tuple[Seat, ...], situations: int, ends: int
) -> None:
    """R15: the nearest of several claims leads, in whatever order plays are seen."""
    check_every_order(fours, situations, ends)
