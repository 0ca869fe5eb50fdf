"""What is said across the table: numbers on the wire, and nothing else."""

from __future__ import annotations

import pytest

from node.i18n import LANGUAGES, speaking
from node.seating.phrases import PHRASE, PHRASES, decode_phrase, phrase_frame, phrase_text
from protocol.encoding import Value
from protocol.errors import FrameRejected
from protocol.replica import parse_frame

MATCH = bytes(range(32))


@pytest.mark.parametrize("number", PHRASES)
def test_every_phrase_travels_and_has_words_in_every_language(number: int) -> None:
    kind, fields = parse_frame(phrase_frame(MATCH, number))
    assert kind == PHRASE
    assert decode_phrase(fields) == (MATCH, number)
    for code in LANGUAGES:
        with speaking(code):
            assert phrase_text(number)


@pytest.mark.parametrize(
    "fields",
    [
        (),
        (MATCH,),
        (MATCH, 12),
        (MATCH, -1),
        (MATCH, True),
        (MATCH, "hi"),
        (MATCH[1:], 1),
        (None, 1),
        (MATCH, 1, 1),
    ],
)
def test_nothing_else_is_read(fields: tuple[Value, ...]) -> None:
    with pytest.raises(FrameRejected):
        decode_phrase(fields)
