"""What a simulation can find wrong, and what it counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Code(StrEnum):
    """The kinds of findings."""

    STUCK = "stuck"
    """The quiet phase has ended, and the match has not."""
    STORM = "storm"
    """The nodes talk without end."""
    EXCEPTION = "exception"
    """Something raised what it must not raise."""
    ACCUSED = "accused"
    """An honest seat is accused."""
    UNPROVEN = "unproven"
    """The table was split by an equivocator, and somebody does not hold it against that seat."""
    DIFFERENT = "different"
    """Two nodes have come to different states or logs."""
    LOST = "lost"
    """An event that was sent, or was on disk, is not in a log in the end."""
    TWICE = "twice"
    """An honest seat has signed two events with one number, and let both out of its hands."""
    AUDIT = "audit"
    """The audit of an exported log does not say what the table says."""


class Finding(Exception):
    """A run has broken one of the promises."""

    def __init__(self, code: Code, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


@dataclass(slots=True)
class Tally:
    """What has happened in a run, or in many."""

    frames: int = 0
    events: int = 0
    crashes: int = 0
    deals: int = 0
    finished: int = 0
    splits: int = 0
    """Runs in which an equivocator really had the table split."""
    convictions: int = 0
    accused: int = 0
    """Honest seats that were accused."""
    lost: int = 0
    """Events that were lost."""
    votes: int = 0
    """Declarations that a seat is lost."""
    seats_lost: int = 0
    """Seats that all three others have declared lost in a deal."""
    mistaken: int = 0
    """Those of them that were there."""
    rescued: int = 0
    """Deals that were played to their end without a seat."""
    late: int = 0
    """What lost seats had signed when the others went on without it."""
    never_back: int = 0
    """Matches that ended well although somebody never came back."""
    faults: Counter[str] = field(default_factory=Counter)
    """How often each kind of fault has struck."""
    crash_points: Counter[str] = field(default_factory=Counter)
    """Before which effect nodes crashed."""

    def add(self, other: Tally) -> None:
        """Count another run in."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
