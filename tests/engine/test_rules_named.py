"""Every rule of the game is named by a test."""

import ast
import re
from pathlib import Path

RULES = {f"R{number}" for number in range(1, 23)}


def named_rules() -> set[str]:
    """The rules that test functions name in their name or docstring."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                words = f"{node.name} {ast.get_docstring(node) or ''}".upper()
                found |= {f"R{int(number)}" for number in re.findall(r"(?<![A-Z0-9])R(\d+)(?!\d)", words)}
    return found


def test_every_rule_has_a_test() -> None:
    assert named_rules() >= RULES
