"""The match as the log establishes it (§7): every event is judged once, in the light of its own causal past.

All nodes, and an auditor years later, run exactly this code on the same events and come to the same
state and the same verdict, whatever order the events reached them in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from protocol import bodies
from protocol.bodies import Body, parse_body
from protocol.checks import Check, checks_of
from protocol.errors import Fault
from protocol.events import Event, Position
from protocol.limits import MAX_SEQ
from protocol.log import EventLog, Fork, check_vector
from protocol.match_facts import MatchFacts
from protocol.replica import Received
from protocol.rules.closing import judge_final, judge_opened, judge_result
from protocol.rules.dealing import judge_dealt, judge_drawn, judge_key, judge_shuffle
from protocol.rules.losing import check_handing_over, judge_complaint, judge_lost, judge_rescue
from protocol.rules.opening import judge_accept, judge_coin_commit, judge_coin_reveal
from protocol.rules.playing import judge_discarded, judge_shown
from protocol.verdict import EQUIVOCATION, Verdict, leading_verdict

_RULES: Final[dict[type[Body], Callable[[MatchFacts, Event, Any], None]]] = {
    bodies.Accept: judge_accept,
    bodies.CoinCommit: judge_coin_commit,
    bodies.CoinReveal: judge_coin_reveal,
    bodies.Key: judge_key,
    bodies.Shuffle: judge_shuffle,
    bodies.Dealt: judge_dealt,
    bodies.Led: judge_shown,
    bodies.Claimed: judge_shown,
    bodies.Beaten: judge_shown,
    bodies.Discarded: judge_discarded,
    bodies.Drawn: judge_drawn,
    bodies.Opened: judge_opened,
    bodies.Result: judge_result,
    bodies.Concluded: judge_final,
    bodies.Complaint: judge_complaint,
    bodies.Lost: judge_lost,
    bodies.Rescue: judge_rescue,
}
_BEFORE_FAULTS: Final = 4 * MAX_SEQ
"""Puts every equivocation before every other fault: a feed that splits may hold different faults."""


class Match(MatchFacts):
    """One match as it is judged, event by event."""

    def __init__(self, log: EventLog) -> None:
        super().__init__(log.genesis)
        self.log = log
        self.verdicts: list[Verdict] = []
        self.checks: Counter[Check] = Counter()
        """How often each kind of check has held so far."""
        self._faulty: list[tuple[Position, ...]] = []

    @property
    def verdict(self) -> Verdict | None:
        """The proven fault that stops the match, if there is one."""
        return leading_verdict(self.verdicts)

    def admit(self, event: Event) -> Verdict | None:
        """Judge one event that the log has admitted; return the verdict if it is a fault.

        An event whose author had seen a proven fault is not judged: the match had stopped (§8.3).
        """
        self.checks[Check.SIGNATURES] += 1
        self.checks[Check.LINKS] += 1 + sum(ref is not None for ref in event.refs)
        if any(all(event.saw(position) for position in proof) for proof in self._faulty):
            self.log.close_feed(event.author, event.seq)
            return None
        try:
            check_vector(self.log, event)
            body = parse_body(event.kind, event.body)
            self._check_order(event, body)
            check_handing_over(self, event, body)
            _RULES[type(body)](self, event, body)
        except Fault as fault:
            return self._convict(event, fault)
        self.checks.update(checks_of(body))
        return None

    def take(self, received: Received) -> None:
        """Judge everything that a replica has taken in."""
        for event in received.added:
            self.admit(event)
        for proof in received.proofs:
            self.admit_fork(proof)

    def admit_fork(self, fork: Fork) -> Verdict:
        """Record an equivocation: two signed events that cannot both be honest (§8.2).

        Nodes may have met the events in different orders, or more than two of them; the pair that is
        named, the lowest ids of the earliest number, is the same for all who know the same events.
        """
        twins = {
            other.second
            for other in self.log.forks
            if (other.author, other.slot, other.seq) == (fork.author, fork.slot, fork.slot)
        }
        ids = {fork.first, *twins} if fork.seq == fork.slot else {fork.first, fork.second}
        events = tuple(sorted(ids)[:2])
        verdict = Verdict(
            culprit=fork.author,
            fault=EQUIVOCATION,
            events=events,
            explanation="it has signed two different events where there can be only one",
            order=(fork.place - _BEFORE_FAULTS, fork.author, b"".join(events)),
        )
        self.verdicts.append(verdict)
        return verdict

    def _check_order(self, event: Event, body: Body) -> None:
        """A feed opens with the acceptance; once the match is over only results and finals follow (§7.2)."""
        if (event.seq == 0) != isinstance(body, bodies.Accept):
            raise Fault("out-of-order", "a feed opens with the acceptance of the match, and has only one")
        if getattr(body, "deal", -1) in range(self.closed[event.author] + 1):
            raise Fault("deal-over", "its author had already signed the result of that deal")
        ending = isinstance(body, bodies.Result | bodies.Concluded)
        if not ending and self.ended_for(event):
            raise Fault("match-over", "it was made after the match was over")

    def _convict(self, event: Event, fault: Fault) -> Verdict:
        """Name the culprit; what proves a fault may be more than one event (§8.1)."""
        proof = tuple(Position(*at) for at in fault.evidence) or (event.position,)
        entries = [self.log.entry(*at) for at in proof]
        culprit, seq = proof[0]
        ids = tuple(entry.id for entry in entries)
        order = (sum(entries[0].vector), culprit, b"".join(ids))
        verdict = Verdict(culprit, fault.code, ids, fault.detail, order)
        self.verdicts.append(verdict)
        self._faulty.append(proof)
        self.log.close_feed(culprit, seq)
        return verdict
