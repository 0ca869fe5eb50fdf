"""All files and all operations, from the modules of each group."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, Final

from tests.vectors import (
    bodies,
    derivation,
    elements,
    encoding,
    events,
    geneses,
    hashing,
    hiding,
    lobby,
    logfiles,
    parts,
    proofs,
    shuffles,
)
from tests.vectors.form import Case, Operation, Vectors

_GROUPS: Final = (
    encoding,
    hashing,
    elements,
    geneses,
    events,
    bodies,
    proofs,
    shuffles,
    hiding,
    parts,
    derivation,
    lobby,
    logfiles,
)

FILES: Final[dict[str, Callable[[], Vectors]]] = reduce(or_, (dict(group.FILES) for group in _GROUPS))
"""What makes each file, by its name without suffix."""

_OPERATIONS: Final[dict[str, Operation]] = reduce(or_, (dict(group.OPERATIONS) for group in _GROUPS))


def perform(case: Case) -> Any:
    """Do what a case is about; gives its value, None if there is none, or raises the refusal."""
    return _OPERATIONS[case["do"]](case)
