"""`kozel replay`: a logged match with all cards open, to step through, as text, or as a match record."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import typer
from rich.console import Console

from engine import SEATS, DealRecord
from node.errors import LogUnreadable
from node.i18n import tr
from node.replaying.player import Player
from node.replaying.sheet import deal_lines, match_lines
from node.replaying.story import tell
from node.storage.logs import open_log
from node.terminal.screen import Screen
from node.words.findings import about_match, conclusion
from node.words.problems import problem_sentences
from node.words.wording import SYMBOLS, Wording, distinct
from protocol.audit import Audit, audit_log, deal_records, match_summary
from protocol.match import Match

__all__ = ["replay_file"]


def replay_file(
    file: Path,
    *,
    deal: int | None = None,
    trick: int | None = None,
    as_json: bool = False,
    as_text: bool = False,
) -> int:
    """Show the match; exit code 0, or 2 when the log is not whole or not sound, which is said.

    Who sits at a terminal steps through it, from that deal and trick on, counted from 1. Else they are all
    that is printed. A trick without a deal is one of the first deal.
    """
    _check_together(trick, as_json=as_json, as_text=as_text)
    number = 1 if deal is None and trick is not None else deal
    if as_json:
        audit, match = _audited(file)
        deals = _chosen(match, number)
        print(json.dumps({**match_summary(match), "deals": deals}, ensure_ascii=False))
    elif as_text or not (sys.stdin.isatty() and sys.stdout.isatty()):
        audit, match = _audited(file)
        print("\n".join(_text(match, number, trick)))
    else:
        console = Console(highlight=False)
        Screen(console).say(tr("Checking the log…"))
        audit, match = _audited(file)
        _step_through(audit, match, console, number, trick)
    for problem in problem_sentences(audit.problems):
        print(problem, file=sys.stderr)
    return 2 if audit.problems else 0


def _check_together(trick: int | None, *, as_json: bool, as_text: bool) -> None:
    if as_json and trick is not None:
        reason = tr("a record has whole deals; choose one with --deal.")
        raise typer.BadParameter(reason, param_hint="--trick")
    if as_json and as_text:
        raise typer.BadParameter(tr("choose --json or --text."), param_hint="--text")


def _audited(file: Path) -> tuple[Audit, Match]:
    """Raises LogUnreadable where nothing of the file could be checked."""
    with open_log(file) as stream:
        audit = audit_log(stream)
    if audit.match is None:
        reason = problem_sentences(audit.problems)[0]
        raise LogUnreadable(tr("{file} cannot be replayed: {reason}", file=file, reason=reason))
    return audit, audit.match


def _chosen(match: Match, deal: int | None) -> list[DealRecord]:
    """All deals, or the one that is asked for; raises LogUnreadable if there is no such deal."""
    deals = deal_records(match)
    if deal is None:
        return deals
    if deal > len(deals):
        raise LogUnreadable(
            tr("The match has {count} deals; there is no deal {deal}.", count=len(deals), deal=deal)
        )
    return [deals[deal - 1]]


def _text(match: Match, deal: int | None, trick: int | None) -> list[str]:
    """The match in words, or that deal of it, or that trick; raises LogUnreadable if there is none."""
    names = [member.name for member in match.genesis.roster]
    wording = Wording(names, SEATS[0], _can_print(SYMBOLS))
    deals = _chosen(match, deal)
    if trick is not None and trick > len(deals[0]["tricks"]):
        raise _no_trick(len(deals[0]["tricks"]), trick)
    lines = [line for record in deals for line in deal_lines(record, wording, trick)]
    return [*(lines or [""]), *match_lines(match, wording)]


def _step_through(audit: Audit, match: Match, console: Console, deal: int | None, trick: int | None) -> None:
    """Let the person at the terminal step through the match; raises LogUnreadable as `_text` does."""
    _chosen(match, deal)
    names = distinct([member.name for member in match.genesis.roster])
    wording = Wording(names, SEATS[0], Screen(console).symbols)
    story = tell(audit, match, wording)
    if story is None:
        Screen(console).say(*about_match(audit, match), *conclusion(audit, match))
        return
    number, start = (deal or 1) - 1, trick or 1
    position = story.course.jump(number, start - 1)
    if position is None:
        raise _no_trick(len(story.course.steps[number]), start)
    Player(story, console, _typed_line).run(position)


def _no_trick(count: int, trick: int) -> LogUnreadable:
    return LogUnreadable(
        tr("The deal has {count} tricks; there is no trick {trick}.", count=count, trick=trick)
    )


def _typed_line() -> str | None:
    """What a person types, whatever bytes it is made of; None at the end of the input."""
    line = sys.stdin.buffer.readline()
    return line.decode("utf-8", "replace") if line else None


def _can_print(text: str) -> bool:
    encoding = sys.stdout.encoding
    return text.encode(encoding, "replace").decode(encoding) == text
