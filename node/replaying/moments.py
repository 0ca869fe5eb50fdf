"""A match with all cards open, moment by moment: each play, what was drawn after a trick, and the outcome.

The page and the terminal step through the same moments. A finished deal has all its cards. Of a deal that was
broken off only what all players saw can be told, for nobody ever opened the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import (
    SEATS,
    Deal,
    DealRecord,
    Draw,
    Indicate,
    Open,
    Phase,
    State,
    Trick,
    actions_from_record,
    apply,
    played_cards,
    team_of,
)
from node.words.retelling import dealt_again, next_trick, outcome, played_again
from node.words.wording import Wording
from protocol.match import Match

__all__ = ["Moment", "deal_moments", "finished_deals", "points_taken"]


@dataclass(frozen=True, slots=True)
class Moment:
    """The state with the cards that are open, and the sentences about what has just happened.

    `finished` is the trick that still lies on the table; `begins` tells whether a trick begins here.
    """

    state: State
    lines: Sequence[str]
    finished: Trick | None = None
    begins: bool = False

    @property
    def trick(self) -> Trick | None:
        """What lies on the table."""
        return self.finished or self.state.trick


def finished_deals(match: Match, wording: Wording) -> Iterator[tuple[DealRecord, Sequence[Moment]]]:
    """Each finished deal and its moments, of which the last one tells the outcome."""
    state = match.genesis.new_match()
    for record in match.finished:
        moments = tuple(deal_moments(state, record, wording))
        state = moments[-1].state
        yield record, moments


def deal_moments(state: State, record: DealRecord, wording: Wording) -> Iterator[Moment]:
    """The moments of a deal that follows on `state`, from the trump card on."""
    drawn = 0
    for action in actions_from_record({"deals": [record]}):
        before, state = state, apply(state, action)
        reader = wording.under(state)
        match action:
            case Deal() | Open():
                continue
            case Indicate():
                yield Moment(state, dealt_again(state, reader), begins=True)
                continue
            case Draw():
                drawn += 1
            case _:
                over = len(state.tricks) > len(before.tricks)
                told = played_again(before, state, action, reader)
                yield Moment(state, told, state.tricks[-1] if over else None)
                drawn = 0
                if not over:
                    continue
        if state.phase is Phase.PLAYING:
            yield Moment(state, next_trick(state, drawn // len(SEATS), reader), begins=True)
        elif state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER):
            yield Moment(state, outcome(state, reader))


def points_taken(state: State) -> list[int]:
    """The card points of the tricks that each pair has taken so far (R3), as far as their cards are known."""
    points = [0, 0]
    for trick in state.tricks:
        if trick.taker is not None:
            points[team_of(trick.taker)] += sum(card.points for card in played_cards(trick))
    return points
