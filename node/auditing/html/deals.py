"""A deal card by card, and who shuffled it."""

from __future__ import annotations

from typing import Any, Final

from engine import HAND_SIZE, SEATS, DealRecord, Eggs, Seat, Suit, next_seat, parse_card
from engine.record import PlayRecord, TrickRecord
from node.auditing.html.elements import Inside, Markup, element, isolated
from node.auditing.html.subject import Subject, cards_shown
from node.i18n import plural, tr
from node.words.sheets import tricks_text

__all__ = ["deals"]

_STAGES: Final = {"deck": "The deck", "stock": "The stock, once trump was shown"}
_PLAYS: Final = {
    "lead": "leads",
    "molodka": "leads out of turn (molodka)",
    "beat": "beats",
    "discard": "discards",
}


def deals(subject: Subject) -> list[Markup]:
    """Every deal of which a card was dealt, then the shuffles of one that was still in preparation."""
    shown = [_deal(subject, deal) for deal in subject.deals]
    after = len(shown)
    if _shuffles(subject, after):
        heading = element("h3", tr("Deal {number}", number=after + 1))
        told = element("p", tr("Its cards were not dealt any more."))
        shown.append(element("section", heading, told, _shuffle_table(subject, after), class_="deal"))
    return shown


def _deal(subject: Subject, deal: DealRecord) -> Markup:
    number = deal["number"]
    trump = parse_card(deal["indicator"]).suit if deal["indicator"] else None
    stock = list(deal["stock"])
    tricks = []
    for place, trick in enumerate(deal["tricks"], start=1):
        due = 0 if trick["taker"] is None else 4 * _count(trick["plays"][-1])
        tricks.append(_trick(subject, place, trick, stock[:due], trump))
        del stock[:due]
    return element(
        "section",
        element("h3", tr("Deal {number}", number=number + 1)),
        [element("p", line) for line in _beginning(subject, deal)],
        _hands(subject, deal, trump),
        element("h4", tr("Tricks")),
        element("div", tricks, class_="tricks") if tricks else element("p", tr("No trick has been played.")),
        [element("p", line, class_="result") for line in _outcome(subject, deal)],
        _shuffle_table(subject, number),
        class_="deal",
        id=f"{subject.anchor}-deal-{number + 1}",
    )


def _beginning(subject: Subject, deal: DealRecord) -> list[str]:
    dealer, leader = subject.name(deal["dealer"]), subject.name(deal["leader"])
    if deal["indicator"] is None:
        return [tr("Deal {number}. {dealer} deals.", number=deal["number"] + 1, dealer=dealer)]
    card = parse_card(deal["indicator"])
    begun = tr(
        "Deal {number}: {name} deals. Trump is {trump}, {card} was shown.",
        number=deal["number"] + 1,
        name=dealer,
        trump=subject.wording.trump(card.suit),
        # Else the mark of a suit would change sides with a digit in Arabic.
        card=isolated(subject.wording.card(card)),
    )
    return [begun, tr("{name} begins.", name=leader)]


def _hands(subject: Subject, deal: DealRecord, trump: Suit | None) -> Markup:
    rows = [
        element(
            "tr",
            element("th", subject.name(seat), scope="row"),
            element("td", cards_shown(deal["hands"][seat], HAND_SIZE, subject.wording, trump)),
        )
        for seat in SEATS
    ]
    return element(
        "table",
        element("caption", tr("Hands as dealt")),
        _heads(tr("Player"), tr("Cards")),
        element("tbody", rows),
        class_="hands",
    )


def _trick(
    subject: Subject, number: int, trick: TrickRecord, drawn: list[str | None], trump: Suit | None
) -> Markup:
    """A trick in the order in which it counts; `drawn` are the cards that were drawn after it."""
    taker = trick["taker"]
    draws: dict[Seat, list[str | None]] = {}
    if taker is not None:
        for place, card in enumerate(drawn):
            draws.setdefault(next_seat(taker, place), []).append(card)
    heads = (tr("Player"), tr("Move"), tr("Cards"), *([tr("Draws")] if draws else []))
    rows = []
    for play in trick["plays"]:
        cells: list[Inside] = [
            element("th", subject.name(play["seat"]), scope="row"),
            element("td", _verb(play)),
            element("td", cards_shown(play["cards"], _count(play), subject.wording, trump)),
        ]
        if draws:
            cells.append(
                element("td", None if play["returned"] else _drawn(subject, draws[play["seat"]], trump))
            )
        rows.append(element("tr", cells, class_=_kind(play, taker)))
    caption = element("caption", _caption(subject, number, trick))
    return element("table", caption, _heads(*heads), element("tbody", rows), class_="trick")


