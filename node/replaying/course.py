"""The way through a replay: which steps there are, and where each move leads. Nothing but numbers.

All moves are pure. Each returns where it leads, or None where there is nothing in that direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Course", "Position"]


class Position(NamedTuple):
    """A step of a trick of a deal, each counted from 0. Positions compare in the order of the match."""

    deal: int
    trick: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """`steps[deal][trick]` is how many steps a trick has, at least one; each deal has a trick."""

    steps: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Raise ValueError where a deal or a trick has nothing to stand on."""
        if not self.steps or not all(deal and min(deal) > 0 for deal in self.steps):
            raise ValueError("a replay needs a deal, each deal a trick, each trick a step")

    @classmethod
    def of(cls, deals: Sequence[Sequence[bool]]) -> Course:
        """From the moments of each deal: whether a trick begins there. The first one begins one anyhow."""
        return cls(tuple(_trick_lengths(begins) for begins in deals))

    def positions(self) -> Iterator[Position]:
        """All positions in their order."""
        for deal, tricks in enumerate(self.steps):
            for trick, count in enumerate(tricks):
                yield from (Position(deal, trick, step) for step in range(count))

    def place(self, at: Position) -> int:
        """The number of the moment in its deal, counted from 0."""
        return sum(self.steps[at.deal][: at.trick]) + at.step

    @property
    def first(self) -> Position:
        """Where the replay begins."""
        return Position(0)

    @property
    def last(self) -> Position:
        """The last step of all."""
        return self._end_of_deal(len(self.steps) - 1)

    def jump(self, deal: int, trick: int = 0) -> Position | None:
        """The beginning of a trick; None if there is no such trick or deal."""
        known = 0 <= deal < len(self.steps) and 0 <= trick < len(self.steps[deal])
        return Position(deal, trick) if known else None

    def next_step(self, at: Position) -> Position | None:
        """One step on, into the next trick or deal if this one is over."""
        if at.step + 1 < self.steps[at.deal][at.trick]:
            return at._replace(step=at.step + 1)
        return self.next_trick(at)

    def previous_step(self, at: Position) -> Position | None:
        """One step back: what `next_step` leads away from."""
        if at.step:
            return at._replace(step=at.step - 1)
        if at.trick:
            return self._end_of_trick(at.deal, at.trick - 1)
        return self._end_of_deal(at.deal - 1) if at.deal else None

    def next_trick(self, at: Position) -> Position | None:
        """The beginning of the next trick, be it of the next deal."""
        return self.jump(at.deal, at.trick + 1) or self.next_deal(at)

    def previous_trick(self, at: Position) -> Position | None:
        """The beginning of this trick, or from there of the trick before."""
        if at.step or at.trick:
            return Position(at.deal, at.trick if at.step else at.trick - 1)
        return Position(at.deal - 1, len(self.steps[at.deal - 1]) - 1) if at.deal else None

    def next_deal(self, at: Position) -> Position | None:
        """The beginning of the next deal."""
        return self.jump(at.deal + 1)

    def previous_deal(self, at: Position) -> Position | None:
        """The beginning of this deal, or from there of the deal before."""
        return self.jump(at.deal if at.step or at.trick else at.deal - 1)

    def _end_of_trick(self, deal: int, trick: int) -> Position:
        return Position(deal, trick, self.steps[deal][trick] - 1)

    def _end_of_deal(self, deal: int) -> Position:
        return self._end_of_trick(deal, len(self.steps[deal]) - 1)


def _trick_lengths(begins: Sequence[bool]) -> tuple[int, ...]:
    lengths: list[int] = []
    for begin in begins:
        if begin or not lengths:
            lengths.append(0)
        lengths[-1] += 1
    return tuple(lengths)
