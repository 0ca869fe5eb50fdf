"""Going back to one's seat in a match that was broken off, by a crash or by going home (§9.5)."""

from __future__ import annotations

from pathlib import Path

from node.errors import MatchNotKept, ProfileNotWritable, StoreError, TableClosed
from node.i18n import tr
from node.live import LiveTable
from node.seating.frames import Address
from node.storage.followers import followers, went_on_as
from node.storage.keyfiles import write_private
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Store, StoredMatch
from protocol.genesis import decode_genesis

__all__ = [
    "ReturnedSeat",
    "keep_kind_of_bot",
    "kind_of_bot",
    "last_place",
    "match_to_resume",
    "name_in_match",
    "newest_first",
    "unfinished",
]

_KIND = "bot.txt"
_MAX_KIND = 512


class ReturnedSeat:
    """A seat at a table whose gathering is over: its match can be finished, another needs a new table."""

    async def next_match(self) -> LiveTable:
        """There is none; raises TableClosed."""
        raise TableClosed(tr("This table was for one match only. Open a new one for the next: kozel host"))

    def close(self) -> None:
        """Nobody waits for a goodbye."""


def newest_first(store: Store, prefix: str | None = None) -> list[StoredMatch]:
    """All matches on disk, or those whose ids begin so (hexadecimal, in any letter case)."""
    wanted = (prefix or "").lower()
    found = (match for match in store.matches() if match.match_id.hex().startswith(wanted))
    return sorted(found, key=lambda match: -match.created)


def unfinished(store: Store, prefix: str | None = None) -> list[StoredMatch]:
    """Those of them that were broken off and not gone on with by others."""
    left = followers(store)
    return [one for one in newest_first(store, prefix) if not one.finished and one.match_id not in left]


def match_to_resume(store: Store, prefix: str | None) -> StoredMatch:
    """The unfinished match whose id begins with `prefix`, or the newest; raises MatchNotKept."""
    open_matches = unfinished(store, prefix)
    if open_matches:
        return open_matches[0]
    for match in newest_first(store, prefix) if prefix else ():
        last = went_on_as(store, match.match_id)
        if last is not None:
            raise MatchNotKept(
                tr(
                    "This match went on with somebody else in one seat. Go back to that one:"
                    " kozel resume {match}",
                    match=last.hex()[:12],
                )
            )
    raise MatchNotKept(tr("There is no unfinished match to go back to. See: kozel matches"))


def last_place(profile: Profile, prefix: str | None) -> Address:
    """Where this seat listened when the match was broken off: the others will look there first."""
    with Store(profile.path / STORE_NAME) as store:
        match = match_to_resume(store, prefix)
        known = store.addresses(match.match_id).get(match.seat, ())
    return known[0] if known else ("*", 0)


def name_in_match(folder: Path, match_id: bytes) -> str | None:
    """The name under which the profile in a folder plays this match; None without a seat to go back to."""
    if not (folder / STORE_NAME).exists():
        return None
    try:
        with Store(folder / STORE_NAME) as store:
            match = store.match(match_id)
    except StoreError:
        return None  # In use, or damaged: that bot cannot be started again.
    if match is None or match.finished:
        return None
    return decode_genesis(match.genesis).roster[match.seat].name


def kind_of_bot(folder: Path) -> str | None:
    """What bot the profile in a folder belongs to (:func:`node.bots.bot_class`); None if unknown."""
    try:
        return (folder / _KIND).read_bytes()[:_MAX_KIND].decode().strip() or None
    except (OSError, UnicodeDecodeError):
        return None  # New, or of a release that did not keep it.


def keep_kind_of_bot(folder: Path, kind: str) -> None:
    """Remember it, making the folder if it is not there. Raises ProfileNotWritable."""
    if kind_of_bot(folder) == kind:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(folder / _KIND, kind.encode())
    except OSError as error:
        raise ProfileNotWritable(
            tr(
                "The profile folder {path} cannot be used ({reason}). "
                "Give yourself the right to write there, or choose another folder.",
                path=folder,
                reason=error.strerror or error,
            )
        ) from error
