"""Whose figures are asked for: the owner of a profile, or somebody else who sits in its logs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from node.errors import PassphraseNeeded, PlayerNotFound
from node.history.kept import KeptMatch
from node.i18n import tr
from node.storage.keyfiles import read_identity
from node.storage.profile import IDENTITY_NAME

__all__ = ["find_player", "latest_name", "own_identity", "short_key"]

_SHORTEST: Final = 4
"""Hexadecimal digits that a key must be named with at least."""


def short_key(key: bytes) -> str:
    """The digits by which a player is shown and can be named."""
    return key.hex()[:8]


def own_identity(folder: Path, matches: Sequence[KeptMatch]) -> bytes | None:
    """The identity (32 bytes) of the profile in `folder`, None if it has none yet; it need not be closed.

    A key with a passphrase need not be opened: the newest match tells who sat there. Raises KeyDamaged, or
    PassphraseNeeded where there is no match.
    """
    file = folder / IDENTITY_NAME
    if not file.exists():
        return None
    try:
        seed = read_identity(file, None)
    except PassphraseNeeded:
        own = [(one.created or 0.0, one) for one in matches if one.stored is not None and one.genesis]
        if not own:
            raise
        newest = max(own, key=lambda pair: pair[0])[1]
        assert newest.genesis is not None
        assert newest.stored is not None
        return newest.genesis.roster[newest.stored.seat].identity
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def latest_name(matches: Sequence[KeptMatch], key: bytes) -> str | None:
    """How the owner of an identity was called last; None for somebody who sits in no match."""
    return _names(matches).get(key, (None,))[-1]


def find_player(matches: Sequence[KeptMatch], text: str) -> bytes:
    """The identity of whoever has, or had, this name; else whose key begins so. Raises PlayerNotFound."""
    wanted = text.strip().casefold()
    names = _names(matches)
    named = [key for key, told in names.items() if wanted in (name.casefold() for name in told)]
    if not named and re.fullmatch(f"[0-9a-f]{{{_SHORTEST},64}}", wanted):
        named = [key for key in names if key.hex().startswith(wanted)]
    if not named:
        raise PlayerNotFound(tr("In the logs on this computer nobody is called “{name}”.", name=text))
    if len(named) > 1:
        raise PlayerNotFound(
            tr(
                "Several players are meant by “{name}”. Write the first digits of a key: {keys}.",
                name=text,
                keys=", ".join(f"{short_key(key)} ({names[key][-1]})" for key in named),
            )
        )
    return named[0]


def _names(matches: Sequence[KeptMatch]) -> dict[bytes, tuple[str, ...]]:
    """All names of everybody, the latest last; of matches without a date nobody knows how late they are."""
    names: dict[bytes, tuple[str, ...]] = {}
    for match in sorted(matches, key=lambda match: match.created or 0.0):
        for member in match.genesis.roster if match.genesis else ():
            others = (name for name in names.get(member.identity, ()) if name != member.name)
            names[member.identity] = (*others, member.name)
    return names
