"""Whom this player knows: the identities met in finished matches, read from the matches on disk."""

from __future__ import annotations

import json
from collections.abc import Iterable

from node.storage.store import StoredMatch
from protocol.errors import GenesisError
from protocol.genesis import decode_genesis

__all__ = ["known_players"]


def known_players(matches: Iterable[StoredMatch]) -> dict[bytes, str]:
    """Return the others of all finished matches: identity key (32 bytes) and the latest name.

    Left out are players who were proven to cheat, whatever else they have played, and matches for show,
    whose keys may be known to others. `matches` come with the oldest first.
    """
    known: dict[bytes, str] = {}
    revoked: set[bytes] = set()
    for match in matches:
        try:
            genesis = decode_genesis(match.genesis)
        except GenesisError:
            continue  # Of another version of the protocol: nobody is known by what cannot be read.
        culprit, fault = _verdict(match.summary)
        if culprit is not None:
            revoked.add(genesis.roster[culprit].identity)
        if match.finished and not fault and not genesis.for_show:
            others = (member for seat, member in enumerate(genesis.roster) if seat != match.seat)
            known.update((member.identity, member.name) for member in others)
    return {identity: name for identity, name in known.items() if identity not in revoked}


def _verdict(summary: str) -> tuple[int | None, bool]:
    """The culprit's seat, if one was proven, and whether the match ended in a fault."""
    try:
        told = json.loads(summary or "{}")
        culprit, fault = told.get("culprit"), told.get("fault")
    except (ValueError, AttributeError):
        return None, True
    return (culprit if culprit in range(4) else None), fault is not None
