"""The engine needs nothing but a few pure modules of the standard library."""

import ast
from pathlib import Path

import pytest

import engine

PURE = {"collections", "dataclasses", "enum", "functools", "itertools", "re", "typing"}
MODULES = sorted(Path(engine.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        assert {name.split(".")[0] for name in names} <= PURE | {"engine"}


def test_public_names_are_listed_once_and_exist() -> None:
    assert sorted(set(engine.__all__)) == sorted(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)
