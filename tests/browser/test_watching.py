"""A match on the page of somebody who has no seat: live, no hidden card, no control that plays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import MINUTE, held
from tests.browser.screens import SCREENS
from tests.browser.staged import Stage

pytestmark = pytest.mark.browser

Serve = Callable[..., str]
RANKS = {
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "T",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "ace": "A",
}
FACES = "els => els.map(el => el.querySelector('title')?.textContent ?? '')"


class Heard:
    """All that came to a page over its socket, as text, and the last picture."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.picture: dict[str, Any] = {}

    def follow(self, page: Page) -> None:
        page.on("websocket", self._meet)

    def _meet(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, text: str | bytes) -> None:
        message = json.loads(text)
        if "show" in message:
            self.texts.append(str(text))
            self.picture = message["show"]


def open_faces(page: Page) -> set[str]:
    """The cards that lie open with a name on a page that watches, by their codes."""
    names = page.locator(".watching .card.face").evaluate_all(FACES)
    return {RANKS[name.split()[0]] + name.split()[-1][0] for name in names if name}


def begin(host: Page, viewer: Page) -> None:
    """The host opens a table for bots, to which `viewer` finds its way by the link."""
    host.get_by_role("button", name="Open the table").click()
    link = host.locator(".link").inner_text()
    viewer.get_by_label("Address or link of the table").fill(link)
    viewer.get_by_role("button", name="Watch", exact=True).click()
    expect(viewer.locator(".watched")).to_contain_text("The match has not begun yet.", timeout=MINUTE)
    expect(host.locator(".onlookers")).to_contain_text("Vera\u2069 is watching.", timeout=MINUTE)
    for free in (2, 1, 0):
        host.get_by_role("button", name="A bot takes a seat").click()
        expect(host.locator(".seat.free")).to_have_count(free, timeout=MINUTE)
    host.get_by_role("button", name="Begin", exact=True).click()
    expect(host.locator(".own")).to_have_count(4, timeout=MINUTE)


def test_a_whole_deal_is_watched_without_a_hidden_card(serve: Serve, visit: OpenPage) -> None:
    """What the host holds is compared with what lies open on the other page, before and after each look."""
    heard, looks = Heard(), 0
    host = visit(serve("Olga", pause=0.1))
    viewer = visit(serve("Vera"), prepare=heard.follow, viewport={"width": 360, "height": 740})
    viewer.wait_for_selector(".hall")
    begin(host, viewer)
    expect(viewer.locator(".watching .backs")).to_have_count(4, timeout=MINUTE)
    public: set[str] = set()
    host.get_by_role("button", name="Let a bot play for me").click()
    while host.locator(".sheet tbody tr").count() == 0:
        before = set(held(host).split())
        seen = open_faces(viewer)
        secret = before & set(held(host).split()) - public
        if host.locator(".sheet tbody tr").count() == 0:
            assert not seen & secret
            public |= seen
            looks += bool(secret and seen)
        assert viewer.locator(".own, .act, .hand, .hint-button, .talk, .claim").count() == 0
        assert viewer.evaluate("document.documentElement.scrollWidth") <= 360
    assert looks > 3
    expect(viewer.locator(".sheet tbody tr").first).to_be_visible(timeout=MINUTE)
    expect(viewer.locator(".more")).to_contain_text("All is right.")
    expect(viewer.locator("#story")).to_contain_text("--- Deal 1 is over ---")
    expect(viewer.locator(".more")).to_contain_text(host.locator(".words").text_content() or "no words")
    assert '"legal"' not in "".join(heard.texts)
    viewer.get_by_role("button", name="Replay with all cards open").click()
    expect(viewer.locator(".replay .tape")).to_be_visible(timeout=MINUTE)
    viewer.keyboard.press("Escape")
    viewer.reload()
    expect(viewer.locator(".watching .sheet tbody tr").first).to_be_visible(timeout=MINUTE)
    second = viewer.context.new_page()
    second.goto(viewer.url)
    expect(second.locator(".watching .sheet tbody tr").first).to_be_visible(timeout=MINUTE)
    viewer.get_by_role("button", name="Leave").click()
    for page in (viewer, second):
        expect(page.locator(".hall")).to_be_visible(timeout=MINUTE)
    expect(host.locator(".onlookers [role=status]")).to_be_empty(timeout=MINUTE)


