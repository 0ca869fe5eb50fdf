from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from node.errors import TableClosed
from node.seating.bot_seats import PAUSE_VARIABLE, BotSeats, bot_names, bot_pause


def test_bots_take_names_that_nobody_has() -> None:
    assert bot_names(3, ["Olga"]) == ["Anna", "Boris", "Vera"]
    names = bot_names(3, ["anna", "VERA", "Olga"])
    assert len(set(names)) == 3
    assert not {"anna", "vera"} & {name.casefold() for name in names}


def test_bots_pause_only_where_people_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PAUSE_VARIABLE, raising=False)
    assert bot_pause(beside_people=True) > 0
    assert bot_pause(beside_people=False) == 0


@pytest.mark.parametrize(
    ("text", "pause"), [("0.25", 0.25), ("-3", 0.0), ("1e9", 60.0), ("nan", 0.0), ("inf", 60.0)]
)
def test_the_pause_can_be_set_and_stays_within_reason(
    monkeypatch: pytest.MonkeyPatch, text: str, pause: float
) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, text)
    assert bot_pause(beside_people=True) == pause


def test_words_for_a_pause_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "slowly")
    assert bot_pause(beside_people=False) == 0


def test_work_without_bots_is_just_done(tmp_path: Path) -> None:
    async def work() -> str:
        return "done"

    async def scene() -> str:
        with BotSeats(tmp_path, "medium", pause=0) as bots:
            return await bots.beside(work())

    assert asyncio.run(scene()) == "done"


def test_a_bot_that_cannot_play_ends_the_wait_with_a_reason(tmp_path: Path) -> None:
    ended = []

    async def wait_for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def scene() -> None:
        with BotSeats(tmp_path, "medium", pause=0) as bots:
            # Nobody listens at this port: it is in the range that is never handed out.
            bots.start(["Anna"], "table", "12345678", ("127.0.0.1", 1), "127.0.0.1")
            with pytest.raises(TableClosed, match="Anna, a bot, cannot play: Nobody answers at "):
                await bots.beside(wait_for_ever())

    asyncio.run(scene())
    assert ended == [True]
