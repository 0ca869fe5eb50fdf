"""The catalogue of cheats is whole, and docs/cheats.md is what it says."""

from __future__ import annotations

import re

from node.faults import FAULTS
from tests.cheats.__main__ import PAGE, page
from tests.cheats.catalogue import CATALOGUE, Caught

ELSEWHERE = {
    "bad-key-part": "tests/protocol/rules/test_losing.py",
    "bad-rescue": "tests/protocol/rules/test_losing.py",
    "false-complaint": "tests/protocol/rules/test_losing.py",
    "seat-lost": "tests/protocol/rules/test_losing.py",
    "deal-over": "tests/protocol/rules/test_closing.py",
    "malformed-body": "tests/protocol/test_match.py",
    "match-over": "tests/protocol/rules/test_closing.py",
    "repeated": "tests/protocol/rules/test_dealing.py",
    "unknown-kind": "tests/protocol/test_match.py",
}
"""Faults that only break the grammar, or around a seat that is lost: committed in other tests than these."""


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
        assert entry.provable == (entry.caught in (Caught.AT_ONCE, Caught.WHEN_OPENED))
    assert {entry.caught for entry in CATALOGUE} == set(Caught)


def test_names_differ_and_sentences_can_be_read_after_a_name() -> None:
    assert len({entry.name for entry in CATALOGUE}) == len(CATALOGUE)
    for entry in CATALOGUE:
        assert re.fullmatch(r"[a-z][^.|`]*", entry.sentence), entry.sentence
