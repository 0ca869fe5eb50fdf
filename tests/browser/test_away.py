"""Closed pages and computers that sleep: the node keeps the seat, and a page comes back to it by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import MINUTE, against_bots, hand, held, needed, own_turn, wait_until_played

pytestmark = pytest.mark.browser

Serve = Callable[..., str]


class Wire:
    """Between a page and its node: connections that can go dead without anybody being told."""

    def __init__(self) -> None:
        self._dead: set[int] = set()
        self.opened = 0

    def between(self, page: Page) -> None:
        """Stand in the way of this page's sockets."""
        page.route_web_socket("**/socket*", self._join)

    def _join(self, socket: WebSocketRoute) -> None:
        number, self.opened = self.opened, self.opened + 1
        server = socket.connect_to_server()
        socket.on_message(lambda text: None if number in self._dead else server.send(text))
        server.on_message(lambda text: None if number in self._dead else socket.send(text))
        server.on_close(lambda *_: None)

    def cut(self) -> None:
        """Nothing gets through any more on what is open now, and it looks open all the same."""
        self._dead = set(range(self.opened))


def play_one(page: Page) -> None:
    """Play whatever fits."""
    own_turn(page)
    before = held(page)
    for place in range(needed(page)):
        hand(page).nth(place).click()
    page.locator(".act.main").last.click()
    wait_until_played(page, before)


def test_closing_all_tabs_keeps_the_seat_and_the_hand(serve: Serve, visit: OpenPage) -> None:
    link = serve("Olga")
    page = visit(link)
    second = page.context.new_page()
    against_bots(page)
    second.goto(link)
    own_turn(page)
    before, words = held(page), page.locator(".words").text_content()
    page.close()
    second.close()
    # Another browser, which knows nothing of the first.
    again = visit(link)
    expect(again.locator(".hand")).to_have_attribute("data-cards", before)
    assert again.locator(".words").text_content() == words
    play_one(again)


def test_the_node_plays_on_while_no_page_is_open(serve: Serve, visit: OpenPage) -> None:
    link = serve("Olga", pause=0.1)
    page = visit(link)
    against_bots(page)
    own_turn(page)
    words = page.locator(".words").text_content()
    page.get_by_role("button", name="Let a bot play for me").click()
    expect(page.get_by_role("button", name="I play again myself")).to_be_visible()
    told = page.locator("#story p").count()
    page.close()
    again = visit(link)
    expect(again.locator(".messages")).to_contain_text("A bot plays for you.")
    expect(again.locator(".sheet tbody tr").first).to_be_visible(timeout=MINUTE)
    assert again.locator(".words").text_content() == words
    assert told > 0


def test_a_page_that_was_stopped_shows_what_has_happened_meanwhile(serve: Serve, visit: OpenPage) -> None:
    """Nothing of the page runs, as in the background of a phone; another page of the same seat plays."""
    link = serve("Olga")
    page = visit(link)
    against_bots(page)
    own_turn(page)
    before = held(page)
    session = page.context.new_cdp_session(page)
    session.send("Debugger.enable")
    session.send("Debugger.pause")
    play_one(other := visit(link))
    session.send("Debugger.resume")
    session.send("Debugger.disable")
    wait_until_played(page, before)
    own_turn(other)
    expect(page.locator(".hand")).to_have_attribute("data-cards", held(other), timeout=MINUTE)


def thawed(page: Page) -> None:
    """What the browser tells a page that it had frozen; it never freezes one without a window itself."""
    page.evaluate("document.dispatchEvent(new Event('resume'))")


def network_back(page: Page) -> None:
    """The network was away."""
    page.evaluate("window.dispatchEvent(new Event('online'))")


def lid_closed(page: Page) -> None:
    """The computer sleeps for an hour: nothing is told to the page but that the clock has jumped."""
    page.clock.fast_forward("01:00:00")


def back_in_view(page: Page) -> None:
    """The phone is unlocked."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.parametrize("sleep", [thawed, network_back, lid_closed, back_in_view])
def test_a_page_wakes_up_before_a_dead_connection(
    sleep: Callable[[Page], None], serve: Serve, visit: OpenPage
) -> None:
    """The node has given the sleeper up, and the goodbye got lost: the socket still looks open."""
    wire = Wire()

    def prepare(page: Page) -> None:
        page.clock.install()
        wire.between(page)

    link = serve("Olga")
    page = visit(link, prepare=prepare)
    page.wait_for_selector(".hall")
    against_bots(page)
    own_turn(page)
    before = held(page)
    wire.cut()
    play_one(other := visit(link))
    assert (held(page), wire.opened) == (before, 1)
    sleep(page)
    expect(page.locator(".hand")).not_to_have_attribute("data-cards", before, timeout=MINUTE)
    expect(page.locator("body")).to_have_attribute("data-away", "no", timeout=MINUTE)
    expect(page.locator("#notices")).to_be_empty()
    own_turn(other)
    expect(page.locator(".hand")).to_have_attribute("data-cards", held(other), timeout=MINUTE)
    play_one(page)


def test_a_live_connection_is_kept_after_a_sleep(serve: Serve, visit: OpenPage) -> None:
    wire = Wire()

    def prepare(page: Page) -> None:
        page.clock.install()
        wire.between(page)

    page = visit(serve("Olga"), prepare=prepare)
    page.wait_for_selector(".hall")
    lid_closed(page)
    # What is asked later is answered later: by now the node has shown that it lives.
    against_bots(page)
    page.clock.run_for(10_000)
    back_in_view(page)
    own_turn(page)
    play_one(page)
    page.clock.run_for(10_000)
    assert wire.opened == 1
