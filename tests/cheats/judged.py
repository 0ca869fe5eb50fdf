"""What must hold of three honest tables after somebody has cheated, with sockets and without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from node.auditing.report import make_report
from node.words.faults import fault_sentence
from protocol.audit import Audit, Finding
from protocol.bodies import Complaint, Rescue
from protocol.limits import MAX_FORKS, MAX_PENDING_EVENTS
from protocol.table import Table
from protocol.verdict import EQUIVOCATION, Verdict
from tests.cheats.crook import Crook
from tests.cheats.entries import Caught, Entry
from tests.cheats.talking import TwoStories
from tests.simulation.ledger import events_in_log

_EVIDENCE: Final = {Caught.BY_COMPLAINT: Complaint.KIND, Caught.WHEN_LOST: Rescue.KIND}
"""What others sign that brings a lie to light."""


def check_caught(entry: Entry, crook: Crook, honest: Sequence[Table], audits: Sequence[Audit]) -> None:
    """Every honest table and every audit name the crook, the fault and the same proof, and nobody else."""
    first = honest[0].verdict
    assert first is not None
    assert (first.culprit, first.fault) == (crook.seat, entry.fault)
    assert first.events == _proof(entry, crook, first, honest[0])
    for table in honest:
        assert table.verdict == first
        assert {verdict.culprit for verdict in table.match.verdicts} == {crook.seat}
        assert table.finished
        assert not table.legal()
        check_bounded(table)
    sentence = fault_sentence(first, crook.genesis.roster[crook.seat].name)
    for audit in audits:
        assert audit.finding is Finding.CHEAT
        assert audit.verdict == first
        assert audit.match is not None
        assert {verdict.culprit for verdict in audit.match.verdicts} == {crook.seat}
        assert any(sentence in line for line in make_report([Path("log")], audit).lines)


def _proof(entry: Entry, crook: Crook, verdict: Verdict, table: Table) -> tuple[bytes, ...]:
    """The events that must prove it: the lie itself, and what brought it to light if it was hidden.

    A false discard is proven by the opening of that deal, which then is the false event.
    """
    if entry.fault == EQUIVOCATION:
        assert isinstance(crook.scheme, TwoStories)
        assert crook.scheme.twins is not None
        return tuple(sorted(twin.id for twin in crook.scheme.twins))
    if entry.caught is not Caught.WHEN_OPENED:
        assert len(crook.lies) == 1
        evidence = [
            event.id for event in events_in_log(table.log) if event.kind == _EVIDENCE.get(entry.caught)
        ]
        assert len(evidence) == {Caught.BY_COMPLAINT: 1, Caught.WHEN_LOST: 3}.get(entry.caught, 0)
        return (crook.lies[0].id, *evidence)
    opening = crook.lies[-1]
    assert opening.kind == "open"
    assert all(lie.kind == "discard" for lie in crook.lies[:-1])
    assert all(table.match.log.entry(lie.author, lie.seq).id == lie.id for lie in crook.lies[:-1])
    return (opening.id,)


def check_nobody_accused(entry: Entry, honest: Sequence[Table], audits: Sequence[Audit]) -> None:
    """No table and no audit holds anything against anybody; what arrived has left nothing behind."""
    for table in honest:
        assert not table.match.verdicts
        assert not table.cloned
        check_bounded(table)
    assert len({table.log.heads() for table in honest}) == 1
    for audit in audits:
        assert audit.verdict is None
        assert not audit.problems
        assert audit.finding in (Finding.FAIR, Finding.INCOMPLETE)


def check_bounded(table: Table) -> None:
    """What cannot be used is kept in bounds, and so is the evidence."""
    assert table._replica.waiting <= MAX_PENDING_EVENTS
    assert len(table.log.forks) <= 4 * MAX_FORKS
