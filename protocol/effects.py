"""What a table asks its node to do (§9.5). The node performs effects in the order in which they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocol.events import Event


@dataclass(frozen=True, slots=True)
class Persist:
    """Put these events on disk, durably, before anything that comes after."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Send:
    """Send a frame to one peer, or to all when `peer` is None. It may be lost."""

    frame: bytes
    peer: bytes | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """Something that a player may see is different now."""


@dataclass(frozen=True, slots=True)
class Later:
    """There is long work to do: call :meth:`~protocol.table.Table.work` when nothing is more urgent."""


Effect: TypeAlias = Persist | Send | Changed | Later
