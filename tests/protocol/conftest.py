"""What all tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.protocol.matches import remembered_proofs


@pytest.fixture(scope="session", autouse=True)
def _remembered_proofs() -> Iterator[None]:
    with remembered_proofs():
        yield
