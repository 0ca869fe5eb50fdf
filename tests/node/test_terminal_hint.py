"""`hint` at the terminal: a sentence on one's own turn, and nothing once the table has changed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from engine import Play, Seat, State
from node.bots.advice import Considered
from node.terminal.inbox import Inbox
from node.terminal.person import Person
from tests.node.terminal_tables import Felt, Paper, dealt

PROMPT = "Your choice (a number, or help): "


class Scene:
    """A person at a table whose hints wait for `ready`."""

    def __init__(self, felt: Felt) -> None:
        self.felt = felt
        self.inbox = Inbox()
        self.paper = Paper()
        self.begun = threading.Event()
        self.ready = threading.Event()
        live: Any = felt
        person = Person(self.paper.screen, self.inbox, consider=self.consider)
        self.task = asyncio.create_task(person.play(live))

    def consider(self, _view: State, _seat: Seat, legal: Sequence[Play]) -> Sequence[Considered]:
        self.begun.set()
        assert self.ready.wait(30)
        return [Considered(play, 0.0, 0.0, 60.0 - 9 * place, 0.7, 100) for place, play in enumerate(legal)]

    async def settled(self) -> None:
        """Everything that waits for no thread has been done."""
        for _ in range(30):
            await asyncio.sleep(0)

    async def type(self, line: str) -> None:
        self.inbox.put_line(line)
        await self.settled()

    async def thought(self) -> None:
        """Let the thread end, and the answer come."""
        self.ready.set()
        await asyncio.wait([one for one in asyncio.all_tasks() if "_hint" in str(one.get_coro())])
        await self.settled()


def at(felt: Felt, act: Callable[[Scene], Awaitable[None]]) -> None:
    async def scene() -> None:
        opened = Scene(felt)
        await opened.settled()
        try:
            await act(opened)
        finally:
            opened.ready.set()
            opened.task.cancel()
            await asyncio.gather(opened.task, return_exceptions=True)

    asyncio.run(scene())


def test_the_best_play_is_said_with_a_reason_and_asked_for_again() -> None:
    async def act(scene: Scene) -> None:
        await scene.type("hint")
        await scene.thought()
        *_, sentence, rest = scene.paper.text.split(PROMPT)
        assert " ".join(sentence.split()).startswith(
            "Lead 9♣: your side takes this trick in about 70 of 100 likely deals whatever you play"
        )
        assert rest == ""
        assert scene.felt.played == []

    at(Felt(dealt()), act)


def test_the_table_answers_while_a_hint_is_thought_out() -> None:
    async def act(scene: Scene) -> None:
        await scene.type("hint")
        await asyncio.to_thread(scene.begun.wait)
        await scene.type("hand")
        assert "Your hand:" in scene.paper.text.split(PROMPT)[-2]
        await scene.type("hint")
        assert "The hint is being thought out already." in scene.paper.text
        await scene.type("lead As")
        assert [str(card) for play in scene.felt.played for card in play.cards or ()] == ["As"]
        before = scene.paper.text
        await scene.thought()
        assert scene.paper.text == before

    at(Felt(dealt()), act)


def test_a_hint_is_for_ones_own_turn() -> None:
    async def act(scene: Scene) -> None:
        await scene.type("hint")
        assert "There is nothing to choose now: it is not your turn." in scene.paper.text
        assert not scene.begun.is_set()

    at(Felt(dealt(), seat=1), act)
