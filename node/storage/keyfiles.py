"""The two key files of a profile, and how a private file is written.

`identity.pem` is an Ed25519 key in PKCS#8, which any cryptographic tool can read, encrypted if there is a
passphrase. `transport.key` holds the CURVE pair of the links as two lines of Z85. The transport key
only opens connections; everything that counts in a match is signed by the identity key.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import zmq
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from zmq.utils import z85

from node.errors import KeyDamaged, PassphraseNeeded, WrongPassphrase
from node.i18n import tr

_MAX_KEY_FILE = 16_384
_ENCRYPTED_HEADER = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"


@dataclass(frozen=True, slots=True)
class TransportKeys:
    """A CURVE key pair, each key 40 characters of Z85."""

    public: bytes
    secret: bytes = field(repr=False)

    @classmethod
    def from_secret(cls, raw: bytes) -> Self:
        """Make the pair whose secret is the 32 bytes `raw`."""
        secret = z85.encode(raw)
        return cls(public=zmq.curve_public(secret), secret=secret)

    @classmethod
    def generate(cls) -> Self:
        """Make a pair from fresh randomness."""
        return cls.from_secret(secrets.token_bytes(32))


def is_transport_key(key: bytes) -> bool:
    """Tell whether `key` is a CURVE key as it is written: 40 characters of Z85."""
    if len(key) != 40:
        return False
    try:
        return z85.encode(z85.decode(key)) == key
    except (KeyError, struct.error):
        # Not of the alphabet, or five characters that stand for more than 32 bits.
        return False


def link_name(raw: bytes) -> bytes:
    """Return the Z85 name by which links know the CURVE key of 32 bytes that a roster holds."""
    return z85.encode(raw)


def raw_key(name: bytes) -> bytes:
    """Return the 32 bytes of a CURVE key that is written in Z85."""
    return z85.decode(name)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that is whole or absent, and unreadable to other users from its first byte on.

    Where the platform has no file modes the user's own folder protects it. Raises OSError.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(draft, flags, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name durable. Windows cannot open a folder and does not need it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _read_private(path: Path) -> bytes:
    """Read a key file, first taking back rights that others were given, for example by a copy tool."""
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        # A file system without modes refuses; the key is as usable there as before.
        with contextlib.suppress(OSError):
            path.chmod(0o600)
    with path.open("rb") as file:
        return file.read(_MAX_KEY_FILE)


def write_identity(path: Path, seed: bytes, passphrase: str | None) -> None:
    """Write the Ed25519 key of a 32-byte `seed` as PKCS#8. Raises OSError."""
    encryption: KeySerializationEncryption = NoEncryption()
    if passphrase:
        encryption = BestAvailableEncryption(passphrase.encode())
    key = Ed25519PrivateKey.from_private_bytes(seed)
    write_private(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))


def read_identity(path: Path, passphrase: str | None) -> bytes:
    """Return the 32-byte seed. Raises KeyDamaged, PassphraseNeeded, WrongPassphrase, OSError."""
    pem = _read_private(path)
    encrypted = pem.lstrip().startswith(_ENCRYPTED_HEADER)
    if encrypted and not passphrase:
        raise PassphraseNeeded(tr("The identity key in {path} needs its passphrase.", path=path))
    try:
        # An unencrypted key opens whatever was typed: the person asked for this key, and it is here.
        key = load_pem_private_key(pem, passphrase.encode() if encrypted and passphrase else None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        if encrypted:
            raise WrongPassphrase(
                tr("The passphrase does not open the identity key in {path}.", path=path)
            ) from error
        raise _damaged(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _damaged(path)
    return key.private_bytes_raw()


def write_transport(path: Path, keys: TransportKeys) -> None:
    """Write the CURVE pair. Raises OSError."""
    write_private(path, b"public " + keys.public + b"\nsecret " + keys.secret + b"\n")


def read_transport(path: Path) -> TransportKeys:
    """Return the CURVE pair, checked to belong together. Raises KeyDamaged, OSError."""
    lines = _read_private(path).splitlines()
    fields = [line.split(b" ", 1) for line in lines]
    if [entry[0] for entry in fields] != [b"public", b"secret"] or any(len(entry) != 2 for entry in fields):
        raise _damaged(path)
    keys = TransportKeys(public=fields[0][1], secret=fields[1][1])
    if not is_transport_key(keys.secret) or zmq.curve_public(keys.secret) != keys.public:
        raise _damaged(path)
    return keys


def _damaged(path: Path) -> KeyDamaged:
    return KeyDamaged(
        tr(
            "The key file {path} is damaged. Restore it from a copy, or choose another profile folder.",
            path=path,
        )
    )
