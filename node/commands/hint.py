"""`kozel hint`: what a strong bot would play, from one seat's own view, and why."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from engine import SEATS, Play, Seat
from node.bots.advice import Considered
from node.bots.bot import THINK_SECONDS
from node.errors import LogUnreadable, MatchNotKept, WishRefused
from node.i18n import tr
from node.seating.advising import Consider, by_hard_bot, considered_plays
from node.seating.looking import Position, past_position, position_now
from node.seating.returning import unfinished
from node.storage.logs import open_log
from node.storage.snapshot import store_snapshot
from node.storage.store import STORE_NAME, StoredMatch
from node.terminal.render import table_lines
from node.web.picture import play_kind
from node.words.advice import advice_details, advice_sentence, play_text
from node.words.problems import problem_sentences
from node.words.wording import Wording, distinct
from protocol.audit import Audit, audit_log
from protocol.genesis import decode_genesis
from protocol.logfile import LogReader
from protocol.match import Match

__all__ = ["LIVE", "HintSettings", "give_hint"]

LIVE: Final = "live"
"""In the place of a file: the match that is under way on this computer."""


@dataclass(frozen=True, slots=True)
class HintSettings:
    """What the command line asks for. `seat`, `deal` and `trick` are counted from 1, `seconds` to think."""

    file: str
    profile: Path
    seat: int | None = None
    deal: int | None = None
    trick: int | None = None
    seconds: float = THINK_SECONDS


def give_hint(settings: HintSettings, *, as_json: bool, consider: Consider | None = None) -> int:
    """Print the hint; exit code 0, or 2 when the log is not whole or not sound, which is said.

    `consider` thinks, without it the strongest bot. Raises NodeError where there is no such choice.
    """
    position, problems = _live(settings) if settings.file == LIVE else _of_file(settings)
    consider = consider or partial(by_hard_bot, seconds=settings.seconds)
    considered = considered_plays(consider, position.view, position.seat, position.legal)
    if as_json:
        print(json.dumps(_as_json(position, considered), ensure_ascii=False))
    else:
        print("\n".join(_lines(position, considered)))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2 if problems else 0


# Which choice


def _live(settings: HintSettings) -> tuple[Position, list[str]]:
    """The choice that is due in the newest match that is not finished."""
    if (settings.seat, settings.deal, settings.trick) != (None, None, None):
        raise WishRefused(tr("Of the match under way it is your own choice that is meant: only say live."))
    if not _store_path(settings.profile).exists():
        raise MatchNotKept(tr("No match has been played on this computer yet. Begin one with: kozel play"))
    with store_snapshot(_store_path(settings.profile)) as store:
        open_matches = unfinished(store)
        if not open_matches:
            raise MatchNotKept(tr("No match is under way on this computer. Begin one with: kozel play"))
        stored = open_matches[0]
        events = list(store.events(stored.match_id))
    return position_now(decode_genesis(stored.genesis), stored.seat, stored.secret, events), []


def _of_file(settings: HintSettings) -> tuple[Position, list[str]]:
    """The choice that is named, else the one that is due where the log ends."""
    file = Path(settings.file)
    with open_log(file) as stream:
        audit = audit_log(stream)
    match = audit.match
    if match is None:
        raise LogUnreadable(
            tr("{file} cannot be replayed: {reason}", file=file, reason=problem_sentences(audit.problems)[0])
        )
    own = _own(settings.profile, match)
    seat = own.seat if settings.seat is None and own is not None else (settings.seat or 0) - 1
    if settings.deal is None and settings.trick is None and _under_way(match):
        return _where_it_ends(file, match, own, seat), problem_sentences(audit.problems)
    _check_named(settings, audit, seat)
    deal = settings.deal or len(match.finished)
    return past_position(match, deal - 1, (settings.trick or 1) - 1, seat), problem_sentences(audit.problems)


def _under_way(match: Match) -> bool:
    return match.current.state is not None and not match.over


def _where_it_ends(file: Path, match: Match, own: StoredMatch | None, seat: Seat) -> Position:
    """The choice that is due where a log ends in the middle of a deal: the own seat alone knows its cards."""
    if own is None or seat != own.seat:
        raise LogUnreadable(
            tr(
                "The log ends in the middle of deal {number}, whose cards stay hidden. Name a choice of a"
                " finished deal with --deal, --trick and --seat.",
                number=len(match.finished) + 1,
            )
        )
    with open_log(file) as stream:
        return position_now(match.genesis, own.seat, own.secret, LogReader(stream).events())


def _check_named(settings: HintSettings, audit: Audit, seat: Seat) -> None:
    """Whose choice, and in which trick, must be said; raises LogUnreadable."""
    assert audit.match is not None
    if seat not in SEATS:
        names = distinct([member.name for member in audit.match.genesis.roster])
        listed = ", ".join(f"{number} {name}" for number, name in enumerate(names, start=1))
        raise LogUnreadable(tr("Say whose choice you mean with --seat: {names}.", names=listed))
    if settings.trick is None:
        raise LogUnreadable(tr("Say which choice you mean with --deal and --trick, as kozel replay counts."))
    if not audit.match.finished:
        raise LogUnreadable(tr("No deal of this match is finished."))


def _own(profile: Path, match: Match) -> StoredMatch | None:
    """What this computer keeps of the match: its seat, and the secret of its cards."""
    if not _store_path(profile).exists():
        return None
    with store_snapshot(_store_path(profile)) as store:
        return store.match(match.genesis.match_id)


def _store_path(profile: Path) -> Path:
    return profile / STORE_NAME


# What is printed


def _lines(position: Position, considered: tuple[Considered, ...]) -> list[str]:
    wording = Wording(position.names, position.seat)
    title = tr(
        "Deal {deal}, trick {trick}, as {name} sees it:",
        deal=position.deal + 1,
        trick=position.trick + 1,
        name=wording.name(position.seat),
    )
    details = advice_details(considered, wording, position.view)
    return [
        title,
        *(f"  {line}".rstrip() for line in table_lines(position.view, wording)),
        "",
        advice_sentence(considered, wording, position.view, position.seat),
        *(f"  {line}" for line in details),
        *_played(position, considered[0].play, wording.under(position.view)),
    ]


def _played(position: Position, best: Play, wording: Wording) -> list[str]:
    if position.played is None:
        return []
    if position.played == best:
        return [tr("That is what was really played.")]
    return [tr("What was really played: {play}.", play=play_text(position.played, wording))]


def _as_json(position: Position, considered: tuple[Considered, ...]) -> dict[str, Any]:
    """Seats, deals and tricks are counted from 0, as in the match record; so are plays written."""
    wording = Wording(position.names, position.seat)
    return {
        "match_id": position.match_id.hex(),
        "deal": position.deal,
        "trick": position.trick,
        "seat": position.seat,
        "sentence": advice_sentence(considered, wording, position.view, position.seat),
        "considered": [{**asdict(one), "play": _play(one.play)} for one in considered],
        "played": position.played and _play(position.played),
    }


def _play(play: Play) -> dict[str, Any]:
    return {"action": play_kind(play), "cards": [str(card) for card in play.cards or ()]}
