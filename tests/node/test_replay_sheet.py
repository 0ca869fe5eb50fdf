"""A logged match in words."""

from __future__ import annotations

import pytest

from node.replaying.sheet import deal_lines, match_lines
from node.words.wording import Wording
from tests.node.replays import NAMES, broken_off, story_of, whole
from tests.protocol.matches import audit

WORDS = Wording(NAMES, 0)


def test_one_trick_stands_under_the_heading_of_its_deal() -> None:
    record = story_of(whole()).chapters[0].record
    lines = deal_lines(record, WORDS)
    only = deal_lines(record, WORDS, 4)
    start = lines.index("  Trick 4")
    end = lines.index("  Trick 5")
    assert only == [*lines[:2], *lines[start:end], ""]
    assert "    Player 0 leads K♥ (taken back)" in only
    assert "    Player 3 discards ▒▒ ▒▒ ▒▒ ▒▒ (taken back)" in only
    with pytest.raises(LookupError):
        deal_lines(record, WORDS, 99)


def test_letters_take_the_place_of_signs_that_cannot_be_shown() -> None:
    plain = Wording(NAMES, 0, symbols=False)
    for chapter in story_of(broken_off()).chapters:
        lines, signs = deal_lines(chapter.record, plain), deal_lines(chapter.record, WORDS)
        assert "\n".join(lines).isascii()
        assert len(lines) == len(signs)
    assert "is dealt ?? ?? ?? ??" in lines[2]


def test_how_the_match_came_out() -> None:
    for data, end in ((whole(), " are the goat."), (broken_off(), "The match was not finished.")):
        match = audit(data).match
        assert match is not None
        assert match_lines(match, WORDS)[-1].endswith(end)
