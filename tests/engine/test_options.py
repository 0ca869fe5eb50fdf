from typing import Any

import pytest

from engine import Eggs, EngineError, MolodkaRule, Options, OptionsError


def test_defaults() -> None:
    assert Options() == Options(12, Eggs.JOKE, MolodkaRule.ANYTIME)


def test_public_names_are_accepted() -> None:
    plain: Any = {"target": 24, "eggs": "double", "molodka": "off"}
    options = Options(**plain)
    assert options.eggs is Eggs.DOUBLE
    assert options.molodka is MolodkaRule.OFF


@pytest.mark.parametrize(
    "wrong",
    [
        {"target": 0},
        {"target": 13},
        {"target": True},
        {"target": "12"},
        {"target": 12.0},
        {"eggs": "triple"},
        {"molodka": None},
    ],
)
def test_anything_else_is_refused(wrong: Any) -> None:
    with pytest.raises(OptionsError) as caught:
        Options(**wrong)
    assert isinstance(caught.value, EngineError)
