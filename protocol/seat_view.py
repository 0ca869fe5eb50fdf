"""One seat's own knowledge of the match (§7.11): the public steps, with the cards that this seat can open.

The only place where private and public knowledge meet. What a screen or a bot gets is its `state`.
"""

from __future__ import annotations

from engine import insert
from engine.actions import Action, Discard, Open
from engine.cards import DECK as CARDS
from engine.cards import Card, Seat
from engine.state import Phase, State
from protocol.crypto.group import Point, mul
from protocol.crypto.share import open_card
from protocol.facts import DealFacts, standing_discards
from protocol.keyring import Keyring
from protocol.match import Match
from protocol.play_facts import HiddenPlay, Step
from protocol.translate import with_cards


class SeatView:
    """Follows a :class:`~protocol.match.Match` step by step, as far as this seat's cards are known."""

    def __init__(self, match: Match, keyring: Keyring) -> None:
        self.seat: Seat = keyring.seat
        self.state: State = match.genesis.new_match()
        self._match = match
        self._keyring = keyring
        self._before = self.state
        self._deal: DealFacts | None = None
        self._last: DealFacts | None = None
        self._before_last = self.state
        self._number = 0
        self._taken = 0
        self._cards: dict[tuple[int, int], Card] = {}
        self._recalled: dict[bytes, tuple[int, ...] | None] = {}

    def advance(self) -> None:
        """Take in every step by now, with the cards that this seat can open."""
        last = self._match.find_deal(self._number - 1)
        if last is not None and last is not self._last:
            # It was over before its rescue became known: more of it is public now.
            self._number, self._before, self._deal = self._number - 1, self._before_last, None
        while (deal := self._match.find_deal(self._number)) is not None:
            if deal is not self._deal:
                # A new deal, or this one anew since a seat of it is lost: some of it may not count (§7.12).
                self._deal, self._taken, self.state = deal, 0, self._before
            for step in deal.steps[self._taken :]:
                if not (isinstance(step.action, Open) and step.action.seat == self.seat):
                    self.state = insert(self.state, self._own(deal, step))
            self._taken = len(deal.steps)
            if self._number == self._match.current_number:
                return
            self._last, self._before_last = deal, self._before
            self._number, self._before = self._number + 1, self.state

    @property
    def may_play(self) -> bool:
        """Whether this seat, present and not waiting for a rescue, has a trick to play to (§7.7, §7.12)."""
        loss = self._match.current.loss
        if self._match.verdicts or self._match.handing_over is not None:
            return False
        return self.state.phase is Phase.PLAYING and (loss is None or loss.seat != self.seat)

    def hand_slots(self, deal: DealFacts, trick: int) -> dict[Card, int]:
        """The cards that this seat holds in a trick, with their slots."""
        hidden = [slot for slots in self.discards(deal).values() for slot in slots]
        return {
            card: slot
            for slot in deal.held(self.seat, trick, hidden)
            if (card := self._card_of(deal, slot)) is not None
        }

    def discards(self, deal: DealFacts) -> dict[int, tuple[int, ...]]:
        """The slots of this seat's own discards that stood, by trick, recalled from their commitments."""
        found: dict[int, tuple[int, ...]] = {}
        for number, play in standing_discards(deal, self.seat).items():
            hidden = [slot for slots in found.values() for slot in slots]
            slots = self._recall(deal, number, play, deal.held(self.seat, number, hidden))
            if slots is not None:
                found[number] = slots
        return found

    def _recall(
        self, deal: DealFacts, trick: int, play: HiddenPlay, held: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        action = play.action
        if play.commitment not in self._recalled:
            self._recalled[play.commitment] = self._keyring.recall_discard(
                deal.number, trick, action.on, play.commitment, action.count, held
            )
        return self._recalled[play.commitment]

    def _own(self, deal: DealFacts, step: Step) -> Action:
        return with_cards(
            step, lambda slot: self._card_of(deal, slot), lambda played: self._discarded(deal, played)
        )

    def _discarded(self, deal: DealFacts, step: Step) -> tuple[int, ...] | None:
        action = step.action
        if not isinstance(action, Discard) or action.seat != self.seat or step.commitment is None:
            return None
        before = {trick: slots for trick, slots in self.discards(deal).items() if trick < step.trick}
        hidden = [slot for slots in before.values() for slot in slots]
        play = HiddenPlay(action, step.commitment)
        return self._recall(deal, step.trick, play, deal.held(self.seat, step.trick, hidden))

    def _card_of(self, deal: DealFacts, slot: int) -> Card | None:
        """The card of one of this seat's own slots, once all three others have given their shares."""
        key = (deal.number, slot)
        if key not in self._cards:
            holder = deal.holders[slot][0]
            if holder != self.seat:
                # The cards of a lost seat lie open; those that others have shown are in their plays.
                return deal.shown.get(slot) if deal.loss and deal.loss.seat == holder else None
            shares = [point for seat, point in deal.shares.get(slot, {}).items() if seat != self.seat]
            if len(shares) < 3:
                return None
            self._cards[key] = CARDS[open_card(deal.ciphertext(slot), [*shares, self._own_point(deal, slot)])]
        return self._cards[key]

    def _own_point(self, deal: DealFacts, slot: int) -> Point:
        return mul(self._keyring.deal_key(deal.number), deal.ciphertext(slot).a)
