"""Pictures of the main screens in every language: ``python -m tests.browser.pictures FOLDER``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import CHROMIUM, ROOT, SWITCHES
from tests.browser.screens import SCREENS, Screen
from tests.browser.staged import Stage

SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
LANGUAGES = ("en", "ru", "ar")


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.serve", profile, "Olga"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        try:
            assert program.stdout is not None
            link = next(line.strip() for line in program.stdout if line.startswith("http"))
            for screen in SCREENS:
                for language in LANGUAGES:
                    for size in SIZES:
                        take(browser, link, screen, language, size, folder)
            for screen in SCREENS:
                if screen.name in ("table", "watching"):
                    take(browser, link, screen, "ru", "desktop", folder, dark=True)
        finally:
            browser.close()
            program.terminate()
            program.wait()


def take(
    browser: Browser,
    link: str,
    screen: Screen,
    language: str,
    size: str,
    folder: Path,
    *,
    dark: bool = False,
) -> None:
    """Take one picture."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        reduced_motion="reduce",
        color_scheme="dark" if dark else "light",
    )
    page = context.new_page()
    stage = Stage(page)
    page.goto(link)
    screen.show(stage)
    expect(page.locator(screen.ready).first).to_be_visible()
    name = f"{screen.name}-{language}-{size}{'-dark' if dark else ''}.png"
    page.screenshot(path=folder / name)
    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
