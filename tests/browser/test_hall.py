"""The hall: what a table is opened with, and what can be done about a match that was broken off."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import MINUTE
from tests.browser.screens import SCREENS
from tests.browser.staged import Stage
from tests.node.resting import play_one_deal

pytestmark = pytest.mark.browser

Serve = Callable[..., str]
MATCH = "01" * 32


@pytest.fixture
def hall(serve: Serve, visit: OpenPage) -> Stage:
    """The hall with a match that was broken off after some deals."""
    stages: list[Stage] = []
    visit(serve("Olga"), prepare=lambda page: stages.append(Stage(page)))
    next(screen for screen in SCREENS if screen.name == "hall").show(stages[0])
    expect(stages[0].page.locator(".entry").first).to_be_visible()
    return stages[0]


def asked(stage: Stage) -> dict[str, Any]:
    """What the page has asked for last, without its number."""
    return {key: value for key, value in stage.asked[-1].items() if key != "id"}


def test_a_table_is_opened_with_the_time_to_wait_for_a_silent_player(hall: Stage) -> None:
    choice = hall.page.get_by_label("Ask the others about a silent player after")
    expect(choice).to_have_value("90")
    choice.select_option(label="3 minutes")
    hall.page.get_by_role("button", name="Open the table").click()
    usual = {"target": 12, "eggs": "joke", "molodka": "anytime", "watch": True, "delay": 0}
    assert asked(hall) == {"do": "host", "table": "", "grace": 180, **usual}


@pytest.mark.parametrize(("button", "bots"), [("Go on with somebody else", 0), ("Go on with a bot", 1)])
def test_a_broken_off_match_can_be_gone_on_with(hall: Stage, button: str, bots: int) -> None:
    hall.page.get_by_label("Strength of the bots").select_option("hard")
    hall.page.get_by_role("button", name=button).click()
    usual = {"watch": True, "delay": 0}
    assert asked(hall) == {"do": "go-on", "match": MATCH, "bots": bots, "level": "hard", **usual}


def test_going_back_is_another_thing(hall: Stage) -> None:
    hall.page.get_by_role("button", name="Go back").click()
    assert asked(hall) == {"do": "resume", "match": MATCH}


def test_a_bot_takes_a_seat_of_a_match_on_a_real_page(serve: Serve, visit: OpenPage, tmp_path: Path) -> None:
    """Anna had two bots with her when Gleb went away for good."""
    with ThreadPoolExecutor() as beside:  # Playwright has an event loop in this thread.
        beside.submit(play_one_deal, tmp_path).result()
    (tmp_path / "Anna" / "bots").mkdir()
    for number, name in enumerate(("Boris", "Vera"), start=1):
        shutil.move(tmp_path / name, tmp_path / "Anna" / "bots" / str(number))
    page = visit(serve("Anna"))
    page.get_by_role("button", name="Go on with a bot").click()
    expect(page.locator(".messages")).to_have_text("Dasha takes Gleb's seat.", timeout=MINUTE)
    expect(page.locator(".own")).to_have_count(4, timeout=MINUTE)
    expect(page.locator(".total")).not_to_have_text("we 0they 0")
    page.reload()
    expect(page.locator(".messages")).to_have_text("Dasha takes Gleb's seat.", timeout=MINUTE)
