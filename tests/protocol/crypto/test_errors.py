from __future__ import annotations

import pytest

from protocol.crypto.errors import CryptoError, InvalidPoint, ProofRefused, refusing


def test_a_refusal_carries_its_reason() -> None:
    error = ProofRefused("the reason")
    assert isinstance(error, CryptoError)
    assert (error.reason, str(error)) == ("the reason", "the reason")


@pytest.mark.parametrize("error", [InvalidPoint("x"), TypeError(), OverflowError(), RecursionError()])
def test_whatever_goes_wrong_in_a_check_is_a_refusal(error: Exception) -> None:
    with pytest.raises(ProofRefused) as caught, refusing("the check"):
        raise error
    assert caught.value.reason == "the check"
    assert caught.value.__cause__ is error


def test_an_inner_refusal_keeps_its_reason() -> None:
    with pytest.raises(ProofRefused, match="inner"), refusing("outer"):
        raise ProofRefused("inner")


@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt()])
def test_our_own_trouble_accuses_nobody(error: BaseException) -> None:
    with pytest.raises(type(error)), refusing("the check"):
        raise error
