"""Cheap stand-ins for the cryptography, for simulations only: the protocol's code runs on them unchanged.

The group is replaced by the integers modulo its order: the point k·G is written as k itself, so every
logarithm lies open and nothing is secret, but all sums, multiples, shuffles, shares and proofs come out as
they should, and a wrong one is refused as it should be. Whatever was once accepted is remembered, argument by
argument: five nodes in one process need not check the same proof five times. A refusal is never remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import SimpleNamespace
from unittest.mock import patch

from nacl.exceptions import CryptoError

from protocol import log, replica
from protocol.crypto import group, masking, shuffle_proof
from protocol.crypto.hashing import u32
from protocol.crypto.share import Share
from protocol.crypto.shuffle import ShuffleProof
from protocol.domains import CARD
from protocol.rules import dealing


def _encode(k: int) -> bytes:
    """k·G; one is added so that 0·G is written as the real group writes its neutral element."""
    return (k % group.ORDER + 1).to_bytes(32, "little")


def _decode(point: bytes) -> int:
    return int.from_bytes(point, "little") - 1


def _multiple(k: bytes, point: bytes) -> bytes:
    product = int.from_bytes(k, "little") * _decode(point) % group.ORDER
    if product == 0:
        raise CryptoError("the product is the neutral element")
    return _encode(product)


LIBRARY = SimpleNamespace(
    crypto_core_ed25519_is_valid_point=lambda point: 0 < _decode(point) < group.ORDER,
    crypto_scalarmult_ed25519_noclamp=_multiple,
    crypto_scalarmult_ed25519_base_noclamp=lambda k: _multiple(k, _encode(1)),
    crypto_core_ed25519_add=lambda left, right: _encode(_decode(left) + _decode(right)),
    crypto_core_ed25519_sub=lambda left, right: _encode(_decode(left) - _decode(right)),
    crypto_core_ed25519_from_uniform=lambda data: _encode(int.from_bytes(data, "little")),
)
"""The functions of libsodium that :mod:`protocol.crypto.group` uses, on integers."""


@contextmanager
def integers_as_group() -> Iterator[None]:
    """Everything inside computes with integers in place of the points of a curve."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(group, "bindings", LIBRARY))
        stack.enter_context(patch.object(group, "G", group.base(1)))
        cards = tuple(group.hash_to_point(CARD, u32(card)) for card in range(masking.DECK_SIZE))
        numbers = {point: card for card, point in enumerate(cards)}
        stack.enter_context(patch.object(masking, "CARD_POINTS", cards))
        stack.enter_context(patch.object(masking, "_CARD_OF", numbers))
        stack.callback(shuffle_proof.generators.cache_clear)
        shuffle_proof.generators.cache_clear()
        yield


@contextmanager
def checked_once() -> Iterator[None]:
    """Remember, until the end, which events, signatures, decks and proofs were accepted."""
    with ExitStack() as stack:
        for module, names in (
            (dealing, ("decode_deck", "verify_shuffle", "verify_share", "verify_key")),
            (replica, ("decode_event",)),
            (log, ("verify_signature",)),
        ):
            for name in names:
                stack.enter_context(patch.object(module, name, cache(getattr(module, name))))
        for kind in (Share, ShuffleProof):
            reader = SimpleNamespace(from_bytes=cache(kind.from_bytes))
            stack.enter_context(patch.object(dealing, kind.__name__, reader))
        yield


@contextmanager
def cheap_proofs(*, real: bool = False) -> Iterator[None]:
    """Both; with `real` the group stays what it is."""
    with ExitStack() as stack:
        if not real:
            stack.enter_context(integers_as_group())
        stack.enter_context(checked_once())
        yield
