"""What match it is: who plays, by which rules, and what is special about it."""

from __future__ import annotations

from typing import Final

from engine import SEATS, Seat
from node.auditing.html.elements import Inside, Markup, element, isolated
from node.auditing.html.subject import Subject
from node.i18n import plural, tr
from node.words.findings import notices
from protocol.genesis import fingerprint

__all__ = ["facts"]

_EGGS: Final = {"joke": "a joke", "double": "the next deal counts double"}
_MOLODKA: Final = {"anytime": "at any time", "off": "off"}


def facts(subject: Subject) -> Markup:
    """The players and what they have agreed on."""
    return element(
        "section",
        element("h3", tr("About this match")),
        [
            element("p", sentence, class_="notice")
            for sentence in notices(subject.genesis, subject.details.losses)
        ],
        _players(subject),
        element("dl", [_fact(name, told) for name, told in _agreed(subject)]),
        class_="facts",
    )


def _players(subject: Subject) -> Markup:
    heads = (tr("Seat"), tr("Player"), tr("Team"), tr("Fingerprint of the key"), tr("Signed the end"))
    return element(
        "table",
        element("caption", tr("Players")),
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", [_player(subject, seat) for seat in SEATS]),
        class_="players",
    )


def _player(subject: Subject, seat: Seat) -> Markup:
    signed = seat in subject.details.signed_end
    return element(
        "tr",
        element("td", seat + 1),
        element("th", subject.name(seat), scope="row"),
        element("td", seat % 2 + 1),
        element("td", element("code", fingerprint(subject.genesis.roster[seat].identity))),
        element("td", tr("yes") if signed else tr("no")),
    )


def _agreed(subject: Subject) -> list[tuple[str, Inside]]:
    genesis, options = subject.genesis, subject.genesis.options
    told: list[tuple[str, Inside]] = [
        (tr("Table"), isolated(genesis.table)),
        (tr("Check words"), element("code", fingerprint(genesis.match_id))),
        (tr("Id of the match"), element("code", genesis.match_id.hex())),
        (tr("Signed events"), subject.report.data["events"]),
        (tr("Finished deals"), subject.report.data["deals"]),
        (tr("Defeat points that end the match"), options.target),
        (tr("After 60 to 60 (eggs)"), tr(_EGGS[options.eggs.value])),
        (tr("Molodka"), tr(_MOLODKA[options.molodka.value])),
        (
            tr("A silent player is waited for"),
            plural("{count} second", "{count} seconds", genesis.grace),
        ),
    ]
    if genesis.previous is not None:
        told.append((tr("Match before it at this table"), element("code", genesis.previous.hex())))
    return told


def _fact(name: str, told: Inside) -> Markup:
    return element("div", element("dt", name), element("dd", told))
