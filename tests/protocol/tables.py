"""Four tables on a network that loses, repeats and reorders, and matches that were played on it.

Everything follows from one seed: keys, secrets, deals, plays, and what the network does to each frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import TypeAlias, cast

from engine import (
    SEATS,
    Molodka,
    Options,
    Play,
    Seat,
    State,
    next_seat,
)
from protocol.crypto.commitment import coin_dealer
from protocol.crypto.group import base
from protocol.crypto.keys import joint_key
from protocol.crypto.masking import encode_deck, initial_deck
from protocol.crypto.shuffle import shuffle
from protocol.effects import Effect, Later, Persist, Send
from protocol.events import SignedEvent, decode_event
from protocol.fields import DECK as WHOLE
from protocol.genesis import Genesis, Member
from protocol.identity import Identity
from protocol.keyring import Keyring, genesis_nonce
from protocol.replica import EVENTS, parse_frame
from protocol.table import Table
from tests.engine.strategies import greedy_play

Policy: TypeAlias = Callable[[Random, State, Seat, list[Play]], Play]


def any_play(rng: Random, _state: State, _seat: Seat, legal: list[Play]) -> Play:
    """Any of the plays that are allowed, a molodka out of turn included."""
    return rng.choice(legal)


def greedy(rng: Random, state: State, seat: Seat, legal: list[Play]) -> Play:
    """Claim whenever possible, else the greedy player of the engine's tests."""
    claims = [play for play in legal if isinstance(play, Molodka)]
    return claims[0] if claims else greedy_play(rng, state, seat)


def hoard(rng: Random, state: State, seat: Seat, legal: list[Play]) -> Play:
    """Keep as many cards of one suit as possible, few at a time: molodkas become frequent."""

    def worth(play: Play) -> tuple[int, float]:
        suits = [card.suit for card in state.hands[seat].known if card not in (play.cards or ())]
        return max(map(suits.count, suits), default=-1), rng.random()

    return max(legal, key=worth)


@dataclass(frozen=True)
class Setup:
    """Who plays, by which options: the genesis and every secret behind it."""

    genesis: Genesis
    identities: tuple[Identity, ...]
    secrets: tuple[bytes, ...]

    def table(self, seat: Seat) -> Table:
        """A fresh table of one seat."""
        return Table(self.genesis, seat, self.identities[seat], self.secrets[seat])

    def keyring(self, seat: Seat) -> Keyring:
        """The secrets of one seat in this match."""
        return Keyring(self.genesis, seat, self.secrets[seat])


def set_up(
    seed: int,
    options: Options | None = None,
    first_leader: Seat | None = None,
    previous: bytes | None = None,
) -> Setup:
    """Four players with keys and secrets made from a seed; the short match unless options say otherwise."""
    identities = tuple(Identity(sha256(b"identity %d" % seat).digest()) for seat in SEATS)
    secrets = tuple(sha256(b"secret %d of seat %d" % (seed, seat)).digest() for seat in SEATS)
    roster = tuple(
        Member(identity.public, sha256(identity.public).digest(), f"Player {seat}")
        for seat, identity in enumerate(identities)
    )
    nonces = tuple(map(genesis_nonce, secrets))
    options = options or Options(target=6)
    return Setup(Genesis("table", options, roster, nonces, first_leader, previous), identities, secrets)


def hands_of_first_deal(setup: Setup) -> list[list[int]]:
    """The card numbers that each seat is dealt first, found with all secrets and without any proof."""
    rings = [setup.keyring(seat) for seat in SEATS]
    dealer = coin_dealer(setup.genesis.match_id, [ring.coin_nonce() for ring in rings])
    joint = joint_key([base(ring.deal_key(0)) for ring in rings])
    deck, order = initial_deck(joint), list(range(36))
    for step in SEATS:
        stream = rings[next_seat(dealer, step)].shuffle_stream(0, WHOLE, encode_deck(deck))
        deck, witness = shuffle(deck, joint, stream)
        order = [order[k] for k in witness.permutation]
    return [[order[slot] for slot in range(16) if next_seat(dealer, 1 + slot) == seat] for seat in SEATS]


