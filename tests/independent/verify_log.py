"""A second verifier of Kozel logs, written from docs/protocol.md alone.

    python tests/independent/verify_log.py FILE… [--json] [--together]

With --together all files are judged as one log of one match.

It shares no code with the program and needs only PyNaCl and msgpack beside the standard library, so that this
one file can be carried anywhere. Comments cite the clauses of the document. From top to bottom: encoding and
genesis (§2, §3), the group and the proofs (§6), the game (Appendix A), a deal as one history knows it (§7.7,
§7.11, §7.12), bodies (§5), the rules of a match (§7), feeds and verdicts (§4, §8), the file (§10).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any, TypeVar

import msgpack
from nacl import bindings as sodium
from nacl.exceptions import CryptoError

T = TypeVar("T")
SEATS = range(4)
MAX_GENESIS, MAX_EVENT, MAX_RECORD = 2048, 16384, 16480
MAX_SEQ, MAX_HELD, MAX_FORKS, MAX_FORKS_TAKEN, MAX_AFTER_FAULT = 1_000_000, 256, 8, 64, 320
MAX_READINGS = 16
EXIT_CODES = {"fair": 0, "cheat": 1, "unreadable": 2, "damaged": 2, "incomplete": 2}


class Refused(Exception):
    """Bytes that prove nothing about anybody (§2, §3.1, §4.4, §10)."""


class Fault(Exception):
    """An event that breaks the protocol, with the code of §8.1."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# --- §2 canonical encoding, §3 genesis ----------------------------------------------------------------------


def encode(value: object) -> bytes:
    return bytes(msgpack.packb(value, use_bin_type=True))


def decode(data: bytes, limit: int) -> Any:
    if len(data) > limit:
        raise Refused("oversized")
    try:
        value = msgpack.unpackb(data, raw=False, strict_map_key=False, max_array_len=64, max_bin_len=65536)
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise Refused("undecodable") from error
    check_types(value, 0)
    if encode(value) != data:
        raise Refused("not-canonical")
    return value


def check_types(value: object, depth: int) -> None:
    if type(value) is list:
        if depth == 6:
            raise Refused("too-deep")
        for element in value:
            check_types(element, depth + 1)
    elif value is not None and type(value) not in (bool, int, str, bytes):
        raise Refused("forbidden-type")


