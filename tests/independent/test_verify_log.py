"""The second verifier says what the program's audit says: of fair logs, of every cheat, of damaged files."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine import Options
from engine.options import Eggs, MolodkaRule
from protocol.errors import EventRejected, GenesisError
from protocol.events import SignedEvent, decode_event
from protocol.genesis import decode_genesis
from tests.cheats.catalogue import CATALOGUE
from tests.cheats.entries import Entry
from tests.fuzz.mutators import mutate_bytes, mutate_value, pack_any, unpack_any
from tests.independent import verify_log
from tests.independent.comparing import check_agreement, integers_in_both, program, proofs_remembered
from tests.independent.damages import DAMAGES, HARMLESS, Figures, examine, in_one, in_parts, table
from tests.independent.lies import commit_to, lying_log, sign_all, statements, storm
from tests.independent.logs import (
    SHORT,
    cheated,
    in_some_order,
    lost_and_rescued,
    lost_late,
    match_of,
    one_deal,
    resumed,
)
from tests.independent.verify_log import Outcome, verify
from tests.parameters import first_few
from tests.protocol.matches import Played, log_file
from tests.protocol.tables import any_play, hoard, set_up
from tests.simulation.stand_ins import checked_once

SCRIPT: Final = Path(verify_log.__file__)
OURS: Final = {"engine", "protocol", "node", "tests"}
OTHERS: Final = {"nacl", "msgpack"}


def test_it_imports_nothing_of_the_program() -> None:
    imported = set[str]()
    for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            imported.add(node.module.split(".")[0])
        elif isinstance(node, ast.Name):
            assert node.id not in ("__import__", "importlib", "exec", "eval")
    assert not imported & OURS
    assert imported - set(sys.stdlib_module_names) == OTHERS


@pytest.fixture
def cheap() -> Iterator[None]:
    with integers_in_both(), checked_once():
        yield


FAIR: Final[dict[str, Callable[[], Played]]] = {
    "short": lambda: match_of(set_up(31), 31, any_play),
    "molodkas": lambda: match_of(set_up(32), 32, hoard),
    "medium": lambda: match_of(set_up(33, Options(12)), 33),
    "eggs double": lambda: match_of(set_up(34, Options(12, Eggs.DOUBLE)), 34),
    "no molodka": lambda: match_of(set_up(35, Options(6, Eggs.DOUBLE, MolodkaRule.OFF)), 35, hoard),
    "first leader": lambda: match_of(set_up(36, None, 2, bytes(32)), 36),
    "gone on": lambda: match_of(resumed(37, replace(SHORT, score=(2, 0))), 37),
    "gone on after eggs": lambda: match_of(
        resumed(38, replace(SHORT, score=(3, 9), eggs=2, doubled=True), Options(12, Eggs.DOUBLE)), 38
    ),
}


@pytest.mark.usefixtures("cheap")
@pytest.mark.parametrize("name", first_few(FAIR, 4))
def test_a_fair_match_is_fair(name: str) -> None:
    match = FAIR[name]()
    found = check_agreement(match.file())
    assert (found.finding, found.culprit, found.events) == ("fair", None, ())
    assert (found.deals, found.goat) == (
        len(match.tables[0].match.finished),
        match.tables[0].match.state.goat,
    )
    for data in in_other_orders(match.file()):
        assert check_agreement(data) == found
    for count in Random(name).sample(range(len(match.events)), 8):
        check_agreement(match.file(count))


def in_other_orders(data: bytes) -> Iterator[bytes]:
    """The same events in other orders in which each comes after all that it builds on."""
    genesis, *records = in_parts(data).records
    pairs = {record: verify_log.decode(record, len(record)) for record in records}
    events = {decode_event(SignedEvent(*pair)): record for record, pair in pairs.items()}
    for seed in range(3):
        yield in_one([genesis, *(events[event] for event in in_some_order(Random(seed), list(events)))])


def test_with_the_real_group() -> None:
    found = check_agreement(one_deal())
    assert (found.finding, found.deals, found.goat) == ("fair", 1, 1)


@pytest.mark.usefixtures("cheap")
@pytest.mark.parametrize("seed", first_few((503, 505, 527), 1))
def test_a_match_that_lost_a_seat(seed: int) -> None:
    match = lost_and_rescued(seed)
    assert match.tables[0].match.losses
    found = check_agreement(match.file())
    assert found.finding == "fair"
    for data in (log_file(match.setup.genesis, match.disks[0]), *in_other_orders(match.file())):
        assert check_agreement(data) == found
    for count in Random(seed).sample(range(len(match.events)), 15):
        check_agreement(match.file(count))


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_cheat_is_judged_alike(entry: Entry) -> None:
    with (proofs_remembered if entry.real else integers_in_both)(), checked_once():
        for data in set(cheated(entry, 10 + CATALOGUE.index(entry))):
            found = check_agreement(data)
            assert found.fault == entry.fault
            assert (found.finding == "cheat") == entry.provable


IN_ANY_ORDER: Final = (
    "equivocation to two halves",
    "equivocation between beat and discard",
    "secret salt",
    "useless key part",
    "other key opened",
    "play of a lost seat",
)


@pytest.mark.usefixtures("cheap")
@pytest.mark.parametrize("name", first_few(IN_ANY_ORDER, 2))
def test_a_verdict_does_not_depend_on_the_order(name: str) -> None:
    (entry,) = (entry for entry in CATALOGUE if entry.name == name)
    data = cheated(entry, 5)[0]
    found = check_agreement(data)
    assert found.fault == entry.fault
    for other in in_other_orders(data):
        assert check_agreement(other) == found


@pytest.mark.usefixtures("cheap")
def test_several_files_are_judged_as_one() -> None:
    genesis, *records = in_parts(match_of(set_up(31), 31, any_play).file()).records
    rng = Random("several files")
    chosen = [rng.randrange(3) for _ in records]
    parts = [
        in_one([genesis, *(r for r, n in zip(records, chosen, strict=True) if n == m)]) for m in range(3)
    ]
    assert check_agreement(*parts).finding == "fair"
    assert check_agreement(*parts[1:]).finding == "damaged"
    assert check_agreement(b"no log", *parts).finding == "damaged"
    assert check_agreement(*parts, match_of(set_up(32), 32, hoard).file()).finding == "damaged"
    assert check_agreement(b"no log", b"none either").finding == "unreadable"


@pytest.mark.usefixtures("cheap")
def test_two_halves_of_an_equivocation_meet() -> None:
    (entry,) = (entry for entry in CATALOGUE if entry.name == "equivocation to two halves")
    genesis, *records = in_parts(cheated(entry, 5)[0]).records
    pairs = [verify_log.decode(record, len(record)) for record in records]
    twins = set(verify(in_one([genesis, *records])).events)
    named = [decode_event(SignedEvent(*pair)).id.hex() for pair in pairs]
    assert twins <= set(named)
    halves = []
    for twin in twins:
        kept = [
            record for record, name in zip(records, named, strict=True) if name == twin or name not in twins
        ]
        halves.append(in_one([genesis, *kept]))
    assert {check_agreement(half).finding for half in halves} <= {"incomplete", "damaged"}
    found = check_agreement(*halves)
    assert (found.fault, set(found.events)) == ("equivocation", twins)


@cache
def _bases() -> tuple[Played, ...]:
    matches = [match_of(set_up(31), 31, any_play), match_of(resumed(37, SHORT), 37, hoard)]
    return (*matches, *map(lost_and_rescued, (503, 505, 523)), lost_late(40, 3), lost_late(42, 4))


def lies(seeds: range) -> dict[str, int]:
    """Lies of these seeds; how often which fault was named, by both."""
    faults: dict[str, int] = {}
    bases = _bases()
    for seed in seeds:
        rng = Random(f"lie {seed}")
        match = rng.choice(bases)
        events = match.events if rng.random() < 0.6 else match.events[: rng.randrange(60, len(match.events))]
        data, done = lying_log(rng, match.setup, events)
        found = verify(data)
        assert found == program(data), (seed, done)
        faults[str(found.fault)] = faults.get(str(found.fault), 0) + 1
    return faults


@pytest.mark.usefixtures("cheap")
def test_lies_are_judged_alike() -> None:
    faults = lies(range(40))
    assert len(faults) > 8


@pytest.mark.usefixtures("cheap")
def test_false_discards_of_a_lost_seat_are_judged_alike() -> None:
    match = lost_late(40, 3)
    faults = set[str | None]()
    for seed in range(40):
        rng, told = Random(f"discard {seed}"), statements(match.events)
        (lost,) = {(statement.body[1], statement.body[0]) for statement in told if statement.kind == "lost"}
        commit_to(rng, [s for s in told if (s.author, *s.body[:1]) == lost], match.setup)
        found = check_agreement(
            log_file(match.setup.genesis, [event.signed for event in sign_all(match.setup, told)])
        )
        faults.add(found.fault)
        if found.fault in ("bad-commitment", "card-played-twice"):
            assert (found.culprit, len(found.events)) == (lost[0], 4)
    assert {"bad-commitment", "card-played-twice"} <= faults


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("cheap")
def test_many_lies_are_judged_alike() -> None:
    faults = lies(range(1000, 3000))
    assert len(faults) > 20


def storms(seeds: range) -> set[str]:
    """Storms of these seeds, and what was found in them, by both."""
    findings, setup = set[str](), set_up(41)
    for seed in seeds:
        rng = Random(f"storm {seed}")
        data = storm(rng, setup, rng.choice((20, 60, 200, 700)))
        found = verify(data)
        assert found == program(data), seed
        findings.add(found.fault or found.finding)
    return findings


def test_feeds_that_split_and_skip_are_judged_alike() -> None:
    assert {"damaged", "equivocation", "out-of-order"} <= storms(range(30))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_many_feeds_that_split_and_skip_are_judged_alike() -> None:
    assert {"damaged", "equivocation", "backdated-refs"} <= storms(range(1000, 2000))


def check(figures: dict[str, Figures]) -> None:
    """Nothing has raised, both have agreed, nobody is blamed, all that counts was noticed."""
    failures = [failure for row in figures.values() for failure in row.failures]
    assert not failures, table(figures)
    assert set(figures) == {damage.__name__ for damage in DAMAGES}
    for damage in DAMAGES:
        row = figures[damage.__name__]
        assert row.copies > 0
        assert row.noticed == (0 if damage in HARMLESS else row.copies)


def test_damaged_copies() -> None:
    check(examine(100, seed=1))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_ten_thousand_damaged_copies() -> None:
    check(examine(10_000, seed=2))


def test_what_fails_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verifier that blames somebody for everything, and one that raises, are found out."""
    monkeypatch.setattr("tests.independent.damages.verify", lambda _data: Outcome("cheat", 0, "repeated"))
    rows = examine(20, seed=1).values()
    assert sum(row.blamed for row in rows) == sum(row.disagreements for row in rows) == 20
    monkeypatch.setattr("tests.independent.damages.verify", _raise)
    assert sum(row.crashed for row in examine(20, seed=1).values()) == 20


