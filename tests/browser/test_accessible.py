"""axe-core finds no serious fault on the main screens. `KOZEL_AXE` names its file (npm package axe-core)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.screens import SCREENS, Screen
from tests.browser.staged import Stage

pytestmark = pytest.mark.browser

Serve = Callable[..., str]


@pytest.fixture(scope="module")
def axe() -> str:
    file = os.environ.get("KOZEL_AXE")
    assert file, "set KOZEL_AXE to the path of axe.min.js: npm install axe-core"
    return Path(file).read_text(encoding="utf-8")


def faults(page: Page, axe: str) -> list[str]:
    """What axe calls serious or critical, with the places."""
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document)")
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("look", ["light", "dark", "high"])
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
@pytest.mark.parametrize("language", ["en", "ar"])
def test_no_serious_fault(
    screen: Screen, look: str, language: str, serve: Serve, visit: OpenPage, axe: str
) -> None:
    stages: list[Stage] = []
    page = visit(
        serve("Olga"),
        prepare=lambda page: stages.append(Stage(page)),
        locale=language,
        reduced_motion="reduce",
        color_scheme="dark" if look == "dark" else "light",
    )
    screen.show(stages[0])
    expect(page.locator(screen.ready).first).to_be_visible()
    if look == "high":
        page.evaluate("document.documentElement.dataset.contrast = 'high'")
    assert faults(page, axe) == []
