"""Questions that every rule asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from protocol.crypto.errors import CryptoError
from protocol.errors import Fault
from protocol.events import Event, Position


def out_of_order() -> Fault:
    """The fault of an event that comes too early.

    The sentence is the same whatever is missing: which facts a node knows beyond the event's own past
    differs from node to node, and the verdict must not.
    """
    return Fault("out-of-order", "something that has to come before it was not there yet")


def require_seen(event: Event, positions: Iterable[Position | None]) -> None:
    """Raise unless all facts at `positions` are in the event's causal past (§7.1)."""
    for position in positions:
        if position is None or not event.saw(position):
            raise out_of_order()


def require_first(fact: object, what: str) -> None:
    """Raise when the author has already established `fact`."""
    if fact is not None:
        raise Fault("repeated", f"its author had already {what}")


@contextmanager
def blamed_as(code: str, what: str) -> Iterator[None]:
    """Turn a refusal of the cryptography into a fault of the event's author."""
    try:
        yield
    except CryptoError as error:
        raise Fault(code, f"{what}: {error}") from error
