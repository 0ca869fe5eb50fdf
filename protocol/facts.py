"""What the log has established so far about each deal (§7): every fact keeps the event that made it.

Because facts carry their positions, a question about the causal past of some event is the ordinary
question restricted to the facts at or below that event's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import insert
from engine.actions import Discard
from engine.cards import SEATS, Card, Seat, next_seat
from engine.state import Phase, State
from protocol.crypto.group import Point
from protocol.crypto.masking import Ciphertext, Deck
from protocol.crypto.parts import KeyPart, SealedPart
from protocol.events import Position
from protocol.fields import DECK
from protocol.play_facts import HiddenPlay, Step, TrickFacts

HAND_SLOTS = 16
"""Slots 0–15 are the hands, 16–35 the stock in the order in which it is drawn."""
INDICATOR_SLOT = 26
"""The middle of the stock (R6), in the deck as it lies before the stock is shuffled again."""

_IN_PLAY = frozenset({Phase.INDICATING, Phase.PLAYING, Phase.DRAWING})


class KeyFact(NamedTuple):
    """A seat's public key of a deal, and the sealed parts of the secret one by the seat that holds each."""

    public: Point
    at: Position
    parts: dict[Seat, SealedPart]


class Vote(NamedTuple):
    """A seat's declaration that another is lost."""

    seat: Seat
    at: Position


class PartFact(NamedTuple):
    """A part that was published to rescue a deal; its author had `seen` that much of the lost seat's feed."""

    part: KeyPart
    at: Position
    seen: int


@dataclass(frozen=True, slots=True)
class Loss:
    """A seat that is lost for the rest of a deal, and its secrets (§7.12).

    What it signed about the deal up to number `cut` of its feed counts, what came later came too late.
    """

    seat: Seat
    key: int
    salt_seed: bytes
    cut: int
    rescues: tuple[Position, ...]

    def keeps(self, at: Position) -> bool:
        """Whether what was signed there counts."""
        return at.author != self.seat or at.seq <= self.cut


@dataclass(slots=True)
class Chain:
    """The shuffle of one deck: the deck after each step, and the event that made it.

    Step by step by four seats, or by three: `skipped` is the place of the seat that is lost, if any.
    """

    start: Deck | None = None
    steps: list[tuple[Deck, Position]] = field(default_factory=list)
    skipped: int | None = None

    @property
    def last(self) -> Deck | None:
        """The newest deck of the chain, None while the first step cannot be made yet."""
        return self.steps[-1][0] if self.steps else self.start

    @property
    def made_by(self) -> list[Position | None]:
        """The event of each step, None for those still to come."""
        made = [at for _, at in self.steps]
        return [*made, *[None] * (self._length - len(made))]

    @property
    def final(self) -> Deck | None:
        """The deck after all shuffles, or None."""
        return self.steps[-1][0] if len(self.steps) == self._length else None

    def step_of(self, place: int) -> int:
        """The number of the step that is made by the seat so many places from the dealer."""
        return place - (self.skipped is not None and self.skipped < place)

    @property
    def _length(self) -> int:
        return len(SEATS) - (self.skipped is not None)


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A seat's opening: its deal key, and the slots of its discards by trick. A lost seat needs no event."""

    at: Position | None
    key: int
    discards: dict[int, tuple[int, ...]]


