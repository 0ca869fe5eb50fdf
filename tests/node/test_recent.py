"""The list of recent tables: bounded, replaced whole, and never in the way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.network.addresses import is_dialable
from node.storage import recent
from node.storage.recent import MAX_TABLES, RECENT_NAME, RecentTable, RecentTables
from tests.node.read_only import read_only_folder

TABLE = RecentTable("Dacha", "Анна", bytes(range(32)), (("192.168.1.20", 47001), ("fd00::1", 47001)), 1e9)


def test_without_a_file_there_are_none(tmp_path: Path) -> None:
    tables = RecentTables(tmp_path)
    assert tables.read() == ()
    assert tables.trouble is None


def test_the_latest_comes_first_and_the_same_table_only_once(tmp_path: Path) -> None:
    tables = RecentTables(tmp_path)
    kitchen = replace(TABLE, name="Kitchen")
    other_host = replace(TABLE, host_identity=bytes(32))
    for table in (
        TABLE,
        kitchen,
        other_host,
        moved := replace(TABLE, addresses=(("10.0.0.2", 1),), played=2e9),
    ):
        tables.remember(table)
    assert RecentTables(tmp_path).read() == (moved, other_host, kitchen)


def test_the_list_is_bounded(tmp_path: Path) -> None:
    tables = RecentTables(tmp_path)
    for number in range(MAX_TABLES + 5):
        tables.remember(replace(TABLE, name=f"t{number}"))
    assert [table.name for table in tables.read()] == [f"t{n}" for n in range(MAX_TABLES + 4, 4, -1)]


def _entry(**changes: Any) -> bytes:
    good = {
        "name": "x",
        "host_name": "y",
        "host_identity": "00" * 32,
        "addresses": [["10.0.0.1", 1]],
        "played": 1,
    }
    return json.dumps({"format": 1, "tables": [good | changes]}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[" * 60_000,
        b"[]",
        b"{}",
        b'{"format": 2, "tables": []}',
        b'{"format": 1, "tables": 7}',
        b" " * 70_000,
        _entry(host_identity="00"),
        _entry(host_identity="zz" * 32),
        _entry(addresses=[]),
        _entry(addresses=[["10.0.0.1", 0]]),
        _entry(addresses=[["example.org", 1]]),
        _entry(addresses=[["10.0.0.1", 1]] * 9),
        _entry(addresses=[[1, "10.0.0.1"]]),
        _entry(name=None),
        _entry(played="yesterday"),
        _entry(played=-1),
        _entry(played=float("nan")),
        _entry(played=1e300),
    ],
)
def test_a_damaged_file_counts_as_empty_and_is_said_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / RECENT_NAME).write_bytes(data)
    tables = RecentTables(tmp_path)
    assert tables.read() == ()
    assert tables.trouble is not None and RECENT_NAME in tables.trouble
    tables.remember(TABLE)
    assert tables.read() == (TABLE,)
    assert tables.trouble is None


@given(st.binary(max_size=60), st.integers(0, 300), st.integers(0, 300))
def test_whatever_the_file_holds_it_is_read_or_passed_over(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, start: int, end: int
) -> None:
    whole = recent._encoded([TABLE])
    folder = tmp_path_factory.mktemp("recent")
    (folder / RECENT_NAME).write_bytes(whole[:start] + junk + whole[end:])
    tables = RecentTables(folder)
    for table in tables.read():
        assert table.name.isprintable() and table.host_name.isprintable()
        assert all(is_dialable(*address) for address in table.addresses)


def test_names_are_made_safe_to_show(tmp_path: Path) -> None:
    (tmp_path / RECENT_NAME).write_bytes(_entry(name="\x1b[2Jevil\n", host_name="\u202ehost"))
    (table,) = RecentTables(tmp_path).read()
    assert (table.name, table.host_name) == ("[2Jevil", "host")


def test_a_folder_that_cannot_be_written_is_no_harm() -> None:
    with read_only_folder() as folder:
        tables = RecentTables(folder)
        tables.remember(TABLE)
        assert tables.trouble is not None
        assert tables.read() == ()
