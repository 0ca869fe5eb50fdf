"""Commitments that are hashes: face-down discards and the coin that draws the first dealer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from protocol import domains
from protocol.crypto.errors import ProofRefused, refusing
from protocol.crypto.hashing import digest, u8, u32

SALT_BYTES: Final = 32
"""Length of the salt of a discard and of a nonce of the coin."""

SEATS: Final = 4

_DISCARD_REFUSED = "the opened discard is not the one that was committed to"
_COIN_REFUSED = "the revealed coin nonce is not the one that was committed to"


def commit_discard(
    match_id: bytes, deal: int, trick: int, seat: int, on: int, salt: bytes, slots: Sequence[int]
) -> bytes:
    """The 32-byte commitment of ``seat`` to the cards in ``slots``, discarded on seat ``on``’s lead (R10).

    ``digest(DISCARD, match_id, u32(deal), u32(trick), u8(seat), u8(on), salt, slots)``, the slots as one byte
    each in ascending order: a discard is a set. ``ValueError`` for a salt that is not ``SALT_BYTES`` long
    or for a slot that is named twice or is no byte.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt is {SALT_BYTES} bytes")
    if len(set(slots)) != len(slots):
        raise ValueError("a slot is named twice")
    ordered = bytes(sorted(slots))
    return digest(domains.DISCARD, match_id, u32(deal), u32(trick), u8(seat), u8(on), salt, ordered)


def verify_discard(
    commitment: bytes,
    match_id: bytes,
    deal: int,
    trick: int,
    seat: int,
    on: int,
    salt: bytes,
    slots: Sequence[int],
) -> None:
    """Check that ``commitment`` opens to ``salt`` and ``slots``; ``ProofRefused`` otherwise."""
    with refusing(_DISCARD_REFUSED):
        if commit_discard(match_id, deal, trick, seat, on, salt, slots) != commitment:
            raise ProofRefused(_DISCARD_REFUSED)


def recall_discard(
    commitment: bytes,
    match_id: bytes,
    deal: int,
    trick: int,
    seat: int,
    on: int,
    salt: bytes,
    held: Iterable[int],
    count: int,
) -> tuple[int, ...] | None:
    """Which ``count`` of the ``held`` slots a commitment hides whose salt is known; None if it hides none."""
    for slots in combinations(sorted(held), count):
        if commit_discard(match_id, deal, trick, seat, on, salt, slots) == commitment:
            return slots
    return None


def commit_coin(match_id: bytes, seat: int, nonce: bytes) -> bytes:
    """The 32-byte commitment ``digest(COIN_COMMIT, match_id, u8(seat), nonce)`` (R4).

    ``ValueError`` for a nonce that is not ``SALT_BYTES`` long.
    """
    if len(nonce) != SALT_BYTES:
        raise ValueError(f"a nonce is {SALT_BYTES} bytes")
    return digest(domains.COIN_COMMIT, match_id, u8(seat), nonce)


def verify_coin(commitment: bytes, match_id: bytes, seat: int, nonce: bytes) -> None:
    """Check that ``commitment`` opens to ``nonce``; ``ProofRefused`` otherwise."""
    with refusing(_COIN_REFUSED):
        if commit_coin(match_id, seat, nonce) != commitment:
            raise ProofRefused(_COIN_REFUSED)


def coin_dealer(match_id: bytes, nonces: Sequence[bytes]) -> int:
    """The seat that deals first, 0–3, from the revealed nonces of seats 0–3 in this order (R4).

    The first byte of ``digest(COIN_RESULT, match_id, nonce_0, …, nonce_3)`` modulo 4, which has no bias
    since 4 divides 256. One honest nonce is enough to make it fair. ``ValueError`` unless there are four.
    """
    if len(nonces) != SEATS:
        raise ValueError("the coin takes one nonce from each seat")
    return digest(domains.COIN_RESULT, match_id, *nonces)[0] % SEATS
