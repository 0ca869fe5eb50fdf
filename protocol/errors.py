"""Errors of the protocol layer.

::

    ProtocolError
    ├── EncodingError        bytes that are not canonical (§2)
    ├── EventRejected        an event that cannot enter a log at all (§4.4)
    ├── FrameRejected        a frame between nodes that breaks its grammar (§9)
    ├── GenesisError         a genesis that no node may accept (§3)
    ├── LogFileError         a log file that is damaged, foreign or cut short (§10)
    ├── PlayRefused          a wish of this node's own player that the rules do not allow
    └── Fault                a signed event that breaks the rules: its author is the culprit (§8)

Every class carries a stable `code`. `Fault` never leaves the package: the match turns it into a
:class:`~protocol.verdict.Verdict`.
"""

from __future__ import annotations

from collections.abc import Sequence


class ProtocolError(Exception):
    """Something that came from outside does not follow the protocol."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class EncodingError(ProtocolError):
    """The bytes are not the canonical form of anything that the protocol knows."""


class EventRejected(ProtocolError):
    """The event cannot be placed in this log: it proves nothing about anybody."""


class FrameRejected(ProtocolError):
    """A message from another node does not follow the message grammar."""


class GenesisError(ProtocolError):
    """The proposal for a match is not one that can be accepted."""


class LogFileError(ProtocolError):
    """The log file cannot be read further than the place that is named."""

    def __init__(self, code: str, detail: str, offset: int) -> None:
        super().__init__(code, f"{detail} (at byte {offset})")
        self.offset = offset


class PlayRefused(ProtocolError):
    """The play is not possible now; nothing was signed."""


class Fault(ProtocolError):
    """The author of the event has provably broken the rules.

    Some faults come to light by later events of others: `evidence` then names the events that prove it
    together, and the author of the first of them is the culprit. Else it is the event that is judged alone.
    """

    def __init__(self, code: str, detail: str, evidence: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(code, detail)
        self.evidence = tuple(evidence)
