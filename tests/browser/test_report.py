"""The document about an audit in Chromium: it fits, everybody can read it, and it asks nobody anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from node.auditing.html import html_report
from node.i18n import speaking
from tests.browser.test_accessible import faults
from tests.node.documents import HOSTILE, Audited, renamed

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]

NAMES = ("Anna", "\u0411\u043e\u0440\u0438\u0441", "\u0641\u0627\u0637\u0645\u0629", "Vera")


@pytest.fixture(scope="module")
def axe() -> str:
    file = os.environ.get("KOZEL_AXE")
    assert file, "set KOZEL_AXE to the path of axe.min.js: npm install axe-core"
    return Path(file).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report_of(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return Audited(tmp_path_factory.mktemp("audited"))


@pytest.fixture
def opened(chromium: Browser, report_of: Audited, tmp_path: Path) -> Iterator[Opened]:
    """Open the document about a log; what it must never do is an error at the end of the test."""
    contexts = []
    complaints: list[str] = []

    def look(request: Request) -> None:
        if request.url != (tmp_path / "report.html").as_uri():
            complaints.append(request.url)

    def open_document(
        harm: str, language: str, width: int, names: tuple[str, ...] = NAMES, **options: Any
    ) -> Page:
        report = report_of(harm)
        if report.match is not None:
            report = renamed(report, names)
        with speaking(language):
            document = html_report([report])
        file = tmp_path / "report.html"
        file.write_text(document, encoding="utf-8")
        context = chromium.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", look)
        page.goto(file.as_uri())
        return page

    yield open_document
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("harm", ["fair", "cheat", "hole", "foreign"])
def test_no_serious_fault(harm: str, language: str, look: str, opened: Opened, axe: str) -> None:
    page = opened(harm, language, 1200, color_scheme=look)
    assert faults(page, axe) == []


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("language", ["en", "ru", "ar"])
@pytest.mark.parametrize("names", [NAMES, HOSTILE], ids=["usual", "hostile"])
def test_the_page_is_never_wider_than_the_window(
    names: tuple[str, ...], language: str, width: int, opened: Opened
) -> None:
    page = opened("fair", language, width, names)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cut = page.evaluate(
        """() => [...document.querySelectorAll("table, svg, .card, p, h2")]
            .filter((one) => one.getBoundingClientRect().right > innerWidth + 1
                || one.getBoundingClientRect().left < -1)
            .map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert cut == []


def test_it_can_be_read_without_any_script(chromium: Browser, opened: Opened) -> None:
    page = opened("fair", "en", 1200)
    context = chromium.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(page.url)
    assert still.locator("body").inner_text() == page.locator("body").inner_text()
    context.close()


def test_on_paper_each_deal_begins_a_page_black_on_white(opened: Opened) -> None:
    page = opened("fair", "en", 1200, color_scheme="dark")
    page.emulate_media(media="print")
    breaks, ink, paper = page.evaluate(
        """() => [
            [...document.querySelectorAll("section.deal")].map((one) => getComputedStyle(one).breakBefore),
            [...document.querySelectorAll(".card, .outcome")].map((one) => getComputedStyle(one).color),
            getComputedStyle(document.body).backgroundColor,
        ]"""
    )
    assert breaks
    assert set(breaks) == {"page"}
    assert set(ink) == {"rgb(0, 0, 0)"}
    assert paper == "rgb(255, 255, 255)"
    assert page.pdf(format="A4").startswith(b"%PDF")
