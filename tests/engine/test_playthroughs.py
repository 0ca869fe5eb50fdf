import re

import pytest

from engine import (
    Discard,
    Eggs,
    IllegalAction,
    MolodkaRule,
    Options,
    apply,
    new_match,
    player_view,
    view_action,
)
from tests.engine.playthrough import FOLDER, PLAYTHROUGHS, actions_of, playthrough, view_text

FILES = sorted(FOLDER.glob("*.txt"))


def test_there_is_a_file_for_each_playthrough_and_no_other() -> None:
    assert FILES
    assert {path.stem for path in FILES} == set(PLAYTHROUGHS)
    assert sorted(FOLDER.iterdir()) == FILES


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_game_still_plays_like_this(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text("utf-8") == playthrough(name)


def options_of(text: str) -> Options:
    found = re.search(r"^options target=(\d+) eggs=(\w+) molodka=(\w+)$", text, re.MULTILINE)
    assert found is not None
    return Options(int(found[1]), Eggs(found[2]), MolodkaRule(found[3]))


@pytest.mark.parametrize("name", PLAYTHROUGHS)
@pytest.mark.parametrize("seat", range(4))
def test_a_seat_that_sees_only_its_share_has_the_view_of_the_file(name: str, seat: int) -> None:
    """The invariant beside the golden text: each view follows from what the seat itself has seen."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    views = re.findall(rf"^  seat {seat} sees (.*)$", text, re.MULTILINE)
    state, shown = new_match(options_of(text)), []
    for block in text.split("\n> ")[1:]:
        state = apply(state, view_action(actions_of("> " + block)[0], seat))
        shown.append(view_text(player_view(state, seat)))
        for line in re.findall(r"^  (open .*)$", block, re.MULTILINE):
            opening = actions_of("> " + line)[0]
            try:
                state = apply(state, opening)
            except IllegalAction as refused:
                assert refused.code in ("already-open", "wrong-phase"), line
    assert shown == views


def test_the_playthroughs_contain_what_they_are_for() -> None:
    plays = {name: actions_of((FOLDER / f"{name}.txt").read_text("utf-8")) for name in PLAYTHROUGHS}
    state = new_match(Options())
    for action in plays["molodka_returns"][:6]:
        state = apply(state, action)
    assert state.trick is not None
    assert any(isinstance(answer, Discard) for answer in state.trick.branches[0].answers)
    for action in plays["two_claims"][:5]:
        state = apply(new_match(Options()) if action == plays["two_claims"][0] else state, action)
    assert state.trick is not None
    assert len(state.trick.branches) == 3
    assert "eggs=True" in (FOLDER / "eggs.txt").read_text("utf-8")
    assert "match over" in (FOLDER / "short_match.txt").read_text("utf-8")
