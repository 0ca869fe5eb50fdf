"""Why a play is not possible, in plain words: one sentence for each code of the engine and the protocol."""

from __future__ import annotations

import re
from typing import Final

from engine import SEATS, IllegalAction, parse_card
from node.i18n import tr
from node.words.wording import Wording
from protocol.errors import PlayRefused

__all__ = ["SENTENCES", "refusal_sentence"]

_CARDS: Final = re.compile(r"[6-9TJQKA][cdhs]")
_SEATS: Final = ("seat", "holder", "entitled", "dealer", "drawer", "on")

SENTENCES: dict[str, str] = {
    "already-acted": "You have already played in this trick, so you cannot open it any more.",
    "already-open": "These discards have been opened already.",
    "already-played": "{card} has already been played in this deal.",
    "bad-hand": "A hand is dealt four cards.",
    "card-not-held": "You do not have {card}.",
    "claim-lost": "{holder} has led four of a suit too and sits nearer to the lead, so yours does not count.",
    "does-not-beat": "{cards} does not beat {best}: each needs a higher card of its suit, or a trump.",
    "held-elsewhere": "You do not have {card}: it is {holder}'s.",
    "in-stock": "You cannot have {card}: it was shown and went back into the stock.",
    "lead-superseded": "{holder} has taken over the lead; answer that one.",
    "lead-taken": "{holder} has led four of one suit. Only four of one suit can take the lead back.",
    "mixed-suits": "All cards of a lead must be of one suit.",
    "molodka-off": "Leading out of turn (molodka) is switched off at this table.",
    "no-such-lead": "Nothing has been led yet.",
    "no-such-seat": "There is no such seat.",
    "not-four": "Out of turn you may lead only four cards of one suit, with four cards in hand.",
    "not-listed": "Name the cards that you want to play.",
    "match-stopped": "A fault is proven, so the match has stopped.",
    "not-losable": "This player cannot be declared gone now.",
    "recovering": "One moment, your computer still asks the others what you have played already.",
    "not-the-dealer": "It is {dealer}'s turn to deal.",
    "not-your-draw": "It is {drawer}'s turn to draw.",
    "not-your-lead": "{entitled} leads this trick.",
    "not-your-seat": "You can only play your own cards.",
    "not-your-turn": "It is not your turn.",
    "nothing-to-open": "There is no discard to open.",
    "out-of-turn-only": "It is your lead anyway: just lead the cards.",
    "repeated-card": "You have named {card} twice.",
    "seat-lost": "A player is gone: wait until the cards are handed over, or for the next deal if it is you.",
    "shown-later": "{card} was still in hand after that trick.",
    "wrong-count": "You named {given}, but the number of cards needed is {needed}.",
    "wrong-phase": "Nothing can be played at this moment. Wait until the trick begins.",
}


def refusal_sentence(refused: PlayRefused, wording: Wording) -> str:
    """The reason for people, with the names, cards and numbers of this case."""
    cause = refused.__cause__
    params = cause.params if isinstance(cause, IllegalAction) else {}
    return tr(SENTENCES[refused.code], **{key: _shown(key, value, wording) for key, value in params.items()})


def _shown(key: str, value: object, wording: Wording) -> object:
    if key in _SEATS and isinstance(value, int) and value in SEATS:
        return wording.name(value)
    if isinstance(value, str) and _CARDS.sub("", value) == "":
        return wording.cards(parse_card(text) for text in _CARDS.findall(value))
    return value
