"""Logs as bad disks, careless copies and forgers without keys leave them.

``python -m tests.independent.damages --count 10000 --seed 1`` damages that many copies, lets both verifiers
judge each, and prints what came of it.

What must hold: neither verifier raises, both say the same, nobody is blamed, and whatever has changed a byte
that counts is noticed, so that the log is not called fair any more.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from tests.independent.comparing import program, proofs_remembered
from tests.independent.logs import one_deal, one_deal_of_others
from tests.independent.verify_log import Outcome, Q, decode, encode, verify

HEADER: Final = 10


class Log(NamedTuple):
    """A log file in parts: the data of its records, the first of which is the genesis."""

    data: bytes
    records: tuple[bytes, ...]


@cache
def in_parts(data: bytes) -> Log:
    """A sound file taken apart."""
    records, at = [], HEADER
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        records.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    return Log(data, tuple(records))


def in_one(records: Iterable[bytes]) -> bytes:
    """The file of some records, with checksums that fit."""
    parts = [b"KOZELLOG\x00\x01"]
    for record in records:
        parts += [len(record).to_bytes(4, "big"), zlib.crc32(record).to_bytes(4, "big"), record]
    return b"".join(parts)


def flipped(rng: Random, log: Log, _other: Log) -> bytes:
    """One bit anywhere in the file."""
    return changed_at(log.data, rng.randrange(len(log.data)), 1 << rng.randrange(8))


def overwritten(rng: Random, log: Log, _other: Log) -> bytes:
    """Some bytes in a row have become others."""
    start, length = rng.randrange(len(log.data)), rng.choice((1, 2, 8, 512))
    noise = rng.choice((bytes(length), rng.randbytes(length)))
    return (log.data[:start] + noise + log.data[start + length :])[: len(log.data)]


def lost_bytes(rng: Random, log: Log, _other: Log) -> bytes:
    """Some bytes in the middle are gone."""
    start = rng.randrange(len(log.data))
    return log.data[:start] + log.data[start + rng.choice((1, 4, 100, 5000)) :]


def more_bytes(rng: Random, log: Log, _other: Log) -> bytes:
    """Some bytes have come in."""
    start = rng.randrange(len(log.data) + 1)
    return log.data[:start] + rng.randbytes(rng.choice((1, 4, 8, 100))) + log.data[start:]


def truncated(rng: Random, log: Log, _other: Log) -> bytes:
    """The end is missing, from any byte on."""
    return log.data[: rng.randrange(len(log.data))]


def cut(rng: Random, log: Log, _other: Log) -> bytes:
    """The end is missing, from some record on."""
    return in_one(log.records[: rng.randrange(1, len(log.records))])


def dropped(rng: Random, log: Log, _other: Log) -> bytes:
    """One record is missing."""
    place = rng.randrange(len(log.records))
    return in_one(log.records[:place] + log.records[place + 1 :])


def duplicated(rng: Random, log: Log, _other: Log) -> bytes:
    """One event is there twice."""
    records = list(log.records)
    records.insert(rng.randrange(1, len(records) + 1), rng.choice(log.records[1:]))
    return in_one(records)


def swapped(rng: Random, log: Log, _other: Log) -> bytes:
    """Two events have changed places."""
    records = list(log.records)
    one, two = (rng.randrange(1, len(records)) for _ in range(2))
    records[one], records[two] = records[two], records[one]
    return in_one(records)


def byte_in_record(rng: Random, log: Log, _other: Log) -> bytes:
    """A byte of a record has become another one, and the checksum fits it."""
    place = rng.randrange(len(log.records))
    record = log.records[place]
    return with_record(log, place, changed_at(record, rng.randrange(len(record)), rng.randrange(1, 256)))


def byte_in_genesis(rng: Random, log: Log, _other: Log) -> bytes:
    """A byte of the genesis has become another one, and the checksum fits it."""
    genesis = log.records[0]
    return with_record(log, 0, changed_at(genesis, rng.randrange(len(genesis)), rng.randrange(1, 256)))


def body(rng: Random, log: Log, _other: Log) -> bytes:
    """Something in the body of an event is said otherwise."""
    return with_event(rng, log, lambda event: event.__setitem__(7, bent(rng, event[7])))


def refs(rng: Random, log: Log, _other: Log) -> bytes:
    """An event says that its author had seen something else."""

    def change(event: list[Any]) -> None:
        seat = rng.choice([s for s in range(4) if s != event[2]])
        ref = event[5][seat]
        event[5][seat] = [0, rng.randbytes(32)] if ref is None else rng.choice((None, bent(rng, ref)))

    return with_event(rng, log, change)


def place_in_feed(rng: Random, log: Log, _other: Log) -> bytes:
    """An event says that it has another author, number, event before it, or kind."""

    def change(event: list[Any]) -> None:
        at = rng.choice((2, 3, 4, 6))
        event[at] = bent(rng, event[at])

    return with_event(rng, log, change)


def signature(rng: Random, log: Log, _other: Log) -> bytes:
    """A byte of a signature has become another one."""
    place = rng.randrange(1, len(log.records))
    data, signed = decode(log.records[place], len(log.records[place]))
    return with_record(
        log, place, encode([data, changed_at(signed, rng.randrange(64), rng.randrange(1, 256))])
    )


def signature_of_another(rng: Random, log: Log, _other: Log) -> bytes:
    """An event bears the signature of another one."""
    place, source = rng.sample(range(1, len(log.records)), 2)
    data, _ = decode(log.records[place], len(log.records[place]))
    _, signed = decode(log.records[source], len(log.records[source]))
    return with_record(log, place, encode([data, signed]))


def malleated(rng: Random, log: Log, _other: Log) -> bytes:
    """A signature R ‖ S with S + q in place of S, which verifiers that do not look accept."""
    place = rng.randrange(1, len(log.records))
    data, signed = decode(log.records[place], len(log.records[place]))
    more = (int.from_bytes(signed[32:], "little") + Q).to_bytes(32, "little")
    return with_record(log, place, encode([data, signed[:32] + more]))


def spliced_in(rng: Random, log: Log, other: Log) -> bytes:
    """An event of another match is among those of this one."""
    records = list(log.records)
    records.insert(rng.randrange(1, len(records) + 1), rng.choice(other.records[1:]))
    return in_one(records)


def replaced(rng: Random, log: Log, other: Log) -> bytes:
    """An event of another match stands in the place of one of this."""
    place = rng.randrange(1, len(log.records))
    return with_record(log, place, other.records[min(place, len(other.records) - 1)])


def other_end(rng: Random, log: Log, other: Log) -> bytes:
    """From some record on the file is that of another match, or has its genesis."""
    place = rng.randrange(1, min(len(log.records), len(other.records)))
    return in_one((*log.records[:place], *other.records[place:]))


def changed_at(data: bytes, place: int, mask: int) -> bytes:
    """The bytes with some bits of one of them flipped."""
    return data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]


def with_record(log: Log, place: int, record: bytes) -> bytes:
    """The file with another record in one place."""
    return in_one((*log.records[:place], record, *log.records[place + 1 :]))


def with_event(rng: Random, log: Log, change: Callable[[list[Any]], None]) -> bytes:
    """The file with an event that its author has not signed like this."""
    place = rng.randrange(1, len(log.records))
    data, signed = decode(log.records[place], len(log.records[place]))
    event = decode(data, len(data))
    change(event)
    return with_record(log, place, encode([encode(event), signed]))


def bent(rng: Random, value: Any) -> Any:
    """Another value of the same type, or another type for what has no other value."""
    if type(value) is int:
        return value + 1 if value == 0 else value + rng.choice((1, -1))
    if type(value) is bytes and value:
        return changed_at(value, rng.randrange(len(value)), 1 << rng.randrange(8))
    if type(value) is str:
        return value + "x"
    if type(value) is list and value:
        place = rng.randrange(len(value))
        return [*value[:place], bent(rng, value[place]), *value[place + 1 :]]
    return 0


Damage = Callable[[Random, Log, Log], bytes]
DAMAGES: Final[Sequence[Damage]] = (
    *(flipped, overwritten, lost_bytes, more_bytes, truncated, cut, dropped, duplicated, swapped),
    *(byte_in_record, byte_in_genesis, body, refs, place_in_feed),
    *(signature, signature_of_another, malleated, spliced_in, replaced, other_end),
)
HARMLESS: Final = (duplicated, swapped)
"""They change no event and take none away: the log stays as fair as it was."""


@dataclass
class Figures:
    """What came of the copies that were damaged in one way."""

    copies: int = 0
    noticed: int = 0
    unnoticed: int = 0
    """Not noticed although a byte that counts was changed; of the harmless ones, those that were refused."""
    blamed: int = 0
    crashed: int = 0
    disagreements: int = 0
    failures: list[str] = field(default_factory=list)


def damaged_copies(count: int, seed: int) -> Iterator[tuple[Damage, str, bytes]]:
    """Damaged copies of a whole match, the ways to damage in turn, each with a name to find it again by."""
    log, other = in_parts(one_deal()), in_parts(one_deal_of_others())
    for number in range(count):
        damage = DAMAGES[number % len(DAMAGES)]
        rng = Random(f"damage {seed} {number}")
        data = log.data
        while data == log.data:
            data = damage(rng, log, other)
        yield damage, f"{damage.__name__}, copy {number} of seed {seed}", data


def judged(data: bytes) -> tuple[Outcome | None, Outcome | None, str]:
    """What both verifiers say, nothing of one that raises, and with what it has raised."""
    said: list[Outcome | None] = []
    raised = ""
    for verifier in (verify, program):
        try:
            said.append(verifier(data))
        except Exception as error:
            said.append(None)
            raised += f" {verifier.__name__} raised {error!r}"
    return said[0], said[1], raised


def examine(count: int, seed: int) -> dict[str, Figures]:
    """Damage so many copies, and count what came of them, by the way of damaging."""
    figures = {damage.__name__: Figures() for damage in DAMAGES}
    with proofs_remembered():
        for damage, name, data in damaged_copies(count, seed):
            mine, theirs, raised = judged(data)
            found = [outcome for outcome in (mine, theirs) if outcome is not None]
            row, fair = figures[damage.__name__], [outcome.finding == "fair" for outcome in found]
            before = replace(row)
            row.copies += 1
            row.noticed += not any(fair)
            row.unnoticed += not all(fair) if damage in HARMLESS else any(fair)
            row.blamed += any(outcome.culprit is not None for outcome in found)
            row.crashed += bool(raised)
            row.disagreements += mine != theirs
            if (row.unnoticed, row.blamed, row.crashed, row.disagreements) != (
                *(before.unnoticed, before.blamed, before.crashed, before.disagreements),
            ):
                row.failures.append(f"{name}: {mine} {theirs}{raised}")
    return figures


def table(figures: dict[str, Figures]) -> str:
    """The figures for people."""
    columns = ("copies", "noticed", "unnoticed", "blamed", "crashed", "disagreements")
    lines = [f"{'damage':<22}" + "".join(f"{column:>15}" for column in columns)]
    total: Counter[str] = Counter()
    for name, row in figures.items():
        numbers = {column: getattr(row, column) for column in columns}
        total.update(numbers)
        lines.append(f"{name:<22}" + "".join(f"{number:>15,}" for number in numbers.values()))
    lines.append(f"{'all':<22}" + "".join(f"{total[column]:>15,}" for column in columns))
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """The command; exit code 1 if something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.independent.damages", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    figures = examine(chosen.count, chosen.seed)
    failures = [failure for row in figures.values() for failure in row.failures]
    print(table(figures))
    print(*failures[:20], sep="\n", end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
