"""What several modules of the node's tests begin from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.node.resting import play_one_deal


@pytest.fixture(scope="session")
def rested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the profiles of a match that rests between two deals; tests work on copies of it."""
    folder = tmp_path_factory.mktemp("rested")
    play_one_deal(folder)
    return folder
