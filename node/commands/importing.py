"""`kozel import`: logs from elsewhere, audited and kept in the profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from node.commands.counting import counting
from node.history.importing import Imported, Kept, import_files
from node.i18n import tr
from node.processes import available_cores

__all__ = ["import_logs"]


def import_logs(profile: Path, files: list[Path], *, as_json: bool, jobs: int | None = None) -> int:
    """Import each file and say what it is; exit code 2 if any was refused, else 0."""
    done: list[Imported] = []
    with counting() as heard:
        for one in import_files(profile, files, jobs=jobs or available_cores(), heard=heard(len(files))):
            done.append(one)
            if not as_json:
                print("\n".join(_lines(one)))
    if as_json:
        print(json.dumps({"imports": [_as_json(one) for one in done]}))
    return 2 if any(one.kept is Kept.REFUSED for one in done) else 0


def _lines(one: Imported) -> list[str]:
    told = {
        Kept.NEW: tr("Kept. See: kozel matches"),
        Kept.GROWN: tr("The match was known; the file knows more of it, and is kept."),
        Kept.JOINED: tr("The match was known; what either knew of it is kept together."),
        Kept.KNOWN: tr("Already known: nothing in it is new."),
        Kept.REFUSED: tr("Not kept."),
    }
    return [f"{one.file}:", *(f"  {line}" for line in (*one.lines, told[one.kept]))]


def _as_json(one: Imported) -> dict[str, Any]:
    outcome = one.outcome
    return {
        "file": str(one.file),
        "kept": one.kept.value,
        "match_id": outcome and outcome.match_id.hex(),
        "audit": outcome.finding.value if outcome else "unreadable",
        "told": list(one.lines),
    }
