"""The example match of Appendix B, and the fixed secrets of all vectors. There is no other randomness."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from engine.options import Options
from protocol import domains
from protocol.crypto.context import Context
from protocol.crypto.group import base
from protocol.crypto.keys import joint_key
from protocol.crypto.masking import Deck, encode_deck, initial_deck
from protocol.crypto.parts import encryption_key
from protocol.crypto.shuffle import ShuffleWitness, shuffle
from protocol.crypto.transcript import Stream
from protocol.events import Event, Ref, sign_event
from protocol.genesis import Genesis, Member
from protocol.identity import Identity
from protocol.keyring import Keyring

SEQ: Final = bytes(range(32))
"""The secret 00 01 … 1f."""

IDENTITIES: Final = tuple(Identity(bytes([seat + 1]) * 32) for seat in range(4))
NAMES: Final = ("North", "East", "South", "West")
EXAMPLE: Final = Genesis(
    table="Example",
    options=Options(),
    roster=tuple(
        Member(identity.public, bytes([0x11 * (seat + 1)]) * 32, name)
        for seat, (identity, name) in enumerate(zip(IDENTITIES, NAMES, strict=True))
    ),
    nonces=tuple(bytes([0xA0 + seat]) * 32 for seat in range(4)),
)
MATCH: Final = EXAMPLE.match_id
ENCRYPTION_SECRETS: Final = tuple(bytes([0xB0 + seat]) * 32 for seat in range(4))
ENCRYPTION_KEYS: Final = tuple(map(encryption_key, ENCRYPTION_SECRETS))
COINS: Final = tuple(bytes([0xC0 + seat]) * 32 for seat in range(4))

SECRETS: Final = tuple(sha256(b"vector secret %d" % seat).digest() for seat in range(4))
"""Seat secrets."""
RINGS: Final = tuple(Keyring(EXAMPLE, seat, SECRETS[seat]) for seat in range(4))
KEYS: Final = tuple(ring.deal_key(0) for ring in RINGS)
"""Secret deal keys of deal 0."""
PUBLICS: Final = tuple(map(base, KEYS))
JOINT: Final = joint_key(PUBLICS)

TORSION_2: Final = bytes.fromhex("ec" + "ff" * 30 + "7f")
"""The point of order 2."""


def context(stage: str, seat: int = 0, deal: int = 0) -> Context:
    """Where a proof counts."""
    return Context(MATCH, EXAMPLE.roster_digest, deal, stage, seat)


def acceptance(seat: int) -> Event:
    """The first event of a seat (B.17 for seat 0)."""
    body = (ENCRYPTION_KEYS[seat],)
    return sign_event(IDENTITIES[seat], MATCH, seat, 0, MATCH, (None,) * 4, "accept", body)


@cache
def coin_event(commitment: bytes) -> Event:
    """The second event of seat 0, which has seen all acceptances (B.20)."""
    refs = (None, *(Ref(0, acceptance(seat).id) for seat in (1, 2, 3)))
    return sign_event(IDENTITIES[0], MATCH, 0, 1, acceptance(0).id, refs, "coin-commit", (commitment,))


@cache
def first_step(stage: str) -> tuple[Deck, Deck, ShuffleWitness]:
    """Deck before, deck after and witness of a shuffle by seat 0 under the joint key of deal 0.

    For the stage `stock` the cards before are slots 16–35 of the deck after the shuffle of the stage `deck`.
    """
    before = initial_deck(JOINT) if stage == "deck" else first_step("deck")[1][16:]
    after, witness = shuffle(before, JOINT, shuffle_stream(stage, before))
    return before, after, witness


def shuffle_stream(stage: str, before: Deck) -> Stream:
    """The stream that permutation and masks of seat 0 come from."""
    return RINGS[0].shuffle_stream(0, stage, encode_deck(before))


def flip(data: bytes, bit: int = 0) -> bytes:
    """The bytes with one bit turned, counted from the lowest of the first byte."""
    return (int.from_bytes(data, "little") ^ (1 << bit)).to_bytes(len(data), "little")


LABELS: Final = {
    value: name for name, value in vars(domains).items() if isinstance(value, bytes) and name != "SUITE"
}
"""The names of all labels."""
