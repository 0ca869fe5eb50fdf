"""What a seat sees of a deal, as named tables of marks, from which numbers and text are made alike.

All cards come from :func:`engine.player_view`, so nothing hidden can be among them: what everybody sees from
the spectator's view, what only one seat sees from that seat's. The hand alone is asked of the position, which
also knows it while the cards are being dealt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine import (
    DECK,
    HAND_SIZE,
    SEATS,
    STOCK_SIZE,
    Beat,
    Card,
    Discard,
    Lead,
    Molodka,
    Play,
    Seat,
    State,
    Team,
    cards_text,
    holding,
    team_of,
)
from node.bots.openspiel.deal import Position, seen_actions

__all__ = ["MOST_PLAYS", "Facts", "Marks", "all_now", "all_since", "own_now", "own_since"]

MOST_PLAYS: Final = 36
"""The most plays in a deal: nine tricks of four single cards. A molodka adds at most three plays, those that
go back, but takes sixteen of the cards."""

_KINDS: Final[tuple[type[Play], ...]] = (Lead, Molodka, Beat, Discard)
_DRAWS: Final = STOCK_SIZE // len(SEATS)


@dataclass(frozen=True, slots=True)
class Marks:
    """A table of zeros and ones with `width` columns; each row says which columns hold a one."""

    rows: tuple[tuple[int, ...], ...]
    width: int

    def text(self) -> str:
        """The rows one after another, cards by their names."""
        if self.width == len(DECK):
            return " ".join(cards_text([DECK[place] for place in row]) or "-" for row in self.rows)
        return " ".join(",".join(map(str, row)) or "-" for row in self.rows)


Facts: TypeAlias = dict[str, Marks]


def own_now(position: Position, seat: Seat) -> Facts:
    """What only this seat sees now.

    - `hand`: its cards, one in each of four rows, in the order in which actions number them.
    - `discards`: its own cards that lie face down, in this trick and in those that either team has taken.
    """
    view = position.view(seat)
    piles = (_on_the_table(view), _taken(view, 0), _taken(view, 1))
    return {
        "hand": _cards([[card] for card in position.hand(seat)], HAND_SIZE),
        "discards": _cards([_thrown_by(pile, seat) for pile in piles]),
    }


def all_now(position: Position) -> Facts:
    """What everybody sees now. Tables of four rows are by seat, of two by team.

    - `turn`, `leader`: the seat that plays now, and the one entitled to lead.
    - `indicator`: the card that fixed trump. `stock`: how many cards are left, 0 to 36.
    - `sizes`: how many cards each seat holds. `shown`: cards of theirs that went back in sight of all (R14).
    - `table`: what each seat has played face up in this trick. `thrown`: how many cards each has discarded.
    - `best`: whose set is the best. `acted`: who has played, also what went back, and cannot claim (R16).
    - `taken`: cards that each team has taken in sight of all. `hidden`: how many more lie face down.
    """
    view = position.view(None)
    trick = view.trick
    table = {play.seat: play for play in _on_the_table(view)}
    best = None if trick is None else trick.best
    return {
        "turn": _seats([position.turn]),
        "leader": _seats([view.leader]),
        "indicator": _cards([[] if view.indicator is None else [view.indicator]]),
        "stock": _numbers([len(position.stock)], len(DECK)),
        "sizes": _numbers([len(position.hand(seat)) for seat in SEATS], HAND_SIZE),
        "shown": _cards([holding(view, seat).seen for seat in SEATS]),
        "table": _cards([_open([table[seat]] if seat in table else []) for seat in SEATS]),
        "thrown": _numbers([_hidden([table[seat]] if seat in table else []) for seat in SEATS], HAND_SIZE),
        "best": _seats([None if best is None else best[0]]),
        "acted": _seats([seat for seat in SEATS if trick is not None and trick.has_played(seat)]),
        "taken": _cards([_open(_taken(view, team)) for team in (0, 1)]),
        "hidden": _numbers([_hidden(_taken(view, team)) for team in (0, 1)], len(DECK)),
    }


def own_since(position: Position, seat: Seat) -> Facts:
    """What only this seat has seen: `dealt`, its first cards, and `drawn`, each of the others in a row."""
    view = position.view(seat)
    dealt = position.hand(seat) if view.dealt is None else view.dealt.hands[seat]
    drawn = [[draw.card] for draw in view.drawn if draw.seat == seat and draw.card is not None]
    return {"dealt": _cards([dealt or ()]), "drawn": _cards(drawn, _DRAWS)}


def all_since(position: Position, seat: Seat | None) -> Facts:
    """What everybody has seen, in order; with a seat, its own discards are open.

    - `indicator`, `stock`: as now.
    - `seats`, `kinds`, `counts`, `cards`: a row for each play: who, how (lead, molodka, beat, discard), with
      how many cards, and which, if they are known.
    """
    view = position.view(seat)
    plays = [action for action in seen_actions(view) if isinstance(action, _KINDS)]
    now = all_now(position)
    return {
        "indicator": now["indicator"],
        "stock": now["stock"],
        "seats": _marks([[play.seat] for play in plays], len(SEATS), MOST_PLAYS),
        "kinds": _marks([[_KINDS.index(type(play))] for play in plays], len(_KINDS), MOST_PLAYS),
        "counts": _marks([[_count(play)] for play in plays], HAND_SIZE + 1, MOST_PLAYS),
        "cards": _cards([play.cards or () for play in plays], MOST_PLAYS),
    }


def _marks(rows: Sequence[Iterable[int]], width: int, height: int = 0) -> Marks:
    """Rows are added below until there are `height` of them."""
    filled = tuple(tuple(sorted(row)) for row in rows)
    return Marks(filled + ((),) * (height - len(filled)), width)


def _cards(rows: Sequence[Collection[Card]], height: int = 0) -> Marks:
    return _marks([[card.index for card in row] for row in rows], len(DECK), height)


def _seats(seats: Iterable[Seat | None]) -> Marks:
    return _marks([[seat for seat in seats if seat is not None]], len(SEATS))


def _numbers(numbers: Iterable[int], most: int) -> Marks:
    return _marks([[number] for number in numbers], most + 1)


def _on_the_table(view: State) -> list[Play]:
    """The plays of this trick that count."""
    branch = None if view.trick is None else view.trick.effective
    return [] if branch is None else list(branch.plays())


def _taken(view: State, team: Team) -> list[Play]:
    """The plays in the tricks that a team has taken."""
    return [
        play
        for trick in view.tricks
        if trick.effective is not None and trick.taker is not None and team_of(trick.taker) == team
        for play in trick.effective.plays()
    ]


def _count(play: Play) -> int:
    return play.count if isinstance(play, Discard) else len(play.cards)


def _open(plays: Iterable[Play]) -> list[Card]:
    """The cards that this observer knows."""
    return [card for play in plays for card in play.cards or ()]


def _hidden(plays: Iterable[Play]) -> int:
    """How many cards this observer does not know."""
    return sum(_count(play) for play in plays if play.cards is None)


def _thrown_by(plays: Iterable[Play], seat: Seat) -> list[Card]:
    return _open(play for play in plays if isinstance(play, Discard) and play.seat == seat)
