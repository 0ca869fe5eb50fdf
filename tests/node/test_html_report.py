"""The document about an audit: whole, well-formed, closed to everything outside, true to the match record."""

from __future__ import annotations

import itertools
import re
import typing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.state import Standing
from node.auditing.html import html_report
from node.auditing.report import Source, make_report, unopened
from node.auditing.running import audit_all
from node.i18n import LANGUAGES, speaking
from protocol.audit import Finding, audit_log, match_summary
from tests.node.documents import (
    HARMS,
    HOSTILE,
    Audited,
    check_closed,
    check_readable,
    drawing_rows,
    drawn_by,
    parsed,
    renamed,
    rows_of,
    shown,
    table_of,
    text_of,
    told,
    tricks_in,
)
from tests.protocol.matches import log_file, remembered_proofs, rich


@pytest.fixture(scope="module")
def report_of(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return Audited(tmp_path_factory.mktemp("audited"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("harm", HARMS)
def test_every_document_is_well_formed_and_closed(harm: str, language: str, report_of: Audited) -> None:
    with speaking(language):
        root = parsed(html_report([report_of(harm)]))
    assert (root.get("lang"), root.get("dir")) == (language, "rtl" if language == "ar" else "ltr")
    check_closed(root)
    check_readable(root)


def test_the_languages_differ(report_of: Audited) -> None:
    documents = set()
    for language in LANGUAGES:
        with speaking(language):
            documents.add(html_report([report_of("fair")]))
    assert len(documents) == len(LANGUAGES)


def test_cards_keep_their_direction_in_arabic(report_of: Audited) -> None:
    with speaking("ar"):
        root = parsed(html_report([report_of("fair")]))
    marked = {one.get("dir") for one in root.iter("span") if "card" in one.get("class", "").split()}
    assert marked == {"ltr"}
    for sentence in ("".join(one.itertext()) for one in root.iter("p")):
        assert not re.search(r"(?<![\u2068\dJQKA])[\dJQKA]+[♣♦♥♠]", sentence)


def test_every_card_of_every_deal_is_in_it(report_of: Audited) -> None:
    report = report_of("fair")
    assert report.match is not None
    root = parsed(html_report([report]))
    for deal in report.match["deals"]:
        (section,) = [s for s in root.iter("section") if s.get("id") == f"audit-1-deal-{deal['number'] + 1}"]
        trump = deal["trump"]
        hands = [[f"Player {seat}", shown(hand, trump)] for seat, hand in enumerate(deal["hands"])]
        assert list(rows_of(table_of(section, "hands"))) == hands
        drawn = [cards.split() for table in tricks_in(section) for *_, cards in drawing_rows(table)]
        cards = [*" ".join(hand for _, hand in hands).split(), *itertools.chain.from_iterable(drawn)]
        assert len(set(cards)) == len(cards) == 36


def test_every_play_of_every_trick_is_in_it(report_of: Audited) -> None:
    report = report_of("fair")
    assert report.match is not None
    root = parsed(html_report([report]))
    sections = [one for one in root.iter("section") if "-deal-" in one.get("id", "")]
    assert len(sections) == len(report.match["deals"])
    returned = 0
    for section, deal in zip(sections, report.match["deals"], strict=True):
        tables = tricks_in(section)
        assert len(tables) == len(deal["tricks"])
        stock = list(deal["stock"])
        for table, trick in zip(tables, deal["tricks"], strict=True):
            assert f"taken by Player {trick['taker']}" in text_of(table.find("caption"))
            count = 4 * len(trick["plays"][-1]["cards"])
            draws = drawn_by(trick["taker"], stock[:count])
            del stock[:count]
            rows = list(rows_of(table))
            assert [row[:3] for row in rows] == [told(play, deal["trump"]) for play in trick["plays"]]
            for row, play in zip(rows, trick["plays"], strict=True):
                returned += play["returned"]
                mine = [] if play["returned"] else draws.get(play["seat"], [])
                assert "".join(row[3:]) == shown(mine, deal["trump"])
    assert returned, "a match in which cards went back"


def test_the_figures_are_those_of_the_match_record(report_of: Audited) -> None:
    with report_of("fair").files[0].open("rb") as stream:
        found = audit_log(stream)
    assert found.match is not None
    summary = typing.cast(dict[str, Any], match_summary(found.match))
    root = parsed(html_report([report_of("fair")]))
    (sheet,) = [one for one in root.iter("section") if one.get("class") == "sheet"]
    first, second, expected = 0, 0, []
    for deal in summary["deals"]:
        lost = deal["defeat_points"]
        first, second = first + lost[0], second + lost[1]
        pairs = (deal["points"], deal["tricks_taken"], lost, (first, second))
        expected.append([str(deal["number"] + 1), *(f"{one} : {two}" for one, two in pairs)])
    assert list(rows_of(table_of(sheet, "numbers"))) == expected
    assert [first, second] == summary["score"]
    assert text_of(table_of(sheet, "numbers").find("tfoot")).endswith("{} : {}".format(*summary["score"]))
    points, score = sheet.iter("svg")
    for deal in summary["deals"]:
        told_points = "Deal {}: {} to {} card points.".format(deal["number"] + 1, *deal["points"])
        assert told_points in text_of(points.find("desc"))
    assert f"After deal {len(expected)}: {first} to {second}." in text_of(score.find("desc"))
    counts = [int(row[1]) for row in rows_of(table_of(root, "checks"))]
    assert sorted(counts) == sorted(found.match.checks.values())


def test_who_shuffled_is_in_it_with_the_proofs(report_of: Audited) -> None:
    report = report_of("fair")
    assert report.match is not None
    root = parsed(html_report([report]))
    tables = [table for table in root.iter("table") if table.get("class") == "shuffles"]
    rows = [row[1:] for table in tables for row in rows_of(table)]
    steps = sorted(report.match["shuffles"], key=lambda step: typing.cast(int, step["deal"]))
    assert rows == [[f"Player {step['seat']}", step["event"]] for step in steps]
    assert len(rows) >= 8 * len(report.match["deals"])


def test_the_outcome_stands_on_top_in_words(report_of: Audited) -> None:
    expected = {
        "fair": ["FAIR and whole", "all four have signed the end"],
        "cheat": [
            "CHEAT: Player 2's computer signed points that the cards do not add up to.",
            "false-result",
        ],
        "cut": ["cut short, at byte", "DAMAGED", "It can be followed"],
        "half": ["NOT WHOLE", "It can be followed"],
        "hole": ["DAMAGED", "could not be judged"],
        "foreign": ["This is not a Kozel log."],
        "missing": ["cannot be read"],
    }
    for harm, parts in expected.items():
        root = parsed(html_report([report_of(harm)]))
        (box,) = [one for one in root.iter("div") if "verdict" in one.get("class", "").split()]
        assert box.get("class") == f"verdict {report_of(harm).finding.value}"
        assert [part for part in parts if part not in text_of(box)] == []


def test_the_proof_of_a_cheat_is_named_in_full(report_of: Audited) -> None:
    report = report_of("cheat")
    root = parsed(html_report([report]))
    (box,) = [one for one in root.iter("div") if one.get("class") == "verdict cheat"]
    events = [text_of(code) for code in box.iter("code") if len(text_of(code)) == 64]
    assert events == report.data["verdict"]["events"]
    assert report.data["verdict"]["explanation"] in text_of(box)
    assert "Player 0 and Player 2 forfeit the match." in text_of(box)


def test_a_hole_is_shown_feed_by_feed(report_of: Audited) -> None:
    report = report_of("hole")
    root = parsed(html_report([report]))
    assert list(rows_of(table_of(root, "reach"))) == [
        [
            f"Player {reach['seat']}",
            str(reach["judged"]),
            str(reach["unjudged"]),
            str(reach["written_at_least"]),
            "none" if reach["first_missing"] is None else str(reach["first_missing"] + 1),
        ]
        for reach in report.data["reach"]
    ]
    assert any(reach["first_missing"] is not None for reach in report.data["reach"])


def test_what_the_public_did_not_see_stays_hidden(report_of: Audited) -> None:
    report = report_of("half")
    assert report.match is not None
    assert report.match["deals"][-1]["points"] is None
    root = parsed(html_report([report]))
    *_, section = [one for one in root.iter("section") if "-deal-" in one.get("id", "")]
    assert [row[1] for row in rows_of(table_of(section, "hands"))] == ["4 cards face down"] * 4
    assert "The deal was not finished." in text_of(section)


def test_hostile_names_stay_text(report_of: Audited) -> None:
    for harm in ("fair", "cheat", "hole"):
        report = renamed(report_of(harm), HOSTILE)
        for language in LANGUAGES:
            with speaking(language):
                document = html_report([report, report])
            root = parsed(document)
            check_closed(root)
            check_readable(root)
            players = next(table for table in root.iter("table") if table.get("class") == "players")
            assert [row[1] for row in rows_of(players)] == [
                name.replace("\uffff", "\N{REPLACEMENT CHARACTER}") for name in HOSTILE
            ]
        for name in HOSTILE[:3]:
            assert name not in document


def test_hostile_names_of_files_stay_text_too(tmp_path: Path) -> None:
    reversed_name = tmp_path / "a\u202egnp.\udcff<b>\u2069.kozel"
    document = html_report([unopened(reversed_name, f"{reversed_name.name} cannot be read.")])
    document.encode()
    root = parsed(document)
    check_closed(root)
    name = "a\N{REPLACEMENT CHARACTER}gnp.\N{REPLACEMENT CHARACTER}<b>\N{REPLACEMENT CHARACTER}.kozel"
    assert text_of(root.find("body/main/article/h2")) == name


def test_what_is_special_about_a_match_is_said(report_of: Audited) -> None:
    report = report_of("fair")
    details = report.details
    assert details is not None
    assert details.genesis is not None
    standing = Standing((2, 4), 1, False, 3, 0)
    genesis = replace(details.genesis, for_show=True, previous=bytes(32), standing=standing)
    changed = replace(details, genesis=genesis, losses=((1, 3),), signed_end=(0, 1, 2))
    root = parsed(html_report([replace(report, details=changed)]))
    notices = [text_of(one) for one in root.iter("p") if one.get("class") == "notice"]
    assert notices == [
        "For show: its cards come from a seed that somebody knew before.",
        "Goes on from 2 to 4 with the match 000000000000, by its players' word.",
        "Deal 2 was played on without Player 3.",
    ]
    (sheet,) = [one for one in root.iter("section") if one.get("class") == "sheet"]
    first, *_ = rows_of(table_of(sheet, "numbers"))
    assert first == ["before", "", "", "", "2 : 4"]
    assert [row[4] for row in rows_of(table_of(root, "players"))] == ["yes", "yes", "yes", "no"]
    assert "the three who were left have signed the end" in text_of(root)


def test_files_are_named_with_size_and_digest(report_of: Audited) -> None:
    report = report_of("fair")
    data = report.files[0].read_bytes()
    root = parsed(html_report([report]))
    assert list(rows_of(table_of(root, "sources"))) == [
        ["fair.kozel", f"{len(data)} bytes", sha256(data).hexdigest()]
    ]
    assert str(report.files[0].parent) not in html_report([report])


def test_a_file_that_does_not_end_is_not_read_again(report_of: Audited, tmp_path: Path) -> None:
    with report_of("fair").files[0].open("rb") as stream, remembered_proofs():
        report = make_report([tmp_path], audit_log(stream), with_match=True)
    assert report.details is not None
    assert report.details.sources == (Source(tmp_path.name),)


def test_two_files_of_one_match_stand_together(tmp_path: Path) -> None:
    match = rich()
    files = []
    for team in (0, 1):
        file = tmp_path / f"{team}.kozel"
        events = [event.signed for event in match.events if event.author % 2 == team]
        file.write_bytes(log_file(match.setup.genesis, events))
        files.append(file)
    root = parsed(html_report(list(audit_all(files, jobs=1, with_match=True))))
    check_closed(root)
    check_readable(root)
    assert [[row[0], *row[2:]] for row in rows_of(table_of(root, "summary"))] == [
        ["0.kozel", "Damaged", "0 : 0"],
        ["1.kozel", "Damaged", "0 : 0"],
        ["0.kozel1.kozel", "Fair and whole", "{} : {}".format(*match.tables[0].match.state.score)],
    ]
    *_, together = root.iter("article")
    events_of = [int(row[3]) for row in rows_of(table_of(together, "sources"))]
    assert events_of == [sum(event.author % 2 == team for event in match.events) for team in (0, 1)]


def test_the_same_logs_give_the_same_bytes(report_of: Audited, tmp_path: Path) -> None:
    report = report_of("fair")
    moved = tmp_path / report.files[0].name
    moved.write_bytes(report.files[0].read_bytes())
    (again,) = audit_all([moved], jobs=1, with_match=True)
    assert html_report([again]) == html_report([report])


def test_a_report_without_its_match_is_refused(report_of: Audited) -> None:
    with pytest.raises(ValueError, match="matches"):
        html_report([replace(report_of("fair"), match=None, details=None)])


def test_findings_are_all_named(report_of: Audited) -> None:
    assert {report_of(harm).finding for harm in HARMS} == set(Finding)
    root = parsed(html_report([report_of(harm) for harm in HARMS]))
    assert [row[2] for row in rows_of(table_of(root, "summary"))] == [
        "Fair and whole",
        "A cheat is proven",
        "Damaged",
        "Not whole",
        "Damaged",
        "Unreadable",
        "Unreadable",
    ]
