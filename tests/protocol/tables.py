"""Four tables on a network that loses, repeats and reorders, and matches that were played on it.

Everything follows from one seed: keys, secrets, deals, plays, and what the network does to each frame.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random
from types import SimpleNamespace
from typing import TypeAlias, cast
from unittest.mock import patch

from engine import DECK as CARDS
from engine import (
    SEATS,
    Discard,
    Molodka,
    Open,
    Options,
    Play,
    Seat,
    State,
    insert,
    new_match,
    next_seat,
)
from engine.record import actions_from_record
from engine.replay import replay
from protocol.audit import Audit, audit_log
from protocol.bodies import DECK as WHOLE
from protocol.crypto.commitment import coin_dealer
from protocol.crypto.group import base, mul
from protocol.crypto.keys import joint_key
from protocol.crypto.masking import encode_deck, initial_deck
from protocol.crypto.share import Share, open_card
from protocol.crypto.shuffle import ShuffleProof, shuffle
from protocol.effects import Effect, Later, Persist, Send
from protocol.events import Event, SignedEvent, decode_event
from protocol.facts import Step
from protocol.genesis import Genesis, Member
from protocol.identity import Identity
from protocol.keyring import Keyring, genesis_nonce
from protocol.logfile import write_log
from protocol.match import Match
from protocol.replica import EVENTS, parse_frame
from protocol.rules import dealing
from protocol.table import Table
from protocol.translate import with_cards
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
        self.tables[seat].load(self.disks[seat])
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


@dataclass(frozen=True)
class Played:
    """A match that was played: its events in a causal order, and what the tables made of it."""

    setup: Setup
    events: tuple[Event, ...]
    tables: tuple[Table, ...]
    disks: tuple[tuple[SignedEvent, ...], ...]

    def index(self, kind: str, nth: int = 0) -> int:
        """Where the n-th event of a kind stands, counting from 0 or from the end; LookupError if nowhere."""
        return [place for place, event in enumerate(self.events) if event.kind == kind][nth]

    def file(self, count: int | None = None) -> bytes:
        """The log file of the first events, all of them by default."""
        return log_file(self.setup.genesis, [event.signed for event in self.events[:count]])


def causal(events: Iterable[Event]) -> list[Event]:
    """Events in an order in which each comes after all that its author had seen."""
    return sorted(events, key=lambda event: (sum(event.vector), event.author))


def events_of(table: Table) -> list[Event]:
    """All events of a table's log, in a causal order."""
    entries = [entry for seat in SEATS for entry in table.log.entries_from(seat, 0)]
    return causal(decode_event(entry.signed) for entry in entries if entry.signed)


def finish(network: Network) -> Played:
    """Play to the end and keep what came of it."""
    network.run()
    network.settle()
    return keep(network)


def keep(network: Network) -> Played:
    """What has come of a match."""
    disks = tuple(map(tuple, network.disks))
    return Played(network.setup, tuple(events_of(network.tables[0])), tuple(network.tables), disks)


@cache
def played(
    seed: int,
    options: Options | None = None,
    policy: Policy = any_play,
    first_leader: Seat | None = None,
    previous: bytes | None = None,
    deals: int | None = None,
) -> Played:
    """The match of a seed, on a perfect network: everybody knows all before anybody plays.

    It is played to the end or so many deals, once and shared by all tests, which must not change it.
    """
    setup = set_up(seed, options, first_leader, previous)
    network = Network(setup, seed, policy=policy, loss=0, repeat=0)
    network.start()
    network.settle()
    while not network.tables[0].finished and len(network.tables[0].match.finished) != deals:
        network.play(network.players.choice([s for s in SEATS if network.tables[s].legal()]))
        network.settle()
    return keep(network)


def rich() -> Played:
    """A match of three deals; in trick 3 of the first a lead, then a claim with an answer to it, go back."""
    return played(28, None, hoard)


def short() -> Played:
    """A whole match of a single deal."""
    return played(26, None, hoard)


def claimed_at_the_end() -> Played:
    """One deal; in its last trick seat 0, which had discarded before, leads, and then seat 3 claims."""
    return played(39, None, hoard, deals=1)


@contextmanager
def remembered_proofs() -> Iterator[None]:
    """Remember which proofs and decks were accepted, argument by argument; a refusal is never remembered.

    Four tables in one process need not check each proof four times; it is still checked once.
    """
    with ExitStack() as stack:
        for name in ("decode_deck", "verify_shuffle", "verify_share", "verify_key"):
            stack.enter_context(patch.object(dealing, name, cache(getattr(dealing, name))))
        for kind in (Share, ShuffleProof):
            reader = SimpleNamespace(from_bytes=cache(kind.from_bytes))
            stack.enter_context(patch.object(dealing, kind.__name__, reader))
        yield


@contextmanager
def forgotten_proofs() -> Iterator[None]:
    """Check everything anew, whatever was remembered."""
    with ExitStack() as stack:
        for name in ("decode_deck", "verify_shuffle", "verify_share", "verify_key"):
            current = getattr(dealing, name)
            stack.enter_context(patch.object(dealing, name, getattr(current, "__wrapped__", current)))
        for kind in (Share, ShuffleProof):
            stack.enter_context(patch.object(dealing, kind.__name__, kind))
        yield


def log_file(genesis: Genesis, events: Iterable[SignedEvent]) -> bytes:
    """The bytes of a log file."""
    stream = io.BytesIO()
    write_log(stream, genesis.encode(), events)
    return stream.getvalue()


def audit(data: bytes) -> Audit:
    """The audit of a log file's bytes."""
    return audit_log(io.BytesIO(data))


def full_state(setup: Setup, match: Match) -> State:
    """The match with everything open, computed from all four secrets: what nobody at the table can see."""
    rings = [setup.keyring(seat) for seat in SEATS]
    number = match.current_number
    before = {"deals": match.finished[:number]}
    leader = setup.genesis.first_leader
    state = replay(setup.genesis.options, actions_from_record(before), leader) if number else None
    state = state or new_match(setup.genesis.options, leader)
    deal = match.find_deal(number)
    if deal is None:
        return state
    cards = {}
    for slot in deal.holders:
        ciphertext = deal.ciphertext(slot)
        points = [mul(ring.deal_key(number), ciphertext.a) for ring in rings]
        cards[slot] = CARDS[open_card(ciphertext, points)]

    def discarded(step: Step) -> tuple[int, ...] | None:
        action = step.action
        assert isinstance(action, Discard)
        assert step.commitment is not None
        had = tuple(
            s for s, (owner, since) in deal.holders.items() if owner == action.seat and since <= step.trick
        )
        return rings[action.seat].recall_discard(
            number, step.trick, action.on, step.commitment, action.count, had
        )

    for step in match.steps_of(number):
        if not isinstance(step.action, Open):
            state = insert(state, with_cards(step, cards.get, discarded))
    return state
