"""The tree of errors: complete in its module's text, each with a code of its own and a text for people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from node import errors
from node.errors import NodeError


def tree(root: type[NodeError], depth: int = 0) -> Iterator[tuple[int, type[NodeError]]]:
    yield depth, root
    for child in root.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from tree(child, depth + 1)


def test_the_printed_tree_is_the_real_one() -> None:
    printed = re.findall(r"^    ([│├└─ ]*)(\w+)$", errors.__doc__ or "", re.MULTILINE)
    assert {(len(indent) // 4, name) for indent, name in printed} == {
        (depth, kind.__name__) for depth, kind in tree(NodeError)
    }


def test_every_error_has_a_code_of_its_own_and_a_text() -> None:
    kinds = [kind for _, kind in tree(NodeError)]
    codes = [kind.code for kind in kinds]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in codes)
    assert all(kind.__doc__ and kind.__doc__.rstrip().endswith((".", "it.")) for kind in kinds)
