"""Reloads, second tabs, lost connections and two people: the page comes back to the right state by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import (
    MINUTE,
    against_bots,
    deal_over,
    hand,
    held,
    needed,
    own_turn,
    wait_until_played,
)

pytestmark = pytest.mark.browser

Serve = Callable[..., str]


def test_a_reload_in_the_middle_of_a_trick(serve: Serve, visit: OpenPage) -> None:
    page = visit(serve("Olga", pause=0.1))
    against_bots(page)
    own_turn(page)
    hand(page).first.click()
    before, words = held(page), page.locator(".words").text_content()
    page.reload()
    expect(page.locator(".hand")).to_have_attribute("data-cards", before, timeout=MINUTE)
    assert page.locator(".words").text_content() == words
    expect(page.locator("#story")).to_contain_text("Deal 1")
    own_turn(page)


def test_a_second_tab_shows_the_same_table_and_both_can_play(serve: Serve, visit: OpenPage) -> None:
    link = serve("Olga", pause=0.1)
    page = visit(link)
    against_bots(page)
    own_turn(page)
    second = page.context.new_page()
    second.goto(link)
    expect(second.locator(".hand")).to_have_attribute("data-cards", held(page))
    count, before = needed(second), held(second)
    for place in range(count):
        hand(second).nth(place).click()
    second.locator(".act.main").last.click()
    wait_until_played(page, before)


def test_a_dropped_connection_is_said_and_mended(serve: Serve, visit: OpenPage) -> None:
    routes: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    def join(socket: WebSocketRoute) -> None:
        routes.append((socket, socket.connect_to_server()))

    def between(page: Page) -> None:
        page.route_web_socket(
            "**/socket*", lambda socket: routes.append((socket, socket.connect_to_server()))
        )

    page = visit(serve("Olga"), prepare=between)
    page.wait_for_selector(".hall")
    against_bots(page)
    before = held(page)
    routes[-1][0].close(code=1001)
    expect(page.locator("body")).to_have_attribute("data-away", "yes")
    expect(page.locator("#notices")).to_contain_text("does not answer")
    expect(page.locator("body")).to_have_attribute("data-away", "no", timeout=MINUTE)
    expect(page.locator("#notices")).to_be_empty()
    assert held(page) == before


def test_two_people_at_one_table_with_two_bots(serve: Serve, visit: OpenPage) -> None:
    """Two programs, two pages; the code is typed as it is read on the host's screen."""
    host, guest = visit(serve("Olga")), visit(serve("Vera"))
    host.get_by_role("button", name="Open the table").click()
    expect(host.locator(".code")).to_be_visible()
    code, link = host.locator(".code").inner_text(), host.locator(".link").inner_text()
    assert link.endswith(code.replace(" ", ""))
    guest.get_by_label("Address or link of the table").fill(link)
    guest.get_by_role("button", name="Join").click()
    expect(guest.locator(".seat", has_text="Olga")).to_be_visible(timeout=MINUTE)
    host.locator(".seat", has_text="Vera").click()
    host.locator(".seat.at-2").click()
    expect(guest.locator(".seat.at-2")).to_contain_text("Vera")
    for _ in range(2):
        free = host.locator(".seat.free").count()
        host.get_by_role("button", name="A bot takes a seat").click()
        expect(host.locator(".seat.free")).to_have_count(free - 1, timeout=MINUTE)
    host.get_by_role("button", name="Begin", exact=True).click()
    for page in (host, guest):
        expect(page.locator(".own")).to_have_count(4, timeout=MINUTE)
        page.get_by_role("button", name="Let a bot play for me").click()
    for page in (host, guest):
        expect(page.locator(".sheet tbody tr").first).to_be_visible(timeout=MINUTE)
    assert host.locator(".words").text_content() == guest.locator(".words").text_content()
    assert deal_over(host)


def test_check_this_deal(serve: Serve, visit: OpenPage) -> None:
    page = visit(serve("Olga"))
    against_bots(page)
    page.get_by_role("button", name="Let a bot play for me").click()
    expect(page.locator(".sheet tbody tr").first).to_be_visible(timeout=MINUTE)
    page.get_by_role("button", name="Check this deal").click()
    expect(page.locator(".verdict .fair").last).to_have_text(
        "The points add up. All was fair.", timeout=MINUTE
    )
    page.get_by_text("What was checked").click()
    expect(page.locator(".verdict li")).not_to_have_count(0)
