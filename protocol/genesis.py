"""The genesis (§3): who plays with whom, by which options, agreed by all four before anything else."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, cast

from engine import new_match
from engine.cards import Seat
from engine.errors import OptionsError
from engine.options import Eggs, MolodkaRule, Options
from engine.state import Standing, State
from protocol import domains
from protocol.crypto.transcript import digest
from protocol.encoding import Value, pack, unpack
from protocol.errors import EncodingError, GenesisError
from protocol.limits import (
    DEFAULT_GRACE,
    GRACE_SECONDS,
    MAX_DEALS,
    MAX_GENESIS_BYTES,
    MAX_NAME_BYTES,
    VERSION,
)

NONCE_BYTES: Final = 32
_FIELDS: Final = 9
_UNSAFE: Final = (
    *((0x0000, 0x001F), (0x007F, 0x009F), (0x00AD, 0x00AD), (0x0600, 0x0605), (0x061C, 0x061C)),
    *((0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x180E, 0x180E)),
    *((0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x2064), (0x2066, 0x206F), (0xD800, 0xF8FF)),
    *((0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F)),
    *((0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)),
)
"""The first and the last of each row of code points that no name holds (§3.1).

Written out, since what Unicode says of a code point depends on the reader's version of it.
"""
_UNSAFE_STARTS: Final = tuple(first for first, _ in _UNSAFE)


@dataclass(frozen=True, slots=True)
class Member:
    """One seat's owner: Ed25519 identity key, CURVE transport key (32 raw bytes each), display name."""

    identity: bytes
    transport: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Genesis:
    """The agreement that opens a match; its hash is the match's id.

    `first_leader` and `previous` carry the lead over from the match before at the same table
    (R22). `for_show` says that the cards come from a seed that somebody knows. `grace` is how long, in
    seconds, a silent player is waited for before the others are asked whether to play on without (§7.12).
    `standing` is where an interrupted match, `previous`, is taken up again with another roster.
    """

    table: str
    options: Options
    roster: tuple[Member, ...]
    nonces: tuple[bytes, ...]
    first_leader: Seat | None = None
    previous: bytes | None = None
    for_show: bool = False
    grace: int = DEFAULT_GRACE
    standing: Standing | None = None

    def encode(self) -> bytes:
        """Return the canonical bytes (§3.1)."""
        return pack(
            (
                VERSION,
                self.table,
                options_value(self.options, self.grace),
                self._roster_value(),
                self.nonces,
                self.first_leader,
                self.previous,
                self.for_show,
                None if self.standing is None else standing_value(self.standing),
            )
        )

    @property
    def match_id(self) -> bytes:
        """32 bytes that name the match (§3.2)."""
        return digest(domains.GENESIS, self.encode())

    @property
    def roster_digest(self) -> bytes:
        """32 bytes that every proof of the match is bound to (§3.3)."""
        return digest(domains.ROSTER, pack(self._roster_value()))

    def new_match(self) -> State:
        """The game before its first deal; raises :class:`GenesisError` when it cannot begin so."""
        try:
            return new_match(self.options, self.first_leader, self.standing)
        except OptionsError as error:
            raise GenesisError("options", f"the match cannot begin so: {error}") from error

    def _roster_value(self) -> Value:
        return tuple((member.identity, member.transport, member.name) for member in self.roster)


def decode_genesis(data: bytes) -> Genesis:
    """Read and check a genesis; raise :class:`GenesisError` saying what is wrong with it."""
    try:
        value = unpack(data, limit=MAX_GENESIS_BYTES)
    except EncodingError as error:
        raise GenesisError(error.code, f"the genesis is unreadable: {error.detail}") from error
    if not isinstance(value, tuple) or not value:
        raise GenesisError("malformed", "the genesis is not an array")
    if value[0] != VERSION or type(value[0]) is not int:
        raise GenesisError("version", f"protocol version {value[0]!r}; this program speaks version {VERSION}")
    if len(value) != _FIELDS:
        raise GenesisError("malformed", f"the genesis has {len(value)} fields instead of {_FIELDS}")
    _, table, options, roster, nonces, first_leader, previous, for_show, standing = value
    if previous is not None:
        _expect(_is_blob(previous, 32), "the previous match is not named by 32 bytes")
    _expect(
        first_leader is None or (type(first_leader) is int and 0 <= first_leader <= 3), "no such first leader"
    )
    carried = first_leader is not None or standing is not None
    _expect(carried == (previous is not None), "what is carried over needs the match it comes from")
    _expect(type(for_show) is bool, "the show mark is neither true nor false")
    _expect(isinstance(table, str) and is_clean_name(table), "the table's name is not printable or too long")
    rules, grace = read_options(options)
    genesis = Genesis(
        table=cast(str, table),
        options=rules,
        roster=_roster(roster),
        nonces=_nonces(nonces),
        first_leader=cast("Seat | None", first_leader),
        previous=cast("bytes | None", previous),
        for_show=cast(bool, for_show),
        grace=grace,
        standing=None if standing is None else read_standing(standing),
    )
    genesis.new_match()
    return genesis


