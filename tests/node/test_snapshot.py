"""A store that another program has open is read as it was at one moment, and left as it is."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from node.errors import StoreError, StoreInUse
from node.storage import snapshot
from node.storage.snapshot import store_snapshot
from node.storage.store import STORE_NAME, Record, Store

MATCH = b"m" * 32
ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from node.storage.store import Record, Store

with Store(Path(sys.argv[1])) as store:
    store.add_match(b"m" * 32, b"genesis", 2, b"secret", 1000.0)
    for seq in range(int(sys.argv[2])):
        store.append(b"m" * 32, [Record(0, seq, b"%d" % seq, b"x" * 9000, b"signature")])
        if seq == 20:
            print("ready", flush=True)
    sys.stdin.read(1)
"""


@contextlib.contextmanager
def writer(path: Path, count: int) -> Iterator[subprocess.Popen[str]]:
    """A program that has the store open, and has written some of its records at least."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def seqs(store: Store) -> list[int]:
    return [record.seq for record in store.records(MATCH)]


def test_what_is_open_and_locked_elsewhere_can_be_looked_at(tmp_path: Path) -> None:
    path = tmp_path / STORE_NAME
    with writer(path, 21):
        with pytest.raises(StoreInUse):
            Store(path)
        with store_snapshot(path) as store:
            assert seqs(store) == list(range(21))
            (match,) = store.matches()
            assert (match.seat, match.secret) == (2, b"secret")
        with pytest.raises(StoreInUse):
            Store(path)


def test_each_look_at_a_store_that_is_being_written_is_whole(tmp_path: Path) -> None:
    """So many records that the write-ahead log is begun anew again and again."""
    path = tmp_path / STORE_NAME
    with writer(path, 100_000) as process:
        seen = []
        for _ in range(20):
            with contextlib.suppress(StoreInUse), store_snapshot(path) as store:
                found = seqs(store)
                assert found == list(range(len(found)))
                seen.append(len(found))
        assert process.poll() is None
    assert seen
    assert seen == sorted(seen)
    assert seen[0] < seen[-1]


def test_a_copy_that_was_overtaken_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / STORE_NAME
    with Store(path) as store:
        store.add_match(MATCH, b"genesis", 2, b"secret", 1000.0)
    headers = [b"one", b"another", b"another", b"another"]
    monkeypatch.setattr(snapshot, "_header", lambda _log: headers.pop(0))
    with store_snapshot(path) as copy:
        assert len(copy.matches()) == 1
    assert headers == []


def test_what_never_rests_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / STORE_NAME
    Store(path).close()
    numbers = iter(range(100))
    monkeypatch.setattr(snapshot, "_header", lambda _log: b"%d" % next(numbers))
    with pytest.raises(StoreInUse, match="being written all the time"), store_snapshot(path):
        pass
    assert [file.name for file in tmp_path.iterdir()] == [STORE_NAME]


def test_changes_to_a_copy_are_lost_and_nothing_of_it_stays(tmp_path: Path) -> None:
    path = tmp_path / STORE_NAME
    with Store(path) as store:
        store.add_match(MATCH, b"genesis", 2, b"secret", 1000.0)
    with store_snapshot(path) as copy:
        copy.append(MATCH, [Record(0, 0, b"id", b"data", b"signature")])
        assert os.name != "posix" or copy.path.parent.stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == [STORE_NAME]
    with Store(path) as store:
        assert seqs(store) == []


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError), store_snapshot(tmp_path / "nothing" / STORE_NAME):
        pass
    (tmp_path / STORE_NAME).write_bytes(b"something else entirely, and long enough for a header" * 20)
    with pytest.raises(StoreError), store_snapshot(tmp_path / STORE_NAME):
        pass
