"""The match as the log establishes it (§7): every event is judged once, in the light of its own causal past.

All nodes, and an auditor years later, run exactly this code on the same events and come to the same
state and the same verdict, whatever order the events reached them in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from engine import insert, new_match
from engine.actions import Action
from engine.cards import SEATS, Seat, next_seat
from engine.record import DealRecord, deal_record
from engine.state import Phase, State
from protocol import bodies
from protocol.bodies import Body, parse_body
from protocol.crypto.context import Context
from protocol.errors import Fault
from protocol.events import Event, Position
from protocol.facts import DealFacts, Step
from protocol.genesis import Genesis
from protocol.limits import MAX_SEQ
from protocol.log import EventLog, Fork, check_vector
from protocol.rules.closing import judge_final, judge_opened, judge_result
from protocol.rules.common import out_of_order
from protocol.rules.dealing import judge_dealt, judge_drawn, judge_key, judge_shuffle
from protocol.rules.opening import judge_accept, judge_coin_commit, judge_coin_reveal
from protocol.rules.playing import judge_discarded, judge_shown
from protocol.verdict import EQUIVOCATION, Verdict, leading_verdict

_RULES: Final[dict[type[Body], Callable[[Match, Event, Any], None]]] = {}
_BEFORE_FAULTS: Final = 4 * MAX_SEQ
"""Puts every equivocation before every other fault: a feed that splits may hold different faults."""


class Match:
    """The judged state of one match, public knowledge only."""

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.genesis: Genesis = log.genesis
        self.state: State = new_match(self.genesis.options, self.genesis.first_leader)
        self.accepted: list[Position | None] = [None] * len(SEATS)
        self.coin_commits: list[tuple[bytes, Position] | None] = [None] * len(SEATS)
        self.coin_reveals: list[tuple[bytes, Position] | None] = [None] * len(SEATS)
        self.finals: list[Position | None] = [None] * len(SEATS)
        self.steps: list[Step] = []
        self.finished: list[DealRecord] = []
        """Each finished deal with everything open."""
        self.over: tuple[Position, ...] | None = None
        """The openings that ended the match, once they are known."""
        self.verdicts: list[Verdict] = []
        self._open_state = self.state
        self._deals: dict[int, DealFacts] = {0: DealFacts(0, None)}
        self._faulty: list[Position] = []
        self._closed = [-1] * len(SEATS)
        """The last deal whose result each seat has signed; it has nothing more to say of that one."""
        self._roster = self.genesis.roster_digest

    @property
    def verdict(self) -> Verdict | None:
        """The proven fault that stops the match, if there is one."""
        return leading_verdict(self.verdicts)

    @property
    def whole(self) -> bool:
        """Whether all four have signed the end: nothing can be missing from such a log."""
        return all(self.finals)

    @property
    def current(self) -> DealFacts:
        """The deal that is being dealt, played or opened."""
        return self._deals[self.current_number]

    @property
    def current_number(self) -> int:
        """Its number, counted from 0."""
        number = len(self.finished)
        return number - 1 if self.over is not None else number

    def deal(self, number: int) -> DealFacts:
        """The facts of a deal; a :class:`Fault` of whoever speaks of one that cannot be spoken of now."""
        facts = self._deals.get(number)
        if facts is None:
            raise out_of_order()
        return facts

    def find_deal(self, number: int) -> DealFacts | None:
        """The facts of a deal, if it has any."""
        return self._deals.get(number)

    def steps_of(self, number: int) -> list[Step]:
        """The steps of one deal."""
        return [step for step in self.steps if step.deal == number]

    def context(self, deal: int, stage: str, seat: Seat) -> Context:
        """What a proof of this match is bound to (§6.3)."""
        return Context(self.genesis.match_id, self._roster, deal, stage, seat)

    def admit(self, event: Event) -> Verdict | None:
        """Judge one event that the log has admitted; return the verdict if it is a fault.

        An event whose author had seen a proven fault is not judged: the match had stopped (§8.3).
        """
        if any(event.saw(position) for position in self._faulty):
            return None
        try:
            check_vector(self.log, event)
            body = parse_body(event.kind, event.body)
            self._check_order(event, body)
            _RULES[type(body)](self, event, body)
        except Fault as fault:
            self._faulty.append(event.position)
            return self._convict(event, fault.code, fault.detail, (event.id,))
        return None

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
        place = 2 * fork.slot + (fork.seq != fork.slot)
        verdict = Verdict(
            culprit=fork.author,
            fault=EQUIVOCATION,
            events=events,
            explanation="it has signed two different events where there can be only one",
            order=(place - _BEFORE_FAULTS, fork.author, b"".join(events)),
        )
        self.verdicts.append(verdict)
        return verdict

    def record(self, step: Step) -> None:
        """Take one action into the game. A play was legal for its author, though perhaps not for all."""
        self.state = insert(self.state, step.action)
        self.steps.append(step)

    def set_first_dealer(self, seat: Seat) -> None:
        """The coin has drawn the dealer of the first deal (R4)."""
        self._deals[0].dealer = seat
        self._prepare(1)

    def finish(self, actions: Iterable[Action]) -> None:
        """Play a deal again with full knowledge, so that the engine checks everything, and record it."""
        for action in actions:
            self._open_state = insert(self._open_state, action)
        self.finished.append(deal_record(self._open_state))

    def note_end(self, opened: Iterable[Position]) -> None:
        """A deal is scored: note if that ended the match."""
        if self.state.phase is Phase.MATCH_OVER:
            self.over = tuple(opened)
        else:
            self._prepare(len(self.finished) + 1)

    def close(self, seat: Seat, number: int) -> None:
        """A seat has signed the result of a deal."""
        self._closed[seat] = number

    def forget(self, number: int) -> None:
        """Drop a deal of which nothing can be said any more: everyone has signed the result after it."""
        self._deals.pop(number, None)

    def _prepare(self, number: int) -> None:
        """Make room for a later deal; the deal passes clockwise (R4)."""
        first = self._deals[number - 1].dealer
        if first is not None:
            self._deals[number] = DealFacts(number, next_seat(first))

    def _check_order(self, event: Event, body: Body) -> None:
        """A feed opens with the acceptance; once the match is over only results and finals follow (§7.2)."""
        if (event.seq == 0) != isinstance(body, bodies.Accept):
            raise Fault("out-of-order", "a feed opens with the acceptance of the match, and has only one")
        if getattr(body, "deal", -1) in range(self._closed[event.author] + 1):
            raise Fault("deal-over", "its author had already signed the result of that deal")
        ending = isinstance(body, bodies.Result | bodies.Concluded)
        if self.over is not None and not ending and all(event.saw(position) for position in self.over):
            raise Fault("match-over", "it was made after the match was over")

    def _convict(self, event: Event, code: str, explanation: str, events: tuple[bytes, ...]) -> Verdict:
        verdict = Verdict(
            event.author, code, events, explanation, (sum(event.vector), event.author, event.id)
        )
        self.verdicts.append(verdict)
        return verdict


_RULES.update(
    {
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
    }
)
