"""Every cheat of the catalogue against three honest tables, without sockets."""

from __future__ import annotations

import pytest

from engine import SEATS, Seat
from protocol.audit import Finding
from tests.cheats.catalogue import CATALOGUE
from tests.cheats.entries import Caught, Entry
from tests.cheats.hall import Hall
from tests.cheats.judged import check_caught, check_nobody_accused
from tests.cheats.talking import Flood, ReplayedMatch
from tests.simulation.stand_ins import cheap_proofs


def cheated(entry: Entry, seed: int, seat: Seat) -> Hall:
    """Play until the cheat has had its consequences, and check them."""
    with cheap_proofs(real=entry.real):
        hall = Hall(entry.scheme(), seed, seat, entry.target)
        if entry.provable:
            _until_caught(hall)
            check_caught(entry, hall.crook, hall.honest, hall.audits())
        else:
            _until_over(entry, hall)
            check_nobody_accused(entry, hall.honest, hall.audits())
    return hall


def _until_caught(hall: Hall) -> None:
    scheme = hall.crook.scheme
    hall.apart = True
    hall.run(lambda: bool(scheme.halves) or all(table.verdict for table in hall.honest))
    if scheme.halves:
        hall.settle()
        assert all(table.verdict is None for table in hall.honest), "a half alone cannot know"
        hall.apart = False
        hall.run(lambda: all(table.verdict for table in hall.honest))
    hall.settle()


def _until_over(entry: Entry, hall: Hall) -> None:
    scheme = hall.crook.scheme
    if entry.caught is Caught.DROPPED:
        hall.run(lambda: all(table.finished for table in hall.tables))
        assert scheme.done
        hall.settle()
        assert all(audit.finding is Finding.FAIR for audit in hall.audits())
        assert hall.refused or not isinstance(scheme, Flood | ReplayedMatch)
        return
    hall.run(lambda: scheme.done)
    for _ in range(40):  # Whatever can still be played without the crook is played.
        hall.settle()
        for table in hall.honest:
            hall.play(table)
    heads = [table.log.heads() for table in hall.honest]
    hall.settle()
    assert [table.log.heads() for table in hall.honest] == heads
    assert all(audit.finding is Finding.INCOMPLETE for audit in hall.audits())
    assert not any(table.finished for table in hall.honest)


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_honest_table_and_audit_judge_it_alike(entry: Entry) -> None:
    number = CATALOGUE.index(entry)
    cheated(entry, number, number % 4)


@pytest.mark.long
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("seed", range(100, 103))
@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_whoever_cheats_and_whatever_is_dealt(entry: Entry, seed: int, seat: Seat) -> None:
    cheated(entry, seed, seat)
