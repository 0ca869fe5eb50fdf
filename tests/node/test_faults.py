"""Every fault that the protocol can prove has a sentence that people understand."""

from __future__ import annotations

import ast
from pathlib import Path

from node.faults import FAULTS, fault_sentence
from protocol.verdict import EQUIVOCATION, Verdict

PROTOCOL = Path(__file__).parents[2] / "protocol"


def raised_codes() -> set[str]:
    """The code of every `Fault(...)` and `blamed_as(...)` in the protocol, and of an equivocation."""
    codes = {EQUIVOCATION}
    for module in PROTOCOL.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("Fault", "blamed_as")
            ):
                code = node.args[0]
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    codes.add(code.value)
    return codes


def test_every_fault_has_a_sentence_and_every_sentence_a_fault() -> None:
    codes = raised_codes() - {"code"}
    assert len(codes) > 15
    assert set(FAULTS) == codes


def test_the_culprit_is_named() -> None:
    names = ["Anna", "Boris", "Vera", "Gleb"]
    for fault in FAULTS:
        verdict = Verdict(1, fault, (bytes(32),), "the card is not in the hand", (0, 1, bytes(32)))
        sentence = fault_sentence(verdict, names)
        assert sentence.startswith("Boris ")
        assert "{" not in sentence
