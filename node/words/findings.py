"""What an audit has found, in words for people who never look at a log (§10.4)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import Seat
from node.i18n import plural, tr
from node.words.faults import fault_sentence
from protocol.audit import Audit, Finding
from protocol.checks import Check
from protocol.genesis import Genesis, fingerprint
from protocol.match import Match

__all__ = [
    "CHECKS",
    "about_match",
    "check_lines",
    "check_name",
    "checked_so_far",
    "checks_made",
    "conclusion",
    "notices",
]


# What is counted of each kind of check.
CHECKS: dict[str, str] = {
    "signatures": "signatures of the players under their messages",
    "links": "links from one message to those before it",
    "keys": "keys of a deal, with the parts for the others",
    "shuffles": "shuffles: the same cards, none swapped or marked",
    "shares": "keys to single cards",
    "commitments": "opened discards and halves of the coin",
    "plays": "plays by the rules of the game",
    "results": "signed results and ends of the match",
}


def check_name(name: str) -> str:
    """What a kind of check is about."""
    return tr(CHECKS[name])


def checks_made(match: Match) -> list[str]:
    """Every kind of check with its count."""
    lines = [f"  {line}" for line in check_lines(match)]
    return [tr("Checked, and found right:"), *lines] if lines else []


def check_lines(match: Match) -> list[str]:
    """The kinds of checks that were made, each with its count."""
    checks = match.checks
    return [f"{check_name(check.value)}: {checks[check]}" for check in Check if checks[check]]


def checked_so_far(match: Match) -> list[str]:
    """What somebody who watches is told after each deal: nothing was taken on trust."""
    if match.verdict is not None:
        return []
    checks = match.checks
    return [
        tr(
            "Checked so far: {signatures} signatures, {shuffles} shuffles, {shares} keys to cards, "
            "{plays} plays. All is right.",
            signatures=checks[Check.SIGNATURES],
            shuffles=checks[Check.SHUFFLES],
            shares=checks[Check.SHARES],
            plays=checks[Check.PLAYS],
        )
    ]


def about_match(audit: Audit, match: Match) -> list[str]:
    """What match it is, how far it went, and what is special about it."""
    genesis, state = match.genesis, match.state
    names = [member.name for member in genesis.roster]
    lines = [
        tr("{a} and {c} against {b} and {d}", a=names[0], b=names[1], c=names[2], d=names[3]),
        tr("Check words of the match: {words}", words=fingerprint(genesis.match_id)),
        plural("{count} deal finished", "{count} deals finished", len(match.finished)),
        tr("Defeat points: {first} to {second}", first=state.score[0], second=state.score[1]),
        plural("{count} signed event checked", "{count} signed events checked", audit.events),
    ]
    if not match.over and audit.verdict is None:
        lines.append(_place(match))
    return [*lines, *notices(genesis, match.losses)]


def notices(genesis: Genesis, losses: Iterable[tuple[int, Seat]]) -> list[str]:
    """What is special about a match; `losses` are its deals that were played on without a seat."""
    lines = []
    if genesis.for_show:
        lines.append(tr("For show: its cards come from a seed that somebody knew before."))
    if genesis.standing is not None and genesis.previous is not None:
        first, second = genesis.standing.score
        lines.append(
            tr(
                "Goes on from {first} to {second} with the match {match}, by its players' word.",
                first=first,
                second=second,
                match=genesis.previous.hex()[:12],
            )
        )
    for number, seat in losses:
        name = genesis.roster[seat].name
        lines.append(tr("Deal {number} was played on without {name}.", number=number + 1, name=name))
    return lines


def conclusion(audit: Audit, match: Match) -> list[str]:
    """What it comes to. The audit's `problems`, which stand before that, are not repeated."""
    verdict = audit.verdict
    if audit.finding is Finding.FAIR:
        if not all(match.finals):
            return [tr("FAIR and whole: every check held, and the three who were left have signed the end.")]
        return [tr("FAIR and whole: every check held, and all four have signed the end.")]
    if verdict is not None:
        name = match.genesis.roster[verdict.culprit].name
        events = ", ".join(event.hex()[:16] for event in verdict.events)
        return [
            tr("CHEAT: {sentence}", sentence=fault_sentence(verdict, name)),
            tr("The proof is in these events: {events}", events=events),
        ]
    if audit.finding is Finding.DAMAGED:
        return [tr("DAMAGED: what stands before that was checked, and nobody is accused.")]
    return [tr("NOT WHOLE: what is there was checked and is sound, but the match does not end here.")]


def _place(match: Match) -> str:
    """How far the game can be followed."""
    deal = match.current
    if deal.state is None:
        return tr("It can be followed until the cards of deal {deal} are dealt.", deal=deal.number + 1)
    return tr(
        "It can be followed up to trick {trick} of deal {deal}.",
        trick=len(deal.game.tricks) + (deal.game.trick is not None),
        deal=deal.number + 1,
    )
