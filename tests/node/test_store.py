"""The store on a real disk, through crashes, full disks and damaged files."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from node.errors import (
    DiskFull,
    NotAStore,
    StoreConflict,
    StoreDamaged,
    StoreError,
    StoreInUse,
    StoreNotWritable,
    StoreTooNew,
    UnknownMatch,
)
from node.storage.store import SCHEMA_VERSION, Record, Store, StoredMatch
from tests.node.read_only import read_only_folder

MATCH, OTHER = b"m" * 32, b"o" * 32


def record(author: int, seq: int, fork: bytes = b"", size: int = 100) -> Record:
    name = b"%d/%d" % (author, seq) + fork
    return Record(author, seq, b"id " + name, name.ljust(size, b"."), b"signature of " + name)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        opened.add_match(MATCH, b"genesis", 2, b"secret", 1000.5)
        yield opened


def test_matches_are_kept_with_what_is_said_of_them(store: Store, path: Path) -> None:
    store.add_match(OTHER, b"another", 0, b"other secret", 999.0)
    store.set_summary(MATCH, True, '{"score": [4, 12]}')
    expected = [
        StoredMatch(OTHER, b"another", 0, b"other secret", 999.0, False, ""),
        StoredMatch(MATCH, b"genesis", 2, b"secret", 1000.5, True, '{"score": [4, 12]}'),
    ]
    assert store.matches() == expected
    store.close()
    with Store(path) as again:
        assert again.matches() == expected
        assert again.match(MATCH) == expected[1]
        assert again.match(b"unknown") is None


def test_secrets_are_not_shown(store: Store) -> None:
    assert "b'secret'" not in repr(store.matches())


def test_records_come_back_as_they_were_in_the_order_they_came(store: Store, path: Path) -> None:
    store.add_match(OTHER, b"another", 0, b"", 0.0)
    first = [record(author, seq) for seq in range(3) for author in (3, 0, 2, 1)]
    store.append(MATCH, first[:5])
    store.append(OTHER, [record(0, 0)])
    store.append(MATCH, iter(first[5:]))
    store.append(MATCH, [])
    assert list(store.records(MATCH)) == first
    store.close()
    with Store(path) as again:
        assert list(again.records(MATCH)) == first
        assert list(again.records(OTHER)) == [record(0, 0)]
        assert list(again.records(b"unknown")) == []


def test_more_records_than_a_page_are_all_read_and_may_be_appended_to_meanwhile(store: Store) -> None:
    many = [record(0, seq, size=1) for seq in range(1000)]
    store.append(MATCH, many)
    reading = store.records(MATCH)
    head = [next(reading) for _ in range(10)]
    store.append(MATCH, [record(1, 0)])
    assert head + list(reading) == [*many, record(1, 0)]


def test_appending_again_changes_nothing(store: Store) -> None:
    store.append(MATCH, [record(0, 0), record(0, 1)])
    resigned = Record(0, 1, record(0, 1).event_id, record(0, 1).data, b"another valid signature")
    store.append(MATCH, [record(0, 1), resigned, record(0, 0), record(0, 2), record(0, 2)])
    assert list(store.records(MATCH)) == [record(0, 0), record(0, 1), record(0, 2)]


def test_both_halves_of_a_fork_are_kept(store: Store) -> None:
    halves = [record(1, 7, b"a"), record(1, 7, b"b")]
    for half in halves:
        store.append(MATCH, [half])
    assert list(store.records(MATCH)) == halves


def test_records_of_an_unknown_match_are_refused(store: Store) -> None:
    with pytest.raises(UnknownMatch):
        store.append(OTHER, [record(0, 0)])
    with pytest.raises(UnknownMatch):
        store.set_summary(OTHER, False, "")


def test_an_append_that_fails_half_way_keeps_nothing_and_the_store_goes_on(store: Store) -> None:
    def interrupted() -> Iterator[Record]:
        yield record(0, 0)
        raise RuntimeError("the caller's own mistake")

    with pytest.raises(RuntimeError, match="own mistake"):
        store.append(MATCH, interrupted())
    assert list(store.records(MATCH)) == []
    store.append(MATCH, [record(0, 0)])
    assert list(store.records(MATCH)) == [record(0, 0)]


def test_a_secret_is_kept_and_never_replaced(store: Store, path: Path) -> None:
    assert store.secret(b"table") is None
    store.add_secret(b"table", b"first")
    store.add_secret(b"table", b"first")
    with pytest.raises(StoreConflict):
        store.add_secret(b"table", b"second")
    store.close()
    with Store(path) as again:
        assert again.secret(b"table") == b"first"


def test_a_match_is_never_replaced(store: Store) -> None:
    store.set_summary(MATCH, True, "done")
    before = store.matches()
    store.add_match(MATCH, b"genesis", 2, b"secret", 2000.0)
    for genesis, seat, secret in ((b"x", 2, b"secret"), (b"genesis", 1, b"secret"), (b"genesis", 2, b"x")):
        with pytest.raises(StoreConflict):
            store.add_match(MATCH, genesis, seat, secret, 1000.5)
    assert store.matches() == before


_CRASH = """
import os, sys
from pathlib import Path
from node.storage.store import Store
from tests.node.test_store import MATCH, record
store = Store(Path(sys.argv[1]))
store.add_match(MATCH, b"genesis", 0, b"secret", 1.0)
store.add_secret(b"table", b"kept")
for seq in range(20):
    store.append(MATCH, [record(0, seq)])
