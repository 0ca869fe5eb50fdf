"""What `kozel audit` prints, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from node.errors import NodeError
from node.i18n import tr
from node.storage.logs import open_log
from node.words.findings import about_match, conclusion
from protocol.audit import Audit, Finding, audit_log
from protocol.genesis import Genesis

__all__ = ["audit_files"]

_EXIT_CODES = {
    Finding.FAIR: 0,
    Finding.CHEAT: 1,
    Finding.INCOMPLETE: 2,
    Finding.DAMAGED: 2,
    Finding.UNREADABLE: 2,
}


def audit_files(files: list[Path], *, as_json: bool) -> int:
    """Audit each file; exit code 1 if any proves a cheat, else 2 if any is not sound and whole, else 0."""
    reports = []
    for file in files:
        audit = audit_file(file)
        reports.append(_as_json(file, audit))
        if not as_json:
            print("\n".join(describe(file, audit)))
    if as_json:
        print(json.dumps({"audits": reports}))
    codes = {report["exit_code"] for report in reports}
    return min(codes - {0}, default=0)


def audit_file(file: Path) -> Audit:
    """Audit one file; one that cannot be opened is a finding too."""
    try:
        with open_log(file) as stream:
            return audit_log(stream)
    except NodeError as error:
        return Audit(problems=[str(error)])


def describe(file: Path, audit: Audit) -> list[str]:
    """The outcome in plain sentences."""
    match = audit.match
    found = (
        [*audit.problems, tr("Nothing of it could be checked.")]
        if match is None
        else [*about_match(audit, match), *audit.problems, *conclusion(audit, match)]
    )
    return [f"{file}:", *(f"  {line}" for line in found)]


def _as_json(file: Path, audit: Audit) -> dict[str, Any]:
    match, verdict = audit.match, audit.verdict
    return {
        "file": str(file),
        "audit": audit.finding.value,
        "exit_code": _EXIT_CODES[audit.finding],
        "match_id": match.genesis.match_id.hex() if match else None,
        "events": audit.events,
        "deals": len(match.finished) if match else 0,
        "score": list(match.state.score) if match else None,
        "goat": match.state.goat if match else None,
        "for_show": match.genesis.for_show if match else None,
        "goes_on": _goes_on(match.genesis) if match else None,
        "losses": [{"deal": deal, "seat": seat} for deal, seat in match.losses] if match else [],
        "problems": audit.problems,
        "verdict": verdict
        and {
            "culprit": verdict.culprit,
            "name": match.genesis.roster[verdict.culprit].name if match else None,
            "fault": verdict.fault,
            "events": [event.hex() for event in verdict.events],
            "explanation": verdict.explanation,
        },
    }


def _goes_on(genesis: Genesis) -> dict[str, Any] | None:
    """The match that this one goes on with, and its score then, as the players have agreed."""
    if genesis.standing is None or genesis.previous is None:
        return None
    return {"match_id": genesis.previous.hex(), "score": list(genesis.standing.score)}
