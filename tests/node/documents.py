"""Documents about audits: the logs they are made from, and how they are read."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from engine import Card, Seat, Suit, next_seat, parse_card
from node.auditing.report import Report
from node.auditing.running import audit_all
from node.words.wording import SYMBOLS, rank_text
from protocol.bodies import Result
from tests.protocol.cheats import Cheat
from tests.protocol.matches import log_file, remembered_proofs, rich

HOSTILE = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='a()'>&amp;",
    "]]></style><!-- \u0645\u064f\u062d\u0645\u0651\u062f",
    "\uffff${7*7}{name}" + "W" * 70,
)
HARMS = ("fair", "cheat", "cut", "half", "hole", "foreign", "missing")


@cache
def log_of(harm: str) -> bytes | None:
    """The log of a match that something has happened to; None for one that is not there."""
    match = rich()
    events = [event.signed for event in match.events]
    if harm == "cheat":
        place = next(n for n, event in enumerate(match.events) if (event.kind, event.author) == ("result", 2))
        cheat = Cheat(match, 2)
        cheat.take(events[:place])
        return log_file(match.setup.genesis, [*events[:place], cheat.say(Result(0, bytes(32))).signed])
    whole = match.file()
    return {
        "fair": whole,
        "cut": whole[: len(whole) // 2],
        "half": match.file(len(events) // 2),
        "hole": log_file(match.setup.genesis, [*events[:200], *events[201:]]),
        "foreign": b"PK\x03\x04" + bytes(100),
    }.get(harm)


class Audited:
    """The audit of a log that something has happened to, each made only once, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reports: dict[str, Report] = {}

    def __call__(self, harm: str) -> Report:
        if harm not in self._reports:
            with remembered_proofs():
                file, data = self._folder / f"{harm}.kozel", log_of(harm)
                if data is not None:
                    file.write_bytes(data)
                (self._reports[harm],) = audit_all([file], jobs=1, with_match=True)
        return self._reports[harm]


def parsed(document: str) -> Element:
    """The document as XML, which it is besides; fails where tags do not balance."""
    doctype, _, rest = document.partition("\n")
    assert doctype == "<!DOCTYPE html>"
    return ElementTree.fromstring(rest)


def text_of(inside: Element | None) -> str:
    """What is read in it, without the marks that keep directions apart."""
    assert inside is not None
    return re.sub("[\u2068\u2069]", "", "".join(inside.itertext())).strip()


def rows_of(table: Element) -> Iterator[list[str]]:
    """The cells of each row of a table's body."""
    for row in table.findall("tbody/tr"):
        yield [text_of(cell) for cell in row]


def table_of(inside: Element, kind: str) -> Element:
    """The one table of that class."""
    (table,) = [table for table in inside.iter("table") if kind in table.get("class", "").split()]
    return table


def shown(cards: Sequence[str], trump: str | None) -> str:
    """Cards as a hand is read: suit by suit, trump last."""
    parsed_cards = sorted(map(parse_card, cards), key=lambda card: (card.suit.letter == trump, *_order(card)))
    return " ".join(rank_text(card) + SYMBOLS[card.suit] for card in parsed_cards)


def _order(card: Card) -> tuple[Suit, int]:
    return card.suit, card.rank


def renamed(report: Report, names: Sequence[str]) -> Report:
    """The same match among others."""
    details = report.details
    assert details is not None
    assert details.genesis is not None
    roster = tuple(
        replace(member, name=name) for member, name in zip(details.genesis.roster, names, strict=True)
    )
    genesis = replace(details.genesis, roster=roster, table=names[0])
    return replace(report, details=replace(details, genesis=genesis))


def check_closed(root: Element) -> None:
    """No script, and nothing that asks anybody for anything."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    (meta,) = [one for one in root.iter("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert meta.get("content") == policy
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(set(ids)) == len(ids)
    for one in root.iter():
        assert one.tag not in {"script", "iframe", "object", "embed", "img", "form", "base", "image", "use"}
        assert not [name for name in one.attrib if name.startswith("on") or name in ("src", "style")]
        assert one.tag != "meta" or one.get("http-equiv") != "refresh"
        if one.tag == "link":
            assert one.get("href") == "data:,"
        elif "href" in one.attrib:
            assert one.attrib["href"].removeprefix("#") in ids
        for name in ("aria-labelledby", "aria-describedby"):
            assert one.get(name) is None or one.get(name) in ids
    (style,) = root.iter("style")
    assert not re.search(r"url\(|@import|//|<", text_of(style))


def check_readable(root: Element) -> None:
    """Headings go down one level at a time; tables and pictures say what they are."""
    levels = [int(one.tag[1]) for one in root.iter() if re.fullmatch("h[1-6]", one.tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    for table in root.iter("table"):
        assert text_of(table.find("caption"))
        assert all(head.get("scope") in ("col", "row") for head in table.iter("th"))
        widths = {len(row) for row in table.iter("tr")}
        assert len(widths) == 1
    for picture in root.iter("svg"):
        assert picture.get("role") == "img"
        assert text_of(picture.find("title"))
        assert text_of(picture.find("desc"))


def tricks_in(section: Element) -> list[Element]:
    return [table for table in section.iter("table") if table.get("class") == "trick"]


def drawing_rows(table: Element) -> list[list[str]]:
    return [row for row in rows_of(table) if len(row) == 4]


def drawn_by(taker: Seat, stock: list[str]) -> dict[Seat, list[str]]:
    draws: dict[Seat, list[str]] = {}
    for place, card in enumerate(stock):
        draws.setdefault(next_seat(taker, place), []).append(card)
    return draws


def told(play: dict[str, Any], trump: str) -> list[str]:
    verbs = {
        "lead": "leads",
        "molodka": "leads out of turn (molodka)",
        "beat": "beats",
        "discard": "discards",
    }
    verb = verbs[play["action"]] + (" (taken back)" if play["returned"] else "")
    if play["cards"] is None:
        count = play["count"]
        return [f"Player {play['seat']}", verb, f"{count} card{'s' * (count > 1)} face down"]
    return [f"Player {play['seat']}", verb, shown(play["cards"], trump)]
