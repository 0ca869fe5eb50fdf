"""Everything that the log has established about a match (§7), and the game that follows from it.

The rules read and extend this; judging is done by :mod:`protocol.match`.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import insert, new_match
from engine.actions import Action
from engine.cards import SEATS, Seat, next_seat
from engine.record import DealRecord, deal_record
from engine.state import Phase, State
from protocol.crypto.context import Context
from protocol.events import Position
from protocol.facts import DealFacts, Step
from protocol.genesis import Genesis
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
        self.over: tuple[Position, ...] | None = None
        """The openings that ended the match, once they are known."""
        self.closed = [-1] * len(SEATS)
        """The last deal whose result each seat has signed; it has nothing more to say of that one."""
        self._settled = self._open_state = new_match(genesis.options, genesis.first_leader)
        self._told: list[Step] = []
        self._deals: dict[int, DealFacts] = {0: DealFacts(0, None)}
        self._roster = genesis.roster_digest

    @property
    def state(self) -> State:
        """The game as the public sees it."""
        return self.current.state or self._settled

    @property
    def steps(self) -> list[Step]:
        """Every action of the match so far, as the public sees it."""
        return [*self._told, *(self.current.steps if self.over is None else ())]

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

    def context(self, deal: int, stage: str, seat: Seat) -> Context:
        """What a proof of this match is bound to (§6.3)."""
        return Context(self.genesis.match_id, self._roster, deal, stage, seat)

    def begin(self, deal: DealFacts) -> None:
        """The cards of a deal are dealt: its game goes on from where the deal before has ended."""
        deal.state = self._settled

    def set_first_dealer(self, seat: Seat) -> None:
        """The coin has drawn the dealer of the first deal (R4)."""
        self._deals[0].dealer = seat
        self._prepare(1)

    def finish(self, deal: DealFacts, actions: Iterable[Action], opened: Iterable[Position]) -> None:
        """A deal is scored. Play it again with full knowledge, so that the engine checks everything."""
        for action in actions:
            self._open_state = insert(self._open_state, action)
        self.finished.append(deal_record(self._open_state))
        self._settled = deal.game
        self._told += deal.steps
        if self._settled.phase is Phase.MATCH_OVER:
            self.over = tuple(opened)
        else:
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
