"""Every secret of one seat in one match, derived from the one match secret (§6.2).

A node that lost everything but its log and this secret knows all its cards again, and never makes
a second, different value where it has already published a first.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import SEATS, Seat
from protocol import domains
from protocol.crypto.commitment import commit_discard, recall_discard
from protocol.crypto.context import Context
from protocol.crypto.hashing import u8, u32
from protocol.crypto.keys import derive_deal_key
from protocol.crypto.parts import seal_part, split_key
from protocol.crypto.transcript import Stream, derive
from protocol.genesis import Genesis


def genesis_nonce(secret: bytes) -> bytes:
    """The nonce that the owner of `secret` puts into a genesis, before the match has an id."""
    return derive(secret, domains.GENESIS_NONCE)


def discard_salt(seed: bytes, trick: int, on: Seat) -> bytes:
    """The salt of a discard on the lead of seat `on`: it follows from the seed that is shared out (§6.12)."""
    return derive(seed, domains.SALT, u32(trick), u8(on))


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

    @property
    def encryption_secret(self) -> bytes:
        """The X25519 secret that the others seal parts of their keys for (§6.12)."""
        return derive(self._secret, domains.ENCRYPTION_KEY)

    def sealed_parts(self, deal: int, encryption: Sequence[bytes]) -> bytes:
        """The deal key and the seed of the salts in three parts, sealed for the others by their keys (§6.12).

        `encryption` has the key of each seat; the parts are in the order of the seats that hold them.
        """
        context = self.context(deal, "key")
        stream = Stream(self._secret, domains.KEY_PARTS, context.digest())
        parts = split_key(self.deal_key(deal), self._salt_seed(deal), stream)
        holders = [seat for seat in SEATS if seat != self.seat]
        return b"".join(
            seal_part(context, holder, part, encryption[holder], self._secret).to_bytes()
            for holder, part in zip(holders, parts, strict=True)
        )

    def _salt_seed(self, deal: int) -> bytes:
        return derive(self._secret, domains.SALT_SEED, u32(deal))

    def salt(self, deal: int, trick: int, on: Seat) -> bytes:
        """The salt of this seat's discard on the lead of seat `on` in a trick."""
        return discard_salt(self._salt_seed(deal), trick, on)

    def commit(self, deal: int, trick: int, on: Seat, slots: tuple[int, ...]) -> bytes:
        """The commitment to a discard (§6.9)."""
        return commit_discard(self._match_id, deal, trick, self.seat, on, self.salt(deal, trick, on), slots)

    def recall_discard(
        self, deal: int, trick: int, on: Seat, commitment: bytes, count: int, held: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """Find which of the `held` slots an own commitment hides: at most six sets come into question."""
        salt = self.salt(deal, trick, on)
        return recall_discard(commitment, self._match_id, deal, trick, self.seat, on, salt, held, count)
