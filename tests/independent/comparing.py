"""What the two verifiers are compared by: one outcome of both, and ways to make both of them cheap."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Final
from unittest.mock import patch

from nacl import bindings

from protocol import log, replica
from protocol.audit import audit_log, audit_logs
from tests.independent import verify_log
from tests.independent.verify_log import Outcome, verify
from tests.protocol.matches import remembered_proofs
from tests.simulation.stand_ins import LIBRARY, integers_as_group

_PURE: Final = ("signature_holds", "key_holds", "share_holds", "shuffle_holds", "parts_hold", "decode")
_POINTS: Final = ("card_points", "cards_by_point", "generators")


def program(data: bytes, *more: bytes) -> Outcome:
    """What the program's own audit says, in the words of the other one."""
    found = audit_logs([io.BytesIO(file) for file in (data, *more)]) if more else audit_log(io.BytesIO(data))
    verdict, match = found.verdict, found.match
    return Outcome(
        found.finding.value,
        None if verdict is None else verdict.culprit,
        None if verdict is None else verdict.fault,
        tuple(event.hex() for event in verdict.events) if verdict else (),
        len(match.finished) if match else 0,
        match.state.score if match else (0, 0),
        match.state.goat if match else None,
    )


def check_agreement(data: bytes, *more: bytes) -> Outcome:
    """What both say; AssertionError if they do not say the same."""
    found = verify(data, *more)
    assert found == program(data, *more)
    return found


@contextmanager
def proofs_remembered() -> Iterator[None]:
    """Both verifiers remember what came of signatures and proofs, argument by argument.

    The program's side remembers only what was accepted; a refusal is an exception and is found anew.
    """
    with ExitStack() as stack:
        stack.enter_context(remembered_proofs())
        for module, name in ((replica, "decode_event"), (log, "verify_signature")):
            stack.enter_context(patch.object(module, name, cache(getattr(module, name))))
        for name in _PURE:
            stack.enter_context(patch.object(verify_log, name, cache(getattr(verify_log, name))))
        yield


@contextmanager
def integers_in_both() -> Iterator[None]:
    """Both verifiers compute with integers in place of the points of a curve (tests.simulation.stand_ins)."""
    with ExitStack() as stack:
        stack.enter_context(integers_as_group())
        stack.enter_context(
            patch.object(verify_log, "sodium", SimpleNamespace(**vars(bindings) | vars(LIBRARY)))
        )
        stack.enter_context(patch.object(verify_log, "G", (2).to_bytes(32, "little")))
        for name in _POINTS:
            made = getattr(verify_log, name)
            stack.enter_context(patch.object(verify_log, name, cache(made.__wrapped__)))
        yield
