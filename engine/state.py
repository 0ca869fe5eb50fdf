"""The state of a match, as one observer knows it.

One type serves the public view, a player's view and full knowledge: a hand is known cards plus a count of
unknown ones. With more knowledge the same transitions only check more.
"""

from dataclasses import dataclass, replace
from enum import Enum

from engine.actions import Deal, Discard, Draw, Play
from engine.cards import DECK, HAND_SIZE, SEATS, Card, Cards, Seat, Suit, Team, next_seat
from engine.errors import OptionsError
from engine.options import Eggs, Options
from engine.scoring import DealResult, losing_team
from engine.trick import Trick

STOCK_SIZE = len(DECK) - HAND_SIZE * len(SEATS)


class Phase(Enum):
    """What the match is waiting for."""

    DEALING = "dealing"
    """The first `Deal` (R4, R5)."""
    INDICATING = "indicating"
    """The `Indicate` that fixes trump (R6)."""
    PLAYING = "playing"
    """A play of the current trick (R7 to R16)."""
    DRAWING = "drawing"
    """The next `Draw` (R12)."""
    OPENING = "opening"
    """An `Open` of each discard that stood and is not known to this observer (R10, R18)."""
    DEAL_OVER = "deal over"
    """The next `Deal` (R4)."""
    MATCH_OVER = "match over"
    """Nothing: a team has reached the target (R21)."""


@dataclass(frozen=True, slots=True)
class Hand:
    """What an observer knows of one seat's cards.

    `known` are the cards this observer is sure of and `unknown` the number of others. `seen` are the cards
    that everybody is sure of, because they were shown and went back (R14); in the view of another player
    `known == seen`.
    """

    known: frozenset[Card] = frozenset()
    unknown: int = 0
    seen: frozenset[Card] = frozenset()

    @property
    def size(self) -> int:
        """The number of cards held."""
        return len(self.known) + self.unknown

    def learn(self, cards: Cards) -> "Hand":
        """The hand when this observer becomes sure of some of its cards."""
        known = self.known | frozenset(cards)
        return replace(self, known=known, unknown=self.size - len(known))

    def show(self, cards: Cards) -> "Hand":
        """The hand when everybody becomes sure of some of its cards."""
        return replace(self.learn(cards), seen=self.seen | frozenset(cards))

    def gain(self, card: Card | None) -> "Hand":
        """The hand with one more card, unknown if None."""
        if card is None:
            return replace(self, unknown=self.unknown + 1)
        return replace(self, known=self.known | {card})

    def lose(self, cards: Cards, *, face_down: bool) -> "Hand":
        """The hand without some known cards. After a discard nobody else can be sure of the rest (R10)."""
        left = self.known - frozenset(cards)
        return replace(self, known=left, seen=frozenset() if face_down else self.seen - frozenset(cards))

    def lose_unknown(self, count: int) -> "Hand":
        """The hand after a discard of cards that this observer does not see: no card left is sure."""
        return Hand(unknown=self.size - count)

    def without(self, play: Play) -> "Hand":
        """The hand after a play that counts."""
        if play.cards is None:
            return self.lose_unknown(play.count)
        return self.lose(play.cards, face_down=isinstance(play, Discard))


NO_HANDS = (Hand(), Hand(), Hand(), Hand())


