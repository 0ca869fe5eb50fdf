"""`kozel matches` and `kozel export`: what this computer keeps, and its portable form."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from node.errors import MatchNotKept
from node.i18n import tr
from node.storage.exporting import export_match
from node.storage.followers import followers
from node.storage.profile import Profile, default_path
from node.storage.store import STORE_NAME, Store, StoredMatch

__all__ = ["export_to_file", "list_matches"]


def list_matches(*, as_json: bool) -> int:
    """List the stored matches, the newest first."""
    with Profile.open(default_path()) as profile, Store(profile.path / STORE_NAME) as store:
        kept = sorted(store.matches(), key=lambda match: -match.created)
        went_on = followers(store)
    if as_json:
        print(json.dumps({"matches": [_as_json(match, went_on.get(match.match_id)) for match in kept]}))
        return 0
    if not kept:
        print(tr("No match has been played on this computer yet. Begin one with: kozel play"))
        return 0
    table = Table()
    for heading in (tr("Match"), tr("Begun"), tr("Players"), tr("Defeat points"), tr("State")):
        table.add_column(heading)
    for match in kept:
        table.add_row(*_row(match, went_on.get(match.match_id)))
    Console().print(table)
    return 0


def export_to_file(prefix: str | None, output: Path) -> int:
    """Write one stored match as a log file."""
    with Profile.open(default_path()) as profile, Store(profile.path / STORE_NAME) as store:
        match = _find(store.matches(), prefix)
        file = export_match(store, match, output)
    print(tr("Written: {file}", file=file))
    return 0


def _find(kept: list[StoredMatch], prefix: str | None) -> StoredMatch:
    if not kept:
        raise MatchNotKept(tr("No match has been played on this computer yet."))
    if prefix is None:
        return max(kept, key=lambda match: match.created)
    found = [match for match in kept if match.match_id.hex().startswith(prefix.lower())]
    if not found:
        raise MatchNotKept(tr("No match here begins with “{prefix}”. See: kozel matches", prefix=prefix))
    if len(found) > 1:
        raise MatchNotKept(
            tr("Several matches begin with “{prefix}”. Write more of its digits.", prefix=prefix)
        )
    return found[0]


def _summary(match: StoredMatch) -> dict[str, Any]:
    empty = {"players": [], "score": [0, 0], "goat": None, "deals": 0, "fault": None, "culprit": None}
    return {**empty, **(json.loads(match.summary) if match.summary else {})}


def _row(match: StoredMatch, follower: bytes | None) -> tuple[str, ...]:
    summary = _summary(match)
    if summary["fault"]:
        state = tr("stopped: a cheat is proven")
    elif match.finished:
        state = tr("finished")
    elif follower is not None:
        state = tr("went on as {match}", match=follower.hex()[:12])
    else:
        state = tr("broken off")
    return (
        match.match_id.hex()[:12],
        datetime.fromtimestamp(match.created).strftime("%Y-%m-%d %H:%M"),
        ", ".join(summary["players"]),
        " : ".join(map(str, summary["score"])),
        state,
    )


def _as_json(match: StoredMatch, follower: bytes | None) -> dict[str, Any]:
    return {
        "match_id": match.match_id.hex(),
        "created": match.created,
        "seat": match.seat,
        "finished": match.finished,
        "went_on": follower.hex() if follower is not None else None,
        **_summary(match),
    }
