"""Plays of the readable engine as moves of the quick one."""

from __future__ import annotations

from engine import Beat, Lead, Molodka, Play
from engine.bits import mask_of
from engine.quick import BEAT, DISCARD, OPEN, Move

__all__ = ["move_of"]


def move_of(play: Play) -> Move:
    """A play whose cards are known."""
    kind = OPEN if isinstance(play, (Lead, Molodka)) else BEAT if isinstance(play, Beat) else DISCARD
    return mask_of(play.cards or ()) | kind
