import ast
import re
from pathlib import Path

import pytest

import engine.errors
from engine import (
    REFUSALS,
    EngineError,
    IllegalAction,
    NotationError,
    OptionsError,
    RecordError,
    UnknownHandError,
)

ENGINE = Path(engine.errors.__file__).parent


def used_codes() -> set[str]:
    """The codes of all refusals raised in the engine."""
    calls = (node for path in ENGINE.glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return {
        node.args[0].value
        for node in calls
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "IllegalAction"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def test_every_refusal_is_listed_and_used() -> None:
    assert used_codes() == set(REFUSALS)


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_refusal_is_provoked_by_a_test(code: str) -> None:
    tests = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    assert any(f'"{code}"' in path.read_text("utf-8") for path in tests)


@pytest.mark.parametrize(("rule", "text"), REFUSALS.values())
def test_refusals_cite_a_rule_and_speak_to_people(rule: str, text: str) -> None:
    assert re.fullmatch(r"R([1-9]|1\d|2[0-2])", rule)
    assert not text.endswith(".")


def test_a_refusal_carries_its_details() -> None:
    refused = IllegalAction("wrong-count", needed=2, given=1)
    assert (refused.code, refused.rule, refused.params) == ("wrong-count", "R8", {"needed": 2, "given": 1})
    assert str(refused) == "2 cards are needed here, not 1 (R8)"


def test_the_tree_at_the_top_of_the_module_is_true() -> None:
    documented = re.findall(r"^[├└]── (\w+)", engine.errors.__doc__ or "", re.MULTILINE)
    assert documented == [
        kind.__name__ for kind in (OptionsError, NotationError, RecordError, UnknownHandError, IllegalAction)
    ]
    assert {kind.__name__ for kind in EngineError.__subclasses__()} == set(documented)
