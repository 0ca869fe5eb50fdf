"""The types of the fields that events carry (§5): a check for each, of limits and shape only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final, TypeAlias

from protocol.crypto.parts import PART_BYTES, PARTS
from protocol.encoding import Value
from protocol.limits import MAX_DEALS

DECK_SIZE: Final = 36
STOCK_SIZE: Final = 20
SHARE_BYTES: Final = 96
CIPHERTEXT_BYTES: Final = 64
PARTS_BYTES: Final = PARTS * PART_BYTES
"""Three sealed parts of a key, one for each other seat (§6.12)."""
DEALT_SHARES: Final = 13
"""Twelve cards of the three others and the indicator."""

DECK: Final = "deck"
STOCK: Final = "stock"

Check: TypeAlias = "Callable[[Value], bool]"


def uint(limit: int) -> Check:
    """An integer from 0 to one below `limit`."""
    return lambda value: type(value) is int and 0 <= value < limit


def blob(*lengths: int) -> Check:
    """Bytes of one of these lengths."""
    return lambda value: isinstance(value, bytes) and len(value) in lengths


def one_of(*texts: str) -> Check:
    """One of these texts."""
    return lambda value: isinstance(value, str) and value in texts


def ascending_slots(value: Value) -> bool:
    """One to four slots, strictly ascending."""
    if not isinstance(value, tuple) or not 1 <= len(value) <= 4:
        return False
    numbers = [slot for slot in value if type(slot) is int and 0 <= slot < DECK_SIZE]
    return len(numbers) == len(value) and all(low < high for low, high in pairwise(numbers))


def openings(value: Value) -> bool:
    """Trick, salt and slots of each discard."""
    if not isinstance(value, tuple) or len(value) > DECK_SIZE:
        return False
    shape = (TRICK, blob(32), ascending_slots)
    return all(
        isinstance(entry, tuple)
        and len(entry) == len(shape)
        and all(check(field) for check, field in zip(shape, entry, strict=True))
        for entry in value
    )


DEAL: Final = uint(MAX_DEALS)
TRICK: Final = uint(DECK_SIZE)
SEAT: Final = uint(4)
HASH: Final = blob(32)
SHOWN: Final = blob(*(SHARE_BYTES * count for count in range(1, 5)))