@dataclass(slots=True)
class DealFacts:
    """Everything established about one deal. `state` is the game as the public sees it, once it is dealt.

    A deal that loses a seat is established twice: as it was for those who have not seen the rescue, and,
    `rescued`, as it goes on for those who have (§7.12).
    """

    number: int
    dealer: Seat | None
    base: State | None = None
    """The match before this deal, once it is dealt."""
    state: State | None = None
    steps: list[Step] = field(default_factory=list)
    loss: Loss | None = None
    rescued: DealFacts | None = None
    votes: list[Vote | None] = field(default_factory=lambda: [None] * 4)
    parts: list[PartFact | None] = field(default_factory=lambda: [None] * 4)
    keys: list[KeyFact | None] = field(default_factory=lambda: [None] * 4)
    joint: Point | None = None
    deck: Chain = field(default_factory=Chain)
    stock: Chain = field(default_factory=Chain)
    dealt: list[Position | None] = field(default_factory=lambda: [None] * 4)
    indicator_shares: list[Point] = field(default_factory=list)
    shares: dict[int, dict[Seat, Point]] = field(default_factory=dict)
    holders: dict[int, tuple[Seat, int]] = field(default_factory=dict)
    """Slot to (seat, number of the first trick in which the seat can play it)."""
    shown: dict[int, Card] = field(default_factory=dict)
    tricks: list[TrickFacts] = field(default_factory=list)
    opened: list[OpenFact | None] = field(default_factory=lambda: [None] * 4)
    results: list[Position | None] = field(default_factory=lambda: [None] * 4)

    def record(self, step: Step) -> None:
        """Take one action into the game. A play was legal for its author, though perhaps not for all."""
        self.state = insert(self.game, step.action)
        self.steps.append(step)

    @property
    def game(self) -> State:
        """The game as the public sees it; LookupError before it is dealt."""
        if self.state is None:
            raise LookupError("this deal has not begun")
        return self.state

    @property
    def played_out(self) -> bool:
        """Whether the last trick of the deal is finished."""
        return self.state is not None and self.state.phase not in _IN_PLAY

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that are not lost."""
        return tuple(seat for seat in SEATS if self.loss is None or seat != self.loss.seat)

    def of_present(self, facts: Sequence[Position | None]) -> list[Position | None]:
        """Those of four facts, by seat, that the deal needs to go on."""
        return [facts[seat] for seat in self.present]

    @property
    def openings(self) -> list[Position | None]:
        """The openings of the seats that are not lost."""
        return self.of_present([fact.at if fact else None for fact in self.opened])

    @property
    def declared_lost(self) -> Seat | None:
        """The seat that all three others have declared lost, if any."""
        for seat in SEATS:
            votes = [vote for other, vote in enumerate(self.votes) if other != seat]
            if all(vote is not None and vote.seat == seat for vote in votes):
                return seat
        return None

    def chain(self, stage: str) -> Chain:
        """The shuffle chain of a stage, ``deck`` or ``stock``."""
        return self.deck if stage == DECK else self.stock

    def shuffler(self, step: int) -> Seat:
        """The seat that makes a step of either shuffle: the dealer first, then clockwise."""
        if self.dealer is None:
            raise LookupError("the dealer of this deal is not drawn yet")
        return next_seat(self.dealer, step)

    def ciphertext(self, slot: int) -> Ciphertext:
        """The encrypted card of a slot that somebody holds."""
        deck = self.deck.final if slot < HAND_SLOTS else self.stock.final
        if deck is None:
            raise LookupError(f"slot {slot} is not shuffled yet")
        return deck[slot if slot < HAND_SLOTS else slot - HAND_SLOTS]

    def hand_slots_of_others(self, seat: Seat) -> tuple[int, ...]:
        """The hand slots that belong to the three others, in slot order."""
        return tuple(slot for slot in range(HAND_SLOTS) if self.first_holder(slot) != seat)

    def first_holder(self, slot: int) -> Seat:
        """Whom a hand slot is dealt to: one at a time, clockwise, from the dealer's left (R5)."""
        if self.dealer is None:
            raise LookupError("the dealer of this deal is not drawn yet")
        return next_seat(self.dealer, 1 + slot)

    def held(self, seat: Seat, trick: int, hidden: Sequence[int] = ()) -> tuple[int, ...]:
        """Slots that a seat can still play in a trick, as far as the public plays and `hidden` ones tell."""
        gone = set(hidden)
        for facts in self.tricks[:trick]:
            gone.update(slot for play in facts.standing if play.action.seat == seat for slot in play.slots)
        return tuple(
            slot
            for slot, (holder, since) in sorted(self.holders.items())
            if holder == seat and since <= trick and slot not in gone
        )


def standing_discards(deal: DealFacts, seat: Seat) -> dict[int, HiddenPlay]:
    """A seat's discards in the branches that counted, by trick."""
    return {
        number: HiddenPlay(play.action, play.commitment)
        for number, trick in enumerate(deal.tricks)
        for play in trick.standing
        if play.action.seat == seat and isinstance(play.action, Discard) and play.commitment is not None
    }
