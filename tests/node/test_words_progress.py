from __future__ import annotations

from types import SimpleNamespace

from engine import SEATS
from engine.state import Phase
from node.words.progress import Stage, current_stage
from protocol.facts import Chain, DealFacts
from tests.node.terminal_tables import quiet_match

DONE = object()


def chain(steps: int) -> Chain:
    made = Chain()
    made.steps = [((), None)] * steps  # type: ignore[list-item]
    return made


def dealing(**changes: object) -> object:
    deal = DealFacts(0, dealer=1)
    deal.keys = [DONE] * 4  # type: ignore[list-item]
    deal.deck = chain(4)
    deal.dealt = [DONE] * 4  # type: ignore[list-item]
    for name, value in changes.items():
        setattr(deal, name, value)
    match = quiet_match()
    match.current = deal
    return match


def stage_of(match: object) -> Stage | None:
    return current_stage(match)  # type: ignore[arg-type]


def test_nothing_is_going_on_while_a_play_is_awaited() -> None:
    assert stage_of(quiet_match()) is None


def test_the_opening_of_a_match() -> None:
    match = quiet_match()
    match.accepted = [DONE, None, DONE, DONE]
    assert stage_of(match) == Stage("Everybody agrees to the match", 3, (1,))
    match.accepted = [DONE] * 4
    match.coin_reveals = [None] * 4
    assert stage_of(match) == Stage("Drawing who deals first", 0, (0, 1, 2, 3))


def test_the_shuffle_goes_round_from_the_dealer() -> None:
    stage = stage_of(dealing(deck=chain(2), dealt=[None] * 4))
    assert stage == Stage("Shuffling together", 2, (3,))
    assert stage is not None
    assert stage.line == "Shuffling together… 2 of 4"


def test_work_that_has_just_begun_shows_no_count() -> None:
    stage = stage_of(dealing(deck=chain(0), dealt=[None] * 4))
    assert stage is not None
    assert stage.line == "Shuffling together…"


def test_keys_come_before_and_hands_after_the_shuffle() -> None:
    assert stage_of(dealing(keys=[DONE, None, None, DONE])) == Stage("Sealing the cards", 2, (1, 2))
    assert stage_of(dealing(dealt=[None, DONE, DONE, DONE])) == Stage("Dealing", 3, (0,))


def test_drawing_waits_for_the_stock_and_then_for_everybody() -> None:
    trick = SimpleNamespace(finished_by=(DONE,), draws=((0, 16),), drawn_by=[DONE, None, DONE, DONE])
    following = SimpleNamespace(finished_by=None, draws=(), drawn_by=[None] * 4)
    waiting = dealing(tricks=[trick, following], stock=chain(1))
    assert stage_of(waiting) == Stage("Shuffling the stock together", 1, (2,))
    drawing = dealing(tricks=[trick, following], stock=chain(4))
    assert stage_of(drawing) == Stage("Drawing cards", 3, (1,))
    trick.drawn_by[1] = DONE
    assert stage_of(drawing) is None


def test_the_end_of_a_deal() -> None:
    last = SimpleNamespace(finished_by=(DONE,), draws=(), drawn_by=[])
    over = SimpleNamespace(phase=Phase.OPENING)
    assert stage_of(dealing(tricks=[last], state=over, opened=[DONE, DONE, None, DONE])) == Stage(
        "Opening the discards", 3, (2,)
    )
    match = quiet_match()
    match.finished = [DONE]
    match.find_deal = lambda _number: SimpleNamespace(results=[None, DONE, DONE, DONE], present=SEATS)
    assert stage_of(match) == Stage("Adding up the points", 3, (0,))


def test_the_end_of_a_match() -> None:
    match = quiet_match()
    match.over = True
    match.finals = [DONE, DONE, DONE, None]
    match.finished = [DONE]
    match.find_deal = lambda _number: SimpleNamespace(results=[DONE] * 4, present=SEATS)
    assert stage_of(match) == Stage("Signing the end of the match", 3, (3,))
