"""What a seat knows of the deal, as card sets: which cards are where, and which slots the others may fill.

Everything is taken from the seat's view alone, so that equal views make equal knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine import SEATS, Beat, Branch, Discard, MolodkaRule, Play, Seat, State, Suit, Trick
from engine.bits import ALL_CARDS, CardSet, mask_of, points_of

__all__ = ["Knowledge", "Round", "know"]


@dataclass(frozen=True, slots=True)
class Round:
    """The plays of one trick on the lead that counts, as far as they go.

    - `order`: the seats in the order in which they have played. `cards`: what each has played, by seat; 0
      for who has not played yet and for a discard that this seat does not see. `beat`: bits of the seats
      that have beaten.
    - `entitled`: the seat whose lead it was. `count`: how many cards were led, 0 before any lead.
    """

    entitled: Seat
    count: int
    order: tuple[Seat, ...]
    cards: tuple[CardSet, CardSet, CardSet, CardSet]
    beat: int

    @property
    def hidden(self) -> Iterator[Seat]:
        """The seats whose discards this seat does not see."""
        return (seat for seat in self.order if not self.cards[seat])

    @property
    def best(self) -> tuple[Seat, CardSet]:
        """Whose set is the best, and the set (R9)."""
        taker = next((seat for seat in reversed(self.order) if self.beat >> seat & 1), self.order[0])
        return taker, self.cards[taker]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """One seat's knowledge when it is to play.

    - `known`: by seat, the cards that it is sure to have had at the start of this trick; all of the own.
      `unknown`: by seat, how many others it had.
    - `rounds`: the finished tricks of this deal. `current`: the trick that is being played.
    - `acted`: bits of the seats that have played in this trick on any lead (R16).
    - `pool`: the cards that may be in the unknown slots: of the hands, the hidden discards and the stock.
    - `owners`: for cards of the pool that a seat had shown when they went back to its hand (R14): that seat,
      and the trick, in which it must have discarded them with the rest of its four.
    """

    seat: Seat
    trump: Suit
    indicator: CardSet
    molodka: bool
    stock: int
    known: tuple[CardSet, CardSet, CardSet, CardSet]
    unknown: tuple[int, int, int, int]
    rounds: tuple[Round, ...]
    current: Round
    acted: int
    pool: CardSet
    owners: dict[CardSet, tuple[Seat, int]]

    @property
    def hand(self) -> CardSet:
        """The own hand at the start of this trick."""
        return self.known[self.seat]


def know(view: State, seat: Seat) -> Knowledge:
    """What a seat knows by its view, in which a trick must be in play."""
    if view.trick is None or view.indicator is None:
        raise ValueError("there is no trick to play to")
    rounds = tuple(_round(trick) for trick in view.tricks)
    known = tuple(mask_of(hand.known) for hand in view.hands)
    gone = [cards for played in rounds for cards in played.cards]
    pool = ALL_CARDS & ~_union(gone) & ~_union(known)
    return Knowledge(
        seat=seat,
        trump=view.indicator.suit,
        indicator=mask_of((view.indicator,)),
        molodka=view.options.molodka is MolodkaRule.ANYTIME,
        stock=view.stock,
        known=(known[0], known[1], known[2], known[3]),
        unknown=tuple(hand.unknown for hand in view.hands),  # type: ignore[arg-type]
        rounds=rounds,
        current=_round(view.trick),
        acted=sum(1 << one for one in SEATS if view.trick.has_played(one)),
        pool=pool,
        owners=_owners(view, pool),
    )


def _union(sets: list[CardSet] | tuple[CardSet, ...]) -> CardSet:
    union = 0
    for cards in sets:
        union |= cards
    return union


def _round(trick: Trick) -> Round:
    branch = trick.effective
    if branch is None:
        return Round(trick.entitled, 0, (), (0, 0, 0, 0), 0)
    plays = list(branch.plays())
    cards = [0, 0, 0, 0]
    for play in plays:
        cards[play.seat] = mask_of(play.cards or ())
    beat = sum(1 << play.seat for play in plays if isinstance(play, Beat))
    order = tuple(play.seat for play in plays)
    return Round(trick.entitled, len(branch.cards), order, (cards[0], cards[1], cards[2], cards[3]), beat)


def _owners(view: State, pool: CardSet) -> dict[CardSet, tuple[Seat, int]]:
    """Cards that went back to the hand of a seat which has discarded since (R14, R10)."""
    owners: dict[CardSet, tuple[Seat, int]] = {}
    for number, trick in enumerate((*view.tricks, view.trick)):
        for branch in trick.branches[:-1] if trick is not None else ():
            for play in _shown(branch):
                for card in play.cards or ():
                    if 1 << card.index & pool:
                        owners[1 << card.index] = (play.seat, number)
    return owners


def _shown(branch: Branch) -> Iterator[Play]:
    return (play for play in branch.plays() if not isinstance(play, Discard))


def open_points(played: Round) -> int:
    """The points of a trick that this seat has seen (R3)."""
    return points_of(_union(played.cards))
