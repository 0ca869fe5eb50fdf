from __future__ import annotations

from pathlib import Path

import protocol
from node.words.faults import FAULTS, fault_sentence
from protocol.verdict import EQUIVOCATION, Verdict
from tests.node.terminal_tables import first_arguments


def codes_raised() -> set[str]:
    """Every literal code that a fault is made with anywhere in the protocol."""
    package = Path(next(iter(protocol.__path__)))
    return {EQUIVOCATION} | first_arguments(package, "Fault") | first_arguments(package, "blamed_as")


def test_every_fault_has_a_sentence_and_no_sentence_is_left_over() -> None:
    raised = codes_raised()
    assert len(raised) > 15
    assert set(FAULTS) == raised


def test_sentences_name_the_culprit_and_no_code() -> None:
    for code in FAULTS:
        text = fault_sentence(Verdict(1, code, (), "", (0, 1, b"")), "Boris")
        assert text.startswith("Boris")
        assert text.endswith((".", ")"))
        assert "{" not in text
        assert code == EQUIVOCATION or code not in text