def _raise(_data: bytes) -> Outcome:
    raise LookupError("a mistake")


def _run(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_script_prints_what_it_finds(tmp_path: Path) -> None:
    file, cut = tmp_path / "whole.kozel", tmp_path / "cut.kozel"
    file.write_bytes(one_deal())
    cut.write_bytes(one_deal()[:-1])
    run = _run(tmp_path, file)
    assert (run.returncode, run.stderr) == (0, "")
    assert "fair" in run.stdout
    assert "defeat points 4:6" in run.stdout
    run = _run(tmp_path, "--json", file, cut)
    assert (run.returncode, run.stderr) == (2, "")
    first, second = map(json.loads, run.stdout.splitlines())
    assert (first["finding"], second["finding"]) == ("fair", "damaged")
    assert first["score"] == [4, 6]


def test_geneses_and_events_are_read_alike() -> None:
    own, *records = in_parts(one_deal()).records
    pairs = [verify_log.decode(record, len(record)) for record in records]
    match_id, genesis = verify_log.read_genesis(own).match, set_up(41).genesis.encode()
    taken = {True: 0, False: 0}
    for seed in range(1500):
        rng = Random(f"bent {seed}")
        data, signature = rng.choice(pairs)
        bent, other = mutated(rng, genesis), mutated(rng, data)
        genesis_read = is_taken(verify_log.read_genesis, bent)
        assert genesis_read == is_taken(decode_genesis, bent), (seed, bent)
        event_read = is_taken(verify_log.read_event, other, signature, match_id)
        assert event_read == is_taken(own_event, SignedEvent(other, signature), match_id), (seed, other)
        taken[genesis_read] += 1
        taken[event_read] += 1
    assert min(taken.values()) > 100


@pytest.mark.parametrize(("eggs", "finding"), [(10_000, "incomplete"), (10_001, "unreadable")])
def test_a_standing_has_no_more_eggs_than_a_match_has_deals(eggs: int, finding: str) -> None:
    """Else the number of eggs at the end could be one that has no encoding (§6.11)."""
    setup = resumed(41, replace(SHORT, eggs=eggs))
    assert check_agreement(log_file(setup.genesis, ())).finding == finding


def mutated(rng: Random, data: bytes) -> bytes:
    """The encoding with something changed in its bytes, or in the value that it stands for."""
    if rng.random() < 0.3:
        return mutate_bytes(rng, data)
    while True:
        with suppress(ValueError, OverflowError):  # not every value has an encoding
            return pack_any(mutate_value(rng, unpack_any(data)))


def own_event(signed: SignedEvent, match_id: bytes) -> None:
    """What the program makes of an event up to step 4 of §4.4."""
    if decode_event(signed).match_id != match_id:
        raise EventRejected("other-match", "it belongs to another match")


def is_taken(read: Callable[..., object], *arguments: object) -> bool:
    """Whether a reader does not refuse."""
    try:
        read(*arguments)
    except (verify_log.Refused, GenesisError, EventRejected):
        return False
    return True
