"""Log files of every format that was ever written are read for ever, and come to what they came to then.

They lie in fixtures/, where README.md says what they are. They are frozen: where a test fails here, the
program is mended and never the files.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from node.commands.audit import audit_files
from node.commands.replay import replay_file
from protocol.audit import Finding
from protocol.errors import LogFileError
from protocol.events import SignedEvent
from protocol.genesis import decode_genesis
from protocol.logfile import SUFFIX, LogReader, write_log
from tests.fixtures.make import SUMS, main, render, sums
from tests.fixtures.outcome import outcome
from tests.protocol.matches import remembered_proofs

FOLDER: Final = Path(__file__).parent / "fixtures"
FROZEN: Final = {
    "format1": "0ab6df0f8740d89cac995dbf069485afe409eb1e7f4234dbbf6229e4934f23e6",
}
"""For each format the SHA-256 of its SHA256SUMS. An entry is added with a new format, and never changed."""

FILES: Final = [file for folder in FROZEN for file in sorted((FOLDER / folder).glob(f"*{SUFFIX}"))]


@pytest.fixture(scope="module", autouse=True)
def _remembered_proofs() -> Iterator[None]:
    """Each proof is checked once, not again for every test."""
    with remembered_proofs():
        yield


def named(file: Path) -> str:
    """How a file is called here."""
    return f"{file.parent.name}/{file.stem}"


each = pytest.mark.parametrize("file", FILES, ids=named)


def expected(file: Path) -> dict[str, Any]:
    """What stands beside a file."""
    content: dict[str, Any] = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    return content


def read(data: bytes) -> tuple[bytes, list[SignedEvent], bool]:
    """Genesis and events of a file, as far as it can be read; and whether that is to its end."""
    reader, events = LogReader(io.BytesIO(data)), []
    try:
        for event in reader.events():
            events.append(event)
    except LogFileError:
        return reader.genesis, events, False
    return reader.genesis, events, True


# That they are frozen


def test_there_is_no_other_folder() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.name.startswith("format")} == set(FROZEN)


@pytest.mark.parametrize("folder", FROZEN)
def test_not_one_byte_has_changed(folder: str) -> None:
    written = (FOLDER / folder / SUMS).read_text(encoding="ascii")
    assert sha256(written.encode()).hexdigest() == FROZEN[folder]
    assert sums(FOLDER / folder) == written


def test_format_1_has_a_file_of_every_sort() -> None:
    audits = {file.stem: expected(file)["audit"] for file in FILES if file.parent.name == "format1"}
    assert len(audits) == 12
    unreadable = {Finding.UNREADABLE.value}
    assert {audit["finding"] for audit in audits.values()} == {
        finding.value for finding in Finding
    } - unreadable
    faults = {audit["verdict"]["fault"] for audit in audits.values() if audit["verdict"]}
    assert faults == {"illegal-play", "discard-not-held", "equivocation", "false-complaint"}
    assert audits["lost-seat"]["losses"]
    assert audits["options"]["eggs"]


# That they are read


@each
def test_it_comes_to_what_it_came_to(file: Path) -> None:
    assert outcome(file.read_bytes()) == expected(file)


@each
def test_what_the_commands_say(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Audit and replay find words for it; the exit code is the one that stands beside it."""
    wanted = expected(file)
    assert audit_files([file], as_json=False) == wanted["audit"]["exit_code"]
    assert len(capsys.readouterr().out.splitlines()) > 3
    assert replay_file(file, deal=None, as_json=False) == (
        2 if wanted["audit"]["finding"] == "damaged" else 0
    )
    text = capsys.readouterr().out
    assert text.count("Deal ") == len(wanted["record"]["deals"])
    assert all(player["name"] in text for player in wanted["record"]["players"] if wanted["record"]["deals"])


@each
def test_written_again_it_has_the_same_bytes(file: Path) -> None:
    data = file.read_bytes()
    genesis, events, whole = read(data)
    again = io.BytesIO()
    write_log(again, genesis, events)
    assert decode_genesis(genesis).encode() == genesis
    assert whole == (expected(file)["audit"]["finding"] != "damaged")
    if whole:
        assert again.getvalue() == data
    else:
        assert data.startswith(again.getvalue())
        assert len(again.getvalue()) < len(data)


def test_the_match_that_goes_on_stands_where_the_other_rested() -> None:
    folder = FOLDER / "format1"
    rested, goes_on = (expected(folder / f"{name}{SUFFIX}") for name in ("rested", "goes-on"))
    genesis = decode_genesis(read((folder / f"goes-on{SUFFIX}").read_bytes())[0])
    assert genesis.previous is not None
    assert genesis.previous.hex() == rested["record"]["match_id"]
    assert goes_on["record"]["standing"]["score"] == rested["record"]["score"]
    before, after = (record["record"]["players"] for record in (rested, goes_on))
    assert [one["seat"] for one, other in zip(before, after, strict=True) if one != other] == [2]


# What makes them


def test_nothing_is_written_over_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "never written again" in capsys.readouterr().err
    assert main([]) == 2


@each
def test_what_stands_beside_is_in_the_form_that_is_written(file: Path) -> None:
    assert render(expected(file)) == file.with_suffix(".json").read_text(encoding="utf-8")
