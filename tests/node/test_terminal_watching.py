"""`kozel watch`: a match told in the terminal to somebody who has no seat at it."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from node.errors import WrongCode
from node.lobby.table_link import TableLink
from node.loops import run
from node.network.addresses import LOOPBACK
from node.seating.door import Watching
from node.terminal import watching
from node.terminal.screen import Screen
from node.terminal.watching import WatchSettings, watch
from protocol.audit import Finding, audit_log
from protocol.spectator import Showcase, Spectator
from tests.node.gathered import CODE, TABLE_ID
from tests.node.test_watching import scene
from tests.protocol.cheats import told_twice
from tests.protocol.matches import rich


def screen_on(printed: io.StringIO) -> Screen:
    return Screen(Console(file=printed, width=100), echoed=False)


def test_a_match_is_told_checked_and_kept(tmp_path: Path) -> None:
    printed = io.StringIO()

    async def play() -> int:
        came = asyncio.Event()
        async with scene(tmp_path, Watching(changed=lambda _name, _here: came.set())) as table:
            link = TableLink((LOOPBACK,), table.lobby.port, TABLE_ID, CODE)
            settings = WatchSettings(link=link, name="Olga", output=tmp_path / "seen")
            seeing = asyncio.create_task(watch(settings, screen_on(printed)))
            await came.wait()
            await table.play()
            assert table.nodes[0].gallery is not None
            await table.nodes[0].gallery.close()
            return await seeing

    assert run(play()) == 0
    text = printed.getvalue()
    for expected in (
        "You watch the table “Dacha”, host Anna.",
        "Anna and Vera play against Boris and Gleb.",
        "--- Deal 1: ",
        "--- Deal 1 is over ---",
        "Checked so far: ",
        "=== The match is over ===",
        " are the goat",
        "The host has closed the table.",
    ):
        assert expected in text
    assert "You" not in text.replace("You watch", "").replace("You see", "")
    (file,) = (tmp_path / "seen").iterdir()
    with file.open("rb") as stream:
        assert audit_log(stream).finding is Finding.FAIR


def test_a_wrong_code_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    async def play() -> None:
        async with scene(tmp_path, Watching()) as table:
            link = TableLink((LOOPBACK,), table.lobby.port, TABLE_ID, "00000000")
            await watch(WatchSettings(link=link, output=tmp_path / "seen"), screen_on(io.StringIO()))

    with pytest.raises(WrongCode):
        run(play())
    assert not (tmp_path / "seen").exists()


def test_a_cheat_is_told_with_the_proof() -> None:
    match = rich()
    count, honest, twin = told_twice(match)
    showcase, seen = Showcase(match.setup.genesis), Spectator(match.setup.genesis)
    for frame in showcase.show([*(event.signed for event in match.events[: count + 1]), twin.signed]):
        seen.receive(frame)
    printed = io.StringIO()
    watcher: Any = SimpleNamespace(match=seen, host_is_gone=False)
    run(watching._follow(watcher, seen, screen_on(printed)))
    assert "a cheat is proven" in printed.getvalue()
    assert f"Player {honest.author}'s computer told different players different things" in printed.getvalue()
    assert "All is right" not in printed.getvalue().rpartition("a cheat is proven")[2]
