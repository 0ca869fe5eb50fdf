"""INVARIANT: what is said around a match is refused as FrameRejected or acted on within narrow bounds.

A guest lets in and dials no more keys than there can be players, sits down only at a match in which it has
its own key, name and nonce and everybody else is who the host has shown; a host proposes only what every
guest can read, and whoever asks for seats, everybody at its table has one. Addresses from others are hints,
at most eight a seat. Nothing else is raised, whoever speaks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar, Final, cast

from engine import Options, Standing
from engine.cards import SEATS
from node.errors import CannotGoOn, TableClosed
from node.lobby.join import JoinedTable
from node.lobby.messages import Introduction
from node.network.link import Link
from node.node import Node
from node.seating.frames import (
    Occupant,
    Seating,
    encode_addresses,
    genesis_frame,
    here_frame,
    leave_frame,
    wish_frame,
)
from node.seating.going_on import GoingOn
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.seating.whereabouts import Whereabouts
from node.storage.keyfiles import is_transport_key, link_name
from node.storage.store import Store
from protocol.errors import FrameRejected
from protocol.genesis import Genesis, Member, decode_genesis
from protocol.replica import parse_frame
from tests.fuzz.harness import ACCEPTED, REFUSED_FRAMES
from tests.fuzz.mutators import any_value, mutate_bytes, mutate_value, pack_any, unpack_any

_NAMES: Final = ("Anna", "Boris", "Vera", "Gleb")
_IDENTITIES: Final = tuple(bytes([seat + 1]) * 32 for seat in SEATS)
_TRANSPORTS: Final = tuple(bytes([seat + 11]) * 32 for seat in SEATS)
_NONCES: Final = tuple(bytes([seat + 21]) * 32 for seat in SEATS)
_TABLE: Final = b"t" * 16
_MATCH: Final = b"m" * 32
_HOSTS: Final = (
    *("192.168.1.20", "fd00::1", "fe80::1%eth0", "127.0.0.1", "::1", "0.0.0.0", "224.0.0.1", "", "host", "%"),
)
_MAX_KEYS: Final = 6
"""Three others at the table, and three that have left during a match."""


@dataclass(frozen=True)
class Given:
    """Frames that somebody at the table sends to the guest, the host or the keeper of addresses."""

    to: str
    frames: tuple[bytes, ...]


class Network:
    """A link that only keeps count."""

    def __init__(self) -> None:
        self.allowed: set[bytes] = set()
        self.dialled: dict[bytes, object] = {}
        self.sent = 0

    def allow(self, public: bytes) -> None:
        """Let somebody in."""
        assert is_transport_key(public)
        self.allowed.add(public)

    def connect(self, public: bytes, addresses: Any) -> int:
        """Dial somebody."""
        assert is_transport_key(public)
        assert len(addresses) <= 8
        assert all(isinstance(host, str) and 0 < port < 65_536 for host, port in addresses)
        self.dialled[public] = addresses
        return len(addresses)

    def revoke(self, public: bytes) -> None:
        """Let somebody in no more."""
        self.allowed.discard(public)
        self.dialled.pop(public, None)

    def send(self, _public: bytes, frame: bytes) -> bool:
        """Send a frame."""
        assert 1 <= len(frame) <= 65_536
        self.sent += 1
        return True


class Station:
    """Stands in for a node: a profile, a link, and whatever match it was told to begin."""

    def __init__(self, seat: int) -> None:
        self.profile = SimpleNamespace(
            name=_NAMES[seat],
            identity_public=_IDENTITIES[seat],
            transport=SimpleNamespace(public=link_name(_TRANSPORTS[seat])),
        )
        self.seat = seat
        self.link = Network()
        self.live: Any = None
        self.control: Any = None
        self.ticked: Any = None
        self.begun: list[Genesis] = []
        self.store = SimpleNamespace(match=lambda _match: None)

    def new_secret(self, _number: int) -> tuple[bytes, bytes]:
        """A secret that is always the same."""
        return bytes(32), _NONCES[self.seat]

    def begin(self, genesis: Genesis, _seat: int, _secret: bytes, _addresses: object) -> Any:
        """Sit down."""
        self.begun.append(genesis)
        peers = {
            seat: link_name(one.transport) for seat, one in enumerate(genesis.roster) if seat != self.seat
        }
        table = SimpleNamespace(
            match_id=genesis.match_id,
            match=SimpleNamespace(accepted=[None] * 4),
            state=SimpleNamespace(leader=2),
        )
        self.live = SimpleNamespace(table=table, peers=peers)
        return self.live


class Gathering:
    """`seats`, `here`, `wish`, `genesis`, `leave` and `addresses`."""

    name = "gathering"
    refusals: ClassVar[Mapping[str, str]] = {
        **REFUSED_FRAMES,
        "closed": "the host has said goodbye",
        "cannot-go-on": "a match is gone on with that this player's computer says otherwise about",
        "waiting": "no proposal was what the host had shown",
    }

    def draw(self, rng: Random) -> Given:
        """One to twelve frames."""
        to = rng.choice(("guest", "guest", "host", "host", "whereabouts"))
        return Given(to, tuple(_frame(rng) for _ in range(rng.choice((1, 1, 2, 4, 12)))))

    def feed(self, given: Given) -> Iterator[str]:
        """Say it to a guest of seat 1, to a host, or to whoever keeps addresses."""
        yield from asyncio.run(
            {"guest": _to_guest, "host": _to_host, "whereabouts": _to_whereabouts}[given.to](given)
        )


def _say(frame: bytes, control: Any, peer: bytes) -> str:
    try:
        kind, fields = parse_frame(frame)
        control(peer, kind, fields)
    except FrameRejected as error:
        return error.code
    return ACCEPTED


async def _to_guest(given: Given) -> list[str]:
    node = Station(1)
    intro = Introduction(_IDENTITIES[0], link_name(_TRANSPORTS[0]), _NAMES[0], 47001, _NONCES[0])
    joined = JoinedTable(intro, _TABLE, "Dacha", ("192.168.1.20", 47001), ("192.168.1.20", 47000))
    guest = Guest(cast(Node, node), joined, (bytes(32), _NONCES[1]))
    waiting = asyncio.create_task(guest.next_match())
    codes, most, begun = [], 0, False
    for frame in given.frames:
        codes.append(_say(frame, node.control, link_name(_TRANSPORTS[0])))
        for _ in range(4):
            await asyncio.sleep(0)
        if node.begun and not begun:
            begun = True
            assert tuple(member.name for member in node.begun[0].roster) == guest.seats
        most = max(most, len(node.link.allowed | node.link.dialled.keys()))
    node.ticked()
    codes.append(await _end(waiting))
    assert most <= _MAX_KEYS, f"{most} keys are let in"
    assert len(guest.seats) == 4
    assert all(name is None or name.isprintable() for name in guest.seats)
    for genesis in node.begun:
        seat = genesis.roster.index(Member(_IDENTITIES[1], _TRANSPORTS[1], _NAMES[1]))
        assert genesis.nonces[seat] == _NONCES[1]
        assert decode_genesis(genesis.encode()) == genesis
    return codes


async def _end(waiting: asyncio.Task[Any]) -> str:
    if not waiting.done():
        waiting.cancel()
        await asyncio.wait([waiting])
        return "waiting"
    try:
        waiting.result()
    except TableClosed:
        return "closed"
    except CannotGoOn as error:
        return error.code
    return ACCEPTED


async def _to_host(given: Given) -> list[str]:
    node = Station(0)
    host = Host(cast(Node, node), _TABLE, "Dacha", Options())
    for seat in (1, 2, 3):
        intro = Introduction(
            _IDENTITIES[seat], link_name(_TRANSPORTS[seat]), _NAMES[seat], 47001, _NONCES[seat]
        )
        assert await host.admit(intro, ("192.168.1.20", 47001)) is None
    waiting = asyncio.create_task(host.next_match())
    codes = []
    for place, frame in enumerate(given.frames):
        codes.append(_say(frame, node.control, link_name(_TRANSPORTS[1 + place % 3])))
        if place % 2:
            await asyncio.sleep(0)
        node.ticked()
        assert len(node.link.allowed | node.link.dialled.keys()) <= _MAX_KEYS
        assert host.seats[0] == _NAMES[0], "nobody asks the host out of its seat"
        seated = [name for name in host.seats if name is not None]
        assert len(seated) == len(set(seated)) == 4 - host.free_seats() or node.begun, "each has one seat"
        assert all(one is None or host.seats[one] is not None for one in host.wishes), "a free seat is given"
    codes.append(await _end(waiting))
    for genesis in node.begun:
        assert decode_genesis(genesis.encode()) == genesis
    return codes


async def _to_whereabouts(given: Given) -> list[str]:
    link = Network()
    kept: dict[int, object] = {}
    store = SimpleNamespace(
        addresses=lambda _match: {}, set_addresses=lambda _match, seat, known: kept.update({seat: known})
    )
    peers = {seat: link_name(_TRANSPORTS[seat]) for seat in (1, 2, 3)}
    where = Whereabouts(_MATCH, peers, cast(Link, cast(Any, link)), cast(Store, cast(Any, store)))

    def hear(peer: bytes, kind: str, fields: Any) -> None:
        if kind == "addresses":
            where.hear(peer, fields)

    codes = [_say(frame, hear, peers[1]) for frame in given.frames]
    assert set(link.dialled) <= set(peers.values())
    assert link.allowed == set(peers.values())
    frame = where.frame(0, "192.168.1.9", 47001)
    assert _say(frame, hear, peers[2]) == ACCEPTED, "what one says the others can read"
    return codes


def _frame(rng: Random) -> bytes:
    frame = _good_frame(rng)
    way = rng.random()
    if way < 0.35:
        return frame
    if way < 0.55:
        return mutate_bytes(rng, frame)
    if way < 0.95:
        return pack_any(mutate_value(rng, unpack_any(frame)))
    return pack_any((rng.choice(("seats", "here", "wish", "genesis", "leave", "addresses")), any_value(rng)))


def _good_frame(rng: Random) -> bytes:
    occupants = [Occupant(_NAMES[s], _IDENTITIES[s], _TRANSPORTS[s], (_address(rng),)) for s in SEATS]
    going_on = None
    match rng.randrange(10):
        case 0:
            return here_frame(_TABLE, rng.choice((0, 0, 1)), _NONCES[rng.randrange(4)])
        case 1:
            return leave_frame(_TABLE)
        case 2 | 3:
            roster = tuple(Member(one.identity, one.transport, one.name) for one in occupants)
            return genesis_frame(_TABLE, Genesis("Dacha", Options(), roster, _NONCES).encode())
        case 4:
            addresses = [tuple(_address(rng) for _ in range(rng.randrange(4))) for _ in SEATS]
            return encode_addresses(_MATCH, addresses)
        case 9:
            return wish_frame(_TABLE, rng.choice((None, *SEATS)))
        case 5:
            # People whom nobody has seen before.
            occupants[2:] = [
                Occupant(_NAMES[s], rng.randbytes(32), rng.randbytes(32), (_address(rng),)) for s in (2, 3)
            ]
        case 6:
            going_on = _going_on(rng, occupants)
    shown = Seating(_TABLE, "Dacha", 0, Options(), False, tuple(occupants), going_on=going_on)
    return shown.encode()


def _going_on(rng: Random, occupants: list[Occupant]) -> GoingOn:
    """A match between the same people but one: in the seat of the guest, or in another."""
    before = [Member(one.identity, one.transport, one.name) for one in occupants]
    gone = rng.choice((1, 2, 3))
    before[gone] = replace(before[gone], identity=rng.randbytes(32), transport=rng.randbytes(32))
    standing = Standing((rng.randrange(12), rng.randrange(12)), rng.randrange(3), False, 2, rng.choice(SEATS))
    return GoingOn(Genesis("Dacha", Options(), tuple(before), _NONCES), standing)


def _address(rng: Random) -> tuple[str, int]:
    return rng.choice(_HOSTS), rng.choice((1, 47001, 65_535))
