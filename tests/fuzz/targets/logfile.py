"""INVARIANT: `audit_log` raises for nothing that is in a file, and calls no bad file fair and whole.

A file that is fair and whole has the genesis and all events of the match, each as it was signed; they may
stand in another order or twice. Nobody is convicted but the author of an event that was made bad. A record is
never read before its length is known to be within the limits.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar

from engine.cards import SEATS, Seat
from protocol.audit import Finding, audit_log, deal_records, match_summary
from protocol.events import SignedEvent
from protocol.limits import MAX_EVENT_BYTES
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import mutate_bytes, mutate_value, pack_any, unpack_any
from tests.protocol.matches import log_file, remembered_proofs

_OPENING = 16
"""So many events stand before the first shuffle, and are quickly checked."""


@dataclass(frozen=True)
class Given:
    """A file, and the seats that have signed something bad in it."""

    data: bytes
    bad: frozenset[Seat]


class Meter(io.BytesIO):
    """A file that remembers how much was asked of it at once."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        """Read as ever."""
        self.most = max(self.most, 2**63 if size is None or size < 0 else size)
        return super().read(size)


class LogFile:
    """`LogReader`, `audit_log` and the match record."""

    name = "logfile"
    refusals: ClassVar[Mapping[str, str]] = {
        Finding.CHEAT.value: "an event in it is signed and against the rules",
        Finding.INCOMPLETE.value: "it is sound but not a whole match",
        Finding.DAMAGED.value: "it cannot be read to its end, or holds what does not belong to it",
        Finding.UNREADABLE.value: "its header or its genesis is not readable",
    }

    def draw(self, rng: Random) -> Given:
        """A file made from the log of the match, most of them of its beginning only."""
        count = len(corpus.events()) if rng.random() < 0.03 else rng.randrange(_OPENING + 1)
        way = rng.randrange(10)
        if way < 3:
            return Given(mutate_bytes(rng, _file(count), [_file(_OPENING)]), frozenset())
        if way < 6:
            return _bad_records(rng, count)
        if way < 7:
            genesis = corpus.match().setup.genesis.encode()
            value = pack_any(mutate_value(rng, unpack_any(genesis)))
            return Given(_file(0)[:10] + _record(value) + _file(count)[18 + len(genesis) :], frozenset())
        return _bad_events(rng, count)

    def feed(self, given: Given) -> Iterator[str]:
        """Audit the file, and have everything told that can be told of it."""
        stream = Meter(given.data)
        with remembered_proofs():
            audit = audit_log(stream)
        assert stream.most <= MAX_EVENT_BYTES + 96
        if audit.match is not None:
            deal_records(audit.match)
            match_summary(audit.match)
            convicted = {verdict.culprit for verdict in audit.match.verdicts}
            assert convicted <= given.bad, f"convicted {convicted}, bad {given.bad}"
        assert all(problem.code and problem.detail for problem in audit.problems)
        if audit.finding is Finding.FAIR:
            assert audit.genesis == corpus.match().setup.genesis
            assert audit.events == len(corpus.events())
        yield ACCEPTED if audit.finding is Finding.FAIR else audit.finding.value


@cache
def _file(count: int) -> bytes:
    return log_file(corpus.match().setup.genesis, [event.signed for event in corpus.events()[:count]])


def _record(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data


def _bad_records(rng: Random, count: int) -> Given:
    """Changes inside the records, with lengths and checksums that fit."""
    genesis = corpus.match().setup.genesis.encode()
    records = [genesis, *(pack_any(tuple(event.signed)) for event in corpus.events()[:count])]
    place = rng.randrange(len(records))
    changed = records[place]
    if rng.random() < 0.5:
        changed = mutate_bytes(rng, changed, corpus.datas())
    else:
        changed = pack_any(mutate_value(rng, unpack_any(changed)))
    records[place] = changed
    if rng.random() < 0.2:
        rng.shuffle(records)
    return Given(_file(0)[:10] + b"".join(map(_record, records)), frozenset())


def _bad_events(rng: Random, count: int) -> Given:
    """Events in another order, twice, missing, or signed again after a change."""
    batch = [event.signed for event in corpus.events()[:count]]
    bad: set[Seat] = set()
    if rng.random() < 0.6:
        made = corpus.bad_event(rng)
        batch.insert(rng.randrange(len(batch) + 1), made.signed)
        bad = set(SEATS)
    if rng.random() < 0.5:
        rng.shuffle(batch)
    if batch and rng.random() < 0.3:
        batch += rng.choices(batch, k=rng.choice((1, 5)))
    if batch and rng.random() < 0.3:
        del batch[rng.randrange(len(batch))]
    return Given(_written(batch), frozenset(bad))


def _written(batch: list[SignedEvent]) -> bytes:
    return log_file(corpus.match().setup.genesis, batch)
