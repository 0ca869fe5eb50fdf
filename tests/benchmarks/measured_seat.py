"""One seat of the table benchmark, in a process of its own: a bot that notes when it acts and when it sees.

Reads a :class:`node.seating.worker.SeatConfig` from standard input like any bot. At the end it prints one
JSON object: ``played`` and ``seen`` map a play's place in the match to a system-wide monotonic time in
seconds, ``waits`` are the seconds from the end of each deal to the sight of the next hand.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from pathlib import Path

from engine import Lead, Molodka, Phase, Play
from engine.actions import Beat, Discard
from node.bots import make_bot
from node.live import LiveTable
from node.loops import run
from node.node import Node
from node.seating.evening import Observer, play_matches
from node.seating.players import BotPlayer
from node.seating.worker import SeatConfig, _join, _open
from node.storage.profile import Profile

_PLAYS = (Lead, Molodka, Beat, Discard)


class Notes(Observer):
    """Watches a live table and notes times."""

    def __init__(self) -> None:
        self.played: dict[str, float] = {}
        self.seen: dict[str, float] = {}
        self.waits: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []

    def match_begun(self, live: LiveTable) -> None:
        self._tasks = [
            asyncio.create_task(self._note_plays(live)),
            asyncio.create_task(self._note_waits(live)),
        ]

    async def _note_plays(self, live: LiveTable) -> None:
        done = 0
        while not live.table.finished:
            await live.next_change()
            now, steps = time.monotonic(), live.table.match.steps
            for step in steps[done:]:
                if isinstance(step.action, _PLAYS):
                    place = f"{step.deal}/{step.trick}/{step.action.seat}"
                    if step.action.seat != live.seat:
                        self.seen.setdefault(place, now)
            done = len(steps)

    async def _note_waits(self, live: LiveTable) -> None:
        tricks_end = None
        while not live.table.finished:
            await live.next_change()
            state = live.state
            if state.phase in (Phase.OPENING, Phase.DEAL_OVER) and tricks_end is None:
                tricks_end = time.monotonic()
            elif state.phase is Phase.PLAYING and tricks_end is not None:
                self.waits.append(time.monotonic() - tricks_end)
                tricks_end = None


class MeasuredBot(BotPlayer):
    """Notes the moment before each of its plays."""

    notes: Notes

    def _move(self, live: LiveTable, play: Play) -> None:
        deal, trick = live.table.match.current_number, len(live.table.match.current.tricks) - 1
        self.notes.played.setdefault(f"{deal}/{trick}/{live.seat}", time.monotonic())
        super()._move(live, play)


async def _measure(config: SeatConfig, profile: Profile, notes: Notes) -> None:
    bot = MeasuredBot(make_bot(config.play_as, random.Random(config.seed)), pause=config.pause, matches=1)
    bot.notes = notes
    async with Node(profile, host=config.listen, seed=None) as node:
        seat, first = await (_open(node, config) if config.host else _join(node, config))
        await play_matches(node, seat, bot, first, notes)


def main() -> None:
    config = SeatConfig.from_line(sys.stdin.readline())
    notes = Notes()
    with Profile.open(Path(config.profile), name=config.name) as profile:
        run(_measure(config, profile, notes))
    print(json.dumps({"played": notes.played, "seen": notes.seen, "waits": notes.waits}), flush=True)


if __name__ == "__main__":
    main()
