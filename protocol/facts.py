"""What the log has established so far about each deal (§7): every fact keeps the event that made it.

Because facts carry their positions, a question about the causal past of some event is the ordinary
question restricted to the facts at or below that event's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import insert
from engine.actions import Action, Discard, Play
from engine.cards import SEATS, Card, Seat, next_seat
from engine.state import Phase, State
from protocol.bodies import DECK
from protocol.crypto.group import Point
from protocol.crypto.masking import Ciphertext, Deck
from protocol.events import Position

HAND_SLOTS = 16
"""Slots 0–15 are the hands, 16–35 the stock in the order in which it is drawn."""
INDICATOR_SLOT = 26
"""The middle of the stock (R6), in the deck as it lies before the stock is shuffled again."""

_IN_PLAY = frozenset({Phase.INDICATING, Phase.PLAYING, Phase.DRAWING})


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the record as everybody sees it, with the slots it moves.

    The action's cards are what is public; `commitment` stands with a discard.
    """

    deal: int
    trick: int
    action: Action
    slots: tuple[int, ...] = ()
    commitment: bytes | None = None


@dataclass(frozen=True, slots=True)
class PlayFact:
    """One judged play of a trick."""

    at: Position
    action: Play
    slots: tuple[int, ...]
    commitment: bytes | None


@dataclass(slots=True)
class TrickFacts:
    """A trick: the state it began from, its plays, and, once final, the four plays that count.

    `draws` are the seats and slots drawn after it; they are in the record when all `drawn_by` are there.
    """

    base: State
    plays: list[PlayFact] = field(default_factory=list)
    finished_by: tuple[Position, ...] | None = None
    draws: tuple[tuple[Seat, int], ...] = ()
    drawn_by: list[Position | None] = field(default_factory=lambda: [None] * 4)


@dataclass(slots=True)
class Chain:
    """The shuffle of one deck by four: the deck after each step, and the event that made it."""

    start: Deck | None = None
    steps: list[tuple[Deck, Position]] = field(default_factory=list)

    @property
    def last(self) -> Deck | None:
        """The newest deck of the chain, None while the first step cannot be made yet."""
        return self.steps[-1][0] if self.steps else self.start

    @property
    def made_by(self) -> list[Position | None]:
        """The event of each of the four steps, None for those still to come."""
        made = [at for _, at in self.steps]
        return [*made, *[None] * (len(SEATS) - len(made))]

    @property
    def final(self) -> Deck | None:
        """The deck after all four shuffles, or None."""
        return self.steps[3][0] if len(self.steps) == len(SEATS) else None


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A seat's opening: its deal key, and the slots of its discards by trick."""

    at: Position
    key: int
    discards: dict[int, tuple[int, ...]]


@dataclass(slots=True)
class DealFacts:
    """Everything established about one deal. `state` is the game as the public sees it, once it is dealt."""

    number: int
    dealer: Seat | None
    state: State | None = None
    steps: list[Step] = field(default_factory=list)
    keys: list[tuple[Point, Position] | None] = field(default_factory=lambda: [None] * 4)
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
            gone.update(
                slot for play in standing_plays(facts) if play.action.seat == seat for slot in play.slots
            )
        return tuple(
            slot
            for slot, (holder, since) in sorted(self.holders.items())
            if holder == seat and since <= trick and slot not in gone
        )


def standing_plays(facts: TrickFacts) -> list[PlayFact]:
    """The plays of the branch that counts in a finished trick; nothing while it is not finished."""
    if facts.finished_by is None:
        return []
    return [play for play in facts.plays if play.at in facts.finished_by]


class HiddenPlay(NamedTuple):
    """A discard and the commitment to its cards."""

    action: Discard
    commitment: bytes


def standing_discards(deal: DealFacts, seat: Seat) -> dict[int, HiddenPlay]:
    """A seat's discards in the branches that counted, by trick."""
    return {
        number: HiddenPlay(play.action, play.commitment)
        for number, trick in enumerate(deal.tricks)
        for play in standing_plays(trick)
        if play.action.seat == seat and isinstance(play.action, Discard) and play.commitment is not None
    }
