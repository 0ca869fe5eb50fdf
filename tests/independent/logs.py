"""The logs on which the two verifiers are compared."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import sha256
from random import Random

from engine import Options, Standing
from protocol.events import Event
from protocol.genesis import Member
from protocol.identity import Identity
from protocol.keyring import genesis_nonce
from tests.cheats.entries import Caught, Entry
from tests.cheats.hall import Hall
from tests.protocol.losing import Vanishing, at_random_moment, play_without
from tests.protocol.matches import Played, finish, log_file, remembered_proofs
from tests.protocol.tables import Network, Policy, Setup, any_play, greedy, set_up

SHORT = Standing(score=(4, 4), eggs=1, doubled=False, dealer=1, leader=3)
"""From here the first deal that is not 60–60 is the last."""


def resumed(seed: int, standing: Standing, options: Options | None = None) -> Setup:
    """Players who go on with a match that somebody else has begun in seat 2 (§7.13)."""
    setup = set_up(seed, options)
    newcomer = Identity(sha256(b"newcomer %d" % seed).digest())
    roster, identities = list(setup.genesis.roster), list(setup.identities)
    roster[2] = Member(newcomer.public, sha256(newcomer.public).digest(), "Somebody else")
    identities[2] = newcomer
    genesis = replace(
        setup.genesis,
        roster=tuple(roster),
        nonces=tuple(map(genesis_nonce, setup.secrets)),
        previous=sha256(b"previous %d" % seed).digest(),
        standing=standing,
    )
    return Setup(genesis, tuple(identities), setup.secrets)


def match_of(setup: Setup, seed: int, policy: Policy = greedy) -> Played:
    """A match that four honest seats play to its end; the network reorders what they say."""
    return finish(Network(setup, seed, policy=policy, loss=0, repeat=0))


def lost_and_rescued(seed: int) -> Played:
    """A match in which a seat vanishes in a deal, the others play for it, and its owner comes back."""
    network, _ = at_random_moment(seed)
    play_without(network, Random(seed))
    network.come_back()
    return finish(network)


def lost_late(seed: int, trick: int) -> Played:
    """Likewise, but the seat vanishes only when that trick has begun, and has laid cards face down before."""
    network = Vanishing(set_up(seed), seed, policy=any_play)
    network.start()
    network.until(lambda: all(len(table.match.current.tricks) > trick for table in network.tables))
    network.vanish(2)
    play_without(network, Random(seed))
    network.come_back()
    return finish(network)


@cache
def one_deal() -> bytes:
    """A whole match of a single deal, with proofs that hold."""
    with remembered_proofs():
        return match_of(resumed(2, SHORT), 2).file()


@cache
def one_deal_of_others() -> bytes:
    """Another whole match, of the same players."""
    with remembered_proofs():
        return match_of(resumed(3, replace(SHORT, leader=0)), 3).file()


def cheated(entry: Entry, seed: int) -> list[bytes]:
    """The logs of three honest nodes at a table with a cheat, when its cheat has had its consequences."""
    hall = Hall(entry.scheme(), seed, seed % 4, entry.target)
    scheme = hall.crook.scheme
    if entry.provable:
        hall.apart = True
        hall.run(lambda: bool(scheme.halves) or all(table.verdict for table in hall.honest))
        hall.settle()
        hall.apart = False
        hall.run(lambda: all(table.verdict for table in hall.honest))
    elif entry.caught is Caught.DROPPED:
        hall.run(lambda: all(table.finished for table in hall.tables))
    else:
        hall.run(lambda: scheme.done)
    hall.settle()
    return [log_file(hall.setup.genesis, hall.disks[table.seat]) for table in hall.honest]


def in_some_order(rng: Random, events: list[Event]) -> list[Event]:
    """Events in another order in which each comes after all that it builds on, as far as that is there."""
    waiting, here, result = list(events), set[bytes](), list[Event]()
    ids = {event.id for event in events}

    def ready(event: Event) -> bool:
        return all(past in here or past not in ids for past in (event.prev, *(r.id for r in event.refs if r)))

    while waiting:
        chosen = rng.choice([event for event in waiting if ready(event)])
        waiting.remove(chosen)
        here.add(chosen.id)
        result.append(chosen)
    return result
