"""Every domain-separation label of the protocol, in one place.

A label says what a hash, a derived key or a signature is for, so that bytes made for one purpose never
mean anything for another. Each carries the suite and its version: version 2 of any construction is a new
prefix, hence a different value everywhere. Labels enter hashes length-prefixed
(``protocol.crypto.hashing.frame``) and signatures as a plain prefix; for the latter no label may be the
beginning of another, which a test enforces.
"""

from __future__ import annotations

from typing import Final

SUITE: Final = b"kozel/1 "

# The log.
GENESIS: Final = SUITE + b"genesis"
ROSTER: Final = SUITE + b"roster"
GENESIS_NONCE: Final = SUITE + b"nonce of a genesis"
EVENT_ID: Final = SUITE + b"event id"
EVENT_SIGNATURE: Final = SUITE + b"event signature"
RESULT: Final = SUITE + b"deal result"
FINAL: Final = SUITE + b"final state"

# The lobby, where keys are exchanged before a match exists.
LOBBY_KEY: Final = SUITE + b"lobby key"
LOBBY_INTRODUCTION: Final = SUITE + b"lobby introduction"
LOBBY_RECOGNITION: Final = SUITE + b"lobby recognition"

# Two programs with copies of one profile.
SEAT_TAKEN: Final = SUITE + b"seat taken"

# Secrets derived from other secrets.
KDF: Final = SUITE + b"key derivation"
SHOW_SECRET: Final = SUITE + b"secret of a match for show"
MATCH_SECRET: Final = SUITE + b"match secret"
COIN_NONCE: Final = SUITE + b"coin nonce"
DEAL_KEY: Final = SUITE + b"deal key"
SHUFFLE_RANDOMNESS: Final = SUITE + b"shuffle randomness"
SALT_SEED: Final = SUITE + b"seed of discard salts"
SALT: Final = SUITE + b"discard salt"
PROOF_NONCES: Final = SUITE + b"secret of proof nonces"
KEY_NONCE: Final = SUITE + b"key proof nonce"
SHUFFLE_NONCE: Final = SUITE + b"shuffle proof nonce"
SHARE_NONCE: Final = SUITE + b"share proof nonce"

# Key parts.
ENCRYPTION_KEY: Final = SUITE + b"encryption key"
KEY_PARTS: Final = SUITE + b"split of a deal key"
PART_SEED: Final = SUITE + b"seed of a key part"
PART_EPHEMERAL: Final = SUITE + b"ephemeral key of a key part"
PART_KEY: Final = SUITE + b"cipher key of a key part"
PART_SEAL: Final = SUITE + b"sealed key part"

# Points whose discrete logarithm nobody knows.
CARD: Final = SUITE + b"card point"
GENERATOR: Final = SUITE + b"commitment generator"

# Proofs.
CONTEXT: Final = SUITE + b"proof context"
KEY_PROOF: Final = SUITE + b"key proof challenge"
SHUFFLE_STATEMENT: Final = SUITE + b"shuffle statement"
SHUFFLE_U: Final = SUITE + b"shuffle exponent"
SHUFFLE_CHALLENGE: Final = SUITE + b"shuffle proof challenge"
SHARE_PROOF: Final = SUITE + b"share proof challenge"

# Commitments.
DISCARD: Final = SUITE + b"discard commitment"
COIN_COMMIT: Final = SUITE + b"coin commitment"
COIN_RESULT: Final = SUITE + b"coin result"
