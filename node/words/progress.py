"""What the four computers are doing together when nobody plays, in people's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import SEATS, Seat
from node.i18n import tr
from protocol.facts import Chain, DealFacts
from protocol.match import Match

__all__ = ["Stage", "current_stage"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A piece of common work: what it is, how many of `all` have done their part, and who has not.

    `waiting_for` lists only those whose turn it is. A seat that is lost takes no part.
    """

    text: str
    done: int
    waiting_for: tuple[Seat, ...]
    all: int = len(SEATS)

    @property
    def line(self) -> str:
        """The work, and how far it is."""
        if self.done == 0:
            return f"{self.text}…"
        return tr("{work}… {done} of {all}", work=self.text, done=self.done, all=self.all)


def current_stage(match: Match) -> Stage | None:
    """The work that has to be finished before anybody can play on; None while a play is awaited."""
    return (
        _joint(tr("Everybody agrees to the match"), match.accepted)
        or _coin(match)
        or _closing(match)
        or _dealing(match.current)
    )


def _coin(match: Match) -> Stage | None:
    if match.genesis.standing is not None:
        return None
    text = tr("Drawing who deals first")
    return _joint(text, match.coin_commits) or _joint(text, match.coin_reveals)


def _joint(text: str, facts: Sequence[object], seats: Sequence[Seat] = SEATS) -> Stage | None:
    """Work that all of these seats can do at once."""
    missing = tuple(seat for seat in seats if facts[seat] is None)
    return Stage(text, len(seats) - len(missing), missing, len(seats)) if missing else None


def _in_turn(text: str, chain: Chain, deal: DealFacts) -> Stage | None:
    """Work that goes round the table from the dealer."""
    done = len(chain.steps)
    if chain.final is not None or deal.dealer is None:
        return None
    makers = [seat for seat in map(deal.shuffler, SEATS) if chain.skipped is None or seat in deal.present]
    return Stage(text, done, (makers[done],), len(makers))


def _closing(match: Match) -> Stage | None:
    """The end of a deal, or of the match."""
    deal = match.current
    if not match.over and deal.played_out:
        return _joint(tr("Opening the discards"), deal.opened)
    last = match.find_deal(len(match.finished) - 1)
    counting = _joint(tr("Adding up the points"), last.results, last.present) if last is not None else None
    if match.over:
        return counting or _joint(tr("Signing the end of the match"), match.finals, deal.present)
    return counting


def _dealing(deal: DealFacts) -> Stage | None:
    """Keys, shuffle and hands; later the cards that are drawn."""
    if not deal.tricks:
        return (
            _joint(tr("Sealing the cards"), deal.keys)
            or _in_turn(tr("Shuffling together"), deal.deck, deal)
            or _joint(tr("Dealing"), deal.dealt)
        )
    for trick in deal.tricks:
        if trick.draws and not all(deal.of_present(trick.drawn_by)):
            shuffling = _in_turn(tr("Shuffling the stock together"), deal.stock, deal)
            return shuffling or _joint(tr("Drawing cards"), trick.drawn_by, deal.present)
    return None