def fingerprint(match_id: bytes) -> str:
    """Return eight groups of four hex digits that people can compare aloud (§3.4)."""
    text = match_id[:16].hex()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def is_clean_name(name: str) -> bool:
    """Tell whether a name can be shown on any screen: not blank, bounded, no control or format characters.

    Equal for every reader, whatever version of Unicode it knows: a log must stay readable.
    """
    unsafe = any(_is_unsafe(ord(char)) for char in name)
    return bool(name.strip()) and not unsafe and len(name.encode()) <= MAX_NAME_BYTES


def _is_unsafe(point: int) -> bool:
    place = bisect_right(_UNSAFE_STARTS, point)
    return place > 0 and point <= _UNSAFE[place - 1][1]


def _expect(condition: bool, detail: str) -> None:
    if not condition:
        raise GenesisError("malformed", f"the genesis is not valid: {detail}")


def _is_blob(value: object, length: int) -> bool:
    return isinstance(value, bytes) and len(value) == length


def standing_value(standing: Standing) -> Value:
    """Where a match stands, as it is written (§3.1)."""
    return (standing.score, standing.eggs, standing.doubled, standing.dealer, standing.leader)


def read_standing(value: Value) -> Standing:
    """Types only, else :class:`GenesisError`; whether a match can stand like this is asked of the engine."""
    _expect(isinstance(value, tuple) and len(value) == 5, "the standing is not five values")
    score, eggs, doubled, dealer, leader = cast("tuple[Value, ...]", value)
    _expect(isinstance(score, tuple) and len(score) == 2, "the score is not two numbers")
    first, second = cast("tuple[Value, ...]", score)
    whole = all(type(number) is int for number in (first, second, eggs, dealer, leader))
    _expect(whole and type(doubled) is bool, "a value of the standing is of a wrong type")
    if cast(int, eggs) > MAX_DEALS:  # Else those at the end could be more than any number that is written.
        raise GenesisError(
            "options", f"a standing of more deals with eggs than the {MAX_DEALS} that a match can have"
        )
    return Standing(
        (cast(int, first), cast(int, second)),
        cast(int, eggs),
        cast(bool, doubled),
        cast(int, dealer),
        cast(int, leader),
    )


def options_value(options: Options, grace: int) -> Value:
    """The options of a table, as they are written (§3.1)."""
    return (options.target, options.eggs.value, options.molodka.value, grace)


def read_options(value: Value) -> tuple[Options, int]:
    """The options of a table and its grace in seconds; raises :class:`GenesisError`."""
    _expect(isinstance(value, tuple) and len(value) == 4, "the table options are not four values")
    target, eggs, molodka, grace = cast("tuple[Value, ...]", value)
    _expect(type(grace) is int and grace in GRACE_SECONDS, "no such time to wait for a silent player")
    _expect(
        type(target) is int and isinstance(eggs, str) and isinstance(molodka, str),
        "table options of a wrong type",
    )
    try:
        options = Options(
            target=cast(int, target), eggs=Eggs(cast(str, eggs)), molodka=MolodkaRule(cast(str, molodka))
        )
    except ValueError as error:
        raise GenesisError("options", f"the table options are not playable: {error}") from error
    return options, cast(int, grace)


def _roster(value: Value) -> tuple[Member, ...]:
    _expect(isinstance(value, tuple) and len(value) == 4, "the roster has not four seats")
    members = []
    for entry in cast("tuple[Value, ...]", value):
        _expect(isinstance(entry, tuple) and len(entry) == 3, "a roster entry has not three fields")
        identity, transport, name = cast("tuple[Value, ...]", entry)
        _expect(_is_blob(identity, 32) and _is_blob(transport, 32), "a key in the roster has not 32 bytes")
        _expect(
            isinstance(name, str) and is_clean_name(name), "a name in the roster is not printable or too long"
        )
        members.append(Member(cast(bytes, identity), cast(bytes, transport), cast(str, name)))
    _expect(len({member.identity for member in members}) == 4, "one identity holds two seats")
    _expect(len({member.transport for member in members}) == 4, "one transport key stands at two seats")
    return tuple(members)


def _nonces(value: Value) -> tuple[bytes, ...]:
    _expect(isinstance(value, tuple) and len(value) == 4, "there are not four nonces")
    nonces = cast("tuple[Value, ...]", value)
    _expect(all(_is_blob(nonce, NONCE_BYTES) for nonce in nonces), "a nonce has not 32 bytes")
    return cast("tuple[bytes, ...]", nonces)
