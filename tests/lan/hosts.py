"""Hosts on a network of their own: Linux network namespaces joined by a bridge, which a test can disturb.

Each host has an address in 10.77.0.0/24 on its `eth0`, which is plugged into the port `p1`, `p2`, … of the
bridge. Nothing of it touches a real interface. Needs root, `ip` and `bridge` (iproute2) and `nft` (nftables).
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.lan.program import Program

ROOT: Final = Path(__file__).parents[2]
_NUMBERS = itertools.count()
_KOZEL: Final = (sys.executable, "-u", "-m", "node.cli")


class Lan:
    """Hosts 1, 2, … on one bridge. A context manager, which ends its programs and deletes its namespaces."""

    def __init__(self, folder: Path, count: int = 4) -> None:
        """`folder` is where the hosts keep their profiles."""
        self.hosts = range(1, count + 1)
        self._folder = folder
        self._prefix = f"kozel{os.getpid()}x{next(_NUMBERS)}"
        self._programs: list[tuple[int, Program]] = []

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
        for _, program in self._programs:
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

    def keep_clients_apart(self, *rules: str, gateway: int) -> None:
        """As :meth:`isolate`, but all reach one host; `rules` go first and may let more through."""
        ports = [f'"p{host}"' for host in self.hosts if host != gateway]
        clients = f"{{ {', '.join(ports)} }}"
        self.disturb(*rules, f"iifname {clients} oifname {clients} drop")

    def reaches(self, host: int, other: int) -> bool:
        """Whether packets go from one host to another and back: a port where nobody listens says so."""
        probe = (
            "import socket, sys\n"
            "try:\n    socket.create_connection((sys.argv[1], 9), 3)\n"
            "except ConnectionRefusedError:\n    print('reached')\n"
            "except OSError:\n    pass\n"
        )
        return self._within(host, sys.executable, "-c", probe, address(other)).strip() == "reached"

    def readdress(self, host: int) -> float:
        """Give a host another address, as a router may; the time at which the old one was gone."""
        self._within(host, "ip", "addr", "del", f"{address(host)}/24", "dev", "eth0")
        gone = time.monotonic()
        self._within(host, "ip", "addr", "add", f"{new_address(host)}/24", "dev", "eth0")
        self._within(host, "ip", "route", "add", "default", "dev", "eth0")  # Went with the old address.
        return gone

    def connections(self, host: int) -> set[tuple[str, str, bool]]:
        """Those of a host that are open: its own address, the other's, and whether the other has called."""
        listening = {
            line.split()[3].rpartition(":")[2] for line in self._within(host, "ss", "-Htnl").splitlines()
        }
        found = set()
        for line in self._within(host, "ss", "-Htn", "state", "established").splitlines():
            own, _, port = line.split()[2].rpartition(":")
            other = line.split()[3].rpartition(":")[0]
            found.add((_plain(own), _plain(other), port in listening))
        return found

    def shield(self, host: int) -> None:
        """Let nobody call a host, as a firewall does: only its own calls go through."""
        self.disturb(f'oifname "p{host}" tcp flags & (syn | ack) == syn drop')

    def isolate(self) -> None:
        """Keep the hosts apart as access points do that isolate their clients."""
        for host in self.hosts:
            self._on_switch("bridge", "link", "set", "dev", f"p{host}", "isolated", "on")

    def _on_switch(self, *command: str, given: str = "") -> None:
        _run("ip", "netns", "exec", self._space("sw"), *command, given=given)

    def _within(self, host: int, *command: str) -> str:
        return _run("ip", "netns", "exec", self._space(f"h{host}"), *command)

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
        self._programs.append((host, program))
        return program

    def kill(self, host: int) -> None:
        """End all programs of a host as a power cut would."""
        for where, program in self._programs:
            if where == host:
                program.kill()

    def run(self, host: int, *arguments: str, timeout: float = 60.0) -> tuple[int, str]:
        """Run `kozel` on a host to its end: exit code and what it has said."""
        program = self.start(host, *arguments)
        code = program.finish(timeout)
        return code, program.text


def address(host: int) -> str:
    """The address of a host."""
    return f"10.77.0.{host}"


def new_address(host: int) -> str:
    """The address that a host has after :meth:`Lan.readdress`."""
    return f"10.77.0.{100 + host}"


def _plain(shown: str) -> str:
    """An address as `ss` shows it, without brackets and IPv4's place in IPv6."""
    return shown.strip("[]").removeprefix("::ffff:")


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
