"""What is said when something is over: the sheet of a deal, the score, the end of a match."""

from __future__ import annotations

from engine import DealResult, Eggs, State, team_of
from node.i18n import plural, tr
from node.words.faults import fault_sentence
from node.words.wording import Wording
from protocol.verdict import Verdict

__all__ = [
    "deal_sheet",
    "eggs_line",
    "log_lines",
    "match_end",
    "score_line",
    "score_sheet",
    "tricks_text",
    "verdict_lines",
]


def deal_sheet(state: State, number: int, wording: Wording) -> list[str]:
    """The result of deal `number`, counted from 0, with the score after it; the reader's team first."""
    result = state.results[number]
    ours = team_of(wording.seat)
    lines = [tr("--- Deal {number} is over ---", number=number + 1)]
    for team in (ours, 1 - ours):
        lines.append(
            tr(
                "{team}: {points} points, {tricks}.",
                team=wording.team(team),
                points=result.points[team],
                tricks=tricks_text(result.tricks_taken[team]),
            )
        )
    return [*lines, _verdict_of_deal(result, state, wording), *_total(state, number, wording)]


def tricks_text(count: int) -> str:
    """How many tricks, in words."""
    return plural("{count} trick", "{count} tricks", count) if count else tr("no trick")


def eggs_line(state: State) -> str:
    """What a deal of 60 to 60 means at this table (R20)."""
    if state.options.eggs is Eggs.DOUBLE:
        return tr("Eggs! 60 to 60: no defeat points, but the next deal counts twice.")
    return tr("Eggs! 60 to 60: no defeat points for anybody.")


def _verdict_of_deal(result: DealResult, state: State, wording: Wording) -> str:
    if result.eggs:
        return eggs_line(state)
    loser = 0 if result.defeat_points[0] else 1
    count = result.defeat_points[loser]
    if loser == team_of(wording.seat):
        return plural(
            "You lose this deal: {count} defeat point.", "You lose this deal: {count} defeat points.", count
        )
    return plural(
        "You win this deal: they get {count} defeat point.",
        "You win this deal: they get {count} defeat points.",
        count,
    )


def _total(state: State, number: int, wording: Wording) -> list[str]:
    """The running score, as it stood after that deal."""
    so_far = state.results[: number + 1]
    score = tuple(sum(result.defeat_points[team] for result in so_far) for team in (0, 1))
    return [_score(score[team_of(wording.seat)], score[1 - team_of(wording.seat)], state.options.target)]


def score_line(state: State, wording: Wording) -> str:
    """The defeat points of both teams and where the match ends."""
    ours = team_of(wording.seat)
    return _score(state.score[ours], state.score[1 - ours], state.options.target)


def _score(ours: int, theirs: int, target: int) -> str:
    return tr(
        "Defeat points: you {ours}, they {theirs} (with {target} a team is the goat).",
        ours=ours,
        theirs=theirs,
        target=target,
    )


def score_sheet(state: State, wording: Wording) -> list[str]:
    """All finished deals, and the score."""
    us = team_of(wording.seat)
    them = 1 - us
    lines = [
        tr(
            "Deal {number}: points {us}:{them}, defeat points {lost}:{won}{eggs}",
            number=number + 1,
            us=result.points[us],
            them=result.points[them],
            lost=result.defeat_points[us],
            won=result.defeat_points[them],
            eggs=tr(" (eggs)") if result.eggs else "",
        )
        for number, result in enumerate(state.results)
    ]
    heading = [tr("In each pair your team is first.")] if lines else [tr("No deal is finished yet.")]
    return [*heading, *lines, score_line(state, wording)]


def match_end(state: State, wording: Wording) -> list[str]:
    """Who is the goat (R21); nothing while the match goes on."""
    goat = state.goat
    if goat is None:
        return []
    us = team_of(wording.seat)
    title = tr("the goat with eggs") if state.goat_with_eggs else tr("the goat")
    score = f"{state.score[us]}:{state.score[1 - us]}"
    lines = [tr("=== The match is over ==="), tr("Defeat points, yours first: {score}.", score=score)]
    if goat == us:
        return [*lines, tr("{team} are {title}. Better luck next time!", team=wording.team(us), title=title)]
    return [*lines, tr("{team} are {title}. You have won!", team=wording.pair(goat), title=title)]


def verdict_lines(verdict: Verdict, wording: Wording) -> list[str]:
    """Who has provably cheated and how, and what follows (§8)."""
    culprit = wording.name(verdict.culprit)
    return [
        tr("=== The match is stopped: a cheat is proven ==="),
        fault_sentence(verdict, culprit),
        tr("The proof is in the log. {team} forfeit the match.", team=wording.pair(team_of(verdict.culprit))),
    ]


def log_lines(match_id: bytes) -> list[str]:
    """Where the log is and how anybody can check it."""
    return [
        tr("The signed log of the match is kept on this computer."),
        tr("  kozel export {match}   writes it to a file", match=match_id.hex()[:12]),
        tr("  kozel audit FILE            checks that everything was fair"),
    ]
