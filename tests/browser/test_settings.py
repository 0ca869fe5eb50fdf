"""How the reader likes the page: each setting changes what is drawn, and is kept for the next time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.staged import Stage
from tests.engine.tables import table
from tests.node.terminal_tables import Felt

pytestmark = pytest.mark.browser

Serve = Callable[..., str]

HANDS = ["Ac6d9sKh", "9cTcKd6h", "6c7d8d9d", "6s7s8sAs"]
"""The reader has a card of each suit; hearts are trumps."""
ShowTable = Callable[..., Page]


@pytest.fixture
def shown(serve: Serve, visit: OpenPage) -> ShowTable:
    """A page with a table on it, which is there again after a reload."""

    def made(**options: object) -> Page:
        stages: list[Stage] = []
        page = visit(serve("Olga"), prepare=lambda page: stages.append(Stage(page)), **options)
        stages[0].show(Felt(table(HANDS, stock=4), seat=0))
        expect(page.locator(".own")).to_have_count(4)
        return page

    return made


def choose(page: Page, setting: str, value: str) -> None:
    """Change a setting, as a reader does."""
    page.get_by_text("Settings").click()
    page.get_by_label(setting).select_option(label=value)
    page.get_by_role("button", name="Close").click()


def again(page: Page) -> None:
    """Reload, and wait for the table."""
    page.reload()
    expect(page.locator(".own")).to_have_count(4)


def order(page: Page) -> list[str]:
    """The own cards from left to right, by where they are on the screen."""
    return [
        str(card)
        for card in page.locator(".own").evaluate_all(
            """cards => cards.map(card => [card.getBoundingClientRect().left, card.dataset.card])
                .sort((one, other) => one[0] - other[0]).map(([, code]) => code)"""
        )
    ]


def colour(page: Page, place: str, property_name: str) -> str:
    """What a part of the page is drawn with."""
    return str(page.locator(place).first.evaluate(f"one => getComputedStyle(one).{property_name}"))


def test_the_hand_by_suit_or_by_strength(shown: ShowTable) -> None:
    page = shown(reduced_motion="reduce")
    assert order(page) == ["Ac", "6d", "9s", "Kh"], "trumps last"
    choose(page, "Hand sorted by", "Strength")
    assert order(page) == ["6d", "9s", "Ac", "Kh"]
    again(page)
    assert order(page) == ["6d", "9s", "Ac", "Kh"]
    choose(page, "Hand sorted by", "Suit")
    assert order(page) == ["Ac", "6d", "9s", "Kh"]


def test_the_theme(shown: ShowTable) -> None:
    page = shown(color_scheme="light")
    light = colour(page, "html", "backgroundColor"), colour(page, ".board", "backgroundImage")
    choose(page, "Theme", "Dark")
    dark = colour(page, "html", "backgroundColor"), colour(page, ".board", "backgroundImage")
    assert all(one != other for one, other in zip(light, dark, strict=True))
    again(page)
    assert (colour(page, "html", "backgroundColor"), colour(page, ".board", "backgroundImage")) == dark
    choose(page, "Theme", "As the system")
    assert colour(page, "html", "backgroundColor") == light[0]
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_css("background-color", dark[0])
    choose(page, "Theme", "Light")
    assert colour(page, "html", "backgroundColor") == light[0]


def test_high_contrast(shown: ShowTable) -> None:
    page = shown()
    usual = colour(page, ".board", "backgroundImage"), colour(page, ".talk summary", "color")
    line = colour(page, "#bar", "borderBottomColor")
    choose(page, "Contrast", "High")
    for _ in range(2):
        assert colour(page, "#bar", "borderBottomColor") == colour(page, "body", "color") != line
        assert colour(page, ".board", "backgroundImage") != usual[0]
        again(page)


def test_four_colours_of_the_deck(shown: ShowTable) -> None:
    page = shown()

    def colours() -> list[str]:
        cards = ("Ac", "6d", "9s", "Kh")
        return [colour(page, f"[data-card='{card}'] .card-ink", "fill") for card in cards]

    clubs, diamonds, spades, hearts = colours()
    assert clubs == spades != diamonds == hearts
    choose(page, "Deck", "Four colours")
    assert len(set(colours())) == 4
    again(page)
    assert len(set(colours())) == 4
    choose(page, "Deck", "Two colours")
    assert colours() == [clubs, diamonds, spades, hearts]
