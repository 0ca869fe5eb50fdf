"""A log that was audited, ready to be stepped through: its deals, its moments, and where and why it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine import DealRecord
from node.i18n import tr
from node.replaying.course import Course, Position
from node.replaying.moments import Moment, deal_moments, finished_deals
from node.words.findings import about_match, conclusion
from node.words.problems import problem_sentences
from node.words.wording import Wording
from protocol.audit import Audit, deal_records
from protocol.match import Match

__all__ = ["Chapter", "Story", "tell"]


@dataclass(frozen=True, slots=True)
class Chapter:
    """One deal."""

    record: DealRecord
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """All deals of a log, in the words of one language. `about` says what match it is and what was found."""

    chapters: tuple[Chapter, ...]
    wording: Wording
    about: tuple[str, ...]
    course: Course

    def moment(self, at: Position) -> Moment:
        """What is shown at a position of the course."""
        return self.chapters[at.deal].moments[self.course.place(at)]


def tell(audit: Audit, match: Match, wording: Wording) -> Story | None:
    """The story of a log; None where no card was ever dealt, so that there is nothing to step through.

    After the last play one more moment says what the audit has found: that all is fair and whole, who has
    cheated, or where the log ends.
    """
    chapters = list(_chapters(match, wording))
    if not chapters:
        return None
    last = chapters[-1]
    found = [*problem_sentences(audit.problems), *conclusion(audit, match)]
    end = replace(last.moments[-1], lines=[*_cut_short(match), *found], begins=False)
    chapters[-1] = replace(last, moments=(*last.moments, end))
    course = Course.of([[moment.begins for moment in chapter.moments] for chapter in chapters])
    return Story(tuple(chapters), wording, (*about_match(audit, match), *found), course)


def _chapters(match: Match, wording: Wording) -> Iterator[Chapter]:
    state = match.genesis.new_match()
    for record, moments in finished_deals(match, wording):
        state = moments[-1].state
        yield _chapter(record, moments, _losses(match, record, wording))
    for record in deal_records(match)[len(match.finished) :]:
        hidden = tr(
            "Deal {number} was not finished: only what all players saw of it is known.",
            number=record["number"] + 1,
        )
        moments = tuple(deal_moments(state, record, wording))
        yield _chapter(record, moments, [hidden, *_losses(match, record, wording)])


def _chapter(record: DealRecord, moments: Sequence[Moment], notes: Sequence[str]) -> Chapter:
    """A deal that says from its beginning what is to be known about it."""
    first, *others = moments
    return Chapter(record, (replace(first, lines=[*first.lines, *notes]), *others))


def _losses(match: Match, record: DealRecord, wording: Wording) -> list[str]:
    """Who has not played the deal to its end (§7.12)."""
    number = record["number"]
    return [
        tr("Deal {number} was played on without {name}.", number=number + 1, name=wording.name(seat))
        for deal, seat in match.losses
        if deal == number
    ]


def _cut_short(match: Match) -> list[str]:
    if match.over or match.current.state is None:
        return []
    return [tr("The log ends here, in the middle of deal {number}.", number=len(match.finished) + 1)]
