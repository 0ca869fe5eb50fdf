"""`kozel replay`: a logged match with all cards open, for people or as a match record."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from engine.record import DealRecord, PlayRecord, TrickRecord
from node.errors import LogUnreadable
from node.i18n import tr
from node.storage.logs import open_log
from node.words.faults import fault_sentence
from protocol.audit import Audit, audit_log, deal_records, match_summary
from protocol.match import Match

__all__ = ["replay_file"]

_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def replay_file(file: Path, *, deal: int | None, as_json: bool) -> int:
    """Print the match; exit code 0, or 2 when the log is not whole or not sound, which is said."""
    with open_log(file) as stream:
        audit = audit_log(stream)
    match = audit.match
    if match is None:
        raise LogUnreadable(tr("{file} cannot be replayed: {reason}", file=file, reason=audit.problems[0]))
    deals = deal_records(match)
    if deal is not None:
        if deal > len(deals):
            raise LogUnreadable(
                tr("The match has {count} deals; there is no deal {deal}.", count=len(deals), deal=deal)
            )
        deals = [deals[deal - 1]]
    if as_json:
        print(json.dumps({**match_summary(match), "deals": deals}, ensure_ascii=False))
    else:
        names = [member.name for member in match.genesis.roster]
        print("\n".join(line for record in deals for line in deal_lines(record, names)))
        print("\n".join(_ending(match, names)))
    return _report_gaps(audit)


def deal_lines(record: DealRecord, names: list[str]) -> list[str]:
    """One deal, trick by trick, in words."""
    lines = [
        tr("Deal {number}. {dealer} deals.", number=record["number"] + 1, dealer=names[record["dealer"]]),
    ]
    if record["indicator"]:
        lines.append(
            tr(
                "  Trump {suit}, shown by {card}.",
                suit=_SUITS[record["trump"] or ""],
                card=_card(record["indicator"]),
            )
        )
    for seat, hand in enumerate(record["hands"]):
        lines.append("  " + tr("{name} is dealt {cards}", name=names[seat], cards=_cards(hand, 4)))
    for number, trick in enumerate(record["tricks"], start=1):
        lines += _trick_lines(number, trick, names)
    points, defeats = record["points"], record["defeat_points"]
    if points is None or defeats is None:
        return [*lines, "  " + tr("The deal was not finished."), ""]
    lines.append("  " + tr("Card points {first} to {second}.", first=points[0], second=points[1]))
    if record["eggs"]:
        lines.append("  " + tr("Eggs: nobody gets defeat points."))
    else:
        lines.append("  " + tr("Defeat points {first} to {second}.", first=defeats[0], second=defeats[1]))
    return [*lines, ""]


def _trick_lines(number: int, trick: TrickRecord, names: list[str]) -> list[str]:
    lines = [tr("  Trick {number}", number=number)]
    lines += [f"    {_play_line(play, names)}" for play in trick["plays"]]
    taker = trick["taker"]
    if taker is not None:
        lines.append("    " + tr("{name} takes the trick.", name=names[taker]))
    return lines


def _play_line(play: PlayRecord, names: list[str]) -> str:
    sentences = {
        "lead": tr("{name} leads {cards}"),
        "molodka": tr("{name} leads out of turn, molodka: {cards}"),
        "beat": tr("{name} beats with {cards}"),
        "discard": tr("{name} discards {cards}"),
    }
    cards = _cards(play["cards"], play.get("count", 0))
    line = sentences[play["action"]].format(name=names[play["seat"]], cards=cards)
    return tr("{line} (taken back)", line=line) if play["returned"] else line


def _ending(match: Match, names: list[str]) -> list[str]:
    state, verdict = match.state, match.verdict
    lines = [tr("Defeat points {first} to {second}.", first=state.score[0], second=state.score[1])]
    if verdict is not None:
        lines.append(fault_sentence(verdict, names[verdict.culprit]))
    elif state.goat is not None:
        pair = tr(" and ").join(names[state.goat :: 2])
        sentence = tr("{pair} are the goat with eggs.") if state.eggs else tr("{pair} are the goat.")
        lines.append(sentence.format(pair=pair))
    else:
        lines.append(tr("The match was not finished."))
    return lines


def _report_gaps(audit: Audit) -> int:
    for problem in audit.problems:
        print(problem, file=sys.stderr)
    return 2 if audit.problems else 0


def _card(text: str) -> str:
    rank = "10" if text[0] == "T" else text[0]
    return rank + _SUITS[text[1]]


def _cards(cards: list[str] | None, count: int) -> str:
    return " ".join(map(_card, cards)) if cards is not None else " ".join(["▒▒"] * count)
