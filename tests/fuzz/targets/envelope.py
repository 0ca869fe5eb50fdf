"""INVARIANT: an event from anybody is refused as EventRejected, or stands in the log and is judged.

Refused or early events change nothing. An event that is admitted has its author's own signature on exactly
these bytes, follows that author's last event, and refers only to events that are here; whatever it says, the
match takes it in or names its author, and nobody else, in a verdict. No other exception leaves the log or
the match, and facts are never taken back.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar

from protocol import domains
from protocol.errors import EventRejected
from protocol.events import Event, decode_event
from protocol.identity import verify_signature
from protocol.log import Admission
from protocol.match import Match
from tests.fuzz import corpus
from tests.fuzz.harness import ACCEPTED

_FAULTS: Mapping[str, str] = {
    f"fault {code}": f"its author has signed it, and {reason}"
    for code, reason in {
        "unknown-kind": "there is no such kind",
        "malformed-body": "no honest program writes such a body",
        "backdated-refs": "it hides what its author had seen",
        "out-of-order": "what has to come before it was not there",
        "repeated": "it had been done already",
        "deal-over": "that deal was closed for its author",
        "match-over": "the match was over",
        "bad-coin": "the nonce is not the one committed to",
        "bad-key-proof": "the proof does not hold",
        "bad-key-part": "a part, or the key to seal for, is not what it must be",
        "false-complaint": "the part that is complained about is good",
        "bad-rescue": "the part is not the one that was published",
        "seat-lost": "its seat had been declared lost",
        "bad-shuffle": "the proof does not hold",
        "bad-share": "the proof does not hold",
        "share-not-due": "nobody draws there",
        "card-not-held": "the card is not in its hand",
        "illegal-play": "the rules of the game refuse it",
        "wrong-key": "the opened key is another one",
        "refused-opening": "it opens other discards than those that stood",
        "bad-commitment": "it opens a discard differently from how it was committed",
        "discard-not-held": "the discarded card was not in its hand",
        "card-played-twice": "one card was played twice",
        "false-result": "the result is not what the cards say",
        "false-final": "the end is not what the deals add up to",
        "equivocation": "it has signed two events where there can be one",
    }.items()
}


class Envelope:
    """`decode_event`, `EventLog.offer` and `Match.admit`, at every point of a match."""

    name = "envelope"
    refusals: ClassVar[Mapping[str, str]] = {
        "oversized": "larger than the largest honest event",
        "undecodable": "bytes that are no msgpack",
        "forbidden-type": "a type that has no canonical form",
        "too-deep": "arrays nested too deep",
        "not-canonical": "a second encoding of the same event would have another id",
        "malformed": "the eight fields are not what they must be; nobody can be blamed for noise",
        "version": "another version of the protocol",
        "bad-signature": "not signed by its author: proves nothing about anybody",
        "other-match": "belongs to another match",
        "known": "it is here already",
        "early": "something that it builds on is not here yet",
        **_FAULTS,
    }

    def __init__(self) -> None:
        corpus.matches()
        self._working: dict[int, Match] = {}

    def draw(self, rng: Random) -> corpus.BadEvent:
        """One event, to be offered at some point of the match."""
        return corpus.bad_event(rng)

    def feed(self, given: corpus.BadEvent) -> Iterator[str]:
        """Offer it to the match as it stood then."""
        match = self._working.get(given.after)
        if match is None:
            match = self._working[given.after] = copy.deepcopy(corpus.matches()[given.after])
        heads, facts = match.log.heads(), len(match.steps)
        try:
            event = decode_event(given.signed)
            admission = match.log.offer(event)
        except EventRejected as error:
            assert match.log.heads() == heads
            yield error.code
            return
        if admission not in (Admission.ADDED, Admission.FORK):
            assert match.log.heads() == heads
            yield admission.value
            return
        del self._working[given.after]  # It is changed from here on.
        verify_signature(match.genesis.roster[event.author].identity, domains.EVENT_SIGNATURE, *given.signed)
        if admission is Admission.FORK:
            assert match.log.heads() == heads
            verdict = match.admit_fork(match.log.forks[-1])
            assert verdict.culprit == event.author
            yield f"fault {verdict.fault}"
            return
        yield _judged(match, event)
        assert len(match.steps) >= facts


def _judged(match: Match, event: Event) -> str:
    assert match.log.head(event.author) == (event.seq, event.id)
    assert all(
        ref is None or match.log.entry(seat, ref.seq).id == ref.id for seat, ref in enumerate(event.refs)
    )
    verdict = match.admit(event)
    assert match.current.number == match.current_number
    if verdict is None:
        return ACCEPTED
    assert verdict.culprit == event.author
    assert event.id in verdict.events
    assert match.verdict is not None
    return f"fault {verdict.fault}"
