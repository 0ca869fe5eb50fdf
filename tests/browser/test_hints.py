"""Hints on the page: wished for in the settings, asked for on one's turn, gone when the table changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from node.seating.bot_seats import LEVELS
from tests.browser.conftest import OpenPage
from tests.browser.screens import HINT, SCREENS
from tests.browser.staged import Stage
from tests.engine.tables import table
from tests.node.terminal_tables import Felt

pytestmark = pytest.mark.browser

Serve = Callable[..., str]

HANDS = ["6c7c8cAh", "9cTcKd6h", "6d7d8d9d", "6s7s8sAc"]
SENTENCE = str(HINT["sentence"])


@pytest.fixture
def staged(serve: Serve, visit: OpenPage) -> Callable[..., Stage]:
    """The page with nothing on it yet; it answers every wish with the hint to beat with the nine."""

    def made(**options: object) -> Stage:
        stages: list[Stage] = []
        visit(serve("Olga"), prepare=lambda page: stages.append(Stage(page)), **options)
        stages[0].answer = lambda _wish: HINT
        return stages[0]

    return made


def to_beat() -> Felt:
    felt = Felt(table(HANDS, stock=4), seat=1)
    felt.happen("lead 0 6c")
    return felt


def shown(stage: Stage, felt: Felt) -> Page:
    stage.show(felt)
    expect(stage.page.locator(".own").first).to_be_visible()
    return stage.page


def wish_for_hints(page: Page) -> None:
    page.get_by_text("Settings").click()
    page.get_by_label("Hints").select_option("on")
    page.get_by_role("button", name="Close").click()


def advised(page: Page) -> list[str]:
    """The cards that are outlined."""
    codes: list[str] = page.locator(".own[data-advised]").evaluate_all(
        "all => all.map(one => one.dataset.card)"
    )
    return codes


def hint_wishes(stage: Stage) -> int:
    return sum(wish["do"] == "hint" for wish in stage.asked)


def test_no_hint_is_offered_unless_it_is_wished_for(staged: Callable[..., Stage]) -> None:
    page = shown(stage := staged(), to_beat())
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    page.keyboard.press("h")
    page.locator("[data-card='9c']").click()
    expect(page.locator(".own.lifted")).to_have_count(1)
    assert hint_wishes(stage) == 0
    assert page.evaluate("JSON.parse(localStorage.getItem('kozel') ?? '{}').hints ?? 'off'") == "off"


def test_the_sentence_and_the_cards_are_shown_and_nothing_is_played(staged: Callable[..., Stage]) -> None:
    page = shown(stage := staged(), to_beat())
    wish_for_hints(page)
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.get_by_role("status").filter(has_text=SENTENCE)).to_be_visible()
    assert advised(page) == ["9c"]
    expect(page.locator("[data-card='9c']")).to_have_attribute("aria-description", "advised")
    expect(page.locator(".own.lifted")).to_have_count(0)
    assert [wish["do"] for wish in stage.asked] == ["hint"]
    page.get_by_text("Figures").click()
    expect(page.locator(".hint li")).to_have_text([*HINT["details"][1:]])
    page.get_by_role("button", name="Hide the hint").click()
    expect(page.locator(".hint")).to_have_count(0)
    assert advised(page) == []


def test_the_setting_is_kept_and_h_asks(staged: Callable[..., Stage]) -> None:
    page = shown(stage := staged(), to_beat())
    wish_for_hints(page)
    page.reload()
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_visible()
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_contain_text(SENTENCE)
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_have_count(0)
    assert hint_wishes(stage) == 1


def test_a_hint_goes_when_the_table_changes_and_stays_when_it_does_not(staged: Callable[..., Stage]) -> None:
    felt = to_beat()
    page = shown(stage := staged(), felt)
    wish_for_hints(page)
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_be_visible()
    stage.show(felt, absent=[2])
    expect(page.locator(".player[data-gone]")).to_have_count(1)
    expect(page.locator(".hint")).to_be_visible()
    felt.happen("discard 1 6h on 0")
    stage.show(felt)
    expect(page.locator(".hint")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    assert advised(page) == []


def test_while_it_thinks_the_button_is_busy_and_a_late_hint_is_dropped(staged: Callable[..., Stage]) -> None:
    felt = to_beat()
    stage = staged()
    waiting: list[dict[str, Any]] = []
    answer_now = stage.reply
    stage.reply = lambda wish: waiting.append(wish) if wish["do"] == "hint" else answer_now(wish)  # type: ignore[method-assign]
    page = shown(stage, felt)
    wish_for_hints(page)
    page.keyboard.press("h")
    busy = page.get_by_role("button", name="Thinking…")
    expect(busy).to_have_attribute("aria-busy", "true")
    page.keyboard.press("h")
    busy.click(force=True)
    felt.happen("molodka 2 6d7d8d9d")
    felt.happen("discard 3 6s7s8sAc on 2", "discard 0 6c7c8cAh on 2")
    stage.show(felt)
    expect(busy).to_have_count(0)
    answer_now(waiting[0])
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(busy).to_be_visible()
    expect(page.locator(".hint")).to_have_count(0)
    answer_now(waiting[1])
    expect(page.locator(".hint")).to_be_visible()
    assert len(waiting) == 2


def test_what_is_refused_is_said_and_can_be_asked_again(staged: Callable[..., Stage]) -> None:
    stage = staged()
    stage.refuse = lambda _wish: {"code": "not-now", "words": "The hint is being thought out already."}
    page = shown(stage, to_beat())
    wish_for_hints(page)
    page.keyboard.press("h")
    expect(page.locator("#notices")).to_have_text("The hint is being thought out already.")
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_visible()
    expect(page.locator(".hint")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_nothing_overflows_on_a_small_phone(staged: Callable[..., Stage], language: str) -> None:
    stage = staged(viewport={"width": 360, "height": 740}, locale=language, reduced_motion="reduce")
    next(screen for screen in SCREENS if screen.name == "hint").show(stage)
    page = stage.page
    hint = page.locator(".hint")
    expect(hint).to_be_visible()
    hint.locator("summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box, hand = page.locator(".hint-place").bounding_box(), page.locator(".hand").bounding_box()
    assert box is not None
    assert hand is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= hand["y"]


def test_the_strength_of_bots_is_chosen_in_the_hall_and_remembered(staged: Callable[..., Stage]) -> None:
    stage = staged()
    next(screen for screen in SCREENS if screen.name == "hall").show(stage)
    page = stage.page
    strength = page.get_by_label("Strength of the bots")
    expect(strength).to_have_value("medium")
    assert tuple(strength.locator("option").evaluate_all("all => all.map(one => one.value)")) == LEVELS
    strength.select_option("hard")
    page.get_by_role("button", name="Play now against three bots").click()
    page.reload()
    expect(strength).to_have_value("hard")
    (wish,) = (wish for wish in stage.asked if wish["do"] == "host")
    assert (wish["bots"], wish["level"]) == (3, "hard")


def test_each_bot_at_a_table_may_be_of_another_strength(staged: Callable[..., Stage]) -> None:
    stage = staged()
    next(screen for screen in SCREENS if screen.name == "gathering").show(stage)
    page = stage.page
    expect(page.locator(".seat.at-3")).to_have_text("Glebhard")
    add = page.get_by_role("button", name="A bot takes a seat")
    for level in ("easy", "hard"):
        page.get_by_label("Strength of the bots").select_option(level)
        add.click()
    assert [wish["level"] for wish in stage.asked if wish["do"] == "bot"] == ["easy", "hard"]
