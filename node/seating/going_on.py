"""A match that is gone on with by somebody else in one seat (§7.13): what a host says, and the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from engine import SEATS, Seat, Standing, new_match
from engine.errors import OptionsError
from node.errors import CannotGoOn
from node.i18n import tr
from protocol.encoding import Value
from protocol.errors import FrameRejected, GenesisError
from protocol.genesis import Genesis, decode_genesis, read_standing, standing_value

__all__ = ["GoingOn", "check_next_genesis", "decode_going_on"]


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The match that is gone on with, by its genesis, and where it stood after its last finished deal."""

    genesis: Genesis
    standing: Standing

    @property
    def previous(self) -> bytes:
        """The id of that match, 32 bytes."""
        return self.genesis.match_id

    @property
    def owned(self) -> Mapping[bytes, Seat]:
        """Whose seat each was: by identity key (32 bytes)."""
        return {member.identity: seat for seat, member in enumerate(self.genesis.roster)}

    def replaced(self, genesis: Genesis) -> tuple[Seat, ...]:
        """The seats that another match gives to somebody else."""
        before, after = self.genesis.roster, genesis.roster
        return tuple(seat for seat in SEATS if before[seat].identity != after[seat].identity)

    def value(self) -> Value:
        """What a `seats` frame says of it (§9.6)."""
        return self.genesis.encode(), standing_value(self.standing)


def decode_going_on(value: Value) -> GoingOn | None:
    """Read that part of a `seats` frame; raises FrameRejected."""
    if value is None:
        return None
    _expect(isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], bytes))
    data, standing = cast("tuple[bytes, Value]", value)
    try:
        going_on = GoingOn(decode_genesis(data), read_standing(standing))
        new_match(going_on.genesis.options, standing=going_on.standing)
    except (GenesisError, OptionsError) as error:
        raise FrameRejected("malformed", "a match that cannot be gone on with") from error
    return going_on


def check_next_genesis(going_on: GoingOn, genesis: Genesis, identity: bytes) -> None:
    """What is proposed must go on with that match and change nothing but one seat's owner.

    `identity` is the reader's own key, 32 bytes. Raises CannotGoOn, which says what differs.
    """
    before = going_on.genesis
    replaced = going_on.replaced(genesis)
    if (genesis.previous, genesis.standing) != (going_on.previous, going_on.standing):
        raise CannotGoOn(
            tr("The host proposes to go on with something else than it has shown. Not accepted.")
        )
    if (genesis.options, genesis.grace, genesis.for_show) != (before.options, before.grace, before.for_show):
        raise CannotGoOn(tr("The host proposes other options than the match had. Not accepted."))
    if going_on.owned.get(identity, -1) in replaced:
        raise CannotGoOn(tr("The host proposes another seat than you had in this match. Not accepted."))
    if len(replaced) > 1:
        names = ", ".join(before.roster[seat].name for seat in replaced)
        raise CannotGoOn(
            tr(
                "The host proposes to give away more than one seat ({names}). Only one can change its owner."
                " Not accepted.",
                names=names,
            )
        )


def _expect(condition: bool) -> None:
    if not condition:
        raise FrameRejected("malformed", "a match to go on with, with fields of a wrong type")
