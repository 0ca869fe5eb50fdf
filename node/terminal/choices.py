"""Legal plays as a list to choose from by number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine import HAND_SIZE, Beat, Card, Discard, Lead, Molodka, Play, State, Suit
from node.i18n import plural, tr
from node.words.wording import Wording, sort_hand

__all__ = ["Choice", "Group", "choice_lines", "groups_of", "numbered", "out_of_turn"]

_GAP = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """One play and the number that chooses it."""

    number: int
    play: Play


@dataclass(frozen=True, slots=True)
class Group:
    """Plays of one kind under a heading that says what choosing one of them does."""

    heading: str
    choices: tuple[Choice, ...]


def out_of_turn(state: State, legal: Sequence[Play]) -> Play | None:
    """The play by which the reader may take the lead although it is not an ordinary turn (R13, R15)."""
    claim = next((play for play in legal if isinstance(play, Molodka)), None)
    led = state.trick is not None and state.trick.effective is not None
    again = next((play for play in legal if led and isinstance(play, Lead)), None)
    return claim or again


def groups_of(state: State, legal: Sequence[Play]) -> tuple[Group, ...]:
    """The legal plays in a fixed order: out of turn, lead, beat, discard, weak cards first."""
    claim = out_of_turn(state, legal)
    sorted_plays = sorted(legal, key=lambda play: _order(play, state.trump))
    kinds: tuple[tuple[str, list[Play]], ...] = (
        (_claim_heading(claim), [claim] if claim else []),
        (tr("Lead:"), [play for play in sorted_plays if isinstance(play, Lead) and play != claim]),
        (tr("Beat with:"), [play for play in sorted_plays if isinstance(play, Beat)]),
        (_discard_heading(sorted_plays), [play for play in sorted_plays if isinstance(play, Discard)]),
    )
    groups, number = [], 1
    for heading, plays in kinds:
        if plays:
            groups.append(Group(heading, tuple(Choice(number + at, play) for at, play in enumerate(plays))))
            number += len(plays)
    return tuple(groups)


def numbered(groups: Iterable[Group], number: int) -> Play | None:
    """The play with this number."""
    return next(
        (choice.play for group in groups for choice in group.choices if choice.number == number), None
    )


def choice_lines(groups: Iterable[Group], wording: Wording, width: int) -> list[str]:
    """A heading for each group, and under it its choices side by side, as many as fit in `width`."""
    lines = []
    for group in groups:
        cells = [f"[{choice.number}] {wording.cards(choice.play.cards or ())}" for choice in group.choices]
        wide = max(map(len, cells)) + _GAP
        in_row = max(1, (width - 2 + _GAP) // wide)
        lines.append(group.heading)
        for start in range(0, len(cells), in_row):
            row = "".join(cell.ljust(wide) for cell in cells[start : start + in_row])
            lines.append(f"  {row.rstrip()}")
    return lines


def _order(play: Play, trump: Suit | None) -> tuple[int, list[tuple[bool, Card]]]:
    cards = sort_hand(play.cards or (), trump)
    return len(cards), [(card.suit is trump, card) for card in cards]


def _claim_heading(claim: Play | None) -> str:
    if isinstance(claim, Lead):
        return tr("Lead four after all, it was your lead (number, or m):")
    return tr("Molodka: lead four of one suit yourself (number, or m):")


def _discard_heading(plays: Iterable[Play]) -> str:
    count = next((play.count for play in plays if isinstance(play, Discard)), 1)
    if count == HAND_SIZE:
        return tr("Discard, face down, all your cards:")
    return plural("Discard, face down, one card:", "Discard, face down, {count} cards:", count)