def test_the_host_goes_and_what_was_seen_stays(serve: Serve, visit: OpenPage) -> None:
    host, viewer = visit(serve("Olga", pause=0.1)), visit(serve("Vera"))
    begin(host, viewer)
    host.get_by_text("Let somebody watch").click()
    expect(host.locator(".onlookers .link")).to_contain_text("KOZEL:")
    host.get_by_text("About this match").click()
    host.get_by_role("button", name="Leave the table").click()
    expect(viewer.locator("#notices")).to_contain_text("The host has closed the table.", timeout=MINUTE)
    expect(viewer.locator(".watching .backs")).to_have_count(4)


@pytest.fixture
def staged(serve: Serve, visit: OpenPage) -> Callable[..., Stage]:
    """The page with one of the screens on it."""

    def made(name: str, **options: Any) -> Stage:
        stages: list[Stage] = []
        visit(serve("Olga"), prepare=lambda page: stages.append(Stage(page)), **options)
        screen = next(one for one in SCREENS if one.name == name)
        screen.show(stages[0])
        expect(stages[0].page.locator(screen.ready).first).to_be_visible()
        return stages[0]

    return made


def test_a_table_that_plays_is_watched_with_its_code(staged: Callable[..., Stage]) -> None:
    stage = staged("hall")
    entry = stage.page.locator(".entry", has_text="Attic")
    expect(entry).to_contain_text("plays: can be watched")
    entry.get_by_role("button", name="Watch").click()
    stage.page.keyboard.type("1234 5678")
    stage.page.keyboard.press("Enter")
    asked = {key: value for key, value in stage.asked[-1].items() if key != "id"}
    assert asked == {"do": "watch", "where": "192.168.1.44:47001", "code": "1234 5678"}


def test_a_host_chooses_who_may_watch(staged: Callable[..., Stage]) -> None:
    stage = staged("hall")
    stage.page.get_by_label("Who watches sees everything").select_option(label="2 minutes later")
    stage.page.get_by_role("button", name="Open the table").click()
    assert (stage.asked[-1]["watch"], stage.asked[-1]["delay"]) == (True, 120)
    stage.page.get_by_label("People may watch").select_option("no")
    stage.page.get_by_role("button", name="Open the table").click()
    assert stage.asked[-1]["watch"] is False


def test_all_hands_lie_face_down_but_for_cards_that_went_back_open(staged: Callable[..., Stage]) -> None:
    page = staged("watching").page
    counts = page.locator(".backs").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert sorted(counts) == ["0 cards", "4 cards", "4 cards", "4 cards, six of clubs"]
    assert open_faces(page) == {"6c", "6d", "7d", "8d", "9d"}
    names = [page.locator(f".player.place-{place} .name").inner_text() for place in range(4)]
    assert names == ["Olga", "Boris", "Vera", "Gleb"]
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("document.activeElement.dataset.focus") == "leave":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.focus") == "leave"


def test_a_proven_cheat_stands_above_the_table(staged: Callable[..., Stage]) -> None:
    page = staged("watching-cheat").page
    expect(page.locator(".message.alarm").first).to_have_text("The match is stopped: a cheat is proven.")
    expect(page.locator(".message.alarm").last).to_contain_text("Boris")
    expect(page.locator(".end")).to_contain_text(re.compile("Boris.* and .*Gleb.* forfeit the match"))


def test_the_table_is_not_mirrored_in_arabic(staged: Callable[..., Stage]) -> None:
    page = staged("watching", locale="ar", viewport={"width": 360, "height": 740}).page
    assert page.evaluate("document.documentElement.dir") == "rtl"
    left = page.locator(".player.place-1").bounding_box()
    right = page.locator(".player.place-3").bounding_box()
    assert left is not None and right is not None
    assert left["x"] < right["x"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_dropped_connection_comes_back(serve: Serve, visit: OpenPage) -> None:
    host = visit(serve("Olga", pause=0.1))
    sockets: list[Any] = []

    def between(page: Page) -> None:
        page.route_web_socket("**/socket*", lambda one: sockets.append((one, one.connect_to_server())))

    viewer = visit(serve("Vera"), prepare=between)
    viewer.wait_for_selector(".hall")
    begin(host, viewer)
    expect(viewer.locator(".watching .backs")).to_have_count(4, timeout=MINUTE)
    sockets[-1][0].close(code=1001)
    expect(viewer.locator("body")).to_have_attribute("data-away", "yes")
    expect(viewer.locator("body")).to_have_attribute("data-away", "no", timeout=MINUTE)
    expect(viewer.locator(".watching .backs")).to_have_count(4)
