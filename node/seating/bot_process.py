"""Starting bots in processes of their own, and listening to what they report."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from node.seating.worker import SeatConfig

__all__ = ["BotProcess"]

_STOP_SECONDS = 3.0


class BotProcess:
    """One running bot. Threads rather than asyncio, whose selector loop starts no processes on Windows."""

    def __init__(
        self, config: SeatConfig, on_report: Callable[[dict[str, Any]], None] = lambda _: None
    ) -> None:
        """Start the bot. `on_report` is called in another thread, at last with ``{"event": "ended"}``."""
        folder = Path(config.profile)
        folder.mkdir(parents=True, exist_ok=True)
        self.name = config.name
        self.errors = folder / "errors.txt"
        self._on_report = on_report
        with self.errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "node.seating.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
            )
        assert self._process.stdin is not None
        self._process.stdin.write(config.to_line())
        self._process.stdin.flush()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def stop(self) -> None:
        """End the bot: first by closing its input, then, if it does not listen, by force."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def wait(self, seconds: float) -> int | None:
        """Wait for the bot to end by itself; its exit code, or None when it goes on."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with contextlib.suppress(json.JSONDecodeError):
                self._on_report(json.loads(line))
        self._on_report({"event": "ended"})


class Reports:
    """Collects the reports of several bots into one queue."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[int, dict[str, Any]]] = queue.Queue()

    def of(self, number: int) -> Callable[[dict[str, Any]], None]:
        """The callback for bot `number`."""
        return lambda report: self._queue.put((number, report))

    def next(self, seconds: float) -> tuple[int, dict[str, Any]]:
        """The next report and whose it is; raises queue.Empty when none comes in time."""
        return self._queue.get(timeout=seconds)
