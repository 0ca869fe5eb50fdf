"""A `kozel` that a test has started: what it says, line by line, and what is typed to it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time


class Program:
    """A running `kozel`: its lines as they come, with the time of each, and its standard input."""

    def __init__(self, process: subprocess.Popen[bytes], name: str) -> None:
        self.name = name
        self.lines: list[tuple[float, str]] = []
        self._process = process
        self._news = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        rest = ""
        while chunk := os.read(self._process.stdout.fileno(), 4_096):
            *whole, rest = (rest + chunk.decode("utf-8", "replace")).split("\n")
            with self._news:
                self.lines += [(time.monotonic(), line) for line in whole]
                if rest.endswith((": ", ") ")):  # A question, after which no line ends.
                    self.lines.append((time.monotonic(), rest))
                    rest = ""
                self._news.notify_all()
        with self._news:
            self.lines.append((time.monotonic(), rest))
            self._ended = True
            self._news.notify_all()

    @property
    def text(self) -> str:
        """Everything that it has said."""
        return "\n".join(line for _, line in self.lines)

    def wait_for(self, pattern: str, timeout: float, *, after: int = 0) -> tuple[int, float, re.Match[str]]:
        """Wait for a line that matches, from line number `after` on: next line's number, time, match."""
        deadline = time.monotonic() + timeout
        with self._news:
            while True:
                for number in range(after, len(self.lines)):
                    at, line = self.lines[number]
                    if found := re.search(pattern, line):
                        return number + 1, at, found
                left = deadline - time.monotonic()
                assert left > 0 and not self._ended, f"{self.name} never said {pattern!r}:\n{self.text}"
                after = len(self.lines)
                self._news.wait(left)

    def type(self, line: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def finish(self, timeout: float) -> int:
        """Wait for the end; the exit code."""
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} did not end:\n{self.text}") from None
        self._reader.join()
        return code

    def kill(self) -> None:
        """End it, and whatever it has started."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
