"""Real Chromium before real nodes: each player is a program of its own, each page a browser context."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

CHROMIUM = os.environ.get("KOZEL_CHROMIUM", "/usr/bin/chromium")
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ROOT = Path(__file__).parents[2]

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Start a player's program; returns the link of its page."""
    with contextlib.ExitStack() as stack:

        def start(name: str, pause: float = 0.0) -> str:
            environment = {**os.environ, "KOZEL_BOT_PAUSE": str(pause), "PYTHONUNBUFFERED": "1"}
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.browser.serve", str(tmp_path / name), name],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
            stack.callback(_end, process)
            assert process.stdout is not None
            link = next((line.strip() for line in process.stdout if line.startswith("http")), None)
            assert link is not None, "the program has ended without a link"
            return link

        yield start


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait(20)
    if process.stdout is not None:
        process.stdout.close()


@pytest.fixture
def visit(chromium: Browser) -> Iterator[OpenPage]:
    """Open a link in a context of its own; what a page must never do is an error at the end of the test."""
    contexts = []
    complaints: list[str] = []

    def open_page(link: str, *, prepare: Callable[[Page], object] | None = None, **options: Any) -> Page:
        usual: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US"}
        context = chromium.new_context(**{**usual, **options})
        contexts.append(context)
        page = context.new_page()
        origin = "/".join(link.split("/")[:3])

        def hear(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                complaints.append(message.text)

        def look(request: Request) -> None:
            if not request.url.startswith(origin):
                complaints.append(request.url)

        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", look)
        if prepare is not None:
            prepare(page)
        page.goto(link)
        if prepare is None:
            page.wait_for_selector(".hall, .gathering, .table")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
