"""Profiles on a real disk."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import zmq
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from node.errors import KeyDamaged, PassphraseNeeded, ProfileInUse, ProfileNotWritable, WrongPassphrase
from node.storage.keyfiles import TransportKeys, is_transport_key, write_private
from node.storage.profile import Profile, default_path
from tests.node.read_only import read_only_folder

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="file modes exist on POSIX only")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "profile"


def test_a_new_profile_has_keys_that_stay(home: Path) -> None:
    with Profile.open(home, name="Анна") as first:
        assert first.name == "Анна"
        assert first.path == home
        key = Ed25519PrivateKey.from_private_bytes(first.identity_seed)
        assert key.public_key().public_bytes_raw() == first.identity_public
        assert zmq.curve_public(first.transport.secret) == first.transport.public
    with Profile.open(home) as second:
        assert (second.name, second.identity_seed, second.transport) == (
            "Анна",
            first.identity_seed,
            first.transport,
        )


def test_two_profiles_share_no_key(tmp_path: Path) -> None:
    with Profile.open(tmp_path / "a") as a, Profile.open(tmp_path / "b") as b:
        assert a.identity_seed != b.identity_seed
        assert a.transport.secret != b.transport.secret


def test_secrets_are_not_shown(home: Path) -> None:
    with Profile.open(home) as profile:
        assert profile.transport.secret.decode() not in repr(profile.transport)


@POSIX
def test_private_files_are_unreadable_to_others_from_their_first_byte(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The strictest moment: when the bytes are written, before anything could correct the mode.
    modes: list[int] = []
    fsync = os.fsync

    def spy(descriptor: int) -> None:
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode):
            modes.append(stat.S_IMODE(status.st_mode))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", spy)
    old = os.umask(0)
    try:
        with Profile.open(home, name="x"):
            assert stat.S_IMODE(home.stat().st_mode) == 0o700
    finally:
        os.umask(old)
    assert modes == [0o600] * 3  # Two keys and the name.
    assert stat.S_IMODE((home / "identity.pem").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "transport.key").stat().st_mode) == 0o600


@POSIX
def test_a_key_that_a_copy_made_readable_is_closed_again(home: Path) -> None:
    Profile.open(home).close()
    (home / "identity.pem").chmod(0o644)
    Profile.open(home).close()
    assert stat.S_IMODE((home / "identity.pem").stat().st_mode) == 0o600


def test_a_failed_write_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "key"
    write_private(target, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_open_profile_cannot_be_opened_again_and_a_closed_one_can(home: Path) -> None:
    with Profile.open(home):
        with pytest.raises(ProfileInUse, match="open in another") as caught:
            Profile.open(home)
        assert caught.value.code == "profile-in-use"
        assert str(home) in str(caught.value)
    Profile.open(home).close()


def test_another_process_is_kept_out_too_until_it_ends_however_it_ends(home: Path) -> None:
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from node.storage.profile import Profile\n"
        "profile = Profile.open(Path(sys.argv[1]))\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
        "os._exit(1)\n"
    )
    command = [sys.executable, "-c", script, str(home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline().strip() == b"open"
        with pytest.raises(ProfileInUse):
            Profile.open(home)
        process.stdin.close()
        assert process.wait() == 1
    Profile.open(home).close()


def test_a_profile_that_failed_to_open_is_not_left_locked(home: Path) -> None:
    Profile.open(home).close()
    good = (home / "identity.pem").read_bytes()
    (home / "identity.pem").write_bytes(b"")
    # The error is kept, and with it whatever a lock that nobody released would hang on.
    with pytest.raises(KeyDamaged) as caught:
        Profile.open(home)
    (home / "identity.pem").write_bytes(good)
    Profile.open(home).close()
    assert caught.tb


def _other_kind_of_key() -> bytes:
    key = generate_private_key(SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    "damage",
    [b"", b"\0" * 200, b"-----BEGIN PRIVATE KEY-----\n", _other_kind_of_key()],
    ids=["empty", "zeros", "cut", "another kind of key"],
)
def test_a_damaged_identity_is_said_plainly_and_not_replaced(home: Path, damage: bytes) -> None:
    Profile.open(home).close()
    (home / "identity.pem").write_bytes(damage)
    with pytest.raises(KeyDamaged, match=r"identity\.pem is damaged"):
        Profile.open(home)
    assert (home / "identity.pem").read_bytes() == damage


def test_every_truncation_of_the_identity_is_refused_or_harmless(home: Path) -> None:
    with Profile.open(home) as profile:
        seed = profile.identity_seed
    whole = (home / "identity.pem").read_bytes()
    for length in range(len(whole)):
        (home / "identity.pem").write_bytes(whole[:length])
        try:
            with Profile.open(home) as cut:
                assert cut.identity_seed == seed  # Only the line break at the end is missing.
        except KeyDamaged:
            pass


def _pair(public: bytes, secret: bytes) -> bytes:
    return b"public " + public + b"\nsecret " + secret + b"\n"


A, B = TransportKeys.generate(), TransportKeys.generate()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"public",
        b"public \nsecret \n",
        _pair(A.public, B.secret),
        _pair(A.public, A.secret[:-1]),
        _pair(A.public, b"#" * 40),
        _pair(A.public, b"\xff" * 40),
        _pair(A.public, A.secret) + b"more\n",
    ],
    ids=lambda _: "damage",
)
def test_a_damaged_transport_key_is_said_plainly_and_not_replaced(home: Path, damage: bytes) -> None:
    Profile.open(home).close()
    (home / "transport.key").write_bytes(damage)
    with pytest.raises(KeyDamaged, match=r"transport\.key is damaged"):
        Profile.open(home)
    assert (home / "transport.key").read_bytes() == damage


def test_a_lost_identity_is_not_silently_replaced(home: Path) -> None:
    Profile.open(home).close()
    (home / "identity.pem").unlink()
    with pytest.raises(KeyDamaged, match="missing"):
        Profile.open(home)
    assert not (home / "identity.pem").exists()


def test_a_crash_between_the_two_keys_is_made_good(home: Path) -> None:
    with Profile.open(home) as profile:
        seed = profile.identity_seed
    (home / "transport.key").unlink()
    with Profile.open(home) as again:
        assert again.identity_seed == seed


def test_a_passphrase_protects_the_identity(home: Path) -> None:
    with Profile.open(home, passphrase="пароль") as profile:
        seed = profile.identity_seed
    assert b"ENCRYPTED" in (home / "identity.pem").read_bytes()
    with pytest.raises(PassphraseNeeded):
        Profile.open(home)
    with pytest.raises(WrongPassphrase):
        Profile.open(home, passphrase="wrong")
    with Profile.open(home, passphrase="пароль") as again:
        assert again.identity_seed == seed


def test_a_passphrase_that_was_not_needed_does_no_harm(home: Path) -> None:
    with Profile.open(home) as profile:
        seed = profile.identity_seed
    with Profile.open(home, passphrase="for nothing") as again:
        assert again.identity_seed == seed


def test_a_seed_gives_the_same_keys_anywhere(tmp_path: Path) -> None:
    seed = bytes(range(32))
    with (
        Profile.from_seed(tmp_path / "a", "North", seed) as a,
        Profile.from_seed(tmp_path / "b", "North", seed) as b,
    ):
        assert (a.identity_seed, a.transport) == (b.identity_seed, b.transport)
        assert seed not in (a.identity_seed, a.transport.secret)
    with Profile.from_seed(tmp_path / "c", "North", bytes(32)) as c:
        assert c.identity_seed != a.identity_seed
        # Pinned: a demonstration match recorded by one release can be played again by the next.
        assert c.identity_public.hex() == "7d878f35e5500de0648b770404ecd5934890cd05a95833c1400c3e499379a0f6"
        assert c.transport.public == b">2Vjh1i{vv.6Fqc7)]/0fk&01u6v0EZWsl2j:i[A"
    with Profile.open(tmp_path / "a") as again:
        assert again.identity_seed == a.identity_seed


def test_a_seed_does_not_replace_other_keys(tmp_path: Path) -> None:
    with Profile.open(tmp_path) as profile:
        identity = profile.identity_public
    with pytest.raises(KeyDamaged, match="seed"):
        Profile.from_seed(tmp_path, "x", bytes(32))
    with Profile.open(tmp_path) as profile:
        assert profile.identity_public == identity
    with pytest.raises(ValueError, match="32 bytes"):
        Profile.from_seed(tmp_path, "x", b"short")


def test_names_are_cleaned_kept_and_replaced(home: Path) -> None:
    with Profile.open(home, name=" A\x1b[1m\nB ") as profile:
        assert profile.name == "A[1m B"
    with Profile.open(home, name="\0") as profile:
        assert profile.name == "A[1m B"
    with Profile.open(home, name="C") as profile:
        assert profile.name == "C"
    with Profile.open(home) as profile:
        assert profile.name == "C"
    (home / "name.txt").write_bytes(b"\xff\x1bX" * 1000)
    with Profile.open(home) as profile:
        assert profile.name.isprintable()
        assert len(profile.name) == 24


def test_a_new_profile_takes_the_login_name_or_else_a_plain_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "boris")
    with Profile.open(tmp_path / "a") as profile:
        assert profile.name == "boris"

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    with Profile.open(tmp_path / "b") as profile:
        assert profile.name == "Player"


def test_a_folder_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ProfileNotWritable, match="cannot be used"):
        Profile.open(tmp_path / "file" / "profile")
    with pytest.raises(ProfileNotWritable, match="cannot be used"):
        Profile.open(tmp_path / "file")
    with read_only_folder() as folder:
        for path in (folder, folder / "profile"):
            with pytest.raises(ProfileNotWritable, match="another folder"):
                Profile.open(path)


def test_the_default_folder_is_the_users_own_or_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOZEL_HOME", str(tmp_path))
    assert default_path() == tmp_path
    monkeypatch.delenv("KOZEL_HOME")
    assert default_path().name == "kozel"
    assert default_path().is_absolute()


def test_transport_keys_are_recognised() -> None:
    assert is_transport_key(A.public)
    for wrong in (b"", A.public[:-1], A.public + b"0", b"\xff" * 40, b"#" * 40, b" " * 40):
        assert not is_transport_key(wrong)
