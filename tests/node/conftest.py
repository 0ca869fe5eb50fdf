"""What several modules of the node's tests begin from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.node.resting import play_one_deal
from tests.protocol.matches import remembered_proofs


@pytest.fixture(scope="module")
def proofs_checked_once() -> Iterator[None]:
    """For modules that audit the same few logs all the time; no proof is taken for good unchecked."""
    with remembered_proofs():
        yield


@pytest.fixture(scope="session")
def rested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the profiles of a match that rests between two deals; tests work on copies of it."""
    folder = tmp_path_factory.mktemp("rested")
    play_one_deal(folder)
    return folder
