"""The table as text: a pure function of what the seat may see."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from engine import (
    SEATS,
    Beat,
    Branch,
    Discard,
    Play,
    Seat,
    State,
    Trick,
    distance,
    holding,
    next_seat,
    partner_of,
    team_of,
    turn,
)
from node.i18n import plural, tr
from node.terminal.choices import Group, choice_lines
from node.words.sheets import score_line
from node.words.wording import Wording
from protocol.genesis import fingerprint

__all__ = [
    "check_lines",
    "deal_line",
    "decision_lines",
    "hand_line",
    "help_lines",
    "last_trick_lines",
    "seat_lines",
    "table_lines",
    "tricks_line",
]


def seat_lines(wording: Wording) -> list[str]:
    """Who sits where, clockwise from the reader, and who plays with whom."""
    me = wording.seat
    left, right = wording.name(next_seat(me)), wording.name(next_seat(me, 3))
    return [
        tr(
            "You are {name}. Your partner is {partner}.",
            name=wording.name(me),
            partner=wording.name(partner_of(me)),
        ),
        tr(
            "{left} sits on your left and plays after you, {right} sits on your right.",
            left=left,
            right=right,
        ),
    ]


def check_lines(match_id: bytes) -> list[str]:
    """What all four can compare aloud to know that they sit at one and the same table (§3.4)."""
    return [
        tr("All four should see the same check words (compare them once, aloud):"),
        f"  {fingerprint(match_id)}",
    ]


def table_lines(state: State, wording: Wording) -> list[str]:
    """Score, deal, trump, stock, tricks taken, and the trick seat by seat."""
    wording = wording.under(state)
    return [
        score_line(state, wording),
        deal_line(state, wording),
        tricks_line(state, wording),
        *_shown_lines(state, wording),
        "",
        *_trick_lines(state, wording),
        "",
        hand_line(state, wording),
    ]


def decision_lines(state: State, groups: Sequence[Group], wording: Wording, width: int) -> list[str]:
    """The table, and the numbered choices."""
    return [*table_lines(state, wording), "", *choice_lines(groups, wording.under(state), width)]


def deal_line(state: State, wording: Wording) -> str:
    """Deal, dealer and trump."""
    if state.dealer is None or state.indicator is None:
        return tr("The cards are not dealt yet.")
    dealt = (
        tr("you dealt") if state.dealer == wording.me else tr("{name} dealt", name=wording.name(state.dealer))
    )
    return tr(
        "Deal {number}, {dealt}. Trump: {trump} ({card} was shown).",
        number=state.deal_number + 1,
        dealt=dealt,
        trump=wording.trump(state.indicator.suit),
        card=wording.card(state.indicator),
    )


def hand_line(state: State, wording: Wording) -> str:
    """The reader's cards by suit, trump last and named as such."""
    wording = wording.under(state)
    known = holding(state, wording.seat).known
    plain = [card for card in known if card.suit is not state.trump]
    suits = [
        wording.cards(card for card in plain if card.suit is suit)
        for suit in sorted({card.suit for card in plain})
    ]
    trumps = wording.cards(card for card in known if card.suit is state.trump)
    parts = [*suits, *([tr("trump {cards}", cards=trumps)] if trumps else [])]
    return tr("Your hand:  {cards}", cards="   ".join(parts) if parts else tr("no cards"))


def last_trick_lines(state: State, wording: Wording) -> list[str]:
    """The last finished trick, its open cards only (R10)."""
    wording = wording.under(state)
    if not state.tricks:
        return [tr("No trick has been taken in this deal yet.")]
    trick = state.tricks[-1]
    branch, taker = trick.effective, trick.taker
    if branch is None or taker is None:
        return []
    label = tr("you") if taker == wording.me else wording.name(taker)
    heading = tr("Trick {number}, taken by {taker}:", number=len(state.tricks), taker=label)
    return [heading, *_branch_lines(branch, wording)]


