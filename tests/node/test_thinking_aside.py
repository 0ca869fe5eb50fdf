"""While a bot thinks, its node goes on: messages are heard, and others may play.

Each bot here thinks until the event loop tells it to stop. Were the loop waiting for the bot, nobody would.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import Lead, Molodka, Play, Seat, State, turn
from node.bots import Bot
from node.errors import BotFailed
from node.loops import run
from node.seating.players import BotPlayer, chosen_by
from tests.node.gathered import four_seated
from tests.node.odd_bots import Inventing, Raising
from tests.node.terminal_tables import Felt, dealt

PATIENCE = 30.0
"""Seconds after which a bot that nobody releases gives up, so that a failing test ends."""


class Pondering(Bot):
    """Plays the first legal play once the loop has released it."""

    def __init__(self) -> None:
        super().__init__(random.Random(1))
        self.released = threading.Event()
        self.asked = asyncio.Event()
        self.legal: list[Sequence[Play]] = []
        self.threads: list[threading.Thread] = []
        self._loop = asyncio.get_running_loop()

    def choose(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Play:
        self.legal.append(legal)
        self.threads.append(threading.current_thread())
        self._loop.call_soon_threadsafe(self.asked.set)
        assert self.released.wait(PATIENCE), "the event loop waits for the bot"
        return legal[0]


def felt(seat: Seat = 0) -> tuple[Felt, Any]:
    """A table in a first trick that seat 0 leads; seats 2 and 3 have four of a suit."""
    stand_in = Felt(dealt(), seat)
    return stand_in, stand_in


def test_the_loop_runs_while_a_bot_thinks() -> None:
    async def scene() -> None:
        _, live = felt()
        bot = Pondering()

        async def release() -> None:
            await bot.asked.wait()
            bot.released.set()

        play, _ = await asyncio.gather(chosen_by(bot, live), release())
        assert play in live.legal()
        assert bot.threads != [threading.main_thread()]

    asyncio.run(scene())


def test_a_bot_thinks_about_what_it_was_asked_though_the_table_goes_on_before_it_begins() -> None:
    async def scene() -> None:
        stand_in, live = felt()
        bot, legal = Pondering(), live.legal()
        bot.released.set()
        thinking = chosen_by(bot, live)
        stand_in.legal = list  # type: ignore[method-assign]
        assert live.legal() == []
        assert await thinking in legal

    asyncio.run(scene())


def test_a_bot_that_fails_aside_fails_here() -> None:
    for bot in (Raising(random.Random(1)), Inventing(random.Random(1))):
        _, live = felt()
        with pytest.raises(BotFailed):
            asyncio.run(chosen_by(bot, live))


def test_two_bots_think_at_the_same_time() -> None:
    """As hints and bots in one process do."""

    async def scene() -> None:
        bots = [Pondering(), Pondering()]
        thoughts = [asyncio.create_task(chosen_by(bot, felt()[1])) for bot in bots]
        for bot in bots:
            await bot.asked.wait()
        for bot in reversed(bots):
            bot.released.set()
        first, second = await asyncio.gather(*thoughts)
        assert first == second
        assert bots[0].threads != bots[1].threads

    asyncio.run(scene())


def test_what_was_thought_out_is_played() -> None:
    async def scene() -> None:
        table, live = felt()
        bot = Pondering()
        playing = asyncio.create_task(BotPlayer(bot).play(live))
        await bot.asked.wait()
        assert table.played == []
        bot.released.set()
        while not table.played:
            await table.next_change()
        table.end()
        await playing
        assert table.played == [bot.legal[0][0]]

    asyncio.run(scene())


def test_a_claim_meanwhile_makes_the_choice_worthless_and_the_bot_thinks_again() -> None:
    """R14: what seat 0 wanted to lead cannot be led any more; it must answer the molodka."""

    async def scene() -> None:
        table, live = felt()
        bot = Pondering()
        playing = asyncio.create_task(BotPlayer(bot).play(live))
        await bot.asked.wait()
        table.happen("molodka 3 6s7s8sTs")
        bot.released.set()
        while not table.played:
            await table.next_change()
        table.end()
        await playing
        first, second = bot.legal
        assert all(isinstance(play, Lead) for play in first)
        assert table.played == [second[0]]
        assert table.played[0] not in first
        assert table.full.trick is not None
        assert table.full.trick.effective is not None
        assert isinstance(table.full.trick.effective.opening, Molodka)

    asyncio.run(scene())


def test_nothing_is_played_at_a_table_that_ended_meanwhile() -> None:
    async def scene() -> None:
        table, live = felt()
        bot = Pondering()
        playing = asyncio.create_task(BotPlayer(bot).play(live))
        await bot.asked.wait()
        table.ready = False
        table.end()
        bot.released.set()
        await playing
        assert table.played == []

    asyncio.run(scene())


def test_a_real_node_hears_the_others_while_its_bot_thinks(tmp_path: Path) -> None:
    async def scene() -> None:
        async with four_seated(tmp_path) as (_, _, _, lives):
            for live in lives:
                await live.until(lambda live=live: turn(live.state) is not None)  # type: ignore[misc]
            (leader,) = (live for live in lives if turn(live.state) == live.seat)
            await leader.until(lambda: bool(leader.legal()))
            bot = Pondering()
            playing = asyncio.create_task(BotPlayer(bot).play(leader))
            await bot.asked.wait()
            for other in lives:
                if other is not leader:
                    other.tick()
                    await leader.next_change()  # It has taken in what the other said.
            assert leader.state.trick is not None
            assert not leader.state.trick.branches
            bot.released.set()
            for live in lives:
                await live.until(lambda live=live: bool(live.state.trick.branches))  # type: ignore[misc]
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            led = [live.state.trick.branches[0].opening for live in lives if live.state.trick is not None]
            assert led == [bot.legal[0][0]] * 4

    run(scene())
