"""The match on disk that is to be gone on with, and whether what a host says of it is true (§7.13)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from engine import Standing, standing_of
from node.errors import CannotGoOn, MatchNotKept
from node.i18n import tr
from node.seating.going_on import GoingOn
from node.seating.returning import newest_first, unfinished
from node.storage.followers import went_on_as
from node.storage.store import Store, StoredMatch
from protocol.events import SignedEvent
from protocol.genesis import Genesis, decode_genesis
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import Received, Replica

__all__ = ["check_shown", "match_to_go_on", "read_kept", "standing_after"]


def match_to_go_on(store: Store, prefix: str | None) -> StoredMatch:
    """The match whose id begins with `prefix`, or the newest that was broken off; raises MatchNotKept."""
    # By its id also what is over, or has gone on already: it is refused later with the reason for it.
    kept = unfinished(store) if prefix is None else newest_first(store, prefix)
    if not kept:
        raise MatchNotKept(tr("There is no unfinished match to go on with. See: kozel matches"))
    return kept[0]


async def read_kept(store: Store, stored: StoredMatch) -> tuple[GoingOn, int]:
    """Judge a match on disk anew: how it can be gone on with, and how many deals were finished.

    Raises CannotGoOn.
    """
    follower = went_on_as(store, stored.match_id)
    if follower is not None:
        raise CannotGoOn(
            tr(
                "This match has been gone on with already. Go back to it with: kozel resume {match}",
                match=follower.hex()[:12],
            )
        )
    genesis = decode_genesis(stored.genesis)
    events = list(store.events(stored.match_id))
    # Seconds of arithmetic, in a thread: meanwhile the others must hear from this computer.
    match = await asyncio.to_thread(_judged, genesis, events)
    return GoingOn(genesis, standing_after(match)), len(match.finished)


def standing_after(match: Match) -> Standing:
    """Where a match stands between two deals; raises CannotGoOn when it cannot be gone on with."""
    if match.verdict is not None:
        raise CannotGoOn(tr("In this match a cheat is proven; it has ended. Open a new table: kozel host"))
    if match.over:
        raise CannotGoOn(tr("This match is over. Open a new table: kozel host"))
    if match.current.state is not None:
        raise CannotGoOn(
            tr(
                "A deal of this match is under way. Play it to its end first: kozel resume. The three of you"
                " can do that without the player who is gone; then somebody else can take the seat."
            )
        )
    if match.finished:
        return standing_of(match.settled)
    if match.genesis.standing is not None:
        return match.genesis.standing
    raise CannotGoOn(
        tr("No deal of this match was finished, so nothing is lost: open a new table: kozel host")
    )


async def check_shown(store: Store, shown: GoingOn, identity: bytes) -> None:
    """What a host says of a match of this player's must be what the own log says.

    `identity` is the player's key, 32 bytes. Somebody who was not in that match has nothing to compare: the
    others vouch for it by accepting. Raises CannotGoOn, which says what differs.
    """
    if identity not in shown.owned:
        return
    stored = store.match(shown.previous)
    if stored is None:
        raise CannotGoOn(
            tr(
                "The host wants to go on with a match of yours that this computer does not keep: {match}."
                " Not accepted.",
                match=shown.previous.hex()[:12],
            )
        )
    try:
        own, _ = await read_kept(store, stored)
    except CannotGoOn as error:
        raise CannotGoOn(
            tr(
                "By the record on this computer the match cannot be gone on with, so this was not accepted."
                " {reason} If you were away while the others played, all four go back: kozel resume {match}",
                reason=error,
                match=shown.previous.hex()[:12],
            )
        ) from error
    if own.standing != shown.standing:
        raise CannotGoOn(
            tr(
                "The host says that the match stands {theirs}; on this computer it stands {own}."
                " Not accepted. If somebody's program ended early, all go back first: kozel resume {match}",
                theirs=_told(shown.standing, own.standing),
                own=_told(own.standing, shown.standing),
                match=shown.previous.hex()[:12],
            )
        )


def _told(standing: Standing, other: Standing) -> str:
    """A standing in words; what is seldom different only where it differs."""
    first, second = standing.score
    parts = [tr("{first} to {second}", first=first, second=second)]
    if (standing.eggs, standing.doubled) != (other.eggs, other.doubled):
        parts.append(tr("after {eggs} eggs", eggs=standing.eggs))
    if (standing.dealer, standing.leader) != (other.dealer, other.leader):
        parts.append(
            tr(
                "seat {dealer} having dealt, seat {leader} to lead",
                dealer=standing.dealer + 1,
                leader=standing.leader + 1,
            )
        )
    return ", ".join(parts)


def _judged(genesis: Genesis, events: Iterable[SignedEvent]) -> Match:
    log = EventLog(genesis, keep_bytes=False)
    match, replica = Match(log), Replica(log)
    for signed in events:
        received = Received()
        replica.add(signed, received)
        match.take(received)
    return match
