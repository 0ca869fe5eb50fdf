"""What the rules allow. One predicate, `check`, stands behind `legal_actions` and `apply` alike.

It has two parts. `check_insertable` refuses what no view of the table could make legal. The rest of `check`
is about which lead counts (R14, R15), and that depends on how much of the trick a player has seen: a play
which was right when its author made it may reach us when a nearer molodka has already taken its place.
"""

from collections.abc import Iterator
from itertools import combinations

from engine.actions import Action, Answer, Beat, Deal, Discard, Draw, Indicate, Lead, Molodka, Open, Play
from engine.cards import HAND_SIZE, SEATS, Cards, Seat, cards_text, next_seat, set_beats
from engine.errors import IllegalAction, UnknownHandError
from engine.options import MolodkaRule
from engine.state import Hand, Phase, State, holding, next_drawer
from engine.trick import Branch, Trick
from engine.whereabouts import check_discarded, check_distinct, check_from_stock, check_held

# The rule that says what each phase is waiting for.
_PHASE_RULES = {
    Phase.DEALING: "R4",
    Phase.INDICATING: "R6",
    Phase.PLAYING: "R7",
    Phase.DRAWING: "R12",
    Phase.OPENING: "R18",
    Phase.DEAL_OVER: "R4",
    Phase.MATCH_OVER: "R21",
}


def check(state: State, action: Action) -> None:
    """Raise `IllegalAction` unless the rules allow this action now, as far as this observer can tell."""
    # That its lead does not count any more is said first of an answer: nothing else matters then.
    if isinstance(action, (Beat, Discard)):
        _check_answer_counts(current_trick(state), action)
    check_insertable(state, action)
    match action:
        case Lead(seat, cards):
            _check_lead_counts(current_trick(state), seat, cards)
        case Molodka(seat):
            _check_claim_counts(current_trick(state), seat)


def check_insertable(state: State, action: Action) -> None:
    """Raise `IllegalAction` unless this action may have been allowed in what its author had seen.

    For plays of the current trick the author's view may be smaller than `state`; it holds the author's own
    plays and those of the branch that is answered. All else is checked as in `check`.
    """
    match action:
        case Lead():
            _check_lead(state, current_trick(state), action)
        case Molodka():
            _check_molodka(state, current_trick(state), action)
        case Beat() | Discard():
            _check_answer(state, current_trick(state), action)
        case Deal():
            _check_deal(state, action)
        case Indicate(card):
            _check_phase(state, Phase.INDICATING)
            check_from_stock(state, card)
        case Draw():
            _check_draw(state, action)
        case Open():
            _check_open(state, action)


def current_trick(state: State) -> Trick:
    """The trick that is being played; raises `IllegalAction` in any other phase."""
    _check_phase(state, Phase.PLAYING)
    assert state.trick is not None
    return state.trick


def _check_phase(state: State, *allowed: Phase) -> None:
    if state.phase not in allowed:
        raise IllegalAction("wrong-phase", rule=_PHASE_RULES[state.phase], phase=state.phase.value)


def _check_seat(seat: Seat) -> None:
    if seat not in SEATS:
        raise IllegalAction("no-such-seat", seat=seat)


# Which lead counts (R14, R15)


def _check_lead_counts(trick: Trick, seat: Seat, cards: Cards) -> None:
    branch = trick.effective
    # Only a lead of four outdoes the molodka that already stands.
    if branch is not None and len(cards) < HAND_SIZE:
        raise IllegalAction("lead-taken", seat=seat, holder=branch.leader)


def _check_claim_counts(trick: Trick, seat: Seat) -> None:
    branch = trick.effective
    right = trick.right_to_lead(seat, HAND_SIZE)
    if branch is not None and trick.right_to_lead(branch.leader, len(branch.cards)) > right:
        raise IllegalAction("claim-lost", seat=seat, holder=branch.leader)


def _check_answer_counts(trick: Trick, answer: Answer) -> None:
    branch = trick.effective
    if branch is not None and branch.leader != answer.on and trick.branch_of(answer.on) is not None:
        raise IllegalAction("lead-superseded", on=answer.on, holder=branch.leader)


# Plays


def _check_one_suit(cards: Cards) -> None:
    if len({card.suit for card in cards}) > 1:
        raise IllegalAction("mixed-suits", cards=cards_text(cards))


def _check_can_open(trick: Trick, seat: Seat) -> None:
    if trick.has_played(seat):
        raise IllegalAction("already-acted", seat=seat)


def _check_lead(state: State, trick: Trick, lead: Lead) -> None:
    _check_seat(lead.seat)
    if lead.seat != trick.entitled:
        raise IllegalAction("not-your-lead", seat=lead.seat, entitled=trick.entitled)
    _check_can_open(trick, lead.seat)
    most = state.hands[lead.seat].size
    if not 1 <= len(lead.cards) <= most:
        raise IllegalAction("wrong-count", rule="R7", needed=f"1 to {most}", given=len(lead.cards))
    _check_one_suit(lead.cards)
    check_held(state, lead.seat, lead.cards)


def _check_molodka(state: State, trick: Trick, molodka: Molodka) -> None:
    _check_seat(molodka.seat)
    _check_may_open_out_of_turn(state, trick, molodka.seat)
    if len(molodka.cards) != HAND_SIZE or state.hands[molodka.seat].size != HAND_SIZE:
        raise IllegalAction("not-four", given=min(len(molodka.cards), state.hands[molodka.seat].size))
    _check_one_suit(molodka.cards)
    check_held(state, molodka.seat, molodka.cards)


