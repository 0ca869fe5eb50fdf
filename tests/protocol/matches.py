"""Matches that were played, and what can be done with them: log files, audits, the view with all cards open.

A match is played once and shared by all tests, which must not change it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from unittest.mock import patch

from engine import DECK as CARDS
from engine import (
    SEATS,
    Discard,
    Open,
    Options,
    Seat,
    State,
    insert,
    new_match,
)
from engine.record import actions_from_record
from engine.replay import replay
from protocol.audit import Audit, audit_log
from protocol.bodies import Body, pack_body
from protocol.crypto.group import mul
from protocol.crypto.share import Share, open_card
from protocol.crypto.shuffle import ShuffleProof
from protocol.events import Event, Ref, SignedEvent, decode_event, sign_event
from protocol.facts import DealFacts
from protocol.genesis import Genesis
from protocol.logfile import write_log
from protocol.match import Match
from protocol.play_facts import Step
from protocol.rules import dealing
from protocol.table import Table
from protocol.translate import with_cards
from tests.protocol.tables import Network, Policy, Setup, any_play, hoard, set_up


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


def facts_of(match: Match, number: int) -> DealFacts:
    """What is established of a deal; LookupError if there is no such deal now."""
    deal = match.find_deal(number)
    if deal is None:
        raise LookupError(f"nothing is known of deal {number}")
    return deal


def signed_again(match: Played, bodies: Mapping[int, Body]) -> list[Event]:
    """The match as it would have been with other bodies at some places: all events signed anew."""
    names: dict[bytes, bytes] = {}
    events = []
    for place, old in enumerate(match.events):
        refs = [ref and Ref(ref.seq, names[ref.id]) for ref in old.refs]
        body = pack_body(bodies[place]) if place in bodies else old.body
        identity, prev = match.setup.identities[old.author], names.get(old.prev, old.prev)
        new = sign_event(identity, old.match_id, old.author, old.seq, prev, refs, old.kind, body)
        names[old.id] = new.id
        events.append(new)
    return events


def causal(events: Iterable[Event]) -> list[Event]:
    """Events in an order in which each comes after all that its author had seen."""
    return sorted(events, key=lambda event: (sum(event.vector), event.author))


def events_of(table: Table) -> list[Event]:
    """All events of a table's log, in a causal order."""
    return causal(decode_event(entry.signed) for entry in table.log.since() if entry.signed)


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
    return played(240, None, hoard)


def short() -> Played:
    """A whole match of a single deal."""
    return played(13, None, hoard)


def discarded_last() -> Played:
    """One deal; its last play is a discard, by a seat that has led and discarded before."""
    return played(3, None, hoard, deals=1)


def claimed_at_the_end() -> Played:
    """One deal; in its last trick seat 0, which had discarded before, leads, and then seat 3 claims."""
    return played(88, None, hoard, deals=1)


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

    for step in (step for step in match.steps if step.deal == number):
        if not isinstance(step.action, Open):
            state = insert(state, with_cards(step, cards.get, discarded))
    return state
