"""The outcome, first of all: in words, and with what proves it."""

from __future__ import annotations

from typing import Final

from node.auditing.html.elements import Inside, Markup, element, isolated
from node.auditing.html.subject import Subject
from node.auditing.report import Report
from node.i18n import tr
from node.words.faults import fault_sentence
from node.words.problems import problem_sentences
from protocol.audit import Finding
from protocol.verdict import Verdict

__all__ = ["finding_name", "unreadable_box", "verdict_box"]

_FINDINGS: Final = {
    Finding.FAIR: "Fair and whole",
    Finding.CHEAT: "A cheat is proven",
    Finding.INCOMPLETE: "Not whole",
    Finding.DAMAGED: "Damaged",
    Finding.UNREADABLE: "Unreadable",
}


def finding_name(finding: Finding) -> str:
    """The outcome in a word or two."""
    return tr(_FINDINGS[finding])


def verdict_box(subject: Subject) -> Markup:
    """What the audit of a match comes to."""
    finding, verdict = subject.report.finding, subject.details.verdict
    if verdict is not None:
        return _box(finding, *_cheat(subject, verdict))
    if finding is Finding.FAIR:
        if len(subject.details.signed_end) < len(subject.genesis.roster):
            told = tr("FAIR and whole: every check held, and the three who were left have signed the end.")
        else:
            told = tr("FAIR and whole: every check held, and all four have signed the end.")
        return _box(finding, _strong(told))
    if finding is Finding.DAMAGED:
        told = tr("DAMAGED: what stands before that was checked, and nobody is accused.")
        problems = problem_sentences(subject.details.problems)
        return _box(finding, [element("p", line) for line in problems], _strong(told), _followed(subject))
    told = tr("NOT WHOLE: what is there was checked and is sound, but the match does not end here.")
    return _box(finding, _strong(told), _followed(subject))


def unreadable_box(report: Report) -> Markup:
    """What is said where there is no match to speak of."""
    return _box(report.finding, [element("p", isolated(line)) for line in report.lines])


def _box(finding: Finding, *inside: Inside) -> Markup:
    return element("div", inside, class_=f"verdict {finding.value}")


def _strong(sentence: str) -> Markup:
    return element("p", sentence, class_="outcome")


def _cheat(subject: Subject, verdict: Verdict) -> list[Inside]:
    sentence = fault_sentence(verdict, subject.name(verdict.culprit))
    pair = subject.pair(verdict.culprit % 2)
    return [
        _strong(tr("CHEAT: {sentence}", sentence=sentence)),
        element("p", tr("{team} forfeit the match.", team=pair)),
        element("p", tr("The proof is in these events, the faulty one last:")),
        element("ol", [element("li", element("code", event.hex())) for event in verdict.events]),
        element("p", tr("In the words of the protocol:"), " ", _technical(verdict)),
    ]


def _technical(verdict: Verdict) -> Inside:
    explained = element("span", isolated(verdict.explanation), lang="en", dir="ltr")
    return [element("code", verdict.fault), " – ", explained]


def _followed(subject: Subject) -> Inside:
    """How far the game can be followed."""
    if subject.details.followed is None:
        return None
    deal, trick = subject.details.followed
    if trick is None:
        told = tr("It can be followed until the cards of deal {deal} are dealt.", deal=deal + 1)
    else:
        told = tr("It can be followed up to trick {trick} of deal {deal}.", trick=trick, deal=deal + 1)
    return element("p", told)
