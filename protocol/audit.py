"""The audit (§10.4): read log files and nothing else, and say what happened and whether it was fair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import BinaryIO, Final

from engine.cards import SEATS, Seat
from engine.record import DealRecord, deal_record, options_record, standing_record
from protocol.bodies import Shuffle
from protocol.errors import GenesisError, LogFileError
from protocol.events import Event, SignedEvent, event_id
from protocol.genesis import Genesis, decode_genesis
from protocol.log import EventLog
from protocol.logfile import LogReader
from protocol.match import Match
from protocol.reach import Reach, Unplaced
from protocol.replica import Received, Replica
from protocol.verdict import Verdict

_MAX_READINGS: Final = 16
"""How often files are read again because events had to wait for which there was no room."""


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


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read or used. `code` is that of the refusal (§2, §3.1, §4.4, §10), or ``missing``.

    `count` says how many events it is about, `offset` where in file number `source` it is, in bytes.
    """

    code: str
    detail: str
    offset: int | None = None
    source: int = 0
    count: int = 1

    def __str__(self) -> str:
        return self.detail


@dataclass(frozen=True, slots=True)
class ShuffleStep:
    """One seat has shuffled the deck, or later the stock, of a deal; `event` is the id of the proof."""

    deal: int
    stage: str
    seat: Seat
    event: bytes


@dataclass(slots=True)
class Contents:
    """What one of several files holds: so many events of the match, and `alone` that no other one has."""

    events: int = 0
    alone: int = 0


@dataclass(slots=True)
class Audit:
    """The outcome. `problems` are about what could not be read or used; `reach` says how far the log goes."""

    genesis: Genesis | None = None
    match: Match | None = None
    refused: int = 0
    problems: list[Problem] = field(default_factory=list)
    reach: tuple[Reach, ...] = ()
    shuffles: list[ShuffleStep] = field(default_factory=list)
    contents: list[Contents] = field(default_factory=list)

    @property
    def events(self) -> int:
        """Number of events that were placed in the log and judged."""
        return len(self.match.log) if self.match else 0

    @property
    def missing(self) -> int:
        """Number of events that are there, but build on others which are not."""
        return sum(reach.unjudged for reach in self.reach)

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
    return audit_logs([stream], progress)


def audit_logs(streams: Sequence[BinaryIO], progress: Callable[[int], None] = lambda _: None) -> Audit:
    """Check several logs of one match as if they were one: each may hold what the others lack.

    Two halves of an equivocation may so come together which no one player was shown.
    """
    audit = Audit(contents=[Contents() for _ in streams])
    starts = [stream.tell() if stream.seekable() else None for stream in streams]
    reading: _Reading | None = None
    for number, stream in enumerate(streams):
        try:
            reader = LogReader(stream)
            genesis = decode_genesis(reader.genesis)
        except (LogFileError, GenesisError) as error:
            audit.problems.append(_problem(error, number))
            continue
        if reading is None:
            reading = _Reading(audit, genesis, progress)
        elif genesis.match_id != reading.log.match_id:
            audit.problems.append(Problem("other-match", "the log of another match", 0, number))
            continue
        reading.read(number, reader)
    if reading is not None:
        reading.read_again([(stream, start) for stream, start in zip(streams, starts, strict=True)])
        reading.close(len(streams))
    return audit


class _Reading:
    """One match while the files that it stands in are read."""

    def __init__(self, audit: Audit, genesis: Genesis, progress: Callable[[int], None]) -> None:
        self.log = EventLog(genesis, keep_bytes=False)
        self.match = Match(self.log)
        self._audit = audit
        self._replica = Replica(self.log)
        self._unplaced = Unplaced()
        self._progress = progress
        self._bytes = 0
        self._holders: dict[bytes, list[int]] = {}
        audit.genesis, audit.match = genesis, self.match

    def read(self, source: int, reader: LogReader) -> None:
        """Take in one file as far as it can be read."""
        try:
            for signed in reader.events():
                received = self._take(signed)
                if received.rejected:
                    self._refuse(received.rejected[0], source, reader.offset)
                elif len(self._audit.contents) > 1:
                    self._holders.setdefault(event_id(signed.data), []).append(source)
                self._progress(self._bytes + reader.offset)
        except LogFileError as error:
            self._audit.problems.append(_problem(error, source))
        self._bytes += reader.offset

    def read_again(self, files: Sequence[tuple[BinaryIO, int | None]]) -> None:
        """Give those another chance that had no room to wait, as long as that brings anything in."""
        dropped, before = self._replica.dropped, -1
        for _ in range(_MAX_READINGS):
            if not dropped or len(self.log) == before:
                return
            before, earlier = len(self.log), self._replica.dropped
            for stream, start in files:
                if start is not None:
                    stream.seek(start)
                    self._read_known(stream)
            dropped = self._replica.dropped - earlier

    def _read_known(self, stream: BinaryIO) -> None:
        try:
            for signed in LogReader(stream).events():
                self._take(signed)
        except LogFileError:
            return  # It was said when the file was read first.

    def close(self, files: int) -> None:
        """Everything is read."""
        audit = self._audit
        audit.reach = self._unplaced.reaches(self.log)
        if audit.missing:
            detail = f"{audit.missing} events refer to others that are not in the file"
            audit.problems.append(Problem("missing", detail, count=audit.missing))
        if files > 1:
            for holders in self._holders.values():
                for source in set(holders):
                    audit.contents[source].events += 1
                    audit.contents[source].alone += len(set(holders)) == 1

    def _take(self, signed: SignedEvent) -> Received:
        received = Received()
        self._replica.add(signed, received)
        self.match.take(received)
        for event in received.early:
            self._unplaced.note(event)
        self._audit.shuffles += [step for event in received.added if (step := _shuffle_step(event))]
        return received

    def _refuse(self, reason: str, source: int, offset: int) -> None:
        audit = self._audit
        audit.refused += 1
        first = next(
            (n for n, p in enumerate(audit.problems) if (p.code, p.source) == (reason, source)), None
        )
        if first is None:
            detail = f"an event that cannot belong to this match ({reason}, before byte {offset})"
            audit.problems.append(Problem(reason, detail, offset, source))
        else:
            audit.problems[first] = replace(audit.problems[first], count=audit.problems[first].count + 1)


def _problem(error: LogFileError | GenesisError, source: int) -> Problem:
    return Problem(
        error.code, error.detail, error.offset if isinstance(error, LogFileError) else None, source
    )


def _shuffle_step(event: Event) -> ShuffleStep | None:
    if event.kind != Shuffle.KIND or len(event.body) != len(Shuffle.FIELDS):
        return None
    deal, stage = event.body[:2]
    if not (isinstance(deal, int) and isinstance(stage, str)):
        return None
    return ShuffleStep(deal, stage, event.author, event.id)


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
