"""What a proof is about: the place in one match where it counts, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

from protocol import domains
from protocol.crypto.hashing import digest, u8, u32


@dataclass(frozen=True, slots=True)
class Context:
    """Match, roster, deal, stage and the seat that proves.

    ``match_id`` and ``roster`` are byte strings (32-byte hashes), ``deal`` counts deals from 0, ``stage``
    names the step (``"key"``, ``"deck"`` or ``"stock"``), ``seat`` is 0–3.
    """

    match_id: bytes
    roster: bytes
    deal: int
    stage: str
    seat: int

    def digest(self) -> bytes:
        """``digest(CONTEXT, match_id, roster, u32(deal), utf8(stage), u8(seat))``: 32 bytes.

        Suite and version are part of the label.
        """
        return digest(
            domains.CONTEXT,
            self.match_id,
            self.roster,
            u32(self.deal),
            self.stage.encode(),
            u8(self.seat),
        )
