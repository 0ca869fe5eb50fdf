"""Everything that the log has established about a match (§7), and the game that follows from it.

The rules read and extend this; judging is done by :mod:`protocol.match`.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import insert
from engine.actions import Action
from engine.cards import SEATS, Seat, next_seat
from engine.record import DealRecord, deal_record
from engine.state import Phase, State
from protocol.crypto.context import Context
from protocol.events import Event, Position
from protocol.facts import DealFacts
from protocol.genesis import Genesis
from protocol.play_facts import Step
from protocol.rules.common import out_of_order


class MatchFacts:
    """What is established of one match, public knowledge only."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.accepted: list[Position | None] = [None] * len(SEATS)
        self.coin_commits: list[tuple[bytes, Position] | None] = [None] * len(SEATS)
        self.coin_reveals: list[tuple[bytes, Position] | None] = [None] * len(SEATS)
        self.finals: list[Position | None] = [None] * len(SEATS)
        self.finished: list[DealRecord] = []
        """Each finished deal with everything open."""
        self.losses: list[tuple[int, Seat]] = []
        """The deals that were played on without a seat, and which (§7.12)."""
        self.closed = [-1] * len(SEATS)
        """The last deal whose result each seat has signed; it has nothing more to say of that one."""
        self.encryption: list[bytes | None] = [None] * len(SEATS)
        """The key that each seat's parts are sealed for (§6.12)."""
        self.settled = self._open_state = genesis.new_match()
        self._told: list[Step] = []
        self._deals: dict[int, DealFacts] = {0: DealFacts(0, None)}
        self._roster = genesis.roster_digest
        if genesis.standing is not None:
            self.set_first_dealer(next_seat(genesis.standing.dealer))

    @property
    def state(self) -> State:
        """The game as the public sees it."""
        return self.current.state or self.settled

    @property
    def steps(self) -> list[Step]:
        """Every action of the match so far, as the public sees it."""
        return [*self._told, *(() if self.over else self.current.steps)]

    @property
    def whole(self) -> bool:
        """Whether all have signed the end: nothing can be missing from such a log.

        A seat that was lost in the last deal may be missing.
        """
        return self.over and all(self.current.of_present(self.finals))

    @property
    def over(self) -> bool:
        """Whether the last deal is scored."""
        return self.settled.phase is Phase.MATCH_OVER

    @property
    def current(self) -> DealFacts:
        """The deal that is being dealt, played or opened."""
        deal = self._deals[self.current_number]
        return deal.rescued or deal

    @property
    def current_number(self) -> int:
        """Its number, counted from 0."""
        number = len(self.finished)
        return number - 1 if self.over else number

    def deal(self, number: int, event: Event) -> DealFacts:
        """The facts of a deal for an event; a :class:`Fault` if its author cannot speak of that deal now.

        Of a deal that has lost a seat: as it goes on, if the event has seen the rescue, else as it was.
        """
        facts = self._deals.get(number)
        if facts is None:
            raise out_of_order()
        rescued = facts.rescued
        return rescued if rescued is not None and self.saw_rescue(rescued, event) else facts

    def saw_rescue(self, rescued: DealFacts, event: Event) -> bool:
        """Whether the event's author had seen all that it takes to rescue this deal."""
        return rescued.loss is not None and all(event.saw(at) for at in rescued.loss.rescues)

    def find_deal(self, number: int) -> DealFacts | None:
        """The facts of a deal as it goes on, if it has any."""
        deal = self._deals.get(number)
        return deal and (deal.rescued or deal)

    @property
    def deals_in_reach(self) -> tuple[DealFacts, ...]:
        """The deals about which something can still be said, as they were before any rescue."""
        return tuple(self._deals.values())

    @property
    def handing_over(self) -> DealFacts | None:
        """The deal that has a seat declared lost and is not rescued yet, if there is one (§7.12)."""
        deal = self._deals[self.current_number]
        waits = deal.declared_lost is not None and deal.rescued is None and not self.over
        return deal if waits else None

    def ended_for(self, event: Event) -> bool:
        """Whether the event's author had seen the end of the match."""
        if not self.over:
            return False
        openings = self.deal(self.current_number, event).openings
        return all(at is not None and event.saw(at) for at in openings)

    def context(self, deal: int, stage: str, seat: Seat) -> Context:
        """What a proof of this match is bound to (§6.3)."""
        return Context(self.genesis.match_id, self._roster, deal, stage, seat)

    def set_first_dealer(self, seat: Seat) -> None:
        """The dealer of the first deal is known: from the coin, or from the match that goes on here (R4)."""
        self._deals[0].dealer = seat
        self._prepare(1)

    def finish(self, deal: DealFacts, actions: Iterable[Action]) -> None:
        """A deal is scored. Play it again with full knowledge, so that the engine checks everything.

        A deal that was over when its rescue became known has been scored before, with the same end; but more
        of it is public now. The next one has not begun: those who gave their parts deal it later.
        """
        if deal.number < len(self.finished):
            if deal.loss is not None:
                self.settled = deal.game
                self._told = [step for step in self._told if step.deal != deal.number] + deal.steps
            return
        for action in actions:
            self._open_state = insert(self._open_state, action)
        self.finished.append(deal_record(self._open_state))
        self.settled = deal.game
        self._told += deal.steps
        if not self.over:
            self._prepare(len(self.finished) + 1)

    def close(self, seat: Seat, number: int) -> None:
        """A seat has signed the result of a deal."""
        self.closed[seat] = number

    def forget(self, number: int) -> None:
        """Drop a deal of which nothing can be said any more: everyone has signed the result after it."""
        self._deals.pop(number, None)

    def _prepare(self, number: int) -> None:
        """Make room for a later deal; the deal passes clockwise (R4)."""
        first = self._deals[number - 1].dealer
        if first is not None:
            self._deals[number] = DealFacts(number, next_seat(first))
