from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from node.errors import ProfileNotWritable, TableClosed
from node.seating.bot_seats import PAUSE_VARIABLE, BotSeats, bot_names, bot_pause
from node.seating.worker import SeatConfig
from tests.node.read_only import read_only_folder


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


# What a bot is, it stays


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[SeatConfig]:
    """The bots that were started, in no process."""
    configs: list[SeatConfig] = []

    class Recorded:
        def __init__(self, config: SeatConfig, _on_report: object) -> None:
            configs.append(config)

        def stop(self) -> None:
            """Nothing runs."""

    monkeypatch.setattr("node.seating.bot_seats.BotProcess", Recorded)
    return configs


def start(folder: Path, names: Sequence[str], *kinds: str | None) -> BotSeats:
    """One bot of each kind sits down at a table; the usual kind is medium."""

    async def scene() -> BotSeats:
        bots = BotSeats(folder, "medium", pause=0)
        for name, kind in zip(names, kinds, strict=True):
            bots.start([name], "Dacha", "12345678", ("127.0.0.1", 1), "127.0.0.1", kind)
        return bots

    return asyncio.run(scene())


def test_each_bot_may_be_of_another_kind(started: list[SeatConfig], tmp_path: Path) -> None:
    bots = start(tmp_path, ["Anna", "Boris", "Vera"], "hard", None, "easy")
    assert [one.play_as for one in started] == ["hard", "medium", "easy"]
    assert [one.wish for one in started] == ["1", "2", "3"]
    assert bots.kinds == {"Anna": "hard", "Boris": "medium", "Vera": "easy"}


def test_a_profile_stays_that_of_one_kind_of_bot(started: list[SeatConfig], tmp_path: Path) -> None:
    start(tmp_path, ["Anna", "Boris", "Vera"], "hard", "medium", "hard")
    start(tmp_path, ["Anna", "Boris", "Vera"], "medium", "easy", "hard")
    first, second = started[:3], started[3:]
    folders = [Path(one.profile).name for one in started]
    assert folders == ["1", "2", "3", "2", "4", "1"]
    assert {(one.profile, one.play_as) for one in first} > {
        (one.profile, one.play_as) for one in second if one.play_as != "easy"
    }
    assert [one.wish for one in second] == ["1", "2", "3"]


def test_who_goes_back_to_a_match_is_what_it_was(
    started: list[SeatConfig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path, ["Anna", "Boris"], "hard", "easy")
    old = tmp_path / "9"  # Of a release that did not keep what its bots are.
    old.mkdir()
    monkeypatch.setattr("node.seating.bot_seats.name_in_match", lambda folder, _match: folder.name)

    async def scene() -> None:
        bots = BotSeats(tmp_path, pause=0)
        bots.resume(b"m" * 32, "127.0.0.1")
        bots.bring_back(b"m" * 32, ("127.0.0.1", 1), b"h" * 32, "127.0.0.1")
        bots.resume(b"m" * 32, "127.0.0.1", "random")
        BotSeats(tmp_path, pause=0).resume(b"m" * 32, "127.0.0.1")

    asyncio.run(scene())
    kinds = [one.play_as for one in started[2:]]
    assert kinds == [*["hard", "easy", "medium"] * 2, *["random"] * 6]


def test_what_a_bot_is_that_cannot_be_kept_is_said(started: list[SeatConfig]) -> None:
    with read_only_folder() as folder, pytest.raises(ProfileNotWritable, match="cannot be used"):
        start(folder / "bots", ["Anna"], "hard")
    assert started == []
