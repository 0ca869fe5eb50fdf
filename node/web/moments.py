"""Finished deals as the page replays them: the moments of :mod:`node.replaying.moments` as pictures.

Of each moment only what has changed since the one before is told, for most of a table stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from node.replaying.moments import Moment, finished_deals, points_taken
from node.web.picture import Json, game_picture, trick_picture
from node.words.wording import Wording
from protocol.match import Match

__all__ = ["deal_pictures"]

_LEFT_OUT: Final = ("last", "results", "options")
"""What a picture of a game has, and a moment not: it is said of the whole match, or was shown just before."""


def deal_pictures(match: Match, wording: Wording) -> Iterator[Json]:
    """Each finished deal: its result, its `steps`, and in `starts` the numbers of those that begin a trick.

    A step has a `text` and in `now` those fields of :func:`node.web.picture.game_picture` that are new, with
    the card `points` of the pairs so far; the first step of a deal has all of them.
    """
    for record, moments in finished_deals(match, wording):
        yield {
            "number": record["number"],
            "points": record["points"],
            "tricks": record["tricks_taken"],
            "defeat": record["defeat_points"],
            "eggs": record["eggs"],
            "score": list(moments[-1].state.score),
            "starts": [place for place, moment in enumerate(moments) if moment.begins],
            "steps": list(_steps(moments)),
        }


def _steps(moments: Sequence[Moment]) -> Iterator[Json]:
    shown: Json = {}
    for moment in moments:
        picture = _picture(moment)
        now = {key: value for key, value in picture.items() if key not in shown or shown[key] != value}
        shown = picture
        yield {"text": " ".join(moment.lines), "now": now}


def _picture(moment: Moment) -> Json:
    state = moment.state
    picture = {key: value for key, value in game_picture(state).items() if key not in _LEFT_OUT}
    picture["points"] = points_taken(state)
    if moment.finished is not None:
        # Nobody has a turn while the cards of a finished trick are looked at.
        picture |= {"trick": trick_picture(moment.finished, len(state.tricks) - 1), "turn": None}
    return picture
