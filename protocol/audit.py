"""The audit (§10.4): read a log file and nothing else, and say what happened and whether it was fair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import BinaryIO

from engine.cards import SEATS
from engine.record import DealRecord, deal_record, options_record, standing_record
from protocol.errors import GenesisError, LogFileError
from protocol.genesis import Genesis, decode_genesis
from protocol.log import EventLog
from protocol.logfile import LogReader
from protocol.match import Match
from protocol.replica import Received, Replica
from protocol.verdict import Verdict


class Finding(Enum):
    """What an audit comes to."""

    FAIR = "fair"
    """Every check held, and all four signed the end: nothing is missing."""
    CHEAT = "cheat"
    """A fault is proven; the verdict names the culprit."""
    INCOMPLETE = "incomplete"
    """What is there is sound, but it is not a whole match."""
    DAMAGED = "damaged"
    """The file cannot be read to its end, or holds what cannot belong to it."""
    UNREADABLE = "unreadable"
    """Nothing of the file can be checked."""


@dataclass(slots=True)
class Audit:
    """The outcome: `problems` are plain sentences about what could not be read or used."""

    genesis: Genesis | None = None
    match: Match | None = None
    events: int = 0
    refused: int = 0
    missing: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict | None:
        """The proven fault, if there is one."""
        return self.match.verdict if self.match else None

    @property
    def finding(self) -> Finding:
        """The outcome in one word."""
        if self.match is None:
            return Finding.UNREADABLE
        if self.match.verdicts:
            return Finding.CHEAT
        if self.problems:
            return Finding.DAMAGED
        return Finding.FAIR if self.match.whole else Finding.INCOMPLETE


def audit_log(stream: BinaryIO, progress: Callable[[int], None] = lambda _: None) -> Audit:
    """Check a log from its first byte to its last; never raises for what is in the file.

    `progress` is called with the number of bytes read so far. Memory does not grow with the size of
    events: of each only its id and its vector are kept.
    """
    audit = Audit()
    try:
        reader = LogReader(stream)
        audit.genesis = decode_genesis(reader.genesis)
    except (LogFileError, GenesisError) as error:
        audit.problems.append(error.detail)
        return audit
    log = EventLog(audit.genesis, keep_bytes=False)
    audit.match = Match(log)
    replica = Replica(log)
    try:
        for signed in reader.events():
            received = Received()
            replica.add(signed, received)
            _take(audit, audit.match, received, reader.offset)
            progress(reader.offset)
    except LogFileError as error:
        audit.problems.append(error.detail)
    audit.missing = replica.waiting
    if audit.missing:
        audit.problems.append(f"{audit.missing} events refer to others that are not in the file")
    return audit


def _take(audit: Audit, match: Match, received: Received, offset: int) -> None:
    match.take(received)
    audit.events += len(received.added)
    if received.rejected and not audit.refused:
        reason = received.rejected[0]
        audit.problems.append(f"an event that cannot belong to this match ({reason}, before byte {offset})")
    audit.refused += len(received.rejected)


def deal_records(match: Match) -> list[DealRecord]:
    """All deals: the finished ones with everything open, one that was broken off as the public saw it."""
    unfinished = not match.over and match.current.state is not None
    return [*match.finished, *([deal_record(match.state)] if unfinished else [])]


def match_summary(match: Match) -> dict[str, object]:
    """The match record of ``kozel-record/1`` as plain JSON values."""
    genesis, verdict = match.genesis, match.verdict
    return {
        "format": "kozel-record/1",
        "match_id": genesis.match_id.hex(),
        "options": options_record(genesis.options),
        "players": [
            {"seat": seat, "name": genesis.roster[seat].name, "key": genesis.roster[seat].identity.hex()}
            for seat in SEATS
        ],
        "standing": standing_record(genesis.standing),
        "deals": deal_records(match),
        "score": list(match.state.score),
        "eggs": match.state.eggs,
        "goat": match.state.goat,
        "verdict": verdict
        and {
            "culprit": verdict.culprit,
            "fault": verdict.fault,
            "events": [event.hex() for event in verdict.events],
            "explanation": verdict.explanation,
        },
    }
