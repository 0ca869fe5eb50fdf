"""What `kozel audit` prints, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from node.errors import NodeError
from node.i18n import plural, tr
from node.storage.logs import open_log
from node.words.faults import fault_sentence
from protocol.audit import Audit, Finding, audit_log
from protocol.genesis import Genesis, fingerprint

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
    lines = [f"{file}:"]
    match, genesis = audit.match, audit.genesis
    if match is None or genesis is None:
        return [
            *lines,
            *(f"  {problem}" for problem in audit.problems),
            "  " + tr("Nothing of it could be checked."),
        ]
    names = [member.name for member in genesis.roster]
    state = match.state
    lines += [
        "  " + tr("{a} and {c} against {b} and {d}", a=names[0], b=names[1], c=names[2], d=names[3]),
        "  " + tr("Check words of the match: {words}", words=fingerprint(genesis.match_id)),
        "  " + plural("{count} deal finished", "{count} deals finished", len(match.finished)),
        "  " + tr("Defeat points: {first} to {second}", first=state.score[0], second=state.score[1]),
        "  " + plural("{count} signed event checked", "{count} signed events checked", audit.events),
    ]
    if genesis.for_show:
        lines.append("  " + tr("For show: its cards come from a seed that somebody knew before."))
    if genesis.standing is not None and genesis.previous is not None:
        first, second = genesis.standing.score
        lines.append(
            "  "
            + tr(
                "Goes on from {first} to {second} with the match {match}, by its players' word.",
                first=first,
                second=second,
                match=genesis.previous.hex()[:12],
            )
        )
    for number, seat in match.losses:
        lines.append(
            "  " + tr("Deal {number} was played on without {name}.", number=number + 1, name=names[seat])
        )
    return [*lines, *(f"  {line}" for line in _conclusion(audit, names))]


def _conclusion(audit: Audit, names: list[str]) -> list[str]:
    verdict = audit.verdict
    if audit.finding is Finding.FAIR:
        if audit.match is not None and not all(audit.match.finals):
            return [tr("FAIR and whole: every check held, and the three who were left have signed the end.")]
        return [tr("FAIR and whole: every check held, and all four have signed the end.")]
    lines = list(audit.problems)
    if verdict is not None:
        return [
            *lines,
            tr("CHEAT: {sentence}", sentence=fault_sentence(verdict, names[verdict.culprit])),
            tr(
                "The proof is in these events: {events}",
                events=", ".join(e.hex()[:16] for e in verdict.events),
            ),
        ]
    if audit.finding is Finding.DAMAGED:
        return [*lines, tr("DAMAGED: what stands before that was checked, and nobody is accused.")]
    return [*lines, tr("NOT WHOLE: what is there was checked and is sound, but the match does not end here.")]


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
