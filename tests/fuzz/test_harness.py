"""The harness reports what breaks, and the same seed makes the same inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

import pytest

from protocol.errors import EncodingError
from tests.fuzz.__main__ import main
from tests.fuzz.harness import ACCEPTED, rng_of, run
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, nested, pack_any, unpack_any
from tests.fuzz.registry import TARGETS
from tests.fuzz.targets.encoding import Encoding


class Planted:
    """A target that breaks at some inputs, in one way or another."""

    name = "planted"
    refusals: ClassVar[Mapping[str, str]] = {"odd": "odd numbers are refused here"}

    def draw(self, rng: Random) -> int:
        """A number."""
        return rng.randrange(10)

    def feed(self, given: int) -> Iterator[str]:
        """Refuse odd ones, one of them without reason, and fail at seven."""
        if given == 7:
            raise KeyError(given)
        if given == 5:
            yield "no reason"
        yield "odd" if given % 2 else ACCEPTED


def test_whatever_is_raised_and_every_unlisted_refusal_is_a_finding() -> None:
    report = run(Planted(), 60, seed=3)
    assert {finding.given for finding in report.findings} == {"5", "7"}
    assert {*report.codes} == {"odd", "no reason", ACCEPTED}
    for finding in report.findings:
        again = run(Planted(), 1, seed=3, first=finding.index)
        assert [one.given for one in again.findings] == [finding.given], "a finding can be made again"


def test_a_run_with_many_findings_stops() -> None:
    assert len(run(Planted(), 10_000, seed=3).findings) == 20


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "handshake"])
def test_the_same_seed_makes_the_same_inputs(name: str) -> None:
    target = TARGETS[name]()
    for index in range(30):
        one, other = (target.draw(rng_of(7, name, index)) for _ in range(2))
        assert repr(one) == repr(other)
    assert len({repr(target.draw(rng_of(7, name, index))) for index in range(30)}) > 20


def test_a_lax_decoder_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def lax(data: bytes, *, limit: int) -> object:
        try:
            return unpack_any(data)
        except Exception as error:
            raise EncodingError("undecodable", "no") from error

    monkeypatch.setattr("tests.fuzz.targets.encoding.unpack", lax)
    assert run(Encoding(), 500).findings


def test_mutations_change_what_they_are_given() -> None:
    value = ("events", b"x" * 32, (("a", 1), (None, True)))
    changed = {repr(mutate_value(Random(seed), value)) for seed in range(200)}
    assert len(changed) > 150
    data = pack_any(value)
    assert len({mutate_bytes(Random(seed), data, [b"y" * 40]) for seed in range(200)}) > 150
    assert max(len(nested(Random(seed))) for seed in range(50)) > 10_000
    for seed in range(200):
        pack_any(any_value(Random(seed)))


def test_the_command_prints_figures_and_findings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--inputs", "50", "--target", "genesis", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "genesis: 50 inputs" in out
    assert "0 findings" in out
    monkeypatch.setattr("tests.fuzz.__main__.TARGETS", {"genesis": Planted})
    assert main(["--inputs", "50", "--target", "genesis"]) == 1
    assert "FINDING: number" in capsys.readouterr().out
