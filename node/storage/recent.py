"""The tables at which this player sat lately: a small file in the profile, a convenience and no more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from node.i18n import tr
from node.names import clean_name
from node.network.addresses import MAX_ADDRESSES, is_dialable
from node.storage.keyfiles import write_private

__all__ = ["RECENT_NAME", "RecentTable", "RecentTables"]

RECENT_NAME = "recent.json"
"""The file's name in a profile's folder."""

MAX_TABLES = 12
_MAX_BYTES = 65_536
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class RecentTable:
    """A table and where it was: `host_identity` is 32 bytes, `played` in seconds since 1970."""

    name: str
    host_name: str
    host_identity: bytes
    addresses: tuple[tuple[str, int], ...]
    played: float


class RecentTables:
    """The list on disk. A damaged file counts as an empty one, and `trouble` says so in a sentence."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / RECENT_NAME
        self.trouble: str | None = None

    def read(self) -> tuple[RecentTable, ...]:
        """Return the tables, the latest first; never raises."""
        self.trouble = None
        try:
            with self._path.open("rb") as file:
                return _decoded(file.read(_MAX_BYTES + 1))
        except FileNotFoundError:
            return ()
        except OSError as error:
            reason = error.strerror or str(error)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            reason = tr("it is damaged")
        self.trouble = tr(
            "The list of recent tables, {path}, was passed over: {reason}.", path=self._path, reason=reason
        )
        return ()

    def remember(self, table: RecentTable) -> None:
        """Put a table first. One of the same name and host is replaced. A disk that refuses is no harm."""
        others = (one for one in self.read() if _key(one) != _key(table))
        try:
            write_private(self._path, _encoded([table, *others][:MAX_TABLES]))
        except OSError as error:
            self.trouble = tr(
                "The table could not be put on the list of recent ones ({reason}).",
                reason=error.strerror or error,
            )


def _key(table: RecentTable) -> tuple[str, bytes]:
    return table.name, table.host_identity


def _encoded(tables: Iterable[RecentTable]) -> bytes:
    entries = [asdict(table) | {"host_identity": table.host_identity.hex()} for table in tables]
    return json.dumps({"format": _FORMAT, "tables": entries}, ensure_ascii=False, indent=1).encode()


def _decoded(data: bytes) -> tuple[RecentTable, ...]:
    """Read what `_encoded` wrote; what is not, raises one of the exceptions of `read`."""
    if len(data) > _MAX_BYTES:
        raise ValueError("too long")
    value = json.loads(data)
    if value["format"] != _FORMAT:
        raise ValueError("another format")
    return tuple(_table(entry) for entry in value["tables"][:MAX_TABLES])


def _table(entry: dict[str, Any]) -> RecentTable:
    identity = bytes.fromhex(entry["host_identity"])
    addresses = tuple((host, port) for host, port in entry["addresses"])
    if (
        len(identity) != 32
        or not 1 <= len(addresses) <= MAX_ADDRESSES
        or not all(is_dialable(host, port) for host, port in addresses)
    ):
        raise ValueError("a table that could not be dialed")
    played = float(entry["played"])
    if not 0 <= played < 1e11:
        raise ValueError("a time that is none")
    return RecentTable(clean_name(entry["name"]), clean_name(entry["host_name"]), identity, addresses, played)
