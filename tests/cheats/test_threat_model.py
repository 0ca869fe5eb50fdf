"""Every test that docs/threat-model.md names is there, and both documents are linked."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.cheats.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]
MODEL = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[^`]*::[^`]*)`", MODEL)))


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of the test functions of a module."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("named", NAMED)
def test_the_named_test_exists(named: str) -> None:
    found = re.fullmatch(r"(tests/[\w/]+\.py)::(test_\w+)(?:\[([^]]+)])?", named)
    assert found
    file, name, cheat = found.groups()
    assert name in names_in(file)
    assert cheat is None or cheat in {entry.name for entry in CATALOGUE}


def test_every_line_names_a_test() -> None:
    rows = [line for line in MODEL.splitlines() if line.startswith("|") and not line.startswith("|---")]
    headings = [row for row in rows if row.rstrip(" |").split("|")[-1].strip().startswith("test")]
    assert len(headings) == 3
    for row in rows:
        assert row in headings or "::test_" in row.split("|")[-2], row


@pytest.mark.parametrize("page", ["README.md", "docs/protocol.md"])
def test_both_documents_are_linked(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in ("cheats.md", "threat-model.md"):
        assert re.search(rf"\]\((docs/)?{name}\)", text), f"{page} does not link {name}"
