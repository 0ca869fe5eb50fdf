"""The vectors: that they are what they are made from, and that this implementation and a second one agree.

`test_this_implementation` shows how another implementation would use them: read the files, nothing else.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, Final

import pytest

from protocol import bodies
from tests.vectors.__main__ import differing, main
from tests.vectors.form import FOLDER, OTHER_VALUE, Case, code_of, read, resolved
from tests.vectors.registry import FILES, perform

DOCUMENT: Final = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
NAMES: Final = sorted(path.stem for path in FOLDER.glob("*.json"))
CONTENTS: Final[dict[str, Any]] = {name: read(name) for name in NAMES}
MAX_BYTES: Final = 1_000_000


def all_cases() -> list[Any]:
    """The cases of all files, with an id for each."""
    return [
        pytest.param(case, id=f"{name}: {case['do']}: {case['name']}")
        for name, content in CONTENTS.items()
        for case in resolved(content["cases"])
    ]


# This implementation


@pytest.mark.parametrize("case", all_cases())
def test_this_implementation(case: Case) -> None:
    try:
        value = perform(case)
    except Exception as error:  # Whatever is no refusal is raised again by `code_of`.
        assert (case["valid"], case.get("error")) == (False, code_of(error))
        return
    if case["valid"]:
        assert value == case.get("expected")
    else:
        assert case["error"] == OTHER_VALUE
        assert value != case["expected"]


# The files


def test_the_files_are_what_is_written() -> None:
    assert differing() == []


def test_the_command_says_what_differs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tests.vectors.__main__.FILES", {"coin": FILES["deal-result"], "stream": FILES["stream"]}
    )
    assert main(["--check"]) == 1
    said = capsys.readouterr().out.split()
    assert "coin.json" in said  # another content
    assert "points.json" in said  # nothing makes it
    assert "stream.json" not in said
    assert main(["--other"]) == 2


@pytest.mark.parametrize("name", NAMES)
def test_the_form_of_a_file(name: str) -> None:
    content = CONTENTS[name]
    assert list(content) == ["origin", "clause", "labels", "cases"]
    assert content["origin"].endswith(".")
    assert re.fullmatch(r"§\d", content["clause"][:2])
    cases = content["cases"]
    assert any(case["valid"] for case in cases)
    assert any(not case["valid"] for case in cases)
    assert all(("error" in case) != case["valid"] for case in cases)
    titles = [(case["do"], case["name"]) for case in cases]
    assert len(set(titles)) == len(titles)


def test_the_files_are_small() -> None:
    assert sum((FOLDER / f"{name}.json").stat().st_size for name in NAMES) < MAX_BYTES


# What the document's tables name


def section(number: str) -> str:
    """The text of one clause, its subclauses included."""
    found = re.search(rf"^(#+) {re.escape(number)}\.? .*$", DOCUMENT, re.MULTILINE)
    assert found
    rest = DOCUMENT[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def first_cells(text: str) -> set[str]:
    """What stands in the first column of a table, where that is one code span."""
    return set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))


def test_every_label_of_the_document_is_named_by_a_file() -> None:
    named = {label for content in CONTENTS.values() for label in content["labels"]}
    assert named == first_cells(section("6.1"))


def test_every_kind_has_a_body_that_is_read_and_bodies_that_are_refused() -> None:
    cases = CONTENTS["bodies"]["cases"]
    for valid in (True, False):
        assert {case["kind"] for case in cases if case["valid"] == valid} >= set(bodies.KINDS)


@pytest.mark.parametrize(
    ("clause", "names", "more"),
    [
        ("2", ("canonical-encoding",), set[str]()),
        ("2", ("genesis",), set[str]()),
        ("2", ("event",), set[str]()),
        ("3.1", ("genesis",), {"malformed", "version", "options"}),
        ("4.4", ("event", "signature"), {"bad-signature", "malformed", "version", "other-match"}),
        (
            "10",
            ("log-file",),
            {"foreign", "format-version", "truncated", "oversized", "checksum", "malformed"},
        ),
    ],
)
def test_every_refusal_of_a_structure_has_a_case(clause: str, names: tuple[str, ...], more: set[str]) -> None:
    text = section(clause)
    wanted = more or first_cells(text)
    assert wanted
    assert all(f"`{code}`" in text for code in wanted)
    assert wanted <= {case.get("error") for name in names for case in CONTENTS[name]["cases"]}


def test_every_secret_of_the_table_is_derived_somewhere() -> None:
    rows = "".join(re.findall(r"^\|.*\|$", section("6.2"), re.MULTILINE))
    labels = set(re.findall(r"\b[A-Z]+_?[A-Z]+\b", rows)) - {"MUST"}
    assert len(labels) == 10
    assert labels <= set(CONTENTS["seat-secrets"]["labels"])


def test_what_has_to_have_a_file_has_one() -> None:
    structures = {
        "canonical-encoding",
        "genesis",
        "match-id",
        "event",
        "event-id",
        "signature",
        "bodies",
        "log-file",
    }
    proofs = {
        "context",
        "key-proof",
        "shuffle",
        "shuffle-proof",
        "share",
        "open-card",
        "key-split",
        "key-part",
    }
    hashes = {
        "hashing-frame",
        "coin",
        "discard",
        "deal-result",
        "final-state",
        "points",
        "scalars",
        "card-points",
    }
    derived = {"key-derivation", "stream", "seat-secrets", "seat-taken", "encryption-key", "generators"}
    assert set(NAMES) == structures | proofs | hashes | derived | {
        "initial-deck",
        "lobby-spake2",
        "lobby-session",
    }


def test_the_second_opinion_is_independent() -> None:
    tree = ast.parse((FOLDER / "independent.py").read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"__future__", "collections.abc", "hashlib", "typing", "tests.protocol.crypto.edwards"}
