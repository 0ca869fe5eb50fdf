"""INVARIANT: a phrase is refused as FrameRejected, passed over, or shown as one of the phrases there are.

It is shown beside the seat of whoever said it, of a player of this match alone, and of each no more than one
at a time, however many somebody sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar, Final, cast

from engine.cards import SEATS
from node.node import Node
from node.seating.phrases import PHRASE, PHRASES, decode_phrase, phrase_frame, phrase_text
from node.web.saying import Sayings
from protocol.errors import FrameRejected
from protocol.replica import parse_frame
from tests.fuzz.harness import ACCEPTED, REFUSED_FRAMES
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, pack_any, unpack_any

_MATCH: Final = b"m" * 32
_ME: Final = 3
_PEERS: Final = {seat: bytes([seat + 1]) * 40 for seat in SEATS if seat != _ME}
_STRANGER: Final = b"s" * 40


@dataclass(frozen=True)
class Given:
    """Frames, each with who sends it: the key of a player, or of somebody else whose link is let in."""

    frames: tuple[tuple[bytes, bytes], ...]


class Phrase:
    """`phrase`."""

    name = "phrase"
    refusals: ClassVar[Mapping[str, str]] = {
        **REFUSED_FRAMES,
        "passed over": "of another match, from nobody at this table, too soon, or of another kind",
    }

    def draw(self, rng: Random) -> Given:
        """One to eight frames, most of them nearly right."""
        senders = (*_PEERS.values(), _STRANGER)
        return Given(tuple((rng.choice(senders), _frame(rng)) for _ in range(rng.choice((1, 1, 2, 8)))))

    def feed(self, given: Given) -> Iterator[str]:
        """Say it to a node that shows what is said, within one moment."""
        sayings = Sayings(lambda: 0.0, lambda _number: None)
        shown: list[int] = []

        def said(seat: int, number: int) -> None:
            if sayings.hear(seat, number):
                shown.append(seat)

        live: Any = SimpleNamespace(peers=_PEERS, table=SimpleNamespace(match_id=_MATCH))
        node = cast(Node, SimpleNamespace(said=said))
        for sender, frame in given.frames:
            before = len(shown)
            try:
                kind, fields = parse_frame(frame)
                if kind == PHRASE:
                    Node._hear_phrase(node, live, sender, *decode_phrase(fields))
            except FrameRejected as error:
                assert len(shown) == before
                yield error.code
                continue
            assert shown[before:] in ([], [seat for seat, key in _PEERS.items() if key == sender])
            yield ACCEPTED if len(shown) > before else "passed over"
        picture = sayings.picture()["said"]
        assert [one["seat"] for one in picture] == sorted(set(shown)) == sorted(shown)
        assert {one["text"] for one in picture} <= {phrase_text(number) for number in PHRASES}


def _frame(rng: Random) -> bytes:
    match_id = _MATCH if rng.random() < 0.8 else rng.choice((bytes(32), rng.randbytes(32)))
    frame = phrase_frame(match_id, rng.choice(PHRASES))
    way = rng.random()
    if way < 0.4:
        return frame
    if way < 0.6:
        return mutate_bytes(rng, frame)
    if way < 0.95:
        return pack_any(mutate_value(rng, unpack_any(frame)))
    return pack_any((PHRASE, any_value(rng), rng.randrange(-3, 300)))
