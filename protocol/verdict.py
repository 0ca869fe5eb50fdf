"""Verdicts (§8): who broke which rule, by which events, in a form that anyone can check again."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Seat


@dataclass(frozen=True, slots=True)
class Verdict:
    """One proven fault. `events` are the ids of the events that prove it, the faulty one last.

    `order` sorts verdicts alike on every node: equivocations first, by the number that was used
    twice; then by the size of the faulty event's causal past, by author and by id.
    """

    culprit: Seat
    fault: str
    events: tuple[bytes, ...]
    explanation: str
    order: tuple[int, int, bytes]


EQUIVOCATION = "equivocation"


def leading_verdict(verdicts: list[Verdict]) -> Verdict | None:
    """The verdict that counts, whatever order the faults became known in (§8.3)."""
    return min(verdicts, key=lambda verdict: verdict.order, default=None)
