"""What cards and chances are worth to the rules of thumb, in card points."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["BY_HAND", "BY_SELF_PLAY", "Weights"]


class Weights(NamedTuple):
    """One opinion of what is worth how much.

    - `plain`, `trumps`: what a card of a plain suit and a trump are worth in the hand, from six to ace.
    - `without_stock`: by how much less they are worth when no better ones can be drawn any more.
    - `tempo`: what taking the trick is worth beside its points: to lead next, and to draw first.
    - `friend`, `foe`: how many points partner and opponent give to a trick that the own team takes, a card.
    - `wide`: what each card beyond the first is worth in a lead.
    - `will`: how likely a hand that could beat does beat, by the number of cards.
    """

    plain: tuple[float, ...]
    trumps: tuple[float, ...]
    without_stock: float
    tempo: float
    friend: float
    foe: float
    wide: float
    will: tuple[float, ...]


BY_HAND: Final = Weights(
    plain=(0, 0, 0.3, 0.6, 0.9, 1.5, 2, 3, 6),
    trumps=(4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 11),
    without_stock=0.3,
    tempo=2,
    friend=4,
    foe=1,
    wide=1,
    will=(1, 0.85, 0.8, 0.75, 0.7),
)
"""As a player would guess."""

BY_SELF_PLAY: Final = Weights(
    plain=(-0.14, -0.12, 0.34, 0.67, 1.09, 1.51, 1.63, 2.93, 5.99),
    trumps=(2.6, 4.81, 5.13, 7.85, 6.4, 6.94, 10.35, 10.34, 18.03),
    without_stock=0.62,
    tempo=1.71,
    friend=2.81,
    foe=0.97,
    wide=1.6,
    will=(1.0, 0.85, 0.67, 0.76, 0.69),
)
"""Found in self-play by `tests.training.thumb`."""
