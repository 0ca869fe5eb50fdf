"""One deal with all cards known, played on card sets: the same game as `engine.transition`, much faster.

For programs that look ahead. Nothing is checked here: a play must be one of `moves`, or one that the readable
engine allows. There are no eggs, matches, names or notation; a test holds the two engines equal.

A deal is changed in place, so look ahead on a `copy`.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.bits import FOURS, CardSet, beating_sets, leads, points_of, subsets
from engine.cards import HAND_SIZE, SEATS, Seat, Suit

__all__ = ["BEAT", "CARDS", "DISCARD", "OPEN", "Move", "QuickDeal"]

Move: TypeAlias = int
"""A play: its cards, and one of the bits `OPEN`, `BEAT` and `DISCARD`."""

OPEN: Final = 1 << 36
"""A lead, in turn (R7) or out of turn (R13)."""
BEAT: Final = 1 << 37
DISCARD: Final = 1 << 38
CARDS: Final = OPEN - 1
"""The bits of a move that are its cards."""

_NOBODY: Final = -1


class QuickDeal:
    """A deal from any position of it to its end.

    - `hands`: card sets by seat, at the start of the current trick. `stock`: sets of one card each, the
      next one to be drawn last. `points` and `tricks`: those taken, by team.
    - `entitled`: the seat whose lead it is. `leader`: the seat whose lead counts, -1 before any lead.
      `count`: how many cards were led. `best`, `taker`: the best set and whose it is. `answers`: how many
      seats have answered. `played`: each seat's cards on the lead that counts. `acted`: bits of the seats
      that have played in this trick on any lead (R16).
    """

    __slots__ = (
        "acted",
        "answers",
        "best",
        "count",
        "entitled",
        "hands",
        "leader",
        "molodka",
        "played",
        "points",
        "stock",
        "taker",
        "tricks",
        "trump",
    )

    acted: int

    def __init__(
        self,
        hands: list[CardSet],
        stock: list[CardSet],
        trump: Suit,
        entitled: Seat,
        *,
        points: list[int] | None = None,
        tricks: list[int] | None = None,
        molodka: bool = True,
    ) -> None:
        """Between two tricks, with the draw done. `molodka` is whether leads out of turn are allowed."""
        self.hands = hands
        self.stock = stock
        self.trump = trump
        self.points = points or [0, 0]
        self.tricks = tricks or [0, 0]
        self.molodka = molodka
        self._begin_trick(entitled)

    def copy(self) -> "QuickDeal":
        """Another deal in the same position."""
        other = QuickDeal.__new__(QuickDeal)
        other.hands, other.stock, other.played = self.hands[:], self.stock[:], self.played[:]
        other.points, other.tricks = self.points[:], self.tricks[:]
        other.trump, other.molodka, other.entitled = self.trump, self.molodka, self.entitled
        other.leader, other.count, other.best = self.leader, self.count, self.best
        other.taker, other.answers, other.acted = self.taker, self.answers, self.acted
        return other

    @property
    def over(self) -> bool:
        """Whether all cards are played (R18)."""
        return not self.hands[self.entitled]

    @property
    def turn(self) -> Seat:
        """The seat whose ordinary play is awaited (R7, R8); of no meaning when the deal is over."""
        return self.entitled if self.leader < 0 else (self.leader + 1 + self.answers) & 3

    def may_claim(self, seat: Seat) -> bool:
        """Whether a seat may lead its four cards out of turn now (R13, R15, R16)."""
        return (
            self.hands[seat] in FOURS
            and self.molodka
            and seat != self.entitled
            and not self.acted >> seat & 1
            and (self.count < HAND_SIZE or _nearer(self.entitled, seat, self.leader))
        )

    def moves(self, seat: Seat) -> Iterator[Move]:
        """What a seat may play now."""
        hand = self.hands[seat]
        if self.may_claim(seat):
            yield hand | OPEN
        if self.leader < 0:
            if seat == self.entitled:
                yield from (lead | OPEN for lead in leads(hand))
            return
        if seat == self.entitled and not self.acted >> seat & 1:
            # Somebody claimed before this seat led: only four of a suit outdo that (R15).
            yield from (lead | OPEN for lead in leads(hand) if lead.bit_count() == HAND_SIZE)
        if seat == self.turn:
            yield from (new | BEAT for new in beating_sets(hand, self.best, self.trump))
            yield from (thrown | DISCARD for thrown in subsets(hand, self.count))

    def play(self, seat: Seat, move: Move) -> None:
        """Play; when all four have played, the trick is taken and cards are drawn (R11, R12)."""
        cards = move & CARDS
        self.acted |= 1 << seat
        if move & OPEN:
            self.leader, self.count, self.answers = seat, cards.bit_count(), 0
            self.best, self.taker = cards, seat
            self.played = [0, 0, 0, 0]
            self.played[seat] = cards
            return
        self.played[seat] = cards
        self.answers += 1
        if move & BEAT:
            self.best, self.taker = cards, seat
        if self.answers == 3:
            self._take()

    def _take(self) -> None:
        taker, hands, played = self.taker, self.hands, self.played
        team = taker & 1
        self.points[team] += points_of(played[0] | played[1] | played[2] | played[3])
        self.tricks[team] += 1
        for seat in SEATS:
            hands[seat] &= ~played[seat]
        stock = self.stock
        for _ in range(min(self.count, len(stock) // 4)):
            for step in SEATS:
                hands[taker + step & 3] |= stock.pop()
        self._begin_trick(taker)

    def _begin_trick(self, entitled: Seat) -> None:
        self.entitled = entitled
        self.leader = self.taker = _NOBODY
        self.count = self.answers = self.acted = 0
        self.best = 0
        self.played = [0, 0, 0, 0]


def _nearer(entitled: Seat, seat: Seat, other: Seat) -> bool:
    """Whether a seat is nearer than another, clockwise, to the seat entitled to lead (R15)."""
    return (seat - entitled) % 4 < (other - entitled) % 4
