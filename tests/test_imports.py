"""The layers: who may import whom, and that engine and protocol have no clock, chance or outside world."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("engine", "protocol", "node")
BELOW = {"engine": {"engine"}, "protocol": {"engine", "protocol"}, "node": {"engine", "protocol", "node"}}

IMPURE = {
    "asyncio",
    "concurrent",
    "datetime",
    "http",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "select",
    "selectors",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
    "zeroconf",
    "zmq",
}
"""What engine and protocol never import: the outside world, the clock, chance and threads."""

ALLOWED = {"engine": set[str](), "protocol": {"cryptography", "msgpack", "nacl"}}
"""Libraries outside the standard one that a pure layer may use."""


def sources(layer: str) -> list[Path]:
    """Every module of a layer."""
    found = sorted((ROOT / layer).rglob("*.py"))
    assert found, f"no modules in {layer}"
    return found


def imported(source: str, package: str) -> Iterator[str]:
    """The full names of what a module's source imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            yield ".".join([*base, *([node.module] if node.module else [])])
        elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in {"__import__", "import_module"}:
                yield "<dynamic>"


def tops(path: Path) -> set[str]:
    """The topmost packages that a module imports."""
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
    return {name.split(".")[0] for name in imported(path.read_text(encoding="utf-8"), package)}


@pytest.mark.parametrize("layer", LAYERS)
def test_nothing_imports_upwards(layer: str) -> None:
    for path in sources(layer):
        assert tops(path) & (set(LAYERS) | {"tests"}) <= BELOW[layer], path


@pytest.mark.parametrize("layer", ["engine", "protocol"])
def test_pure_layers_import_nothing_impure(layer: str) -> None:
    for path in sources(layer):
        names = imported(path.read_text(encoding="utf-8"), layer)
        # Reading a stream that somebody else opened is no input or output of its own.
        impure = {name.split(".")[0] for name in names} & IMPURE
        assert not impure, f"{path} imports {sorted(impure)}"


@pytest.mark.parametrize("layer", ["engine", "protocol"])
def test_pure_layers_import_only_what_is_listed(layer: str) -> None:
    for path in sources(layer):
        foreign = tops(path) - BELOW[layer] - ALLOWED[layer] - set(sys.stdlib_module_names)
        assert not foreign, f"{path} imports {sorted(foreign)}"


@pytest.mark.parametrize("layer", ["engine", "protocol"])
def test_pure_layers_open_no_file_and_print_nothing(layer: str) -> None:
    for path in sources(layer):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"open", "print", "input", "exec", "eval"}, path


def test_cryptography_stays_behind_its_interface() -> None:
    """Only `protocol.crypto`, and the module that signs, know which library does the work."""
    users = {path.relative_to(ROOT).as_posix() for path in sources("protocol") if "nacl" in tops(path)}
    assert {name for name in users if not name.startswith("protocol/crypto/")} == {"protocol/identity.py"}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import time", "time"),
        ("def f():\n    import random as r", "random"),
        ("from os import path", "os"),
        ("from node.store import Store", "node.store"),
        ("from ..node import store", "node"),
        ("import importlib\nimportlib.import_module('time')", "<dynamic>"),
        ("__import__('time')", "<dynamic>"),
    ],
)
def test_the_scan_sees(source: str, found: str) -> None:
    assert found in set(imported(source, "protocol"))
