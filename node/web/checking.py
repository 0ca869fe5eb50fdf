"""`Check this deal`: the audit of a match as far as it has come, told in a few plain sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO

from node.errors import WishRefused
from node.history.kept import Log
from node.i18n import plural, tr
from node.storage.store import Store
from node.web.picture import Json
from node.words.faults import fault_sentence
from node.words.findings import check_lines
from node.words.problems import problem_sentences
from protocol.audit import Audit, audit_log

__all__ = ["check_match"]


async def check_match(store: Store | None, match_id: bytes) -> Json:
    """Audit what is on disk of a match, in a thread; `lines` for everybody, `details` for who asks.

    Raises WishRefused where there is nothing to check.
    """
    stored = None if store is None else store.match(match_id)
    if store is None or stored is None:
        raise WishRefused(tr("There is no match to check at this moment."))
    log = BytesIO(Log(stored.genesis, tuple(store.events(match_id))).encode())
    # Seconds of arithmetic: meanwhile the others must hear from this computer.
    audit = await asyncio.to_thread(audit_log, log)
    names = [member.name for member in audit.genesis.roster] if audit.genesis else []
    return {
        "fair": not audit.problems and audit.verdict is None,
        "lines": _lines(audit, names),
        "details": _details(audit),
    }


def _lines(audit: Audit, names: Sequence[str]) -> list[str]:
    match, verdict = audit.match, audit.verdict
    if match is None:
        return problem_sentences(audit.problems)
    if verdict is not None:
        return [
            tr("A cheat is proven."),
            fault_sentence(verdict, names[verdict.culprit]),
            tr("The proof is in the log; anybody can check it again."),
        ]
    if audit.problems:
        damaged = tr("The record on this computer is damaged; nobody is accused.")
        return [damaged, *problem_sentences(audit.problems)]
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


def _details(audit: Audit) -> list[str]:
    """What was checked, and how often."""
    return [] if audit.match is None else check_lines(audit.match)
