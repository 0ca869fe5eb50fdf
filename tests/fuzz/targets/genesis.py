"""INVARIANT: a proposed genesis is refused as GenesisError, or is one that encodes to exactly these bytes.

What is accepted has four different identities and transport keys, options that the engine knows, and names
that are safe to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import ClassVar

from engine import Eggs, MolodkaRule, Options, new_match
from engine.state import Standing
from protocol.errors import GenesisError
from protocol.genesis import Genesis, decode_genesis, is_clean_name
from protocol.limits import GRACE_SECONDS
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import mutate_bytes, mutate_value, pack_any, unpack_any


class GenesisBytes:
    """`decode_genesis`."""

    name = "genesis"
    refusals: ClassVar[Mapping[str, str]] = {
        "oversized": "longer than any honest genesis",
        "undecodable": "bytes that are no msgpack",
        "forbidden-type": "a type that has no canonical form",
        "too-deep": "arrays nested too deep",
        "not-canonical": "a second encoding would be another match",
        "malformed": "the fields are not what they must be",
        "version": "another version of the protocol",
        "options": "options that cannot be played",
    }

    def draw(self, rng: Random) -> bytes:
        """A genesis with changes."""
        plain = corpus.match().setup.genesis
        other = Genesis(
            "Дача", Options(24, Eggs.DOUBLE, MolodkaRule.OFF), plain.roster, plain.nonces, 2, bytes(32), True
        )
        data = rng.choice((plain, other, _interrupted(plain))).encode()
        if rng.random() < 0.5:
            return mutate_bytes(rng, data, [other.encode()])
        return pack_any(mutate_value(rng, unpack_any(data)))

    def feed(self, given: bytes) -> Iterator[str]:
        """Decode it, and look at what came out."""
        try:
            genesis = decode_genesis(given)
        except GenesisError as error:
            yield error.code
            return
        assert genesis.encode() == given
        assert len({member.identity for member in genesis.roster}) == 4
        assert len({member.transport for member in genesis.roster}) == 4
        assert all(map(is_clean_name, (genesis.table, *(member.name for member in genesis.roster))))
        new_match(genesis.options, genesis.first_leader, genesis.standing)
        assert genesis.grace in GRACE_SECONDS
        yield ACCEPTED


def _interrupted(plain: Genesis) -> Genesis:
    """A match that takes another one up where it stood, with somebody else at one seat."""
    standing = Standing((8, 21), eggs=3, doubled=True, dealer=1, leader=3)
    options = Options(24, Eggs.DOUBLE)
    return replace(plain, options=options, previous=bytes(32), grace=3600, standing=standing)
