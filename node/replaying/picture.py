"""One moment of a replay as lines of text: four open hands, and what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from engine import SEATS, Beat, Discard, Lead, Phase, Play, Seat, State, Team, Trick, holding, team_of
from node.i18n import plural, tr
from node.replaying.course import Course, Position
from node.replaying.moments import Moment, points_taken
from node.replaying.sheet import hidden_cards
from node.words.sheets import tricks_text
from node.words.wording import Wording

__all__ = ["picture_lines"]

_HAND_CELLS = len("10♣ 10♦ 10♥ 10♠")
_GAP = "  "


@dataclass(frozen=True, slots=True)
class _Row:
    """A seat: its name, its hand, and what it has played or is to play, which may be nothing."""

    awaited: bool
    name: str
    hand: str
    play: str


def picture_lines(moment: Moment, at: Position, course: Course, wording: Wording, width: int) -> list[str]:
    """Where we are, the score, the table seat by seat, and what has just happened; `width` is in cells.

    Lines may be wider where names are long.
    """
    wording = wording.under(moment.state)
    return [
        _place_line(at, course),
        *_standing_lines(moment.state, wording),
        "",
        *_row_lines([_row(moment, seat, wording) for seat in SEATS], width),
        *_returned_lines(moment, wording),
        "",
        *moment.lines,
    ]


def _place_line(at: Position, course: Course) -> str:
    tricks = course.steps[at.deal]
    return tr(
        "--- Deal {deal} of {deals}, trick {trick} of {tricks}, step {step} of {steps} ---",
        deal=at.deal + 1,
        deals=len(course.steps),
        trick=at.trick + 1,
        tricks=len(tricks),
        step=at.step + 1,
        steps=tricks[at.trick],
    )


def _standing_lines(state: State, wording: Wording) -> list[str]:
    """Trump and stock, the score of the match, and what each pair has taken in this deal."""
    assert state.indicator is not None, "the moments of a deal begin with its trump card"
    trump = tr(
        "Trump: {trump} ({card} was shown). Stock: {stock}.",
        trump=wording.trump(state.indicator.suit),
        card=wording.card(state.indicator),
        stock=plural("{count} card", "{count} cards", state.stock) if state.stock else tr("empty"),
    )
    first, second = state.score
    target = state.options.target
    score = tr(
        "Defeat points: {first} to {second}, with {target} a pair is the goat.",
        first=first,
        second=second,
        target=target,
    )
    twice = state.doubled and state.phase is not Phase.DEAL_OVER
    lines = [trump, score, *([tr("This deal counts twice.")] if twice else [])]
    return [*lines, *(_pair_line(state, team, wording) for team in (0, 1))]


def _pair_line(state: State, team: Team, wording: Wording) -> str:
    taken = {
        number: trick
        for number, trick in enumerate(state.tricks, start=1)
        if trick.taker is not None and team_of(trick.taker) == team
    }
    tricks = tricks_text(len(taken))
    if taken:
        tricks = tr("{tricks} ({numbers})", tricks=tricks, numbers=" ".join(map(str, taken)))
    pair, points = wording.pair(team), points_taken(state)[team]
    if all(map(_all_open, taken.values())):
        return tr("{team}: {points} points, {tricks}.", team=pair, points=points, tricks=tricks)
    return tr("{team}: at least {points} points, {tricks}.", team=pair, points=points, tricks=tricks)


def _all_open(trick: Trick) -> bool:
    """Whether all cards that count in it are known, and so their points."""
    branch = trick.effective
    return branch is not None and all(play.cards is not None for play in branch.plays())


def _row(moment: Moment, seat: Seat, wording: Wording) -> _Row:
    hand = holding(moment.state, seat)
    known = wording.cards(hand.known)
    cards = " ".join(filter(None, [known, hidden_cards(hand.unknown, wording)]))
    trick = moment.trick
    awaited = moment.finished is None and trick is not None and trick.turn == seat
    return _Row(awaited, wording.name(seat), cards or tr("no cards"), _play_text(moment, seat, wording))


def _play_text(moment: Moment, seat: Seat, wording: Wording) -> str:
    trick = moment.trick
    if trick is None:
        return ""
    branch = trick.effective
    if branch is None:
        return tr("to lead now") if seat == trick.entitled else ""
    play = branch.play_of(seat)
    if play is None:
        if seat != branch.awaited:
            return ""
        return plural("to play now: need 1 card", "to play now: need {count} cards", len(branch.cards))
    text = _played(play, wording)
    if branch.best[0] != seat:
        return text
    return text + (tr("  <-- best") if moment.finished is None else tr("  <-- takes it"))


def _played(play: Play, wording: Wording) -> str:
    cards = _cards(play, wording)
    match play:
        case Discard():
            return tr("discard: {cards}", cards=cards)
        case Beat():
            return tr("beat: {cards}", cards=cards)
        case Lead():
            return tr("lead: {cards}", cards=cards)
        case _:
            return tr("molodka: {cards}", cards=cards)


def _cards(play: Play, wording: Wording) -> str:
    if isinstance(play, Discard) and play.cards is None:
        return hidden_cards(play.count, wording)
    return wording.cards(play.cards or ())


def _row_lines(rows: Sequence[_Row], width: int) -> list[str]:
    """A line for each seat; two where the widest of them would not fit."""
    wide = max(cell_len(row.name) for row in rows)
    hands = max(_HAND_CELLS, *(cell_len(row.hand) for row in rows))
    lefts = [("> " if row.awaited else "  ") + _padded(row.name, wide) + _GAP + row.hand for row in rows]
    full = 2 + wide + len(_GAP) + hands
    joined = [(_padded(left, full) + _GAP + row.play).rstrip() for left, row in zip(lefts, rows, strict=True)]
    if max(map(cell_len, joined)) <= width:
        return joined
    split = [
        [left, *([" " * 6 + row.play] if row.play else [])] for left, row in zip(lefts, rows, strict=True)
    ]
    return [line for lines in split for line in lines]


def _padded(text: str, cells: int) -> str:
    return text + " " * (cells - cell_len(text))


def _returned_lines(moment: Moment, wording: Wording) -> list[str]:
    """What was played in this trick on leads that do not count any more (R14)."""
    trick = moment.trick
    if trick is None or len(trick.branches) < 2:
        return []
    plays = [play for branch in trick.branches[:-1] for play in branch.plays()]
    told = "; ".join(f"{wording.name(play.seat)} {_cards(play, wording)}" for play in plays)
    return [tr("Taken back: {plays}", plays=told)]
