"""A player's profile: a folder with a name, an identity key and a transport key, open in one program."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from types import TracebackType
from typing import Self

import filelock
import platformdirs
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from node.errors import KeyDamaged, ProfileInUse, ProfileNotWritable
from node.i18n import tr
from node.names import clean_name
from node.storage.keyfiles import (
    TransportKeys,
    read_identity,
    read_transport,
    write_identity,
    write_private,
    write_transport,
)

__all__ = ["IDENTITY_NAME", "Profile", "TransportKeys", "default_path"]

IDENTITY_NAME = "identity.pem"
"""The name of the identity key's file in a profile's folder."""

_TRANSPORT = "transport.key"
_NAME = "name.txt"
_LOCK = "lock"


def default_path() -> Path:
    """Return the folder of the profile: `KOZEL_HOME` if set, else the user's data folder."""
    override = os.environ.get("KOZEL_HOME")
    return Path(override) if override else platformdirs.user_data_path("kozel", appauthor=False)


class Profile:
    """An open profile. Close it, or use it as a context manager, to let another program have it.

    Attributes: `path`; `name` (1 to 24 printable characters); `identity_seed` (32 bytes, secret);
    `identity_public` (32 bytes, raw Ed25519); `transport` (the CURVE pair of the links).
    """

    def __init__(
        self,
        path: Path,
        name: str,
        identity_seed: bytes,
        transport: TransportKeys,
        lock: filelock.BaseFileLock,
    ) -> None:
        self.path = path
        self.name = name
        self.identity_seed = identity_seed
        self.identity_public = (
            Ed25519PrivateKey.from_private_bytes(identity_seed).public_key().public_bytes_raw()
        )
        self.transport = transport
        self._lock = lock

    @classmethod
    def open(cls, path: Path, *, name: str | None = None, passphrase: str | None = None) -> Self:
        """Open the profile in folder `path`, making folder and keys if they are not there.

        A `name` is cleaned and kept for next time; a new profile without one takes the login name.
        A `passphrase` protects the identity key of a new profile and opens that of an old one.
        Raises ProfileInUse, ProfileNotWritable, KeyDamaged, PassphraseNeeded, WrongPassphrase.
        """
        return cls._open(path, name, passphrase, seed=None)

    @classmethod
    def from_seed(cls, path: Path, name: str, seed: bytes) -> Self:
        """Open a profile whose keys are derived from a 32-byte `seed`, for matches that can be repeated.

        Whoever knows the seed has the keys. Raises as `open` does, and KeyDamaged where the folder
        holds other keys already.
        """
        if len(seed) != 32:
            raise ValueError("a profile's seed is 32 bytes")
        return cls._open(path, name, None, seed=seed)

    @classmethod
    def _open(cls, path: Path, name: str | None, passphrase: str | None, seed: bytes | None) -> Self:
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = _take_lock(path)
        except (OSError, NotImplementedError) as error:
            raise _not_writable(path, error) from error
        try:
            identity_seed, transport = _keys(path, passphrase, seed)
            return cls(path, _name(path, name), identity_seed, transport, lock)
        except OSError as error:
            lock.release()
            raise _not_writable(path, error) from error
        except BaseException:
            lock.release()
            raise

    def rename(self, name: str) -> None:
        """Be called otherwise from now on; an empty name changes nothing. Raises ProfileNotWritable."""
        try:
            self.name = _name(self.path, name)
        except OSError as error:
            raise _not_writable(self.path, error) from error

    def close(self) -> None:
        """Let another program open the profile. Closing twice does no harm."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _take_lock(path: Path) -> filelock.BaseFileLock:
    # Not thread-local: whichever thread closes the profile must really let go of it.
    lock = filelock.FileLock(path / _LOCK, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise ProfileInUse(
            tr(
                "The profile in {path} is open in another window or program. "
                "Close that one first, or choose another profile folder.",
                path=path,
            )
        ) from error
    return lock


def _keys(path: Path, passphrase: str | None, seed: bytes | None) -> tuple[bytes, TransportKeys]:
    """Read both keys, making those that are not there yet."""
    identity, transport = path / IDENTITY_NAME, path / _TRANSPORT
    derived = None if seed is None else _derived_keys(seed)
    fresh_seed, fresh_pair = derived or (os.urandom(32), TransportKeys.generate())
    if not identity.exists():
        # The identity is written first, so a transport key alone means that the identity was lost.
        # A new one in its place would silently give up the seat in every unfinished match.
        if transport.exists():
            raise KeyDamaged(
                tr("The identity key {path} is missing. Restore it, or choose another folder.", path=identity)
            )
        write_identity(identity, fresh_seed, passphrase)
    if not transport.exists():
        write_transport(transport, fresh_pair)
    keys = read_identity(identity, passphrase), read_transport(transport)
    if derived is not None and keys != derived:
        raise KeyDamaged(tr("The profile in {path} holds keys that were not made from this seed.", path=path))
    return keys


def _derived_keys(seed: bytes) -> tuple[bytes, TransportKeys]:
    transport = TransportKeys.from_secret(_derive(seed, b"kozel profile transport/1"))
    return _derive(seed, b"kozel profile identity/1"), transport


def _derive(seed: bytes, label: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=label).derive(seed)


def _name(path: Path, given: str | None) -> str:
    """The name given now, else the one kept, else the login name; what is chosen is kept."""
    file = path / _NAME
    kept = file.read_bytes()[:1024].decode("utf-8", "replace") if file.exists() else ""
    name = clean_name(given or "", fallback="") or clean_name(kept, fallback="")
    name = name or clean_name(_login_name(), fallback=tr("Player"))
    if name != kept:
        write_private(file, name.encode())
    return name


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        # No such user, no environment variable that names one, or no user database at all (Windows).
        return ""


def _not_writable(path: Path, error: Exception) -> ProfileNotWritable:
    return ProfileNotWritable(
        tr(
            "The profile folder {path} cannot be used ({reason}). "
            "Give yourself the right to write there, or choose another folder.",
            path=path,
            reason=getattr(error, "strerror", None) or error,
        )
    )
