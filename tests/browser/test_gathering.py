"""People who gather at a table: seats that they ask for, and seats that are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import MINUTE
from tests.browser.screens import SCREENS
from tests.browser.staged import Stage

pytestmark = pytest.mark.browser

Serve = Callable[..., str]


@pytest.fixture
def staged(serve: Serve, visit: OpenPage) -> Callable[[str], Stage]:
    """The page with one of the screens on it."""

    def made(name: str) -> Stage:
        stages: list[Stage] = []
        visit(serve("Olga"), prepare=lambda page: stages.append(Stage(page)))
        next(screen for screen in SCREENS if screen.name == name).show(stages[0])
        expect(stages[0].page.locator(".seat").first).to_be_visible()
        return stages[0]

    return made


def asked(stage: Stage) -> dict[str, Any]:
    """What the page has asked for last, without its number."""
    return {key: value for key, value in stage.asked[-1].items() if key != "id"}


def test_a_guest_asks_for_a_seat_and_reads_that_it_has(staged: Callable[[str], Stage]) -> None:
    stage = staged("guest")
    page = stage.page
    expect(page.locator(".seat.at-0")).to_be_disabled()
    expect(page.locator(".seat.at-1")).to_contain_text("your seat")
    expect(page.locator(".wishes")).to_contain_text("You have asked for Gleb's seat.")
    expect(page.locator(".seat.at-3")).to_have_attribute("aria-pressed", "true")
    page.locator(".seat.at-2").click()
    assert asked(stage) == {"do": "wish", "seat": 2}


def test_the_host_reads_wishes_and_agrees(staged: Callable[[str], Stage]) -> None:
    stage = staged("gathering")
    expect(stage.page.locator(".wishes")).to_contain_text("Anna would like Gleb's seat.")
    stage.page.get_by_role("button", name="Let them change places").click()
    assert asked(stage) == {"do": "swap", "one": 1, "other": 3}


def test_nobody_changes_seats_where_a_match_goes_on(staged: Callable[[str], Stage]) -> None:
    page = staged("going-on").page
    expect(page.locator(".seat.free")).to_have_text("kept for Vera")
    for seat in range(4):
        expect(page.locator(f".seat.at-{seat}")).to_be_disabled()
    expect(page.get_by_role("button", name="Begin", exact=True)).to_have_count(0)


def seats(page: Page, *names: str) -> None:
    """Wait until these sit so, from the host's seat on; an empty name is a free seat."""
    for seat, name in enumerate(names):
        expect(page.locator(f".seat.at-{seat}")).to_contain_text(name or "free", timeout=MINUTE)


def test_three_people_sit_as_they_like(serve: Serve, visit: OpenPage) -> None:
    """Vera takes the free seat opposite the host; then she and Boris change, since both ask for it."""
    host, boris, vera = (visit(serve(name)) for name in ("Olga", "Boris", "Vera"))
    host.get_by_role("button", name="Open the table").click()
    link = host.locator(".link").inner_text()
    for page, free in ((boris, 2), (vera, 1)):
        page.get_by_label("Address or link of the table").fill(link)
        page.get_by_role("button", name="Join").click()
        expect(host.locator(".seat.free")).to_have_count(free, timeout=MINUTE)
    everybody = (host, boris, vera)
    for page in everybody:
        seats(page, "Olga", "Boris", "Vera", "")
    vera.locator(".seat.at-3").click()
    for page in everybody:
        seats(page, "Olga", "Boris", "", "Vera")
    boris.locator(".seat.at-3").click()
    expect(host.locator(".wishes")).to_contain_text("Boris would like Vera's seat.", timeout=MINUTE)
    vera.locator(".seat.at-1").click()
    for page in everybody:
        seats(page, "Olga", "Vera", "", "Boris")
        expect(page.locator(".wishes")).to_be_empty(timeout=MINUTE)
