"""The links that `kozel play --share` and `kozel party` show, with a network and without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from node.commands.page import PageSettings, party, play_on_page
from node.network.addresses import LOOPBACK
from node.web import serving
from node.web.parlour import Parlour

PHONE = "On a phone in this network"
ALONE = "This computer is in no network"


@pytest.fixture(autouse=True)
def no_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C as soon as the links are shown."""

    async def over(_parlour: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Parlour, "run", over)


def shown(
    addresses: Sequence[str], folder: Path, players: int, monkeypatch: pytest.MonkeyPatch, *, share: bool
) -> None:
    """Start with a page each for so many players on a computer with these addresses."""
    monkeypatch.setattr(serving, "own_addresses", lambda: tuple(addresses))
    settings = PageSettings(
        folder, browser=False, share=share, port=0, listen=LOOPBACK, interfaces=[LOOPBACK]
    )
    assert (play_on_page(settings) if players == 1 else party(settings, players)) == 0


@pytest.mark.parametrize("players", [1, 2])
def test_a_link_for_phones_names_an_address_of_the_network(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown(["192.168.1.20"], tmp_path, players, monkeypatch, share=True)
    text = capsys.readouterr().out
    assert text.count("http://192.168.1.20:") == text.count(PHONE) == players
    assert ALONE not in text


@pytest.mark.parametrize("players", [1, 2])
def test_without_a_network_it_is_said_that_no_phone_can_come(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown([LOOPBACK], tmp_path, players, monkeypatch, share=True)
    text = " ".join(capsys.readouterr().out.split())
    assert text.count(f"http://{LOOPBACK}:") == players
    assert text.count(ALONE) == 1
    assert PHONE not in text


def test_who_does_not_share_reads_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown([LOOPBACK], tmp_path, 1, monkeypatch, share=False)
    text = " ".join(capsys.readouterr().out.split())
    assert ALONE not in text
    assert PHONE not in text