class Network:
    """Carries frames between four tables, badly, and makes the players play."""

    def __init__(
        self,
        setup: Setup,
        seed: int,
        *,
        policy: Policy = any_play,
        loss: float = 0.1,
        repeat: float = 0.1,
    ) -> None:
        self.setup = setup
        self.rng = Random(seed)
        self.players = Random(seed)
        """Apart from the network's, so that what is played does not depend on how many frames there are."""
        self.policy = policy
        self.loss = loss
        self.repeat = repeat
        self.tables = [setup.table(seat) for seat in SEATS]
        self.disks: list[list[SignedEvent]] = [[] for _ in SEATS]
        self.sent: dict[tuple[Seat, int], bytes] = {}
        """The id of every event that any table has ever sent, by author and number."""
        self._queue: list[tuple[Seat, Seat, bytes]] = []
        self._later: set[Seat] = set()

    def start(self) -> None:
        """Let all four begin, or go on."""
        for seat in SEATS:
            self.perform(seat, self.tables[seat].start())

    def perform(self, seat: Seat, effects: Iterable[Effect]) -> None:
        """What a node does with effects: its disk first, and only what is on it may leave."""
        for effect in effects:
            if isinstance(effect, Persist):
                self.disks[seat].extend(event.signed for event in effect.events)
            elif isinstance(effect, Send):
                self._check_sent(seat, effect.frame)
                peers = SEATS if effect.peer is None else (seat_of(effect.peer),)
                self._queue.extend((seat, peer, effect.frame) for peer in peers if peer != seat)
            elif isinstance(effect, Later):
                self._later.add(seat)

    def restart(self, seat: Seat) -> None:
        """The node of a seat crashes, and comes back with what was on its disk."""
        self._queue = [carried for carried in self._queue if seat not in carried[:2]]
        self._later.discard(seat)
        self.tables[seat] = self.setup.table(seat)
        others = {other: name_of(other) for other in SEATS if other != seat}
        self.tables[seat].load(self.disks[seat], others)
        self.perform(seat, self.tables[seat].start())

    def deliver(self) -> None:
        """Take any frame on its way; it arrives, is lost, or arrives and stays on its way as well."""
        place = self.rng.randrange(len(self._queue))
        sender, receiver, frame = self._queue.pop(place)
        chance = self.rng.random()
        if chance < self.loss:
            return
        if chance > 1 - self.repeat:
            self._queue.append((sender, receiver, frame))
        self.perform(receiver, self.tables[receiver].receive(name_of(sender), frame))

    def settle(self) -> None:
        """Let everybody talk until all know the same; nobody plays meanwhile."""
        while self._queue or self._later or len({table.log.heads() for table in self.tables}) > 1:
            if self._queue:
                self.deliver()
            elif self._later:
                self.work()
            else:
                self.tick()

    def work(self) -> None:
        """One seat finds the time for a piece of long work."""
        seat = self.rng.choice(sorted(self._later))
        self._later.discard(seat)
        self.perform(seat, self.tables[seat].work())

    def tick(self) -> None:
        """A second passes."""
        for seat in SEATS:
            self.perform(seat, self.tables[seat].tick())

    def play(self, seat: Seat) -> bool:
        """Make a play of that seat if it may play."""
        table = self.tables[seat]
        legal = table.legal()
        if legal:
            self.perform(seat, table.play(self.policy(self.players, table.state, seat, legal)))
        return bool(legal)

    def step(self) -> None:
        """One thing happens: a frame arrives or is lost, a seat works or plays, or time passes."""
        if self._queue and self.rng.random() < 0.8:
            self.deliver()
        elif self._later and self.rng.random() < 0.5:
            self.work()
        elif not self.play(self.rng.choice(SEATS)) and not self._queue:
            self.tick()

    def run(self, done: Callable[[], bool] | None = None) -> None:
        """Play on until all tables have finished, or something else has come about."""
        while not (done() if done else all(table.finished for table in self.tables)):
            self.step()

    def _check_sent(self, seat: Seat, frame: bytes) -> None:
        stored = set(self.disks[seat])
        for signed in events_in(frame):
            assert signed in stored, "an event is on disk before any byte of it is sent"
            event = decode_event(signed)
            known = self.sent.setdefault((event.author, event.seq), event.id)
            assert known == event.id, "nobody ever sends two events with one number"


def name_of(seat: Seat) -> bytes:
    """What a table calls the peer at a seat."""
    return b"node %d" % seat


def seat_of(peer: bytes) -> Seat:
    """The seat of a peer."""
    return int(peer.split()[1])


def events_in(frame: bytes) -> list[SignedEvent]:
    """The events that a frame carries."""
    kind, fields = parse_frame(frame)
    if kind != EVENTS:
        return []
    return [SignedEvent(*pair) for pair in cast("tuple[tuple[bytes, bytes], ...]", fields[1])]
