"""The catalogue of cheats is whole, and docs/cheats.md is what it says."""

from __future__ import annotations

import re

from node.words.faults import FAULTS
from tests.cheats.__main__ import PAGE, page
from tests.cheats.catalogue import CATALOGUE
from tests.cheats.entries import Caught

ELSEWHERE = {
    "deal-over": "tests/protocol/rules/test_closing.py",
    "malformed-body": "tests/protocol/test_match.py",
    "match-over": "tests/protocol/rules/test_closing.py",
    "repeated": "tests/protocol/rules/test_dealing.py",
    "unknown-kind": "tests/protocol/test_match.py",
}
"""Faults that win nothing, only break the grammar: committed in other tests than the catalogue's."""


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.cheats"


def test_every_fault_of_the_protocol_is_committed() -> None:
    committed = {entry.fault for entry in CATALOGUE if entry.fault}
    assert committed | set(ELSEWHERE) == set(FAULTS)
    assert not committed & set(ELSEWHERE)
    for fault, file in ELSEWHERE.items():
        assert f'"{fault}"' in (PAGE.parents[1] / file).read_text(encoding="utf-8")


def test_whether_there_is_a_culprit_fits_when_it_is_caught() -> None:
    for entry in CATALOGUE:
        assert entry.provable == (entry.caught not in (Caught.DROPPED, Caught.RESTS))
    assert {entry.caught for entry in CATALOGUE} == set(Caught)


def test_names_differ_and_sentences_can_be_read_after_a_name() -> None:
    assert len({entry.name for entry in CATALOGUE}) == len(CATALOGUE)
    for entry in CATALOGUE:
        assert re.fullmatch(r"[a-z][^.|`]*", entry.sentence), entry.sentence