os._exit(9)
"""


def crash(script: str, path: Path) -> None:
    root = Path(__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", script, str(path)], check=False, cwd=root)
    assert ended.returncode == 9


def test_what_was_acknowledged_survives_a_crash(path: Path) -> None:
    crash(_CRASH, path)
    assert path.with_name(path.name + "-wal").stat().st_size > 0  # Nobody has tidied up.
    with Store(path) as store:
        assert list(store.records(MATCH)) == [record(0, seq) for seq in range(20)]
        assert store.secret(b"table") == b"kept"


def test_an_uncommitted_transaction_is_gone_after_a_crash(path: Path) -> None:
    script = _CRASH.replace("os._exit(9)", "") + (
        "def dies():\n    yield record(0, 20)\n    os._exit(9)\nstore.append(MATCH, dies())\n"
    )
    crash(script, path)
    with Store(path) as store:
        assert list(store.records(MATCH)) == [record(0, seq) for seq in range(20)]


def test_durability_is_switched_on(store: Store) -> None:
    pragmas = {
        name: store._connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "user_version")
    }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "user_version": SCHEMA_VERSION,
    }


def test_a_full_disk_is_said_plainly_loses_nothing_and_can_be_made_good(store: Store) -> None:
    store.append(MATCH, [record(0, 0)])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskFull, match="make room") as caught:
        store.append(MATCH, [record(1, seq, size=4000) for seq in range(20)])
    assert caught.value.code == "disk-full"
    assert list(store.records(MATCH)) == [record(0, 0)]
    store._connection.execute("PRAGMA max_page_count = 100000")
    store.append(MATCH, [record(1, seq, size=4000) for seq in range(20)])
    assert len(list(store.records(MATCH))) == 21


def test_a_second_connection_is_refused_until_the_first_is_closed(store: Store, path: Path) -> None:
    with pytest.raises(StoreInUse, match="another program"):
        Store(path)
    store.close()
    Store(path).close()


@pytest.mark.skipif(os.name != "posix", reason="file modes exist on POSIX only")
def test_the_file_and_its_companions_are_unreadable_to_others(path: Path) -> None:
    old = os.umask(0)
    try:
        with Store(path) as store:
            store.add_secret(b"a", b"b")
            files = sorted(path.parent.iterdir())
            assert len(files) == 2
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    finally:
        os.umask(old)


def test_a_folder_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    for path in (tmp_path / "file" / "x", tmp_path / "missing" / "x"):
        with pytest.raises(StoreNotWritable, match="cannot be written"):
            Store(path)
    with read_only_folder() as folder, pytest.raises(StoreNotWritable, match="right to write"):
        Store(folder / "matches.sqlite")


def test_a_foreign_file_is_refused_and_left_alone(path: Path) -> None:
    text = b"These are somebody's notes and no database at all.\n" * 50
    path.write_bytes(text)
    with pytest.raises(NotAStore, match="left alone"):
        Store(path)
    assert path.read_bytes() == text


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NotAStore, match="another program"):
        Store(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_release_is_refused_and_left_alone(path: Path) -> None:
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="Update"):
        Store(path)
    assert path.read_bytes() == before


def _filled(path: Path) -> bytes:
    with Store(path) as store:
        store.add_match(MATCH, b"genesis", 0, b"secret", 1.0)
        store.append(MATCH, [record(0, seq, size=600) for seq in range(60)])
    return path.read_bytes()


def test_a_truncated_file_gives_its_records_or_a_plain_error(path: Path) -> None:
    whole = _filled(path)
    refused = 0
    for length in range(1, len(whole), 1021):
        path.write_bytes(whole[:length])
        try:
            with Store(path) as store:
                list(store.records(MATCH))
        except StoreError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 10


def test_a_damaged_page_is_said_plainly(path: Path) -> None:
    whole = bytearray(_filled(path))
    whole[4096:] = os.urandom(len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(StoreDamaged, match="damaged"), Store(path) as store:
        list(store.records(MATCH))


def test_use_after_closing_is_an_error_of_the_store(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError):
        store.append(MATCH, [record(0, 0)])
    with pytest.raises(StoreError):
        list(store.records(MATCH))
