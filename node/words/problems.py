"""What is wrong with a log that cannot be read or is not whole, in words (§10.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from node.i18n import plural, tr
from protocol.audit import Problem
from protocol.reach import Reach

__all__ = ["PROBLEMS", "problem_sentences", "reach_sentences"]

# Code of a refusal: what it means for the reader of a file.
PROBLEMS: dict[str, str] = {
    "foreign": "This is not a Kozel log.",
    "format-version": "The log was written by a newer program: install a newer Kozel to read it.",
    "truncated": "The file is cut short, at byte {offset}.",
    "oversized": "The file holds a record that is longer than any can be, at byte {offset}.",
    "checksum": "The file is damaged at byte {offset}: a checksum differs.",
    "malformed": "The file holds something that is no event of a match, at byte {offset}.",
    "version": "The match was played with a newer protocol: install a newer Kozel to read it.",
    "options": "The log says that the match was played by rules that this program does not know.",
    "other-match": "The file holds something of another match, before byte {offset}.",
    "bad-signature": "The file holds an event that its player has not signed, before byte {offset}.",
    "genesis": "The beginning of the log, which says who plays, cannot be read.",
    "other": "The file holds an event that cannot be read, before byte {offset}.",
}


def problem_sentences(problems: Iterable[Problem]) -> list[str]:
    """Each problem in a sentence, with its technical name, by which the protocol knows it."""
    return [_sentence(problem) for problem in problems]


def _sentence(problem: Problem) -> str:
    if problem.code == "missing":
        return plural(
            "{count} signed event builds on others that are not here, and could not be judged.",
            "{count} signed events build on others that are not here, and could not be judged.",
            problem.count,
        )
    readable = problem.offset is not None or problem.code in ("version", "options")
    code = problem.code if problem.code in PROBLEMS else "other"
    sentence = tr(PROBLEMS[code if readable else "genesis"], offset=problem.offset)
    if problem.count > 1:
        sentence += " " + plural("{count} such event.", "{count} such events.", problem.count)
    return f"{sentence} [{problem.code}]"


def reach_sentences(reaches: Sequence[Reach], names: Sequence[str]) -> list[str]:
    """How far each player's events could be followed, where something is missing."""
    lines = []
    for reach in reaches:
        name = names[reach.seat]
        if reach.first_missing is not None:
            lines.append(
                tr(
                    "{name}: {judged} events judged; number {missing} is the first that is missing; "
                    "{unjudged} more are here and truly signed; at least {length} were written.",
                    name=name,
                    judged=reach.judged,
                    missing=reach.first_missing + 1,
                    unjudged=reach.unjudged,
                    length=reach.length,
                )
            )
        elif reach.unjudged:
            lines.append(
                tr(
                    "{name}: {judged} events judged; {unjudged} more are here and truly signed.",
                    name=name,
                    judged=reach.judged,
                    unjudged=reach.unjudged,
                )
            )
        lines += [
            tr(
                "Others say that they were shown another event {number} by {name}. If another player's log "
                "holds it, audit both files together: that would prove it.",
                number=number + 1,
                name=name,
            )
            for number in reach.other_versions
        ]
    return lines
