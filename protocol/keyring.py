"""Every secret of one seat in one match, derived from the one match secret (§6.2).

A node that lost everything but its log and this secret knows all its cards again, and never makes
a second, different value where it has already published a first.
"""

from __future__ import annotations

from itertools import combinations

from engine.cards import Seat
from protocol import domains
from protocol.crypto.commitment import commit_discard
from protocol.crypto.context import Context
from protocol.crypto.hashing import u8, u32
from protocol.crypto.keys import derive_deal_key
from protocol.crypto.transcript import Stream, derive
from protocol.genesis import Genesis


def genesis_nonce(secret: bytes) -> bytes:
    """The nonce that the owner of `secret` puts into a genesis, before the match has an id."""
    return derive(secret, domains.GENESIS_NONCE)


class Keyring:
    """Derives what the seat needs; holds no state but the secret."""

    def __init__(self, genesis: Genesis, seat: Seat, secret: bytes) -> None:
        self.seat = seat
        self._match_id = genesis.match_id
        self._roster = genesis.roster_digest
        self._secret = derive(secret, domains.MATCH_SECRET, self._match_id, u8(seat))

    def context(self, deal: int, stage: str) -> Context:
        """The context that this seat's proofs of a stage are bound to."""
        return Context(self._match_id, self._roster, deal, stage, self.seat)

    def coin_nonce(self) -> bytes:
        """This seat's half of the coin (R4)."""
        return derive(self._secret, domains.COIN_NONCE)

    def deal_key(self, deal: int) -> int:
        """The secret deal key."""
        return derive_deal_key(self._secret, self.context(deal, "key"))

    def shuffle_stream(self, deal: int, stage: str, before: bytes) -> Stream:
        """Permutation and masks of one shuffle; another input deck means other randomness."""
        return Stream(self._secret, domains.SHUFFLE_RANDOMNESS, self.context(deal, stage).digest(), before)

    @property
    def proof_secret(self) -> bytes:
        """Input to the proofs' nonces, which also depend on the whole statement."""
        return derive(self._secret, domains.PROOF_NONCES)

    def salt(self, deal: int, trick: int, on: Seat) -> bytes:
        """The salt of this seat's discard on the lead of seat `on` in a trick."""
        seed = derive(self._secret, domains.SALT_SEED, u32(deal))
        return derive(seed, domains.SALT, u32(trick), u8(on))

    def commit(self, deal: int, trick: int, on: Seat, slots: tuple[int, ...]) -> bytes:
        """The commitment to a discard (§6.9)."""
        return commit_discard(self._match_id, deal, trick, self.seat, on, self.salt(deal, trick, on), slots)

    def recall_discard(
        self, deal: int, trick: int, on: Seat, commitment: bytes, count: int, held: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """Find which of the `held` slots an own commitment hides: at most six sets come into question."""
        for slots in combinations(sorted(held), count):
            if self.commit(deal, trick, on, slots) == commitment:
                return slots
        return None
