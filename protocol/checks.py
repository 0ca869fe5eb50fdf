"""What has been checked about a match, and how often: the figures that an audit gives (§10.4)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from protocol.bodies import (
    Beaten,
    Body,
    Claimed,
    CoinReveal,
    Concluded,
    Dealt,
    Discarded,
    Drawn,
    Key,
    Led,
    Opened,
    Rescue,
    Result,
    Shuffle,
)
from protocol.fields import SHARE_BYTES

__all__ = ["Check", "checks_of"]


class Check(Enum):
    """A kind of check; all are counted one by one."""

    SIGNATURES = "signatures"
    """An event's signature is its author's (§4.3)."""
    LINKS = "links"
    """An event follows the one that it names, or had seen one that it names, and hides none (§4.6)."""
    KEYS = "keys"
    """A deal key with its proof and the commitments to its parts (§6.4, §6.12)."""
    SHUFFLES = "shuffles"
    """A deck holds the cards of the one before it (§6.6)."""
    SHARES = "shares"
    """A share of a card was made with the author's key (§6.7)."""
    COMMITMENTS = "commitments"
    """What was opened is what had been committed to: coins, and discards that were held (§6.9, §7.8)."""
    PLAYS = "plays"
    """A play was allowed by the rules of the game when it was made (§7.7)."""
    RESULTS = "results"
    """A deal or a match ended as its log says (§7.9, §7.10)."""


def checks_of(body: Body) -> Mapping[Check, int]:
    """The checks that an event has passed which was judged and found sound, besides signature and links."""
    match body:
        case Key():
            return {Check.KEYS: 1}
        case Shuffle():
            return {Check.SHUFFLES: 1}
        case Dealt() | Drawn():
            return {Check.SHARES: len(body.shares) // SHARE_BYTES}
        case Led() | Claimed() | Beaten():
            return {Check.PLAYS: 1, Check.SHARES: len(body.slots)}
        case Discarded():
            return {Check.PLAYS: 1}
        case Opened():
            return {Check.COMMITMENTS: len(body.discards), Check.KEYS: 1}
        case CoinReveal():
            return {Check.COMMITMENTS: 1}
        case Rescue():
            return {Check.KEYS: 1}
        case Result() | Concluded():
            return {Check.RESULTS: 1}
    return {}
