"""Hosts on a network of their own: Linux network namespaces joined by a bridge, which a test can disturb.

Each host has an address in 10.77.0.0/24 on its `eth0`, which is plugged into the port `p1`, `p2`, … of the
bridge. Nothing of it touches a real interface. Needs root, `ip` and `bridge` (iproute2) and `nft` (nftables).
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).parents[2]
_NUMBERS = itertools.count()
_KOZEL: Final = (sys.executable, "-u", "-m", "node.cli")


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


class Lan:
    """Hosts 1, 2, … on one bridge. A context manager, which ends its programs and deletes its namespaces."""

    def __init__(self, folder: Path, count: int = 4) -> None:
        """`folder` is where the hosts keep their profiles."""
        self.hosts = range(1, count + 1)
        self._folder = folder
        self._prefix = f"kozel{os.getpid()}x{next(_NUMBERS)}"
        self._programs: list[Program] = []

    def __enter__(self) -> Self:
        for tool in ("ip", "bridge", "nft"):
            assert shutil.which(tool), f"{tool} is missing: install iproute2 and nftables"
        _sweep()
        try:
            self._build()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for program in self._programs:
            program.kill()
        self._remove()

    def _build(self) -> None:
        switch = self._space("sw")
        _ip("netns", "add", switch)
        _ip("-n", switch, "link", "add", "br0", "type", "bridge", "forward_delay", "0", "mcast_snooping", "0")
        _ip("-n", switch, "link", "set", "br0", "up")
        for host in self.hosts:
            space, port = self._space(f"h{host}"), f"p{host}"
            _ip("netns", "add", space)
            _ip("-n", space, "link", "set", "lo", "up")
            _ip("link", "add", "eth0", "netns", space, "type", "veth", "peer", "name", port, "netns", switch)
            _ip("-n", switch, "link", "set", port, "master", "br0", "up")
            _ip("-n", space, "addr", "add", f"{address(host)}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")
            _ip("-n", space, "route", "add", "default", "dev", "eth0")

    def _remove(self) -> None:
        spaces = set(
            subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout.split()
        )
        for name in ("sw", *(f"h{host}" for host in self.hosts)):
            if self._space(name) in spaces:
                _ip("netns", "del", self._space(name))

    def _space(self, name: str) -> str:
        return f"{self._prefix}-{name}"

    # What the network does

    def disturb(self, *rules: str) -> None:
        """Put these rules, and no others, into the bridge's forward chain; none disturb nothing."""
        chain = ["type filter hook forward priority 0; policy accept;", *rules]
        lines = ["flush ruleset", "table bridge kozel {", "chain forward {", *chain, "}", "}", ""]
        self._on_switch("nft", "-f", "-", given="\n".join(lines))

    def cut(self, host: int) -> float:
        """Cut a host off both ways; the time at which that was done."""
        self.disturb(f'iifname "p{host}" drop', f'oifname "p{host}" drop')
        return time.monotonic()

    def heal(self) -> float:
        """End every disturbance; the time at which that was done."""
        self.disturb()
        return time.monotonic()

    def isolate(self) -> None:
        """Keep the hosts apart as access points do that isolate their clients."""
        for host in self.hosts:
            self._on_switch("bridge", "link", "set", "dev", f"p{host}", "isolated", "on")

    def _on_switch(self, *command: str, given: str = "") -> None:
        _run("ip", "netns", "exec", self._space("sw"), *command, given=given)

    # What the hosts do

    def home(self, host: int) -> Path:
        """The profile folder of a host."""
        return self._folder / f"home{host}"

    def start(self, host: int, *arguments: str, pause: float = 0.0) -> Program:
        """Start `kozel` with these arguments on a host; bots pause so many seconds before they play."""
        environment = {
            **os.environ,
            "KOZEL_HOME": str(self.home(host)),
            "KOZEL_BOT_PAUSE": str(pause),
            "NO_COLOR": "1",
            "COLUMNS": "200",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        process = subprocess.Popen(
            ["ip", "netns", "exec", self._space(f"h{host}"), *_KOZEL, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self._folder,
            env=environment,
            start_new_session=True,
        )
        program = Program(process, f"kozel {' '.join(arguments)} on host {host}")
        self._programs.append(program)
        return program

    def run(self, host: int, *arguments: str, timeout: float = 60.0) -> tuple[int, str]:
        """Run `kozel` on a host to its end: exit code and what it has said."""
        program = self.start(host, *arguments)
        code = program.finish(timeout)
        return code, program.text


def address(host: int) -> str:
    """The address of a host."""
    return f"10.77.0.{host}"


def _sweep() -> None:
    """Delete what was left by a run that was killed."""
    for space in _ip("netns").split():
        made_by = re.fullmatch(r"kozel(\d+)x\d+-\w+", space)
        if made_by and not Path("/proc", made_by[1]).exists():
            _ip("netns", "del", space)


def _ip(*arguments: str) -> str:
    return _run("ip", *arguments)


def _run(*command: str, given: str = "") -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr.strip()} (this needs root)"
    return done.stdout


def audited(lan: Lan, hosts: Sequence[int]) -> str:
    """Export the newest match of each host and audit all files; what the audit says."""
    files = []
    for host in hosts:
        files.append(str(lan.home(host) / "match.kozel"))
        code, said = lan.run(host, "export", "-o", files[-1])
        assert code == 0, said
    code, said = lan.run(hosts[0], "audit", *files)
    assert code == 0, said
    return said
