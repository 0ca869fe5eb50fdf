"""What was checked, what could not be read or used, and how far the log reaches."""

from __future__ import annotations

from typing import Final

from node.auditing.html.elements import Inside, Markup, element, isolated
from node.auditing.html.subject import Subject
from node.auditing.report import Details
from node.i18n import tr
from node.words.findings import check_name
from node.words.problems import problem_sentences, reach_sentences
from protocol.audit import Problem
from protocol.reach import Reach

__all__ = ["checks", "problems", "reach"]

_MEANINGS: Final = {
    "signatures": "Each message comes from the player in whose name it stands, and is unchanged.",
    "links": "Each message names those before it, so none can be slipped in, changed or left out unseen.",
    "keys": "Each lock on the cards is its player's own, and the others can replace a player who is lost.",
    "shuffles": "Each shuffle changed the order and nothing else: no card was swapped, doubled or marked.",
    "shares": "Each card that was opened is the one that lay there.",
    "commitments": "What was chosen in secret, discards and coins, is what was shown later.",
    "plays": "Each play was allowed at the moment when it was made.",
    "results": "The signed points and the signed end are what the cards add up to.",
}


def checks(subject: Subject) -> Markup:
    """Every kind of check with its count, and what it means that all held."""
    rows = [
        element(
            "tr",
            element("th", check_name(name), scope="row"),
            element("td", count, class_="count"),
            element("td", tr(_MEANINGS[name])),
        )
        for name, count in subject.details.checks.items()
        if count
    ]
    if not rows:
        inside: Inside = element("p", tr("Nothing of it could be checked."))
    else:
        caption = element("caption", tr("What held, and what that means"))
        heads = (tr("Check"), tr("Count"), tr("Meaning"))
        inside = element("table", caption, _heads(heads), element("tbody", rows), class_="checks")
    return element("section", element("h3", tr("What was checked")), inside)


def problems(details: Details) -> Inside:
    """What could not be read or used, with the words of the protocol; nothing where all could."""
    if not details.problems:
        return None
    several = len(details.sources) > 1
    items = []
    for problem, sentence in zip(details.problems, problem_sentences(details.problems), strict=True):
        place = element("p", isolated(details.sources[problem.source].name)) if several else None
        items.append(element("li", place, element("p", sentence), _technical(problem)))
    return element("section", element("h3", tr("Problems")), element("ul", items))


def _technical(problem: Problem) -> Markup:
    detail = element("span", isolated(problem.detail), lang="en", dir="ltr")
    return element("p", tr("In the words of the protocol:"), " ", detail, class_="quiet")


def reach(subject: Subject) -> Markup:
    """How far each player's events could be followed."""
    reaches = subject.details.reach
    names = [subject.name(seat) for seat in range(len(subject.genesis.roster))]
    heads = (tr("Player"), tr("Judged"), tr("Here, not judged"), tr("Written, at least"), tr("First missing"))
    table = element(
        "table",
        element("caption", tr("Each player's events, counted from 1")),
        _heads(heads),
        element("tbody", [_reach(one, names[one.seat]) for one in reaches]),
        class_="reach numbers",
    )
    told = [element("p", line) for line in reach_sentences(reaches, names)]
    if not told:
        told = [element("p", tr("Nothing is missing of what these events build on."))]
    return element("section", element("h3", tr("How far the log reaches")), table, told)


def _reach(one: Reach, name: str) -> Markup:
    missing = tr("none") if one.first_missing is None else one.first_missing + 1
    numbers: tuple[Inside, ...] = (one.judged, one.unjudged, one.length, missing)
    return element("tr", element("th", name, scope="row"), [element("td", number) for number in numbers])


def _heads(names: tuple[str, ...]) -> Markup:
    return element("thead", element("tr", [element("th", name, scope="col") for name in names]))
