"""What the page costs: ``python -m tests.benchmarks.bench_page``, best on a network of its own.

Two people with a page each and two bots, on one machine in real Chromium. Measured are the time from a click
to the frame in which the other's browser shows the cards that were played (nobody clicks while a finished
trick still lies on one of the tables to be looked at), the weight of the page and the time to its first
useful picture, frames that were late while tricks were swept from the table, and the processor time of a page
at which nothing happens.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from node.web.server import PAGE_FOLDER
from tests.browser.conftest import CHROMIUM, ROOT, SWITCHES
from tests.browser.playing import MINUTE, hand, needed

PLAYS = 60
_IDLE_SECONDS = 10
_LATE_MILLISECONDS = 25.0
"""More than a frame and a half at 60 frames a second."""

# Times are milliseconds since 1970, so that those of two pages of one machine can be compared.
_WATCH = """(place) => {
  window.kozelDrawn = [];
  const now = () => performance.timeOrigin + performance.now();
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => window.kozelDrawn.push(now())));
  const theirs = document.querySelector(`.played.place-${place}`);
  new MutationObserver(() => theirs.childElementCount > 0 && drawn()).observe(theirs, { childList: true });
  window.kozelClicked = 0;
  document.addEventListener('click', () => { window.kozelClicked = now(); }, true);
  window.kozelGaps = [];
  let last = 0;
  const frame = (at) => {
    const sweeping = document.querySelector('.ghost') !== null;
    if (sweeping && last > 0) window.kozelGaps.push(at - last);
    last = sweeping ? at : 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def main() -> None:
    """Print all figures."""
    weight = sum(file.stat().st_size for file in PAGE_FOLDER.iterdir())
    print(
        f"page                    {weight:,} bytes in {len(list(PAGE_FOLDER.iterdir()))} files, uncompressed"
    )
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        host, guest = (stack.enter_context(_player(browser, folder, name)) for name in ("Olga", "Vera"))
        print(f"first useful picture    {_first_picture(host):.0f} ms after the link was opened")
        _sit_down(host, guest)
        delays = _delays(host, guest)
        print(
            f"click to other's screen median {statistics.median(delays):.0f} ms,"
            f" p99 {sorted(delays)[int(len(delays) * 0.99)]:.0f} ms of {len(delays)} plays"
        )
        gaps = host.evaluate("window.kozelGaps")
        late = [gap for gap in gaps if gap > _LATE_MILLISECONDS]
        print(
            f"late frames of sweeps   {len(late)} of {len(gaps)} (longer than {_LATE_MILLISECONDS:.0f} ms),"
            f" the longest {max(gaps, default=0):.0f} ms"
        )
        print(f"idle page               {_idle(host):.2f} % of one core")
        browser.close()


@contextmanager
def _player(browser: Browser, folder: Path, name: str) -> Iterator[Page]:
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.serve", str(folder / name), name],
        cwd=ROOT,
        env={**os.environ, "KOZEL_BOT_PAUSE": "0.3"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert program.stdout is not None
    link = next(line.strip() for line in program.stdout if line.startswith("http"))
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
    page.goto(link)
    page.wait_for_selector(".hall")
    try:
        yield page
    finally:
        program.terminate()
        program.wait()


def _first_picture(page: Page) -> float:
    found = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return float(found)


def _sit_down(host: Page, guest: Page) -> None:
    host.get_by_role("button", name="Open the table").click()
    link = host.locator(".link").inner_text()
    guest.get_by_label("Address or link of the table").fill(link)
    guest.get_by_role("button", name="Join").click()
    expect(guest.locator(".seats")).to_be_visible(timeout=MINUTE)
    for free in (1, 0):
        host.get_by_role("button", name="A bot takes a seat").click()
        expect(host.locator(".seat.free")).to_have_count(free, timeout=MINUTE)
    host.get_by_role("button", name="Begin", exact=True).click()
    # The host sits in seat 0 and the guest in seat 1: the one on the right of the other, who is on its left.
    for page, place in ((host, 1), (guest, 3)):
        expect(page.locator(".own")).to_have_count(4, timeout=MINUTE)
        page.evaluate(_WATCH, place)


def _delays(host: Page, guest: Page) -> list[float]:
    """Milliseconds from each click of one person to the frame in which the other's page shows the cards."""
    delays: list[float] = []
    deadline = time.monotonic() + 300
    while len(delays) < PLAYS and time.monotonic() < deadline:
        for page, other in ((host, guest), (guest, host)):
            again = page.get_by_role("button", name="Another match")
            if again.count():
                again.click()
            acts = page.locator(".act:not(.claim)")
            if not acts.count() or not hand(page).count():
                continue
            for table in (page, other):
                table.wait_for_selector(".felt:not([data-resting])", state="attached", timeout=MINUTE)
            page.keyboard.press("Escape")
            for place in range(min(needed(page), hand(page).count())):
                hand(page).nth(place).click()
            ready = page.locator(".act.main")
            if not ready.count():
                continue
            other.evaluate("() => { window.kozelDrawn = []; }")
            ready.last.click()
            drawn = _first_drawn(other)
            if drawn is not None:
                delays.append(drawn - float(page.evaluate("window.kozelClicked")))
        time.sleep(0.05)
    return delays


def _first_drawn(page: Page) -> float | None:
    for _ in range(100):
        times = page.evaluate("window.kozelDrawn")
        if times:
            return float(times[0])
        time.sleep(0.01)
    return None


def _idle(page: Page) -> float:
    """The share of one core that the page's process takes while a play is waited for."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    # The measure of frames above keeps the page busy; a fresh page does nothing of the kind.
    page.reload()
    page.wait_for_selector(".table, .hall")
    time.sleep(2)
    before = busy()
    time.sleep(_IDLE_SECONDS)
    return (busy() - before) / _IDLE_SECONDS * 100


if __name__ == "__main__":
    main()
