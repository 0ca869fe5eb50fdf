"""The way through a replay: every step is reached, and each move can be taken back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.replaying.course import Course, Position

COURSES = st.builds(
    Course,
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4).map(
        tuple
    ),
)
EXAMPLE = Course(((2, 1), (3,), (1, 2)))
FLAGS = st.lists(st.lists(st.booleans(), min_size=1, max_size=8), min_size=1, max_size=4)


@given(COURSES)
def test_steps_lead_through_everything_and_back(course: Course) -> None:
    everywhere = list(course.positions())
    at: Position | None = course.first
    reached = []
    while at is not None:
        reached.append(at)
        at = course.next_step(at)
    assert reached == everywhere == sorted(everywhere)
    assert reached[-1] == course.last
    at, back = course.last, []
    while at is not None:
        back.append(at)
        at = course.previous_step(at)
    assert back == everywhere[::-1]


@given(COURSES, st.data())
def test_a_step_on_and_one_back_are_none(course: Course, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from(list(course.positions())))
    on, back = course.next_step(at), course.previous_step(at)
    assert on is None or course.previous_step(on) == at
    assert back is None or course.next_step(back) == at
    assert (on is None, back is None) == (at == course.last, at == course.first)


@given(COURSES, st.data())
def test_moves_by_trick_and_deal_go_to_the_nearest_beginning(course: Course, data: st.DataObject) -> None:
    everywhere = list(course.positions())
    at = data.draw(st.sampled_from(everywhere))
    tricks = [place for place in everywhere if place.step == 0]
    deals = [place for place in tricks if place.trick == 0]
    assert course.next_trick(at) == min((place for place in tricks if place > at), default=None)
    assert course.previous_trick(at) == max((place for place in tricks if place < at), default=None)
    assert course.next_deal(at) == min((place for place in deals if place > at), default=None)
    assert course.previous_deal(at) == max((place for place in deals if place < at), default=None)


@given(COURSES, st.integers(-1, 5), st.integers(-1, 5))
def test_a_jump_lands_where_it_is_said_or_nowhere(course: Course, deal: int, trick: int) -> None:
    there = Position(deal, trick)
    assert course.jump(deal, trick) == (there if there in set(course.positions()) else None)


@given(FLAGS)
def test_each_position_has_a_moment_of_its_own(deals: list[list[bool]]) -> None:
    course = Course.of(deals)
    places = [(at.deal, course.place(at)) for at in course.positions()]
    assert places == [(deal, place) for deal, begins in enumerate(deals) for place in range(len(begins))]
    for at in course.positions():
        assert (at.step == 0) == (course.place(at) == 0 or deals[at.deal][course.place(at)])


def test_an_example() -> None:
    assert Course.of([[True, False, True], [True, False, False], [True, True, False]]) == EXAMPLE
    assert EXAMPLE.last == Position(2, 1, 1)
    assert EXAMPLE.next_step(Position(0, 1)) == Position(1)
    assert EXAMPLE.previous_trick(Position(1, 0, 2)) == Position(1)
    assert EXAMPLE.previous_trick(Position(1)) == Position(0, 1)
    assert EXAMPLE.previous_deal(Position(2, 1)) == Position(2)
    assert EXAMPLE.place(Position(0, 1)) == 2


@pytest.mark.parametrize("steps", [(), ((),), ((1,), ()), ((1, 0),)])
def test_there_must_be_something_to_stand_on(steps: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ValueError, match="needs"):
        Course(steps)
