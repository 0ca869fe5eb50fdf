"""What an audit has found, without the match itself: as data for programs, and in words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from engine.cards import SEATS, Seat
from node.i18n import plural, tr
from node.words.findings import about_match, checks_made, conclusion
from node.words.problems import problem_sentences, reach_sentences
from protocol.audit import Audit, Finding, Problem, match_summary
from protocol.genesis import Genesis
from protocol.match import Match
from protocol.reach import Reach
from protocol.verdict import Verdict

__all__ = ["Details", "Json", "Report", "Source", "make_report", "unopened"]

Json = dict[str, Any]

EXIT_CODES: Final = {
    Finding.FAIR: 0,
    Finding.CHEAT: 1,
    Finding.INCOMPLETE: 2,
    Finding.DAMAGED: 2,
    Finding.UNREADABLE: 2,
}
"""What `kozel audit` returns for each finding (§10.4)."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was audited, by its name alone: its size in bytes and its SHA-256, None if unreadable."""

    name: str
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Details:
    """What a document about an audit says besides the match record; everything can be pickled.

    `signed_end` are the seats that have signed the end. `followed` says, for a match that is not over, up to
    which deal, counted from 0, and which trick of it, counted from 1, the game can be followed; the trick is
    None before the cards of the deal are dealt.
    """

    sources: tuple[Source, ...]
    genesis: Genesis | None = None
    verdict: Verdict | None = None
    problems: tuple[Problem, ...] = ()
    reach: tuple[Reach, ...] = ()
    checks: Mapping[str, int] = field(default_factory=dict)
    losses: tuple[tuple[int, Seat], ...] = ()
    signed_end: tuple[Seat, ...] = ()
    followed: tuple[int, int | None] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one audit, of one file or of several that hold the same match.

    `data` is what `--json` prints; `lines` are sentences in the language of the process that made them.
    `match` is the match record with the shuffles, `details` what else a document says, both for those who
    asked for them.
    """

    files: tuple[Path, ...]
    finding: Finding
    match_id: bytes | None
    data: Json
    lines: tuple[str, ...]
    match: Json | None = None
    details: Details | None = None

    @property
    def exit_code(self) -> int:
        """What the command returns if it is about this alone."""
        return EXIT_CODES[self.finding]


def unopened(file: Path, reason: str) -> Report:
    """The report of a file that cannot be opened."""
    data = {**_data(Audit()), "file": str(file), "problems": [{"code": "unopened", "detail": reason}]}
    lines = (reason, tr("Nothing of it could be checked."))
    details = Details((Source(file.name),))
    return Report((file,), Finding.UNREADABLE, None, data, lines, details=details)


def make_report(files: Sequence[Path], audit: Audit, *, with_match: bool = False) -> Report:
    """The report of an audit of these files; with the match, they are read once more for their SHA-256."""
    one = len(files) == 1
    place = {"file": str(files[0])} if one else {"files": _contents(files, audit)}
    match = audit.match
    return Report(
        tuple(files),
        audit.finding,
        match.genesis.match_id if match else None,
        {**place, **_data(audit)},
        (*([] if one else _who_has_what(files, audit)), *_lines(audit)),
        _whole(audit, match) if match and with_match else None,
        _details(files, audit) if with_match else None,
    )


def _lines(audit: Audit) -> list[str]:
    match = audit.match
    problems = problem_sentences(audit.problems)
    if match is None:
        return [*problems, tr("Nothing of it could be checked.")]
    names = [member.name for member in match.genesis.roster]
    return [
        *about_match(audit, match),
        *checks_made(match),
        *problems,
        *reach_sentences(audit.reach, names),
        *conclusion(audit, match),
    ]


def _who_has_what(files: Sequence[Path], audit: Audit) -> list[str]:
    return [
        plural(
            "{file} holds {count} event, {alone} of them in no other of these files.",
            "{file} holds {count} events, {alone} of them in no other of these files.",
            contents.events,
            file=file.name,
            alone=contents.alone,
        )
        for file, contents in zip(files, audit.contents, strict=True)
    ]


def _contents(files: Sequence[Path], audit: Audit) -> list[Json]:
    return [
        {"file": str(file), "events": contents.events, "alone": contents.alone}
        for file, contents in zip(files, audit.contents, strict=True)
    ]


def _data(audit: Audit) -> Json:
    match, verdict = audit.match, audit.verdict
    return {
        "audit": audit.finding.value,
        "exit_code": EXIT_CODES[audit.finding],
        "match_id": match.genesis.match_id.hex() if match else None,
        "events": audit.events,
        "deals": len(match.finished) if match else 0,
        "score": list(match.state.score) if match else None,
        "goat": match.state.goat if match else None,
        "for_show": match.genesis.for_show if match else None,
        "goes_on": _goes_on(match.genesis) if match else None,
        "losses": [{"deal": deal, "seat": seat} for deal, seat in match.losses] if match else [],
        "checks": {check.value: count for check, count in match.checks.items()} if match else {},
        "reach": [
            {
                "seat": reach.seat,
                "judged": reach.judged,
                "unjudged": reach.unjudged,
                "written_at_least": reach.length,
                "first_missing": reach.first_missing,
                "other_versions": list(reach.other_versions),
            }
            for reach in audit.reach
        ],
        "problems": [
            {"code": p.code, "detail": p.detail, "offset": p.offset, "source": p.source, "count": p.count}
            for p in audit.problems
        ],
        "verdict": verdict
        and {
            "culprit": verdict.culprit,
            "name": match.genesis.roster[verdict.culprit].name if match else None,
            "fault": verdict.fault,
            "events": [event.hex() for event in verdict.events],
            "explanation": verdict.explanation,
        },
    }


def _whole(audit: Audit, match: Match) -> Json:
    shuffles = [
        {"deal": step.deal, "stage": step.stage, "seat": step.seat, "event": step.event.hex()}
        for step in audit.shuffles
    ]
    return {**match_summary(match), "shuffles": shuffles}


def _details(files: Sequence[Path], audit: Audit) -> Details:
    match = audit.match
    told = Details(
        tuple(map(_source, files)),
        audit.genesis,
        audit.verdict,
        tuple(audit.problems),
        audit.reach,
    )
    if match is None:
        return told
    return replace(
        told,
        checks={check.value: count for check, count in match.checks.items()},
        losses=tuple(match.losses),
        signed_end=tuple(seat for seat in SEATS if match.finals[seat] is not None),
        followed=None if match.over or audit.verdict else _followed(match),
    )


def _followed(match: Match) -> tuple[int, int | None]:
    deal = match.current
    if deal.state is None:
        return deal.number, None
    return deal.number, len(deal.game.tricks) + (deal.game.trick is not None)


def _source(file: Path) -> Source:
    """Only of a file that ends: a pipe has been read, and a device would go on for ever."""
    try:
        if not file.is_file():
            return Source(file.name)
        with file.open("rb") as stream:
            summed = hashlib.file_digest(stream, "sha256").hexdigest()
            return Source(file.name, stream.tell(), summed)
    except OSError:
        return Source(file.name)


def _goes_on(genesis: Genesis) -> Json | None:
    """The match that this one goes on with, and its score then, as the players have agreed."""
    if genesis.standing is None or genesis.previous is None:
        return None
    return {"match_id": genesis.previous.hex(), "score": list(genesis.standing.score)}
