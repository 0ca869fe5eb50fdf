"""What inputs are made from: a real short match, and the match as it stood before each of its events."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from engine.cards import SEATS, Seat
from protocol import domains
from protocol.bodies import KINDS, Complaint
from protocol.events import Event, SignedEvent
from protocol.log import EventLog
from protocol.match import Match
from protocol.table import Table
from tests.fuzz.mutators import mutate_bytes, mutate_value, pack_any, unpack_any
from tests.protocol.losing import at_random_moment, play_without
from tests.protocol.matches import Played, finish, remembered_proofs

_SEED: Final = 527


@cache
def match() -> Played:
    """A whole match of one deal, with a molodka in it and a seat that is lost before the end (§7.12)."""
    with remembered_proofs():
        network, _ = at_random_moment(_SEED)
        play_without(network, Random(_SEED))
        network.come_back()
        played = finish(network)
    kinds = {event.kind for event in played.events}
    missing = {*KINDS} - kinds - {Complaint.KIND}
    if missing or len(played.tables[0].match.finished) != 1:
        raise LookupError(f"seed {_SEED} gives another match now, without {sorted(missing)}")
    return played


def events() -> Sequence[Event]:
    """Its events in a causal order."""
    return match().events


@cache
def datas() -> Sequence[bytes]:
    """The bytes of its events."""
    return [event.signed.data for event in events()]


@cache
def matches() -> Sequence[Match]:
    """The match as it stood before each event and at its end; not to be changed, copied only."""
    judged = Match(EventLog(match().setup.genesis))
    stages = [copy.deepcopy(judged)]
    with remembered_proofs():
        for event in events():
            judged.log.offer(event)
            judged.admit(event)
            stages.append(copy.deepcopy(judged))
    return stages


@cache
def tables(seat: Seat, step: int) -> Mapping[int, Table]:
    """The table of a seat after every so many events, by their number; not to be changed, copied only."""
    table = match().setup.table(seat)
    stages = {0: copy.deepcopy(table)}
    with remembered_proofs():
        for place in range(step, len(events()) + 1, step):
            table.load([event.signed for event in events()[place - step : place]])
            stages[place] = copy.deepcopy(table)
    return stages


def sign(author: Any, data: bytes, otherwise: Seat) -> SignedEvent:
    """Sign any bytes with the key of `author`, if that is a seat, else with that of another seat."""
    seat = author if type(author) is int and author in SEATS else otherwise
    return SignedEvent(data, match().setup.identities[seat].sign(domains.EVENT_SIGNATURE, data))


@dataclass(frozen=True)
class BadEvent:
    """An event made from number `place` of the match, fit to be offered after `after` events."""

    place: int
    after: int
    signed: SignedEvent


def bad_event(rng: Random) -> BadEvent:
    """An event with changes; most are signed again by a real seat, so that they get past the signature."""
    place = rng.randrange(len(events()))
    event = events()[place]
    after = place if rng.random() < 0.8 else rng.randrange(len(events()) + 1)
    way = rng.random()
    data, signature = event.signed
    if way < 0.15:  # Bytes as they would be damaged on their way.
        return BadEvent(place, after, SignedEvent(mutate_bytes(rng, data, datas()), signature))
    if way < 0.2:
        return BadEvent(place, after, SignedEvent(data, mutate_bytes(rng, signature)))
    value = unpack_any(data)
    if way < 0.35:  # Bytes that a seat has really signed.
        return BadEvent(place, after, sign(value[2], mutate_bytes(rng, data, datas()), event.author))
    if way < 0.65:  # Only what the event says: envelope, order and references stay good.
        value = (*value[:7], mutate_value(rng, value[7]))
    elif way < 0.68:  # A complaint, which no honest seat has had to make: with its author's true secret.
        secret = match().setup.keyring(event.author).encryption_secret
        value = (*value[:6], Complaint.KIND, (rng.choice((0, 0, 1)), rng.choice(SEATS), secret))
    elif way < 0.75:  # The body of another event of the match.
        other = rng.choice(events())
        value = (*value[:6], other.kind, other.body)
    elif way < 0.85:  # Said by another seat.
        value = (*value[:2], rng.choice(SEATS), *value[3:])
    else:
        value = mutate_value(rng, value)
    author = value[2] if isinstance(value, tuple) and len(value) > 2 else event.author
    return BadEvent(place, after, sign(author, pack_any(value), event.author))
