"""Parameters of which the first few are tried in every run, and all in the longer one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_few(values: Iterable[object], count: int) -> list[Any]:
    """The values as parameters; after the first `count` they carry the marker ``long``."""
    return [
        pytest.param(value, marks=() if place < count else pytest.mark.long)
        for place, value in enumerate(values)
    ]
