"""What an examination says: one finding after another, each with what to do about it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum

from node.i18n import tr

__all__ = ["Finding", "Level", "firewall_hint"]


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; may be as it should."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """`check` is a word for programs, `text` and `advice` (perhaps empty) are sentences for people."""

    check: str
    level: Level
    text: str
    advice: str = ""


def firewall_hint(port: int, platform: str = sys.platform) -> str:
    """What a firewall on this kind of system must allow. `port` is that of a table, TCP."""
    needed = tr("UDP port 5353 (to be found), TCP port {port} and the program's other ports", port=port)
    if platform == "win32":
        return tr(
            "In Windows Security, Firewall, “Allow an app”, allow Python on private networks, and set this"
            " network to “Private”. Needed: {needed}.",
            needed=needed,
        )
    if platform == "darwin":
        return tr(
            "In System Settings allow the terminal under Privacy, “Local Network”, and incoming connections"
            " for Python under Network, “Firewall”. Needed: {needed}.",
            needed=needed,
        )
    return tr(
        "If a firewall runs here, open it to your own network: with ufw, “sudo ufw allow from NETWORK”;"
        " with firewalld, move the connection to the zone “home” or “trusted”. Needed: {needed}.",
        needed=needed,
    )
