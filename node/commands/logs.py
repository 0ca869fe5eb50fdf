"""`kozel matches` and `kozel export`: what this computer keeps, and its portable form."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from node.commands.counting import counting
from node.errors import MatchNotKept, ProfileError
from node.history.kept import KeptMatch, Shelf, open_shelf
from node.history.outcome import SOUND, Outcome
from node.history.player import own_identity
from node.history.verified import Outcomes, verify_each
from node.i18n import tr
from node.processes import available_cores
from node.storage.exporting import export_events
from node.storage.followers import followers
from node.storage.profile import default_path

__all__ = ["export_to_file", "list_matches"]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A match in the list. `outcome` is that of an imported log; the program's own matches have a summary."""

    match: KeptMatch
    outcome: Outcome | None
    seat: int | None
    follower: bytes | None

    @property
    def imported(self) -> bool:
        return self.match.stored is None

    @property
    def damaged(self) -> bool:
        """Whether it was imported, and cannot be read any more."""
        return self.imported and (self.outcome is None or self.outcome.finding not in SOUND)

    @property
    def finished(self) -> bool:
        if self.match.stored is not None:
            return self.match.stored.finished
        return self.outcome is not None and (self.outcome.goat is not None or self.outcome.fault is not None)

    def summary(self) -> dict[str, Any]:
        if self.outcome is not None:
            return {
                "players": [person.name for person in self.outcome.people],
                "score": list(self.outcome.score),
                "goat": self.outcome.goat,
                "deals": len(self.outcome.deals),
                "fault": self.outcome.fault,
                "culprit": self.outcome.culprit,
            }
        empty = {"players": [], "score": [0, 0], "goat": None, "deals": 0, "fault": None, "culprit": None}
        stored = self.match.stored
        return {**empty, **(json.loads(stored.summary) if stored is not None and stored.summary else {})}


def list_matches(*, as_json: bool) -> int:
    """List the matches that are kept, the newest first, then the imported ones; also while one is played."""
    folder = default_path()
    with open_shelf(folder) as shelf:
        entries = _entries(folder, shelf)
    if as_json:
        print(json.dumps({"matches": [_as_json(entry) for entry in entries]}))
        return 0
    if not entries:
        print(tr("No match has been played on this computer yet. Begin one with: kozel play"))
        return 0
    table = Table()
    for heading in (tr("Match"), tr("Begun"), tr("Players"), tr("Defeat points"), tr("State")):
        table.add_column(heading)
    for entry in entries:
        table.add_row(*map(escape, _row(entry)))
    Console().print(table)
    return 0


def export_to_file(prefix: str | None, output: Path) -> int:
    """Write one match that is kept as a log file; also while one is played."""
    with open_shelf(default_path()) as shelf:
        match = _find(shelf.matches(), prefix)
        logs = shelf.logs(match)
        if not logs:
            raise MatchNotKept(tr("The imported log of this match has been damaged. Import it again."))
        file = export_events(match.match_id, logs[0].genesis, logs[0].events, output)
    print(tr("Written: {file}", file=file))
    return 0


def _find(kept: Sequence[KeptMatch], prefix: str | None) -> KeptMatch:
    if not kept:
        raise MatchNotKept(tr("No match has been played on this computer yet."))
    if prefix is None:
        return max(kept, key=lambda match: match.created or 0.0)
    found = [match for match in kept if match.match_id.hex().startswith(prefix.lower())]
    if not found:
        raise MatchNotKept(tr("No match here begins with “{prefix}”. See: kozel matches", prefix=prefix))
    if len(found) > 1:
        raise MatchNotKept(
            tr("Several matches begin with “{prefix}”. Write more of its digits.", prefix=prefix)
        )
    return found[0]


def _entries(folder: Path, shelf: Shelf) -> list[_Entry]:
    matches = sorted(shelf.matches(), key=lambda match: -(match.created or 0.0))
    outcomes = _outcomes(folder, shelf, matches)
    went_on = {
        outcome.previous: match_id
        for match_id, outcome in outcomes.items()
        if outcome.previous is not None and outcome.begun
    } | (followers(shelf.store) if shelf.store is not None else {})
    own = None
    if outcomes:
        with contextlib.suppress(ProfileError):  # Then nobody knows which seat was the own one.
            own = own_identity(folder, matches)
    entries = []
    for match in matches:
        outcome = outcomes.get(match.match_id)
        seat = match.stored.seat if match.stored else outcome.seat_of(own or b"") if outcome else None
        entries.append(_Entry(match, outcome, seat, went_on.get(match.match_id)))
    return entries


def _outcomes(folder: Path, shelf: Shelf, matches: Sequence[KeptMatch]) -> Mapping[bytes, Outcome]:
    """Of imported matches, whose logs alone tell how they went; they were audited when they were imported."""
    imported = [match for match in matches if match.stored is None and match.genesis is not None]
    if not imported:
        return {}
    logs = ((match, found) for match in imported if (found := shelf.logs(match)))
    with counting() as heard:
        return verify_each(logs, Outcomes(folder), jobs=available_cores(), heard=heard(len(imported)))


def _row(entry: _Entry) -> tuple[str, ...]:
    summary, created = entry.summary(), entry.match.created
    if entry.damaged:
        state = tr("damaged")
    elif summary["fault"]:
        state = tr("stopped: a cheat is proven")
    elif entry.finished:
        state = tr("finished")
    elif entry.follower is not None:
        state = tr("went on as {match}", match=entry.follower.hex()[:12])
    else:
        state = tr("broken off")
    return (
        entry.match.match_id.hex()[:12],
        tr("imported") if created is None else datetime.fromtimestamp(created).strftime("%Y-%m-%d %H:%M"),
        ", ".join(summary["players"]),
        " : ".join(map(str, summary["score"])),
        state,
    )


def _as_json(entry: _Entry) -> dict[str, Any]:
    return {
        "match_id": entry.match.match_id.hex(),
        "created": entry.match.created,
        "imported": entry.imported,
        "damaged": entry.damaged,
        "seat": entry.seat,
        "finished": entry.finished,
        "went_on": entry.follower.hex() if entry.follower is not None else None,
        **entry.summary(),
    }
