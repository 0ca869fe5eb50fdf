"""Closing that is cancelled in its middle goes on to its end, for open sockets would block the program."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from node.loops import run, to_the_end
from node.network.addresses import LOOPBACK
from node.node import Node
from node.storage.profile import Profile


def test_work_that_is_cancelled_goes_on_and_then_the_cancellation_does() -> None:
    done: list[str] = []

    async def play() -> None:
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            begun.set()
            await may_end.wait()
            done.append("work")

        outer = asyncio.create_task(to_the_end(work()))
        await begun.wait()
        for _ in range(2):
            outer.cancel()
            await asyncio.sleep(0)
        assert not outer.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await outer

    run(play())
    assert done == ["work"]


def test_what_goes_wrong_is_passed_on() -> None:
    async def work() -> None:
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        run(to_the_end(work()))


def test_a_node_whose_closing_is_cancelled_closes_its_sockets(tmp_path: Path) -> None:
    async def play() -> None:
        with Profile.open(tmp_path, name="Anna") as profile:
            node, goodbye = Node(profile, host=LOOPBACK), asyncio.Event()

            async def visit() -> None:
                async with node:
                    node.run_errand(errand())

            async def errand() -> None:
                goodbye.set()
                await asyncio.sleep(0)

            visiting = asyncio.create_task(visit())
            await goodbye.wait()
            visiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await visiting
            assert node.link._context is not None
            assert node.link._context.closed

    run(play())
