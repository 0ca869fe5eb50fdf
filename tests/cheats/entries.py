"""What the catalogue says of a way to cheat: what it does, when it is caught, and as which fault (§8.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from tests.cheats.crook import Scheme


class Caught(Enum):
    """When a cheat comes to light."""

    AT_ONCE = "at once"
    """The false event itself is the proof."""
    BY_COMPLAINT = "as soon as the one who got it looks at it"
    """It was hidden from all others; whoever got it shows it, and that proves the lie."""
    WHEN_LOST = "when the others go on without the seat"
    """What was hidden comes out when the three others put the seat's key together."""
    WHEN_OPENED = "at the end of the deal"
    """What was hidden has to be opened then, or nobody's opening is believed."""
    DROPPED = "not provable: dropped, the match goes on"
    """It proves nothing about anybody, and changes nothing."""
    RESTS = "not provable: the match rests, and the log shows whose move is missing"
    """Nothing false has been said."""


@dataclass(frozen=True)
class Entry:
    """One way to cheat. `sentence` says what the culprit does; `fault` is None where nothing is proven."""

    name: str
    sentence: str
    caught: Caught
    fault: str | None
    scheme: Callable[[], Scheme]
    real: bool = False
    """Whether the proof itself is the point, so that no stand-in will do."""

    @property
    def provable(self) -> bool:
        """Whether there is a culprit that can be named."""
        return self.fault is not None

    @property
    def target(self) -> int:
        """A short match where its end matters, else one so long that the moment will come."""
        return 24 if self.provable and self.fault != "false-final" else 6
