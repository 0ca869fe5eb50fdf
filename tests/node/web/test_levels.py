"""How strong bots are: said when they are brought, each on its own, and shown while the table gathers."""

from __future__ import annotations

from pathlib import Path

import pytest

from node.loops import run
from node.seating.bot_seats import LEVELS, BotSeats
from node.seating.worker import SeatConfig
from tests.node.web.pages import open_page


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[SeatConfig]:
    """The bots that were brought; none of them comes."""
    configs: list[SeatConfig] = []
    monkeypatch.setattr(BotSeats, "_run", lambda _self, config: configs.append(config))
    return configs


@pytest.mark.parametrize("level", LEVELS)
def test_three_bots_of_a_level(level: str, started: list[SeatConfig], tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            assert await tab.ask("host", bots=3, level=level) is None
            await tab.until("gathering")

    run(scene())
    assert [one.play_as for one in started] == [level] * 3


def test_without_a_word_bots_are_medium(started: list[SeatConfig], tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            await tab.ask("host", bots=1)
            await tab.until("gathering")
            assert await tab.ask("bot") is None

    run(scene())
    assert [one.play_as for one in started] == ["medium", "medium"]


def test_each_seat_may_have_another_level(started: list[SeatConfig], tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            await tab.ask("host")
            await tab.until("gathering")
            for level in ("hard", "easy"):
                assert await tab.ask("bot", level=level) is None
            refused = await tab.ask("bot", level="divine")
            assert refused is not None
            assert "makes no sense (level)" in refused["words"]

    run(scene())
    assert [one.play_as for one in started] == ["hard", "easy"]
    assert len({one.profile for one in started}) == 2


def test_the_level_stands_beside_a_bot_that_has_come(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            await tab.ask("host")
            table = await tab.until("gathering")
            assert table["levels"] == [None] * 4
            await tab.ask("bot", level="medium")
            while (await tab.until("gathering"))["seats"][1] is None:
                await tab.next()
            assert tab.shown["gathering"]["seats"][:2] == ["Olga", "Anna"]
            assert tab.shown["gathering"]["levels"] == [None, "medium", None, None]

    run(scene())