@dataclass(frozen=True, slots=True)
class State:
    """A match as one observer knows it. Pairs are indexed by team, `hands` by seat.

    - `score`: defeat points of each team (R19). `eggs`: number of 60-60 deals so far (R20).
    - `doubled`: under the option `eggs=double`, whether the defeat points of the current deal (between deals:
      of the next one) count twice. After several eggs in a row they still only count twice.
    - `deal_number`: number of the current deal from 0. `dealer`: who dealt it, or before the first deal of a
      match that was interrupted who dealt last; else None before the first deal.
    - `leader`: the seat entitled to lead now, or at the next deal (R4, R11, R22); None only before the first
      deal, when that follows from the dealer.
    - `dealt`, `drawn`: how the cards of this deal came into the hands, for the record. `stock`: number of
      cards left.
    - `hands`: what the seats held at the start of the current trick, plus what was learned since. `holding`
      tells what is left. `trick`: the current trick, None unless playing or drawing. `tricks`: the finished
      ones of this deal.
    - `results`: one for each finished deal.
    """

    options: Options
    phase: Phase = Phase.DEALING
    score: tuple[int, int] = (0, 0)
    eggs: int = 0
    doubled: bool = False
    deal_number: int = 0
    dealer: Seat | None = None
    leader: Seat | None = None
    indicator: Card | None = None
    dealt: Deal | None = None
    drawn: tuple[Draw, ...] = ()
    stock: int = STOCK_SIZE
    hands: tuple[Hand, Hand, Hand, Hand] = NO_HANDS
    trick: Trick | None = None
    tricks: tuple[Trick, ...] = ()
    results: tuple[DealResult, ...] = ()

    @property
    def trump(self) -> Suit | None:
        """The suit of the indicator (R6), None before it is shown."""
        return None if self.indicator is None else self.indicator.suit

    @property
    def goat(self) -> Team | None:
        """The team that has lost the match (R21), None while it goes on."""
        return losing_team(self.score, self.options.target)

    @property
    def goat_with_eggs(self) -> bool:
        """Whether the match is over and saw eggs (R21)."""
        return self.goat is not None and self.eggs > 0


@dataclass(frozen=True, slots=True)
class Standing:
    """What of an interrupted match is carried on, between two deals, with another roster.

    - `score`: defeat points of each team (R19), below the target (R21).
    - `eggs`: number of 60-60 deals so far; `doubled`: whether the next deal counts twice (R20).
    - `dealer`: who dealt the last deal, so that the next seat deals now; `leader`: who took its last trick,
      and so leads next, whoever deals (R4).
    """

    score: tuple[int, int]
    eggs: int
    doubled: bool
    dealer: Seat
    leader: Seat


def standing_of(state: State) -> Standing:
    """Where the match stands; raises `ValueError` unless a deal is over and the match is not."""
    if state.phase is not Phase.DEAL_OVER or state.dealer is None or state.leader is None:
        raise ValueError("a match can be gone on with from the end of a deal only")
    return Standing(state.score, state.eggs, state.doubled, state.dealer, state.leader)


def new_match(options: Options, first_leader: Seat | None = None, standing: Standing | None = None) -> State:
    """A match before its first deal; raises `OptionsError` when it cannot begin like this.

    `first_leader` is the winner of the last trick of the match before at the same table, who leads the first
    deal whoever deals (R22). Without it the seat left of the dealer leads (R4). `standing` goes on with a
    match that was broken off between two deals; its deals are counted anew.
    """
    if first_leader is not None and first_leader not in SEATS:
        raise OptionsError(f"the first leader must be a seat from 0 to 3, not {first_leader!r}")
    if standing is None:
        return State(options, leader=first_leader)
    if first_leader is not None:
        raise OptionsError("a match that goes on has its leader already")
    _check_standing(options, standing)
    return State(
        options,
        score=standing.score,
        eggs=standing.eggs,
        doubled=standing.doubled,
        dealer=standing.dealer,
        leader=standing.leader,
    )


def _check_standing(options: Options, standing: Standing) -> None:
    if len(standing.score) != 2 or not all(0 <= points < options.target for points in standing.score):
        raise OptionsError(f"the score of a match that goes on must be below {options.target}")
    if standing.dealer not in SEATS or standing.leader not in SEATS:
        raise OptionsError("dealer and leader must be seats from 0 to 3")
    if standing.eggs < 0 or (standing.doubled and not (standing.eggs and options.eggs is Eggs.DOUBLE)):
        raise OptionsError("the eggs of a match that goes on do not fit its options")


def holding(state: State, seat: Seat) -> Hand:
    """What a seat holds now: its hand at the start of the trick, less its play on the lead that counts."""
    hand = state.hands[seat]
    branch = None if state.trick is None else state.trick.effective
    play = None if branch is None else branch.play_of(seat)
    return hand if play is None else hand.without(play)


def next_drawer(state: State) -> Seat | None:
    """The seat that draws next, clockwise from the taker, one card at a time (R12); None unless drawing."""
    if state.phase is not Phase.DRAWING or state.leader is None:
        return None
    order = [next_seat(state.leader, steps) for steps in range(4)]
    return min(order, key=lambda seat: state.hands[seat].size)
