"""A short run of every target; ``python -m tests.fuzz`` makes long ones."""

from __future__ import annotations

import importlib

import pytest

from tests.fuzz.harness import ACCEPTED, run
from tests.fuzz.registry import SHARES, TARGETS

_INPUTS = {
    "handshake": 40,
    "frames": 250,
    "spectator": 400,
    "logfile": 150,
    "envelope": 700,
    "typed": 300,
    "plays": 700,
}
_STALL_SECONDS = 2.0
"""Very generous, since the machine may be busy: an input that a peer can make must not stop a table."""
_MUST_MEET = {
    "encoding": {ACCEPTED, "oversized", "undecodable", "forbidden-type", "too-deep", "not-canonical"},
    "envelope": {
        ACCEPTED,
        "bad-signature",
        "early",
        "fault malformed-body",
        "fault bad-shuffle",
        "fault false-complaint",
    },
    "frames": {ACCEPTED, "malformed", "other-match", "unknown-frame", "undecodable"},
    "genesis": {ACCEPTED, "malformed", "version", "options"},
    "logfile": {"damaged", "unreadable", "incomplete", "cheat"},
    "announcement": {ACCEPTED, "not a table"},
    "lobby": {ACCEPTED, "malformed", "no hello", "no introduction"},
    "handshake": {ACCEPTED, "not admitted", "not-a-table"},
    "gathering": {ACCEPTED, "malformed", "closed", "cannot-go-on"},
    "claim": {ACCEPTED, "malformed", "answered"},
    "phrase": {ACCEPTED, "malformed", "passed over", "undecodable"},
    "spectator": {ACCEPTED, "malformed", "other-match", "unknown-frame", "undecodable"},
    "plays": {ACCEPTED, "not-your-turn", "card-not-held", "not-your-seat"},
    "typed": {ACCEPTED, "left"},
}


@pytest.mark.parametrize("name", list(TARGETS))
def test_no_input_breaks_the_invariant(name: str) -> None:
    report = run(TARGETS[name](), _INPUTS.get(name, 2_000), seed=2026)
    assert report.findings == []
    assert report.slowest < _STALL_SECONDS
    # The mutations get past the first gates and are not all accepted either.
    assert report.codes.keys() >= _MUST_MEET[name]


def test_every_target_says_what_it_holds_to() -> None:
    assert TARGETS.keys() == SHARES.keys() == _MUST_MEET.keys()
    for kind in TARGETS.values():
        module = importlib.import_module(kind.__module__)
        assert (module.__doc__ or "").startswith("INVARIANT: ")
        refusals = kind().refusals
        assert refusals
        assert all(len(reason.split()) > 2 for reason in refusals.values()), "each with its reason"
