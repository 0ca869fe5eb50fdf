"""What is played for a seat whose player has vanished: a fixed public rule, the same for everybody.

The three others have made the seat's cards public, and the deal is played to its end. Nodes may know
different sets of concurrent plays of a trick (see `engine.trick`). So an answer depends on its branch alone:
the lead, the answers before it, trump, and the seat's hand at the start of the trick. All who know a branch
agree on it.
"""

from collections.abc import Iterator
from itertools import combinations

from engine.actions import Answer, Beat, Discard, Lead, Play
from engine.cards import Card, Cards, Seat, Suit, partner_of, set_beats
from engine.errors import UnknownHandError
from engine.state import Phase, State
from engine.transition import insert
from engine.trick import Branch, Trick


def absent_plays(state: State, seat: Seat) -> tuple[State, tuple[Play, ...]]:
    """The state with everything that the absent seat plays by the fixed rule, and those plays in order.

    1. If it is entitled to lead and nobody has led yet, not even out of turn, it leads its least costly card.
    2. In every branch that awaits it, whether that branch counts or not, it answers at once; only not in
       those weaker than a branch that it has opened itself while it was there (R15, R16). If its partner owns
       the best set, it discards the least costly set; else it beats with the least costly set that beats; if
       none does, it discards the least costly set.
    3. It never leads out of turn, and never takes its lead back with four of a suit.

    Of two sets of equal size the one with fewer card points (R3) is less costly; then the one with fewer
    trumps; then the one with the smaller sum of ranks (`Rank`, 0 for a six to 8 for an ace, also of trumps);
    then the one whose places in `DECK`, in ascending order, come first as a sequence.

    Outside `Phase.PLAYING` nothing is played. Nor is anything to a trick that begins when this one is
    finished: ask again. For the result not to depend on the order of the others' plays, ask when the trick
    begins and after each play. Raises `UnknownHandError` unless the seat's whole hand is known in `state`.
    """
    number, plays = len(state.tricks), []
    while state.phase is Phase.PLAYING and len(state.tricks) == number:
        play = next(_due(state, seat), None)
        if play is None:
            break
        state = insert(state, play)
        plays.append(play)
    return state, tuple(plays)


def _due(state: State, seat: Seat) -> Iterator[Play]:
    """What the seat has to play now. Weak branches come first: the strongest one may finish the trick."""
    trick, trump, hand = state.trick, state.trump, state.hands[seat]
    if trick is None or trump is None:
        return
    if hand.unknown:
        raise UnknownHandError(f"the hand of seat {seat} is not known in this view")
    if trick.entitled == seat and not trick.branches:
        yield Lead(seat, _sets(hand.known, 1, trump)[0])
    for branch in _branches_to_answer(trick, seat):
        if branch.awaited == seat:
            yield _answer(branch, seat, hand.known, trump)


def _branches_to_answer(trick: Trick, seat: Seat) -> tuple[Branch, ...]:
    """A seat that opens a branch plays in no weaker one (R16), or the trick could not be played again."""
    own = trick.branch_of(seat)
    return trick.branches if own is None else trick.branches[trick.branches.index(own) :]


def _answer(branch: Branch, seat: Seat, hand: frozenset[Card], trump: Suit) -> Answer:
    """Beat as cheaply as can be, but not the partner; else discard as cheaply as can be."""
    sets = _sets(hand, len(branch.cards), trump)
    owner, best = branch.best
    if owner != partner_of(seat):
        for cards in sets:
            if set_beats(cards, best, trump):
                return Beat(seat, cards, branch.leader)
    return Discard(seat, len(sets[0]), sets[0], branch.leader)


def _sets(hand: frozenset[Card], size: int, trump: Suit) -> list[Cards]:
    """All sets of so many cards of a hand, the least costly first."""

    def cost(cards: Cards) -> tuple[int, int, int, Cards]:
        trumps = sum(card.suit == trump for card in cards)
        return sum(card.points for card in cards), trumps, sum(card.rank for card in cards), cards

    # Cards are ordered as in the deck, and so are the cards of each set.
    return sorted(combinations(sorted(hand), size), key=cost)
