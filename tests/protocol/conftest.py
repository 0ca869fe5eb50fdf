"""Shared by the tests of this folder: four tables in one process need not check each proof four times."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace

import pytest

from protocol.crypto.share import Share
from protocol.crypto.shuffle import ShuffleProof
from protocol.rules import dealing


@pytest.fixture(scope="session", autouse=True)
def _remembered_proofs() -> Iterator[None]:
    """Remember which proofs and decks were accepted, argument by argument; a refusal is never remembered.

    Each proof is still checked once. Without this the tests of this folder would do the same group
    operations for every table, every restart and every audit.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("decode_deck", "verify_shuffle", "verify_share", "verify_key"):
            patch.setattr(dealing, name, cache(getattr(dealing, name)))
        for kind in (Share, ShuffleProof):
            patch.setattr(dealing, kind.__name__, SimpleNamespace(from_bytes=cache(kind.from_bytes)))
        yield
