"""Finished deals moment by moment, as the page replays them: each play, each draw, and the outcome.

Of each moment only what has changed since the one before is told, for most of a table stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

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
from node.web.picture import Json, game_picture, trick_picture
from node.words.retelling import dealt_again, next_trick, outcome, played_again
from node.words.wording import Wording
from protocol.match import Match

__all__ = ["deal_pictures"]

_LEFT_OUT: Final = ("last", "results", "options")
"""What a picture of a game has, and a moment not: it is said of the whole match, or was shown just before."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The state with all cards open, and the sentences about what has just happened.

    `finished` is the trick that still lies on the table; `begins` tells whether a trick begins here.
    """

    state: State
    lines: Sequence[str]
    finished: Trick | None = None
    begins: bool = False


def deal_pictures(match: Match, wording: Wording) -> Iterator[Json]:
    """Each finished deal: its result, its `steps`, and in `starts` the numbers of those that begin a trick.

    A step has a `text` and in `now` those fields of :func:`node.web.picture.game_picture` that are new, with
    the card `points` of the pairs so far; the first step of a deal has all of them.
    """
    state = match.genesis.new_match()
    for record in match.finished:
        moments = list(_moments(state, record, wording))
        state = moments[-1].state
        yield {
            "number": record["number"],
            "points": record["points"],
            "tricks": record["tricks_taken"],
            "defeat": record["defeat_points"],
            "eggs": record["eggs"],
            "score": list(state.score),
            "starts": [place for place, moment in enumerate(moments) if moment.begins],
            "steps": list(_steps(moments)),
        }


def _moments(state: State, record: DealRecord, wording: Wording) -> Iterator[_Moment]:
    drawn = 0
    for action in actions_from_record({"deals": [record]}):
        before, state = state, apply(state, action)
        reader = wording.under(state)
        match action:
            case Deal() | Open():
                continue
            case Indicate():
                yield _Moment(state, dealt_again(state, reader), begins=True)
                continue
            case Draw():
                drawn += 1
            case _:
                over = len(state.tricks) > len(before.tricks)
                told = played_again(before, state, action, reader)
                yield _Moment(state, told, state.tricks[-1] if over else None)
                drawn = 0
                if not over:
                    continue
        if state.phase is Phase.PLAYING:
            yield _Moment(state, next_trick(state, drawn // len(SEATS), reader), begins=True)
        elif state.phase is not Phase.DRAWING:
            yield _Moment(state, outcome(state, reader))


def _steps(moments: Sequence[_Moment]) -> Iterator[Json]:
    shown: Json = {}
    for moment in moments:
        picture = _picture(moment)
        now = {key: value for key, value in picture.items() if key not in shown or shown[key] != value}
        shown = picture
        yield {"text": " ".join(moment.lines), "now": now}


def _picture(moment: _Moment) -> Json:
    state = moment.state
    picture = {key: value for key, value in game_picture(state).items() if key not in _LEFT_OUT}
    picture["points"] = _points(state)
    if moment.finished is not None:
        # Nobody has a turn while the cards of a finished trick are looked at.
        picture |= {"trick": trick_picture(moment.finished, len(state.tricks) - 1), "turn": None}
    return picture


def _points(state: State) -> list[int]:
    """The card points of the tricks that each pair has taken so far (R3)."""
    points = [0, 0]
    for trick in state.tricks:
        if trick.taker is not None:
            points[team_of(trick.taker)] += sum(card.points for card in played_cards(trick))
    return points
