"""Playing by what is on the screen, as a person does who knows the rules a little."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

MINUTE = 60_000


def against_bots(page: Page) -> None:
    """Begin a match against three bots, and wait for the cards."""
    page.get_by_role("button", name="Play now against three bots").click()
    expect(page.locator(".own").first).to_be_visible(timeout=MINUTE)


def own_turn(page: Page) -> None:
    """Wait until a decision is due, or the deal is over."""
    page.locator(".act:not(.claim), .sheet tbody tr").first.wait_for(timeout=MINUTE)


def needed(page: Page) -> int:
    """How many cards are asked for; 1 for a lead, which may be of more."""
    return int(page.locator(".actions").get_attribute("data-need") or 1)


def deal_over(page: Page) -> bool:
    """Whether the sheet shows a finished deal."""
    return page.locator(".sheet tbody tr").count() > 0


def hand(page: Page) -> Locator:
    """The own cards."""
    return page.locator(".own")


def held(page: Page) -> str:
    """The own cards by their codes."""
    return page.locator(".hand").get_attribute("data-cards") or ""


def wait_until_played(page: Page, before: str) -> None:
    """Wait until the hand is another one than before."""
    expect(page.locator(".hand")).not_to_have_attribute("data-cards", before, timeout=MINUTE)
