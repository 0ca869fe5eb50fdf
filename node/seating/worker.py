"""A seat that is filled by a bot: a node in a process of its own, started by another program.

``python -m node.seating.worker`` reads one line of JSON, a :class:`SeatConfig`, from standard input, reports
on standard output, one JSON object a line, and ends when standard input is closed: a bot does not
outlive the program that started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import sys
import threading
import time
from collections.abc import Coroutine
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.options import Options
from node.bots import make_bot
from node.errors import DiscoveryUnavailable, NodeError, TableNotFound
from node.live import LiveTable
from node.loops import run
from node.node import Node
from node.seating.door import Way, join_by, join_table, open_lobby
from node.seating.evening import Observer, Seat, play_matches
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.players import BotPlayer
from node.seating.returning import ReturnedSeat, last_place, match_to_resume
from node.storage.exporting import export_match
from node.storage.profile import Profile

__all__ = ["SeatConfig", "main"]


@dataclass(frozen=True, slots=True)
class SeatConfig:
    """Everything that a bot's process needs to know.

    `host` opens the table `table` with the id `table_id` (32 hex digits), otherwise it is joined: found
    by its id on `interfaces`, or, where that fails, at `address`. `seed` (hex) makes keys, cards and
    choices repeatable; `matches` None plays as long as the others do; `pause` is a time before each
    play in seconds; `out` is the folder for logs.
    `resume` names a match (hex) to go back to instead. `host_key` (64 hex digits) is the identity of a
    host at `address` who knows this seat's, so that no code is needed.
    """

    profile: str
    name: str
    play_as: str
    table: str
    table_id: str
    code: str
    host: bool = False
    address: tuple[str, int] | None = None
    listen: str = "*"
    interfaces: tuple[str, ...] | None = None
    wish: str = ""
    seed: str | None = None
    matches: int | None = None
    resume: str | None = None
    host_key: str | None = None
    pause: float = 0.0
    out: str | None = None

    def to_line(self) -> str:
        """The line of JSON that the process reads."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_line(cls, line: str) -> SeatConfig:
        """Read such a line."""
        fields = json.loads(line)
        for name in ("address", "interfaces"):
            fields[name] = fields[name] and tuple(fields[name])
        return cls(**fields)


class _Reporter(Observer):
    """Writes what happens as lines of JSON."""

    def __init__(self, config: SeatConfig, node: Node) -> None:
        self._config = config
        self._node = node
        self._deals: set[asyncio.Task[None]] = set()

    def match_begun(self, live: LiveTable) -> None:
        report("begun", match_id=live.table.match_id.hex(), players=list(live.names))
        task = asyncio.create_task(self._follow(live))
        self._deals.add(task)
        task.add_done_callback(self._deals.discard)

    def match_over(self, live: LiveTable) -> None:
        state, verdict = live.table.match.state, live.table.verdict
        report(
            "over",
            match_id=live.table.match_id.hex(),
            score=list(state.score),
            goat=state.goat,
            deals=len(state.results),
            fault=verdict and verdict.fault,
            file=self._export(live),
        )

    def _export(self, live: LiveTable) -> str | None:
        stored = self._node.store.match(live.table.match_id)
        if self._config.out is None or stored is None:
            return None
        return str(export_match(self._node.store, stored, Path(self._config.out)))

    async def _follow(self, live: LiveTable) -> None:
        """Report the first hand, and each deal as it ends."""
        await live.until(lambda: bool(live.state.hands[live.seat].known))
        report("dealt")
        results = live.table.match.finished
        done = 0
        while not live.table.finished:
            await live.next_change()
            for deal in results[done:]:
                report(
                    "deal",
                    **{key: deal[key] for key in ("number", "points", "tricks_taken", "defeat_points")},
                )
            done = len(results)


def report(event: str, **fields: Any) -> None:
    """Write one line for the program that started this one; `at` is a monotonic time in seconds."""
    print(json.dumps({"event": event, "at": time.monotonic(), **fields}), flush=True)


async def play_seat(config: SeatConfig, profile: Profile) -> None:
    """Open or join the table, and play it to its end."""
    seed = bytes.fromhex(config.seed) if config.seed else None
    rng = random.Random(seed) if seed else random.SystemRandom()
    player = BotPlayer(make_bot(config.play_as, rng), pause=config.pause, matches=config.matches)
    _, port = last_place(profile, config.resume) if config.resume else ("", 0)
    async with Node(profile, host=config.listen, port=port, seed=seed) as node:
        seat, first = await _take_seat(node, config)
        await play_matches(node, seat, player, first, _Reporter(config, node))


async def _take_seat(node: Node, config: SeatConfig) -> tuple[Seat, LiveTable]:
    if config.resume is not None:
        return ReturnedSeat(), node.resume(match_to_resume(node.store, config.resume))
    return await (_open(node, config) if config.host else _join(node, config))


async def _open(node: Node, config: SeatConfig) -> tuple[Host, LiveTable]:
    host = Host(
        node, bytes.fromhex(config.table_id), config.table, Options(), for_show=config.seed is not None
    )
    lobby = open_lobby(node, host, listen=config.listen, code=config.code, interfaces=config.interfaces)
    async with lobby as opened:
        report("open", port=opened.port, announced=opened.announced)
        return host, await node.guard(host.next_match())


async def _join(node: Node, config: SeatConfig) -> tuple[Guest, LiveTable]:
    guest = None
    if config.interfaces is not None:
        try:
            guest = await join_table(
                node, config.code, table=config.table_id, interfaces=config.interfaces, wish=config.wish
            )
        except (DiscoveryUnavailable, TableNotFound) as error:
            if config.address is None:
                raise
            report("not-found", reason=error.code)
    how = "discovery" if guest else "address"
    if guest is None and config.host_key is not None and config.address is not None:
        way = Way((config.address,), host=bytes.fromhex(config.host_key))
        guest, _ = await join_by(node, way, None, wish=config.wish)
    if guest is None:
        guest = await join_table(node, config.code, address=config.address, wish=config.wish)
    report("joined", how=how)
    return guest, await node.guard(guest.next_match())


def main() -> int:
    """Run one seat as standard input says; the exit code is 0 when its matches were played."""
    config = SeatConfig.from_line(sys.stdin.readline())
    try:
        with _profile(config) as profile:
            run(_until_orphaned(play_seat(config, profile), sys.stdin.fileno()))
    except NodeError as error:
        report("failed", code=error.code, reason=str(error))
        return 1
    except asyncio.CancelledError:
        return 0
    return 0


def _profile(config: SeatConfig) -> Profile:
    path = Path(config.profile)
    if config.seed is None:
        return Profile.open(path, name=config.name)
    return Profile.from_seed(path, config.name, bytes.fromhex(config.seed))


async def _until_orphaned(work: Coroutine[Any, Any, None], stdin: int) -> None:
    """Do the work, but stop when the starting program has gone: its end of standard input closes."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)

    def watch() -> None:
        # Not through sys.stdin, whose lock a blocked thread would hold while the program ends.
        while os.read(stdin, 1):
            pass
        with contextlib.suppress(RuntimeError):  # The loop has ended by itself.
            loop.call_soon_threadsafe(task.cancel)

    threading.Thread(target=watch, daemon=True).start()
    await task


if __name__ == "__main__":
    sys.exit(main())