def is_int(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def is_seat(value: object) -> bool:
    return is_int(value, 0, 3)


def is_bytes(value: object, length: int) -> bool:
    return type(value) is bytes and len(value) == length


def is_array(value: object, length: int) -> bool:
    return type(value) is list and len(value) == length


NO_NAME = """
    0000-001F 007F-009F 00AD-00AD 0600-0605 061C-061C 06DD-06DD 070F-070F 0890-0891 08E2-08E2 180E-180E
    200B-200F 2028-202E 2060-2064 2066-206F D800-F8FF FEFF-FEFF FFF9-FFFB 110BD-110BD 110CD-110CD 13430-1343F
    1BCA0-1BCA3 1D173-1D17A E0001-E0001 E0020-E007F F0000-FFFFD 100000-10FFFD
"""
NOT_IN_NAMES = [tuple(int(end, 16) for end in part.split("-")) for part in NO_NAME.split()]


def is_name(value: object) -> bool:
    return (
        type(value) is str
        and 1 <= len(value.encode()) <= 96
        and not value.isspace()
        and not any(low <= ord(c) <= high for c in value for low, high in NOT_IN_NAMES)
    )


@dataclass(frozen=True)
class State:
    """How a match stands between two deals."""

    score: tuple[int, int] = (0, 0)
    eggs: int = 0
    doubled: bool = False
    leader: int | None = None  # None: the seat left of the dealer (R4)


@dataclass(frozen=True)
class Genesis:
    match: bytes
    roster_digest: bytes
    identities: tuple[bytes, ...]
    target: int
    eggs_double: bool
    molodka: bool
    start: State
    last_dealer: int | None  # of a standing; None: the coin draws the dealer


def read_genesis(data: bytes) -> Genesis:
    value = decode(data, MAX_GENESIS)
    if type(value) is not list or not value or not is_int(value[0], 1, 1) or len(value) != 9:
        raise Refused("malformed or version")
    _, table, options, roster, nonces, first, previous, show, standing = value
    ok = (
        is_name(table)
        and is_array(options, 4)
        and type(options[0]) is int
        and options[0] in (6, 12, 24)
        and options[1] in ("joke", "double")
        and options[2] in ("anytime", "off")
        and is_int(options[3], 10, 3600)
        and is_array(roster, 4)
        and all(
            is_array(r, 3) and is_bytes(r[0], 32) and is_bytes(r[1], 32) and is_name(r[2]) for r in roster
        )
        and all(len({r[i] for r in roster}) == 4 for i in (0, 1))
        and is_array(nonces, 4)
        and all(is_bytes(n, 32) for n in nonces)
        and (first is None or is_seat(first))
        and (previous is None or is_bytes(previous, 32))
        and type(show) is bool
        and (standing is None or is_standing(standing, options))
        and (first is None or standing is None)
        and (previous is None) == (first is None and standing is None)
    )
    if not ok:
        raise Refused("malformed or options")
    start = State(leader=first)
    if standing is not None:
        start = State((standing[0][0], standing[0][1]), standing[1], standing[2], standing[4])
    return Genesis(
        digest("genesis", data),
        digest("roster", encode(roster)),
        tuple(r[0] for r in roster),
        options[0],
        options[1] == "double",
        options[2] == "anytime",
        start,
        None if standing is None else standing[3],
    )


def is_standing(value: Any, options: Any) -> bool:
    return (
        is_array(value, 5)
        and is_array(value[0], 2)
        and all(is_int(points, 0, options[0] - 1) for points in value[0])
        and is_int(value[1], 0, 10_000)
        and type(value[2]) is bool
        and (not value[2] or (value[1] > 0 and options[1] == "double"))
        and is_seat(value[3])
        and is_seat(value[4])
    )


# --- §6.1 hashes, scalars, points ---------------------------------------------------------------------------

Q = 2**252 + 27742317777372353535851937790883648493
NEUTRAL = b"\x01" + bytes(31)
G = bytes.fromhex("58" + "66" * 31)


def u8(value: int) -> bytes:
    return struct.pack("<B", value)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def frame(label: str, *fields: bytes) -> bytes:
    return b"".join(u32(len(part)) + part for part in (b"kozel/1 " + label.encode(), *fields))


def digest(label: str, *fields: bytes) -> bytes:
    return hashlib.sha256(frame(label, *fields)).digest()


def digest64(label: str, *fields: bytes) -> bytes:
    return hashlib.sha512(frame(label, *fields)).digest()


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def challenge(label: str, *fields: bytes) -> int:
    return number(digest64(label, *fields)) % Q


def derive(secret: bytes, label: str, *fields: bytes) -> bytes:
    """HKDF-SHA256 (§6.2), one block."""
    key = hmac.digest(b"kozel/1 key derivation", secret, "sha256")
    return hmac.digest(key, frame(label, *fields) + b"\x01", "sha256")


def scalar(data: bytes) -> int:
    value = number(data)
    if len(data) != 32 or value >= Q:
        raise Refused("no scalar")
    return value


def point(data: bytes) -> bytes:
    if len(data) != 32 or not sodium.crypto_core_ed25519_is_valid_point(data):
        raise Refused("no point")
    return data


def add(*points: bytes) -> bytes:
    total = points[0]
    for other in points[1:]:
        total = sodium.crypto_core_ed25519_add(total, other)
    return total


def sub(left: bytes, right: bytes) -> bytes:
    return sodium.crypto_core_ed25519_sub(left, right)


def mul(factor: int, base: bytes) -> bytes:
    """libsodium refuses a factor of 0 and the neutral element, as §6.1 asks for inside a check."""
    encoded = (factor % Q).to_bytes(32, "little")
    if base == G:
        return sodium.crypto_scalarmult_ed25519_base_noclamp(encoded)
    return sodium.crypto_scalarmult_ed25519_noclamp(encoded, base)


def dot(factors: Iterable[int], points: Iterable[bytes]) -> bytes:
    return add(*(mul(f, p) for f, p in zip(factors, points, strict=True)))


def hashed_point(label: str, index: int) -> bytes:
    return sodium.crypto_core_ed25519_from_uniform(digest(label, u32(index)))


@cache
def card_points() -> tuple[bytes, ...]:
    return tuple(hashed_point("card point", j) for j in range(36))


@cache
def cards_by_point() -> dict[bytes, int]:
    return {p: j for j, p in enumerate(card_points())}


@cache
def generators() -> tuple[bytes, ...]:
    """H₀, then h₀ … h₃₅."""
    return tuple(hashed_point("commitment generator", i) for i in range(37))


# --- §4.3, §6.3–6.12 signatures, proofs, parts: pure functions of bytes -------------------------------------


def signature_holds(identity: bytes, data: bytes, signature: bytes) -> bool:
    try:
        sodium.crypto_sign_open(signature + b"kozel/1 event signature" + data, identity)
    except CryptoError:
        return False
    return True


def key_holds(ctx: bytes, public: bytes, proof: bytes) -> bool:
    try:
        c, s = scalar(proof[:32]), scalar(proof[32:])
        return c == challenge("key proof challenge", ctx, point(public), sub(mul(s, G), mul(c, public)))
    except (Refused, CryptoError):
        return False


def share_holds(ctx: bytes, slot: int, public: bytes, a: bytes, share: bytes) -> bool:
    try:
        d, c, s = point(share[:32]), scalar(share[32:64]), scalar(share[64:])
        t, ta = sub(mul(s, G), mul(c, public)), sub(mul(s, a), mul(c, d))
    except (Refused, CryptoError):
        return False
    return c == challenge("share proof challenge", ctx, u32(slot), public, a, d, t, ta)


def chunks(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


def shuffle_holds(ctx: bytes, joint: bytes, before: bytes, after: bytes, proof: bytes) -> bool:
    n = len(before) // 64
    if len(after) != len(before) or len(proof) != 32 * (4 * n + 5):
        return False
    try:
        a, b = chunks(before, 32)[::2], chunks(before, 32)[1::2]
        words = chunks(proof, 32)
        points = [point(p) for p in chunks(after, 32) + words[: 2 * n]]
        a2, b2, big_c, hat_c = (
            points[0 : 2 * n : 2],
            points[1 : 2 * n : 2],
            points[2 * n : 3 * n],
            points[3 * n :],
        )
        c, s1, s2, s3, s4, *rest = [scalar(w) for w in words[2 * n :]]
        hat_s, s_u = rest[:n], rest[n:]
        h0, h = generators()[0], generators()[1 : n + 1]
        statement = digest64("shuffle statement", ctx, h0 + b"".join(h), joint, before, after)
        joined = b"".join(big_c)
        u = [number(digest64("shuffle exponent", statement, joined, u32(k))[:16]) for k in range(n)]
        product = 1
        for factor in u:
            product = product * factor % Q
        cu = [c * factor for factor in u]
        previous = [h0, *hat_c[:-1]]
        t = [
            sub(mul(s1, G), mul(c, sub(add(*big_c), add(*h)))),
            sub(mul(s2, G), mul(c, sub(hat_c[-1], mul(product, h0)))),
            sub(add(mul(s3, G), dot(s_u, h)), dot(cu, big_c)),
            sub(add(mul(-s4, G), dot(s_u, a2)), dot(cu, a)),
            sub(add(mul(-s4, joint), dot(s_u, b2)), dot(cu, b)),
            *(sub(add(mul(hat_s[i], G), mul(s_u[i], previous[i])), mul(c, hat_c[i])) for i in range(n)),
        ]
    except (Refused, CryptoError):
        return False
    return c == challenge("shuffle proof challenge", statement, joined, b"".join(hat_c), b"".join(t))


def encryption_key_holds(key: bytes) -> bool:
    try:
        return number(key) < 2**255 - 19 and bool(sodium.crypto_scalarmult(b"\x40" * 32, key))
    except CryptoError:
        return False  # libsodium refuses the five keys that give zero


def parts_hold(public: bytes, parts: tuple[bytes, ...]) -> bool:
    """The check of everybody on three sealed parts A ‖ h ‖ E ‖ ciphertext (§6.12)."""
    try:
        return all(encryption_key_holds(p[64:96]) for p in parts) and public == add(
            *(point(p[:32]) for p in parts)
        )
    except (Refused, CryptoError):
        return False


def part_holds(ctx: bytes, holder: int, sealed: bytes, part: bytes) -> bool:
    try:
        s = scalar(part[:32])
        return (
            s != 0
            and mul(s, G) == sealed[:32]
            and sealed[32:64] == digest("seed of a key part", ctx, u8(holder), part[32:])
        )
    except (Refused, CryptoError):
        return False


def part_opens(ctx: bytes, holder: int, secret: bytes, own_key: bytes, sealed: bytes) -> bool:
    try:
        shared = sodium.crypto_scalarmult(secret, sealed[64:96])
        key = derive(shared, "cipher key of a key part", sealed[64:96], own_key)
        label = frame("sealed key part", ctx, u8(holder), sealed[:32], sealed[32:64], sealed[64:96])
        part = sodium.crypto_aead_chacha20poly1305_ietf_decrypt(sealed[96:], label, bytes(12), key)
    except CryptoError:
        return False
    return part_holds(ctx, holder, sealed, part)


def open_card(ciphertext: bytes, shares: Iterable[bytes]) -> int:
    """The card, §6.8. Proofs that held leave nothing else than a card of the deck."""
    m = ciphertext[32:]
    for d in shares:
        m = sub(m, d)
    return cards_by_point()[m]


# --- Appendix A: cards, branches, tricks --------------------------------------------------------------------

POINTS = (0, 0, 0, 0, 2, 3, 4, 10, 11)  # 6 7 8 9 J Q K 10 A (R3)


def card_beats(card: int, other: int, trump: int) -> bool:
    if card // 9 == other // 9:
        return card > other
    return card // 9 == trump


def set_beats(cards: Sequence[int], best: Sequence[int], trump: int) -> bool:
    return len(cards) == len(best) and any(
        all(card_beats(c, o, trump) for c, o in zip(order, best, strict=True))
        for order in permutations(cards)
    )


def cost(cards: Sequence[int], trump: int) -> tuple[int, int, int, list[int]]:
    """What the rule for a lost seat prefers to keep (§7.12)."""
    return (
        sum(POINTS[c % 9] for c in cards),
        sum(c // 9 == trump for c in cards),
        sum(c % 9 for c in cards),
        sorted(cards),
    )


@dataclass(frozen=True)
class Play:
    """A play; one that the rule makes for a lost seat (§7.12) has no event."""

    event: Event | None
    seat: int
    shows: bool
    count: int
    slots: tuple[int, ...] = ()  # of a discard only when it is known
    cards: tuple[int, ...] = ()
    commitment: bytes = b""
    on: int = 0


Branches = dict[int, list[Play]]  # by the seat that leads


@dataclass
class Trick:
    number: int
    leader: int  # the seat entitled to lead
    size: int  # of each hand at the start
    known: list[frozenset[int]]  # by seat: slots that are known to be in its hand (§7.7)
    branches: Branches = field(default_factory=dict)
    standing: list[Play] = field(default_factory=list)  # the four, once it is finished
    taker: int = 0
    drawn: dict[int, int] = field(default_factory=dict)  # slot → seat that draws it afterwards

    def strength(self, branch: list[Play]) -> int:
        """Lower is stronger (R15); a lead of less than four is the entitled seat's and weakest of all."""
        return (branch[0].seat - self.leader) % 4 if branch[0].count == 4 else 4

    def counting(self, branches: Branches) -> list[Play]:
        return min(branches.values(), key=self.strength, default=[])


def best_of(branch: list[Play]) -> Play:
    return [play for play in branch if play.shows][-1]


def next_to_answer(branch: list[Play]) -> int | None:
    return (branch[0].seat + len(branch)) % 4 if 0 < len(branch) < 4 else None


# --- events and deals ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Event:
    id: bytes
    data: bytes
    signature: bytes
    author: int
    seq: int
    prev: bytes
    refs: tuple[tuple[int, bytes] | None, ...]
    kind: str
    body: list[Any]
    vector: tuple[int, ...]

    def sees(self, other: Event) -> bool:
        return other is not self and other.seq <= self.vector[other.author]


@dataclass
class Deal:
    """What is one and the same in all histories of a deal."""

    number: int
    keys: dict[int, Event] = field(default_factory=dict)
    publics: dict[int, bytes] = field(default_factory=dict)
    sealed: dict[int, dict[int, bytes]] = field(default_factory=dict)  # by sender, holder
    joint: bytes = NEUTRAL
    shuffles: dict[int, Event] = field(default_factory=dict)
    dealer: int = 0
    leader: int = 0
    deck: bytes = b""  # fully shuffled
    dealt: dict[int, Event] = field(default_factory=dict)
    shares: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))  # by slot, seat
    lost: dict[int, Event] = field(default_factory=dict)
    rescues: dict[int, Event] = field(default_factory=dict)
    results: dict[int, Event] = field(default_factory=dict)
    plain: Table | None = None
    rescued: Table | None = None

    def hand_owner(self, slot: int) -> int:
        return (self.dealer + slot + 1) % 4

    def order(self) -> list[int]:
        return [(self.dealer + i) % 4 for i in SEATS]


@dataclass
class Table:
    """A dealt deal as one history knows it (§7.12): the stock, the tricks, the openings."""

    deal: Deal
    trump: int
    lost: int | None = None  # the seat that the rule plays for
    secret: int = 0  # the lost seat's key
    stock_steps: dict[int, Event] = field(default_factory=dict)
    facts: list[Play | Event] = field(default_factory=list)  # plays and draws as they came
    draws: dict[int, dict[int, Event]] = field(default_factory=lambda: defaultdict(dict))
    shares: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    owner: dict[int, tuple[int, int]] = field(
        default_factory=dict
    )  # slot → seat, first trick it can be played in
    tricks: list[Trick] = field(default_factory=list)
    cards_left: int = 20
    ended: bool = False
    opens: dict[int, Event] = field(default_factory=dict)
    secrets: dict[int, int] = field(default_factory=dict)
    opened: dict[tuple[int, int], tuple[int, ...]] = field(
        default_factory=dict
    )  # seat, trick → slots of a discard
    score: Score | None = None

    def __post_init__(self) -> None:
        self.owner = {slot: (self.deal.hand_owner(slot), 0) for slot in range(16)}
        self.tricks = [Trick(0, self.deal.leader, 4, [frozenset()] * 4)]

    def those(self) -> list[int]:
        """The seats whose events are required."""
        return [s for s in SEATS if s != self.lost]

    def stock_order(self) -> list[int]:
        return [s for s in self.deal.order() if s != self.lost or s in self.stock_steps]

    def stock(self) -> bytes:
        """The stock after the steps so far."""
        done = [s for s in self.stock_order() if s in self.stock_steps]
        return self.stock_steps[done[-1]].body[2] if done else self.deal.deck[16 * 64 :]

    def ciphertext(self, slot: int) -> bytes:
        return self.deal.deck[64 * slot :][:64] if slot < 16 else self.stock()[64 * (slot - 16) :][:64]

    def card(self, slot: int, own: dict[int, bytes]) -> int:
        """The card in a slot, from the shares there are, `own`, and the lost seat's key."""
        ciphertext = self.ciphertext(slot)
        shares = (self.deal.shares if slot < 16 else self.shares)[slot] | own
        if self.lost is not None and self.lost not in shares:
            shares[self.lost] = mul(self.secret, ciphertext[:32])
        return open_card(ciphertext, (shares[seat] for seat in SEATS))

    def in_time(self, seat: int, slot: int, trick: int) -> bool:
        owner, since = self.owner.get(slot, (None, 0))
        return owner == seat and since <= trick

    def shown(self, seat: int, before: int = 99) -> set[int]:
        """Slots that a seat has shown in standing plays."""
        plays = (play for trick in self.tricks[:before] for play in trick.standing)
        return {slot for play in plays if play.seat == seat and play.shows for slot in play.slots}

    def plays_of(self, seat: int) -> Iterator[tuple[Trick, Play]]:
        for trick in self.tricks:
            for branch in trick.branches.values():
                yield from ((trick, play) for play in branch if play.seat == seat)

    def add_play(self, trick: int, kind: str, play: Play) -> None:
        self.facts.append(play)
        branches = self.tricks[trick].branches
        if kind in ("lead", "molodka"):
            branches[play.seat] = [play]
        else:
            branches[play.on].append(play)
        self.advance()

    def add_draw(self, event: Event) -> None:
        self.facts.append(event)
        _, trick, shares = event.body
        self.draws[trick][event.author] = event
        slots = [slot for slot, seat in self.tricks[trick].drawn.items() if seat != event.author]
        for slot, share in zip(slots, chunks(shares, 96), strict=True):
            self.shares[slot][event.author] = share[:32]
        self.advance()

    def advance(self) -> None:
        while not self.ended:
            trick = self.tricks[-1]
            if self.lost is not None:
                self.play_for_lost(trick)
            if len(trick.counting(trick.branches)) < 4:
                break
            self.finish(trick)

    def finish(self, trick: Trick) -> None:
        trick.standing = trick.counting(trick.branches)
        trick.taker = best_of(trick.standing).seat
        count = trick.standing[0].count
        drawn = min(4 * count, self.cards_left)
        for i in range(drawn):
            slot, seat = 36 - self.cards_left + i, (trick.taker + i) % 4
            trick.drawn[slot] = seat
            self.owner[slot] = (seat, trick.number + 1)
        self.cards_left -= drawn
        size = trick.size - count + drawn // 4
        if size == 0:
            self.ended = True
        else:
            self.tricks.append(
                Trick(trick.number + 1, trick.taker, size, [self.known(trick, s) for s in SEATS])
            )

    def known(self, trick: Trick, seat: int) -> frozenset[int]:
        """The seat's known slots after the trick (§7.7)."""
        stood = next(play for play in trick.standing if play.seat == seat)
        if not stood.shows:
            return frozenset()
        return (trick.known[seat] | shown_in(trick.branches, seat)) - set(stood.slots)

    # §7.12, the plays of a lost seat

    def play_for_lost(self, trick: Trick) -> None:
        assert self.lost is not None
        before = self.tricks[trick.number - 1] if trick.number else None
        if (
            before is not None
            and before.drawn
            and any(s not in self.draws[before.number] for s in self.those())
        ):
            return  # its cards are not open yet
        hand = {slot for slot in self.owner if self.in_time(self.lost, slot, trick.number)}
        for earlier in self.tricks[: trick.number]:
            stood = next(play for play in earlier.standing if play.seat == self.lost)
            hand -= set(stood.slots or self.opened[self.lost, earlier.number])
        cards = {self.card(slot, {}): slot for slot in hand}
        if not trick.branches and trick.leader == self.lost:
            lead = self.cheapest(combinations(cards, 1))
            trick.branches[self.lost] = [Play(None, self.lost, True, 1, (cards[lead[0]],), lead)]
        own = trick.strength(trick.branches[self.lost]) if self.lost in trick.branches else 4
        for leader, branch in trick.branches.items():
            if next_to_answer(branch) == self.lost and trick.strength(branch) <= own:
                shows, answer = self.answer(branch, sorted(cards))
                slots = tuple(cards[c] for c in answer)
                branch.append(Play(None, self.lost, shows, len(answer), slots, answer, on=leader))

    def cheapest(self, sets: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
        return min(sets, key=lambda cards: cost(cards, self.trump), default=())

    def answer(self, branch: list[Play], hand: list[int]) -> tuple[bool, tuple[int, ...]]:
        assert self.lost is not None
        sets, best = list(combinations(hand, branch[0].count)), best_of(branch)
        if best.seat % 2 != self.lost % 2:
            beating = self.cheapest(cards for cards in sets if set_beats(cards, best.cards, self.trump))
            if beating:
                return True, beating
        return False, self.cheapest(sets)


def shown_in(branches: Branches, seat: int) -> frozenset[int]:
    plays = (play for branch in branches.values() for play in branch)
    return frozenset(slot for play in plays if play.seat == seat and play.shows for slot in play.slots)


@dataclass(frozen=True)
class Score:
    result: bytes  # the hash of §6.10
    after: State


# --- §5 bodies ----------------------------------------------------------------------------------------------

Check = Callable[[Any], bool]


def is_slots(value: Any) -> bool:
    return (
        type(value) is list
        and 1 <= len(value) <= 4
        and all(is_int(slot, 0, 35) for slot in value)
        and all(a < b for a, b in pairwise(value))
    )


def is_discards(value: Any) -> bool:
    return (
        type(value) is list
        and len(value) <= 36
        and all(
            is_array(d, 3) and is_int(d[0], 0, 35) and is_bytes(d[1], 32) and is_slots(d[2]) for d in value
        )
    )


def sized(*lengths: int) -> Check:
    return lambda value: type(value) is bytes and len(value) in lengths


def shares_of(low: int, high: int) -> Check:
    return sized(*(96 * n for n in range(low, high + 1)))


def ranged(high: int) -> Check:
    return lambda value: is_int(value, 0, high)


DEAL, TRICK, HASH = ranged(9999), ranged(35), sized(32)
BODIES: dict[str, tuple[Check, ...]] = {
    "accept": (HASH,),
    "coin-commit": (HASH,),
    "coin-reveal": (HASH,),
    "key": (DEAL, HASH, sized(64), sized(528)),
    "shuffle": (DEAL, lambda v: v in ("deck", "stock"), sized(2304, 1280), lambda v: type(v) is bytes),
    "deal": (DEAL, shares_of(13, 13)),
    "lead": (DEAL, TRICK, is_slots, shares_of(1, 4)),
    "molodka": (DEAL, TRICK, is_slots, shares_of(1, 4)),
    "beat": (DEAL, TRICK, is_seat, is_slots, shares_of(1, 4)),
    "discard": (DEAL, TRICK, is_seat, ranged(4), HASH),
    "draw": (DEAL, TRICK, shares_of(1, 12)),
    "open": (DEAL, HASH, is_discards),
    "result": (DEAL, HASH),
    "final": (HASH,),
    "complaint": (DEAL, is_seat, HASH),
    "lost": (DEAL, is_seat),
    "rescue": (DEAL, is_seat, sized(64)),
}
WITHOUT_DEAL = ("accept", "coin-commit", "coin-reveal", "final")


# --- §7 the rules of a match --------------------------------------------------------------------------------


class Match:
    """The facts of a match. `judge` takes an event whose causal past has been judged. It raises `Fault`, or
    adds the event's facts and returns the faults of others that it proves, their event first (§8.1)."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.accepts: dict[int, Event] = {}
        self.commits: dict[int, Event] = {}
        self.reveals: dict[int, Event] = {}
        self.finals: dict[int, Event] = {}
        self.deals: dict[int, Deal] = {}
        self.states = [genesis.start]  # before each deal
        self.leader_at_end = 0

    def is_over(self) -> bool:
        return max(self.states[-1].score) >= self.genesis.target

    def deal(self, number: int) -> Deal:
        return self.deals.setdefault(number, Deal(number))

    def table(self, e: Event, deal: Deal) -> Table:
        """The history that the event knows (§7.12)."""
        chosen = deal.plain
        if deal.rescued is not None and all(e.sees(r) for r in deal.rescues.values()):
            chosen = deal.rescued
        return require_there(chosen)

    def context(self, deal: int, stage: str, seat: int) -> bytes:
        g = self.genesis
        return digest("proof context", g.match, g.roster_digest, u32(deal), stage.encode(), u8(seat))

    def judge(self, e: Event) -> list[tuple[str, tuple[Event, ...]]]:
        if e.kind not in BODIES:
            raise Fault("unknown-kind")
        checks = BODIES[e.kind]
        if len(e.body) != len(checks) or not all(check(v) for check, v in zip(checks, e.body, strict=True)):
            raise Fault("malformed-body")
        self.check_feed(e)
        self.check_lost(e)
        rule = getattr(self, "on_" + e.kind.replace("-", "_"))
        return rule(e, *e.body) or []

    def check_feed(self, e: Event) -> None:
        """§7.2, what the author's feed allows."""
        if (e.seq == 0) != (e.kind == "accept"):
            raise Fault("out-of-order")
        if e.kind not in WITHOUT_DEAL and any(
            e.author in d.results and d.number >= e.body[0] for d in self.deals.values()
        ):
            raise Fault("deal-over")
        if self.is_over() and e.kind not in ("result", "final"):
            table = self.table(e, self.deals[len(self.states) - 2])
            if table.score is not None and all(e.sees(table.opens[s]) for s in table.those()):
                raise Fault("match-over")

    def check_lost(self, e: Event) -> None:
        """§7.12: what may follow when a seat has been declared lost."""
        for deal in self.deals.values():
            seat = lost_seat(e, deal)
            if seat is None:
                continue
            rescued = len(deal.rescues) == 3 and all(e.sees(r) for r in deal.rescues.values())
            if e.author == seat:
                if rescued and e.kind not in WITHOUT_DEAL and e.kind != "result" and e.body[0] == deal.number:
                    raise Fault("seat-lost")
                continue
            opens = require_there(deal.plain).opens
            free = rescued or (len(opens) == 4 and all(e.sees(o) for o in opens.values()))
            if not free and (e.kind != "rescue" or e.author in deal.rescues):
                raise Fault("out-of-order")

    # §7.2

    def on_accept(self, e: Event, key: bytes) -> None:
        if not encryption_key_holds(key):
            raise Fault("bad-key-part")
        self.accepts[e.author] = e

    def on_coin_commit(self, e: Event, _commitment: bytes) -> None:
        if self.genesis.last_dealer is not None:
            raise Fault("out-of-order")
        require(e, self.accepts)
        once(e, self.commits)

    def on_coin_reveal(self, e: Event, nonce: bytes) -> None:
        require(e, self.commits)
        if e.author in self.reveals:
            raise Fault("repeated")
        made = digest("coin commitment", self.genesis.match, u8(e.author), nonce)
        if made != self.commits[e.author].body[0]:
            raise Fault("bad-coin")
        self.reveals[e.author] = e

    def dealer(self, deal: int) -> int:
        if self.genesis.last_dealer is not None:
            return (self.genesis.last_dealer + 1 + deal) % 4
        nonces = (self.reveals[s].body[0] for s in SEATS)
        return (digest("coin result", self.genesis.match, *nonces)[0] + deal) % 4

    # §7.3

    def on_key(self, e: Event, number: int, public: bytes, proof: bytes, parts: bytes) -> None:
        require(e, self.accepts if number == 0 else self.deal(number - 1).dealt)
        deal = self.deal(number)
        if e.author in deal.keys:
            raise Fault("repeated")
        if not key_holds(self.context(number, "key", e.author), public, proof):
            raise Fault("bad-key-proof")
        sealed = tuple(chunks(parts, 176))
        if not parts_hold(public, sealed):
            raise Fault("bad-key-part")
        deal.keys[e.author] = e
        deal.publics[e.author] = public
        deal.sealed[e.author] = dict(zip(others(e.author), sealed, strict=True))
        if len(deal.keys) == 4:
            deal.joint = add(*(deal.publics[s] for s in SEATS))

    def on_complaint(
        self, e: Event, number: int, seat: int, secret: bytes
    ) -> list[tuple[str, tuple[Event, ...]]]:
        key = self.deal(number).keys.get(seat)
        require_seen(e, [key])
        assert key is not None
        own = self.accepts[e.author].body[0]
        if seat == e.author or sodium.crypto_scalarmult_base(secret) != own:
            raise Fault("false-complaint")
        sealed = self.deal(number).sealed[seat][e.author]
        if part_opens(self.context(number, "key", seat), e.author, secret, own, sealed):
            raise Fault("false-complaint")
        return [("bad-key-part", (key, e))]

    # §7.4

    def on_shuffle(self, e: Event, number: int, stage: str, after: bytes, proof: bytes) -> None:
        deal = self.deal(number)
        if stage == "deck":
            require(e, deal.keys)
            if number == 0 and self.genesis.last_dealer is None:
                require(e, self.reveals)
            if deal.joint == NEUTRAL:
                raise Fault("out-of-order")
            deal.dealer = self.dealer(number)
            steps, order = deal.shuffles, deal.order()
            before = b"".join(G + add(m, deal.joint) for m in card_points())
        else:
            require(e, deal.dealt)
            table = self.table(e, deal)
            steps, order = table.stock_steps, table.stock_order()
            before = deal.deck[16 * 64 :]
        if e.author in steps:
            raise Fault("repeated")
        for seat in order[: order.index(e.author)]:
            require_seen(e, [steps.get(seat)])
            before = steps[seat].body[2]
        if not shuffle_holds(self.context(number, stage, e.author), deal.joint, before, after, proof):
            raise Fault("bad-shuffle")
        steps[e.author] = e
        if stage == "deck" and len(steps) == 4:
            deal.deck = after

    # §7.5

    def on_deal(self, e: Event, number: int, shares: bytes) -> None:
        deal = self.deal(number)
        require(e, deal.shuffles)
        if number > 0:
            require_seen(e, [self.deal(number - 1).results.get(e.author)])
        if e.author in deal.dealt:
            raise Fault("repeated")
        slots = [slot for slot in range(16) if deal.hand_owner(slot) != e.author] + [26]
        self.check_shares(e, deal, "deck", [(slot, deal.deck[64 * slot :][:64]) for slot in slots], shares)
        for slot, share in zip(slots, chunks(shares, 96), strict=True):
            deal.shares[slot][e.author] = share[:32]
        deal.dealt[e.author] = e
        if len(deal.dealt) == 4:
            leader = self.states[number].leader
            deal.leader = (deal.dealer + 1) % 4 if leader is None else leader
            indicator = open_card(deal.deck[26 * 64 :][:64], deal.shares[26].values())
            deal.plain = Table(deal, indicator // 9)

    def check_shares(
        self, e: Event, deal: Deal, stage: str, slots: Iterable[tuple[int, bytes]], shares: bytes
    ) -> None:
        ctx, public = self.context(deal.number, stage, e.author), deal.publics[e.author]
        for (slot, ciphertext), share in zip(slots, chunks(shares, 96), strict=True):
            if not share_holds(ctx, slot, public, ciphertext[:32], share):
                raise Fault("bad-share")

    # §7.6

    def on_draw(self, e: Event, number: int, index: int, shares: bytes) -> None:
        deal = self.deal(number)
        require(e, deal.dealt)
        table = self.table(e, deal)
        trick = trick_of(table, index)
        require_stood(e, trick)
        require_seen(e, [table.stock_steps.get(s) for s in table.stock_order()])
        if e.author in table.draws[index]:
            raise Fault("repeated")
        if not trick.drawn:
            raise Fault("share-not-due")
        slots = [slot for slot, seat in trick.drawn.items() if seat != e.author]
        if len(shares) != 96 * len(slots):
            raise Fault("malformed-body")
        self.check_shares(e, deal, "stock", [(s, table.ciphertext(s)) for s in slots], shares)
        table.add_draw(e)

    # §7.7

    def enter_trick(self, e: Event, deal: Deal, index: int) -> tuple[Table, Trick, Branches]:
        """What every play requires; the branches as far as the event has seen them."""
        require(e, deal.dealt)
        table = self.table(e, deal)
        trick = trick_of(table, index)
        if index > 0:
            before = table.tricks[index - 1]
            require_stood(e, before)
            if before.drawn:
                require_seen(e, [table.draws[index - 1].get(s) for s in table.those()])
        return table, trick, seen_branches(e, trick)

    def show(
        self, e: Event, number: int, index: int, slots: list[int], shares: bytes, on: int = 0
    ) -> tuple[Table, Trick, Branches, Play]:
        """The part of the rules that all plays with cards have in common."""
        deal = self.deal(number)
        table, trick, seen = self.enter_trick(e, deal, index)
        gone = table.shown(e.author, index)
        if not all(table.in_time(e.author, slot, index) and slot not in gone for slot in slots):
            raise Fault("card-not-held")
        if len(shares) != 96 * len(slots):
            raise Fault("malformed-body")
        hand = [slot for slot in slots if slot < 16]
        for stage, some, part in (
            ("deck", hand, shares[: 96 * len(hand)]),
            ("stock", slots[len(hand) :], shares[96 * len(hand) :]),
        ):
            self.check_shares(e, deal, stage, [(s, table.ciphertext(s)) for s in some], part)
        opening = zip(slots, chunks(shares, 96), strict=True)
        cards = tuple(table.card(slot, {e.author: share[:32]}) for slot, share in opening)
        return table, trick, seen, Play(e, e.author, True, len(slots), tuple(slots), cards, on=on)

    def on_lead(self, e: Event, number: int, index: int, slots: list[int], shares: bytes) -> None:
        table, trick, seen, play = self.show(e, number, index, slots, shares)
        allow(e.author == trick.leader and not has_played(seen, e.author) and one_suit(play.cards))
        allow(play.count <= trick.size and (not seen or play.count == 4))
        allow_known(trick, seen, play)
        table.add_play(index, e.kind, play)

    def on_molodka(self, e: Event, number: int, index: int, slots: list[int], shares: bytes) -> None:
        table, trick, seen, play = self.show(e, number, index, slots, shares)
        allow(self.genesis.molodka and e.author != trick.leader and not has_played(seen, e.author))
        allow(one_suit(play.cards) and play.count == trick.size == 4)
        allow(all(trick.strength(branch) > trick.strength([play]) for branch in seen.values()))
        allow_known(trick, seen, play)
        table.add_play(index, e.kind, play)

    def on_beat(self, e: Event, number: int, index: int, on: int, slots: list[int], shares: bytes) -> None:
        table, trick, seen, play = self.show(e, number, index, slots, shares, on)
        allow_answer(trick, seen, play)
        allow(set_beats(play.cards, best_of(seen[on]).cards, table.trump))
        allow_known(trick, seen, play)
        table.add_play(index, e.kind, play)

    def on_discard(self, e: Event, number: int, index: int, on: int, count: int, commitment: bytes) -> None:
        table, trick, seen = self.enter_trick(e, self.deal(number), index)
        play = Play(e, e.author, False, count, commitment=commitment, on=on)
        allow_answer(trick, seen, play)
        table.add_play(index, e.kind, play)

    # §7.8, §7.9

    def on_open(self, e: Event, number: int, key: bytes, discards: list[list[Any]]) -> None:
        deal = self.deal(number)
        require(e, deal.dealt)
        table = self.table(e, deal)
        if not table.ended:
            raise Fault("out-of-order")
        require_stood(e, table.tricks[-1])
        if e.author in table.opens:
            raise Fault("repeated")
        try:
            secret = scalar(key)
            if mul(secret, G) != deal.publics[e.author]:
                raise Fault("wrong-key")
        except (Refused, CryptoError):
            raise Fault("wrong-key") from None
        stood = [p for t in table.tricks for p in t.standing if p.seat == e.author]
        made = {t: play for t, play in enumerate(stood) if not play.shows}
        if [d[0] for d in discards] != list(made):
            raise Fault("refused-opening")
        self.check_discards(e, table, number, made, discards)
        for trick, _, slots in discards:
            table.opened[e.author, trick] = tuple(slots)
        table.opens[e.author] = e
        table.secrets[e.author] = secret
        self.score(table)

    def commitment(self, deal: int, trick: int, play: Play, salt: bytes, slots: Iterable[int]) -> bytes:
        fields = self.genesis.match, u32(deal), u32(trick), u8(play.seat), u8(play.on), salt, bytes(slots)
        return digest("discard commitment", *fields)

    def check_discards(
        self, e: Event, table: Table, number: int, made: dict[int, Play], discards: list[list[Any]]
    ) -> None:
        shown = table.shown(e.author)
        before: set[int] = set()
        for index, salt, slots in discards:
            play = made[index]
            if (
                len(slots) != play.count
                or self.commitment(number, index, play, salt, slots) != play.commitment
            ):
                raise Fault("bad-commitment")
            later = {s for t, p in table.plays_of(e.author) if t.number > index and p.shows for s in p.slots}
            for slot in slots:
                if not table.in_time(e.author, slot, index):
                    raise Fault("discard-not-held")
                if slot in before | shown | later:
                    raise Fault("card-played-twice")
                before.add(slot)

    def score(self, table: Table) -> None:
        """Scores the deal when all have opened (R18–R21)."""
        if table.score is not None or any(s not in table.opens for s in table.those()):
            return
        number = table.deal.number
        secret = sum(table.secrets.values()) + table.secret
        points, tricks = [0, 0], [0, 0]
        for trick in table.tricks:
            tricks[trick.taker % 2] += 1
            for play in trick.standing:
                cards = play.cards
                if not cards:
                    texts = [table.ciphertext(s) for s in table.opened[play.seat, trick.number]]
                    cards = tuple(open_card(text, [mul(secret, text[:32])]) for text in texts)
                points[trick.taker % 2] += sum(POINTS[card % 9] for card in cards)
        state, leader = self.states[number], table.tricks[-1].taker
        even = points[0] == points[1]
        defeat = [0, 0]
        for team in (0, 1):
            if points[team] < 60:
                defeat[team] = 6 if tricks[team] == 0 else 4 if points[team] <= 30 else 2
                defeat[team] *= 2 if state.doubled else 1
        fields = encode([number, points, tricks, defeat, even])
        after = State(
            (state.score[0] + defeat[0], state.score[1] + defeat[1]),
            state.eggs + even,
            even and self.genesis.eggs_double,
            leader,
        )
        table.score = Score(digest("deal result", self.genesis.match, fields), after)
        if len(self.states) == number + 1:
            self.states.append(after)

    def on_result(self, e: Event, number: int, given: bytes) -> None:
        deal = self.deal(number)
        require(e, deal.dealt)
        table = self.table(e, deal)
        require_seen(e, [table.opens.get(s) for s in table.those()])
        if table.score is None or table.score.result != given:
            raise Fault("false-result")
        deal.results[e.author] = e

    # §7.10

    def last_table(self, e: Event | None) -> Table:
        """The last deal of a match that is over, as the event knows it, or as all events together do."""
        deal = self.deals[len(self.states) - 2]
        return require_there((deal.rescued or deal.plain) if e is None else self.table(e, deal))

    def on_final(self, e: Event, given: bytes) -> None:
        if not self.is_over():
            raise Fault("out-of-order")
        results = self.deals[len(self.states) - 2].results
        require_seen(e, [results.get(s) for s in self.last_table(e).those()])
        if e.author in self.finals:
            raise Fault("repeated")
        state = self.states[-1]
        fields = encode([len(self.states) - 1, list(state.score), state.eggs, state.leader])
        if digest("final state", self.genesis.match, fields) != given:
            raise Fault("false-final")
        self.finals[e.author] = e

    def is_whole(self) -> bool:
        return self.is_over() and all(s in self.finals for s in self.last_table(None).those())

    # §7.12

    def on_lost(self, e: Event, number: int, seat: int) -> None:
        require(e, self.deal(number).dealt)
        if seat == e.author:
            raise Fault("malformed-body")
        once(e, self.deal(number).lost)

    def on_rescue(self, e: Event, number: int, seat: int, part: bytes) -> list[tuple[str, tuple[Event, ...]]]:
        deal = self.deal(number)
        if seat == e.author or lost_seat(e, deal) != seat:
            raise Fault("out-of-order")
        if e.author in deal.rescues:
            raise Fault("repeated")
        ctx = self.context(number, "key", seat)
        if not part_holds(ctx, e.author, deal.sealed[seat][e.author], part):
            raise Fault("bad-rescue")
        deal.rescues[e.author] = e
        return self.rescue(deal, seat) if len(deal.rescues) == 3 else []

    def rescue(self, deal: Deal, seat: int) -> list[tuple[str, tuple[Event, ...]]]:
        """The second history of a deal: what the three have signed, and the lost seat up to the cut."""
        plain, parts = require_there(deal.plain), [r.body[2] for r in deal.rescues.values()]
        seed = bytes(a ^ b ^ c for a, b, c in zip(*(p[32:] for p in parts), strict=True))
        cut = max(r.vector[seat] for r in deal.rescues.values())
        table = Table(deal, plain.trump)
        for fact in plain.facts:
            event = fact if isinstance(fact, Event) else fact.event
            assert event is not None
            if event.author == seat and event.seq > cut:
                continue
            if isinstance(fact, Event):
                table.add_draw(fact)
            else:
                table.add_play(event.body[1], event.kind, fact)
        fault = self.turn_up(table, deal, seat, seed)
        if fault is not None:
            code, play = fault
            assert play.event is not None
            return [(code, (play.event, *(deal.rescues[s] for s in others(seat))))]
        table.stock_steps = {s: e for s, e in plain.stock_steps.items() if s != seat or e.seq <= cut}
        table.opens = {s: e for s, e in plain.opens.items() if s != seat}
        table.secrets = {s: x for s, x in plain.secrets.items() if s != seat}
        table.opened |= {where: slots for where, slots in plain.opened.items() if where[0] != seat}
        table.lost, table.secret = seat, sum(number(p[:32]) for p in parts) % Q
        table.advance()
        deal.rescued = table
        if table.ended:
            self.score(table)
        return []

    def turn_up(self, table: Table, deal: Deal, seat: int, seed: bytes) -> tuple[str, Play] | None:
        """Finds the slots of the lost seat's discards; a fault and the play that is it."""
        gone: set[int] = set()  # what it has played in the tricks that are finished
        for trick in table.tricks:
            plays = [play for branch in trick.branches.values() for play in branch if play.seat == seat]
            for play in sorted(plays, key=lambda play: play.event.seq if play.event else 0):
                slots = play.slots or self.recall(table, deal, trick.number, play, seed)
                if slots is None:
                    return "bad-commitment", play
                if gone & set(slots):
                    return "card-played-twice", play
                if not play.shows and play in (trick.standing or trick.counting(trick.branches)):
                    table.opened[seat, trick.number] = slots
            stood = (play for play in trick.standing if play.seat == seat)
            gone |= {slot for play in stood for slot in play.slots or table.opened[seat, trick.number]}
        return None

    def recall(self, table: Table, deal: Deal, trick: int, play: Play, seed: bytes) -> tuple[int, ...] | None:
        salt = derive(seed, "discard salt", u32(trick), u8(play.on))
        hand = [slot for slot in sorted(table.owner) if table.in_time(play.seat, slot, trick)]
        for slots in combinations(hand, play.count):
            if self.commitment(deal.number, trick, play, salt, slots) == play.commitment:
                return slots
        return None


def require_there(value: T | None) -> T:
    if value is None:
        raise Fault("out-of-order")
    return value


def require_seen(e: Event, events: Iterable[Event | None]) -> None:
    if not all(other is not None and e.sees(other) for other in events):
        raise Fault("out-of-order")


def require(e: Event, by_seat: dict[int, Event]) -> None:
    require_seen(e, [by_seat.get(s) for s in SEATS])


def require_stood(e: Event, trick: Trick) -> None:
    """The four standing plays; those of the rule for a lost seat are seen with what they follow."""
    if not trick.standing:
        raise Fault("out-of-order")
    require_seen(e, [play.event for play in trick.standing if play.event is not None])


def once(e: Event, by_seat: dict[int, Event]) -> None:
    if e.author in by_seat:
        raise Fault("repeated")
    by_seat[e.author] = e


def others(seat: int) -> list[int]:
    return [s for s in SEATS if s != seat]


def lost_seat(e: Event, deal: Deal) -> int | None:
    """The seat that all three others have declared lost, as far as the event has seen."""
    named = [d.body[1] for d in deal.lost.values() if e.sees(d)]
    return next((seat for seat in SEATS if named.count(seat) == 3), None)


def trick_of(table: Table, index: int) -> Trick:
    return require_there(table.tricks[index] if index < len(table.tricks) else None)


def seen_branches(e: Event, trick: Trick) -> Branches:
    seen: Branches = {}
    for leader, branch in trick.branches.items():
        for play in branch:
            if play.event is not None and not e.sees(play.event):
                break
            seen.setdefault(leader, []).append(play)
    return seen


def has_played(branches: Branches, seat: int) -> bool:
    return any(play.seat == seat for branch in branches.values() for play in branch)


def one_suit(cards: Sequence[int]) -> bool:
    return len({card // 9 for card in cards}) == 1


def allow(condition: bool) -> None:
    if not condition:
        raise Fault("illegal-play")


def allow_answer(trick: Trick, seen: Branches, play: Play) -> None:
    branch = trick.counting(seen)
    allow(bool(branch) and branch[0].seat == play.on and next_to_answer(branch) == play.seat)
    allow(play.count == branch[0].count)


def allow_known(trick: Trick, seen: Branches, play: Play) -> None:
    """Nobody shows more cards than it has (§7.7)."""
    known = trick.known[play.seat] | shown_in(seen, play.seat)
    allow(len(set(play.slots) - known) <= trick.size - len(known))


# --- §4 feeds, §8 verdicts ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    rank: tuple[Any, ...]  # §8.3, the lowest counts
    culprit: int
    fault: str
    events: tuple[bytes, ...]


class Log:
    """Four feeds, the forks beside them, early events, and the verdicts on what was judged."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.match = Match(genesis)
        self.feeds: list[list[Event]] = [[], [], [], []]
        self.forks: list[list[tuple[int, bytes, Event]]] = [[], [], [], []]  # place, id, event
        self.taken = [0] * 4
        self.stopped: list[int | None] = [
            None
        ] * 4  # number of the first event that is a fault or has seen one
        self.held: list[Event] = []
        self.damaged = False
        self.dropped = False  # an early event, for lack of room
        self.faults: list[tuple[str, tuple[Event, ...]]] = []

    def offer(self, data: bytes, signature: bytes) -> None:
        """§4.4, and again for the events that were early."""
        try:
            e = read_event(data, signature, self.genesis.match)
            if self.is_known(e):
                return
            check_signature(self.genesis.identities[e.author], e)
            early = not self.take(e)
        except Refused:
            self.damaged = True
            return
        if early:
            self.hold(e)
        else:
            self.release()

    def is_known(self, e: Event) -> bool:
        return self.has(e.author, e.seq, e.id) or any(fork[1] == e.id for fork in self.forks[e.author])

    def hold(self, e: Event) -> None:
        if all(held.id != e.id for held in self.held):
            self.held.append(e)
        if len(self.held) > MAX_HELD:
            self.held.remove(max(self.held, key=lambda held: held.seq))
            self.dropped = True

    def release(self) -> None:
        moved = True
        while moved:
            moved = False
            for e in sorted(self.held, key=lambda held: (held.seq, held.author)):
                if self.is_known(e) or self.take(e):
                    self.held.remove(e)
                    moved = True

    def take(self, e: Event) -> bool:
        """Step 6 of §4.4; False for an early event."""
        feed = self.feeds[e.author]
        n, stopped = len(feed), self.stopped[e.author]
        if e.seq < n:
            self.fork(e)
        elif stopped is not None and e.seq > stopped + MAX_AFTER_FAULT:
            pass  # surplus
        elif e.seq > n:
            return False
        elif n == 0 and e.prev != self.genesis.match:
            raise Refused("malformed")
        elif n > 0 and e.prev != feed[-1].id:
            self.fork(e)
        elif any(ref is not None and not self.has(s, *ref) for s, ref in enumerate(e.refs)):
            return False
        else:
            feed.append(e)
            self.judge(e)
        return True

    def length(self) -> int:
        return sum(map(len, self.feeds))

    def has(self, seat: int, seq: int, event_id: bytes) -> bool:
        return seq < len(self.feeds[seat]) and self.feeds[seat][seq].id == event_id

    def fork(self, e: Event) -> None:
        """§4.7, §8.2."""
        if self.taken[e.author] == MAX_FORKS_TAKEN:
            return
        self.taken[e.author] += 1
        follows = e.seq == 0 or e.prev == self.feeds[e.author][e.seq - 1].id
        place = 2 * e.seq if follows else 2 * e.seq - 1
        forks = self.forks[e.author]
        forks.append((place, e.id, e))
        forks.sort(key=lambda fork: fork[:2])
        del forks[MAX_FORKS:]

    def judge(self, e: Event) -> None:
        """§7.1."""
        if any(all(e.sees(x) for x in events) for _, events in self.faults):
            self.stop(e)
            return
        try:
            self.check_refs(e)
            proven = self.match.judge(e)
        except Fault as fault:
            proven = [(fault.code, (e,))]
        for code, events in proven:
            self.faults.append((code, events))
            self.stop(events[0])

    def stop(self, e: Event) -> None:
        before = self.stopped[e.author]
        self.stopped[e.author] = e.seq if before is None else min(before, e.seq)

    def check_refs(self, e: Event) -> None:
        """§4.6."""
        builds_on = [self.feeds[s][ref[0]] for s, ref in enumerate(e.refs) if ref is not None]
        if e.seq > 0:
            builds_on.append(self.feeds[e.author][e.seq - 1])
        if any(e.vector[s] < other.vector[s] for other in builds_on for s in others(e.author)):
            raise Fault("backdated-refs")

    def verdict(self) -> Verdict | None:
        found = [
            Verdict(
                (1, sum(events[0].vector), events[0].author, ids(events)), events[0].author, code, ids(events)
            )
            for code, events in self.faults
        ]
        for seat, forks in enumerate(self.forks):
            for place, event_id, _ in forks:
                base = self.feeds[seat][place // 2].id
                rivals = [fork[1] for fork in forks if fork[0] == place] if place % 2 == 0 else [event_id]
                pair = tuple(sorted([base, *rivals])[:2])
                found.append(Verdict((0, place, seat, pair), seat, "equivocation", pair))
        return min(found, key=lambda verdict: verdict.rank, default=None)


def check_signature(identity: bytes, e: Event) -> None:
    if not signature_holds(identity, e.data, e.signature):
        raise Refused("bad-signature")


def ids(events: Iterable[Event]) -> tuple[bytes, ...]:
    return tuple(e.id for e in events)


def read_event(data: bytes, signature: bytes, match: bytes) -> Event:
    """Steps 1–4 of §4.4, without what is known."""
    if len(signature) != 64:
        raise Refused("bad-signature")
    value = decode(data, MAX_EVENT)
    if not is_array(value, 8) or not is_int(value[0], 1, 1):
        raise Refused("malformed or version")
    _, match_id, author, seq, prev, refs, kind, body = value
    ok = (
        is_bytes(match_id, 32)
        and is_seat(author)
        and is_int(seq, 0, MAX_SEQ)
        and is_bytes(prev, 32)
        and is_array(refs, 4)
        and refs[author] is None
        and all(
            r is None or (is_array(r, 2) and is_int(r[0], 0, MAX_SEQ) and is_bytes(r[1], 32)) for r in refs
        )
        and type(kind) is str
        and 1 <= len(kind.encode()) <= 24
        and type(body) is list
    )
    if not ok:
        raise Refused("malformed")
    if match_id != match:
        raise Refused("other-match")
    pairs = tuple(None if r is None else (r[0], r[1]) for r in refs)
    vector = [-1 if r is None else r[0] for r in pairs]
    vector[author] = seq
    return Event(
        digest("event id", data), data, signature, author, seq, prev, pairs, kind, body, tuple(vector)
    )


# --- §10 the file -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What the audit of a log says (§10.4). Deals and score are those of the finished deals."""

    finding: str
    culprit: int | None = None
    fault: str | None = None
    events: tuple[str, ...] = ()
    deals: int = 0
    score: tuple[int, int] = (0, 0)
    goat: int | None = None  # the team that lost, of a match that is over


def records(data: bytes) -> Iterator[bytes]:
    """The data of each record; `Refused` at the first that is damaged."""
    if data[:8] != b"KOZELLOG" or data[8:10] != b"\x00\x01":
        raise Refused("foreign, format-version or truncated")
    at, limit = 10, MAX_GENESIS
    while at < len(data):
        length, checksum = struct.unpack(">II", data[at : at + 8].ljust(8, b"\xff"))
        record = data[at + 8 : at + 8 + length]
        if length > limit or len(record) < length or zlib.crc32(record) != checksum:
            raise Refused("truncated, oversized or checksum")
        yield record
        at, limit = at + 8 + length, MAX_RECORD


def read_pair(record: bytes) -> tuple[bytes, bytes]:
    value = decode(record, MAX_RECORD)
    if not is_array(value, 2) or type(value[0]) is not bytes or type(value[1]) is not bytes:
        raise Refused("malformed")
    return value[0], value[1]


def verify(data: bytes, *more: bytes) -> Outcome:
    """Audits the bytes of a log file; of several files of one match as if they were one."""
    log: Log | None = None
    events: list[tuple[bytes, bytes]] = []
    damaged = False
    for file in (data, *more):
        reader = records(file)
        try:
            genesis = read_genesis(next(reader))
            log = log or Log(genesis)
            check_match(genesis, log.genesis)
            for record in reader:
                events.append(read_pair(record))
        except (Refused, StopIteration):
            damaged = True
    if log is None:
        return Outcome("unreadable")
    before = -1
    for _ in range(1 + MAX_READINGS):  # what had no room to wait is brought again
        if log.length() == before:
            break
        before, log.dropped = log.length(), False
        for pair in events:
            log.offer(*pair)
        if not log.dropped:
            break
    log.damaged |= damaged or bool(log.held) or log.dropped
    return outcome(log)


def check_match(genesis: Genesis, first: Genesis) -> None:
    if genesis.match != first.match:
        raise Refused("other-match")


def outcome(log: Log) -> Outcome:
    verdict, match = log.verdict(), log.match
    score = match.states[-1].score
    deals, goat = len(match.states) - 1, score.index(max(score)) if match.is_over() else None
    if verdict is not None:
        return Outcome(
            "cheat",
            verdict.culprit,
            verdict.fault,
            tuple(e.hex() for e in verdict.events),
            deals,
            score,
            goat,
        )
    finding = "damaged" if log.damaged else "fair" if match.is_whole() else "incomplete"
    return Outcome(finding, deals=deals, score=score, goat=goat)


def describe(found: Outcome) -> str:
    lines = [found.finding]
    if found.culprit is not None:
        lines.append(f"  seat {found.culprit}: {found.fault}")
        lines += [f"  event {event}" for event in found.events]
    lines.append(f"  deals finished: {found.deals}, defeat points {found.score[0]}:{found.score[1]}")
    if found.goat is not None:
        lines.append(f"  team {found.goat} is the goat")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Prints an audit of each file; the exit code of §10.4, for several files the gravest: 1, then 2."""
    names = [argument for argument in arguments if argument not in ("--json", "--together")]
    if not names:
        print(__doc__, file=sys.stderr)
        return 2
    files = [Path(name).read_bytes() for name in names]
    if "--together" in arguments:
        audits = {" ".join(names): verify(*files)}
    else:
        audits = {name: verify(data) for name, data in zip(names, files, strict=True)}
    for name, found in audits.items():
        if "--json" in arguments:
            print(json.dumps({"file": name} | asdict(found)))
        else:
            print(f"{name}: {describe(found)}")
    codes = {EXIT_CODES[found.finding] for found in audits.values()}
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
