"""Every test here gets a network of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.hosts import Lan


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    """Four hosts on one bridge; fails where namespaces cannot be made."""
    with Lan(tmp_path) as network:
        yield network
