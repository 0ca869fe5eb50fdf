"""The genesis (§3): who plays with whom, by which options, agreed by all four before anything else."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final, cast

from engine.cards import Seat
from engine.options import Eggs, MolodkaRule, Options
from protocol import domains
from protocol.crypto.transcript import digest
from protocol.encoding import Value, pack, unpack
from protocol.errors import EncodingError, GenesisError
from protocol.limits import MAX_GENESIS_BYTES, MAX_NAME_BYTES, VERSION

NONCE_BYTES: Final = 32
_FIELDS: Final = 8
_UNSAFE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


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
    (R22). `for_show` says that the cards come from a seed that somebody knows.
    """

    table: str
    options: Options
    roster: tuple[Member, ...]
    nonces: tuple[bytes, ...]
    first_leader: Seat | None = None
    previous: bytes | None = None
    for_show: bool = False

    def encode(self) -> bytes:
        """Return the canonical bytes (§3.1)."""
        return pack(
            (
                VERSION,
                self.table,
                (self.options.target, self.options.eggs.value, self.options.molodka.value),
                self._roster_value(),
                self.nonces,
                self.first_leader,
                self.previous,
                self.for_show,
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
    _, table, options, roster, nonces, first_leader, previous, for_show = value
    if previous is not None:
        _expect(_is_blob(previous, 32), "the previous match is not named by 32 bytes")
    _expect(
        first_leader is None or (type(first_leader) is int and 0 <= first_leader <= 3), "no such first leader"
    )
    _expect((first_leader is None) == (previous is None), "a carried lead needs the match it comes from")
    _expect(type(for_show) is bool, "the show mark is neither true nor false")
    _expect(isinstance(table, str) and is_clean_name(table), "the table's name is not printable or too long")
    return Genesis(
        table=cast(str, table),
        options=_options(options),
        roster=_roster(roster),
        nonces=_nonces(nonces),
        first_leader=cast("Seat | None", first_leader),
        previous=cast("bytes | None", previous),
        for_show=cast(bool, for_show),
    )


def fingerprint(match_id: bytes) -> str:
    """Return eight groups of four hex digits that people can compare aloud (§3.4)."""
    text = match_id[:16].hex()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def is_clean_name(name: str) -> bool:
    """Tell whether a name can be shown on any screen: not blank, bounded, no control or format characters.

    Unassigned characters are let through: which they are changes with Unicode, and a log must stay readable.
    """
    unsafe = any(unicodedata.category(char) in _UNSAFE_CATEGORIES for char in name)
    return bool(name.strip()) and not unsafe and len(name.encode()) <= MAX_NAME_BYTES


def _expect(condition: bool, detail: str) -> None:
    if not condition:
        raise GenesisError("malformed", f"the genesis is not valid: {detail}")


def _is_blob(value: object, length: int) -> bool:
    return isinstance(value, bytes) and len(value) == length


def _options(value: Value) -> Options:
    _expect(isinstance(value, tuple) and len(value) == 3, "the table options are not three values")
    target, eggs, molodka = cast("tuple[Value, ...]", value)
    _expect(
        type(target) is int and isinstance(eggs, str) and isinstance(molodka, str),
        "table options of a wrong type",
    )
    try:
        return Options(
            target=cast(int, target), eggs=Eggs(cast(str, eggs)), molodka=MolodkaRule(cast(str, molodka))
        )
    except ValueError as error:
        raise GenesisError("options", f"the table options are not playable: {error}") from error


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
