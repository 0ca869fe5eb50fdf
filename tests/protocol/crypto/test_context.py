from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from tests.protocol.crypto.cases import CTX, OTHER_CONTEXTS


def test_the_digest_is_laid_out_as_documented() -> None:
    fields = (
        b"kozel/1 proof context",
        CTX.match_id,
        CTX.roster,
        b"\2\0\0\0",
        b"deck",
        b"\3",
    )
    framed = b"".join(len(field).to_bytes(4, "little") + field for field in fields)
    assert CTX.digest() == sha256(framed).digest()


def test_every_field_counts() -> None:
    contexts = [CTX, *OTHER_CONTEXTS.values()]
    assert set(OTHER_CONTEXTS) == set(CTX.__dataclass_fields__)
    assert len({ctx.digest() for ctx in contexts}) == len(contexts)


def test_fields_cannot_flow_into_each_other() -> None:
    one = replace(CTX, match_id=b"ab", roster=b"c")
    other = replace(CTX, match_id=b"a", roster=b"bc")
    assert one.digest() != other.digest()


def test_numbers_out_of_range_are_our_bug() -> None:
    for wrong in (replace(CTX, seat=-1), replace(CTX, seat=256), replace(CTX, deal=2**32)):
        with pytest.raises(OverflowError):
            wrong.digest()
