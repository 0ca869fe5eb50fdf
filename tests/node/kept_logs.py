"""Profiles that keep logs: matches of the protocol's tests, put on the disk of one of their players."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from engine import SEATS, Seat, Standing
from node.history.outcome import Outcome, outcome_of
from node.storage.keyfiles import write_identity
from node.storage.profile import IDENTITY_NAME
from node.storage.store import STORE_NAME, Record, Store
from protocol.bodies import Result
from protocol.events import SignedEvent, decode_event
from protocol.genesis import Genesis, Member
from protocol.identity import Identity
from tests.protocol.cheats import Cheat
from tests.protocol.matches import Played, audit, finish, log_file, short
from tests.protocol.tables import Network, Setup, hoard, set_up

NEWCOMER = "Newcomer"


def profile_of(seat: Seat, folder: Path) -> Path:
    """A profile with the identity that sits there in all matches of the protocol's tests."""
    folder.mkdir(parents=True, exist_ok=True)
    write_identity(folder / IDENTITY_NAME, sha256(b"identity %d" % seat).digest(), None)
    return folder


def keep(
    home: Path, genesis: Genesis, events: list[SignedEvent], *, seat: Seat = 0, created: float = 1e9
) -> None:
    """Put a match on the disk of a profile."""
    with Store(home / STORE_NAME) as store:
        store.add_match(genesis.match_id, genesis.encode(), seat, bytes(32), created)
        decoded = [decode_event(event) for event in events]
        records = [Record(e.author, e.seq, e.id, e.signed.data, e.signed.signature) for e in decoded]
        store.append(genesis.match_id, records)


def events_of(match: Played, count: int | None = None) -> list[SignedEvent]:
    """The first events of a match, all of them by default."""
    return [event.signed for event in match.events[:count]]


def written(file: Path, data: bytes) -> Path:
    """A file with these bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


@cache
def outcome(match: Played, count: int | None = None) -> Outcome:
    """What is kept of the first events of a match."""
    return outcome_of(audit(match.file(count)))


@cache
def cheated(culprit: Seat) -> tuple[Genesis, tuple[SignedEvent, ...]]:
    """The match of a single deal, at whose end this seat signs a false result."""
    match = short()
    place = next(
        n for n, event in enumerate(match.events) if event.kind == "result" and event.author == culprit
    )
    past = events_of(match, place)
    cheat = Cheat(match, culprit)
    cheat.take(past)
    lie = cheat.say(Result(0, bytes(32)))
    return match.setup.genesis, (*past, lie.signed)


def cheated_file(culprit: Seat) -> bytes:
    """Its log file."""
    genesis, events = cheated(culprit)
    return log_file(genesis, events)


@cache
def gone_on(previous: bytes, seat: Seat) -> Played:
    """A match that goes on from 4 to 4 with another one, and in which a newcomer has that seat."""
    setup = set_up(77)
    identity = Identity(sha256(b"newcomer").digest())
    identities = tuple(identity if other == seat else setup.identities[other] for other in SEATS)
    roster = tuple(
        Member(identity.public, sha256(identity.public).digest(), NEWCOMER)
        if other == seat
        else setup.genesis.roster[other]
        for other in SEATS
    )
    genesis = replace(
        setup.genesis, roster=roster, previous=previous, standing=Standing((4, 4), 0, False, 0, 1)
    )
    network = Network(Setup(genesis, identities, setup.secrets), 77, policy=hoard, loss=0, repeat=0)
    network.start()
    return finish(network)


def harmed(data: bytes, harm: str) -> bytes:
    """A log file that is cut, cut short, flipped, foreign, empty, newer or oversized."""
    match harm:
        case "cut":
            return data[: len(data) // 2]
        case "cut short":
            return data[:-10]
        case "flipped":
            place = len(data) // 2
            return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        case "foreign":
            return b"PK\x03\x04" + bytes(100)
        case "empty":
            return b""
        case "newer":
            return data[:9] + b"\x02" + data[10:]
        case "oversized":
            return data[:10] + b"\xff\xff\xff\xff" + data[14:]
    raise ValueError(harm)
