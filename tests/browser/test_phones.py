"""Pages for phones: one computer serves several seats, and says whom a phone trusts with that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, OpenPage
from tests.browser.playing import MINUTE
from tests.browser.screens import SCREENS
from tests.browser.staged import Stage

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PROGRAM = """
import sys
from pathlib import Path
from node.commands.page import PageSettings, party
from node.web import serving
serving.own_addresses = lambda: ("127.0.0.2",)  # In place of a network, which the test may not have.
sys.exit(party(PageSettings(Path(sys.argv[1]), browser=False, share=True), 2))
"""


@pytest.fixture
def links(tmp_path: Path) -> Iterator[list[str]]:
    """The links of a party of two, as the phones see them."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "KOZEL_BOT_PAUSE": "0", "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    found: list[str] = []
    for line in process.stdout:
        found += [line.strip()] if line.startswith("http") else []
        if "Ctrl+C" in line:
            break
    yield found[1::2]
    process.terminate()
    process.wait(20)
    process.stdout.close()


def test_two_phones_and_two_bots_play_on_one_computer(links: list[str], visit: OpenPage) -> None:
    first, second = (visit(link, **PHONE) for link in links)
    first.get_by_role("button", name="Open the table").tap()
    second.get_by_role("button", name="Sit down").first.tap()
    expect(second.locator(".seats")).to_be_visible(timeout=MINUTE)
    for _ in range(2):
        free = first.locator(".seat.free").count()
        first.get_by_role("button", name="A bot takes a seat").tap()
        expect(first.locator(".seat.free")).to_have_count(free - 1, timeout=MINUTE)
    first.get_by_role("button", name="Begin", exact=True).tap()
    for page in (first, second):
        expect(page.locator(".own")).to_have_count(4, timeout=MINUTE)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("height", [640, 740])
@pytest.mark.parametrize("language", ["en", "ru", "ar"])
def test_a_hint_and_a_missing_player_leave_the_hand_in_sight(
    language: str, height: int, serve: Callable[..., str], visit: OpenPage
) -> None:
    stages: list[Stage] = []
    size = {"width": 360, "height": height}
    page = visit(
        serve("Olga"),
        prepare=lambda page: stages.append(Stage(page)),
        **PHONE | {"viewport": size},
        locale=language,
    )
    next(screen for screen in SCREENS if screen.name == "hint").show(stages[0])
    expect(page.locator(".hint")).to_be_visible()
    expect(page.locator(".messages .message")).to_have_count(2)
    page.locator(".hint summary").tap()
    for card in page.locator(".own").all():
        box = card.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height
    page.locator(".messages button").scroll_into_view_if_needed()
    page.locator(".messages button").tap()
    assert stages[0].asked[-1]["do"] == "gone"


def test_whom_the_phone_trusts_is_said(links: list[str], visit: OpenPage) -> None:
    page = visit(links[0], **PHONE)
    page.get_by_text("On a phone").click()
    expect(page.get_by_text("The phone trusts this computer, which knows your cards")).to_be_visible()
    expect(page.locator(".panel .link")).to_have_text(links[0])
    expect(page.locator(".panel .qr")).to_be_visible()
