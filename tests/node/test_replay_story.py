"""A log as it is stepped through: from its first deal to where it ends, and why it ends there."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Phase
from node.replaying.course import Position
from node.replaying.moments import Moment
from node.replaying.story import Story, tell
from node.words.wording import Wording
from tests.node.replays import (
    NAMES,
    broken_off,
    cheated,
    damaged,
    left_alone,
    not_begun,
    story_of,
    whole,
)
from tests.protocol.matches import audit


def moments(story: Story) -> Iterator[Moment]:
    return (story.moment(at) for at in story.course.positions())


def last_lines(story: Story) -> list[str]:
    return list(story.moment(story.course.last).lines)


def test_a_whole_match_ends_with_what_the_audit_says() -> None:
    story = story_of(whole())
    assert last_lines(story) == ["FAIR and whole: every check held, and all four have signed the end."]
    before = story.course.previous_step(story.course.last)
    assert before is not None
    assert story.moment(before).lines[-1].endswith(" are the goat.")
    assert story.moment(before).state == story.moment(story.course.last).state


def test_the_course_has_the_tricks_of_the_deals() -> None:
    story = story_of(whole())
    for chapter, tricks in zip(story.chapters, story.course.steps, strict=True):
        assert len(tricks) == len(chapter.record["tricks"])
        assert sum(tricks) == len(chapter.moments)
    for at in story.course.positions():
        shown = story.moment(at)
        assert shown.state.deal_number == at.deal
        if shown.trick is not None:
            assert len(shown.state.tricks) - (shown.finished is not None) == at.trick


def test_of_a_deal_that_was_broken_off_what_all_saw_is_shown() -> None:
    story = story_of(broken_off())
    assert len(story.chapters) == 2
    first = story.moment(Position(1))
    assert first.lines[-1] == "Deal 2 was not finished: only what all players saw of it is known."
    assert [hand.unknown for hand in first.state.hands] == [4] * 4
    assert last_lines(story) == [
        "The log ends here, in the middle of deal 2.",
        "NOT WHOLE: what is there was checked and is sound, but the match does not end here.",
    ]
    assert story.chapters[0].moments == story_of(whole()).chapters[0].moments


def test_a_damaged_log_is_shown_as_far_as_it_is_sound() -> None:
    story = story_of(damaged())
    lines = last_lines(story)
    assert lines[0].startswith("The log ends here")
    assert "damaged at byte" in lines[1]
    assert lines[2].startswith("DAMAGED: ")
    sound = story_of(whole())
    assert [chapter.moments for chapter in story.chapters[:-1]] == [
        chapter.moments for chapter in sound.chapters[: len(story.chapters) - 1]
    ]


def test_a_cheat_is_named_where_the_match_was_stopped() -> None:
    lines = last_lines(story_of(cheated()))
    assert lines[0] == "CHEAT: Player 2's computer signed points that the cards do not add up to."
    assert lines[1].startswith("The proof is in these events: ")


def test_a_lost_seat_is_named_from_the_beginning_of_the_deal() -> None:
    data, gone = left_alone()
    story = story_of(data)
    for number in range(len(story.chapters)):
        said = story.moment(Position(number)).lines
        assert said[-1] == f"Deal {number + 1} was played on without Player {gone}."
    assert all(moment.state.phase is not Phase.INDICATING for moment in moments(story))
    assert "the three who were left have signed the end" in last_lines(story)[0]


def test_about_the_match() -> None:
    about = story_of(damaged()).about
    assert about[0] == "Player 0 and Player 2 against Player 1 and Player 3"
    assert any("damaged at byte" in line for line in about)
    assert about[-1].startswith("DAMAGED: ")


def test_where_no_card_was_dealt_there_is_no_story() -> None:
    found = audit(not_begun())
    assert found.match is not None
    assert tell(found, found.match, Wording(NAMES, 0)) is None