def _check_may_open_out_of_turn(state: State, trick: Trick, seat: Seat) -> None:
    if state.options.molodka is MolodkaRule.OFF:
        raise IllegalAction("molodka-off")
    if seat == trick.entitled:
        raise IllegalAction("out-of-turn-only", seat=seat)
    _check_can_open(trick, seat)


def _check_answer(state: State, trick: Trick, answer: Answer) -> None:
    _check_seat(answer.seat)
    branch = trick.branch_of(answer.on)
    if branch is None:
        raise IllegalAction("no-such-lead", on=answer.on)
    if branch.awaited != answer.seat:
        raise IllegalAction("not-your-turn", seat=answer.seat)
    counts = {answer.count} if isinstance(answer, Discard) else set()
    counts |= {len(answer.cards)} if answer.cards is not None else set()
    if counts != {len(branch.cards)}:
        raise IllegalAction("wrong-count", needed=len(branch.cards), given=max(counts - {len(branch.cards)}))
    if answer.cards is not None:
        check_held(state, answer.seat, answer.cards)
    if isinstance(answer, Beat):
        _check_beats(state, branch, answer)


def _check_beats(state: State, branch: Branch, beat: Beat) -> None:
    assert state.trump is not None
    _, best = branch.best
    if not set_beats(beat.cards, best, state.trump):
        raise IllegalAction("does-not-beat", cards=cards_text(beat.cards), best=cards_text(best))


# Everything else


def _check_deal(state: State, deal: Deal) -> None:
    _check_phase(state, Phase.DEALING, Phase.DEAL_OVER)
    _check_seat(deal.dealer)
    if state.dealer is not None and deal.dealer != next_seat(state.dealer):
        raise IllegalAction("not-the-dealer", dealer=next_seat(state.dealer), seat=deal.dealer)
    for seat, hand in enumerate(deal.hands):
        if hand is not None and len(hand) != HAND_SIZE:
            raise IllegalAction("bad-hand", seat=seat, given=len(hand))
    check_distinct(tuple(sorted(card for hand in deal.hands for card in hand or ())))


def _check_draw(state: State, draw: Draw) -> None:
    _check_phase(state, Phase.DRAWING)
    _check_seat(draw.seat)
    drawer = next_drawer(state)
    if draw.seat != drawer:
        raise IllegalAction("not-your-draw", drawer=drawer, seat=draw.seat)
    if draw.card is not None:
        check_from_stock(state, draw.card)


def _check_open(state: State, opening: Open) -> None:
    _check_phase(state, Phase.OPENING)
    _check_seat(opening.seat)
    trick = state.tricks[opening.trick] if 0 <= opening.trick < len(state.tricks) else None
    branch = None if trick is None else trick.effective
    discard = None if branch is None else branch.play_of(opening.seat)
    if not isinstance(discard, Discard):
        raise IllegalAction("nothing-to-open", seat=opening.seat, trick=opening.trick)
    if discard.cards is not None:
        raise IllegalAction("already-open", seat=opening.seat, trick=opening.trick)
    if len(opening.cards) != discard.count:
        raise IllegalAction("wrong-count", rule="R10", needed=discard.count, given=len(opening.cards))
    check_discarded(state, opening.seat, opening.trick, opening.cards)


# What a player may do


def turn(state: State) -> Seat | None:
    """The seat whose ordinary play is awaited (R7, R8), None unless a trick is being played."""
    return state.trick.turn if state.phase is Phase.PLAYING and state.trick is not None else None


def may_claim(state: State, seat: Seat) -> bool:
    """Whether a seat may now take the lead with four of a suit (R13 to R16), as far as this view tells.

    True for the entitled seat only when somebody's molodka stands, which its own four outdo (R15); its
    ordinary lead is no claim. In a view that does not hold the whole hand, True means that the rules and the
    known cards leave the claim open.
    """
    if state.phase is not Phase.PLAYING or state.trick is None or not _could_be_four(holding(state, seat)):
        return False
    trick = state.trick
    if seat == trick.entitled:
        return trick.effective is not None and not trick.has_played(seat)
    try:
        _check_claim_counts(trick, seat)
        _check_may_open_out_of_turn(state, trick, seat)
    except IllegalAction:
        return False
    return True


def legal_actions(state: State, seat: Seat) -> list[Play]:
    """Every play that a seat may make now, out of turn included; empty when it may make none.

    A set that can beat is listed twice, as a `Beat` and as a `Discard`, since the choice is the player's
    (R8). Raises `UnknownHandError` when the seat's hand is not fully known in this view.
    """
    if state.phase is not Phase.PLAYING:
        return []
    if state.hands[seat].unknown:
        raise UnknownHandError(f"the hand of seat {seat} is not known in this view")
    return [play for play in _candidates(state, seat) if _is_legal(state, play)]


def _is_legal(state: State, play: Play) -> bool:
    try:
        check(state, play)
    except IllegalAction:
        return False
    return True


def _could_be_four(hand: Hand) -> bool:
    return hand.size == HAND_SIZE and len({card.suit for card in hand.known}) <= 1


def _candidates(state: State, seat: Seat) -> Iterator[Play]:
    """All plays worth asking about: each set of the hand's cards in each way that it could be meant."""
    trick = current_trick(state)
    hand = sorted(state.hands[seat].known)
    if not trick.has_played(seat):
        if seat == trick.entitled:
            for size in range(1, len(hand) + 1):
                yield from (Lead(seat, cards) for cards in combinations(hand, size))
        else:
            yield Molodka(seat, tuple(hand))
    branch = trick.effective
    if branch is not None and branch.awaited == seat:
        for cards in combinations(hand, len(branch.cards)):
            yield Beat(seat, cards, branch.leader)
            yield Discard(seat, len(cards), cards, branch.leader)
