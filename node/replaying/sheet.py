"""A logged match in words, trick by trick: what is printed where nobody steps through it."""

from __future__ import annotations

from engine import HAND_SIZE, DealRecord, parse_card
from engine.record import PlayRecord, TrickRecord
from node.i18n import tr
from node.words.faults import fault_sentence
from node.words.wording import Wording
from protocol.match import Match

__all__ = ["deal_lines", "hidden_cards", "match_lines"]


def deal_lines(record: DealRecord, wording: Wording, trick: int | None = None) -> list[str]:
    """One deal in words, or of its tricks only one, counted from 1; LookupError if there is no such trick."""
    if trick is not None:
        return [*_heading(record, wording), *_trick_lines(trick, record["tricks"][trick - 1], wording), ""]
    lines = _heading(record, wording)
    for seat, hand in enumerate(record["hands"]):
        cards = _cards(hand, HAND_SIZE, wording)
        lines.append("  " + tr("{name} is dealt {cards}", name=wording.name(seat), cards=cards))
    for number, played in enumerate(record["tricks"], start=1):
        lines += _trick_lines(number, played, wording)
    return [*lines, *("  " + line for line in _outcome(record)), ""]


def match_lines(match: Match, wording: Wording) -> list[str]:
    """How the match came out."""
    state, verdict = match.state, match.verdict
    lines = [tr("Defeat points {first} to {second}.", first=state.score[0], second=state.score[1])]
    if verdict is not None:
        lines.append(fault_sentence(verdict, wording.name(verdict.culprit)))
    elif state.goat is not None:
        pair = tr(" and ").join(wording.names[state.goat :: 2])
        sentence = tr("{pair} are the goat with eggs.") if state.eggs else tr("{pair} are the goat.")
        lines.append(sentence.format(pair=pair))
    else:
        lines.append(tr("The match was not finished."))
    return lines


def hidden_cards(count: int, wording: Wording) -> str:
    """So many cards that nobody was shown."""
    return " ".join(["▒▒" if wording.symbols else "??"] * count)


def _heading(record: DealRecord, wording: Wording) -> list[str]:
    number, dealer = record["number"] + 1, wording.name(record["dealer"])
    lines = [tr("Deal {number}. {dealer} deals.", number=number, dealer=dealer)]
    if record["indicator"]:
        indicator = parse_card(record["indicator"])
        suit, card = wording.suit(indicator.suit), wording.card(indicator)
        lines.append(tr("  Trump {suit}, shown by {card}.", suit=suit, card=card))
    return lines


def _outcome(record: DealRecord) -> list[str]:
    points, defeats = record["points"], record["defeat_points"]
    if points is None or defeats is None:
        return [tr("The deal was not finished.")]
    counted = tr("Card points {first} to {second}.", first=points[0], second=points[1])
    if record["eggs"]:
        return [counted, tr("Eggs: nobody gets defeat points.")]
    return [counted, tr("Defeat points {first} to {second}.", first=defeats[0], second=defeats[1])]


def _trick_lines(number: int, trick: TrickRecord, wording: Wording) -> list[str]:
    lines = [tr("  Trick {number}", number=number)]
    lines += [f"    {_play_line(play, wording)}" for play in trick["plays"]]
    taker = trick["taker"]
    if taker is not None:
        lines.append("    " + tr("{name} takes the trick.", name=wording.name(taker)))
    return lines


def _play_line(play: PlayRecord, wording: Wording) -> str:
    sentences = {
        "lead": tr("{name} leads {cards}"),
        "molodka": tr("{name} leads out of turn, molodka: {cards}"),
        "beat": tr("{name} beats with {cards}"),
        "discard": tr("{name} discards {cards}"),
    }
    cards = _cards(play["cards"], play.get("count", 0), wording)
    line = sentences[play["action"]].format(name=wording.name(play["seat"]), cards=cards)
    return tr("{line} (taken back)", line=line) if play["returned"] else line


def _cards(cards: list[str] | None, count: int, wording: Wording) -> str:
    if cards is None:
        return hidden_cards(count, wording)
    return " ".join(wording.card(parse_card(card)) for card in cards)
