"""How the node behind a page is set up."""

from __future__ import annotations

from dataclasses import dataclass

from node.network.discovery import Interfaces
from node.seating.advising import Consider, by_hard_bot

__all__ = ["ParlourSettings"]


@dataclass(frozen=True, slots=True)
class ParlourSettings:
    """Where a node listens (`listen`, an address or "*") and where tables are announced and looked for.

    `interfaces` None: no multicast at all. `port` is where guests find the lobby, None the usual one.
    `consider` thinks about hints.
    """

    listen: str
    interfaces: Interfaces | None
    port: int | None = None
    language: str = "en"
    consider: Consider = by_hard_bot