def help_lines() -> list[str]:
    """Everything that can be typed."""
    return [
        tr("Type the number of a choice and press Enter. Or name the cards:"),
        tr("  9c Jc            c clubs, d diamonds, h hearts, s spades; 6 7 8 9 J Q K 10 A"),
        tr("  beat 10c 6h      play higher cards, face up"),
        tr("  discard 6d       give cards face down"),
        tr("  m                molodka: lead four of one suit out of turn"),
        tr("Other words:"),
        tr("  hand   your cards          score  all deals so far"),
        tr("  table  the table again     last   the last trick"),
        tr("  help   this                quit   leave the table"),
        tr("  hint   what a strong bot would play, and why"),
        tr("  gone NAME        play this deal on without a player who does not come back"),
        tr("Between two deals: quit, and kozel go-on lets somebody else take that seat."),
        tr("From low to high: 6 7 8 9 J Q K 10 A. Any trump is higher than any other suit."),
        tr("Points: A 11, 10 10, K 4, Q 3, J 2, 120 in all. A team needs 61 to win the deal."),
    ]


def tricks_line(state: State, wording: Wording) -> str:
    """Tricks taken by each team, and the stock."""
    ours = team_of(wording.seat)
    taken = [0, 0]
    for trick in state.tricks:
        if trick.taker is not None:
            taken[team_of(trick.taker)] += 1
    return tr(
        "Tricks taken: you {ours}, they {theirs}. Stock: {stock}.",
        ours=taken[ours],
        theirs=taken[1 - ours],
        stock=plural("{count} card", "{count} cards", state.stock) if state.stock else tr("empty"),
    )


def _shown_lines(state: State, wording: Wording) -> list[str]:
    """What others showed in a lead that did not stand, and still hold (R14), or what lies open of a hand."""
    lines = []
    for seat in SEATS:
        hand = holding(state, seat)
        seen = hand.seen if hand.unknown else hand.known
        if seat != wording.me and seen:
            cards = wording.cards(seen)
            lines.append(
                tr("{name} still holds, as all have seen: {cards}", name=wording.name(seat), cards=cards)
            )
    return lines


def _trick_lines(state: State, wording: Wording) -> list[str]:
    trick = state.trick
    if trick is None:
        return [tr("No trick is being played.")]
    number = len(state.tricks) + 1
    branch = trick.effective
    if branch is None:
        return [_lead_line(trick, number, wording)]
    count = len(branch.cards)
    if branch.is_molodka:
        heading = tr(
            "Trick {number}, led out of turn (molodka), {count} cards each:", number=number, count=count
        )
    else:
        heading = plural(
            "Trick {number}, one card each:", "Trick {number}, {count} cards each:", count, number=number
        )
    return [heading, *_branch_lines(branch, wording, awaited=turn(state))]


def _lead_line(trick: Trick, number: int, wording: Wording) -> str:
    if trick.entitled == wording.me:
        return tr("Trick {number}: you lead, 1 to 4 cards of one suit.", number=number)
    return tr("Trick {number}: {name} leads.", number=number, name=wording.name(trick.entitled))


def _branch_lines(branch: Branch, wording: Wording, awaited: Seat | None = None) -> list[str]:
    """One line a seat in the order of play, the best set marked in words."""
    wide = max(cell_len(wording.label(seat)) for seat in SEATS)
    lines = []
    for seat in sorted(SEATS, key=lambda seat: distance(branch.leader, seat)):
        label = wording.label(seat)
        padded = label + " " * (wide - cell_len(label))
        what = _what(branch, seat, awaited, wording)
        lines.append(f"  {padded}  {what}")
    return lines


def _what(branch: Branch, seat: Seat, awaited: Seat | None, wording: Wording) -> str:
    play = branch.play_of(seat)
    if play is None:
        if seat != awaited:
            return tr("still to play")
        needed = len(branch.cards)
        return plural("to play now: need 1 card", "to play now: need {count} cards", needed)
    return _played(play, wording) + (tr("  <-- best") if branch.best[0] == seat else "")


def _played(play: Play, wording: Wording) -> str:
    match play:
        case Discard(count=count):
            return plural("discard: 1 card face down", "discard: {count} cards face down", count)
        case Beat(cards=cards):
            return tr("beat: {cards}", cards=wording.cards(cards))
        case _:
            return tr("lead: {cards}", cards=wording.cards(play.cards))
