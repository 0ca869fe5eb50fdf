"""One trick as a set of branches.

A branch is opened by a lead, of the seat entitled to it or out of turn, and collects answers clockwise. The
branch that counts is the lead of four nearest clockwise to the entitled seat, that seat being nearest of all;
else the entitled seat's lead (R15). Branches are kept from the weakest to the strongest, so a trick is a
function of the set of plays in it, in whatever causal order they arrived, and the branch that counts is the
last one.

In that same order a trick can also be played again strictly, one legal action after another: a seat that
opens a branch has played in no weaker one (R16), and only the strongest branch so far is ever answered.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.actions import Answer, Beat, Lead, Molodka, Opening, Play
from engine.cards import HAND_SIZE, Cards, Seat, distance, next_seat


@dataclass(frozen=True, slots=True)
class Branch:
    """A lead and its answers: at most three, of the seats clockwise from the leader (R8)."""

    leader: Seat
    cards: Cards
    is_molodka: bool
    answers: tuple[Answer, ...] = ()

    @property
    def opening(self) -> Opening:
        """The action that opened the branch."""
        return Molodka(self.leader, self.cards) if self.is_molodka else Lead(self.leader, self.cards)

    @property
    def complete(self) -> bool:
        """Whether all four seats have played on this lead."""
        return len(self.answers) == 3

    @property
    def awaited(self) -> Seat | None:
        """The seat that answers next (R8), None when all have."""
        return None if self.complete else next_seat(self.leader, 1 + len(self.answers))

    @property
    def best(self) -> tuple[Seat, Cards]:
        """The current best set and its owner: the last that beat, or the lead (R9)."""
        for answer in reversed(self.answers):
            if isinstance(answer, Beat):
                return answer.seat, answer.cards
        return self.leader, self.cards

    def plays(self) -> Iterator[Play]:
        """The lead, then the answers, as actions."""
        yield self.opening
        yield from self.answers

    def play_of(self, seat: Seat) -> Play | None:
        """What a seat played in this branch."""
        if seat == self.leader:
            return self.opening
        place = distance(self.leader, seat) - 1
        return self.answers[place] if place < len(self.answers) else None


@dataclass(frozen=True, slots=True)
class Trick:
    """The plays of one trick: `entitled` is the seat whose lead it is, `branches` run from weak to strong."""

    entitled: Seat
    branches: tuple[Branch, ...] = ()

    @property
    def effective(self) -> Branch | None:
        """The branch that counts (R15), None before any lead."""
        return self.branches[-1] if self.branches else None

    @property
    def complete(self) -> bool:
        """Whether all four seats have played on the branch that counts; nothing can change it then (R16)."""
        return bool(self.branches) and self.branches[-1].complete

    @property
    def turn(self) -> Seat | None:
        """The seat whose ordinary play is awaited (R7, R8), None when the trick is complete."""
        return self.branches[-1].awaited if self.branches else self.entitled

    @property
    def best(self) -> tuple[Seat, Cards] | None:
        """The best set of the branch that counts and its owner, None before any lead."""
        return self.branches[-1].best if self.branches else None

    @property
    def taker(self) -> Seat | None:
        """The seat that has won the trick (R11), None while it is not complete."""
        return self.branches[-1].best[0] if self.complete else None

    def branch_of(self, leader: Seat) -> Branch | None:
        """The branch that a seat opened; it can open only one."""
        return next((branch for branch in self.branches if branch.leader == leader), None)

    def has_played(self, seat: Seat) -> bool:
        """Whether a seat has played in any branch, also one that went back (R16)."""
        return any(branch.play_of(seat) is not None for branch in self.branches)

    def right_to_lead(self, seat: Seat, count: int) -> int:
        """How strong a lead of `count` cards is (R15): 0 for fewer than four, else 1 (farthest seat) to 4."""
        return HAND_SIZE - distance(self.entitled, seat) if count == HAND_SIZE else 0

    def plays(self) -> Iterator[Play]:
        """All plays in an order in which each is legal: weaker branches first, leads before their answers."""
        for branch in self.branches:
            yield from branch.plays()

    def add(self, play: Play) -> "Trick":
        """The trick with one more play, which must fit: a new branch, or the next answer of an old one."""
        if isinstance(play, (Lead, Molodka)):
            branches = [*self.branches, Branch(play.seat, play.cards, isinstance(play, Molodka))]
            branches.sort(key=lambda branch: self.right_to_lead(branch.leader, len(branch.cards)))
            return replace(self, branches=tuple(branches))
        return replace(self, branches=tuple(_answered(branch, play) for branch in self.branches))


def _answered(branch: Branch, answer: Answer) -> Branch:
    if branch.leader != answer.on:
        return branch
    return replace(branch, answers=(*branch.answers, answer))
