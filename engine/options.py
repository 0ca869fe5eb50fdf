"""What four players agree on before the match starts."""

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import OptionsError

TARGETS = (6, 12, 24)


class Eggs(StrEnum):
    """What a 60-60 deal means: nothing (R20), or that the next deal's defeat points count twice."""

    JOKE = "joke"
    DOUBLE = "double"


class MolodkaRule(StrEnum):
    """Whether four of a suit may be led out of turn (R13)."""

    ANYTIME = "anytime"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Options:
    """Table options; raises `OptionsError` for anything that is not one of the listed values.

    `target` is the number of defeat points that ends the match (R21): 6, 12 or 24.
    """

    target: int = 12
    eggs: Eggs = Eggs.JOKE
    molodka: MolodkaRule = MolodkaRule.ANYTIME

    def __post_init__(self) -> None:
        if type(self.target) is not int or self.target not in TARGETS:
            raise OptionsError(f"target must be one of {TARGETS}, not {self.target!r}")
        try:
            object.__setattr__(self, "eggs", Eggs(self.eggs))
            object.__setattr__(self, "molodka", MolodkaRule(self.molodka))
        except ValueError as error:
            raise OptionsError(str(error)) from error
