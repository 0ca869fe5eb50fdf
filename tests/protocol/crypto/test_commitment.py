from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

from protocol.crypto.commitment import (
    coin_dealer,
    commit_coin,
    commit_discard,
    verify_coin,
    verify_discard,
)
from protocol.crypto.errors import ProofRefused
from protocol.crypto.transcript import digest

MATCH = digest(b"match")
SALT = digest(b"salt")
DISCARD: dict[str, Any] = {
    "match_id": MATCH,
    "deal": 1,
    "trick": 2,
    "seat": 3,
    "on": 0,
    "salt": SALT,
    "slots": (7, 3),
}
CHANGES: dict[str, Any] = {
    "match_id": digest(b"other"),
    "deal": 2,
    "trick": 1,
    "seat": 2,
    "on": 1,
    "salt": digest(b"other salt"),
    "slots": (7, 4),
}


def test_a_discard_is_laid_out_as_documented() -> None:
    fields = (
        b"kozel/1 discard commitment",
        MATCH,
        b"\1\0\0\0",
        b"\2\0\0\0",
        b"\3",
        b"\0",
        SALT,
        b"\3\7",
    )
    framed = b"".join(len(field).to_bytes(4, "little") + field for field in fields)
    assert commit_discard(**DISCARD) == sha256(framed).digest()


def test_a_discard_is_a_set() -> None:
    verify_discard(commit_discard(**DISCARD), **{**DISCARD, "slots": [3, 7]})
    with pytest.raises(ValueError, match="twice"):
        commit_discard(**{**DISCARD, "slots": [3, 7, 3]})


@pytest.mark.parametrize("field", DISCARD)
def test_a_discard_opens_to_nothing_else(field: str) -> None:
    with pytest.raises(ProofRefused):
        verify_discard(commit_discard(**DISCARD), **{**DISCARD, field: CHANGES[field]})


@pytest.mark.parametrize("slots", [(), (3,), (3, 7, 7), (3, 7, 8), (3, -1), (3, 300), (3, None), None])
def test_a_hostile_opening_is_refused_not_a_crash(slots: Any) -> None:
    with pytest.raises(ProofRefused):
        verify_discard(commit_discard(**DISCARD), **{**DISCARD, "slots": slots})


@pytest.mark.parametrize("salt", [b"", SALT[:-1], SALT + b"\0"])
def test_the_salt_has_256_bits(salt: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commit_discard(**{**DISCARD, "salt": salt})
    with pytest.raises(ProofRefused):
        verify_discard(commit_discard(**DISCARD), **{**DISCARD, "salt": salt})


def test_the_salt_hides_the_cards() -> None:
    """The same cards under other salts: 24 commitments, no two alike."""
    salts = [digest(b"salt", bytes([i])) for i in range(24)]
    assert len({commit_discard(**{**DISCARD, "salt": salt}) for salt in salts}) == 24


def test_the_coin_opens_to_its_nonce_only() -> None:
    commitment = commit_coin(MATCH, 1, SALT)
    verify_coin(commitment, MATCH, 1, SALT)
    for arguments in (
        (digest(b"other"), 1, SALT),
        (MATCH, 2, SALT),
        (MATCH, 1, digest(b"other salt")),
        (MATCH, 1, SALT[:-1]),
        (MATCH, 1, SALT + b"\0"),
        (MATCH, -1, SALT),
    ):
        with pytest.raises(ProofRefused):
            verify_coin(commitment, *arguments)
    with pytest.raises(ValueError, match="32 bytes"):
        commit_coin(MATCH, 1, b"")


def test_the_dealer_depends_on_every_nonce_and_has_no_favourite() -> None:
    nonces = [digest(b"nonce", bytes([seat])) for seat in range(4)]
    for seat in range(4):
        drawn = Counter(
            coin_dealer(MATCH, [*nonces[:seat], digest(b"x", i.to_bytes(2, "little")), *nonces[seat + 1 :]])
            for i in range(2000)
        )
        assert set(drawn) == {0, 1, 2, 3}
        # Three degrees of freedom, one chance in a thousand.
        assert sum((drawn[dealer] - 500) ** 2 / 500 for dealer in range(4)) < 16.3


def test_the_coin_takes_four_nonces() -> None:
    for count in (0, 3, 5):
        with pytest.raises(ValueError, match="each seat"):
            coin_dealer(MATCH, [SALT] * count)
    assert coin_dealer(MATCH, [SALT] * 4) in range(4)
