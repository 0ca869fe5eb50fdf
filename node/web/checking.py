"""`Check this deal`: the audit of a match as far as it has come, told in a few plain sentences."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO

from node.errors import WishRefused
from node.i18n import plural, tr
from node.storage.store import Record, Store
from node.web.picture import Json
from node.words.faults import fault_sentence
from protocol.audit import Audit, audit_log
from protocol.bodies import Dealt, Drawn, Result, Shuffle
from protocol.errors import EventRejected
from protocol.events import SignedEvent, decode_event
from protocol.logfile import write_log

__all__ = ["check_match"]


async def check_match(store: Store | None, match_id: bytes) -> Json:
    """Audit what is on disk of a match, in a thread; `lines` for everybody, `details` for who asks.

    Raises WishRefused where there is nothing to check.
    """
    stored = None if store is None else store.match(match_id)
    if store is None or stored is None:
        raise WishRefused(tr("There is no match to check at this moment."))
    records = list(store.records(match_id))
    log = BytesIO()
    write_log(log, stored.genesis, (SignedEvent(record.data, record.signature) for record in records))
    log.seek(0)
    # Seconds of arithmetic: meanwhile the others must hear from this computer.
    audit, kinds = await asyncio.to_thread(lambda: (audit_log(log), _kinds(records)))
    names = [member.name for member in audit.genesis.roster] if audit.genesis else []
    return {
        "fair": not audit.problems and audit.verdict is None,
        "lines": _lines(audit, names),
        "details": _details(audit, kinds),
    }


def _kinds(records: Iterable[Record]) -> Counter[str]:
    """How many events of each kind there are."""
    kinds: Counter[str] = Counter()
    for record in records:
        try:
            kinds[decode_event(SignedEvent(record.data, record.signature)).kind] += 1
        except EventRejected:
            continue  # The audit says what is wrong with it.
    return kinds


def _lines(audit: Audit, names: Sequence[str]) -> list[str]:
    match, verdict = audit.match, audit.verdict
    if match is None:
        return audit.problems
    if verdict is not None:
        return [
            tr("A cheat is proven."),
            fault_sentence(verdict, names[verdict.culprit]),
            tr("The proof is in the log; anybody can check it again."),
        ]
    if audit.problems:
        return [tr("The record on this computer is damaged; nobody is accused."), *audit.problems]
    done = len(match.finished)
    return [
        plural(
            "Your computer has checked the {count} finished deal of this match again, from its record.",
            "Your computer has checked the {count} finished deals of this match again, from their record.",
            done,
        ),
        tr("Each of you shuffled, and each shuffle is proven: the same 36 cards, none swapped or marked."),
        tr("Nobody, not even a shuffler, could know a card that was not theirs."),
        tr("Every card that was shown came from the hand that had been dealt it."),
        tr("Every discard was opened after its deal: the cards had been in hand, and none came twice."),
        tr("The points add up. All was fair."),
    ]


def _details(audit: Audit, kinds: Counter[str]) -> list[str]:
    """What was checked, and how often."""
    return [
        plural("{count} signature", "{count} signatures", audit.events),
        plural("{count} shuffle with its proof", "{count} shuffles with their proofs", kinds[Shuffle.KIND]),
        plural(
            "{count} set of keys to other hands' cards",
            "{count} sets of keys to other hands' cards",
            kinds[Dealt.KIND] + kinds[Drawn.KIND],
        ),
        plural("{count} discard and its opening", "{count} discards and their openings", kinds["discard"]),
        plural("{count} signed result", "{count} signed results", kinds[Result.KIND]),
    ]
