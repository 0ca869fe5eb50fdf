"""What the log has established about the plays of a trick (§7.7), and the steps of a deal's record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.actions import Action, Discard, Play
from engine.cards import Seat
from engine.state import State
from protocol.events import Position


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the record as everybody sees it, with the slots it moves.

    The action's cards are what is public; `commitment` stands with a discard.
    """

    deal: int
    trick: int
    action: Action
    slots: tuple[int, ...] = ()
    commitment: bytes | None = None


@dataclass(frozen=True, slots=True)
class PlayFact:
    """One judged play of a trick; `at` is None for what the fixed rule plays for a lost seat (§7.12)."""

    at: Position | None
    action: Play
    slots: tuple[int, ...]
    commitment: bytes | None


@dataclass(slots=True)
class TrickFacts:
    """A trick: the state it began from, its plays, and, once final, the four plays that count.

    `draws` are the seats and slots drawn after it; they are in the record when all `drawn_by` are there.
    """

    base: State
    plays: list[PlayFact] = field(default_factory=list)
    standing: tuple[PlayFact, ...] = ()
    draws: tuple[tuple[Seat, int], ...] = ()
    drawn_by: list[Position | None] = field(default_factory=lambda: [None] * 4)

    @property
    def finished_by(self) -> tuple[Position, ...] | None:
        """The events that made the plays that count, None while the trick is not finished."""
        return tuple(play.at for play in self.standing if play.at is not None) if self.standing else None


class HiddenPlay(NamedTuple):
    """A discard and the commitment to its cards."""

    action: Discard
    commitment: bytes
