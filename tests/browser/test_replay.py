"""A match again with all cards open: a log file is dropped on the page, and stepped through."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.protocol.matches import rich

pytestmark = pytest.mark.browser

Serve = Callable[[str], str]

FILE = """([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], name));
    return carried;
}"""


def drop(page: Page, data: bytes, name: str = "match.kozel") -> None:
    """Let a file fall on the page."""
    carried = page.evaluate_handle(FILE, [name, base64.b64encode(data).decode()])
    page.dispatch_event("body", "dragover", {"dataTransfer": carried})
    page.dispatch_event("body", "drop", {"dataTransfer": carried})


def replay(page: Page, data: bytes) -> Locator:
    """Drop a log and wait for the first step; returns the tape."""
    drop(page, data)
    tape = page.locator(".tape")
    expect(tape).to_have_attribute("data-step", "0", timeout=60_000)
    return tape


def at(tape: Locator, step: int) -> None:
    expect(tape).to_have_attribute("data-step", str(step))


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture(scope="module")
def log() -> bytes:
    """Three deals; in the first trick after the third of deal 1 two players lead out of turn."""
    return rich().file()


def test_a_dropped_log_is_shown_with_all_cards_open(serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(serve("Olga"))
    tape = replay(page, log)
    dialog = page.locator("dialog.replay")
    expect(dialog.locator(".replay-verdict")).to_contain_text("FAIR and whole")
    expect(tape.locator(".open-cards .face")).to_have_count(16)
    expect(tape.locator(".back")).to_have_count(1)
    expect(tape.locator(".open-talon .count")).to_have_text("20")
    expect(tape.locator(".tape-words")).to_contain_text("Deal 1: Player 1 deals.")
    expect(dialog.locator(".tape-deals tbody tr")).to_have_count(3)
    press(page, "ArrowRight")
    expect(tape.locator(".open-play .face")).not_to_have_count(0)
    expect(tape.locator(".tape-words")).to_contain_text("leads")
    press(page, "Escape")
    expect(dialog).to_have_count(0)


def test_the_buttons_go_by_steps_tricks_and_deals(serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(serve("Olga"))
    tape = replay(page, log)

    def go(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).click()

    go("Next trick")
    at(tape, 5)
    go("Next step")
    at(tape, 6)
    go("Previous trick")
    at(tape, 5)
    go("Previous step")
    at(tape, 4)
    expect(tape.locator(".open-play .face")).to_have_count(4)
    expect(tape.locator(".tape-words")).to_contain_text("takes the trick.")
    go("Next deal")
    at(tape, 34)
    expect(page.locator(".tape-deals tr[aria-current]")).to_contain_text("2")
    go("Previous deal")
    at(tape, 0)
    page.get_by_role("button", name="Deal 3", exact=True).click()
    expect(tape.locator(".tape-words")).to_contain_text("Deal 3:")
    go("Next deal")
    expect(tape.locator(".tape-words")).to_contain_text("are the goat")
    expect(tape.locator(".open-outcome")).to_be_visible()
    go("To the beginning")
    at(tape, 0)


def test_the_keyboard_is_enough(serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(serve("Olga"))
    tape = replay(page, log)
    press(page, "ArrowRight", "ArrowRight", "ArrowLeft")
    at(tape, 1)
    press(page, "PageDown", "PageDown")
    at(tape, 10)
    press(page, "PageUp")
    at(tape, 5)
    press(page, "End")
    at(tape, 33)
    press(page, "ArrowRight")
    at(tape, 34)
    press(page, "Home")
    at(tape, 0)
    page.locator(".tape-track input").focus()
    press(page, "ArrowRight", "ArrowUp")
    at(tape, 2)
    press(page, "Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_it_plays_by_itself_until_it_is_stopped(serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(serve("Olga"))
    tape = replay(page, log)
    play = tape.locator("[data-move=play]")
    expect(play).to_be_focused()
    press(page, "Space")
    expect(play).to_have_attribute("aria-label", "Pause")
    at(tape, 1)
    at(tape, 2)
    press(page, "Space")
    expect(play).to_have_attribute("aria-label", "Play the replay")
    page.locator(".tape-track input").focus()
    press(page, "End", "PageDown", "End", "End", "ArrowLeft", "Space")
    expect(tape.locator(".tape-words")).to_contain_text("are the goat")
    expect(play).to_have_attribute("aria-label", "Play the replay")


def test_a_lead_that_was_taken_over_goes_back_to_its_owner(serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(serve("Olga"), reduced_motion="reduce")
    tape = replay(page, log)
    press(page, "PageDown", "PageDown", "PageDown", "ArrowRight")
    expect(tape.locator(".open-play.place-0 .face")).to_have_count(1)
    press(page, "ArrowRight")
    expect(tape.locator(".tape-words")).to_contain_text("Molodka! Player 2 leads out of turn")
    expect(tape.locator(".open-play.place-0 .face")).to_have_count(0)
    expect(tape.locator(".open-play.place-2[data-best] .face")).to_have_count(4)
    press(page, "ArrowRight")
    expect(tape.locator(".open-play.place-3 .back")).to_have_count(4)


@pytest.mark.parametrize("locale", ["en-US", "ru-RU", "ar-EG"])
def test_it_fits_a_small_phone(locale: str, serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(
        serve("Olga"), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale=locale
    )
    tape = replay(page, log)
    dialog = page.locator("dialog.replay")
    for _ in range(12):
        tape.locator("[data-move=next-trick]").tap()
        assert dialog.evaluate("one => one.scrollWidth") <= 360
    left, right = (tape.locator(f".open-seat.place-{place}").bounding_box() for place in (1, 3))
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"], "the table is never mirrored"
    for button in tape.locator(".tape-buttons button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 36
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360


def test_what_is_no_log_is_refused(serve: Serve, chromium: Browser) -> None:
    """The browser writes answers of this kind to its console, so nobody listens to that here."""
    context = chromium.new_context(locale="ru-RU")
    try:
        page = context.new_page()
        page.goto(serve("Olga"))
        page.wait_for_selector(".hall")
        drop(page, b"something else")
        expect(page.get_by_role("alert")).to_contain_text("Козл")
        press(page, "Escape")
        expect(page.locator("dialog")).to_have_count(0)
    finally:
        context.close()


def test_names_may_be_anything(serve: Serve, visit: OpenPage, log: bytes) -> None:
    """Whoever made a log chose them: they are shown as they are, and keep their own direction."""
    names = ["<b>", "A.*(-|[x", "محمد", "\\\\ $& 10♣"]

    def rename(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        for seat, name in enumerate(names):
            text = text.replace(f"Player {seat}", name.replace("\\", "\\\\"))
        route.fulfill(response=answer, body=text)

    page = visit(serve("Olga"))
    page.route("**/replay?*", rename)
    tape = replay(page, log)
    words = tape.locator(".tape-words")
    expect(words).to_contain_text("Deal 1: A.*(-|[x deals. Trump is hearts ♥, Q♥ was shown. محمد begins.")
    expect(words.locator("bdi")).to_have_text(["A.*(-|[x", "Q♥", "محمد"])
    for seat, name in enumerate(names):
        expect(tape.locator(f"[data-seat='{seat}'] .name")).to_have_text(name)


def test_files_of_another_kind_are_not_even_read(serve: Serve, visit: OpenPage) -> None:
    page = visit(serve("Olga"))
    drop(page, b"something else", "holiday.jpg")
    expect(page.locator("#notices")).to_contain_text(".kozel")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_second_file_takes_the_place_of_the_first(serve: Serve, visit: OpenPage, log: bytes) -> None:
    page = visit(serve("Olga"))
    replay(page, log)
    press(page, "PageDown")
    replay(page, rich().file(rich().index("result", 3) + 1))
    expect(page.locator("dialog")).to_have_count(1)
    expect(page.locator(".replay-verdict")).to_contain_text("NOT WHOLE")
    expect(page.locator(".tape-deals tbody tr")).to_have_count(1)
