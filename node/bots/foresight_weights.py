"""What cards in the four hands tell of the points to come; fitted to self-play
by `tests.training.foresight`.

By the number of cards in the stock: for the seats clockwise from the one that leads, the worth of each plain
card from six to ace, of each trump, of two, three and four cards of a plain suit, and of so many trumps; then
what leading is worth, and the standard deviation of what was foreseen. In points of the leader's team less
the others'.
"""

from typing import Final, NamedTuple


class HandWeights(NamedTuple):
    """The worth of what a hand holds."""

    plain: tuple[float, ...]
    trumps: tuple[float, ...]
    plain_length: tuple[float, float, float]
    trump_length: tuple[float, float, float]


class StageWeights(NamedTuple):
    """Hands clockwise from the leader's, a constant, and the standard deviation."""

    hands: tuple[HandWeights, HandWeights, HandWeights, HandWeights]
    lead: float
    deviation: float


STAGES: Final[dict[int, StageWeights]] = {
    4: StageWeights(
        (
            HandWeights(
                (-7.2, -6.5, -6.6, -5.9, -6.3, -6.2, -5.4, -5.5, -5.0),
                (0.7, 0.7, 1.2, 2.6, 4.3, 5.9, 8.3, 11.2, 15.5),
                (3.7, 22.6, 65.0),
                (3.6, 15.9, 19.9),
            ),
            HandWeights(
                (7.1, 6.8, 7.0, 6.1, 6.3, 6.4, 5.8, 5.8, 5.3),
                (-0.3, -1.5, -2.0, -4.0, -5.7, -5.7, -8.6, -13.4, -19.4),
                (-1.8, -2.1, -68.7),
                (-3.7, -5.8, -17.6),
            ),
            HandWeights(
                (-6.4, -6.8, -6.3, -6.2, -6.3, -6.7, -6.0, -6.1, -4.7),
                (-0.2, -0.9, 0.4, 1.8, 3.8, 5.3, 9.7, 12.0, 19.5),
                (1.1, 2.8, 72.6),
                (3.4, 5.0, 30.8),
            ),
            HandWeights(
                (7.3, 6.6, 6.6, 6.0, 5.7, 5.8, 5.7, 4.5, 4.0),
                (0.3, -0.6, -1.6, -2.1, -4.9, -6.2, -7.9, -13.5, -20.0),
                (-1.3, -2.1, -66.7),
                (-4.7, -8.7, -26.0),
            ),
        ),
        -1.1,
        35.5,
    ),
    8: StageWeights(
        (
            HandWeights(
                (-8.2, -8.4, -7.8, -6.7, -5.8, -6.1, -6.3, -5.6, -4.8),
                (0.9, 1.5, 1.6, 3.0, 5.4, 6.5, 7.0, 13.0, 15.7),
                (5.0, 23.5, 70.6),
                (1.1, 11.3, 21.7),
            ),
            HandWeights(
                (7.1, 6.9, 6.4, 6.6, 6.3, 6.3, 5.9, 5.8, 5.5),
                (-0.1, -2.5, -1.9, -3.9, -5.1, -6.0, -9.7, -13.8, -18.8),
                (-0.6, -2.8, -66.5),
                (-2.3, -3.5, -25.1),
            ),
            HandWeights(
                (-6.1, -6.4, -6.5, -6.5, -6.4, -6.0, -6.9, -4.3, -4.2),
                (-0.2, -0.1, 0.6, 1.5, 3.3, 5.0, 7.8, 12.4, 18.0),
                (0.1, 0.5, 70.1),
                (3.2, 3.0, 29.4),
            ),
            HandWeights(
                (7.8, 6.6, 6.6, 7.0, 6.7, 6.0, 5.9, 5.0, 4.5),
                (-1.6, -1.2, -1.6, -4.5, -5.3, -6.4, -9.3, -13.1, -18.1),
                (-1.5, -3.2, -68.6),
                (-3.2, -3.9, -24.8),
            ),
        ),
        -1.3,
        40.4,
    ),
    12: StageWeights(
        (
            HandWeights(
                (-7.6, -7.2, -6.8, -6.3, -6.6, -6.0, -5.0, -5.1, -3.9),
                (1.3, 0.7, 1.3, 3.1, 3.9, 5.1, 7.4, 11.4, 14.2),
                (4.8, 23.5, 64.1),
                (3.9, 11.5, 22.0),
            ),
            HandWeights(
                (7.2, 6.8, 7.1, 5.9, 6.4, 6.2, 6.1, 5.8, 5.4),
                (-1.3, -1.5, -2.5, -4.5, -4.8, -6.1, -8.7, -14.0, -19.3),
                (-1.1, -3.4, -68.2),
                (-2.8, -3.4, -31.6),
            ),
            HandWeights(
                (-6.4, -6.4, -7.0, -6.5, -6.1, -6.5, -6.3, -4.7, -3.9),
                (-0.4, -0.2, 0.2, 1.9, 4.5, 5.3, 6.2, 11.7, 18.8),
                (-0.1, 0.8, 64.8),
                (3.0, 1.5, 29.3),
            ),
            HandWeights(
                (7.6, 6.9, 6.0, 6.3, 5.6, 5.3, 5.2, 4.4, 3.5),
                (-0.4, -0.9, -2.2, -3.6, -4.9, -5.0, -7.4, -12.8, -19.5),
                (-0.4, -1.8, -69.8),
                (-3.4, -7.3, -24.4),
            ),
        ),
        -1.5,
        45.7,
    ),
    16: StageWeights(
        (
            HandWeights(
                (-7.0, -8.3, -7.5, -6.6, -6.4, -6.1, -6.1, -4.2, -4.9),
                (1.0, 0.4, 2.2, 2.8, 5.3, 6.8, 6.5, 13.3, 15.4),
                (4.4, 26.4, 66.0),
                (2.2, 8.8, 5.7),
            ),
            HandWeights(
                (7.3, 6.7, 6.9, 5.0, 6.5, 6.0, 6.2, 5.9, 4.4),
                (1.1, -1.8, -3.3, -2.6, -6.4, -5.5, -8.5, -13.8, -17.6),
                (-1.5, -0.9, -68.9),
                (-4.6, -2.5, -20.3),
            ),
            HandWeights(
                (-7.3, -6.6, -7.0, -7.3, -6.8, -6.8, -7.2, -4.6, -2.9),
                (-0.7, -0.1, 2.4, 3.7, 3.3, 5.3, 8.0, 12.5, 18.6),
                (-0.7, -0.5, 60.9),
                (1.4, -0.6, 18.7),
            ),
            HandWeights(
                (8.8, 7.6, 7.2, 5.9, 7.1, 5.8, 5.4, 5.6, 3.8),
                (-0.5, -2.2, -0.8, -2.9, -5.2, -6.4, -10.3, -15.0, -17.4),
                (-0.3, -0.1, -58.8),
                (-1.7, -2.4, -23.7),
            ),
        ),
        -0.9,
        49.2,
    ),
}
