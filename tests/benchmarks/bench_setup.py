"""What a deal's set-up costs, against the bare group operations it cannot do without.

Run ``python -m tests.benchmarks.bench_setup``. One process plays all four seats: keys with proofs, four
shuffles of 36 cards and four of the 20 cards of the stock, each proven and checked by three seats, and 16
cards opened privately, all shares made, all checked by all. Whatever travels is encoded by its sender and
decoded, hence validated, by each receiver.

A first run counts the group operations. The next runs time the whole in CPU seconds; between them, the
same number of calls to libsodium is timed with nothing around them. The ratio is what Python adds. The
quickest run of each counts, since other work on the machine only ever adds.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from unittest.mock import patch

from nacl import bindings

from protocol import domains
from protocol.crypto import group
from protocol.crypto.context import Context
from protocol.crypto.group import Point, decode_point
from protocol.crypto.keys import KeyProof, derive_deal_key, joint_key, prove_key, verify_key
from protocol.crypto.masking import Deck, decode_deck, encode_deck, initial_deck
from protocol.crypto.share import Share, make_share, open_card, verify_share
from protocol.crypto.shuffle import ShuffleProof, prove_shuffle, shuffle, verify_shuffle
from protocol.crypto.transcript import Stream, digest

SEATS = range(4)
HANDS = 16
ROUNDS = 5
GOAL = 1.25

OPERATIONS: dict[str, str] = {
    "mul": "crypto_scalarmult_ed25519_noclamp",
    "base": "crypto_scalarmult_ed25519_base_noclamp",
    "add": "crypto_core_ed25519_add",
    "sub": "crypto_core_ed25519_sub",
    "decode": "crypto_core_ed25519_is_valid_point",
}
"""What the group does, by the function of libsodium that does it."""


@dataclass(frozen=True, slots=True)
class Table:
    """The secrets and public keys of four seats."""

    secrets: tuple[bytes, ...]
    keys: tuple[int, ...]
    publics: tuple[Point, ...]


def context(stage: str, seat: int) -> Context:
    """The proof context of a seat at a stage."""
    return Context(bytes(32), bytes(32), 0, stage, seat)


def make_keys() -> Table:
    """Each seat makes and proves its key; each other seat decodes and checks it."""
    secrets = tuple(digest(b"bench", bytes([seat])) for seat in SEATS)
    keys = tuple(derive_deal_key(secrets[seat], context("key", seat)) for seat in SEATS)
    publics = tuple(group.base(x) for x in keys)
    for seat in SEATS:
        ctx = context("key", seat)
        sent = prove_key(ctx, keys[seat], publics[seat]).to_bytes()
        for _ in range(3):
            verify_key(ctx, decode_point(bytes(publics[seat])), KeyProof.from_bytes(sent))
    return Table(secrets, keys, publics)


def shuffle_in_turn(table: Table, joint: Point, deck: Deck, stage: str) -> Deck:
    """Four proven shuffles, each decoded and checked by the three other seats."""
    n = len(deck)
    for seat in SEATS:
        ctx = context(stage, seat)
        stream = Stream(table.secrets[seat], domains.SHUFFLE_RANDOMNESS, ctx.digest())
        after, witness = shuffle(deck, joint, stream)
        proof = prove_shuffle(ctx, joint, deck, after, witness, table.secrets[seat]).to_bytes()
        sent = encode_deck(after)
        for _ in range(3):
            received = decode_deck(sent, n)
            verify_shuffle(ctx, joint, deck, received, ShuffleProof.from_bytes(proof, n))
        deck = after
    return deck


def open_hands(table: Table, deck: Deck) -> list[int]:
    """For each of the 16 slots three shares, each checked by three seats; the owner opens the card."""
    opened = []
    for slot, card in enumerate(deck[:HANDS]):
        owner = slot % 4
        points = [group.mul(table.keys[owner], card.a)]
        for seat in SEATS:
            if seat == owner:
                continue
            ctx, public = context("hand", seat), table.publics[seat]
            share = make_share(ctx, slot, table.keys[seat], public, card, table.secrets[seat])
            sent = share.to_bytes()
            for _ in range(3):
                verify_share(ctx, slot, public, card, Share.from_bytes(sent))
            points.append(share.point)
        opened.append(open_card(card, points))
    return opened


def set_up() -> list[int]:
    """The whole set-up; returns the 16 cards dealt."""
    table = make_keys()
    joint = joint_key(table.publics)
    deck = shuffle_in_turn(table, joint, initial_deck(joint), "deck")
    hands = open_hands(table, deck)
    shuffle_in_turn(table, joint, deck[HANDS:], "stock")
    return hands


def count_operations() -> Counter[str]:
    """The calls to each operation in one set-up."""
    counts: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            counts[name] += 1
            return function(*arguments)

        return wrapped

    with ExitStack() as stack:
        for name, symbol in OPERATIONS.items():
            stack.enter_context(patch.object(bindings, symbol, counting(name, getattr(bindings, symbol))))
        hands = set_up()
    if len(set(hands)) != HANDS:
        raise SystemExit("the set-up dealt a card twice")
    return counts


def cpu(function: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def bare(name: str, count: int) -> Callable[[], None]:
    """``count`` calls to libsodium and nothing else, on a scalar and points of full size."""
    k = group.encode_scalar(group.ORDER // 3)
    p, q = group.base(group.ORDER // 5), group.base(group.ORDER // 7)
    arguments = {"mul": (k, p), "base": (k,), "decode": (p,)}.get(name, (p, q))
    function = getattr(bindings, OPERATIONS[name])

    def run() -> None:
        for _ in range(count):
            function(*arguments)

    return run


def main() -> int:
    """Print the counts, both times and their ratio; the exit status says whether the goal was met."""
    counts = count_operations()
    whole: list[float] = []
    parts: dict[str, list[float]] = {name: [] for name in counts}
    for _ in range(ROUNDS):
        whole.append(cpu(set_up))
        for name, count in counts.items():
            parts[name].append(cpu(bare(name, count)))
    best = {name: min(times) for name, times in parts.items()}
    total, operations = min(whole), sum(best.values())
    multiplications = best["mul"] + best["base"]

    for name, count in sorted(counts.items(), key=lambda item: -best[item[0]]):
        print(f"{name:8}{count:7} × {best[name] / count * 1e6:6.1f} µs = {best[name]:.3f} s")
    print(f"bare group operations  {operations:.3f} s (multiplications alone {multiplications:.3f} s)")
    print(f"whole set-up           {total:.3f} s")
    print(f"ratio                  {total / operations:.3f} (goal {GOAL}; to multiplications alone", end=" ")
    print(f"{total / multiplications:.3f})")
    return 0 if total <= GOAL * operations else 1


if __name__ == "__main__":
    sys.exit(main())
