"""Which matches on disk have been gone on with by others (§7.13): they get no more events."""

from __future__ import annotations

from engine import SEATS
from node.storage.store import Store
from protocol.errors import GenesisError
from protocol.genesis import Genesis, decode_genesis

__all__ = ["followers", "went_on_as"]


def followers(store: Store) -> dict[bytes, bytes]:
    """Return the ids of such matches, each with the id of the match that goes on with it.

    A proposal that has not been accepted by all four, as far as this disk knows, has changed nothing.
    """
    found = {}
    for match in store.matches():
        genesis = _read(match.genesis)
        if genesis is None or genesis.standing is None or genesis.previous is None:
            continue
        if _accepted(store, match.match_id):
            found[genesis.previous] = match.match_id
    return found


def went_on_as(store: Store, match_id: bytes) -> bytes | None:
    """The id of the match that a match has become, after any number of changes; None if it has not."""
    after = followers(store)
    last = after.get(match_id)
    while last in after:
        last = after[last]
    return last


def _read(data: bytes) -> Genesis | None:
    try:
        return decode_genesis(data)
    except GenesisError:
        return None  # Of another version of the protocol.


def _accepted(store: Store, match_id: bytes) -> bool:
    """Whether all four feeds have begun: each opens with the acceptance."""
    begun: set[int] = set()
    for record in store.records(match_id):
        begun.add(record.author)
        if len(begun) == len(SEATS):
            return True
    return False
