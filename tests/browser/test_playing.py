"""A person plays whole deals on the page: by mouse, by keyboard, and with a finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import against_bots, deal_over, hand, held, needed, own_turn, wait_until_played

pytestmark = pytest.mark.browser

Serve = Callable[..., str]


def play_by(page: Page, play: Callable[[Page, int], None]) -> None:
    """One deal, each decision by `play(page, how many cards)`."""
    while True:
        own_turn(page)
        if deal_over(page):
            return
        before = held(page)
        play(page, needed(page))
        wait_until_played(page, before)


def by_mouse(page: Page, count: int) -> None:
    for place in range(count):
        hand(page).nth(place).click()
    page.locator(".act.main").last.click()


def by_keyboard(page: Page, count: int) -> None:
    page.keyboard.press("Escape")
    for _ in range(count):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
    kinds = page.locator(".act").evaluate_all("acts => acts.map(act => act.dataset.kind)")
    page.keyboard.press("d" if "discard" in kinds else "Enter")


def by_finger(page: Page, count: int) -> None:
    for place in range(count):
        hand(page).nth(place).tap()
    page.locator(".act.main").last.tap()


def test_a_deal_by_mouse(serve: Serve, visit: OpenPage) -> None:
    page = visit(serve("Olga"))
    against_bots(page)
    play_by(page, by_mouse)
    expect(page.locator(".sheet tbody tr").first).to_contain_text("1")


def test_a_deal_by_keyboard_alone(serve: Serve, visit: OpenPage) -> None:
    page = visit(serve("Olga"))
    page.keyboard.press("Tab")
    for _ in range(30):
        if page.evaluate("document.activeElement.dataset.focus") == "now":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".own").first).to_be_visible(timeout=60_000)
    play_by(page, by_keyboard)


def test_a_deal_by_finger_on_a_small_phone(serve: Serve, visit: OpenPage) -> None:
    page = visit(serve("Olga"), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Play now against three bots").tap()
    expect(page.locator(".own").first).to_be_visible(timeout=60_000)
    play_by(page, by_finger)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
