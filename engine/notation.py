"""One line of text for each action.

    deal 2 6c7d8hAs ???????? ???????? ????????    dealer, then the hands of seats 0 to 3
    indicate 7h
    lead 3 9cJc
    molodka 1 6c7c8cKc
    beat 0 KcTc on 3
    discard 1 6hAs on 3
    draw 0 Ah
    open 1 4 6hAs                                 seat, trick of the deal from 0, cards

A card that the observer does not see is written ??, so a discard keeps its count.
"""

import re
from collections.abc import Callable

from engine.actions import Action, Beat, Deal, Discard, Draw, Indicate, Lead, Molodka, Open
from engine.cards import HAND_SIZE, Card, Cards, Seat, cards_text, parse_card
from engine.errors import NotationError

HIDDEN = "??"
_NUMBER = re.compile(r"0|[1-9][0-9]?")


def format_action(action: Action) -> str:
    """The line for an action; `parse_action` gives the same action back."""
    match action:
        case Deal(dealer, hands):
            return f"deal {dealer} " + " ".join(_cards_or_hidden(hand, HAND_SIZE) for hand in hands)
        case Indicate(card):
            return f"indicate {card}"
        case Lead(seat, cards):
            return f"lead {seat} {cards_text(cards)}"
        case Molodka(seat, cards):
            return f"molodka {seat} {cards_text(cards)}"
        case Beat(seat, cards, on):
            return f"beat {seat} {cards_text(cards)} on {on}"
        case Discard(seat, count, known, on):
            return f"discard {seat} {_cards_or_hidden(known, count)} on {on}"
        case Draw(seat, drawn):
            return f"draw {seat} {HIDDEN if drawn is None else drawn}"
        case Open(seat, trick, cards):
            return f"open {seat} {trick} {cards_text(cards)}"


def parse_action(line: str) -> Action:
    """The action written in a line; raises `NotationError` with the reason when the line is malformed.

    Whether the action is allowed is not looked at: that depends on the state of the game.
    """
    words = line.split()
    if not words:
        raise NotationError("an empty line is no action")
    verb, *arguments = words
    if verb not in _FORMS:
        raise NotationError(f"unknown action {verb!r}: one of {', '.join(_FORMS)} was expected")
    form, build = _FORMS[verb]
    if len(arguments) != len(form.split()):
        raise NotationError(f"{line.strip()!r} is malformed: {verb} is written '{verb} {form}'")
    return build(*arguments)


def _cards_or_hidden(cards: Cards | None, count: int) -> str:
    return HIDDEN * count if cards is None else cards_text(cards)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"{text!r} is not a number from 0 to 99")
    return int(text)


def _seat(text: str) -> Seat:
    if text not in ("0", "1", "2", "3"):
        raise NotationError(f"{text!r} is not a seat: 0, 1, 2 or 3 was expected")
    return int(text)


def _cards(text: str) -> Cards:
    if not text or len(text) % 2:
        raise NotationError(f"{text!r} is not a row of cards of two characters each")
    return tuple(parse_card(text[start : start + 2]) for start in range(0, len(text), 2))


def _some_cards(text: str) -> tuple[int, Cards | None]:
    """Their number, and the cards unless they are hidden."""
    if text and text == HIDDEN * (len(text) // 2):
        return len(text) // 2, None
    cards = _cards(text)
    return len(cards), cards


def _hand(text: str) -> Cards | None:
    count, cards = _some_cards(text)
    if count != HAND_SIZE:
        raise NotationError(f"{text!r} is not a hand of {HAND_SIZE} cards")
    return cards


def _deal(dealer: str, *hands: str) -> Deal:
    first, second, third, fourth = map(_hand, hands)
    return Deal(_seat(dealer), (first, second, third, fourth))


def _answered(word: str, seat: str) -> Seat:
    if word != "on":
        raise NotationError(f"{word!r} stands where 'on' and the seat that is answered were expected")
    return _seat(seat)


def _discard(seat: str, text: str, word: str, on: str) -> Discard:
    count, cards = _some_cards(text)
    return Discard(_seat(seat), count, cards, _answered(word, on))


def _draw(seat: str, text: str) -> Draw:
    card: Card | None = None if text == HIDDEN else parse_card(text)
    return Draw(_seat(seat), card)


_FORMS: dict[str, tuple[str, Callable[..., Action]]] = {
    "deal": ("DEALER HAND HAND HAND HAND", _deal),
    "indicate": ("CARD", lambda card: Indicate(parse_card(card))),
    "lead": ("SEAT CARDS", lambda seat, cards: Lead(_seat(seat), _cards(cards))),
    "molodka": ("SEAT CARDS", lambda seat, cards: Molodka(_seat(seat), _cards(cards))),
    "beat": (
        "SEAT CARDS on SEAT",
        lambda seat, cards, word, on: Beat(_seat(seat), _cards(cards), _answered(word, on)),
    ),
    "discard": ("SEAT CARDS on SEAT", _discard),
    "draw": ("SEAT CARD", _draw),
    "open": ("SEAT TRICK CARDS", lambda seat, trick, cards: Open(_seat(seat), _number(trick), _cards(cards))),
}
