"""What one section of the document is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from engine import SEATS, DealRecord, Seat, Suit, Team, parse_card
from node.auditing.html.elements import Inside, Markup, element, isolated
from node.auditing.report import Details, Json, Report
from node.i18n import plural, tr
from node.words.wording import Wording, distinct, sort_hand
from protocol.genesis import Genesis

__all__ = ["Row", "Subject", "cards_shown", "subject_of"]


@dataclass(frozen=True, slots=True)
class Row:
    """A finished deal on the score sheet; pairs are by team, `score` is the match's after it."""

    number: int
    points: tuple[int, int]
    tricks: tuple[int, int]
    defeat_points: tuple[int, int]
    score: tuple[int, int]
    eggs: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """A match that was audited: what there is to say of it, and the prefix of the section's anchors."""

    anchor: str
    report: Report
    details: Details
    genesis: Genesis
    record: Json
    wording: Wording
    """It names players with isolated names; nobody of them is the reader."""

    def name(self, seat: Seat) -> str:
        """The player there, fit to stand within a sentence."""
        return self.wording.name(seat)

    def pair(self, team: Team) -> str:
        """Both players of a team, fit to stand within a sentence."""
        return self.wording.pair(team)

    @property
    def deals(self) -> list[DealRecord]:
        """All deals, the last perhaps not finished."""
        return cast("list[DealRecord]", self.record["deals"])

    @property
    def begun_at(self) -> tuple[int, int]:
        """The score before the first deal."""
        standing = self.genesis.standing
        return (0, 0) if standing is None else standing.score

    def rows(self) -> list[Row]:
        """The score sheet."""
        rows, (first, second) = [], self.begun_at
        for deal in self.deals:
            points, tricks, lost = deal["points"], deal["tricks_taken"], deal["defeat_points"]
            if points is None or tricks is None or lost is None:
                continue
            first, second = first + lost[0], second + lost[1]
            rows.append(
                Row(deal["number"], _pair(points), _pair(tricks), _pair(lost), (first, second), deal["eggs"])
            )
        return rows


def subject_of(report: Report, anchor: str) -> Subject | None:
    """What a report is about, None if nothing of its files could be read; it was made with its match."""
    details = report.details
    if details is None:
        raise ValueError("a document needs reports that were made with their matches")
    if details.genesis is None or report.match is None:
        return None
    names = distinct([member.name for member in details.genesis.roster])
    wording = Wording([isolated(name) for name in names], SEATS[0])
    return Subject(anchor, report, details, details.genesis, report.match, wording)


def cards_shown(cards: list[str] | None, count: int, wording: Wording, trump: Suit | None) -> Inside:
    """Cards as text, each for itself and in order; or how many there are, if nobody was shown them."""
    if cards is None:
        return plural("{count} card face down", "{count} cards face down", count)
    shown: list[Markup] = []
    for card in sort_hand(map(parse_card, cards), trump):
        kind = f"card {card.suit.letter}" + (" trump" if card.suit is trump else "")
        shown.append(element("span", wording.card(card), class_=kind, dir="ltr"))
    return [element("span", [[card, " "] for card in shown], class_="cards")] if shown else tr("no cards")


def _pair(numbers: list[int]) -> tuple[int, int]:
    first, second = numbers
    return first, second