def _drawn(subject: Subject, cards: list[str | None], trump: Suit | None) -> Inside:
    """The cards that a seat drew; of those of a deal that was not finished some are unknown."""
    known = [card for card in cards if card is not None]
    hidden = len(cards) - len(known)
    return [
        cards_shown(known, 0, subject.wording, trump) if known else None,
        cards_shown(None, hidden, subject.wording, trump) if hidden else None,
    ]


def _caption(subject: Subject, number: int, trick: TrickRecord) -> str:
    taker, lead = trick["taker"], next(play for play in trick["plays"] if not play["returned"])
    if taker is None:
        told = tr("Trick {number}, not finished", number=number)
    else:
        told = tr("Trick {number}, taken by {name}", number=number, name=subject.name(taker))
    if lead["seat"] == trick["entitled"]:
        return told
    return told + " · " + tr("{name} was to lead", name=subject.name(trick["entitled"]))


def _verb(play: PlayRecord) -> str:
    verb = tr(_PLAYS[play["action"]])
    return tr("{line} (taken back)", line=verb) if play["returned"] else verb


def _kind(play: PlayRecord, taker: Seat | None) -> str | None:
    if play["returned"]:
        return "returned"
    return "taker" if play["seat"] == taker else None


def _count(play: PlayRecord) -> int:
    cards = play["cards"]
    return play["count"] if cards is None else len(cards)


def _outcome(subject: Subject, deal: DealRecord) -> list[str]:
    points, tricks, lost = deal["points"], deal["tricks_taken"], deal["defeat_points"]
    if points is None or tricks is None or lost is None:
        return [tr("The deal was not finished.")]
    lines = [
        tr(
            "{team}: {points} points, {tricks}.",
            team=subject.pair(team),
            points=points[team],
            tricks=tricks_text(tricks[team]),
        )
        for team in (0, 1)
    ]
    if deal["eggs"]:
        return [*lines, _eggs(subject)]
    loser = 0 if lost[0] else 1
    return [
        *lines,
        plural(
            "{team} get {count} defeat point.",
            "{team} get {count} defeat points.",
            lost[loser],
            team=subject.pair(loser),
        ),
    ]


def _eggs(subject: Subject) -> str:
    """What a deal of 60 to 60 means at this table (R20)."""
    if subject.genesis.options.eggs is Eggs.DOUBLE:
        return tr("Eggs! 60 to 60: no defeat points, but the next deal counts twice.")
    return tr("Eggs! 60 to 60: no defeat points for anybody.")


def _shuffles(subject: Subject, number: int) -> list[dict[str, Any]]:
    """The shuffles of a deal. An event that proves a cheat may name any deal and stage."""
    steps: list[dict[str, Any]] = subject.record["shuffles"]
    return [step for step in steps if step["deal"] == number and step["stage"] in _STAGES]


def _shuffle_table(subject: Subject, number: int) -> Inside:
    steps = _shuffles(subject, number)
    if not steps:
        return None
    rows = [
        element(
            "tr",
            element("td", tr(_STAGES[step["stage"]])),
            element("th", subject.name(step["seat"]), scope="row"),
            element("td", element("code", step["event"])),
        )
        for step in steps
    ]
    return element(
        "table",
        element("caption", tr("Who shuffled, one after the other")),
        _heads(tr("What"), tr("Player"), tr("Event with the proof")),
        element("tbody", rows),
        class_="shuffles",
    )


def _heads(*names: str) -> Markup:
    return element("thead", element("tr", [element("th", name, scope="col") for name in names]))
