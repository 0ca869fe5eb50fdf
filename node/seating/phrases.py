"""Short things that people say across the table (§9.6): numbers on the wire, words for each reader.

Nothing of it is signed or kept. There is no free text: what nobody can write nobody has to read.
"""

from __future__ import annotations

from typing import Final

from node.i18n import tr
from protocol.encoding import Value, pack
from protocol.errors import FrameRejected

__all__ = ["PHRASE", "PHRASES", "decode_phrase", "phrase_frame", "phrase_text"]

PHRASE: Final = "phrase"

_WORDS: Final = {
    0: "Hello!",
    1: "Well played!",
    2: "Thank you, partner!",
    3: "Sorry, partner!",
    4: "One moment, please.",
    5: "Your turn!",
    6: "What a hand!",
    7: "See you next time!",
}
_PICTURES: Final = {8: "👏", 9: "😀", 10: "😢", 11: "🐐"}

PHRASES: Final = range(len(_WORDS) + len(_PICTURES))
"""The numbers of all phrases."""


def phrase_text(number: int) -> str:
    """What a phrase says, in the reader's language."""
    return _PICTURES[number] if number in _PICTURES else tr(_WORDS[number])


def phrase_frame(match_id: bytes, number: int) -> bytes:
    """The frame that carries a phrase."""
    return pack((PHRASE, match_id, number))


def decode_phrase(fields: tuple[Value, ...]) -> tuple[bytes, int]:
    """The id of the match, 32 bytes, and the phrase; raises FrameRejected. A later version may have more."""
    if len(fields) == 2:
        match_id, number = fields
        if isinstance(match_id, bytes) and len(match_id) == 32 and type(number) is int and number in PHRASES:
            return match_id, number
    raise FrameRejected("malformed", "a phrase that there is not")
