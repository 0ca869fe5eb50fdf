"""What a page draws of one table, as plain JSON: the view of a seat or of nobody, and what may be done there.

Nothing here decides anything: plays come from the engine's list, words from :mod:`node.words`. Seats are
numbered as in the engine, cards are written in the engine's notation ("Td"), pairs are by team.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine import (
    SEATS,
    Beat,
    Branch,
    Cards,
    DealResult,
    Discard,
    Lead,
    Molodka,
    Play,
    Seat,
    State,
    Trick,
    holding,
    team_of,
    turn,
)
from node.live import LiveTable
from node.words.faults import fault_sentence
from node.words.findings import checked_so_far
from node.words.progress import Stage, current_stage
from protocol.genesis import fingerprint
from protocol.match import Match
from protocol.spectator import Spectator
from protocol.verdict import Verdict

__all__ = [
    "Json",
    "game_picture",
    "legal_picture",
    "option_values",
    "play_kind",
    "public_picture",
    "table_picture",
    "trick_picture",
]

Json = dict[str, Any]

_KINDS: Final = {Lead: "lead", Molodka: "molodka", Beat: "beat", Discard: "discard"}


def table_picture(live: LiveTable, overdue: Sequence[Seat] = ()) -> Json:
    """Everything about a match that its player may see. `overdue` could be declared gone now (§7.12)."""
    table = live.table
    return {
        "match": table.match_id.hex(),
        "checkWords": fingerprint(table.match_id),
        "table": table.genesis.table,
        "forShow": table.genesis.for_show,
        "seat": live.seat,
        "names": list(live.names),
        **game_picture(live.state),
        **_progress(table.match, table.verdict, live.names),
        "legal": [legal_picture(play) for play in live.legal()],
        "returning": bool(table.unheard),
        "absent": sorted(live.absent),
        "overdue": list(overdue),
        "over": table.finished,
    }


def public_picture(watched: Spectator) -> Json:
    """What everybody may see of a match: the same, seen from no seat, and nothing that could be played."""
    match, genesis = watched.match, watched.log.genesis
    names = [member.name for member in genesis.roster]
    return {
        "match": genesis.match_id.hex(),
        "checkWords": fingerprint(genesis.match_id),
        "table": genesis.table,
        "forShow": genesis.for_show,
        "seat": None,
        "names": names,
        **game_picture(watched.state),
        **_progress(match, match.verdict, names),
        "checked": checked_so_far(match),
        "over": watched.finished,
    }


def _progress(match: Match, verdict: Verdict | None, names: Sequence[str]) -> Json:
    """What the four computers are at, and what has come in its way."""
    loss = match.current.loss
    return {
        "stage": _stage(current_stage(match)),
        "gone": [vote and vote.seat for vote in match.current.votes],
        "lost": None if loss is None else loss.seat,
        "verdict": verdict
        and {"culprit": verdict.culprit, "sentence": fault_sentence(verdict, names[verdict.culprit])},
    }


def game_picture(state: State) -> Json:
    """The game itself, as one observer knows it."""
    last = state.tricks[-1] if state.tricks else None
    taken = [0, 0]
    for trick in state.tricks:
        if trick.taker is not None:
            taken[team_of(trick.taker)] += 1
    return {
        "phase": state.phase.value,
        "deal": state.deal_number,
        "dealer": state.dealer,
        "leader": state.leader,
        "turn": turn(state),
        "trump": None if state.trump is None else state.trump.letter,
        "indicator": None if state.indicator is None else str(state.indicator),
        "stock": state.stock,
        "hands": [_hand(state, seat) for seat in SEATS],
        "trick": None if state.trick is None else trick_picture(state.trick, len(state.tricks)),
        "last": None if last is None else trick_picture(last, len(state.tricks) - 1),
        "taken": taken,
        "score": list(state.score),
        "eggs": state.eggs,
        "doubled": state.doubled,
        "goat": state.goat,
        "goatWithEggs": state.goat_with_eggs,
        "results": [_result(result) for result in state.results],
        "options": option_values(state),
    }


def trick_picture(trick: Trick, number: int) -> Json:
    """A trick: its branches from the weakest to the one that counts, the last (R15)."""
    best = trick.best
    return {
        "number": number,
        "entitled": trick.entitled,
        "branches": [_branch(branch) for branch in trick.branches],
        "best": None if best is None else {"seat": best[0], "cards": _codes(best[1])},
        "need": None if trick.effective is None else len(trick.effective.cards),
        "taker": trick.taker,
    }


def play_kind(play: Play) -> str:
    """What a play is called: lead, molodka, beat or discard."""
    return _KINDS[type(play)]


def legal_picture(play: Play) -> Json:
    """A play that may be made: what it is, and with which cards."""
    return {"kind": play_kind(play), "cards": _codes(play.cards or ())}


def option_values(state: State) -> Json:
    """The options of the table."""
    options = state.options
    return {"target": options.target, "eggs": options.eggs.value, "molodka": options.molodka.value}


def _codes(cards: Iterable[object] | Cards) -> list[str]:
    return [str(card) for card in cards]


def _hand(state: State, seat: Seat) -> Json:
    hand = holding(state, seat)
    return {"known": sorted(_codes(hand.known)), "unknown": hand.unknown, "size": hand.size}


def _branch(branch: Branch) -> Json:
    return {
        "leader": branch.leader,
        "molodka": branch.is_molodka,
        "plays": [_played(play) for play in branch.plays()],
    }


def _played(play: Play) -> Json:
    return {
        "seat": play.seat,
        "kind": play_kind(play),
        "count": play.count if isinstance(play, Discard) else len(play.cards),
        "cards": None if play.cards is None else _codes(play.cards),
    }


def _result(result: DealResult) -> Json:
    return {
        "points": list(result.points),
        "tricks": list(result.tricks_taken),
        "defeat": list(result.defeat_points),
        "eggs": result.eggs,
    }


def _stage(stage: Stage | None) -> Json | None:
    if stage is None:
        return None
    return {"text": stage.text, "done": stage.done, "all": stage.all, "waitingFor": list(stage.waiting_for)}
